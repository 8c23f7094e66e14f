//! Bounded model checking and k-induction: effects of bounds, loops, recursion and induction on the verdict.

use clew_verifier::cfa::{
    FuncId, Havoc, LocId, LocationKind, Op, Program, ProgramBuilder, Property, PropertyKind, Scope, SourceId,
};
use clew_verifier::expr::{BinaryOp, Expr, Sort, Var};
use clew_verifier::monitor::Monitor;
use clew_verifier::strategy::{CheckOptions, Config, InvariantDomain, Reason, Verdict, check};
use clew_verifier::tuning::Tuning;

const NOWHERE: SourceId = SourceId::NONE;
const BYTE: Sort = Sort::Bits(8);

/// A program of one or more functions over bytes.
struct Code {
    b: ProgramBuilder,
}

impl Code {
    fn new() -> Code {
        Code { b: ProgramBuilder::new(64) }
    }

    fn function(&mut self, name: &str) -> (FuncId, LocId) {
        let function = self.b.add_function(name, name, None, NOWHERE);
        (function, self.b.function(function).entry)
    }

    fn global(&mut self, name: &str) -> Var {
        self.b.add_temporary(name, BYTE, Scope::Global)
    }

    fn local(&mut self, name: &str, function: FuncId) -> Var {
        self.b.add_temporary(name, BYTE, Scope::Local(function))
    }

    fn number(&mut self, number: u128) -> Expr {
        self.b.pool.bits(8, number)
    }

    fn set(&mut self, at: LocId, var: Var, value: Expr) -> LocId {
        self.b.add_step(at, Op::Assign(var, value), NOWHERE)
    }

    fn set_number(&mut self, at: LocId, var: Var, number: u128) -> LocId {
        let value = self.number(number);
        self.set(at, var, value)
    }

    fn add(&mut self, at: LocId, var: Var, number: u128) -> LocId {
        let (old, number) = (self.b.read(var), self.number(number));
        let sum = self.b.pool.add(old, number);
        self.set(at, var, sum)
    }

    fn input(&mut self, at: LocId, var: Var) -> LocId {
        self.b.add_step(at, Op::Havoc(var, Havoc::Input), NOWHERE)
    }

    fn less(&mut self, var: Var, other: Var) -> Expr {
        let (a, b) = (self.b.read(var), self.b.read(other));
        self.b.pool.binary(BinaryOp::UnsignedLess, a, b)
    }

    fn is(&mut self, var: Var, number: u128) -> Expr {
        let (value, number) = (self.b.read(var), self.number(number));
        self.b.pool.eq(value, number)
    }

    /// The locations where the condition holds, and where it does not.
    fn branch(&mut self, at: LocId, condition: Expr) -> (LocId, LocId) {
        let not = self.b.pool.not(condition);
        (self.b.add_step(at, Op::Assume(condition), NOWHERE), self.b.add_step(at, Op::Assume(not), NOWHERE))
    }

    /// Continues where the condition holds; the program ends where it does not.
    fn assume(&mut self, at: LocId, condition: Expr) -> LocId {
        self.b.add_step(at, Op::Assume(condition), NOWHERE)
    }

    fn fail_if(&mut self, at: LocId, condition: Expr) -> LocId {
        let (bad, good) = self.branch(at, condition);
        let function = self.b.function_of(at);
        let property = Property::new(PropertyKind::Assert, "claim", NOWHERE);
        let error = self.b.add_location(function, LocationKind::Error(property));
        self.b.add_edge(bad, Op::Skip, error, NOWHERE);
        good
    }

    fn back(&mut self, at: LocId, head: LocId) {
        self.b.add_edge(at, Op::Skip, head, NOWHERE);
    }

    fn call(&mut self, at: LocId, callee: FuncId) -> LocId {
        self.b.add_step(at, Op::Call { callee, args: Box::new([]), result: None }, NOWHERE)
    }

    fn finish(mut self, at: LocId) -> Program {
        self.b.add_return(at, None, NOWHERE);
        let start = self.b.function_of(at);
        self.b.finish(start)
    }
}

fn verdict(program: &Program, options: CheckOptions) -> Verdict {
    check(program, &options, &Monitor::new(None))
}

fn bmc(program: &Program, bound: Option<u32>) -> Verdict {
    verdict(program, CheckOptions { config: config("bmc"), bound, ..CheckOptions::default() })
}

fn k_induction(program: &Program) -> Verdict {
    verdict(program, CheckOptions { config: config("k-induction"), bound: Some(8), ..CheckOptions::default() })
}

fn symbolic(program: &Program) -> Verdict {
    verdict(program, CheckOptions { config: config("symbolic"), ..CheckOptions::default() })
}

/// `n = input; assume(n < 6); for (i = 0; i < n; i++); fail if i == wrong;`
fn counting(wrong: u128) -> Program {
    let mut code = Code::new();
    let (main, at) = code.function("main");
    let (i, n, six) = (code.local("i", main), code.local("n", main), code.local("six", main));
    let at = code.set_number(at, six, 6);
    let at = code.input(at, n);
    let small = code.less(n, six);
    let at = code.assume(at, small);
    let head = code.set_number(at, i, 0);
    let goes_on = code.less(i, n);
    let (body, after) = code.branch(head, goes_on);
    let body = code.add(body, i, 1);
    code.back(body, head);
    let is_wrong = code.is(i, wrong);
    let after = code.fail_if(after, is_wrong);
    code.finish(after)
}

#[test]
fn a_loop_that_ends_is_unrolled_until_it_does() {
    assert!(matches!(bmc(&counting(6), None), Verdict::Safe));
    assert!(matches!(bmc(&counting(5), None), Verdict::Unsafe(_)));
    assert!(matches!(bmc(&counting(5), Some(3)), Verdict::Unknown(Reason::Bound { bound: 3, .. })));
    assert!(matches!(bmc(&counting(2), Some(3)), Verdict::Unsafe(_)));
    // After six iterations the seventh is infeasible.
    assert!(matches!(bmc(&counting(6), Some(6)), Verdict::Safe));
}

/// `x = first; while (input < 1) { x += 2; if (input < odd) x += 1; } fail if x == 77;`
fn even(first: u128, odd: u128) -> Program {
    let mut code = Code::new();
    let (main, at) = code.function("main");
    let (x, n, one, limit) =
        (code.local("x", main), code.local("n", main), code.local("one", main), code.global("limit"));
    let at = code.set_number(at, one, 1);
    let at = code.set_number(at, limit, odd);
    let head = code.set_number(at, x, first);
    let drawn = code.input(head, n);
    let goes_on = code.less(n, one);
    let (body, after) = code.branch(drawn, goes_on);
    let body = code.add(body, x, 2);
    let body = code.input(body, n);
    let is_odd = code.less(n, limit);
    let (more, done) = code.branch(body, is_odd);
    let more = code.add(more, x, 1);
    code.back(more, head);
    code.back(done, head);
    let is_wrong = code.is(x, 77);
    let after = code.fail_if(after, is_wrong);
    code.finish(after)
}

/// From any odd number, 77 is a few steps away; that all numbers are even is guessed.
#[test]
fn induction_is_helped_by_guesses() {
    assert!(matches!(k_induction(&even(0, 0)), Verdict::Safe));
    assert!(!matches!(k_induction(&even(1, 0)), Verdict::Safe));
    assert!(!matches!(k_induction(&even(0, 1)), Verdict::Safe));
}

#[test]
fn iterations_without_a_choice_do_not_count() {
    let mut code = Code::new();
    let (main, at) = code.function("main");
    let i = code.local("i", main);
    let head = code.set_number(at, i, 0);
    let ends = code.is(i, 100);
    let (after, body) = code.branch(head, ends);
    let body = code.add(body, i, 1);
    code.back(body, head);
    let is_wrong = code.is(i, 99);
    let after = code.fail_if(after, is_wrong);
    let program = code.finish(after);
    assert!(matches!(bmc(&program, Some(1)), Verdict::Safe));
}

/// `a = b = c = 1; while (input) { fail if a == 0; a = b; b = c; c = last; }`
fn pipeline(last: u128) -> Program {
    let mut code = Code::new();
    let (main, mut at) = code.function("main");
    let vars = ["a", "b", "c"].map(|name| code.local(name, main));
    let go = code.local("go", main);
    for var in vars {
        at = code.set_number(at, var, 1);
    }
    // The loop starts with the input, which is a step, so its head is a separate location.
    let head = at;
    let at = code.input(head, go);
    let ends = code.is(go, 0);
    let (after, at) = code.branch(at, ends);
    let is_wrong = code.is(vars[0], 0);
    let mut at = code.fail_if(at, is_wrong);
    for (to, from) in [(0, 1), (1, 2)] {
        let value = code.b.read(vars[from]);
        at = code.set(at, vars[to], value);
    }
    let at = code.set_number(at, vars[2], last);
    code.back(at, head);
    code.finish(after)
}

#[test]
fn induction_needs_as_many_steps_as_the_property() {
    assert!(matches!(k_induction(&pipeline(1)), Verdict::Safe));
    assert!(matches!(k_induction(&pipeline(0)), Verdict::Unsafe(_)));
    // An invariant would prove it at once.
    let invariants = InvariantDomain::None;
    let one_step =
        CheckOptions { config: config("k-induction"), bound: Some(1), invariants, ..CheckOptions::default() };
    // So would constants that are propagated.
    let mut tuning = Tuning::default();
    (tuning.simplify.constants, tuning.simplify.slice) = (0, 0);
    let plainly = |options: &CheckOptions| check(&pipeline(1), options, &Monitor::new(None).with_tuning(tuning));
    assert!(matches!(plainly(&one_step), Verdict::Unknown(Reason::Bound { bound: 1, .. })));
    let unrolled = CheckOptions { config: config("bmc"), bound: Some(8), ..CheckOptions::default() };
    assert!(matches!(plainly(&unrolled), Verdict::Unknown(Reason::Bound { bound: 8, .. })));
}

/// `g = 0; while (input) f(); fail if g == wrong;` where `f` is `while (input) g += 2;`
fn nested_by_call(wrong: u128) -> Program {
    let mut code = Code::new();
    let g = code.global("g");
    let (f, at) = code.function("f");
    let go = code.local("go", f);
    let head = code.b.add_step(at, Op::Skip, NOWHERE);
    let at = code.input(head, go);
    let ends = code.is(go, 0);
    let (after, at) = code.branch(at, ends);
    let at = code.add(at, g, 2);
    code.back(at, head);
    code.b.add_return(after, None, NOWHERE);
    let (main, at) = code.function("main");
    let go = code.local("go", main);
    let head = code.set_number(at, g, 0);
    let at = code.input(head, go);
    let ends = code.is(go, 0);
    let (after, at) = code.branch(at, ends);
    let at = code.call(at, f);
    code.back(at, head);
    let is_wrong = code.is(g, wrong);
    let after = code.fail_if(after, is_wrong);
    code.finish(after)
}

#[test]
fn what_called_loops_change_is_unknown_in_the_loops_around() {
    assert!(matches!(k_induction(&nested_by_call(4)), Verdict::Unsafe(_)));
    // 125 iterations exceed the bound of eight times eight: no verdict is allowed.
    assert!(matches!(k_induction(&nested_by_call(250)), Verdict::Unknown(Reason::Bound { .. })));
}

#[test]
fn what_loops_do_not_change_stays_known() {
    let mut code = Code::new();
    let (main, at) = code.function("main");
    let (n, i, go) = (code.local("n", main), code.local("i", main), code.local("go", main));
    let at = code.set_number(at, i, 7);
    let at = code.input(at, n);
    let small = code.less(n, i);
    let at = code.assume(at, small);
    let head = code.set_number(at, i, 0);
    let at = code.input(head, go);
    let ends = code.is(go, 0);
    let (after, at) = code.branch(at, ends);
    let is_wrong = code.is(n, 7);
    let at = code.fail_if(at, is_wrong);
    let at = code.add(at, i, 1);
    code.back(at, head);
    assert!(matches!(k_induction(&code.finish(after)), Verdict::Safe));
}

/// `f` increments the global `depth` and calls itself while `depth < n`, where `n` is an input below 6.
fn recursive(wrong: u128) -> Program {
    let mut code = Code::new();
    let (depth, n, six) = (code.global("depth"), code.global("n"), code.global("six"));
    let (f, at) = code.function("f");
    let at = code.add(at, depth, 1);
    let goes_on = code.less(depth, n);
    let (deeper, done) = code.branch(at, goes_on);
    let deeper = code.call(deeper, f);
    code.b.add_return(deeper, None, NOWHERE);
    code.b.add_return(done, None, NOWHERE);
    let (_, at) = code.function("main");
    let at = code.set_number(at, depth, 0);
    let at = code.set_number(at, six, 6);
    let at = code.input(at, n);
    let small = code.less(n, six);
    let at = code.assume(at, small);
    let at = code.call(at, f);
    let is_wrong = code.is(depth, wrong);
    let at = code.fail_if(at, is_wrong);
    code.finish(at)
}

#[test]
fn recursion_is_unrolled_like_a_loop() {
    for config in [config("bmc"), config("k-induction"), config("symbolic")] {
        let options = CheckOptions { config, ..CheckOptions::default() };
        assert!(matches!(verdict(&recursive(5), options.clone()), Verdict::Unsafe(_)));
        assert!(matches!(verdict(&recursive(6), options.clone()), Verdict::Safe));
        let shallow = CheckOptions { recursion: 3, ..options };
        let verdict = verdict(&recursive(6), shallow);
        assert!(matches!(verdict, Verdict::Unknown(Reason::Recursion { bound: 3, .. })), "{verdict:?}");
    }
}

/// An unsupported operation where the inputs are `first` and `second`.
fn unsupported(first: u128, second: u128) -> Program {
    let mut code = Code::new();
    let (main, at) = code.function("main");
    let x = code.local("x", main);
    let at = code.input(at, x);
    let is_first = code.is(x, first);
    let (at, other) = code.branch(at, is_first);
    let is_second = code.is(x, second);
    let (bad, good) = code.branch(at, is_second);
    let after = code.b.add_step(bad, Op::Unsupported("magic".into()), NOWHERE);
    code.b.add_return(after, None, NOWHERE);
    code.b.add_return(good, None, NOWHERE);
    code.finish(other)
}

#[test]
fn nothing_is_claimed_behind_what_is_unsupported() {
    assert!(matches!(bmc(&unsupported(1, 1), None), Verdict::Unknown(Reason::Unsupported { .. })));
    assert!(matches!(bmc(&unsupported(1, 2), None), Verdict::Safe));
    assert!(matches!(symbolic(&unsupported(1, 1)), Verdict::Unknown(Reason::Unsupported { .. })));
    assert!(matches!(symbolic(&unsupported(1, 2)), Verdict::Safe));
}

/// Two consecutive loops followed by the error: all paths to it form one formula.
#[test]
fn ways_that_meet_go_on_together() {
    let mut code = Code::new();
    let (main, mut at) = code.function("main");
    let (sum, go, round) = (code.local("sum", main), code.local("go", main), code.local("round", main));
    at = code.set_number(at, sum, 0);
    for _ in 0..12 {
        let head = code.set_number(at, round, 0);
        let ends = code.is(round, 4);
        let (after, body) = code.branch(head, ends);
        let body = code.input(body, go);
        let adds = code.is(go, 1);
        let (yes, no) = code.branch(body, adds);
        let yes = code.add(yes, sum, 3);
        let met = code.add(yes, round, 1);
        code.back(met, head);
        let met = code.add(no, round, 1);
        code.back(met, head);
        at = after;
    }
    let is_wrong = code.is(sum, 145);
    let at = code.fail_if(at, is_wrong);
    let program = code.finish(at);
    let monitor = Monitor::new(None);
    let options = CheckOptions { config: config("bmc"), ..CheckOptions::default() };
    assert!(matches!(check(&program, &options, &monitor), Verdict::Safe));
    // 2^48 paths, but only a few steps for each iteration.
    assert!(monitor.transfers.load(std::sync::atomic::Ordering::Relaxed) < 5000);
}

/// `x = a ^ b` for two inputs; one of two branches changes `x`, and `y` counts them. Fails if `x` or `y` is `wrong`.
fn mixed(wrong_x: u128, wrong_y: u128) -> Program {
    let mut code = Code::new();
    let (main, at) = code.function("main");
    let (a, b, x, y) = (code.local("a", main), code.local("b", main), code.local("x", main), code.local("y", main));
    let at = code.set_number(at, y, 0);
    let at = code.input(at, a);
    let at = code.input(at, b);
    let (first, second) = (code.b.read(a), code.b.read(b));
    let mix = code.b.pool.binary(BinaryOp::BitXor, first, second);
    let at = code.set(at, x, mix);
    let is_less = code.less(a, b);
    let (less, other) = code.branch(at, is_less);
    let (old, ones) = (code.b.read(x), code.number(1));
    let odd = code.b.pool.binary(BinaryOp::BitOr, old, ones);
    let less = code.set(less, x, odd);
    let less = code.add(less, y, 1);
    let even = code.number(0xfe);
    let even = code.b.pool.binary(BinaryOp::BitAnd, old, even);
    let met = code.set(other, x, even);
    code.b.add_edge(less, Op::Skip, met, NOWHERE);
    let is_x = code.is(x, wrong_x);
    let at = code.fail_if(met, is_x);
    let is_y = code.is(y, wrong_y);
    let at = code.fail_if(at, is_y);
    code.finish(at)
}

/// Values that depend on two inputs are exact where paths meet: each value is reached on one of them only.
#[test]
fn symbolic_execution_relates_inputs() {
    assert!(matches!(symbolic(&mixed(7, 9)), Verdict::Unsafe(_)));
    assert!(matches!(symbolic(&mixed(6, 9)), Verdict::Unsafe(_)));
    assert!(matches!(symbolic(&counting(6)), Verdict::Safe));
    assert!(matches!(symbolic(&counting(5)), Verdict::Unsafe(_)));
}

/// `a` and `b` are inputs, and `a < b` is assumed in two ways, with an assignment that depends on which one. Fails if
/// `same` decides whether `a == b`.
fn ordered(same: bool) -> Program {
    let mut code = Code::new();
    let (main, at) = code.function("main");
    let (a, b, x) = (code.local("a", main), code.local("b", main), code.local("x", main));
    let at = code.input(at, a);
    let at = code.input(at, b);
    let less = code.less(a, b);
    let (below, above) = code.branch(at, less);
    let value = code.b.read(a);
    let below = code.set(below, x, value);
    let value = code.b.read(b);
    let met = code.set(above, x, value);
    code.b.add_edge(below, Op::Skip, met, NOWHERE);
    // Now `x` is the smaller one.
    let wrong = match same {
        true => {
            let (x, b) = (code.b.read(x), code.b.read(b));
            code.b.pool.eq(x, b)
        }
        false => code.less(a, x),
    };
    let at = code.fail_if(met, wrong);
    code.finish(at)
}

#[test]
fn merged_values_depend_on_the_path() {
    assert!(matches!(symbolic(&ordered(false)), Verdict::Safe));
    assert!(matches!(symbolic(&ordered(true)), Verdict::Unsafe(_)));
}

/// A configuration of the table.
fn config(name: &str) -> Config {
    Config::named(name).expect("the table has this row")
}
