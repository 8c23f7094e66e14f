//! The location analysis: tracks the current location.

use super::{Cpa, Index, Successors};
use crate::cfa::{LocId, Program, Step};

/// The location analysis.
#[derive(Clone, Copy, Debug)]
pub struct Locations<'p> {
    program: &'p Program,
}

impl<'p> Locations<'p> {
    /// The location analysis of `program`.
    pub fn new(program: &'p Program) -> Locations<'p> {
        Locations { program }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }
}

impl Cpa for Locations<'_> {
    type State = LocId;
    type Precision = ();

    fn initial(&self) -> LocId {
        self.program.function(self.program.start).entry
    }

    #[inline]
    fn transfer(&self, state: LocId, _: &(), step: Step) -> Successors<LocId> {
        if self.program.edge(step.edge).from != state {
            return Successors::new();
        }
        Successors::from_buf([step.target(self.program)])
    }

    #[inline]
    fn covers(&self, old: &LocId, new: &LocId) -> bool {
        old == new
    }
}

impl Index for Locations<'_> {
    const MERGES: bool = false;

    fn shape(&self, state: &LocId) -> u64 {
        state.0.into()
    }

    fn digest_as(&self, state: &LocId, like: &LocId) -> Option<u64> {
        (state == like).then_some(0)
    }
}
