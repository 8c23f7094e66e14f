//! Runs of the compiled program. The verifier does no I/O, so the command implements them.

use std::fmt;
use std::time::Duration;

/// Runs the compiled program with the inputs of counterexamples.
pub trait NativeRuns: fmt::Debug + Send + Sync {
    /// Runs it once; `limit` bounds the time, compiling included.
    fn run(&self, run: &NativeRun, limit: Option<Duration>) -> RunResult;

    /// The number of runs so far. Neither locks nor allocates.
    fn count(&self) -> u64;
}

/// A run to perform.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeRun {
    /// The inputs, in the order of the calls that ask for them.
    pub inputs: Vec<NativeInput>,
    /// The number of arguments of the program, with its name, if the path depends on it.
    pub argument_count: Option<u32>,
    /// The file, line and column of the violation.
    pub place: (String, u32, u32),
}

/// An input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeInput {
    /// The function that returns it.
    pub function: String,
    /// The bits of its value.
    pub bits: u128,
    /// The line that asks for it.
    pub line: u32,
}

/// How a run went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunResult {
    /// It violated the property at that place.
    Reached,
    /// It ended otherwise, and nothing but the inputs could have influenced it.
    Missed(String),
    /// It says nothing about the violation, for that reason.
    Unknown(String),
}
