//! Predicate analysis if the solver cannot decide an abstract error path: the verdict is UNKNOWN with that reason.

mod hard;

use std::time::{Duration, Instant};

use clew_verifier::cfa::{Havoc, LocationKind, Op, Program, ProgramBuilder, Property, PropertyKind, Scope, SourceId};
use clew_verifier::expr::Sort;
use clew_verifier::monitor::Monitor;
use clew_verifier::strategy::{Abstraction, Blocks, CheckOptions, Config, Reason, Verdict, check};
use hard::{PRIME, SEMIPRIME, factors};

/// The time limit for all solver queries.
const TIME: Duration = Duration::from_millis(50);

/// An error if two inputs are factors of a number.
fn program(number: u128) -> Program {
    const NOWHERE: SourceId = SourceId::NONE;
    let mut b = ProgramBuilder::new(64);
    let main = b.add_function("main", "main", None, NOWHERE);
    let property = Property::new(PropertyKind::Assert, "it has factors", NOWHERE);
    let error = b.add_location(main, LocationKind::Error(property));
    let factor = |b: &mut ProgramBuilder, name| b.add_temporary(name, Sort::Bits(64), Scope::Local(main));
    let (x, y) = (factor(&mut b, "x"), factor(&mut b, "y"));
    let (read_x, read_y) = (b.read(x), b.read(y));
    let conditions = factors(&mut b.pool, read_x, read_y, number);
    let mut at = b.function(main).entry;
    for input in [x, y] {
        at = b.add_step(at, Op::Havoc(input, Havoc::Input), NOWHERE);
    }
    for condition in conditions {
        let no = b.pool.not(condition);
        let other = b.add_step(at, Op::Assume(no), NOWHERE);
        b.add_return(other, None, NOWHERE);
        at = b.add_step(at, Op::Assume(condition), NOWHERE);
    }
    b.add_edge(at, Op::Skip, error, NOWHERE);
    b.finish(main)
}

/// The verdict with little solver time. The run is not cancelled: only the solver times out.
fn verdict(program: &Program, blocks: Blocks, abstraction: Abstraction) -> Verdict {
    let options = CheckOptions { config: config("predicate"), blocks, abstraction, ..CheckOptions::default() };
    check(program, &options, &Monitor::new(Some(Instant::now() + TIME)))
}

fn check_undecided(number: u128, blocks: &[Blocks], abstraction: Abstraction) {
    let program = program(number);
    let (error, _) = program.error_locations().next().expect("there is an error");
    for &blocks in blocks {
        match verdict(&program, blocks, abstraction) {
            Verdict::Unknown(Reason::Solver { why, path }) => {
                assert!(!why.is_empty());
                assert_eq!(path.last().map(|step| program.edge(step.edge).to), Some(error));
            }
            other => panic!("{blocks:?}: {other:?}"),
        }
    }
}

/// The error is reachable: SAFE would be wrong.
#[test]
fn a_feasible_path_that_the_solver_cannot_decide() {
    check_undecided(SEMIPRIME, &[Blocks::Single, Blocks::Loops], Abstraction::Boolean);
}

#[test]
fn the_same_with_each_predicate_for_itself() {
    check_undecided(SEMIPRIME, &[Blocks::Steps(4)], Abstraction::Cartesian);
}

/// The error is unreachable, but the solver cannot prove it.
#[test]
fn an_infeasible_path_that_the_solver_cannot_decide() {
    check_undecided(PRIME, &[Blocks::Large], Abstraction::Boolean);
}

/// A configuration of the table.
fn config(name: &str) -> Config {
    Config::named(name).expect("the table has this row")
}
