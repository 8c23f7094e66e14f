//! Values that a program does not determine: drawn once, recorded, and kept.

use super::*;

/// Returns 1 if two evaluations of an expression agree, one as the condition of a branch and one after it.
fn agrees_with_itself(s: &mut Script, value: Expr) {
    let zero = s.int(0);
    let is_zero = s.b.pool.eq(value, zero);
    let (yes, no) = (s.int(1), s.int(0));
    let nonzero = s.branch(is_zero);
    for (at, if_zero, if_not) in [(s.at, yes, no), (nonzero, no, yes)] {
        s.at = at;
        let result = s.b.pool.ite(is_zero, if_zero, if_not);
        s.give(result);
    }
}

#[test]
fn uninitialised_variables_keep_their_first_value() {
    for seed in 0..50 {
        let mut s = Script::new();
        let x = s.local("x", INT);
        let read = s.var(x);
        agrees_with_itself(&mut s, read);
        let program = s.finish();
        let run = Interpreter::new(&program).run(&mut SeededInputs::new(seed), Limits::default());
        assert_eq!(run.end, returned(1));
        assert!(matches!(run.record.values[..], [Drawn { kind: Havoc::Uninitialized, .. }]));
    }
}

#[test]
fn uninitialised_memory_keeps_its_first_value() {
    for seed in 0..50 {
        let mut s = Script::new();
        let m = s.local("m", BYTES);
        let byte = s.b.pool.bits(8, 0);
        s.store(m, 4095, byte);
        let read = s.load(m, 4094, 4);
        agrees_with_itself(&mut s, read);
        let program = s.finish();
        let run = Interpreter::new(&program).run(&mut SeededInputs::new(seed), Limits::default());
        assert_eq!(run.end, returned(1));
        assert_eq!(run.record.values.len(), 3, "one of four bytes is known");
    }
}

#[test]
fn undefined_results_are_the_same_throughout_a_step() {
    let mut drawn = Vec::new();
    for seed in 0..50 {
        let mut s = Script::new();
        let (x, y) = (s.local("x", INT), s.local("y", INT));
        let far = s.int(32);
        s.assign(x, far);
        s.assign(y, far);
        let (one, distance, copy, zero) = (s.int(1), s.var(x), s.var(y), s.int(0));
        let shifted = s.binary(BinaryOp::ShiftLeft, one, distance);
        let is_zero = s.b.pool.eq(shifted, zero);
        let not = s.b.pool.not(is_zero);
        // Equal except for a conjunct, so that the edges are tried one by one: exactly one can be taken.
        let always = s.b.pool.eq(distance, copy);
        let (first, second) = (s.b.pool.and(is_zero, always), s.b.pool.and(not, always));
        let at = s.at;
        for (condition, result) in [(first, 1), (second, 2)] {
            s.at = at;
            s.op(Op::Assume(condition));
            let result = s.int(result);
            s.give(result);
        }
        let program = s.finish();
        let run = Interpreter::new(&program).run(&mut SeededInputs::new(seed), Limits::default());
        let [Drawn { kind: Havoc::Undefined, value, .. }] = run.record.values[..] else { panic!("{:?}", run.record) };
        assert_eq!(run.end, returned(if value.raw() == 0 { 1 } else { 2 }));
        assert!(run.record.choices.is_empty());
        drawn.push(value.raw() == 0);
    }
    assert!(drawn.contains(&true) && drawn.contains(&false));
}

#[test]
fn seeds_determine_everything() {
    let draw = |seed| {
        let mut inputs = SeededInputs::new(seed);
        let sorts = [Sort::Bool, Sort::Bits(1), INT, Sort::Bits(128), Sort::Float(FloatFormat::X87)];
        let mut next = |sort| inputs.next(input(sort)).unwrap();
        (0..100).flat_map(|_| sorts.map(&mut next)).collect::<Vec<_>>()
    };
    assert_eq!(draw(7), draw(7));
    assert_ne!(draw(7), draw(8));
    assert!(draw(7).iter().enumerate().all(|(i, v)| v.sort() == draw(7)[i % 5].sort()));
}

#[test]
fn given_numbers_take_the_sort_that_is_asked_for() {
    let to = |given, sort| GivenInputs::new([given], ZeroInputs).next(input(sort));
    let double = |x: f64| Some(Value::float(FloatFormat::Double, x.to_bits().into()));
    assert_eq!(to(Given::Integer(-1), Sort::Bits(8)), Some(Value::bits(8, 0xff)));
    assert_eq!(to(Given::Integer(-3), Sort::Float(FloatFormat::Double)), double(-3.0));
    assert_eq!(to(Given::Float(0.1), Sort::Float(FloatFormat::Double)), double(0.1));
    let single = Value::float(FloatFormat::Single, 0.1f32.to_bits().into());
    assert_eq!(to(Given::Float(0.1), Sort::Float(FloatFormat::Single)), Some(single));
    assert_eq!(to(Given::Float(-2.9), INT), Some(Value::bits(32, -2i32 as u128)));
    assert_eq!(to(Given::Integer(2), Sort::Bool), Some(Value::Bool(true)));
}

fn input(sort: Sort) -> Unknown {
    Unknown { what: What::Havoc(Var(0)), kind: Havoc::Input, sort, source: SourceId::NONE }
}

#[test]
fn copies_of_unknown_bytes_equal_their_source() {
    for seed in 0..50 {
        for target_first in [false, true] {
            let mut s = Script::new();
            let (m, n) = (s.local("m", BYTES), s.local("n", BYTES));
            let (to, from, bytes) = (s.address(4090), s.address(8188), s.address(8));
            s.op(Op::Copy { target: n, to, source: m, from, bytes });
            let (x, y) = (s.local("x", Sort::Bits(64)), s.local("y", Sort::Bits(64)));
            let (source, copy) = (s.load(m, 8188, 8), s.load(n, 4090, 8));
            let (first, second) = if target_first { (copy, source) } else { (source, copy) };
            s.assign(x, first);
            s.assign(y, second);
            let (x, y) = (s.var(x), s.var(y));
            let (equal, yes, no) = (s.b.pool.eq(x, y), s.int(1), s.int(0));
            let result = s.b.pool.ite(equal, yes, no);
            s.give(result);
            let program = s.finish();
            let run = Interpreter::new(&program).run(&mut SeededInputs::new(seed), Limits::default());
            assert_eq!(run.end, returned(1));
            assert_eq!(run.record.values.len(), 1, "what was drawn is not drawn again");
        }
    }
}
