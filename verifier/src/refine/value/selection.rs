//! Selects how values exclude a path, among its infeasible sliced prefixes.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::{Choices, Interpolant};
use crate::cpa::value::cells::CellKey;
use crate::cpa::value::precision::ValuePrecision;
use crate::cpa::value::{ValueState, Values};
use crate::refine::select::{Candidate, Heuristic, Selection};
use crate::refine::{ErrorPath, Preferences, RefinedFirst};

/// The default: variables that are cheap to track, since tracking counters unrolls loops.
pub const CHEAP_TO_TRACK: [Heuristic; 2] = [Heuristic::GoodDomain, Heuristic::Narrow];

/// Selects refinements of the value domain.
pub struct ValueSelection<'a, 'p> {
    values: &'a Values<'p>,
    pub(crate) selection: Selection,
    first: RefinedFirst,
    /// Hashes of the paths that were excluded by values.
    refined: FxHashSet<u64>,
}

/// A selected way to exclude a path by values.
pub struct Proposal {
    choices: Choices,
    chosen: usize,
}

impl Proposal {
    /// Its score and extent, for comparison with other domains.
    pub fn candidate(&self) -> Candidate {
        self.choices.candidates[self.chosen]
    }
}

impl<'a, 'p> ValueSelection<'a, 'p> {
    /// Selects as `preferences` say.
    pub fn new(values: &'a Values<'p>, preferences: &Preferences) -> Self {
        let selection = Selection::new(preferences.select.as_deref().unwrap_or(&CHEAP_TO_TRACK));
        ValueSelection { values, selection, first: preferences.refined_first, refined: FxHashSet::default() }
    }

    /// Whether values have excluded this path before. Repeating that would change nothing.
    pub fn has_refined(&self, path: ErrorPath<'_>) -> bool {
        self.refined.contains(&hash(path))
    }

    /// The best way to exclude a path by values that `may_track` allows, unless it was tried before.
    pub fn propose(
        &mut self,
        path: ErrorPath<'_>,
        tracked: &ValuePrecision,
        may_track: impl Fn(CellKey) -> bool,
    ) -> Option<Proposal> {
        if tracked.is_full() || self.has_refined(path) {
            return None;
        }
        let choices = Choices::find(self.values, path.followed(), may_track);
        let chosen = self.selection.select(&choices.candidates)?;
        Some(Proposal { choices, chosen })
    }

    /// Whether a proposal is taken without asking what predicates would need: no predicate is cheaper than variables
    /// that are cheap to track.
    pub fn is_taken_at_once(&self, proposal: &Proposal) -> bool {
        let is_cheap = || proposal.candidate().score < self.values.weights.counter;
        self.first == RefinedFirst::Values || self.selection.is_by_domain() && is_cheap()
    }

    /// Refines the precision. Returns the interpolants.
    pub fn commit(
        &mut self,
        proposal: &Proposal,
        path: ErrorPath<'_>,
        tracked: &mut ValuePrecision,
    ) -> Vec<Interpolant> {
        self.refined.insert(hash(path));
        proposal.choices.commit(proposal.chosen, self.values, path.followed(), tracked)
    }
}

fn hash(path: ErrorPath<'_>) -> u64 {
    FxBuildHasher.hash_one((path.steps, path.event))
}

/// Whether `state` implies the interpolant, if there is one.
pub fn implies(state: &ValueState, interpolant: Option<&Interpolant>) -> bool {
    interpolant.is_some_and(|facts| facts.iter().all(|&(cell, word)| state.get(cell) == Some(word)))
}
