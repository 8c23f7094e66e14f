//! Worker processes: copies of this process that each run one analysis.
//!
//! The verifier starts no processes, so the command implements [`Workers`].

use std::fmt;
use std::time::Duration;

/// A worker, by the order of its start.
pub type WorkerId = usize;

/// How a worker ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkerEnd {
    /// It sent this.
    Sent(Vec<u8>),
    /// It ran out of memory.
    OutOfMemory,
    /// It was killed or crashed; the text says how.
    Crashed(String),
}

/// Starts, pauses and ends worker processes.
pub trait Workers: fmt::Debug + Send + Sync {
    /// Starts a worker, which runs `job`, sends the result and ends. An error says why it cannot be started.
    ///
    /// `job` is called in the new process only, which has a copy of everything that this one has.
    fn start(&self, job: &mut dyn FnMut() -> Vec<u8>) -> Result<WorkerId, String>;

    /// Stops the execution of a worker until it is resumed.
    fn pause(&self, worker: WorkerId);

    /// Continues the execution of a worker.
    fn resume(&self, worker: WorkerId);

    /// Kills a worker.
    fn kill(&self, worker: WorkerId);

    /// Waits until a worker ends, but not longer than `time`.
    fn wait(&self, time: Duration) -> Option<(WorkerId, WorkerEnd)>;

    /// The time that a worker has spent on the processors.
    fn cpu(&self, worker: WorkerId) -> Duration;

    /// The resident memory of a worker, in bytes.
    fn memory(&self, worker: WorkerId) -> u64;

    /// How many workers may run at the same time.
    fn jobs(&self) -> usize;

    /// How much memory all workers may use together, in bytes.
    fn memory_limit(&self) -> u64;
}
