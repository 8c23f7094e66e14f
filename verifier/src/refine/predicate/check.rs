//! Validation of interpolants: none is used unchecked.

use super::core::are_contradictory;
use super::rewrite::mentions;
use super::trace::{Trace, express_all, is_program_variable};
use crate::expr::Expr;
use crate::formula::Execution;
use crate::smt::Solver;

/// Checks that interpolants, one for each cut, are inductive along the trace: the interpolant at a cut and the
/// following segment imply the next one. The first segment has no precondition, and the last one is infeasible. They
/// must be over program variables only. An error says what is wrong.
pub fn check(
    execution: &mut Execution<'_>,
    solver: &mut Solver<'_>,
    trace: &Trace,
    interpolants: &[Expr],
) -> Result<(), String> {
    if interpolants.len() != trace.cuts() {
        return Err("there is not one interpolant for each cut".into());
    }
    for &interpolant in interpolants {
        if mentions(&execution.pool, interpolant, |var| !is_program_variable(&execution.symbols, var)) {
            return Err("an interpolant speaks of inputs".into());
        }
    }
    for (i, segment) in trace.segments.iter().enumerate() {
        let mut state = segment.clone();
        let mut conditions: Vec<Expr> = i.checked_sub(1).map(|i| interpolants[i]).into_iter().collect();
        if let Some(&next) = interpolants.get(i) {
            let expressed = express_all(execution, &mut state, &[next])?[0];
            conditions.push(execution.pool.not(expressed));
        }
        conditions.extend(execution.conditions(&state));
        if !are_contradictory(&mut execution.pool, solver, &conditions)? {
            return Err(format!("segment {i} leads out of the interpolants"));
        }
    }
    Ok(())
}

/// Whether the prefix of the trace up to `cut` can be taken such that `conditions` hold there.
pub(super) fn may_reach(
    execution: &mut Execution<'_>,
    solver: &mut Solver<'_>,
    trace: &Trace,
    cut: usize,
    conditions: &[Expr],
) -> Result<bool, String> {
    let Some(prefix) = &trace.prefixes[cut] else { return Ok(false) };
    let mut state = prefix.clone();
    let mut all = express_all(execution, &mut state, conditions)?;
    all.extend(execution.conditions(&state));
    are_contradictory(&mut execution.pool, solver, &all).map(|excluded| !excluded)
}
