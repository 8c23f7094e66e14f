//! The configuration `runs`: concrete runs on random inputs.

use super::engine::{Engine, Look, Task};
use crate::algorithm::{NodePolicy, runs};
use crate::evidence::Verdict;

/// Concrete runs.
pub(super) struct Runs;

impl Engine for Runs {
    fn run(&self, task: &Task<'_>, _: NodePolicy, _: &mut Look<'_>) -> Verdict {
        // Runs of the program as it was need no way back.
        let original = task.program.original();
        runs::check(original.as_ref().unwrap_or(task.program), &task.errors(), task.monitor)
    }

    fn builds_graph(&self) -> bool {
        false
    }
}
