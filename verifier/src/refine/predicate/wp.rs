//! Interpolants by weakest preconditions, from the end of the trace backwards.

use super::Interpolator;
use super::Subject;
use super::check::may_reach;
use super::core::{Core, exclude_each_other};
use super::eliminate::eliminate;
use super::rewrite::{all, conjuncts};
use super::trace::{Trace, express_all, is_program_variable};
use crate::cfa::expr::Expr;
use crate::formula::Execution;
use crate::smt::Solver;

/// At each cut, the negation of what the rest of the trace needs: as much of it as excludes the trace.
#[derive(Clone, Copy, Debug, Default)]
pub struct WeakestPreconditions;

/// How often a loop may be passed before others are asked first.
const FEW_ROUNDS: usize = 3;

impl Interpolator for WeakestPreconditions {
    fn name(&self) -> &'static str {
        "newton-wp"
    }

    /// Where a loop is passed again and again, what the rest needs is again and again something else.
    fn suits(&self, subject: Subject) -> bool {
        subject.rounds <= FEW_ROUNDS
    }

    fn interpolate(
        &mut self,
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        trace: &Trace,
        core: &Core,
    ) -> Result<Vec<Expr>, String> {
        let mut interpolants = vec![execution.pool.bool(true); trace.cuts()];
        // What must hold at the last cut that was looked at for the rest to be taken.
        let mut needed: Vec<Expr> = Vec::new();
        for cut in (0..trace.cuts()).rev() {
            let mut state = trace.segments[cut + 1].clone();
            let later = express_all(execution, &mut state, &needed)?;
            let own = core.conditions[cut + 1].iter().copied();
            let before = conjuncts(&mut execution.pool, own.chain(later));
            let symbols = &execution.symbols;
            let eliminated = eliminate(&mut execution.pool, before, &|var| !is_program_variable(symbols, var));
            needed = eliminated.conjuncts;
            if !eliminated.exact && may_reach(execution, solver, trace, cut, &needed)? {
                return Err("inputs cannot be taken out of a precondition".into());
            }
            if exclude_each_other(&mut execution.pool, solver, &needed) == Ok(true) {
                // The rest excludes itself: nothing need be known here or before.
                break;
            }
            let precondition = all(&mut execution.pool, needed.iter().copied());
            interpolants[cut] = execution.pool.not(precondition);
        }
        Ok(interpolants)
    }
}
