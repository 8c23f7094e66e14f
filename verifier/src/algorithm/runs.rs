//! Concrete runs on random inputs: they find errors that many inputs lead to, however long the way is.

use std::collections::BTreeSet;

use super::guess::inputs::{NearConstants, constants};
use crate::cfa::{LocId, Program};
use crate::evidence::{PathCheck, Reason, Verdict, check_run};
use crate::interpreter::{FinishedRun, Interpreter, Limits, RunEnd};
use crate::monitor::{Monitor, StopReason};

/// Searches for an error among `errors` by runs of `program`. Proves nothing.
pub fn check(program: &Program, errors: &[LocId], monitor: &Monitor) -> Verdict {
    search(program, errors, monitor).unwrap_or_else(|stop| Verdict::Unknown(Reason::Stopped(stop)))
}

fn search(program: &Program, errors: &[LocId], monitor: &Monitor) -> Result<Verdict, StopReason> {
    let errors: BTreeSet<LocId> = errors.iter().copied().collect();
    let constants = constants(program);
    let interpreter = Interpreter::new(program);
    let tuning = monitor.tuning.runs;
    let rounds = [(tuning.short_runs, tuning.short_steps), (tuning.long_runs, tuning.long_steps)];
    let mut seed = 0;
    // What was found, but is not confirmed.
    let mut doubt = None;
    for (runs, steps) in rounds {
        for _ in 0..runs {
            monitor.check()?;
            seed += 1;
            let limits = Limits { steps, depth: tuning.depth };
            let FinishedRun { end, record, .. } = interpreter.run(&mut NearConstants::new(seed, &constants), limits);
            if let RunEnd::Error(target) = end
                && errors.contains(&target)
            {
                let mut inputs = NearConstants::new(seed, &constants);
                match check_run(program, &mut inputs, target, limits, monitor) {
                    Some(PathCheck::Feasible(found)) => return Ok(Verdict::Unsafe(found)),
                    Some(PathCheck::Undecided(reason)) => doubt = Some(reason),
                    Some(PathCheck::Infeasible { .. }) | None => {}
                }
            }
            // Without inputs and choices, all runs are the same.
            if record.values.is_empty() && record.choices.is_empty() && end != RunEnd::StepLimit {
                break;
            }
        }
    }
    Ok(Verdict::Unknown(doubt.unwrap_or(Reason::NoViolation)))
}
