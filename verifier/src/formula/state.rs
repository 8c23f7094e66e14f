//! The symbolic state: what the variables hold at one point of a path, or of many paths that were joined.
//!
//! All parts are shared between the states of one execution, so that a copy costs next to nothing.

use imbl::{HashSet, OrdMap};

use super::memory::Memory;
use super::past::{ConditionId, PastId};
use crate::cfa::expr::Expr;
use crate::cfa::program::{EdgeId, LocId, Var};

/// Where an execution is, and what it knows.
#[derive(Clone, Debug)]
pub struct State {
    /// Where control is.
    pub location: LocId,
    pub(super) globals: Frame,
    pub(super) frames: Vec<Frame>,
    /// Where definitions have been spelled out already.
    pub(super) spelled_out: HashSet<(Var, Option<Expr>)>,
    /// What must hold for control to be here.
    pub(super) condition: ConditionId,
    /// How control came here.
    pub(super) past: PastId,
}

/// The variables of one activation, or the global ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub(super) origin: Origin,
    /// The call that began it.
    pub(super) call: Option<EdgeId>,
    pub(super) scalars: OrdMap<Var, Expr>,
    pub(super) memories: OrdMap<Var, Memory>,
}

/// What variables hold that nothing was assigned to yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// Unknown values, as at the start of an activation; 0 for global variables.
    Activation(u32),
    /// What they held where execution began, in the middle of the program. Activations of the same function are told
    /// apart by how many of them lie below.
    Before(u32),
}

impl Default for Origin {
    fn default() -> Origin {
        Origin::Activation(0)
    }
}

impl State {
    /// The calls that are under way, the last one last.
    pub fn calls(&self) -> impl Iterator<Item = EdgeId> {
        self.frames.iter().filter_map(|frame| frame.call)
    }
}
