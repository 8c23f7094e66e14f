//! Memories: cells, floats, copies, initial contents and invalid accesses.

use super::*;

#[test]
fn stores_and_reads_of_several_cells_are_little_endian() {
    let mut s = Script::new();
    let m = s.global("m", BYTES);
    let value = s.int(0x1122_3344);
    s.store(m, 4094, value);
    let byte = s.b.pool.bits(8, 0xff);
    s.store(m, 4097, byte);
    let result = s.load(m, 4094, 4);
    s.give(result);
    assert_eq!(run(&s.finish(), &mut ZeroInputs), returned(0xff22_3344_u32 as i32));
}

#[test]
fn float_cells_hold_representations() {
    for (format, bits) in [(FloatFormat::Double, 0x3ff8 << 48), (FloatFormat::X87, 0x3fff << 64 | 0xc << 60)] {
        let mut s = Script::new();
        let m = s.global("m", Sort::Memory(MemorySort { address: 64, cell: Cell::Float(format) }));
        let one_and_a_half = s.b.pool.constant(Value::float(format, bits));
        s.store(m, 4090, one_and_a_half);
        let read = s.load(m, 4090, 1);
        let sum = s.binary(BinaryOp::FloatAdd, read, one_and_a_half);
        let whole = s.b.pool.unary(UnaryOp::FloatToSigned(32), sum);
        s.give(whole);
        assert_eq!(run(&s.finish(), &mut ZeroInputs), returned(3));
    }
}

#[test]
fn copies_may_overlap() {
    let bytes = 3 * 4096 + 7;
    for (from, to) in [(100, 101), (101, 100), (100, 5000), (5000, 100), (0, 1 << 40)] {
        let mut s = Script::new();
        let m = s.global("m", BYTES);
        let (position, byte) = (s.local("p", Sort::Bits(64)), s.local("b", Sort::Bits(8)));
        // Every byte is a function of its address, so that a misplaced one is detected.
        let start = s.address(from);
        s.assign(position, start);
        let zero = s.b.pool.bits(8, 1);
        s.assign(byte, zero);
        let head = s.op(Op::Skip);
        let (at, end, value) = (s.var(position), s.address(from + bytes), s.var(byte));
        let more = s.binary(BinaryOp::UnsignedLess, at, end);
        let done = s.branch(more);
        s.op(Op::Store { memory: m, address: at, value });
        let (one, factor) = (s.address(1), s.b.pool.bits(8, 29));
        let (next, scaled) = (s.b.pool.add(at, one), s.binary(BinaryOp::Mul, value, factor));
        let seven = s.b.pool.bits(8, 7);
        let mixed = s.b.pool.add(scaled, seven);
        s.assign(position, next);
        s.assign(byte, mixed);
        s.jump(head);
        s.at = done;
        let (target, source, length) = (s.address(to), s.address(from), s.address(bytes));
        s.op(Op::Copy { target: m, to: target, source: m, from: source, bytes: length });
        let zero = s.int(0);
        s.give(zero);
        let program = s.finish();

        let mut expected = vec![1u8];
        (1..bytes as usize).for_each(|i| expected.push(expected[i - 1].wrapping_mul(29).wrapping_add(7)));
        let mut checked = false;
        let mut check = |edge: EdgeId, state: &State<'_>| {
            if matches!(program.edge(edge).op, Op::Copy { .. }) {
                checked = true;
                let found: Vec<_> = (0..bytes).map(|i| state.byte(m, to + i)).collect();
                assert!(found.iter().zip(&expected).all(|(f, e)| *f == Some(*e)), "copy from {from} to {to}");
                assert_eq!(state.byte(m, to.max(from) + bytes), None);
            }
        };
        Interpreter::new(&program).run_observed(&mut ZeroInputs, Limits::default(), &mut check);
        assert!(checked);
    }
}

#[test]
fn fills_and_forgets_know_their_bounds() {
    let mut s = Script::new();
    let m = s.global("m", BYTES);
    let (base, length, inner) = (s.address(1000), s.address(10_000), s.address(5000));
    let byte = s.b.pool.bits(8, 0xab);
    s.op(Op::Fill { memory: m, address: base, byte, bytes: length });
    let two = s.address(2);
    s.op(Op::Forget { memory: m, address: inner, bytes: two });
    let result = s.load(m, 4999, 4);
    s.give(result);
    assert_eq!(run(&s.finish(), &mut ZeroInputs), returned(0xab00_00ab_u32 as i32));
}

#[test]
fn memory_expressions_write_to_copies() {
    let mut s = Script::new();
    let (m, copy) = (s.global("m", BYTES), s.local("copy", BYTES));
    let (old, new, address) = (s.int(1), s.int(2), s.address(8192));
    s.store(m, 8192, old);
    let read_m = s.var(m);
    let written = s.b.pool.write(read_m, address, new);
    s.assign(copy, written);
    let (from_m, from_copy) = (s.load(m, 8192, 4), s.load(copy, 8192, 4));
    let ten = s.int(10);
    let scaled = s.binary(BinaryOp::Mul, from_copy, ten);
    let result = s.b.pool.add(scaled, from_m);
    s.give(result);
    assert_eq!(run(&s.finish(), &mut ZeroInputs), returned(21));
}

#[test]
fn local_memories_belong_to_one_activation() {
    // f(x) { m[0] = x; if (x != 0) f(x - 1); return m[0]; }
    let mut s = Script::new();
    let answer = s.local("answer", INT);
    let (f, x) = s.begin("f");
    let m = s.local("m", BYTES);
    let (read_x, zero, one) = (s.var(x), s.int(0), s.int(1));
    s.store(m, 0, read_x);
    let is_zero = s.b.pool.eq(read_x, zero);
    let recurse = s.branch(is_zero);
    let end = s.at;
    s.at = recurse;
    let less = s.binary(BinaryOp::Sub, read_x, one);
    s.op(Op::Call { callee: f, args: [less].into(), result: None });
    s.jump(end);
    s.at = end;
    let kept = s.load(m, 0, 4);
    s.give(kept);
    s.at = s.b.function(FuncId(0)).entry;
    let five = s.int(5);
    s.op(Op::Call { callee: f, args: [five].into(), result: Some(answer) });
    let answer = s.var(answer);
    s.give(answer);
    assert_eq!(run(&s.finish(), &mut ZeroInputs), returned(5));
}

#[test]
fn initial_contents_can_be_taken_again() {
    let mut s = Script::new();
    let m = s.global("m", BYTES);
    s.b.initial.push(InitialCells { segments: vec![Segment { address: 64, bytes: 1 << 30, data: [1, 2].into() }] });
    s.op(Op::Initialize { memory: m, contents: 0 });
    let value = s.int(-1);
    s.store(m, 64, value);
    s.op(Op::Initialize { memory: m, contents: 0 });
    let (low, far) = (s.load(m, 64, 4), s.load(m, 1 << 29, 4));
    let sum = s.b.pool.add(low, far);
    s.give(sum);
    let program = s.finish();
    let run = Interpreter::new(&program).run(&mut SeededInputs::new(1), Limits::default());
    assert_eq!(run.end, returned(0x201));
    assert_eq!(run.record, Record::default());
}

/// Stores an `int` with objects in 0x1000..0x2000, memory outside of the program in 0x3000..0x4000, a heap from 0x10000 to 0x10100, and an empty stack.
fn store_at(address: u64) -> RunEnd {
    let mut s = Script::new();
    let m = s.global("m", BYTES);
    let (heap, stack) = (s.global("heap", Sort::Bits(64)), s.global("stack", Sort::Bits(64)));
    s.b.address_space = AddressSpace {
        fixed: 0x1000..0x2000,
        outside: 0x3000..0x4000,
        heap_base: 0x10000,
        heap_top: Some(heap),
        stack_base: 0x20000,
        stack_top: Some(stack),
        ..AddressSpace::default()
    };
    let (heap_top, stack_top, value) = (s.address(0x10100), s.address(0x20000), s.int(1));
    s.assign(heap, heap_top);
    s.assign(stack, stack_top);
    s.store(m, address, value);
    let result = s.load(m, address, 4);
    s.give(result);
    run(&s.finish(), &mut ZeroInputs)
}

#[test]
fn accesses_outside_of_the_address_space_crash() {
    for valid in [0x1000, 0x1ffc, 0x3000, 0x3ffc, 0x10000, 0x100fc] {
        assert_eq!(store_at(valid), returned(1), "{valid:#x}");
    }
    for address in [0, 8, 0xfff, 0x1ffd, 0x3ffd, 0x10101, 0x100fd, 0x20000, u64::MAX] {
        let crash = RunEnd::Crash { why: Crash::InvalidAccess { address }, at: EdgeId(2) };
        assert_eq!(store_at(address), crash, "{address:#x}");
    }
}

#[test]
fn huge_lengths_end_the_run() {
    for bytes in [1 << 60, 1 << 31] {
        let mut s = Script::new();
        let m = s.global("m", BYTES);
        let (base, bytes) = (s.address(0), s.address(bytes));
        s.op(Op::Forget { memory: m, address: base, bytes });
        let program = s.finish();
        let run = Interpreter::new(&program).run(&mut ZeroInputs, Limits { steps: 1000, depth: 1 });
        assert!(matches!(run.end, RunEnd::StepLimit | RunEnd::Crash { .. }), "{:?}", run.end);
    }
}
