//! Interpolants for predicate abstraction: what must be known at the cuts of an infeasible path to exclude it.
//!
//! Z3 has no interpolation that generalises for bit-vectors. So paths are interpolated by what their operations mean:
//! conditions that an unsatisfiable core does not need are dropped, assignments are substituted, inputs are eliminated. No
//! interpolator need be complete, or right: whatever one of them says is checked, and the next one is asked if it fails.

mod atoms;
mod bounds;
mod chain;
mod check;
mod choice;
mod core;
mod eliminate;
mod few;
mod linear;
mod low;
mod measure;
mod rewrite;
mod solve;
mod sp;
mod spacer;
mod subject;
mod trace;
mod wp;

pub use atoms::{atoms, predicates};
pub use chain::{Counts, Interpolators, Outcome};
pub use check::check;
pub use choice::Interpolation;
pub use core::{Core, Feasibility, Slices};
pub use measure::candidate;
pub use sp::StrongestPostconditions;
pub use spacer::Spacer;
pub use subject::Subject;
pub use trace::Trace;
pub use wp::WeakestPreconditions;

use crate::cfa::expr::Expr;
use crate::formula::Execution;
use crate::smt::Solver;

/// A way to find interpolants.
pub trait Interpolator {
    /// A short name.
    fn name(&self) -> &'static str;

    /// Is what it finds likely to hold for more than this one trace?
    fn suits(&self, _subject: Subject) -> bool {
        true
    }

    /// One interpolant for each cut of an infeasible trace, about the variables of the program as they are there, in the
    /// pool of `execution`. It need not be right. An error says why there is none.
    fn interpolate(
        &mut self,
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        trace: &Trace,
        core: &Core,
    ) -> Result<Vec<Expr>, String>;
}
