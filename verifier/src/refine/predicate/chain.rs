//! Interpolators one after the other, until what one says is right.

use super::super::select::{Candidate, Selection};
use super::check::check;
use super::core::{Conditions, Core, Feasibility, Slices};
use super::measure::candidate;
use super::rewrite::all;
use super::trace::Trace;
use super::{Interpolator, Subject};
use crate::cfa::DomainTypes;
use crate::cfa::expr::Expr;
use crate::formula::Execution;
use crate::smt::Solver;

/// How an interpolator fared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Which one.
    pub name: &'static str,
    /// How often what it said was right.
    pub successes: u64,
    /// How often it said nothing.
    pub failures: u64,
    /// How often what it said was wrong, or could not be checked.
    pub refuted: u64,
    /// Why it failed the last time.
    pub last_failure: Option<String>,
}

/// What comes out.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// One interpolant for each cut, checked.
    Interpolants(Vec<Expr>),
    /// No interpolants, but conditions at each cut that may help: what the rest of the trace needs, which may be about inputs
    /// too ([`predicates`](super::predicates) leaves those out). Whoever uses them must see whether he makes progress.
    Hints(Vec<Expr>),
    /// The trace may be feasible.
    Feasible,
    /// Whether it is, the solver does not know, for this reason.
    Unknown(String),
}

/// So many sliced prefixes of a path are looked at.
const MOST_PREFIXES: usize = 8;

/// A list of interpolators.
pub struct Interpolators {
    list: Vec<(Box<dyn Interpolator>, Counts)>,
    /// What the variables of the program are used for.
    types: DomainTypes,
    /// Are those asked first that suit what a path is about?
    by_use: bool,
    slices: Slices,
}

impl Interpolators {
    /// These, in this order, for a program whose variables are of these types.
    pub fn new(list: Vec<Box<dyn Interpolator>>, types: DomainTypes) -> Interpolators {
        let counted = |one: Box<dyn Interpolator>| {
            let counts = Counts { name: one.name(), ..Counts::default() };
            (one, counts)
        };
        Interpolators { list: list.into_iter().map(counted).collect(), types, by_use: false, slices: Slices::default() }
    }

    /// The same, but for each trace those that suit what it is about are asked first.
    pub fn by_use(self) -> Interpolators {
        Interpolators { by_use: true, ..self }
    }

    /// The same, with prefixes of this kind.
    pub fn slicing(self, slices: Slices) -> Interpolators {
        Interpolators { slices, ..self }
    }

    /// What the variables of the program are used for.
    pub fn types(&self) -> &DomainTypes {
        &self.types
    }

    /// How they fared so far, in order.
    pub fn counts(&self) -> impl Iterator<Item = &Counts> {
        self.list.iter().map(|(_, counts)| counts)
    }

    /// Interpolants for a trace, for that of its infeasible sliced prefixes that `selection` prefers, or for all of it if that
    /// does not choose. An error says what cannot be expressed.
    pub fn interpolate(
        &mut self,
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        mut trace: Trace,
        selection: &mut Selection,
    ) -> Result<Outcome, String> {
        let conditions = Conditions::of(execution, &mut trace)?;
        if !selection.is_none() {
            let found = self.for_prefixes(execution, solver, &trace, &conditions);
            let candidates: Vec<Candidate> = found.iter().map(|(candidate, _)| *candidate).collect();
            if let Some(chosen) = selection.select(&candidates) {
                return Ok(Outcome::Interpolants(
                    found.into_iter().nth(chosen).map(|(_, found)| found).unwrap_or_default(),
                ));
            }
        }
        let core = match conditions.core(&execution.pool, solver, &conditions.all()) {
            Feasibility::Infeasible(core) => core,
            Feasibility::Feasible => return Ok(Outcome::Feasible),
            Feasibility::Unknown(why) => return Ok(Outcome::Unknown(why)),
        };
        if let Some(interpolants) = self.ask(execution, solver, &trace, &core) {
            return Ok(Outcome::Interpolants(interpolants));
        }
        let rest = core.rest.into_iter();
        Ok(Outcome::Hints(rest.map(|conditions| all(&mut execution.pool, conditions)).collect()))
    }

    /// Interpolants for each infeasible sliced prefix for which somebody finds some.
    fn for_prefixes(
        &mut self,
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        trace: &Trace,
        conditions: &Conditions,
    ) -> Vec<(Candidate, Vec<Expr>)> {
        let mut found = Vec::new();
        for prefix in conditions.prefixes(&execution.pool, solver, self.slices, MOST_PREFIXES) {
            let Feasibility::Infeasible(core) = conditions.core(&execution.pool, solver, &prefix) else { continue };
            if let Some(interpolants) = self.ask(execution, solver, trace, &core) {
                // Conditions tell prefixes apart that end in the same segment.
                let length = prefix.last().map_or(0, |&last| last + 1);
                found.push((candidate(execution, &self.types, length, &interpolants), interpolants));
            }
        }
        found
    }

    /// The interpolants that the first says who has the right ones.
    fn ask(
        &mut self,
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        trace: &Trace,
        core: &Core,
    ) -> Option<Vec<Expr>> {
        let mut order: Vec<_> = self.list.iter_mut().collect();
        if self.by_use {
            let subject = Subject::of(execution, &self.types, trace, core);
            order.sort_by_key(|(interpolator, _)| !interpolator.suits(subject));
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
