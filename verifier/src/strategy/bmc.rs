//! The configurations `bmc` and `k-induction`: all paths up to a bound that grows, and induction beyond it.

use super::engine::{Engine, Look, Task};
use crate::algorithm::NodePolicy;
use crate::algorithm::bmc::{self, Invariants, Settings};
use crate::cfa::LocId;
use crate::evidence::Verdict;
use crate::expr::Expr;

/// Bounded model checking.
pub(super) struct Bounded {
    /// Whether induction is tried after each bound.
    pub induction: bool,
}

impl Engine for Bounded {
    fn run(&self, task: &Task<'_>, _: NodePolicy, _: &mut Look<'_>) -> Verdict {
        let none = |_: LocId| -> Vec<Expr> { Vec::new() };
        let settings = Settings {
            errors: task.errors(),
            bound: task.options.bound,
            recursion: task.options.recursion,
            induction: self.induction.then_some(&none as Invariants<'_>),
        };
        bmc::check(task.facts, settings, task.monitor)
    }

    fn builds_graph(&self) -> bool {
        false
    }
}
