//! What an analysis has built, for people to look at: its abstract reachability graph and its precision.
//!
//! Nothing here but `value`, `predicate` and `combined` knows a domain: a domain says what its states hold, in the terms of the source, and the rest
//! is the same for all.

pub(super) mod combined;
mod dot;
mod graph;
mod json;
mod names;
mod precision;
pub(super) mod predicate;
mod svg;
mod text;
pub(super) mod value;

pub use graph::{Edge, Fate, Graph, Node};
pub use names::Names;
pub use precision::{Moved, Precision, Scope};
pub use svg::TooLarge;

use super::options::{CheckOptions, Config};
use super::report::Verdict;
use crate::algorithm::Stops;
use crate::cfa::Program;
use crate::monitor::Monitor;

/// What an analysis has built by its end. Nothing is made that nobody asks for.
pub trait View {
    /// The abstract states that it has reached.
    fn graph(&self, names: &Names<'_>) -> Graph;

    /// What it keeps of states.
    fn precision(&self, names: &Names<'_>) -> Precision;
}

/// Checks `program` as `options` say, with one abstract state at each location that a path passes, as the papers do, and
/// lets `look` see what was built. `None` if the configuration builds no graph.
pub fn inspect<T>(
    program: &Program,
    options: &CheckOptions,
    monitor: &Monitor,
    look: impl FnOnce(&dyn View) -> T,
) -> Option<(Verdict, T)> {
    let mut seen = None;
    let look = |view: &dyn View| seen = Some(look(view));
    let verdict = match options.config {
        Config::Auto | Config::Value | Config::ValueFull => {
            super::value::run(program, options, Stops::Everywhere, monitor, look)
        }
        Config::Predicate => super::predicate::run(program, options, Stops::Everywhere, monitor, look),
        Config::ValuePredicate | Config::ValueFullPredicate => {
            super::combined::run(program, options, Stops::Everywhere, monitor, look)
        }
        Config::Bmc | Config::KInduction => return None,
    };
    Some((verdict, seen?))
}
