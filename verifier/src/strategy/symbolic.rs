//! The configuration `symbolic`: symbolic execution of all paths.

use super::engine::{Engine, Look, Task};
use crate::algorithm::NodePolicy;
use crate::algorithm::symbolic::{self, Settings};
use crate::evidence::Verdict;

/// Symbolic execution.
pub(super) struct SymbolicExecution;

impl Engine for SymbolicExecution {
    fn run(&self, task: &Task<'_>, _: NodePolicy, _: &mut Look<'_>) -> Verdict {
        let settings = Settings { errors: task.errors(), recursion: task.options.recursion };
        symbolic::check(task.facts, settings, task.monitor)
    }

    fn builds_graph(&self) -> bool {
        false
    }
}
