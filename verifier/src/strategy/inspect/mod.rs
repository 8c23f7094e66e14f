//! What an analysis has built, for people to look at: its abstract reachability graph and its precision.
//!
//! Nothing here but `value` knows a domain: a domain says what its states hold, in the terms of the source, and the rest
//! is the same for all.

mod dot;
mod graph;
mod json;
mod names;
mod precision;
mod svg;
mod text;
pub(super) mod value;

#[cfg(test)]
mod tests;

pub use graph::{Edge, Fate, Graph, Node};
pub use names::Names;
pub use precision::{Precision, Scope};
pub use svg::TooLarge;

use super::options::CheckOptions;
use super::report::Verdict;
use crate::cfa::Program;
use crate::monitor::Monitor;

/// What an analysis has built by its end.
#[derive(Debug)]
pub struct Inspection {
    /// The answer.
    pub verdict: Verdict,
    /// The abstract states that it has reached.
    pub graph: Graph,
    /// What it keeps of states.
    pub precision: Precision,
}

/// Checks `program` as `options` say, with one abstract state at each location that a path passes, as the papers do.
pub fn inspect(program: &Program, options: &CheckOptions, monitor: &Monitor) -> Inspection {
    super::value::inspect(program, options, monitor)
}
