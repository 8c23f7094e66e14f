//! Refinement: from an infeasible error path to a precision that excludes it.

pub mod combined;
pub mod none;
pub mod predicate;
pub mod select;
pub mod value;

use crate::cfa::Step;
use crate::cpa::Cpa;
use crate::cpa::control::Event;
use crate::evidence::{Counterexample, PathCheck, Reason};
use predicate::{Interpolation, Slices};
use select::Heuristic;

/// The two procedures that Algorithm 2 of paper 000 is parameterised by: `isFeasible` and `Refine`.
pub trait Refine<D: Cpa> {
    /// `isFeasible`: whether a run can take `path`, at whose end the domain has `state`.
    fn check(&mut self, path: ErrorPath<'_>, state: &D::State, precision: &D::Precision) -> Feasibility;

    /// `Refine`: extends `precision` so that it excludes `path`, which the last call of `check` found infeasible.
    fn refine(&mut self, path: ErrorPath<'_>, precision: &mut D::Precision) -> Result<(), Reason>;

    /// Whether `state` implies the interpolant at `position` of the path that was excluded last.
    /// There is no interpolant behind the step that makes the path infeasible.
    fn implies_interpolant(&self, position: usize, state: &D::State) -> bool;
}

/// An abstract path to a target.
#[derive(Clone, Copy, Debug)]
pub struct ErrorPath<'a> {
    /// Its steps. Where `event` is no error, the last step cannot be followed.
    pub steps: &'a [Step],
    /// Why it ends.
    pub event: Event,
}

impl<'a> ErrorPath<'a> {
    /// The steps that can be followed.
    pub fn followed(&self) -> &'a [Step] {
        if self.event == Event::Error { self.steps } else { &self.steps[..self.steps.len() - 1] }
    }
}

/// Whether an error path is feasible.
#[derive(Debug)]
pub enum Feasibility {
    /// A replayed run takes it.
    Feasible(Box<Counterexample>),
    /// No run takes it, and the precision must be refined to exclude it.
    Infeasible,
    /// No run takes it, and the precision already suffices to see that.
    Excluded,
    /// Neither was shown.
    Undecided(Reason),
}

impl From<PathCheck> for Feasibility {
    fn from(check: PathCheck) -> Feasibility {
        match check {
            PathCheck::Feasible(counterexample) => Feasibility::Feasible(counterexample),
            PathCheck::Infeasible { .. } => Feasibility::Infeasible,
            PathCheck::Undecided(reason) => Feasibility::Undecided(reason),
        }
    }
}

/// Which domain is refined where values and predicates can both exclude a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RefinedFirst {
    /// Values, wherever they can exclude a path.
    Values,
    /// The domain whose refinement the heuristics prefer.
    #[default]
    Selected,
}

/// What a user may prefer about refinement.
#[derive(Clone, Debug, Default)]
pub struct Preferences {
    /// Heuristics that select among the prefixes of a path; the refiner chooses if it is left open.
    pub select: Option<Vec<Heuristic>>,
    /// Which domain is refined where both can exclude a path.
    pub refined_first: RefinedFirst,
    /// Interpolation procedures in the order of use; if left open, all, in an order that suits the path.
    pub interpolators: Option<Vec<Interpolation>>,
    /// The units of the prefixes that predicates are selected from.
    pub slices: Slices,
    /// The bound on recursion, for messages.
    pub recursion: u32,
}
