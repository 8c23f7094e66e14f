//! The composite of two analyses that run in lock step, and of more by nesting.

use super::{Cpa, Index, Successors};
use crate::cfa::{LocId, Step};
use crate::expr::Expr;

/// Two analyses in lock step. `X` strengthens their states by each other after every step.
#[derive(Clone, Debug)]
pub struct Pair<A, B, X = Apart> {
    /// The first component.
    pub first: A,
    /// The second component.
    pub second: B,
    /// How they strengthen each other.
    pub exchange: X,
}

/// The strengthening operator: exchanges facts between the states of two components.
pub trait Exchange<A: Cpa, B: Cpa> {
    /// Strengthens the states of both analyses after `step`. Returns `false` if they have no common concrete state.
    fn strengthen(&self, _of: (&A, &B), _first: &mut A::State, _second: &mut B::State, _step: Step) -> bool {
        true
    }

    /// Passes facts from the first component to the second after precision adjustment. Only facts that the first still holds
    /// may be passed: a weaker first state represents more concrete states.
    fn adjusted(&self, _of: (&A, &B), _first: &A::State, _second: &mut B::State) {}
}

/// No exchange of facts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Apart;

impl<A: Cpa, B: Cpa> Exchange<A, B> for Apart {}

impl<A: Cpa, B: Cpa, X: Exchange<A, B>> Cpa for Pair<A, B, X> {
    type State = (A::State, B::State);
    type Precision = (A::Precision, B::Precision);

    fn initial(&self) -> Self::State {
        (self.first.initial(), self.second.initial())
    }

    #[inline]
    fn transfer(&self, state: Self::State, precision: &Self::Precision, step: Step) -> Successors<Self::State> {
        let mut firsts = self.first.transfer(state.0, &precision.0, step);
        if firsts.is_empty() {
            return Successors::new();
        }
        let mut seconds = self.second.transfer(state.1, &precision.1, step);
        let of = (&self.first, &self.second);
        // The common case: one successor of each.
        if let ([_], [_]) = (&*firsts, &*seconds)
            && let (Some(mut a), Some(mut b)) = (firsts.pop(), seconds.pop())
        {
            let possible = self.exchange.strengthen(of, &mut a, &mut b, step);
            return if possible { Successors::from_buf([(a, b)]) } else { Successors::new() };
        }
        let pairs = firsts.iter().flat_map(|a| seconds.iter().map(move |b| (a.clone(), b.clone())));
        pairs
            .filter_map(|(mut a, mut b)| self.exchange.strengthen(of, &mut a, &mut b, step).then_some((a, b)))
            .collect()
    }

    /// Both must merge; a component that returns `None` still allows it if its states are equal.
    fn merge(&self, new: &Self::State, old: &Self::State, precision: &Self::Precision) -> Option<Self::State> {
        let first = self.first.merge(&new.0, &old.0, &precision.0);
        let second = self.second.merge(&new.1, &old.1, &precision.1);
        match (first, second) {
            (Some(a), Some(b)) => Some((a, b)),
            (Some(a), None) if new.1 == old.1 => Some((a, old.1.clone())),
            (None, Some(b)) if new.0 == old.0 => Some((old.0.clone(), b)),
            _ => None,
        }
    }

    #[inline]
    fn covers(&self, old: &Self::State, new: &Self::State) -> bool {
        self.first.covers(&old.0, &new.0) && self.second.covers(&old.1, &new.1)
    }

    #[inline]
    fn adjust(&self, state: Self::State, precision: &Self::Precision, location: LocId) -> Self::State {
        let first = self.first.adjust(state.0, &precision.0, location);
        let mut second = self.second.adjust(state.1, &precision.1, location);
        self.exchange.adjusted((&self.first, &self.second), &first, &mut second);
        (first, second)
    }
}

impl<A: Index, B: Index, X: Exchange<A, B>> Index for Pair<A, B, X> {
    const MERGES: bool = A::MERGES || B::MERGES;
    const SKIPS_DECIDED: bool = A::SKIPS_DECIDED && B::SKIPS_DECIDED;

    fn evaluate(&self, state: &Self::State, expr: Expr) -> Option<u128> {
        self.first.evaluate(&state.0, expr).or_else(|| self.second.evaluate(&state.1, expr))
    }

    fn shape(&self, state: &Self::State) -> u64 {
        mix(self.first.shape(&state.0), self.second.shape(&state.1))
    }

    fn digest_as(&self, state: &Self::State, like: &Self::State) -> Option<u64> {
        Some(mix(self.first.digest_as(&state.0, &like.0)?, self.second.digest_as(&state.1, &like.1)?))
    }

    fn digest(&self, state: &Self::State) -> u64 {
        mix(self.first.digest(&state.0), self.second.digest(&state.1))
    }
}

#[inline]
fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(26) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
