//! Paths through a program: the steps that execution takes from edge to edge, calls and returns matched.

use super::program::{EdgeId, LocId, Op, Program};

/// One step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Step {
    /// The edge that is taken.
    pub edge: EdgeId,
    /// For a `Return`, the `Call` edge that it returns from; `None` for all other operations.
    pub call: Option<EdgeId>,
}

impl Step {
    /// A step along any edge but a `Return`.
    pub const fn along(edge: EdgeId) -> Step {
        Step { edge, call: None }
    }

    /// The step of a `Return` edge back to behind `call`.
    pub const fn back(edge: EdgeId, call: EdgeId) -> Step {
        Step { edge, call: Some(call) }
    }

    /// Where the step leads: into the callee, back to the caller, or along the edge.
    pub fn target(self, program: &Program) -> LocId {
        let edge = program.edge(self.edge);
        match (&edge.op, self.call) {
            (Op::Call { callee, .. }, _) => program.function(*callee).entry,
            (_, Some(call)) => program.edge(call).to,
            _ => edge.to,
        }
    }
}
