//! Refines values alone until predicates are needed: formulas cost time at every step, and many programs need none.

use std::cell::Cell;

use crate::cpa::control::Event;
use crate::cpa::value::precision::ValuePrecision;
use crate::cpa::value::{ValueState, Values};
use crate::evidence::{Checker, PathCheck, Reason};
use crate::facts::DomainType;
use crate::monitor::{Monitor, StopReason};
use crate::refine::value::{Interpolant, Proposal, ValueSelection, implies};
use crate::refine::{ErrorPath, Feasibility, Preferences, Refine};

/// Refines values. A path that they do not refute ends the analysis with [`StopReason::Turn`].
pub struct ValuesFirst<'a, 'p> {
    selection: ValueSelection<'a, 'p>,
    checker: Checker<'a>,
    /// Whether counters may be tracked. An explicit `--select` overrides this.
    takes_counters: bool,
    /// Set when a counter is tracked.
    tracks_counter: &'a Cell<bool>,
    values: &'a Values<'p>,
    proposal: Option<Proposal>,
    /// The interpolants of the path that was excluded last.
    interpolants: Vec<Interpolant>,
}

impl<'a, 'p> ValuesFirst<'a, 'p> {
    /// Refines the precision of `values`, and sets `tracks_counter` when it tracks a counter.
    pub fn new(
        values: &'a Values<'p>,
        preferences: &Preferences,
        tracks_counter: &'a Cell<bool>,
        monitor: &'a Monitor,
    ) -> Self
    where
        'p: 'a,
    {
        ValuesFirst {
            selection: ValueSelection::new(values, preferences),
            checker: Checker::new(values.program(), monitor),
            takes_counters: preferences.select.is_none(),
            tracks_counter,
            values,
            proposal: None,
            interpolants: Vec::new(),
        }
    }
}

impl<'p> Refine<Values<'p>> for ValuesFirst<'_, 'p> {
    fn check(&mut self, path: ErrorPath<'_>, _: &ValueState, tracked: &ValuePrecision) -> Feasibility {
        self.proposal = self.selection.propose(path, tracked, |_| true);
        match &self.proposal {
            Some(proposal) if self.takes_counters || self.selection.is_taken_at_once(proposal) => {
                return Feasibility::Infeasible;
            }
            None if path.event == Event::Error => {
                if let PathCheck::Feasible(counterexample) = self.checker.check(path.steps) {
                    return Feasibility::Feasible(counterexample);
                }
            }
            _ => {}
        }
        Feasibility::Undecided(Reason::Stopped(StopReason::Turn))
    }

    fn refine(&mut self, path: ErrorPath<'_>, tracked: &mut ValuePrecision) -> Result<(), Reason> {
        let proposal = self.proposal.take().ok_or(Reason::Stopped(StopReason::Turn))?;
        self.interpolants = self.selection.commit(&proposal, path, tracked);
        let type_of = |cell| self.values.type_of(self.values.cells.key(cell).0.var);
        if self.interpolants.iter().flatten().any(|&(cell, _)| type_of(cell) == DomainType::Counter) {
            self.tracks_counter.set(true);
        }
        Ok(())
    }

    fn implies_interpolant(&self, position: usize, state: &ValueState) -> bool {
        implies(state, self.interpolants.get(position))
    }
}
