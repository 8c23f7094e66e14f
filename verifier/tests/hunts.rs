//! Hunts for errors on random small programs: what they find is there, and where they have been everywhere there is nothing.

mod small;

use std::time::{Duration, Instant};

use clew_verifier::algorithm::hunt::Hunted;
use clew_verifier::algorithm::{Confirmed, Explorer, Hunt, Hunter, Proofs, Settings, Survey, Witness};
use clew_verifier::arg::Order;
use clew_verifier::cfa::{LocId, Program, Step};
use clew_verifier::cpa::composite::{Apart, Pair};
use clew_verifier::cpa::control::control;
use clew_verifier::cpa::value::Values;
use clew_verifier::cpa::value::precision::ValuePrecision;
use clew_verifier::evidence::{Checker, PathCheck};
use clew_verifier::monitor::Monitor;
use small::oracle::{self, Bounds, Reachable};

const PROGRAMS: u64 = 300;

/// Most are done in no time; where values are unbounded, a hunt has no end.
const TIME: Duration = Duration::from_millis(500);

/// Runs, as the solver finds them. What shows one is where its path ends.
struct Runs<'a> {
    program: &'a Program,
    checker: Checker<'a>,
}

impl Witness for Runs<'_> {
    type Evidence = LocId;

    fn is_possible(&mut self, path: &[Step]) -> bool {
        self.checker.is_possible(path)
    }

    fn is_known(&mut self, path: &[Step]) -> bool {
        self.checker.is_known(path)
    }

    fn confirm(&mut self, path: &[Step]) -> Confirmed<LocId> {
        match self.checker.check(path) {
            PathCheck::Feasible(_) => Confirmed::Yes(path.last().expect("a path to an error").target(self.program)),
            PathCheck::Infeasible { .. } => Confirmed::No,
            PathCheck::Unknown(_) | PathCheck::ReplayFailed(_) => Confirmed::Perhaps,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Hunt(Proofs),
    Survey,
}

fn run(kind: Kind, program: &Program, order: Order) -> Hunted<LocId> {
    let monitor = Monitor::new(Some(Instant::now() + 2 * TIME));
    let cpa = Pair { first: control(program, 8), second: Values::new(program), exchange: Apart };
    let errors = program.error_locations().map(|(location, _)| location).collect();
    let explorer = Explorer::new(&cpa, Settings { order, errors, ..Settings::default() }, &monitor);
    let precision = (((), ()), ValuePrecision::full());
    let runs = Runs { program, checker: Checker::new(program, &monitor) };
    match kind {
        Kind::Hunt(proofs) => Hunt::new(explorer, precision, runs, proofs).run(TIME, &monitor),
        Kind::Survey => Survey::new(explorer, precision, runs).run(TIME, &monitor),
    }
}

/// How what came of a hunt contradicts what is reachable, if it does.
fn contradiction(reachable: &Reachable, hunted: &Hunted<LocId>) -> Option<String> {
    match hunted {
        Hunted::Safe if !reachable.errors.is_empty() => Some("safe, but an error is reachable".into()),
        Hunted::Safe if reachable.unsupported.is_some() => Some("safe, but something unsupported is reachable".into()),
        Hunted::Error(at) if reachable.missed.is_none() && !reachable.errors.contains_key(at) => {
            Some(format!("{at:?} is not reachable"))
        }
        _ => None,
    }
}

/// So many of a hundred programs have to be proved.
fn hunts_agree(kind: Kind, percent: u64) {
    let (mut safe, mut proved, mut found) = (0, 0, 0);
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let order = [Order::Alternating, Order::DepthFirst, Order::BreadthFirst][seed as usize % 3];
        let reachable = oracle::explore(&program, Bounds::default());
        let hunted = run(kind, &program, order);
        if let Some(why) = contradiction(&reachable, &hunted) {
            panic!("{kind:?}, seed {seed}, size {size}, {order:?}: {why}\n{}", small::show(&program));
        }
        safe += u64::from(reachable.missed.is_none() && reachable.errors.is_empty() && reachable.unsupported.is_none());
        proved += u64::from(matches!(hunted, Hunted::Safe));
        found += u64::from(matches!(hunted, Hunted::Error(_)));
    }
    eprintln!("{kind:?}: {proved} proofs of {safe} safe programs, {found} errors");
    assert!(proved * 100 >= safe * percent, "only {proved} of {safe} safe programs are proved");
    assert!(found > 0, "no errors are found");
}

#[test]
fn hunts_that_prove_by_paths() {
    hunts_agree(Kind::Hunt(Proofs::ByPaths), 50);
}

#[test]
fn hunts_that_prove_by_states() {
    hunts_agree(Kind::Hunt(Proofs::ByStates), 50);
}

#[test]
fn surveys() {
    hunts_agree(Kind::Survey, 50);
}
