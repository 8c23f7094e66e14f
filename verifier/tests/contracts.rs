//! Contracts of recursive functions: what is proved holds in all runs, and what does not hold is never proved.

mod small;

use std::time::{Duration, Instant};

use clew_verifier::algorithm::summary::{Contracts, Observed, Part, Sample, infer, is_proved, observe};
use clew_verifier::cfa::{FuncId, LocId, Program};
use clew_verifier::expr::{BinaryOp, Expr, Node, Pool, Value};
use clew_verifier::facts::Facts;
use clew_verifier::monitor::Monitor;
use clew_verifier::tuning::Tuning;
use small::Random;

const PROGRAMS: u64 = 160;

/// Ends a run that hangs; all others end long before.
const HANG: Duration = Duration::from_secs(120);

/// The number of mutations that are checked for each program. Each takes a proof.
const MUTATIONS: usize = 6;

fn monitor(runs: u64) -> Monitor {
    let mut tuning = Tuning::default();
    tuning.summary.runs = runs;
    // Few clauses make short proofs.
    tuning.summary.max_clauses = 40;
    Monitor::new(Some(Instant::now() + HANG)).with_tuning(tuning)
}

/// A program with its proved contracts, and samples from more runs than they were guessed from.
struct Proved {
    contracts: Contracts,
    observed: Observed,
}

impl Proved {
    /// `None` if no function is recursive or has a contract with clauses.
    fn new(program: &Program) -> Option<Proved> {
        let monitor = monitor(20);
        let facts = Facts::new(program, &monitor.tuning);
        let errors: Vec<LocId> = program.error_locations().map(|(location, _)| location).collect();
        let (contracts, _) = infer(&facts, errors, &monitor).expect("it has enough time");
        let observed = observe(program, &contracts, &[0, 1, 2, 3, 5, 9], &self::monitor(200)).expect("it has time");
        let has_clauses = contracts.of.values().any(|contract| !contract.ensures.is_empty());
        has_clauses.then_some(Proved { contracts, observed })
    }

    fn samples(&self, function: FuncId, part: Part) -> &[Sample] {
        let samples = match part {
            Part::Requires => &self.observed.entered,
            Part::Ensures => &self.observed.returned,
        };
        samples.get(&function).map_or(&[], Vec::as_slice)
    }

    /// A sample that violates a clause.
    fn violation(&self, pool: &Pool, function: FuncId, part: Part, clause: Expr) -> Option<&Sample> {
        let interface = &self.contracts.of[&function].interface;
        self.samples(function, part).iter().find(|sample| sample.satisfies(interface, pool, clause) == Some(false))
    }

    /// All clauses with their functions and parts.
    fn clauses(&self) -> Vec<(FuncId, Part, Expr)> {
        let mut all = Vec::new();
        for (&function, contract) in &self.contracts.of {
            for part in [Part::Requires, Part::Ensures] {
                all.extend(contract.clauses(part).iter().map(|&clause| (function, part, clause)));
            }
        }
        all
    }
}

/// The clause with one constant, or one comparison, changed at random.
fn mutate(pool: &mut Pool, random: &mut Random, clause: Expr) -> Expr {
    let kept = random.one_in(3);
    match pool.node(clause) {
        Node::Const(Value::Bits { width, bits }) => {
            let by = if random.one_in(2) { 1 } else { u128::MAX };
            pool.bits(width, bits.wrapping_add(by))
        }
        Node::Unary(op, a) => {
            let a = mutate(pool, random, a);
            pool.unary(op, a)
        }
        Node::Binary(BinaryOp::SignedLessEq, a, b) if kept => pool.binary(BinaryOp::SignedLess, a, b),
        Node::Binary(BinaryOp::Or, a, b) if kept => pool.and(a, b),
        Node::Binary(op, a, b) => {
            if random.one_in(2) {
                let a = mutate(pool, random, a);
                pool.binary(op, a, b)
            } else {
                let b = mutate(pool, random, b);
                pool.binary(op, a, b)
            }
        }
        _ => clause,
    }
}

#[test]
fn proved_clauses_hold_in_all_runs() {
    let (mut programs, mut clauses) = (0, 0);
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let Some(proved) = Proved::new(&program) else { continue };
        programs += 1;
        for (function, part, clause) in proved.clauses() {
            clauses += 1;
            let violation = proved.violation(&proved.contracts.pool, function, part, clause);
            assert!(violation.is_none(), "seed {seed}, size {size}, {part:?} of {function:?}: {violation:?}");
        }
    }
    assert!(programs >= 10 && clauses >= 100, "only {clauses} clauses of {programs} programs were proved");
}

#[test]
fn wrong_contracts_are_rejected() {
    let (mut wrong, mut kept) = (0, 0);
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let Some(proved) = Proved::new(&program) else { continue };
        let mut random = Random::new(seed);
        let monitor = monitor(1);
        let facts = Facts::new(&program, &monitor.tuning);
        assert!(is_proved(&facts, &proved.contracts, &monitor).expect("it has time"), "seed {seed}, size {size}");
        let all = proved.clauses();
        for _ in 0..MUTATIONS {
            let (function, part, clause) = all[random.below(all.len())];
            let mut contracts = proved.contracts.clone();
            let mutant = mutate(&mut contracts.pool, &mut random, clause);
            let is_wrong = proved.violation(&contracts.pool, function, part, mutant).is_some();
            contracts.add(function, part, mutant);
            if is_wrong {
                wrong += 1;
                let is_proved = is_proved(&facts, &contracts, &monitor).expect("it has time");
                assert!(!is_proved, "seed {seed}, size {size}: a wrong {part:?} of {function:?} is proved");
            } else {
                kept += 1;
            }
        }
    }
    assert!(wrong >= 40, "only {wrong} mutants are wrong, {kept} are not");
}
