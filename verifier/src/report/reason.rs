//! Reasons for UNKNOWN: messages, places and hints.

use std::fmt;
use std::time::Duration;

use super::Sources;
use super::claim::{Claim, violated};
use super::place::Place;
use super::statistics::bytes;
use super::trail::{self, Passed};
use crate::cfa::path::Step;
use crate::cfa::{Program, SourceId};
pub use crate::evidence::Reason;
use crate::monitor::StopReason;

/// The configuration that runs all analyses.
const EVERYTHING: &str = "auto";

const WITH_ALL: &str = "--config auto, which runs several analyses";

impl Reason {
    /// The name in machine-readable reports.
    pub fn kind(&self) -> &'static str {
        match self {
            Reason::Stopped(StopReason::Time | StopReason::Turn) => "time",
            Reason::Stopped(StopReason::Memory) => "memory",
            Reason::Stopped(StopReason::Interrupted) => "interrupted",
            Reason::Unsupported { .. } => "unsupported",
            Reason::Recursion { .. } => "recursion",
            Reason::Bound { .. } => "bound",
            Reason::NeedsPredicates(_) => "needs-predicates",
            Reason::Solver { .. } => "solver",
            Reason::Replay { .. } => "replay",
            Reason::External { .. } => "external",
            Reason::Native { .. } => "native",
            Reason::NoProgress(_) => "no-progress",
            Reason::NoSummary => "no-summary",
            Reason::NoCells => "no-cells",
            Reason::NoViolation => "no-violation",
            Reason::Property(_) | Reason::NoChecks(_) => "property",
            Reason::NothingToCheck => "nothing-to-check",
            Reason::Assumptions(_) => "assumptions",
        }
    }

    /// What is likeliest to help. `config` is the configuration: where one analysis gave up, all of them may decide.
    pub fn hint(&self, config: &str) -> &'static str {
        let is_alone = config != EVERYTHING;
        match self {
            Reason::Stopped(StopReason::Time | StopReason::Turn) if is_alone => WITH_ALL,
            Reason::Stopped(StopReason::Time | StopReason::Turn) => "a longer --time-limit",
            Reason::Stopped(StopReason::Memory) => "a larger --memory-limit",
            Reason::Stopped(StopReason::Interrupted) => "--time-limit ends a run that takes too long by itself",
            Reason::Unsupported { .. } => {
                "replacing it by code that does the same; functions without a body follow --externals"
            }
            Reason::Recursion { .. } => "a larger --max-recursion",
            Reason::Bound { .. } => "a larger --bound",
            Reason::NeedsPredicates(_) if is_alone => "--config predicate: no values of variables exclude this path",
            Reason::NeedsPredicates(_) => "a longer --time-limit: no values of variables exclude this path",
            Reason::Solver { .. } if is_alone => WITH_ALL,
            Reason::Solver { .. } => "a longer --time-limit",
            Reason::Replay { .. } => "nothing: this is a mistake of Clew; please report it with the program",
            Reason::External { .. } => "--assume-any with the function, if it can return any value; or its definition",
            Reason::Native { .. } => "nothing: this may be a mistake of Clew; please report it with the program",
            Reason::NoProgress(_) if is_alone => WITH_ALL,
            Reason::NoProgress(_) => "--refinement restart",
            Reason::NoSummary | Reason::NoCells => {
                "--config auto: this configuration finds no errors, and not all proofs"
            }
            Reason::NoViolation => "--config auto: this configuration proves nothing",
            Reason::Property(_) => "--property unreach-call,assert",
            Reason::NothingToCheck => "assertions in the program, or --property ub for undefined behaviour",
            Reason::Assumptions(_) => "no --strict, or definitions of the functions that are named",
            Reason::NoChecks(_) => "the source files instead of bitcode: then clang adds the checks",
        }
    }

    /// The undecided path.
    fn path(&self) -> Option<&[Step]> {
        match self {
            Reason::NeedsPredicates(path) | Reason::NoProgress(path) => Some(path),
            Reason::Solver { path, .. } | Reason::Replay { path, .. } => Some(path),
            Reason::External { path, .. } | Reason::Native { path, .. } => Some(path),
            _ => None,
        }
    }

    /// The place in the source, if there is one.
    fn place<'p>(&self, program: &'p Program) -> Option<Place<'p>> {
        let id = match self {
            Reason::Unsupported { place, .. } | Reason::Bound { place, .. } | Reason::External { place, .. } => *place,
            Reason::Recursion { function, .. } => {
                let named = program.functions.iter().find(|f| *f.display_name == **function || *f.name == **function);
                named.map_or(SourceId::NONE, |f| f.declared)
            }
            _ => violated(program, self.path()?)?.place,
        };
        Place::of(program, id)
    }
}

/// Resource limits of the run.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits {
    /// Wall-clock time since the process started.
    pub time: Option<Duration>,
    /// CPU time, from `RLIMIT_CPU`.
    pub cpu: Option<Duration>,
    /// Resident memory, in bytes.
    pub memory: u64,
    /// Address space in bytes, from `RLIMIT_AS`.
    pub address_space: Option<u64>,
    /// The time since the process started, if the run has ended: it tells which limit on time was reached.
    pub elapsed: Option<Duration>,
}

/// Why a run is incomplete, with its context.
#[derive(Debug)]
pub struct Undecided<'a> {
    /// The reason.
    pub reason: &'a Reason,
    /// Resource limits of the run.
    pub limits: Limits,
    /// The phase in which the run was stopped, if it was.
    pub phase: Option<&'static str>,
    /// The place in the source, if there is one.
    pub place: Option<Place<'a>>,
    /// The property at the end of the undecided path.
    pub property: Option<Claim<'a>>,
    /// The source lines of that path.
    pub path: Option<Vec<Passed<'a>>>,
}

impl<'a> Undecided<'a> {
    /// Allocates nothing if there is no program.
    pub fn new(
        reason: &'a Reason,
        limits: Limits,
        phase: Option<&'static str>,
        program: Option<&'a Program>,
        sources: &dyn Sources,
    ) -> Undecided<'a> {
        let path = program.zip(reason.path());
        Undecided {
            reason,
            limits,
            phase: phase.filter(|_| matches!(reason, Reason::Stopped(_))),
            place: program.and_then(|program| reason.place(program)),
            property: path.and_then(|(program, path)| Some(Claim::of(violated(program, path)?))),
            path: path.map(|(program, path)| trail::lines(program, path, sources)),
        }
    }

    /// The message with the place or the phase.
    pub(super) fn in_context(&self) -> InContext<'_> {
        InContext(self)
    }
}

/// The message with the place or the phase.
pub(super) struct InContext<'a>(&'a Undecided<'a>);

impl fmt::Display for InContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InContext(undecided) = self;
        match (undecided.place, undecided.phase) {
            (Some(place), _) => write!(f, "{undecided}, at {place}"),
            (None, Some(phase)) => write!(f, "{undecided}, while {phase}"),
            (None, None) => write!(f, "{undecided}"),
        }
    }
}

/// The message.
impl fmt::Display for Undecided<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::Stopped(StopReason::Time | StopReason::Turn) => {
                let Limits { time, cpu, elapsed, .. } = self.limits;
                let is_up = |&time: &Duration| elapsed.map_or(cpu.is_none(), |elapsed| elapsed >= time);
                match (time.filter(is_up), cpu) {
                    (Some(time), _) => write!(f, "out of time (limit {})", humantime::format_duration(time)),
                    (None, Some(cpu)) if elapsed.is_some() || time.is_none() => {
                        write!(f, "out of time (limit {} of CPU time)", humantime::format_duration(cpu))
                    }
                    _ => f.write_str("out of time"),
                }
            }
            Reason::Stopped(StopReason::Memory) => match self.limits.address_space {
                // The default memory limit is 85 % of what is available: here, the address space is the tighter limit.
                Some(space) if space <= self.limits.memory / 85 * 100 + 100 => {
                    write!(f, "out of memory (limit {} of address space)", bytes(space))
                }
                _ => write!(f, "out of memory (limit {})", bytes(self.limits.memory)),
            },
            Reason::Stopped(StopReason::Interrupted) => f.write_str("interrupted"),
            Reason::Unsupported { what, .. } => write!(f, "unsupported: {what}"),
            Reason::Recursion { function, bound } => write!(f, "{function} is under way more than {bound} times"),
            Reason::Bound { bound, .. } => write!(f, "a loop can exceed the bound {bound}"),
            Reason::NeedsPredicates(_) => f.write_str("needs predicates: values cannot exclude an infeasible path"),
            Reason::Solver { why, .. } => write!(f, "the solver gave up ({why})"),
            Reason::Replay { why, .. } => write!(f, "a path to an error does not replay ({why})"),
            Reason::External { function, value, why, .. } => match value {
                Some(value) => write!(f, "a violation depends on {function} giving {value}, unconfirmed: {why}"),
                None => write!(f, "a violation depends on what {function} does, unconfirmed: {why}"),
            },
            Reason::Native { how, .. } => write!(f, "a path to an error does not happen in a native run: {how}"),
            Reason::NoProgress(_) => f.write_str("no progress: the same path came back after its refinement"),
            Reason::NoSummary => f.write_str("no contracts of the functions that exclude all errors were found"),
            Reason::NoCells => f.write_str("no invariants of memory cells that exclude all errors were found"),
            Reason::NoViolation => f.write_str("no run that was tried violates the property"),
            Reason::Property(kind) => write!(f, "the property {kind} cannot be checked yet"),
            Reason::NothingToCheck => f.write_str("nothing to check: the program claims nothing"),
            Reason::Assumptions(assumptions) => {
                f.write_str("no violation is found, but that rests on assumptions")?;
                for (i, assumption) in assumptions.iter().enumerate() {
                    write!(f, "{} {assumption}", if i == 0 { ":" } else { ";" })?;
                }
                Ok(())
            }
            Reason::NoChecks(kind) => write!(f, "bitcode may have been compiled without the checks for {kind}"),
        }
    }
}
