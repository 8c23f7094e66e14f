//! Configurable program analysis: abstract domains and their operators (paper 000, §2).

pub mod callstack;
pub mod composite;
pub mod control;
pub mod domain;
pub mod index;
pub mod interval;
pub mod location;
pub mod numeric;
pub mod pinning;
pub mod predicate;
pub mod sharing;
pub mod show;
pub mod value;

use std::hash::Hash;

use smallvec::SmallVec;

pub use domain::Domain;
pub use index::Index;
pub use show::Show;

use crate::cfa::{LocId, Step};

/// Abstract successors; nearly always none or one.
pub type Successors<S> = SmallVec<[S; 1]>;

/// A configurable program analysis: an abstract domain with the operators that Algorithm 1 needs.
///
/// States are passed by value where the operator consumes them, so that a domain can update an unshared state in place.
pub trait Cpa {
    /// Abstract states.
    type State: Clone + Eq + Hash;
    /// The facts that the abstraction tracks. One precision serves all states of a run; refinement extends it.
    type Precision;

    /// Represents all concrete states at the start of the program.
    fn initial(&self) -> Self::State;

    /// The transfer relation: over-approximates the effect of `step` on `state`. No successor: the step is infeasible.
    fn transfer(&self, state: Self::State, precision: &Self::Precision, step: Step) -> Successors<Self::State>;

    /// A state weaker than `old` that also represents `new`; `None` keeps them apart (merge-sep, the default).
    ///
    /// Algorithm 1 offers every pair of a successor and a reached state with the same control and the same
    /// [`Index::group`]. A domain that merges must give the states that it would merge the same group.
    fn merge(&self, _new: &Self::State, _old: &Self::State, _precision: &Self::Precision) -> Option<Self::State> {
        None
    }

    /// The partial order: whether `old` represents every concrete state of `new`.
    /// A wrong yes loses bugs; a wrong no loses time.
    fn covers(&self, old: &Self::State, new: &Self::State) -> bool;

    /// The termination check: the first of the reached states that covers `state` (stop-sep).
    fn stop<'a, K>(&self, state: &Self::State, mut reached: impl Iterator<Item = (K, &'a Self::State)>) -> Option<K>
    where
        Self::State: 'a,
    {
        reached.find(|(_, old)| self.covers(old, state)).map(|(key, _)| key)
    }

    /// Precision adjustment (`prec`): abstracts a state at `location` to the facts that the precision tracks.
    fn adjust(&self, state: Self::State, _precision: &Self::Precision, _location: LocId) -> Self::State {
        state
    }
}
