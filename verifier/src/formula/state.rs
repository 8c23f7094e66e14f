//! The symbolic state: the values of variables at a point of one path, or of several joined paths.
//!
//! All parts are persistent data structures, so that a copy is cheap.

use imbl::{HashSet, OrdMap};

use super::memory::Memory;
use super::past::{ConditionId, PastId};
use super::spans::Facts;
use crate::cfa::program::{EdgeId, LocId, Program};
use crate::expr::{Expr, Var};

/// A symbolic state.
#[derive(Clone, Debug)]
pub struct State {
    /// The current location.
    pub location: LocId,
    pub(super) globals: Frame,
    pub(super) frames: Vec<Frame>,
    /// Where memory definitions have been expanded.
    pub(super) spelled_out: HashSet<(Var, Option<Expr>)>,
    /// The memory symbols whose unknown cells are said to be those of an array.
    pub(super) linked: HashSet<Var>,
    /// What the conditions say about the values of expressions, where cells are tracked.
    pub(super) facts: Facts,
    /// The conditions for reaching this state.
    pub(super) condition: ConditionId,
    /// The paths that led to this state.
    pub(super) past: PastId,
}

/// The variables of one activation, or the global variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub(super) origin: Origin,
    /// The call that started it.
    pub(super) call: Option<EdgeId>,
    pub(super) scalars: OrdMap<Var, Expr>,
    pub(super) memories: OrdMap<Var, Memory>,
}

/// The values of variables that have not been assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// Fresh values at the start of this activation; 0 for global variables.
    Activation(u32),
    /// The values where execution started in the middle of the program. The number counts activations of the same
    /// function below this one.
    Before(u32),
}

impl Default for Origin {
    fn default() -> Origin {
        Origin::Activation(0)
    }
}

impl State {
    /// At the start of `program`: variables hold unknown values, and memory is as the program lays it out.
    pub fn initial(program: &Program) -> State {
        State {
            location: program.function(program.start).entry,
            globals: Frame::default(),
            frames: vec![Frame { origin: Origin::Activation(1), ..Frame::default() }],
            spelled_out: HashSet::new(),
            linked: HashSet::new(),
            facts: Facts::new(),
            condition: ConditionId::default(),
            past: PastId::default(),
        }
    }

    /// The active calls, innermost last.
    pub fn calls(&self) -> impl Iterator<Item = EdgeId> {
        self.frames.iter().filter_map(|frame| frame.call)
    }
}
