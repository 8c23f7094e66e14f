//! Is an error path feasible?

use super::counterexample::Counterexample;
use super::replay::replay;
use crate::cfa::path::Step;
use crate::cfa::program::Program;
use crate::formula::PathFormula;
use crate::monitor::{Monitor, Phase};
use crate::smt::{Answer, Options, Solver};

/// What became of an error path.
#[derive(Debug)]
pub enum PathCheck {
    /// It can be taken, and the interpreter has taken it.
    Feasible(Box<Counterexample>),
    /// No run takes it.
    Infeasible {
        /// The positions of steps whose conditions exclude each other already.
        core: Vec<usize>,
    },
    /// It is not known whether it can be taken, for this reason.
    Unknown(String),
    /// It can be taken, but the interpreter ended elsewhere: a mistake of Clew.
    ReplayFailed(String),
}

/// Checks whether a run can take `path`, which leads from the start of the program to an error location.
pub fn check_path(program: &Program, path: &[Step], monitor: &Monitor) -> PathCheck {
    let before = monitor.enter(Phase::Checking);
    let result = check(program, path, monitor);
    monitor.enter(before);
    result
}

fn check(program: &Program, path: &[Step], monitor: &Monitor) -> PathCheck {
    let formula = match PathFormula::new(program, path) {
        Ok(formula) => formula,
        Err(why) => return PathCheck::Unknown(why),
    };
    if let Some(last) = formula.constraints.last()
        && formula.pool.as_const(last.condition).is_some()
    {
        return PathCheck::Infeasible { core: vec![last.step] };
    }
    let conditions: Vec<_> = formula.constraints.iter().map(|constraint| constraint.condition).collect();
    let mut solver = Solver::new(monitor, Options::default());
    match solver.check_once(&formula.pool, &conditions) {
        Answer::Unknown(why) => PathCheck::Unknown(format!("the solver gave up: {why}")),
        Answer::Unsat(_) => {
            // All conditions exclude each other; fewer would be better, but are not needed.
            let core = match solver.core(&formula.pool, &conditions) {
                Answer::Unsat(core) => core,
                Answer::Sat(_) | Answer::Unknown(_) => (0..conditions.len()).collect(),
            };
            PathCheck::Infeasible { core: core.into_iter().map(|i| formula.constraints[i].step).collect() }
        }
        Answer::Sat(model) => {
            monitor.enter(Phase::Replaying);
            let inexact = formula.inexact.clone();
            match (replay(program, path, formula, &model), inexact) {
                (Ok(counterexample), _) => PathCheck::Feasible(Box::new(counterexample)),
                (Err(failed), None) => PathCheck::ReplayFailed(failed),
                (Err(failed), Some(why)) => PathCheck::Unknown(format!("the path was approximated, {why}: {failed}")),
            }
        }
    }
}
