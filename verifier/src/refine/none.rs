//! No refinement: paths are only checked for feasibility.

use super::{ErrorPath, Feasibility, Refine};
use crate::cfa::Program;
use crate::cpa::Cpa;
use crate::cpa::control::Event;
use crate::evidence::{Checker, Reason};
use crate::monitor::Monitor;

/// Gives up on infeasible paths.
pub struct NoRefinement<'a> {
    program: &'a Program,
    recursion: u32,
    checker: Checker<'a>,
}

impl<'a> NoRefinement<'a> {
    /// Checks paths of `program`, with a bound on recursion.
    pub fn new(program: &'a Program, recursion: u32, monitor: &'a Monitor) -> Self {
        NoRefinement { program, recursion, checker: Checker::new(program, monitor) }
    }
}

impl<D: Cpa> Refine<D> for NoRefinement<'_> {
    fn check(&mut self, path: ErrorPath<'_>, _: &D::State, _: &D::Precision) -> Feasibility {
        if path.event != Event::Error {
            return Feasibility::Undecided(Reason::blocked(self.program, path.steps, self.recursion));
        }
        self.checker.check(path.steps).into()
    }

    fn refine(&mut self, path: ErrorPath<'_>, _: &mut D::Precision) -> Result<(), Reason> {
        Err(Reason::NeedsPredicates(path.steps.to_vec()))
    }

    fn implies_interpolant(&self, _: usize, _: &D::State) -> bool {
        true
    }
}
