//! The interpreter, path formulas and the value analysis agree on which accesses are valid.

use clew_verifier::cfa::{AddressSpace, EdgeId, Op, Program, ProgramBuilder, Scope, SourceId, Step};
use clew_verifier::cpa::value::eval::Semantics;
use clew_verifier::expr::{Cell, MemorySort, Sort};
use clew_verifier::facts::Facts;
use clew_verifier::formula::PathFormula;
use clew_verifier::interpreter::{Interpreter, Limits, RunEnd, ZeroInputs};

/// A program whose only operation havocs `bytes` bytes at `address`.
fn program(space: AddressSpace, address: u64, bytes: u64) -> Program {
    let mut b = ProgramBuilder::new(64);
    b.address_space = space;
    let sort = Sort::Memory(MemorySort { address: 64, cell: Cell::Bits(8) });
    let memory = b.add_temporary("memory", sort, Scope::Global);
    let main = b.add_function("main", "main", None, SourceId::NONE);
    let (address, bytes) = (b.pool.bits(64, address.into()), b.pool.bits(64, bytes.into()));
    let at = b.add_step(b.function(main).entry, Op::Forget { memory, address, bytes }, SourceId::NONE);
    b.add_return(at, None, SourceId::NONE);
    b.finish(main)
}

fn check(space: AddressSpace, address: u64, bytes: u64, expected: bool) {
    let program = program(space, address, bytes);
    let what = format!("{bytes:#x} bytes at {address:#x}");
    let run = Interpreter::new(&program).run(&mut ZeroInputs, Limits::default());
    assert_eq!(!matches!(run.end, RunEnd::Crash { .. }), expected, "interpreter: {what}");
    let formula =
        PathFormula::new(&program, &[Step::along(EdgeId(0))], Default::default()).expect("the path is supported");
    assert_eq!(formula.constraints.is_empty(), expected, "formula: {what}");
    // The value analysis ignores lengths: it may accept more, but not less.
    let is_valid = Semantics::new(&Facts::new(&program, &Default::default())).is_valid(address);
    assert!(is_valid || !expected || bytes == 0, "values: {what}");
    assert!(!is_valid || !program.address_space.is_declared() || address >= AddressSpace::NULL_PAGE, "values: {what}");
}

#[test]
fn the_null_page_is_invalid_even_in_a_declared_range() {
    let space = || AddressSpace { fixed: 0..0x10000, ..AddressSpace::default() };
    let page = AddressSpace::NULL_PAGE;
    for (address, bytes, expected) in
        [(0, 1, false), (0, 0, true), (page - 1, 1, false), (page - 1, 8, false), (page, 1, true), (page, page, true)]
    {
        check(space(), address, bytes, expected);
    }
    check(space(), 0xffff, 1, true);
    check(space(), 0xffff, 2, false);
    check(space(), u64::MAX, 2, false);
}

#[test]
fn without_declared_ranges_only_the_length_is_bounded() {
    check(AddressSpace::default(), 0, 1, true);
    check(AddressSpace::default(), 0, AddressSpace::MAX_LENGTH, true);
    check(AddressSpace::default(), 0, AddressSpace::MAX_LENGTH + 1, false);
}
