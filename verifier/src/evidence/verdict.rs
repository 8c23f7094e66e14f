//! The verdict of an analysis, and why there may be none.

use super::Counterexample;
use crate::cfa::{Assumption, EdgeId, Op, Program, PropertyKind, SourceId, Step};
use crate::monitor::StopReason;
use serde::{Deserialize, Serialize};

/// The verdict of an analysis.
#[derive(Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// No selected property can be violated.
    Safe,
    /// A property is violated, and the run that violates it was replayed.
    Unsafe(Box<Counterexample>),
    /// Neither was shown.
    Unknown(Reason),
}

/// Why there is no verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Reason {
    /// A limit was reached, or the user cancelled the run.
    Stopped(StopReason),
    /// The program does something that is not modelled, on a path that the analysis cannot exclude.
    Unsupported {
        /// What is not modelled.
        what: String,
        /// Its place in the source.
        place: SourceId,
    },
    /// A function exceeds the bound on recursion.
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
        /// The solver's reason.
        why: String,
        /// The path.
        path: Vec<Step>,
    },
    /// A feasible path does not lead to the error when it is replayed: a bug in Clew.
    Replay {
        /// How the replay ended.
        why: String,
        /// The path.
        path: Vec<Step>,
    },
    /// An error path depends on what an external function returned, and no run of the compiled program confirms that.
    External {
        /// The function.
        function: String,
        /// The value that it was assumed to return; `None` if it is in memory.
        value: Option<String>,
        /// How the run ended, or why there was none.
        why: String,
        /// The place of the call.
        place: SourceId,
        /// The path.
        path: Vec<Step>,
    },
    /// A run of the compiled program with the inputs of an error path does not reach the error.
    Native {
        /// How it ended.
        how: String,
        /// The path.
        path: Vec<Step>,
    },
    /// No contracts of the recursive functions were found that exclude all errors.
    NoSummary,
    /// No invariants of distinguished cells were found that exclude all errors.
    NoCells,
    /// No run that was tried violates the property.
    NoViolation,
    /// Refinement found the same error path again.
    NoProgress(Vec<Step>),
    /// The property cannot be checked yet.
    Property(String),
    /// The program claims nothing, so there is nothing that could be violated.
    NothingToCheck,
    /// No violation was found, but the proof rests on assumptions, and none are allowed.
    Assumptions(Vec<Assumption>),
    /// No violation was found, but a part of the program may lack the checks for that kind of property.
    NoChecks(PropertyKind),
}

impl Reason {
    /// Why a path that ends before its last step cannot be followed further.
    pub fn blocked(program: &Program, path: &[Step], recursion: u32) -> Reason {
        let last = path.last().and_then(|step| Reason::blocked_at(program, step.edge, recursion));
        last.unwrap_or_else(|| Reason::NoProgress(path.to_vec()))
    }

    /// Why an edge cannot be followed, if its operation gives a reason.
    pub fn blocked_at(program: &Program, edge: EdgeId, recursion: u32) -> Option<Reason> {
        let edge = program.edge(edge);
        match &edge.op {
            Op::Call { callee, .. } => {
                let function = program.function(*callee).display_name.to_string();
                Some(Reason::Recursion { function, bound: recursion })
            }
            Op::Unsupported(what) => Some(Reason::Unsupported { what: what.to_string(), place: edge.source }),
            _ => None,
        }
    }
}
