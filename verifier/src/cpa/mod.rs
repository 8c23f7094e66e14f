//! Configurable program analysis: what an analysis must say about its abstract states (paper 000, §2).

pub mod callstack;
pub mod composite;
pub mod control;
pub mod location;
pub mod pinning;
pub mod predicate;
pub mod sharing;
pub mod value;

use std::hash::Hash;

use smallvec::SmallVec;

use crate::cfa::{Expr, LocId, Step};

/// Abstract successors; nearly always none or one.
pub type Successors<S> = SmallVec<[S; 1]>;

/// A configurable program analysis: an abstract domain with the operators that Algorithm 1 needs.
///
/// States are taken by value where they are used up, so that a domain can change one in place that nobody else holds.
pub trait Cpa {
    /// Abstract states.
    type State: Clone + Eq + Hash;
    /// What the abstraction keeps. One precision serves all states of a run; it grows by refinement.
    type Precision;

    /// What stands for all concrete states at the start of the program.
    fn initial(&self) -> Self::State;

    /// Over-approximates what `step` can do to `state`. No successor: the step cannot be taken.
    fn transfer(&self, state: Self::State, precision: &Self::Precision, step: Step) -> Successors<Self::State>;

    /// Does an assumption that is known to hold leave states as they are? Only then are branches decided by
    /// [`evaluate`](Cpa::evaluate) alone.
    const KEEPS_KNOWN: bool = true;

    /// The value that a scalar expression has in every concrete state of `state`, if the state tells, and if evaluating
    /// it cannot end the program. It lets branches be decided at once.
    fn evaluate(&self, _state: &Self::State, _expr: Expr) -> Option<u128> {
        None
    }

    /// May [`merge`](Cpa::merge) ever merge? Where it never does, nobody asks.
    const MERGES: bool = false;

    /// A state weaker than `old` that also stands for `new`; `None` keeps them apart.
    fn merge(&self, _new: &Self::State, _old: &Self::State, _precision: &Self::Precision) -> Option<Self::State> {
        None
    }

    /// Does `old` stand for every concrete state of `new`? Saying yes wrongly loses bugs; saying no wrongly loses time.
    fn covers(&self, old: &Self::State, new: &Self::State) -> bool;

    /// The termination check: the first of some reached states that makes it unnecessary to go on from `state`. States
    /// are compared one by one (stop-sep).
    fn stop<'a, K>(&self, state: &Self::State, mut reached: impl Iterator<Item = (K, &'a Self::State)>) -> Option<K>
    where
        Self::State: 'a,
    {
        reached.find(|(_, old)| self.covers(old, state)).map(|(key, _)| key)
    }

    /// Precision adjustment: makes a state that has come to `location` as abstract as the precision wants it.
    fn adjust(&self, state: Self::State, _precision: &Self::Precision, _location: LocId) -> Self::State {
        state
    }

    /// A number such that states of different numbers rarely cover each other: which facts a state holds, not their
    /// contents. The reached set keeps such groups apart.
    fn shape(&self, _state: &Self::State) -> u64 {
        0
    }

    /// The [`digest`](Cpa::digest) that every state of the shape of `like` must have to cover `state`; `None` if none
    /// can. The reached set compares `state` only with those.
    fn digest_as(&self, _state: &Self::State, _like: &Self::State) -> Option<u64> {
        Some(0)
    }

    /// A number that tells states of one shape apart.
    fn digest(&self, _state: &Self::State) -> u64 {
        0
    }
}
