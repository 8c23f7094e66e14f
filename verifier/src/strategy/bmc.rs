//! The configurations `bmc` and `k-induction`: all paths up to a bound that grows, and induction beyond it.

use super::options::{CheckOptions, Config};
use super::report::{Reason, Verdict};
use crate::algorithm::bmc::{self, Doubt, Invariants, Outcome, Settings};
use crate::cfa::{EdgeId, Expr, LocId, Op, Program, SourceId};
use crate::monitor::Monitor;

/// Runs the analysis.
pub(super) fn check(program: &Program, options: &CheckOptions, monitor: &Monitor) -> Verdict {
    let none = |_: LocId| -> Vec<Expr> { Vec::new() };
    let settings = Settings {
        errors: super::selected_errors(program, &options.properties),
        bound: options.bound,
        recursion: options.recursion,
        induction: (options.config == Config::KInduction).then_some(&none as Invariants<'_>),
    };
    match bmc::check(program, settings, monitor) {
        Outcome::Safe => Verdict::Safe,
        Outcome::Unsafe(counterexample) => Verdict::Unsafe(counterexample),
        Outcome::Stopped(stop) => Verdict::Unknown(Reason::Stopped(stop)),
        Outcome::Bound(bound, location) => Verdict::Unknown(Reason::Bound { bound, place: place(program, location) }),
        Outcome::Blocked(edge, why) => Verdict::Unknown(blocked(program, edge, why, options)),
        Outcome::Doubtful(Doubt::Solver { why, path }) => Verdict::Unknown(Reason::Solver { why, path }),
        Outcome::Doubtful(Doubt::Replay { why, path }) => Verdict::Unknown(Reason::Replay { why, path }),
    }
}

/// Where a location is in the source: the first place that is known from there on.
fn place(program: &Program, location: LocId) -> SourceId {
    let mut places = program.leaving(location).map(|(_, edge)| edge.source);
    let function = program.location(location).function;
    places.find(|&place| place != SourceId::NONE).unwrap_or(program.function(function).declared)
}

fn blocked(program: &Program, edge: EdgeId, why: Option<String>, options: &CheckOptions) -> Reason {
    let edge = program.edge(edge);
    match (&edge.op, why) {
        (_, Some(what)) => Reason::Unsupported { what, place: edge.source },
        (Op::Call { callee, .. }, None) => {
            Reason::Recursion { function: program.function(*callee).display_name.to_string(), bound: options.recursion }
        }
        (Op::Unsupported(what), None) => Reason::Unsupported { what: what.to_string(), place: edge.source },
        (_, None) => Reason::Unsupported { what: "it cannot be followed".into(), place: edge.source },
    }
}
