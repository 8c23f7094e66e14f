//! Interpolators one after the other, until what one says is right.

use super::check::check;
use super::core::{Core, Feasibility};
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

/// A list of interpolators.
pub struct Interpolators {
    pub(super) list: Vec<(Box<dyn Interpolator>, Counts)>,
    /// What the variables of the program are used for, if that decides who is asked first.
    pub(super) types: Option<DomainTypes>,
}

impl Interpolators {
    /// These, in this order.
    pub fn new(list: Vec<Box<dyn Interpolator>>) -> Interpolators {
        let counted = |one: Box<dyn Interpolator>| {
            let counts = Counts { name: one.name(), ..Counts::default() };
            (one, counts)
        };
        Interpolators { list: list.into_iter().map(counted).collect(), types: None }
    }

    /// How they fared so far, in order.
    pub fn counts(&self) -> impl Iterator<Item = &Counts> {
        self.list.iter().map(|(_, counts)| counts)
    }

    /// Interpolants for a trace. An error says what cannot be expressed.
    pub fn interpolate(
        &mut self,
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        mut trace: Trace,
    ) -> Result<Outcome, String> {
        let core = match Core::find(execution, solver, &mut trace)? {
            Feasibility::Infeasible(core) => core,
            Feasibility::Feasible => return Ok(Outcome::Feasible),
            Feasibility::Unknown(why) => return Ok(Outcome::Unknown(why)),
        };
        let mut order: Vec<_> = self.list.iter_mut().collect();
        if let Some(types) = &self.types {
            let subject = Subject::of(execution, types, &trace, &core);
            order.sort_by_key(|(interpolator, _)| !interpolator.suits(subject));
        }
        for (interpolator, counts) in order {
            let failure = match interpolator.interpolate(execution, solver, &trace, &core) {
                Ok(interpolants) => match check(execution, solver, &trace, &interpolants) {
                    Ok(()) => {
                        counts.successes += 1;
                        return Ok(Outcome::Interpolants(interpolants));
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
        let rest = core.rest.into_iter();
        Ok(Outcome::Hints(rest.map(|conditions| all(&mut execution.pool, conditions)).collect()))
    }
}
