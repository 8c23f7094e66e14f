//! Interpolants for predicate abstraction: facts at the cuts of an infeasible path that exclude it.
//!
//! Z3 has no interpolation procedure that generalises for bit-vectors. Instead, conditions outside an unsatisfiable
//! core are dropped, assignments are substituted, and inputs are eliminated. Interpolators may be incomplete and even
//! wrong: each answer is checked, and the next interpolator is tried if it fails.

mod atoms;
mod bounds;
mod chain;
mod check;
mod choice;
mod core;
mod eliminate;
mod linear;
mod low;
mod measure;
mod refiner;
mod rewrite;
mod small_domain;
mod solve;
mod sp;
mod spacer;
mod subject;
mod trace;
mod wp;

pub use atoms::{atoms, predicates};
pub use chain::{Counts, InterpolationResult, Interpolators};
pub use check::check;
pub use choice::Interpolation;
pub use core::{Core, Feasibility, Slices};
pub use measure::candidate;
pub use refiner::{PredicateRefiner, Proposal};
pub use sp::StrongestPostconditions;
pub use spacer::Spacer;
pub use subject::Subject;
pub use trace::Trace;
pub use wp::WeakestPreconditions;

use crate::expr::Expr;
use crate::formula::Execution;
use crate::smt::Solver;
use crate::tuning;

/// An interpolation procedure.
pub trait Interpolator {
    /// A short name for statistics.
    fn name(&self) -> &'static str;

    /// Whether its interpolants are likely to generalise beyond this trace.
    fn suits(&self, _subject: Subject, _tuning: &tuning::Interpolation) -> bool {
        true
    }

    /// One interpolant for each cut of an infeasible trace, over the program variables there, in the pool of
    /// `execution`. It may be wrong. An error says why there is none.
    fn interpolate(
        &mut self,
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        trace: &Trace,
        core: &Core,
    ) -> Result<Vec<Expr>, String>;
}
