//! Solvers in processes of their own. The verifier starts no processes, so the command implements [`Solvers`].

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// What a solver supports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capabilities {
    /// Arrays, which encode memories.
    pub memories: bool,
    /// The theory of floats.
    pub floats: bool,
    /// Floats of other formats than those of IEEE 754.
    pub other_formats: bool,
    /// Assumptions, and which of them it needed.
    pub cores: bool,
}

impl Capabilities {
    /// Everything that Clew asks for.
    pub const ALL: Capabilities = Capabilities { memories: true, floats: true, other_formats: true, cores: true };
}

/// A program that speaks SMT-LIB.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverProgram {
    /// Its name in options and statistics. Names live as long as the process.
    pub name: &'static str,
    /// What it supports.
    pub capabilities: Capabilities,
}

/// The solvers for hard queries.
pub trait Solvers: fmt::Debug + Send + Sync {
    /// The programs, in the order of preference.
    fn programs(&self) -> &[SolverProgram];

    /// Whether Z3 answers hard queries too, in this process.
    fn includes_z3(&self) -> bool;

    /// Starts the program with this index, or takes an idle process of it. An error says why it cannot be started.
    ///
    /// Processes end with the thread that starts them.
    fn start(&self, program: usize) -> Result<Box<dyn SolverProcess>, String>;
}

/// A process of a solver. It is killed when it is dropped.
pub trait SolverProcess: fmt::Debug + Send {
    /// Queues input. Never blocks.
    fn send(&mut self, text: &str);

    /// Sends queued input and returns new output, for which it waits at most `time`. An error says how the process has
    /// ended.
    fn receive(&mut self, time: Duration) -> Result<String, String>;

    /// The time on the processors since the last call.
    fn cpu(&mut self) -> Duration;

    /// Keeps the process, which has answered all that it was asked, for later queries.
    fn release(self: Box<Self>);
}

/// Counters of a solver, for hard queries.
#[derive(Debug)]
pub struct SolverCounters {
    /// Its name.
    pub name: &'static str,
    /// Queries it was asked.
    pub calls: AtomicU64,
    /// Queries it answered first.
    pub wins: AtomicU64,
    /// Its time on them, in microseconds.
    pub micros: AtomicU64,
    /// Crashes, answers that are none, and processes that did not start.
    pub failures: AtomicU64,
    /// Models that do not satisfy the query.
    pub wrong_models: AtomicU64,
}

impl SolverCounters {
    pub(super) fn new(name: &'static str) -> SolverCounters {
        let [calls, wins, micros, failures, wrong_models] = [const { AtomicU64::new(0) }; 5];
        SolverCounters { name, calls, wins, micros, failures, wrong_models }
    }

    /// All counters, in a fixed order.
    pub(super) fn numbers(&self) -> [&AtomicU64; 5] {
        [&self.calls, &self.wins, &self.micros, &self.failures, &self.wrong_models]
    }
}
