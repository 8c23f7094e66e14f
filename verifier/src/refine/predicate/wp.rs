//! Interpolants by weakest preconditions, backwards from the end of the trace.

use super::check::may_reach;
use super::core::{Core, are_contradictory};
use super::eliminate::eliminate;
use super::rewrite::{all, conjuncts};
use super::trace::{Trace, express_all, is_program_variable};
use super::{Interpolator, Subject};
use crate::expr::Expr;
use crate::formula::Execution;
use crate::smt::Solver;
use crate::tuning::Interpolation;

/// At each cut, the negation of the condition under which the rest of the trace can be taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct WeakestPreconditions;

impl Interpolator for WeakestPreconditions {
    fn name(&self) -> &'static str {
        "newton-wp"
    }

    /// With more iterations, preconditions differ in each one and do not generalise.
    fn suits(&self, subject: Subject, tuning: &Interpolation) -> bool {
        subject.rounds <= tuning.wp_max_rounds
    }

    fn interpolate(
        &mut self,
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        trace: &Trace,
        core: &Core,
    ) -> Result<Vec<Expr>, String> {
        let mut interpolants = vec![execution.pool.bool(true); trace.cuts()];
        // The precondition at the cut processed last.
        let mut needed: Vec<Expr> = Vec::new();
        for cut in (0..trace.cuts()).rev() {
            let mut state = trace.segments[cut + 1].clone();
            let later = express_all(execution, &mut state, &needed)?;
            let own = core.conditions[cut + 1].iter().copied();
            let before = conjuncts(&mut execution.pool, own.chain(later));
            let (symbols, limits) = (&execution.symbols, &solver.monitor().tuning.interpolation);
            let eliminated = eliminate(&mut execution.pool, before, &|var| !is_program_variable(symbols, var), limits);
            needed = eliminated.conjuncts;
            if !eliminated.exact && may_reach(execution, solver, trace, cut, &needed)? {
                return Err("inputs cannot be taken out of a precondition".into());
            }
            if are_contradictory(&mut execution.pool, solver, &needed) == Ok(true) {
                // The rest is infeasible by itself: interpolants before are `true`.
                break;
            }
            let precondition = all(&mut execution.pool, needed.iter().copied());
            interpolants[cut] = execution.pool.not(precondition);
        }
        Ok(interpolants)
    }
}
