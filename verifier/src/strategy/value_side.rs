//! What values can do against a path.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::options::{CheckOptions, RefinedFirst};
use super::value::EASY;
use crate::cfa::{DomainType, Step};
use crate::cpa::control::Event;
use crate::cpa::value::cells::Place;
use crate::cpa::value::precision::ValuePrecision;
use crate::cpa::value::{ValueState, Values};
use crate::refine::select::Selection;
use crate::refine::value::{Choices, Facts};

/// Selects how values are refined.
pub(super) struct ValueSide<'a, 'p> {
    values: &'a Values<'p>,
    pub selection: Selection,
    first: RefinedFirst,
    /// The paths that were refined by values, by their hashes.
    refined: FxHashSet<u64>,
}

/// A way to exclude a path by values.
pub(super) struct ByValues {
    pub choices: Choices,
    pub chosen: usize,
}

impl<'a, 'p> ValueSide<'a, 'p> {
    pub fn new(values: &'a Values<'p>, options: &CheckOptions) -> Self {
        let selection = Selection::new(options.select.as_deref().unwrap_or(&EASY));
        ValueSide { values, selection, first: options.refined_first, refined: FxHashSet::default() }
    }

    /// Has this path been excluded by values before? Doing so once more would change nothing.
    pub fn has_refined(&self, path: &[Step], event: Event) -> bool {
        self.refined.contains(&number(path, event))
    }

    /// The best way to exclude a path by values that may be tracked, if that has not been tried yet.
    pub fn propose(
        &mut self,
        path: &[Step],
        event: Event,
        tracked: &ValuePrecision,
        may_track: impl Fn(Place) -> bool,
    ) -> Option<ByValues> {
        if tracked.is_full() || self.has_refined(path, event) {
            return None;
        }
        let choices = Choices::find(self.values, taken(path, event), may_track);
        let chosen = self.selection.select(&choices.candidates)?;
        Some(ByValues { choices, chosen })
    }

    /// Is a way to refine values taken without looking at what predicates would need? So it is with values that are easy to
    /// track, if it is these that are wanted: no predicate is cheaper.
    pub fn is_taken_at_once(&self, way: &ByValues) -> bool {
        let is_easy = || way.choices.candidates[way.chosen].score < DomainType::Counter.weight();
        self.first == RefinedFirst::Values || self.selection.is_by_domain() && is_easy()
    }

    /// Refines values. Gives what states must hold.
    pub fn commit(&mut self, way: &ByValues, path: &[Step], event: Event, tracked: &mut ValuePrecision) -> Vec<Facts> {
        self.refined.insert(number(path, event));
        way.choices.commit(way.chosen, self.values, taken(path, event), tracked)
    }
}

/// A number for a path that ends in `event`.
fn number(path: &[Step], event: Event) -> u64 {
    FxBuildHasher.hash_one((path, event))
}

/// Do these facts hold, if there are any?
pub(super) fn hold(facts: Option<&Facts>, values: &ValueState) -> bool {
    facts.is_some_and(|facts| facts.iter().all(|&(cell, word)| values.get(cell) == Some(word)))
}

/// The steps of a path without one that blocks it, which is not taken.
fn taken(path: &[Step], event: Event) -> &[Step] {
    if event == Event::Error { path } else { &path[..path.len() - 1] }
}
