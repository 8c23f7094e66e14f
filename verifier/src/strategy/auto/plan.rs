//! The plan of `auto`: which analyses run, and how they share the processors.

use std::time::Duration;

use super::super::engine::Task;
use crate::cfa::{FuncId, VarInfo};
use crate::expr::Sort;

/// An analysis that takes part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    /// The name of its configuration.
    pub config: &'static str,
    /// Its share of the time, relative to the others. Among those that have had the least for their share, the first in the plan is
    /// next.
    pub share: u32,
    /// Its first slice of time. Each slice is as long as all before it together, so nobody waits long for a stage that
    /// hangs, and few slices suffice.
    pub first: Duration,
    /// When it takes part.
    pub when: fn(&Task<'_>) -> bool,
}

const fn stage(config: &'static str, share: u32, millis: u64, when: fn(&Task<'_>) -> bool) -> Stage {
    Stage { config, share, first: Duration::from_millis(millis), when }
}

/// Whether a function of the program can be under way more than once.
fn is_recursive(task: &Task<'_>) -> bool {
    let flow = task.facts.flow();
    (0..task.program.functions.len() as u32).any(|function| flow.is_recursive(FuncId(function)))
}

/// Whether the program has loops and memory that is not a plain variable.
fn has_arrays(task: &Task<'_>) -> bool {
    let program = task.program;
    let is_memory = |info: &VarInfo| matches!(info.sort, Sort::Memory(_));
    program.vars.iter().any(is_memory) && program.locations.iter().any(|location| location.loop_head)
}

fn always(_: &Task<'_>) -> bool {
    true
}

/// The stages, with the one first that has proved the program before. Its first slice is longer, since the proof is
/// likely to be found again.
pub(super) fn known_first(mut stages: Vec<Stage>, known: Option<&str>) -> Vec<Stage> {
    const FIRST: Duration = Duration::from_secs(2);
    if let Some(at) = stages.iter().position(|stage| Some(stage.config) == known) {
        stages[..=at].rotate_right(1);
        stages[0].first = FIRST;
    }
    stages
}

/// The stages, in the order of their first turns.
#[rustfmt::skip]
pub(super) static STAGES: &[Stage] = &[
    // Values decide many programs within a second, and what they cannot decide they leave to predicates.
    stage("value+predicate", 6,  500, always),
    // Finds what many inputs violate, however long the way is. Ends soon.
    stage("runs",            4,  500, always),
    // Follows all paths where loops are bounded and few input bytes matter, in a fraction of a second.
    stage("symbolic",        3,  250, always),
    // Proves what the others could only follow to a bound.
    stage("summaries",       3, 1000, is_recursive),
    // Finds most errors, and proves what is inductive.
    stage("k-induction",     4,  250, always),
    // Proves what holds of all cells of an array, and ends soon otherwise.
    stage("cells",           1,  500, has_arrays),
    // Proves what needs relations between variables, where values would be a detour.
    stage("predicate",       1,  500, always),
    // Searches in another order, and without the cost of formulas.
    stage("value",           1,  500, always),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_comes_first() {
        let names = |known| known_first(STAGES.to_vec(), known).iter().map(|stage| stage.config).collect::<Vec<_>>();
        let plan = names(None);
        assert_eq!(names(Some("unknown")), plan);
        let changed = names(Some("k-induction"));
        assert_eq!(changed[0], "k-induction");
        let others: Vec<_> = plan.iter().filter(|name| **name != "k-induction").copied().collect();
        assert_eq!(changed[1..], others);
    }
}
