//! Loops, calls, choices, limits and ends of runs.

use super::*;

/// `s = 0; for (i = 1; i <= n; i++) s += i; return s;` with an input `n`.
fn sum() -> Program {
    let mut s = Script::new();
    let (n, i, sum) = (s.local("n", INT), s.local("i", INT), s.local("s", INT));
    s.op(Op::Havoc(n, Havoc::Input));
    let (zero, one) = (s.int(0), s.int(1));
    s.assign(sum, zero);
    s.assign(i, one);
    let head = s.op(Op::Skip);
    let (read_i, read_n, read_sum) = (s.var(i), s.var(n), s.var(sum));
    let more = s.binary(BinaryOp::SignedLessEq, read_i, read_n);
    let done = s.branch(more);
    let (new_sum, new_i) = (s.b.pool.add(read_sum, read_i), s.b.pool.add(read_i, one));
    s.assign(sum, new_sum);
    s.assign(i, new_i);
    s.jump(head);
    s.at = done;
    s.give(read_sum);
    s.finish()
}

#[test]
fn loops_compute() {
    let given = |n| GivenInputs::new([Given::Integer(n)], ZeroInputs);
    assert_eq!(run(&sum(), &mut given(100)), returned(5050));
    assert_eq!(run(&sum(), &mut given(-5)), returned(0));
    assert_eq!(run(&sum(), &mut ZeroInputs), returned(0));
}

#[test]
fn inputs_can_run_out() {
    let mut none = GivenInputs::new([], ZeroInputs).stop_when_used_up();
    assert_eq!(run(&sum(), &mut none), RunEnd::OutOfInputs);
}

#[test]
fn steps_are_limited() {
    let program = sum();
    let mut inputs = GivenInputs::new([Given::Integer(1 << 30)], ZeroInputs);
    let run = Interpreter::new(&program).run(&mut inputs, Limits { steps: 1000, depth: 1 });
    assert_eq!((run.end, run.steps), (RunEnd::StepLimit, 1000));
}

/// `fac(x) { if (x == 0) return 1; y = x; r = fac(x - 1); return y * r; }`, where `y` must survive the call.
fn factorial(argument: i32) -> Program {
    let mut s = Script::new();
    let answer = s.local("answer", INT);
    let (fac, x) = s.begin("fac");
    let (y, r) = (s.local("y", INT), s.local("r", INT));
    let (zero, one, read_x) = (s.int(0), s.int(1), s.var(x));
    let is_zero = s.b.pool.eq(read_x, zero);
    let recurse = s.branch(is_zero);
    s.give(one);
    s.at = recurse;
    s.assign(y, read_x);
    let less = s.binary(BinaryOp::Sub, read_x, one);
    s.op(Op::Call { callee: fac, args: [less].into(), result: Some(r) });
    let (read_y, read_r) = (s.var(y), s.var(r));
    let product = s.binary(BinaryOp::Mul, read_y, read_r);
    s.give(product);

    s.at = s.b.function(FuncId(0)).entry;
    let argument = s.int(argument);
    s.op(Op::Call { callee: fac, args: [argument].into(), result: Some(answer) });
    let answer = s.var(answer);
    s.give(answer);
    s.finish()
}

#[test]
fn locals_survive_recursion() {
    assert_eq!(run(&factorial(10), &mut ZeroInputs), returned(3_628_800));
}

#[test]
fn depth_is_limited() {
    assert_eq!(run(&factorial(98), &mut ZeroInputs), returned(0));
    assert_eq!(run(&factorial(99), &mut ZeroInputs), RunEnd::DepthLimit);
}

#[test]
fn observers_see_every_edge_and_its_effect() {
    let program = sum();
    let mut path = Vec::new();
    let n = program.function(program.start).locals[0];
    let mut watch = |edge: EdgeId, state: &State<'_>| path.push((edge, state.value(n).map(Value::raw)));
    let mut inputs = GivenInputs::new([Given::Integer(1)], ZeroInputs);
    let run = Interpreter::new(&program).run_observed(&mut inputs, Limits::default(), &mut watch);
    assert_eq!(run.end, returned(1));
    assert_eq!(path.len() as u64 + 1, run.steps, "the last return leads to no state");
    assert!(path.iter().all(|&(_, n)| n == Some(1)));
    let target = |i: usize| program.edge(path[i].0).to;
    assert!((1..path.len()).all(|i| program.edge(path[i].0).from == target(i - 1)));
}

/// `switch (input) { case 1: case 2: return 10; case 3: return 20; default: return 30; }`
fn switch(default_excludes_all: bool) -> Program {
    let mut s = Script::new();
    let x = s.local("x", INT);
    let at = s.op(Op::Havoc(x, Havoc::Input));
    let read = s.var(x);
    let tests = [1, 2, 3].map(|i| {
        let constant = s.int(i);
        s.b.pool.eq(read, constant)
    });
    let first = s.b.pool.or(tests[0], tests[1]);
    let mut default = s.b.pool.not(first);
    if default_excludes_all {
        let not_third = s.b.pool.not(tests[2]);
        default = s.b.pool.and(default, not_third);
    }
    for (condition, result) in [(first, 10), (tests[2], 20), (default, 30)] {
        s.at = at;
        s.op(Op::Assume(condition));
        let result = s.int(result);
        s.give(result);
    }
    s.finish()
}

#[test]
fn switches_find_their_case() {
    for (input, result) in [(1, 10), (2, 10), (3, 20), (4, 30), (-1, 30)] {
        let mut inputs = GivenInputs::new([Given::Integer(input)], ZeroInputs);
        assert_eq!(run(&switch(true), &mut inputs), returned(result));
    }
}

#[test]
fn choices_are_drawn_recorded_and_replayed() {
    let program = switch(false);
    let interpreter = Interpreter::new(&program);
    let results: Vec<_> = (0..20)
        .map(|seed| {
            let mut inputs = GivenInputs::new([Given::Integer(3)], SeededInputs::new(seed));
            let run = interpreter.run(&mut inputs, Limits::default());
            assert_eq!(run.record.choices.len(), 1);
            let again = interpreter.run(&mut ReplayInputs::new(run.record.clone()), Limits::default());
            assert_eq!((&again.end, &again.record), (&run.end, &run.record));
            run.end
        })
        .collect();
    assert!(results.contains(&returned(20)) && results.contains(&returned(30)));
}

#[test]
fn runs_end_where_they_must() {
    let end = |kind: LocationKind| {
        let mut s = Script::new();
        let to = s.b.add_location(s.function, kind);
        s.jump(to);
        run(&s.finish(), &mut ZeroInputs)
    };
    let property = Property::new(PropertyKind::Assert, "", SourceId::NONE);
    assert!(matches!(end(LocationKind::Halt), RunEnd::Halted(_)));
    assert!(matches!(end(LocationKind::Error(property)), RunEnd::Error(_)));
    assert_eq!(end(LocationKind::Exit), RunEnd::Returned(None));

    let mut s = Script::new();
    let never = s.b.pool.bool(false);
    let stuck = s.b.function(s.function).entry;
    s.op(Op::Assume(never));
    assert_eq!(run(&s.finish(), &mut ZeroInputs), RunEnd::Stuck(stuck));

    let mut s = Script::new();
    s.op(Op::Unsupported("inline assembly".into()));
    let unsupported = RunEnd::Unsupported { why: "inline assembly".into(), at: EdgeId(0) };
    assert_eq!(run(&s.finish(), &mut ZeroInputs), unsupported);
}

#[test]
fn divisions_without_a_result_crash() {
    let divide = |a, b| {
        let mut s = Script::new();
        let x = s.local("x", INT);
        let (a, b) = (s.int(a), s.int(b));
        s.assign(x, b);
        let x = s.var(x);
        let quotient = s.binary(BinaryOp::SignedDiv, a, x);
        s.give(quotient);
        run(&s.finish(), &mut ZeroInputs)
    };
    assert_eq!(divide(7, -2), returned(-3));
    let crash = |why| RunEnd::Crash { why: Crash::Division(why), at: EdgeId(1) };
    assert_eq!(divide(7, 0), crash(Undefined::DivisionByZero));
    assert_eq!(divide(i32::MIN, -1), crash(Undefined::DivisionOverflow));
}
