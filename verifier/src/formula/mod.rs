//! Path formulas: the conditions on inputs under which a run follows a path.
//!
//! A path is executed symbolically. Constants are propagated and reads are resolved against writes, so that little is
//! left for the solver. The formula is exact with respect to the interpreter: every run along the path is a model, and
//! every model is a run, unless [`PathFormula::inexact`] says otherwise. It never excludes a run.

mod access;
mod cells;
mod execution;
mod express;
mod join;
mod lazy;
mod memory;
mod operations;
mod past;
mod skipped;
mod spans;
mod state;
mod symbols;
mod translate;

pub use execution::{Execution, Mark};
pub use express::Pinned;
pub use state::State;
pub use symbols::{Symbol, Symbols};

use crate::cfa::path::Step;
use crate::cfa::program::Program;
use crate::expr::{Expr, Pool};
use crate::tuning::Formula;

/// The condition of one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// The position of the step.
    pub step: usize,
    /// The condition.
    pub condition: Expr,
}

/// The conditions for taking a path.
#[derive(Clone, Debug)]
pub struct PathFormula {
    /// The program's expressions and those derived.
    pub pool: Pool,
    /// The meaning of the variables in conditions.
    pub symbols: Symbols,
    /// Conditions in order, at most one for each step. The last one is `false` if the path is infeasible.
    pub constraints: Vec<Constraint>,
    /// Why some models may not correspond to runs along the path, if so.
    pub inexact: Option<String>,
}

impl PathFormula {
    /// The formula of a path from the start of the program; an error says what cannot be expressed.
    pub fn new(program: &Program, path: &[Step], tuning: Formula) -> Result<PathFormula, String> {
        let mut execution = Execution::new(program, tuning);
        let mut constraints = Vec::new();
        for (step, &taken) in path.iter().enumerate() {
            let condition = execution.step(taken)?;
            if let Some(condition) = condition {
                constraints.push(Constraint { step, condition });
                if execution.pool.as_const(condition).is_some() {
                    break;
                }
            }
        }
        let Execution { pool, symbols, inexact, .. } = execution;
        Ok(PathFormula { pool, symbols, constraints, inexact })
    }
}
