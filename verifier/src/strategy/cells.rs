//! The configuration `cells`: proofs about arrays by distinguished cells.

use super::engine::{Engine, Look, Task};
use crate::algorithm::{NodePolicy, cells};
use crate::evidence::Verdict;

/// Proofs by distinguished cells.
pub(super) struct Cells;

impl Engine for Cells {
    fn run(&self, task: &Task<'_>, _: NodePolicy, _: &mut Look<'_>) -> Verdict {
        cells::check(task.facts, &task.errors(), task.options.recursion, task.monitor)
    }

    fn builds_graph(&self) -> bool {
        false
    }
}
