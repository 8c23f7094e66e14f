//! Random programs over small domains, made without a compiler, and all their executions.
//!
//! [`generate`] makes a program from a seed and a size; whatever is unknown in it has few values, so that [`oracle`] can
//! try them all and say what is reachable. [`trace`] shows the concrete states that a run passes.

// Every test uses a part of this.
#![allow(dead_code)]

mod expressions;
mod machines;
mod memory;
pub mod oracle;
mod random;
mod relations;
mod statements;
pub mod trace;
mod world;

use clew_verifier::cfa::print::text;
use clew_verifier::cfa::{FuncId, Program, Step};
use clew_verifier::cpa::Cpa;
use clew_verifier::cpa::control::control;

pub use random::Random;
use world::Maker;

/// The program of `seed`, with about `size` statements in each function; the same one every time.
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

/// The seeds and sizes of programs to try. `CLEW_SMALL_PROGRAMS` says how many instead of `count`, and `CLEW_SMALL_SEED`
/// with which seed they start.
pub fn programs(count: u64) -> impl Iterator<Item = (u64, usize)> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("CLEW_SMALL_SEED").unwrap_or(0);
    let count = number("CLEW_SMALL_PROGRAMS").unwrap_or(count);
    (first..first + count).map(|seed| (seed, 3 + seed as usize % 14))
}

/// The whole program, for people.
pub fn show(program: &Program) -> String {
    let functions: Vec<FuncId> = (0..program.functions.len() as u32).map(FuncId).collect();
    text(program, &functions, None)
}

/// A path through the automaton of about so many steps, calls and returns matched, whether or not anything can take it.
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
