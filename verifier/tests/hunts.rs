//! Hunts for errors on random small programs: errors found are reachable, and exhausted searches missed none.

mod small;

use std::time::{Duration, Instant};

use clew_verifier::algorithm::{Explorer, Hunt, Hunted, Hunter, Proofs, Settings, Survey};
use clew_verifier::arg::Order;
use clew_verifier::cfa::Program;
use clew_verifier::cpa::control::Controlled;
use clew_verifier::cpa::value::Values;
use clew_verifier::cpa::value::precision::ValuePrecision;
use clew_verifier::evidence::Checker;
use clew_verifier::facts::Facts;
use clew_verifier::monitor::Monitor;
use small::oracle::{self, Bounds, Reachable};

const PROGRAMS: u64 = 300;

/// Most are done with little work; where values are unbounded, a hunt has no end.
const WORK_LIMIT: u64 = 10_000;

/// Ends a hunt that hangs; all others end long before.
const HANG: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug)]
enum Kind {
    Hunt(Proofs),
    Survey,
}

fn run(kind: Kind, program: &Program, order: Order) -> Hunted {
    let monitor = Monitor::new(Some(Instant::now() + HANG)).with_work_limit(WORK_LIMIT);
    let cpa = Controlled::new(program, 8, Values::new(&Facts::new(program, &Default::default())));
    let errors = program.error_locations().map(|(location, _)| location).collect();
    let explorer = Explorer::new(
        &cpa,
        Settings { order, errors, ..Settings::default() },
        &Facts::new(program, &Default::default()),
        &monitor,
    );
    let precision = ValuePrecision::full();
    let checker = Checker::new(program, &monitor);
    match kind {
        Kind::Hunt(proofs) => Hunt::new(explorer, precision, checker, proofs).run(HANG, &monitor),
        Kind::Survey => Survey::new(explorer, precision, checker).run(HANG, &monitor),
    }
}

/// How the result of a hunt contradicts the reachable locations, if it does.
fn contradiction(reachable: &Reachable, hunted: &Hunted) -> Option<String> {
    match hunted {
        Hunted::Safe if !reachable.errors.is_empty() => Some("safe, but an error is reachable".into()),
        Hunted::Safe if reachable.unsupported.is_some() => Some("safe, but something unsupported is reachable".into()),
        Hunted::Error(found)
            if reachable.missed.is_none() && !reachable.errors.contains_key(&found.violation.location) =>
        {
            Some(format!("{:?} is not reachable", found.violation.location))
        }
        _ => None,
    }
}

/// At least `percent` of the programs must be proved.
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
