//! A chain of interpolators, tried until one yields interpolants that pass the check.

use std::rc::Rc;

use super::super::select::{Candidate, Selection};
use super::check::check;
use super::core::{Conditions, Core, Feasibility, Slices};
use super::measure::candidate;
use super::rewrite::all;
use super::trace::Trace;
use super::{Interpolator, Subject};
use crate::expr::Expr;
use crate::facts::DomainTypes;
use crate::formula::Execution;
use crate::smt::Solver;

/// Statistics of an interpolator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Its name.
    pub name: &'static str,
    /// Answers that passed the check.
    pub successes: u64,
    /// Failures to answer.
    pub failures: u64,
    /// Answers that failed the check, or could not be checked.
    pub refuted: u64,
    /// The reason of the last failure.
    pub last_failure: Option<String>,
}

/// The result of interpolation.
#[derive(Clone, Debug)]
pub enum InterpolationResult {
    /// One checked interpolant for each cut.
    Interpolants(Vec<Expr>),
    /// No interpolants, but conditions at each cut that may help: what the rest of the trace requires. They may mention
    /// inputs ([`predicates`](super::predicates) drops those), and they may not exclude the trace.
    Hints(Vec<Expr>),
    /// The trace may be feasible.
    Feasible,
    /// The solver could not decide feasibility, for this reason.
    Unknown(String),
}

/// A list of interpolators.
pub struct Interpolators {
    list: Vec<(Box<dyn Interpolator>, Counts)>,
    /// The domain types of the program's variables.
    types: Rc<DomainTypes>,
    /// Whether interpolators that suit the subject of a trace are tried first.
    by_use: bool,
    slices: Slices,
}

impl Interpolators {
    /// Interpolators in this order, for a program with these domain types.
    pub fn new(list: Vec<Box<dyn Interpolator>>, types: Rc<DomainTypes>) -> Interpolators {
        let counted = |one: Box<dyn Interpolator>| {
            let counts = Counts { name: one.name(), ..Counts::default() };
            (one, counts)
        };
        Interpolators { list: list.into_iter().map(counted).collect(), types, by_use: false, slices: Slices::default() }
    }

    /// Tries interpolators that suit the subject of each trace first.
    pub fn by_use(self) -> Interpolators {
        Interpolators { by_use: true, ..self }
    }

    /// Uses sliced prefixes of this kind.
    pub fn slicing(self, slices: Slices) -> Interpolators {
        Interpolators { slices, ..self }
    }

    /// The domain types of the program's variables.
    pub fn types(&self) -> &DomainTypes {
        &self.types
    }

    /// The statistics of each interpolator, in order.
    pub fn counts(&self) -> impl Iterator<Item = &Counts> {
        self.list.iter().map(|(_, counts)| counts)
    }

    /// Interpolants for the infeasible sliced prefix that `selection` prefers, or for the whole trace if it selects
    /// none. An error says what cannot be expressed.
    pub fn interpolate(
        &mut self,
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        mut trace: Trace,
        selection: &mut Selection,
    ) -> Result<InterpolationResult, String> {
        let conditions = Conditions::of(execution, &mut trace)?;
        if !selection.is_none() {
            let found = self.for_prefixes(execution, solver, &trace, &conditions);
            let candidates: Vec<Candidate> = found.iter().map(|(candidate, _)| *candidate).collect();
            if let Some(chosen) = selection.select(&candidates) {
                return Ok(InterpolationResult::Interpolants(
                    found.into_iter().nth(chosen).map(|(_, found)| found).unwrap_or_default(),
                ));
            }
        }
        let core = match conditions.core(&execution.pool, solver, &conditions.all()) {
            Feasibility::Infeasible(core) => core,
            Feasibility::Feasible => return Ok(InterpolationResult::Feasible),
            Feasibility::Unknown(why) => return Ok(InterpolationResult::Unknown(why)),
        };
        if let Some(interpolants) = self.ask(execution, solver, &trace, &core) {
            return Ok(InterpolationResult::Interpolants(interpolants));
        }
        let rest = core.rest.into_iter();
        Ok(InterpolationResult::Hints(rest.map(|conditions| all(&mut execution.pool, conditions)).collect()))
    }

    /// Interpolants for each infeasible sliced prefix that has some.
    fn for_prefixes(
        &mut self,
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        trace: &Trace,
        conditions: &Conditions,
    ) -> Vec<(Candidate, Vec<Expr>)> {
        let tuning = &solver.monitor().tuning;
        let mut found = Vec::new();
        for prefix in conditions.prefixes(&execution.pool, solver, self.slices, tuning.interpolation.max_prefixes) {
            let Feasibility::Infeasible(core) = conditions.core(&execution.pool, solver, &prefix) else { continue };
            if let Some(interpolants) = self.ask(execution, solver, trace, &core) {
                // Lengths count conditions, which distinguish prefixes that end in the same segment.
                let length = prefix.last().map_or(0, |&last| last + 1);
                found.push((candidate(execution, &self.types, length, &interpolants, tuning), interpolants));
            }
        }
        found
    }

    /// The interpolants of the first interpolator whose answer passes the check.
    fn ask(
        &mut self,
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        trace: &Trace,
        core: &Core,
    ) -> Option<Vec<Expr>> {
        let mut order: Vec<_> = self.list.iter_mut().collect();
        if self.by_use {
            let tuning = &solver.monitor().tuning.interpolation;
            let subject = Subject::of(execution, &self.types, trace, core);
            order.sort_by_key(|(interpolator, _)| !interpolator.suits(subject, tuning));
        }
        for (interpolator, counts) in order {
            let failure = match interpolator.interpolate(execution, solver, trace, core) {
                Ok(interpolants) => match check(execution, solver, trace, &interpolants) {
                    Ok(()) => {
                        counts.successes += 1;
                        return Some(interpolants);
                    }
                    Err(why) => {
                        counts.refuted += 1;
                        why
                    }
                },
                Err(why) => {
                    counts.failures += 1;
                    why
                }
            };
            counts.last_failure = Some(failure);
        }
        None
    }
}
