//! Why there is no verdict, in words: what stopped the run, where, and what to try.

use std::fmt;

use clew_verifier::cfa::path::Step;
use clew_verifier::cfa::{Program, SourceId};
use clew_verifier::monitor::Stop;
use clew_verifier::strategy::Reason;

use super::limits::Limits;
use super::place::{Place, violated};
use super::statistics::bytes;

/// A reason and what is needed to explain it.
#[derive(Clone, Copy, Debug)]
pub struct Explanation<'a> {
    reason: &'a Reason,
    limits: &'a Limits,
}

impl<'a> Explanation<'a> {
    /// Explains `reason` for a run within `limits`.
    pub fn new(reason: &'a Reason, limits: &'a Limits) -> Explanation<'a> {
        Explanation { reason, limits }
    }

    /// A word for programs.
    pub fn kind(&self) -> &'static str {
        match self.reason {
            Reason::Stopped(Stop::Time | Stop::Turn) => "time",
            Reason::Stopped(Stop::Memory) => "memory",
            Reason::Stopped(Stop::Interrupted) => "interrupted",
            Reason::Unsupported { .. } => "unsupported",
            Reason::Recursion { .. } => "recursion",
            Reason::Bound { .. } => "bound",
            Reason::NeedsPredicates(_) => "needs-predicates",
            Reason::Solver { .. } => "solver",
            Reason::Replay { .. } => "replay",
            Reason::NoProgress(_) => "no-progress",
            Reason::Property(_) => "property",
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self.reason {
            Reason::Stopped(Stop::Time | Stop::Turn) => "a longer --time-limit, or another --config or --order",
            Reason::Stopped(Stop::Memory) => "a larger --memory-limit, or another --order",
            Reason::Stopped(Stop::Interrupted) => "--time-limit ends a run that takes too long by itself",
            Reason::Unsupported { .. } => {
                "replacing it by code that does the same; functions without a body follow --externals"
            }
            Reason::Recursion { .. } => "a larger --max-recursion",
            Reason::Bound { .. } => "a larger --bound, or --config k-induction",
            Reason::NeedsPredicates(_) => "--config predicate: no values of variables exclude this path",
            Reason::Solver { .. } => "a longer --time-limit, or another --order, which finds other paths first",
            Reason::Replay { .. } => "nothing: this is a mistake of Clew; please report it with the program",
            Reason::NoProgress(_) => "another --config, --refinement restart or another --precision",
            Reason::Property(_) => "--property unreach-call,assert",
        }
    }

    /// The path that the analysis could not decide.
    pub fn path(&self) -> Option<&'a [Step]> {
        match self.reason {
            Reason::NeedsPredicates(path) | Reason::NoProgress(path) => Some(path),
            Reason::Solver { path, .. } | Reason::Replay { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Where it happened, if it has a place in the source.
    pub fn place<'p>(&self, program: &'p Program) -> Option<Place<'p>> {
        let id = match self.reason {
            Reason::Unsupported { place, .. } | Reason::Bound { place, .. } => *place,
            Reason::Recursion { function, .. } => {
                let named = program.functions.iter().find(|f| *f.display_name == **function || *f.name == **function);
                named.map_or(SourceId::NONE, |f| f.declared)
            }
            _ => violated(program, self.path()?)?.place,
        };
        Place::of(program, id)
    }
}

/// What stopped the run.
impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::Stopped(Stop::Time | Stop::Turn) => match (self.limits.time, self.limits.cpu) {
                (Some(time), None) => write!(f, "out of time (limit {})", humantime::format_duration(time)),
                (None, Some(cpu)) => write!(f, "out of time (limit {} of CPU time)", humantime::format_duration(cpu)),
                _ => f.write_str("out of time"),
            },
            Reason::Stopped(Stop::Memory) => match self.limits.address_space {
                // It is the address space that ends first then.
                Some(space) if space <= self.limits.memory / 85 * 100 + 100 => {
                    write!(f, "out of memory (limit {} of address space)", bytes(space))
                }
                _ => write!(f, "out of memory (limit {})", bytes(self.limits.memory)),
            },
            Reason::Stopped(Stop::Interrupted) => f.write_str("interrupted"),
            Reason::Unsupported { what, .. } => write!(f, "unsupported: {what}"),
            Reason::Recursion { function, bound } => write!(f, "{function} is under way more than {bound} times"),
            Reason::Bound { bound, .. } => write!(f, "a loop can exceed the bound {bound}"),
            Reason::NeedsPredicates(_) => f.write_str("needs predicates: values cannot exclude an infeasible path"),
            Reason::Solver { why, .. } => write!(f, "the solver gave up ({why})"),
            Reason::Replay { why, .. } => write!(f, "a path to an error does not replay ({why})"),
            Reason::NoProgress(_) => f.write_str("no progress: the same path came back after its refinement"),
            Reason::Property(kind) => write!(f, "the property {kind} cannot be checked yet"),
        }
    }
}
