//! Verdicts on random small programs agree with the exhaustive execution of these programs.

mod small;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use clew_verifier::cfa::interpreter::{Interpreter, Limits, Outcome, SeededInputs};
use clew_verifier::cfa::{LocId, LocationKind, Op, Program, Step};
use clew_verifier::monitor::{Monitor, Stop};
use clew_verifier::strategy::{
    Abstraction, Blocks, CheckOptions, Config, Order, PrecisionScope, Reason, Refinement, Report, Verdict, check,
    inspect,
};
use small::oracle::{self, Bounds, Reachable};

const PROGRAMS: u64 = 600;

/// Bounded analyses do not end where a loop has no bound: each such program costs the time limit.
const PROGRAMS_UP_TO_A_BOUND: u64 = 120;

/// A program that takes longer counts as not solved.
const TIME_LIMIT: Duration = Duration::from_secs(2);

/// Options with all orders, scopes and ways to go on after a refinement in turn.
fn options(config: Config, program: &Program, turn: u64) -> CheckOptions {
    let orders =
        [Order::ReversePostorder, Order::DepthFirst, Order::BreadthFirst, Order::LoopDepth, Order::Random(turn)];
    let scopes = [PrecisionScope::Location, PrecisionScope::Function, PrecisionScope::Global];
    let blocks = [Blocks::Loops, Blocks::Single, Blocks::LoopsAndFunctions, Blocks::Steps(3), Blocks::Large];
    let refinements = [Refinement::Lazy, Refinement::Restart];
    let kinds = program.error_locations().map(|(_, property)| property.kind.to_string());
    let one_kind = turn % 4 == 3;
    CheckOptions {
        config,
        order: Some(orders[turn as usize % 5]),
        scope: Some(scopes[turn as usize / 5 % 3]),
        refinement: refinements[turn as usize / 15 % 2],
        properties: kinds.take(usize::from(one_kind)).collect(),
        recursion: 8,
        blocks: blocks[turn as usize / 2 % 5],
        abstraction: if turn.is_multiple_of(7) { Abstraction::Cartesian } else { Abstraction::Boolean },
        value_threshold: [20, 1, 5][turn as usize % 3],
        ..CheckOptions::default()
    }
}

/// Checks the program, for a limited time.
fn check_in_time(program: &Program, options: &CheckOptions) -> Report {
    let monitor = Monitor::new(Some(Instant::now() + TIME_LIMIT));
    thread::scope(|scope| {
        let (ended, ends) = channel::<()>();
        let monitor = &monitor;
        scope.spawn(move || {
            if ends.recv_timeout(TIME_LIMIT) == Err(RecvTimeoutError::Timeout) {
                monitor.request_stop(Stop::Time);
            }
        });
        // Where states are shown, values do not go ahead of predicates.
        let is_combined = matches!(options.config, Config::ValuePredicate | Config::ValueFullPredicate);
        let report = match is_combined.then(|| inspect(program, options, monitor, |_| ())).flatten() {
            Some((verdict, ())) => Report { verdict },
            None => check(program, options, monitor),
        };
        drop(ended);
        report
    })
}

/// The error locations that count.
fn selected(program: &Program, options: &CheckOptions) -> BTreeSet<LocId> {
    let counts = |kind: &str| options.properties.is_empty() || options.properties.iter().any(|p| p == kind);
    program.error_locations().filter(|(_, property)| counts(&property.kind)).map(|(location, _)| location).collect()
}

/// Where a path ends; an error if its steps do not follow each other.
fn end_of_path(program: &Program, path: &[Step]) -> Result<LocId, String> {
    let (mut at, mut calls) = (program.function(program.start).entry, Vec::new());
    for (i, &step) in path.iter().enumerate() {
        let edge = program.edge(step.edge);
        if edge.from != at {
            return Err(format!("step {i} starts at {:?}, but control is at {at:?}", edge.from));
        }
        let expected = match edge.op {
            Op::Return(_) => calls.pop(),
            _ => None,
        };
        if step.call != expected {
            return Err(format!("step {i} returns from {:?} instead of {expected:?}", step.call));
        }
        if let Op::Call { .. } = edge.op {
            calls.push(step.edge);
        }
        at = step.target(program);
    }
    Ok(at)
}

/// How the verdict contradicts what is reachable, if it does.
fn contradiction(
    program: &Program,
    options: &CheckOptions,
    reachable: &Reachable,
    verdict: &Verdict,
) -> Option<String> {
    let selected = selected(program, options);
    let violated = reachable.errors.keys().find(|location| selected.contains(location));
    match verdict {
        Verdict::Safe => match (violated, &reachable.unsupported) {
            (Some(location), _) => Some(format!("SAFE, but {location:?} is reachable")),
            (None, Some(_)) => Some("SAFE, but something unsupported is reachable".into()),
            (None, None) => None,
        },
        Verdict::Unsafe(counterexample) => match end_of_path(program, &counterexample.path) {
            Err(why) => Some(format!("UNSAFE, but the path is none: {why}")),
            Ok(end) if !selected.contains(&end) => Some(format!("UNSAFE, but the path ends at {end:?}")),
            Ok(end) if reachable.missed.is_none() && !reachable.errors.contains_key(&end) => {
                Some(format!("UNSAFE, but {end:?} is not reachable"))
            }
            Ok(_) => None,
        },
        Verdict::Unknown(Reason::Replay { why, .. }) => Some(format!("a feasible path does not replay: {why}")),
        // Predicates may be beyond reach, values never are.
        Verdict::Unknown(Reason::NoProgress(_)) if matches!(options.config, Config::Value | Config::ValueFull) => {
            Some("a path that was refuted came up again".into())
        }
        Verdict::Unknown(_) => None,
    }
}

/// Everything about a program on which the verdict is wrong.
fn explain(seed: u64, size: usize, options: &CheckOptions, why: &str) -> String {
    let program = small::generate(seed, size);
    let mut text = format!("seed {seed}, size {size}: {why}\n{options:?}\n\n{}\n", small::show(&program));
    let reachable = oracle::explore(&program, Bounds::default());
    for (location, choices) in &reachable.errors {
        let LocationKind::Error(property) = &program.location(*location).kind else { continue };
        let _ = write!(text, "a run to {location:?}, {}:\n{}", property.kind, oracle::tell(&program, choices));
    }
    if let Some(choices) = &reachable.unsupported {
        let _ = write!(text, "a run to something unsupported:\n{}", oracle::tell(&program, choices));
    }
    text
}

/// What became of one program.
struct Judgement {
    /// How the verdict contradicts what is reachable.
    wrong: Option<String>,
    /// Does the oracle know the answer?
    is_decided: bool,
    verdict: &'static str,
}

fn judge(config: Config, seed: u64, size: usize) -> Judgement {
    let program = small::generate(seed, size);
    let options = options(config, &program, seed);
    let reachable = oracle::explore(&program, Bounds::default());
    let report = check_in_time(&program, &options);
    let wrong = contradiction(&program, &options, &reachable, &report.verdict);
    let verdict = match report.verdict {
        Verdict::Safe => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(Reason::Stopped(_)) => "stopped",
        Verdict::Unknown(Reason::Unsupported { .. }) => "unsupported",
        Verdict::Unknown(Reason::Recursion { .. }) => "recursion",
        Verdict::Unknown(Reason::NeedsPredicates(_)) => "needs predicates",
        Verdict::Unknown(Reason::NoProgress(_)) => "no progress",
        Verdict::Unknown(_) => "unknown",
    };
    Judgement { wrong, is_decided: reachable.missed.is_none() || !reachable.errors.is_empty(), verdict }
}

/// Tries so many programs. At least `percent` of those that the oracle decides have to be solved.
fn verdicts_agree(config: Config, count: u64, percent: usize) {
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    for (seed, size) in small::programs(count) {
        let judgement = judge(config, seed, size);
        if judgement.wrong.is_some() {
            // A smaller program of the same seed is easier to read, if it is wrong too.
            let smallest = (1..=size).find_map(|size| Some((size, judge(config, seed, size).wrong?)));
            let (size, why) = smallest.unwrap_or((size, "only sometimes wrong".into()));
            let options = options(config, &small::generate(seed, size), seed);
            panic!("{}", explain(seed, size, &options, &why));
        }
        if judgement.is_decided {
            *verdicts.entry(judgement.verdict).or_default() += 1;
        }
    }
    eprintln!("{config:?}: {verdicts:?}");
    let decided: usize = verdicts.values().sum();
    let solved: usize = ["safe", "unsafe"].iter().filter_map(|verdict| verdicts.get(verdict)).sum();
    assert!(solved * 100 >= decided * percent, "only {solved} of {decided} programs are solved: {verdicts:?}");
}

#[test]
fn verdicts_of_value_agree_with_exhaustive_execution() {
    verdicts_agree(Config::Value, PROGRAMS, 90);
}

#[test]
fn verdicts_of_value_full_agree_with_exhaustive_execution() {
    verdicts_agree(Config::ValueFull, PROGRAMS, 90);
}

#[test]
fn verdicts_of_bmc_agree_with_exhaustive_execution() {
    verdicts_agree(Config::Bmc, PROGRAMS_UP_TO_A_BOUND, 60);
}

#[test]
fn verdicts_of_k_induction_agree_with_exhaustive_execution() {
    verdicts_agree(Config::KInduction, PROGRAMS_UP_TO_A_BOUND, 65);
}

#[test]
fn verdicts_of_predicate_agree_with_exhaustive_execution() {
    verdicts_agree(Config::Predicate, PROGRAMS_UP_TO_A_BOUND, 70);
}

#[test]
fn verdicts_of_value_and_predicate_agree_with_exhaustive_execution() {
    verdicts_agree(Config::ValuePredicate, PROGRAMS_UP_TO_A_BOUND, 80);
}

#[test]
fn verdicts_of_value_full_and_predicate_agree_with_exhaustive_execution() {
    verdicts_agree(Config::ValueFullPredicate, PROGRAMS_UP_TO_A_BOUND, 80);
}

/// What random runs find, the oracle finds too; and it decides most programs, with either answer.
#[test]
fn the_oracle_finds_what_random_runs_find() {
    let (mut count, mut decided, mut unsafe_ones, mut unsupported) = (0, 0, 0, 0);
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let reachable = oracle::explore(&program, Bounds::default());
        count += 1;
        decided += usize::from(reachable.missed.is_none() || !reachable.errors.is_empty());
        unsafe_ones += usize::from(!reachable.errors.is_empty());
        unsupported += usize::from(reachable.unsupported.is_some());
        if reachable.missed.is_some() {
            continue;
        }
        let interpreter = Interpreter::new(&program);
        for run in 0..20 {
            let limits = Limits { steps: 1000, depth: 20 };
            let found = match interpreter.run(&mut SeededInputs::new(seed ^ run << 32), limits).outcome {
                Outcome::Error(location) => reachable.errors.contains_key(&location),
                Outcome::Unsupported { .. } => reachable.unsupported.is_some(),
                _ => true,
            };
            assert!(found, "seed {seed}, size {size}, run {run}\n{}", small::show(&program));
        }
    }
    eprintln!("{decided} of {count} decided, {unsafe_ones} unsafe, {unsupported} unsupported");
    assert!(decided * 100 >= count * 90, "only {decided} of {count} decided");
    assert!(unsafe_ones * 100 >= count * 20 && unsafe_ones * 100 <= count * 60, "{unsafe_ones} of {count} are unsafe");
    assert!(unsupported * 400 >= count, "only {unsupported} of {count} reach something unsupported");
}
