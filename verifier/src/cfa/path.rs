//! Paths through a program: sequences of steps with calls and returns matched.

use super::program::{EdgeId, LocId, Op, Program};
use serde::{Deserialize, Serialize};

/// One step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The edge taken.
    pub edge: EdgeId,
    /// For a `Return`, the matching `Call` edge; `None` for all other operations.
    pub call: Option<EdgeId>,
}

impl Step {
    /// A step along any edge except a `Return`.
    pub const fn along(edge: EdgeId) -> Step {
        Step { edge, call: None }
    }

    /// A step along a `Return` edge to the location after `call`.
    pub const fn back(edge: EdgeId, call: EdgeId) -> Step {
        Step { edge, call: Some(call) }
    }

    /// The successor location: the callee's entry, the location after the call, or the end of the edge.
    pub fn target(self, program: &Program) -> LocId {
        let edge = program.edge(self.edge);
        match (&edge.op, self.call) {
            (Op::Call { callee, .. }, _) => program.function(*callee).entry,
            (_, Some(call)) => program.edge(call).to,
            _ => edge.to,
        }
    }
}
