//! Engines, which run configurations.

use super::options::CheckOptions;
use crate::algorithm::NodePolicy;
use crate::cfa::{LocId, Program};
use crate::evidence::Verdict;
use crate::facts::Facts;
use crate::inspect::View;
use crate::monitor::Monitor;

/// The task of an engine.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The program.
    pub program: &'a Program,
    /// Facts about the program.
    pub facts: &'a Facts<'a>,
    /// The options.
    pub options: &'a CheckOptions,
    /// Counters and cancellation.
    pub monitor: &'a Monitor,
}

/// Receives the result of an engine for inspection.
pub type Look<'l> = dyn FnMut(&dyn View) + 'l;

/// Runs one configuration.
pub trait Engine: Sync {
    /// Decides the task. An engine that builds a graph keeps nodes according to `policy` and passes the graph to `look`.
    fn run(&self, task: &Task<'_>, policy: NodePolicy, look: &mut Look<'_>) -> Verdict;

    /// Whether `run` builds a graph and a precision.
    fn builds_graph(&self) -> bool {
        true
    }
}

impl Task<'_> {
    /// The error locations of the selected properties.
    pub fn errors(&self) -> Vec<LocId> {
        super::selected_errors(self.program, self.options)
    }
}
