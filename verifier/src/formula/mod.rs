//! Path formulas: what must hold of the inputs for a run to follow a path.
//!
//! A path is executed with symbols for all that the program does not determine. Constants propagate, and reads find what
//! was written, so that little is left for the solver. The formula says exactly what the interpreter does: every run along
//! the path is a model, and every model is a run, unless [`PathFormula::inexact`] says why not; runs are never lost.

mod access;
mod execution;
mod express;
mod join;
mod lazy;
mod memory;
mod operations;
mod past;
mod state;
mod symbols;
mod translate;

pub use execution::{Execution, Mark};
pub use express::Pinned;
pub use state::State;
pub use symbols::{Symbol, Symbols};

use crate::cfa::expr::{Expr, Pool};
use crate::cfa::path::Step;
use crate::cfa::program::Program;

/// What must hold at one step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// The position of the step.
    pub step: usize,
    /// What must hold.
    pub condition: Expr,
}

/// The conditions under which a path is taken.
#[derive(Clone, Debug)]
pub struct PathFormula {
    /// The expressions: those of the program, and more.
    pub pool: Pool,
    /// What the variables of the conditions stand for.
    pub symbols: Symbols,
    /// What must hold, at most one condition for each step, in order. The last one is `false` if it cannot.
    pub constraints: Vec<Constraint>,
    /// Why there may be models that no run along the path has, if there are.
    pub inexact: Option<String>,
}

impl PathFormula {
    /// The formula of a path from the start of the program; an error says what cannot be expressed.
    pub fn new(program: &Program, path: &[Step]) -> Result<PathFormula, String> {
        let mut execution = Execution::new(program);
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
