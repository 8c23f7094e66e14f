//! The refiner of values and predicates in lock step: it refines one of them for each path.

mod values_first;

use std::collections::BTreeSet;
use std::sync::atomic::Ordering::Relaxed;

pub use values_first::ValuesFirst;

use crate::cpa::pinning::{PinnedPrecision, PinnedState, ValuesAndPredicates};
use crate::cpa::predicate::precision::PredicatePrecision;
use crate::cpa::value::cells::CellId;
use crate::cpa::value::precision::ValuePrecision;
use crate::cpa::value::threshold::LimitedValues;
use crate::evidence::Reason;
use crate::facts::{DomainType, Facts};
use crate::monitor::Monitor;
use crate::print::Printer;
use crate::refine::predicate::PredicateRefiner;
use crate::refine::value::{CHEAP_TO_TRACK, Interpolant, Proposal, ValueSelection, implies};
use crate::refine::{ErrorPath, Feasibility, Preferences, Refine};

/// Refines the domain that the heuristics prefer (paper 003, Section 6), or values wherever they refute a path.
pub struct CombinedRefiner<'a, 'm, 'p> {
    values: &'a LimitedValues<'p>,
    selection: ValueSelection<'a, 'p>,
    predicates: PredicateRefiner<'a, 'm, 'p>,
    monitor: &'a Monitor,
    /// How values exclude the path that was checked last, if they do.
    by_values: Option<Proposal>,
    /// Whether only values can exclude that path, or they are cheaper in any case.
    only_values: bool,
    /// The interpolants over values, or `None` if predicates exclude the last path.
    interpolants: Option<Vec<Interpolant>>,
    /// The dropped cells that were published.
    told: BTreeSet<CellId>,
}

impl<'a, 'm, 'p> CombinedRefiner<'a, 'm, 'p> {
    /// Refines both domains of `domain`.
    pub fn new(
        domain: &'a ValuesAndPredicates<'m, 'p>,
        facts: &Facts<'_>,
        preferences: &Preferences,
        monitor: &'a Monitor,
    ) -> Self {
        // Both domains prefer the same, so that their proposals are comparable.
        let select = preferences.select.clone().unwrap_or_else(|| CHEAP_TO_TRACK.to_vec());
        let preferences = &Preferences { select: Some(select), ..preferences.clone() };
        CombinedRefiner {
            values: &domain.first,
            selection: ValueSelection::new(&domain.first.first, preferences),
            predicates: PredicateRefiner::new(&domain.second, facts, preferences, monitor),
            monitor,
            by_values: None,
            only_values: false,
            interpolants: None,
            told: BTreeSet::new(),
        }
    }

    /// Publishes which variables were dropped from the value domain since the last time.
    pub fn tell_dropped(&mut self) {
        let values = &self.values.first;
        let dropped = self.values.exchange.dropped().into_iter().map(|(cell, _)| cell);
        let new: Vec<CellId> = dropped.filter(|&cell| self.told.insert(cell)).collect();
        if new.is_empty() {
            return;
        }
        let printer = Printer::new(values.program());
        new.into_iter().for_each(|cell| self.monitor.moved.push(values.name(cell, &printer)));
    }

    fn commit_values(&mut self, proposal: &Proposal, path: ErrorPath<'_>, tracked: &mut ValuePrecision) {
        self.interpolants = Some(self.selection.commit(proposal, path, tracked));
    }

    /// Refines one of the domains.
    fn refine_either(
        &mut self,
        path: ErrorPath<'_>,
        tracked: &mut ValuePrecision,
        predicates: &mut PredicatePrecision,
    ) -> Result<(), Reason> {
        let by_values = self.by_values.take();
        if let Some(proposal) = by_values.as_ref().filter(|_| self.only_values) {
            self.commit_values(proposal, path, tracked);
            return Ok(());
        }
        let by_predicates = match (self.predicates.propose(), &by_values) {
            (Ok(proposal), _) => proposal,
            (Err(Reason::Stopped(stop)), _) => return Err(Reason::Stopped(stop)),
            (Err(_), Some(proposal)) => {
                self.commit_values(proposal, path, tracked);
                return Ok(());
            }
            (Err(reason), None) => return Err(reason),
        };
        if let Some(proposal) = &by_values
            && self.selection.selection.select(&[proposal.candidate(), by_predicates.candidate]) == Some(0)
        {
            self.commit_values(proposal, path, tracked);
            return Ok(());
        }
        match (self.predicates.commit(by_predicates, predicates), &by_values) {
            (Ok(()), _) => {
                self.interpolants = None;
                self.track_pinned(tracked);
                Ok(())
            }
            (Err(_), Some(proposal)) => {
                self.commit_values(proposal, path, tracked);
                Ok(())
            }
            (Err(reason), None) => Err(reason),
        }
    }

    /// Tracks by value what new predicates compare with constants, so that it decides branches.
    fn track_pinned(&self, tracked: &mut ValuePrecision) {
        let (values, threshold) = (&self.values.first, &self.values.exchange);
        for &(location, key) in self.predicates.pinned() {
            let cell = values.cells.number(key);
            if !threshold.is_dropped(cell) && values.type_of(key.var) != DomainType::Counter {
                tracked.add(location, cell);
            }
        }
    }
}

impl<'m, 'p> Refine<ValuesAndPredicates<'m, 'p>> for CombinedRefiner<'_, 'm, 'p> {
    fn check(
        &mut self,
        path: ErrorPath<'_>,
        (_, state): &PinnedState,
        ((tracked, ()), predicates): &PinnedPrecision,
    ) -> Feasibility {
        let (cells, threshold) = (&self.values.first.cells, &self.values.exchange);
        let is_dropped = |key| cells.get(key).is_some_and(|cell| threshold.is_dropped(cell));
        self.by_values = self.selection.propose(path, tracked, |key| !is_dropped(key));
        self.only_values = self.by_values.as_ref().is_some_and(|proposal| self.selection.is_taken_at_once(proposal));
        if self.only_values {
            return Feasibility::Infeasible;
        }
        match self.predicates.check(path, state, predicates) {
            Feasibility::Undecided(Reason::Stopped(stop)) => Feasibility::Undecided(Reason::Stopped(stop)),
            Feasibility::Undecided(_) if self.by_values.is_some() => {
                self.only_values = true;
                Feasibility::Infeasible
            }
            feasibility => feasibility,
        }
    }

    fn refine(&mut self, path: ErrorPath<'_>, precision: &mut PinnedPrecision) -> Result<(), Reason> {
        let ((tracked, ()), predicates) = precision;
        let refined = self.refine_either(path, tracked, predicates);
        self.monitor.precision.store((tracked.len() + predicates.len()) as u64, Relaxed);
        self.tell_dropped();
        refined
    }

    fn implies_interpolant(&self, position: usize, ((values, _), state): &PinnedState) -> bool {
        match &self.interpolants {
            Some(interpolants) => implies(values, interpolants.get(position)),
            None => self.predicates.implies_interpolant(position, state),
        }
    }
}
