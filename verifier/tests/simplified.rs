//! A simplified program reaches the same errors and unsupported operations as the original one.

mod small;

use std::time::{Duration, Instant};

use clew_verifier::cfa::{LocId, Op, Program};
use clew_verifier::monitor::Monitor;
use clew_verifier::simplify::simplify;
use clew_verifier::strategy::{CheckOptions, Config, Verdict, check};
use clew_verifier::tuning::Tuning;
use small::oracle::{self, Bounds, Reachable};

const PROGRAMS: u64 = 600;

fn tuned(settings: &[(&str, &str)]) -> Tuning {
    let mut tuning = Tuning::default();
    settings.iter().for_each(|(name, value)| tuning.set(name, value).expect("it is allowed"));
    tuning
}

fn errors(program: &Program) -> Vec<LocId> {
    program.error_locations().map(|(location, _)| location).collect()
}

/// What passes have done to the programs.
#[derive(Default, Debug)]
struct Effect {
    compared: usize,
    /// Errors that are reached in both.
    reached: usize,
    /// Errors that are reached in the simplified program only.
    extra: usize,
    edges_before: usize,
    edges_after: usize,
    rewritten: usize,
}

/// Compares what runs reach, where the search is complete.
fn compare(settings: &[(&str, &str)]) -> Effect {
    let tuning = tuned(settings);
    let mut effect = Effect::default();
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let errors = errors(&program);
        let Some(simplified) = simplify(&program, &errors, tuning.simplify) else { panic!("passes are on") };
        let (before, after) =
            (oracle::explore(&program, Bounds::default()), oracle::explore(&simplified, Bounds::default()));
        let show = || format!("seed {seed}, size {size}\n{}\n{}", small::show(&program), small::show(&simplified));
        if after.missed.is_none() {
            for location in before.errors.keys() {
                assert!(after.errors.contains_key(location), "{location:?} is lost: {}", show());
            }
            assert!(before.unsupported.is_none() || after.unsupported.is_some(), "unsupported is lost: {}", show());
            effect.compared += 1;
            effect.reached += before.errors.len();
        }
        if before.missed.is_none() {
            effect.extra += extra(&before, &after);
        }
        let live = |program: &Program| -> usize { program.locations.iter().map(|l| l.leaving.len()).sum() };
        effect.edges_before += live(&program);
        effect.edges_after += live(&simplified);
        let same = |i: usize| simplified.edges[i].op == program.edges[i].op || simplified.edges[i].op == Op::Skip;
        effect.rewritten += (0..program.edges.len()).filter(|&i| !same(i)).count();
    }
    eprintln!("{settings:?}: {effect:?}");
    assert!(effect.compared * 10 >= PROGRAMS as usize * 8, "{effect:?}");
    assert!(effect.reached as u64 * 4 >= PROGRAMS, "{effect:?}");
    effect
}

fn extra(before: &Reachable, after: &Reachable) -> usize {
    after.errors.keys().filter(|location| !before.errors.contains_key(location)).count()
        + usize::from(before.unsupported.is_none() && after.unsupported.is_some())
}

#[test]
fn constants_change_no_error() {
    let effect = compare(&[("simplify.slice", "0")]);
    assert_eq!(effect.extra, 0, "{effect:?}");
    assert!(effect.rewritten >= 200 && effect.edges_after * 100 <= effect.edges_before * 97, "{effect:?}");
}

#[test]
fn slices_lose_no_error() {
    let effect = compare(&[("simplify.constants", "0")]);
    // Loops that do not terminate and invalid accesses may go; these programs have many.
    assert!(effect.extra * 5 <= effect.reached, "{effect:?}");
    assert!(effect.edges_after * 100 <= effect.edges_before * 80, "{effect:?}");
}

#[test]
fn all_passes_together_lose_no_error() {
    let effect = compare(&[]);
    assert!(effect.extra * 5 <= effect.reached, "{effect:?}");
    assert!(effect.edges_after * 100 <= effect.edges_before * 80, "{effect:?}");
}

/// Few cells of a memory are tracked, and few facts are kept at a location.
#[test]
fn constants_with_few_cells_change_no_error() {
    let effect = compare(&[("simplify.slice", "0"), ("simplify.max_cells", "2"), ("simplify.max_facts", "4")]);
    assert_eq!(effect.extra, 0, "{effect:?}");
}

/// Verdicts with and without simplification do not contradict each other, and few are lost.
#[test]
fn verdicts_survive() {
    const WORK_LIMIT: u64 = 6_000;
    let verdict = |program: &Program, settings: &[(&str, &str)]| {
        let options = CheckOptions {
            config: Config::named("value").expect("it exists"),
            recursion: 8,
            ..CheckOptions::default()
        };
        let monitor = Monitor::new(Some(Instant::now() + Duration::from_secs(60)));
        check(program, &options, &monitor.with_tuning(tuned(settings)).with_work_limit(WORK_LIMIT))
    };
    let (mut solved, mut lost, mut won) = (0, 0, 0);
    for (seed, size) in small::programs(120) {
        let program = small::generate(seed, size);
        let with = verdict(&program, &[]);
        let without = verdict(&program, &[("simplify.constants", "0"), ("simplify.slice", "0")]);
        match (&without, &with) {
            (Verdict::Safe, Verdict::Unsafe(_)) | (Verdict::Unsafe(_), Verdict::Safe) => {
                panic!("seed {seed}, size {size}: {without:?}, but {with:?}");
            }
            (Verdict::Unknown(_), Verdict::Unknown(_)) => {}
            (_, Verdict::Unknown(_)) => lost += 1,
            (Verdict::Unknown(_), _) => won += 1,
            _ => solved += 1,
        }
    }
    eprintln!("{solved} solved by both, {lost} lost, {won} won");
    assert!(solved >= 80 && lost <= won + 2, "{solved} solved by both, {lost} lost, {won} won");
}
