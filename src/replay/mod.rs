//! Native replay: the compiled program, run with the inputs of a counterexample.

mod command;
mod runner;
mod sandbox;
mod syscalls;

use std::time::Duration;

use clap::ValueEnum;
use clew_verifier::monitor::{NativeRun, NativeRuns, RunResult};

pub use command::{Replay, replay, write_harness};
pub use runner::{Confinement, Runner};
pub use sandbox::{Confined, become_confined};

/// What confirms a violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Confirmation {
    /// Running the compiled program with the same inputs
    Native,
    /// The interpreter; values of external functions confirm nothing
    Interpreter,
    /// Nothing: values of external functions are believed
    None,
}

impl Confirmation {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Confirmation::Native => "native",
            Confirmation::Interpreter => "interpreter",
            Confirmation::None => "none",
        }
    }
}

/// Runs nothing, since the user wants none.
#[derive(Debug)]
pub struct NoRuns;

impl NativeRuns for NoRuns {
    fn run(&self, _: &NativeRun, _: Option<Duration>) -> RunResult {
        RunResult::Unknown("--replay interpreter".into())
    }

    fn count(&self) -> u64 {
        0
    }
}
