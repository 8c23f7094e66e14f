//! The configuration `summaries`: contracts of recursive functions, proved by induction over calls.

use super::engine::{Engine, Look, Task};
use crate::algorithm::{NodePolicy, summary};
use crate::evidence::Verdict;

/// Proofs by contracts.
pub(super) struct Summaries;

impl Engine for Summaries {
    fn run(&self, task: &Task<'_>, _: NodePolicy, _: &mut Look<'_>) -> Verdict {
        summary::check(task.facts, task.errors(), task.monitor)
    }

    fn builds_graph(&self) -> bool {
        false
    }
}
