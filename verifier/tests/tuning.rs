//! Tuned values reach the parts of the search that they steer.

use std::sync::atomic::Ordering::Relaxed;

use clew_verifier::cfa::{LocationKind, Op, Program, ProgramBuilder, Property, PropertyKind, Scope, SourceId};
use clew_verifier::expr::{BinaryOp, Sort};
use clew_verifier::facts::Facts;
use clew_verifier::monitor::Monitor;
use clew_verifier::strategy::{CheckOptions, Config, Verdict, check};
use clew_verifier::tuning::Tuning;

const NOWHERE: SourceId = SourceId::NONE;

fn tuned(settings: &[(&str, &str)]) -> Tuning {
    let mut tuning = Tuning::default();
    settings.iter().for_each(|(name, value)| tuning.set(name, value).expect("it is allowed"));
    tuning
}

/// Checks a safe program, and gives the counters.
fn run(program: &Program, config: &str, settings: &[(&str, &str)]) -> Monitor {
    let monitor = Monitor::new(None).with_tuning(tuned(settings));
    let options = CheckOptions { config: Config::named(config).expect("it exists"), ..CheckOptions::default() };
    assert!(matches!(check(program, &options, &monitor), Verdict::Safe), "{config}, {settings:?}");
    monitor
}

/// `for (i = 0; i < 20; i = i + 1); assert(i == 20);` Without an error ahead, nothing would be unrolled.
fn loop_of_twenty() -> Program {
    let mut b = ProgramBuilder::new(64);
    let main = b.add_function("main", "main", None, NOWHERE);
    let i = b.add_temporary("i", Sort::Bits(8), Scope::Local(main));
    let (zero, one, twenty) = (b.pool.bits(8, 0), b.pool.bits(8, 1), b.pool.bits(8, 20));
    let entry = b.function(main).entry;
    let head = b.add_step(entry, Op::Assign(i, zero), NOWHERE);
    let value = b.read(i);
    let goes_on = b.pool.binary(BinaryOp::UnsignedLess, value, twenty);
    let ends = b.pool.not(goes_on);
    let body = b.add_step(head, Op::Assume(goes_on), NOWHERE);
    let after = b.add_step(head, Op::Assume(ends), NOWHERE);
    let next = b.pool.add(value, one);
    b.add_edge(body, Op::Assign(i, next), head, NOWHERE);
    let is_twenty = b.pool.eq(value, twenty);
    let fails = b.pool.not(is_twenty);
    let property = Property::new(PropertyKind::Assert, "claim", NOWHERE);
    let error = b.add_location(main, LocationKind::Error(property));
    b.add_edge(after, Op::Assume(fails), error, NOWHERE);
    let end = b.add_step(after, Op::Assume(is_twenty), NOWHERE);
    b.add_return(end, None, NOWHERE);
    b.finish(main)
}

/// A state is kept at least after each trail of the longest length.
#[test]
fn exploration_is_tuned() {
    let program = loop_of_twenty();
    let states = |settings: &[_]| run(&program, "value-full", settings).states.load(Relaxed);
    let (few, many) = (states(&[]), states(&[("explore.max_trail", "1")]));
    assert!(few >= 20 && many >= few + 20, "{few} and {many} states");
}

/// Iterations without a choice do not count, unless there are too many of them.
#[test]
fn bounds_are_tuned() {
    let program = loop_of_twenty();
    let bound = |settings: &[_]| run(&program, "bmc", settings).bound.load(Relaxed);
    assert_eq!((bound(&[]), bound(&[("bmc.free_iterations", "1")])), (1, 32));
}

/// Work is measured in transfers and queries.
#[test]
fn the_measure_of_work_is_tuned() {
    let work = |settings: &[_]| {
        let monitor = Monitor::new(None).with_tuning(tuned(settings));
        monitor.solver_calls.store(3, Relaxed);
        monitor.work()
    };
    assert_eq!((work(&[]), work(&[("explore.query_cost", "5")])), (48, 15));
}

/// `if (x == y);` compares a sum of two variables.
#[test]
fn facts_are_tuned() {
    let mut b = ProgramBuilder::new(64);
    let main = b.add_function("main", "main", None, NOWHERE);
    let vars = ["x", "y"].map(|name| b.add_temporary(name, Sort::Bits(8), Scope::Local(main)));
    let [x, y] = vars.map(|var| b.read(var));
    let equal = b.pool.eq(x, y);
    let entry = b.function(main).entry;
    let after = b.add_step(entry, Op::Assume(equal), NOWHERE);
    b.add_return(after, None, NOWHERE);
    let program = b.finish(main);
    let sums = |settings: &[_]| Facts::new(&program, &tuned(settings)).sums().len();
    assert_eq!((sums(&[]), sums(&[("sums.max_parts", "1")])), (1, 0));
}
