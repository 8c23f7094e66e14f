//! Random programs over small domains, generated without a compiler, and their exhaustive execution.
//!
//! [`generate`] makes a program from a seed and a size. Unknown values have small domains, so that [`oracle`] can
//! enumerate them and determine what is reachable. [`trace`] records the concrete states of a run.

// Each test uses only some of this.
#![allow(dead_code)]

mod expressions;
mod machines;
mod memory;
pub mod occurrences;
pub mod oracle;
pub mod random;
pub mod recursion;
mod relations;
mod statements;
pub mod trace;
mod world;

use clew_verifier::cfa::{FuncId, Program, Step};
use clew_verifier::cpa::Cpa;
use clew_verifier::cpa::control::control;
use clew_verifier::print::text;

pub use random::Random;
use world::Maker;

/// The program of `seed`, with about `size` statements in each function; deterministic.
pub fn generate(seed: u64, size: usize) -> Program {
    let mut maker = Maker::new(Random::new(seed));
    match maker.random.below(10) {
        0..=4 => maker.structured(size),
        5 => maker.state_machine(size),
        6 => maker.counters(size),
        7 => maker.locks(size),
        8 => maker.modes(size),
        _ => maker.relations(size),
    }
}

/// The seeds and sizes of the programs to try. `CLEW_SMALL_PROGRAMS` overrides `count`, and `CLEW_SMALL_SEED` sets the
/// first seed.
pub fn programs(count: u64) -> impl Iterator<Item = (u64, usize)> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("CLEW_SMALL_SEED").unwrap_or(0);
    let count = number("CLEW_SMALL_PROGRAMS").unwrap_or(count);
    (first..first + count).map(|seed| (seed, 3 + seed as usize % 14))
}

/// The whole program as text.
pub fn show(program: &Program) -> String {
    let functions: Vec<FuncId> = (0..program.functions.len() as u32).map(FuncId).collect();
    text(program, &functions, None)
}

/// A random path through the automaton with `least` to `most` steps (or up to its end), calls and returns matched,
/// feasible or not.
pub fn walk(program: &Program, random: &mut Random, (least, most): (usize, usize)) -> Vec<Step> {
    let cpa = control(program, 4);
    let (mut at, mut path) = (cpa.initial(), Vec::new());
    for _ in 0..random.between(least, most) {
        let mut steps = cpa.steps(at);
        steps.retain(|step| cpa.event_of_step(at, *step).is_none());
        if steps.is_empty() {
            break;
        }
        let step = steps[random.below(steps.len())];
        let Some(next) = cpa.after(at, step) else { break };
        path.push(step);
        at = next;
    }
    path
}
