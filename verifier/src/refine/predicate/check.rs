//! Interpolants are believed only after they have been checked.

use super::core::exclude_each_other;
use super::rewrite::mentions;
use super::trace::{Trace, express_all, is_program_variable};
use crate::cfa::expr::Expr;
use crate::formula::Execution;
use crate::smt::Solver;

/// Checks that interpolants, one for each cut, exclude the trace step by step: what holds at a cut and the segment behind
/// it imply what holds at the next one; nothing is assumed at the start, and nothing is left at the end. They speak of
/// variables of the program only. An error says what is wrong.
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
        if !exclude_each_other(&mut execution.pool, solver, &conditions)? {
            return Err(format!("segment {i} leads out of the interpolants"));
        }
    }
    Ok(())
}

/// Can the first part of the trace be taken such that `conditions` hold at the cut behind it?
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
    exclude_each_other(&mut execution.pool, solver, &all).map(|excluded| !excluded)
}
