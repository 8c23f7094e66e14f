//! What comes out of a run.

use crate::cfa::SourceId;
use crate::cfa::path::Step;
use crate::evidence::Counterexample;
use crate::monitor::Stop;

/// The answer.
#[derive(Debug)]
pub enum Verdict {
    /// No selected property can be violated.
    Safe,
    /// A property is violated, and the run that does so was replayed.
    Unsafe(Box<Counterexample>),
    /// Neither is known.
    Unknown(Reason),
}

/// Why there is no verdict.
#[derive(Clone, Debug)]
pub enum Reason {
    /// A limit was reached, or the user stopped the run.
    Stopped(Stop),
    /// The program does something that is not modelled, on a path that the analysis cannot exclude.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        place: SourceId,
    },
    /// A function calls itself more often than the bound allows.
    Recursion {
        /// The function.
        function: String,
        /// The bound.
        bound: u32,
    },
    /// A loop, or recursion, can exceed the largest bound.
    Bound {
        /// The bound.
        bound: u32,
        /// The loop, or the function.
        place: SourceId,
    },
    /// An error path is infeasible, but the domain cannot express why.
    NeedsPredicates(Vec<Step>),
    /// The solver gave no answer on an error path.
    Solver {
        /// What it said.
        why: String,
        /// The path.
        path: Vec<Step>,
    },
    /// A feasible path does not lead to the error when it is replayed, which is a mistake of Clew.
    Replay {
        /// How the replay ended.
        why: String,
        /// The path.
        path: Vec<Step>,
    },
    /// Refinement found the same error path again.
    NoProgress(Vec<Step>),
    /// The property cannot be checked yet.
    Property(String),
}

/// The answer and what belongs to it.
#[derive(Debug)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
}
