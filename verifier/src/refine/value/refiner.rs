//! The refiner of the explicit-value analysis: values where they refute a path, the solver for the others.

use std::sync::atomic::Ordering::Relaxed;

use super::Interpolant;
use super::selection::{Proposal, ValueSelection, implies};
use crate::cfa::Program;
use crate::cpa::control::Event;
use crate::cpa::value::precision::ValuePrecision;
use crate::cpa::value::{ValueState, Values};
use crate::evidence::{Checker, Reason};
use crate::monitor::Monitor;
use crate::refine::{ErrorPath, Feasibility, Preferences, Refine};

/// Refines values; paths that values do not refute are left to the solver.
pub struct ValueRefiner<'a, 'p> {
    selection: ValueSelection<'a, 'p>,
    program: &'p Program,
    recursion: u32,
    monitor: &'a Monitor,
    checker: Checker<'a>,
    /// How values exclude the path that was checked last, if they do.
    proposal: Option<Proposal>,
    /// The interpolants of the path that was excluded last.
    interpolants: Vec<Interpolant>,
}

impl<'a, 'p> ValueRefiner<'a, 'p> {
    /// Refines the precision of `values`.
    pub fn new(values: &'a Values<'p>, preferences: &Preferences, monitor: &'a Monitor) -> Self
    where
        'p: 'a,
    {
        let program = values.program();
        ValueRefiner {
            selection: ValueSelection::new(values, preferences),
            program,
            recursion: preferences.recursion,
            monitor,
            checker: Checker::new(program, monitor),
            proposal: None,
            interpolants: Vec::new(),
        }
    }
}

impl<'p> Refine<Values<'p>> for ValueRefiner<'_, 'p> {
    fn check(&mut self, path: ErrorPath<'_>, _: &ValueState, precision: &ValuePrecision) -> Feasibility {
        if self.selection.has_refined(path) {
            return Feasibility::Undecided(Reason::NoProgress(path.steps.to_vec()));
        }
        self.proposal = self.selection.propose(path, precision, |_| true);
        if self.proposal.is_some() {
            return Feasibility::Infeasible;
        }
        if path.event != Event::Error {
            return Feasibility::Undecided(Reason::blocked(self.program, path.steps, self.recursion));
        }
        self.checker.check(path.steps).into()
    }

    fn refine(&mut self, path: ErrorPath<'_>, precision: &mut ValuePrecision) -> Result<(), Reason> {
        let proposal = self.proposal.take().ok_or_else(|| Reason::NeedsPredicates(path.steps.to_vec()))?;
        self.interpolants = self.selection.commit(&proposal, path, precision);
        self.monitor.precision.store(precision.len() as u64, Relaxed);
        Ok(())
    }

    fn implies_interpolant(&self, position: usize, state: &ValueState) -> bool {
        implies(state, self.interpolants.get(position))
    }
}
