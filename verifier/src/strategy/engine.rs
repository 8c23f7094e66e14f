//! Engines, which run configurations.

use super::options::CheckOptions;
use crate::algorithm::NodePolicy;
use crate::cfa::{LocId, Program};
use crate::evidence::Verdict;
use crate::facts::Facts;
use crate::inspect::View;
use crate::monitor::Monitor;
use crate::reuse::Hint;

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
    /// Keeps what a proof rests on for the next one, if the options ask for it. `describe` adds it to the hint.
    pub fn keep_proof(&self, verdict: &Verdict, describe: impl FnOnce(&mut Hint)) {
        if self.options.keeps_proof && matches!(verdict, Verdict::Safe) {
            let mut hint = Hint::default();
            describe(&mut hint);
            self.monitor.set_proof(hint.text());
        }
    }

    /// The error locations of the selected properties.
    pub fn errors(&self) -> Vec<LocId> {
        super::selected_errors(self.program, self.options)
    }
}
