//! Verdicts on random small programs agree with exhaustive execution.

mod small;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::{Duration, Instant};

use clew_verifier::cfa::{LocId, LocationKind, Op, Program, PropertySet, Step};
use clew_verifier::interpreter::{Interpreter, Limits, RunEnd, SeededInputs};
use clew_verifier::monitor::Monitor;
use clew_verifier::strategy::{
    Abstraction, Blocks, CheckOptions, Config, Order, PrecisionScope, Reason, Refinement, Verdict, check, inspect,
};
use small::oracle::{self, Bounds, Reachable};

const PROGRAMS: u64 = 400;

/// For analyses that ask the solver much.
const FEW_PROGRAMS: u64 = 120;

/// Where bounded analyses give up: with each bound a transfer takes longer, so that their work says little.
const LARGEST_BOUND: u32 = 6;

/// A program that takes more work, in transfers, counts as not solved. Time would decide otherwise on a busy machine.
const WORK_LIMIT: u64 = 6_000;

/// Ends a run that hangs; all others end long before.
const HANG: Duration = Duration::from_secs(60);

/// What `auto` divides among its analyses. The first of them solves nearly all programs within a hundredth of its share.
const AUTO_BUDGET: Duration = Duration::from_secs(2);

/// How a configuration is run.
#[derive(Clone, Copy, Debug)]
enum Mode {
    /// As `clew check` does.
    Check,
    /// Every state is kept, as `clew show` does. Then values do not go ahead of predicates.
    KeepStates,
}

/// Options that cycle through all orders, scopes and restart strategies.
fn options(config: Config, program: &Program, turn: u64) -> CheckOptions {
    let orders =
        [Order::ReversePostorder, Order::DepthFirst, Order::BreadthFirst, Order::LoopDepth, Order::Random(turn)];
    let scopes = [PrecisionScope::Location, PrecisionScope::Function, PrecisionScope::Global];
    let blocks = [Blocks::Loops, Blocks::Single, Blocks::LoopsAndFunctions, Blocks::Steps(3), Blocks::Large];
    let refinements = [Refinement::Lazy, Refinement::Restart];
    let kinds = program.error_locations().map(|(_, property)| property.kind);
    let one_kind = turn % 4 == 3;
    CheckOptions {
        config,
        order: Some(orders[turn as usize % 5]),
        scope: Some(scopes[turn as usize / 5 % 3]),
        refinement: refinements[turn as usize / 15 % 2],
        properties: if one_kind { kinds.take(1).collect() } else { PropertySet::ALL },
        recursion: 8,
        blocks: blocks[turn as usize / 2 % 5],
        abstraction: if turn.is_multiple_of(7) { Abstraction::Cartesian } else { Abstraction::Boolean },
        value_threshold: [20, 1, 5][turn as usize % 3],
        bound: ["bmc", "k-induction"].contains(&config.name()).then_some(LARGEST_BOUND),
        ..CheckOptions::default()
    }
}

/// Runs the configuration until it has done all the work that is allowed.
fn run(program: &Program, options: &CheckOptions, mode: Mode) -> Verdict {
    let mut monitor = Monitor::new(Some(Instant::now() + HANG)).with_work_limit(WORK_LIMIT);
    if options.config.name() == "auto" {
        monitor = monitor.with_budget(Some(AUTO_BUDGET));
    }
    match mode {
        Mode::Check => check(program, options, &monitor),
        Mode::KeepStates => inspect(program, options, &monitor, |_| ()).expect("it keeps states").0,
    }
}

/// The relevant error locations.
fn selected(program: &Program, options: &CheckOptions) -> BTreeSet<LocId> {
    let counts = |kind| options.properties.contains(kind);
    program.error_locations().filter(|(_, property)| counts(property.kind)).map(|(location, _)| location).collect()
}

/// The last location of a path; an error if its steps are not connected.
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

/// How the verdict contradicts the reachable locations, if it does.
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
        // Predicates may fail to make progress, but values must not.
        Verdict::Unknown(Reason::NoProgress(_)) if ["value", "value-full"].contains(&options.config.name()) => {
            Some("a path that was refuted came up again".into())
        }
        Verdict::Unknown(_) => None,
    }
}

/// A full description of a program with a wrong verdict.
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

/// The result for one program.
struct Judgement {
    /// How the verdict contradicts the reachable locations.
    wrong: Option<String>,
    /// Whether the oracle knows the answer.
    is_decided: bool,
    verdict: &'static str,
}

fn judge(config: Config, mode: Mode, seed: u64, size: usize) -> Judgement {
    let program = small::generate(seed, size);
    let options = options(config, &program, seed);
    let reachable = oracle::explore(&program, Bounds::default());
    let verdict = run(&program, &options, mode);
    let wrong = contradiction(&program, &options, &reachable, &verdict);
    let verdict = match verdict {
        Verdict::Safe => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(Reason::Stopped(_)) => "stopped",
        Verdict::Unknown(Reason::Unsupported { .. }) => "unsupported",
        Verdict::Unknown(Reason::Recursion { .. }) => "recursion",
        Verdict::Unknown(Reason::Bound { .. }) => "bound",
        Verdict::Unknown(Reason::NeedsPredicates(_)) => "needs predicates",
        Verdict::Unknown(Reason::NoProgress(_)) => "no progress",
        Verdict::Unknown(_) => "unknown",
    };
    Judgement { wrong, is_decided: reachable.missed.is_none() || !reachable.errors.is_empty(), verdict }
}

/// Tries so many programs. At least `percent` of those that the oracle decides have to be solved.
fn verdicts_agree(config: Config, mode: Mode, count: u64, percent: usize) {
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    for (seed, size) in small::programs(count) {
        let judgement = judge(config, mode, seed, size);
        if judgement.wrong.is_some() {
            // A smaller program of the same seed is easier to read, if it is wrong too.
            let smallest = (1..=size).find_map(|size| Some((size, judge(config, mode, seed, size).wrong?)));
            let (size, why) = smallest.unwrap_or((size, "only sometimes wrong".into()));
            let options = options(config, &small::generate(seed, size), seed);
            panic!("{mode:?}, {}", explain(seed, size, &options, &why));
        }
        if judgement.is_decided {
            *verdicts.entry(judgement.verdict).or_default() += 1;
        }
    }
    eprintln!("{config:?}, {mode:?}: {verdicts:?}");
    let decided: usize = verdicts.values().sum();
    let solved: usize = ["safe", "unsafe"].iter().filter_map(|verdict| verdicts.get(verdict)).sum();
    assert!(solved * 100 >= decided * percent, "only {solved} of {decided} programs are solved: {verdicts:?}");
}

#[test]
fn verdicts_of_value_agree_with_exhaustive_execution() {
    verdicts_agree(config("value"), Mode::Check, PROGRAMS, 90);
}

#[test]
fn verdicts_of_value_full_agree_with_exhaustive_execution() {
    verdicts_agree(config("value-full"), Mode::Check, PROGRAMS, 90);
}

#[test]
fn verdicts_of_intervals_agree_with_exhaustive_execution() {
    verdicts_agree(config("interval"), Mode::Check, PROGRAMS, 30);
}

#[test]
fn verdicts_of_auto_agree_with_exhaustive_execution() {
    verdicts_agree(config("auto"), Mode::Check, PROGRAMS, 90);
}

#[test]
fn verdicts_of_bmc_agree_with_exhaustive_execution() {
    verdicts_agree(config("bmc"), Mode::Check, PROGRAMS, 60);
}

/// It follows loops without a bound for ever, so that it solves fewer programs.
#[test]
fn verdicts_of_symbolic_agree_with_exhaustive_execution() {
    verdicts_agree(config("symbolic"), Mode::Check, FEW_PROGRAMS, 40);
}

#[test]
fn verdicts_of_k_induction_agree_with_exhaustive_execution() {
    verdicts_agree(config("k-induction"), Mode::Check, PROGRAMS, 65);
}

/// It finds no errors, so that it can solve only safe programs.
#[test]
fn verdicts_of_summaries_agree_with_exhaustive_execution() {
    verdicts_agree(config("summaries"), Mode::Check, PROGRAMS, 20);
}

/// It proves nothing.
#[test]
fn verdicts_of_runs_agree_with_exhaustive_execution() {
    verdicts_agree(config("runs"), Mode::Check, PROGRAMS, 10);
}

/// It finds no errors either, and leaves alone what does not read memory after simplification.
#[test]
fn verdicts_of_cells_agree_with_exhaustive_execution() {
    verdicts_agree(config("cells"), Mode::Check, PROGRAMS, 2);
}

#[test]
fn verdicts_of_predicate_agree_with_exhaustive_execution() {
    verdicts_agree(config("predicate"), Mode::Check, FEW_PROGRAMS, 70);
}

#[test]
fn verdicts_of_value_and_predicate_agree_with_exhaustive_execution() {
    verdicts_agree(config("value+predicate"), Mode::Check, PROGRAMS, 90);
}

#[test]
fn verdicts_of_value_full_and_predicate_agree_with_exhaustive_execution() {
    verdicts_agree(config("value-full+predicate"), Mode::Check, PROGRAMS, 90);
}

#[test]
fn verdicts_of_value_and_predicate_in_lock_step_agree_with_exhaustive_execution() {
    verdicts_agree(config("value+predicate"), Mode::KeepStates, FEW_PROGRAMS, 80);
}

#[test]
fn verdicts_of_value_full_and_predicate_in_lock_step_agree_with_exhaustive_execution() {
    verdicts_agree(config("value-full+predicate"), Mode::KeepStates, FEW_PROGRAMS, 80);
}

/// The oracle finds everything that random runs find, and decides most programs, with either answer.
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
            let found = match interpreter.run(&mut SeededInputs::new(seed ^ run << 32), limits).end {
                RunEnd::Error(location) => reachable.errors.contains_key(&location),
                RunEnd::Unsupported { .. } => reachable.unsupported.is_some(),
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

/// Each configuration of the table has a test in this file.
#[test]
fn all_configurations_are_compared() {
    let text = include_str!("exhaustive.rs");
    for config in Config::all() {
        let call = format!("verdicts_agree(config(\"{}\"), Mode::Check", config.name());
        assert!(text.contains(&call), "{config:?} is not compared with exhaustive execution");
    }
}

/// A configuration of the table.
fn config(name: &str) -> Config {
    Config::named(name).expect("the table has this row")
}
