//! Loop invariants hold in every concrete run, and contain what octagons can say.

mod small;

use clew_verifier::algorithm::invariants::LoopInvariants;
use clew_verifier::cfa::{
    FuncId, Havoc, LocId, LocationKind, Op, Program, ProgramBuilder, Property, PropertyKind, Scope, SourceId,
};
use clew_verifier::expr::eval::{Env, evaluate};
use clew_verifier::expr::{BinaryOp, Expr, MemorySort, Node, Pool, Sort, UnaryOp, Value, Var};
use clew_verifier::facts::Facts;
use clew_verifier::interpreter::{Limits, SeededInputs};
use clew_verifier::monitor::Monitor;
use clew_verifier::numeric::{Boxes, NumericDomain, Octagon};
use clew_verifier::strategy::{CheckOptions, Config, InvariantDomain, Verdict, check};
use clew_verifier::tuning::Tuning;
use small::trace::{Snapshot, trace};

const PROGRAMS: u64 = 600;
const RUNS: u64 = 12;
const NOWHERE: SourceId = SourceId::NONE;

/// The variables of a snapshot.
struct Known<'s>(&'s Snapshot);

/// A variable has no value, or is not visible, or an operator has no value.
struct Unknown;

impl From<clew_verifier::expr::eval::Undefined> for Unknown {
    fn from(_: clew_verifier::expr::eval::Undefined) -> Unknown {
        Unknown
    }
}

impl Env for Known<'_> {
    type Stop = Unknown;

    fn var(&mut self, var: Var) -> Result<Value, Unknown> {
        self.0.values.iter().find(|(other, _)| *other == var).map(|&(_, value)| value).ok_or(Unknown)
    }

    fn read(&mut self, _: Var, _: MemorySort, _: u128, _: u16) -> Result<Value, Unknown> {
        Err(Unknown)
    }
}

fn invariants<D: NumericDomain>(program: &Program) -> LoopInvariants {
    let monitor = Monitor::new(None);
    LoopInvariants::new::<D>(&Facts::new(program, &monitor.tuning), &monitor).expect("nothing stops it")
}

/// Checks the invariants of random programs at all visits of loop heads in some runs. Returns the number of checks.
fn hold_in_runs<D: NumericDomain>() -> usize {
    let mut checks = 0;
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let invariants = invariants::<D>(&program);
        let mut pool = program.pool.clone();
        for run in 0..RUNS {
            let limits = Limits { steps: 1000, depth: 20 };
            let (moments, _) = trace(&program, &mut SeededInputs::new(seed ^ run << 32), limits);
            for moment in moments {
                let location = moment.after.location;
                if !program.location(location).loop_head {
                    continue;
                }
                for invariant in invariants.expressions(&program, &mut pool, location) {
                    let Ok(value) = evaluate(&pool, invariant, &mut Known(&moment.after)) else { continue };
                    assert!(
                        value.is_true(),
                        "seed {seed}, size {size}, run {run}: {:?} does not hold at {location:?} in {:?}\n{:?}\n{}",
                        pool.node(invariant),
                        moment.after.values,
                        invariants.constraints(location),
                        small::show(&program)
                    );
                    checks += 1;
                }
            }
        }
    }
    checks
}

#[test]
fn invariants_of_octagons_hold_in_runs() {
    let checks = hold_in_runs::<Octagon>();
    assert!(checks > 10_000, "only {checks} checks");
}

#[test]
fn invariants_of_intervals_hold_in_runs() {
    let checks = hold_in_runs::<Boxes>();
    assert!(checks > 10_000, "only {checks} checks");
}

/// A program of one function, statement by statement.
struct Code {
    b: ProgramBuilder,
    main: FuncId,
}

impl Code {
    fn new() -> (Code, LocId) {
        let mut b = ProgramBuilder::new(64);
        let main = b.add_function("main", "main", None, NOWHERE);
        let entry = b.function(main).entry;
        (Code { b, main }, entry)
    }

    fn var(&mut self, name: &str, width: u16) -> Var {
        self.b.add_temporary(name, Sort::Bits(width), Scope::Local(self.main))
    }

    fn input(&mut self, at: LocId, var: Var) -> LocId {
        self.b.add_step(at, Op::Havoc(var, Havoc::Input), NOWHERE)
    }

    fn set(&mut self, at: LocId, var: Var, value: Expr) -> LocId {
        self.b.add_step(at, Op::Assign(var, value), NOWHERE)
    }

    fn number(&mut self, width: u16, number: i128) -> Expr {
        self.b.pool.bits(width, number as u128)
    }

    fn plus(&mut self, var: Var, number: i128) -> Expr {
        let value = self.b.read(var);
        let width = self.b.pool.width(value);
        let number = self.number(width, number);
        self.b.pool.add(value, number)
    }

    fn binary(&mut self, op: BinaryOp, a: Var, b: Var) -> Expr {
        let (a, b) = (self.b.read(a), self.b.read(b));
        self.b.pool.binary(op, a, b)
    }

    fn assume(&mut self, at: LocId, condition: Expr, holds: bool) -> LocId {
        let condition = if holds { condition } else { self.b.pool.not(condition) };
        self.b.add_step(at, Op::Assume(condition), NOWHERE)
    }

    fn fail_if(&mut self, at: LocId, condition: Expr) -> LocId {
        let bad = self.assume(at, condition, true);
        let property = Property::new(PropertyKind::Assert, "claim", NOWHERE);
        let error = self.b.add_location(self.main, LocationKind::Error(property));
        self.b.add_edge(bad, Op::Skip, error, NOWHERE);
        self.assume(at, condition, false)
    }

    fn back(&mut self, at: LocId, head: LocId) {
        self.b.add_edge(at, Op::Skip, head, NOWHERE);
    }

    fn finish(mut self, at: LocId) -> Program {
        self.b.add_return(at, None, NOWHERE);
        self.b.finish(self.main)
    }
}

fn induction(program: &Program, invariants: InvariantDomain) -> Verdict {
    let config = Config::named("k-induction").expect("the table has this row");
    let options = CheckOptions { config, bound: Some(4), invariants, ..CheckOptions::default() };
    check(program, &options, &Monitor::new(None))
}

/// `n = input; x = 0; y = 0; while (x < n) { x++; if (input) y += step; }`, and a failure if `0 <= n < y`.
fn two_counters(less: BinaryOp, step: i128) -> Program {
    let (mut code, at) = Code::new();
    let [n, x, y, go] = ["n", "x", "y", "go"].map(|name| code.var(name, 32));
    let at = code.input(at, n);
    let zero = code.number(32, 0);
    let at = code.set(at, x, zero);
    let head = code.set(at, y, zero);
    let goes_on = code.binary(less, x, n);
    let body = code.assume(head, goes_on, true);
    let after = code.assume(head, goes_on, false);
    let next = code.plus(x, 1);
    let body = code.set(body, x, next);
    let body = code.input(body, go);
    let is_zero = code.b.read(go);
    let is_zero = code.b.pool.eq(is_zero, zero);
    let skipped = code.assume(body, is_zero, true);
    code.back(skipped, head);
    let body = code.assume(body, is_zero, false);
    let next = code.plus(y, step);
    let body = code.set(body, y, next);
    code.back(body, head);
    let n_value = code.b.read(n);
    let is_negative = code.b.pool.binary(less, n_value, zero);
    let after = code.assume(after, is_negative, false);
    let is_wrong = code.binary(less, n, y);
    let after = code.fail_if(after, is_wrong);
    code.finish(after)
}

/// Octagons prove what neither intervals nor induction alone can.
#[test]
fn octagons_prove_relations_of_counters() {
    for less in [BinaryOp::SignedLess, BinaryOp::UnsignedLess] {
        let program = two_counters(less, 1);
        assert!(matches!(induction(&program, InvariantDomain::Octagon), Verdict::Safe), "{less:?}");
        // Guessed invariants would prove it too.
        let mut tuning = Tuning::default();
        tuning.guess.after_bound = 1 << 20;
        for invariants in [InvariantDomain::None, InvariantDomain::Interval] {
            let config = Config::named("k-induction").expect("the table has this row");
            let options = CheckOptions { config, bound: Some(4), invariants, ..CheckOptions::default() };
            let verdict = check(&program, &options, &Monitor::new(None).with_tuning(tuning));
            assert!(matches!(verdict, Verdict::Unknown(_)), "{less:?}, {invariants:?}");
        }
        assert!(matches!(induction(&two_counters(less, 2), InvariantDomain::Octagon), Verdict::Unsafe(_)), "{less:?}");
    }
}

/// `x = 0; while (input) x += 1;`: a byte wraps around, so it takes every value; `fail if x == 200` is reachable.
#[test]
fn counters_that_wrap_around_take_every_value() {
    for sign in [BinaryOp::SignedLess, BinaryOp::UnsignedLess] {
        let (mut code, at) = Code::new();
        let (x, go) = (code.var("x", 8), code.var("go", 8));
        let zero = code.number(8, 0);
        let head = code.set(at, x, zero);
        let at = code.input(head, go);
        let ends = code.b.read(go);
        let ends = code.b.pool.eq(ends, zero);
        let after = code.assume(at, ends, true);
        let body = code.assume(at, ends, false);
        let next = code.plus(x, 1);
        let body = code.set(body, x, next);
        code.back(body, head);
        // The comparison decides how the bits are read.
        let (value, limit) = (code.b.read(x), code.number(8, 200));
        let below = code.b.pool.binary(sign, value, limit);
        let is_limit = code.b.pool.eq(value, limit);
        let either = code.b.pool.or(below, is_limit);
        let after = code.assume(after, either, true);
        let program = code.finish(after);
        let invariants = invariants::<Octagon>(&program);
        let mut pool = program.pool.clone();
        let found = invariants.expressions(&program, &mut pool, head_of(&program));
        assert!(found.is_empty(), "{found:?}");
    }
}

fn head_of(program: &Program) -> LocId {
    let mut locations = (0..program.locations.len() as u32).map(LocId);
    locations.find(|&location| program.location(location).loop_head).expect("there is a loop")
}

/// A condition that is stored in a variable, and tested later, tells as much as one that is tested at once.
#[test]
fn stored_conditions_restrict_their_operands() {
    let (mut code, at) = Code::new();
    let [n, i] = ["n", "i"].map(|name| code.var(name, 32));
    let flag = code.var("flag", 8);
    let at = code.input(at, n);
    let (zero, ten) = (code.number(32, 0), code.number(32, 10));
    let value = code.b.read(n);
    let is_small = code.b.pool.binary(BinaryOp::SignedLess, value, ten);
    let is_small = code.b.pool.bool_to_bits(is_small, 8);
    let at = code.set(at, flag, is_small);
    let (flag, none) = (code.b.read(flag), code.number(8, 0));
    let is_large = code.b.pool.eq(flag, none);
    let at = code.assume(at, is_large, false);
    let head = code.set(at, i, zero);
    let goes_on = code.binary(BinaryOp::SignedLess, i, n);
    let body = code.assume(head, goes_on, true);
    let after = code.assume(head, goes_on, false);
    let next = code.plus(i, 1);
    let body = code.set(body, i, next);
    code.back(body, head);
    let program = code.finish(after);
    let found = invariants::<Octagon>(&program);
    let constraints = found.constraints(head_of(&program)).expect("it is reached");
    let upper = |var: Var| {
        let is_upper = |form: &&clew_verifier::numeric::Linear| *form.parts == [(var, 1)];
        constraints.iter().find(is_upper).map(|form| -form.low)
    };
    assert_eq!((upper(n), upper(i)), (Some(9), Some(9)), "{constraints:?}");
}

/// Statements about numbers of different types are exact: they hold for bits if and only if they hold for the numbers.
#[test]
fn expressions_mean_what_constraints_say() {
    let (mut code, at) = Code::new();
    let (a, b) = (code.var("a", 8), code.var("b", 4));
    let zero = code.number(8, 0);
    let (at_a, none) = (code.set(at, a, zero), code.number(4, 0));
    let head = code.set(at_a, b, none);
    // b < 12 (unsigned), a = -b - 3
    let (value, twelve) = (code.b.read(b), code.number(4, 12));
    let goes_on = code.b.pool.binary(BinaryOp::UnsignedLess, value, twelve);
    let body = code.assume(head, goes_on, true);
    let after = code.assume(head, goes_on, false);
    let next = code.plus(b, 1);
    let body = code.set(body, b, next);
    let (value, three) = (code.b.read(b), code.number(8, 3));
    let wide = code.b.pool.zero_extend(value, 8);
    let negated = code.b.pool.unary(UnaryOp::Neg, wide);
    let difference = code.b.pool.binary(BinaryOp::Sub, negated, three);
    let body = code.set(body, a, difference);
    let (value, limit) = (code.b.read(a), code.number(8, 100));
    let is_low = code.b.pool.binary(BinaryOp::SignedLess, value, limit);
    let body = code.assume(body, is_low, true);
    code.back(body, head);
    let after = code.assume(after, is_low, true);
    let program = code.finish(after);
    let invariants = invariants::<Octagon>(&program);
    let head = head_of(&program);
    let constraints = invariants.constraints(head).expect("it is reached").to_vec();
    assert!(constraints.iter().any(|form| form.parts.len() == 2), "{constraints:?}");
    let mut pool: Pool = program.pool.clone();
    let statements = invariants.expressions(&program, &mut pool, head);
    for (x, y) in (0..256_u128).flat_map(|x| (0..16_u128).map(move |y| (x, y))) {
        let snapshot = Snapshot {
            location: head,
            depth: 1,
            values: vec![(a, Value::bits(8, x)), (b, Value::bits(4, y))],
            bytes: Vec::new(),
            copies: Vec::new(),
        };
        let number = |var: Var| if var == a { (x as u8 as i8).into() } else { y as i128 };
        let by_numbers = constraints.iter().all(|form| form.evaluate(number) <= 0);
        let by_bits = statements.iter().all(|&statement| {
            evaluate(&pool, statement, &mut Known(&snapshot)).ok().expect("both have values").is_true()
        });
        assert_eq!(by_numbers, by_bits, "a = {x}, b = {y}: {constraints:?}");
    }
    assert!(statements.iter().all(|&statement| !matches!(pool.node(statement), Node::Const(_))));
}
