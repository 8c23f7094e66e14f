//! Contracts of recursive functions: what is proved holds in all runs, and what does not hold is never proved.

mod small;

use std::time::{Duration, Instant};

use clew_verifier::algorithm::summary::{Contracts, Observed, Part, Sample, infer, is_proved, observe};
use clew_verifier::cfa::{FuncId, LocId, Program};
use clew_verifier::expr::{BinaryOp, Expr, Node, Pool, Value};
use clew_verifier::facts::Facts;
use clew_verifier::interpreter::{Given, GivenInputs, Interpreter, Limits, RunEnd, ZeroInputs};
use clew_verifier::monitor::Monitor;
use clew_verifier::strategy::{CheckOptions, Config, Verdict, check};
use clew_verifier::tuning::Tuning;
use small::Random;
use small::recursion::recursive_program;

const PROGRAMS: u64 = 60;

/// Ends a run that hangs; all others end long before.
const HANG: Duration = Duration::from_secs(300);

/// The number of mutations that are checked for each program. Each takes a proof.
const MUTATIONS: usize = 6;

/// Numbers have four bits.
const NUMBERS: i128 = 16;

fn monitor(runs: u64) -> Monitor {
    let mut tuning = Tuning::default();
    tuning.summary.runs = runs;
    // Few clauses make short proofs.
    tuning.summary.max_clauses = 40;
    Monitor::new(Some(Instant::now() + HANG)).with_tuning(tuning)
}

/// The greatest result for any inputs.
fn greatest_result(seed: u64) -> u128 {
    let program = recursive_program(seed, NUMBERS as u128 - 1);
    let interpreter = Interpreter::new(&program);
    let mut greatest = 0;
    for (x, y) in (0..NUMBERS).flat_map(|x| (0..NUMBERS).map(move |y| (x, y))) {
        let mut inputs = GivenInputs::new([x, y].map(Given::Integer), ZeroInputs);
        match interpreter.run(&mut inputs, Limits::default()).end {
            RunEnd::Returned(Some(value)) => greatest = greatest.max(value.raw()),
            end => panic!("seed {seed} ends with {end:?}"),
        }
    }
    greatest
}

/// A program with its proved contracts, and samples from more runs than they were guessed from.
struct Proved {
    program: Program,
    contracts: Contracts,
    observed: Observed,
}

impl Proved {
    /// The claim of the program fails, so that all stages are tried.
    fn new(seed: u64) -> Option<Proved> {
        let program = recursive_program(seed, greatest_result(seed).checked_sub(1)?);
        let monitor = monitor(20);
        let facts = Facts::new(&program, &monitor.tuning);
        let errors: Vec<LocId> = program.error_locations().map(|(location, _)| location).collect();
        let (contracts, is_safe) = infer(&facts, errors, &monitor).expect("it has enough time");
        assert!(!is_safe, "seed {seed}: the claim fails, but is proved");
        let observed =
            observe(&program, &contracts, &[0, 1, 2, 3, 5, 9, 15], &self::monitor(200)).expect("it has time");
        Some(Proved { program, contracts, observed })
    }

    /// A sample that violates a clause.
    fn violation(&self, pool: &Pool, function: FuncId, part: Part, clause: Expr) -> Option<&Sample> {
        let interface = &self.contracts.of[&function].interface;
        let samples = match part {
            Part::Requires => &self.observed.entered,
            Part::Ensures => &self.observed.returned,
        };
        let mut samples = samples.get(&function).into_iter().flatten();
        samples.find(|sample| sample.satisfies(interface, pool, clause) == Some(false))
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

/// The clause with one constant, or one operator, changed at random.
fn mutate(pool: &mut Pool, random: &mut Random, clause: Expr) -> Expr {
    let changes_operator = random.one_in(3);
    match pool.node(clause) {
        Node::Const(Value::Bits { width, bits }) => {
            let by = if random.coin() { 1 } else { u128::MAX };
            pool.bits(width, bits.wrapping_add(by))
        }
        Node::Unary(op, a) => {
            let a = mutate(pool, random, a);
            pool.unary(op, a)
        }
        Node::Binary(BinaryOp::SignedLessEq, a, b) if changes_operator => pool.binary(BinaryOp::SignedLess, a, b),
        Node::Binary(BinaryOp::Or, a, b) if changes_operator => pool.and(a, b),
        Node::Binary(op, a, b) if random.coin() => {
            let a = mutate(pool, random, a);
            pool.binary(op, a, b)
        }
        Node::Binary(op, a, b) => {
            let b = mutate(pool, random, b);
            pool.binary(op, a, b)
        }
        _ => clause,
    }
}

#[test]
fn proved_clauses_hold_in_all_runs() {
    let mut clauses = 0;
    for seed in 0..PROGRAMS {
        let Some(proved) = Proved::new(seed) else { continue };
        for (function, part, clause) in proved.clauses() {
            clauses += 1;
            let violation = proved.violation(&proved.contracts.pool, function, part, clause);
            assert!(violation.is_none(), "seed {seed}, {part:?} of {function:?}: {violation:?}");
        }
    }
    assert!(clauses >= 100, "only {clauses} clauses were proved");
}

#[test]
fn wrong_contracts_are_rejected() {
    let (mut wrong, mut others) = (0, 0);
    for seed in 0..PROGRAMS {
        let Some(proved) = Proved::new(seed) else { continue };
        let (mut random, monitor) = (Random::new(seed), monitor(1));
        let facts = Facts::new(&proved.program, &monitor.tuning);
        assert!(is_proved(&facts, &proved.contracts, &monitor).expect("it has time"), "seed {seed}");
        let all = proved.clauses();
        for _ in 0..if all.is_empty() { 0 } else { MUTATIONS } {
            let (function, part, clause) = all[random.below(all.len())];
            let mut contracts = proved.contracts.clone();
            let mutant = mutate(&mut contracts.pool, &mut random, clause);
            if proved.violation(&contracts.pool, function, part, mutant).is_none() {
                others += 1;
                continue;
            }
            wrong += 1;
            contracts.add(function, part, mutant);
            let is_proved = is_proved(&facts, &contracts, &monitor).expect("it has time");
            assert!(!is_proved, "seed {seed}: a wrong {part:?} of {function:?} is proved");
        }
    }
    assert!(wrong >= 40, "only {wrong} mutants are wrong, {others} are not");
}

/// Claims that hold are often proved; claims that fail never are.
#[test]
fn verdicts_agree_with_all_runs() {
    let mut proved = 0;
    for seed in 0..PROGRAMS {
        let greatest = greatest_result(seed);
        for config in ["summaries", "auto"] {
            let config = Config::named(config).expect("the table has this row");
            let options = CheckOptions { config, ..CheckOptions::default() };
            let limited = || monitor(20).with_work_limit(3_000).with_budget(Some(Duration::from_secs(2)));
            match check(&recursive_program(seed, greatest), &options, &limited()) {
                Verdict::Safe => proved += usize::from(config.name() == "summaries"),
                Verdict::Unsafe(_) => panic!("seed {seed}, {config:?}: the claim holds"),
                Verdict::Unknown(_) => {}
            }
            if let Some(less) = greatest.checked_sub(1) {
                let verdict = check(&recursive_program(seed, less), &options, &limited());
                assert!(!matches!(verdict, Verdict::Safe), "seed {seed}, {config:?}: the claim fails");
            }
        }
    }
    assert!(proved * 4 >= PROGRAMS as usize, "only {proved} of {PROGRAMS} programs are proved");
}
