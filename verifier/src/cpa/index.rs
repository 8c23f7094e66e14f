//! Optional information about a domain that makes the reached set and the search fast.

use super::Cpa;
use crate::expr::Expr;

/// Index of abstract states. Every default is correct for every domain: `impl Index for Domain {}` is enough.
///
/// With the defaults, a new state is compared with all reached states at its location and callstack.
/// A domain that overrides them is compared with fewer; what it must guarantee is stated at each item.
pub trait Index: Cpa {
    /// Whether [`Cpa::merge`] can return a state at all. `false` saves asking it.
    const MERGES: bool = true;

    /// Whether an assumption that [`evaluate`](Index::evaluate) decides leaves states unchanged.
    /// Only then is a branch taken without [`Cpa::transfer`].
    const SKIPS_DECIDED: bool = false;

    /// The value that a scalar expression has in every concrete state of `state`, if the state determines it and
    /// evaluation cannot crash.
    fn evaluate(&self, _state: &Self::State, _expr: Expr) -> Option<u128> {
        None
    }

    /// Which facts a state holds, without their contents. States of different shapes rarely cover each other.
    fn shape(&self, _state: &Self::State) -> u64 {
        0
    }

    /// The contents of a state, hashed. Equal for states that cover each other and have the same shape.
    fn digest(&self, _state: &Self::State) -> u64 {
        0
    }

    /// The [`digest`](Index::digest) of every state with the shape of `like` that covers `state`; `None` if none can.
    fn digest_as(&self, _state: &Self::State, _like: &Self::State) -> Option<u64> {
        Some(0)
    }

    /// Shape and digest. States are offered to [`Cpa::merge`] only within a group.
    fn group(&self, state: &Self::State) -> (u64, u64) {
        (self.shape(state), self.digest(state))
    }
}
