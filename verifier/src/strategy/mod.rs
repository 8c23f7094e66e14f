//! Named configurations: what a user can ask for, and what comes out.

mod auto;
mod bmc;
mod combined;
pub mod inspect;
mod options;
mod predicate;
mod report;
mod value;
mod value_side;

pub use inspect::inspect;
pub use options::{
    Abstraction, Blocks, CheckOptions, Config, Heuristic, Interpolation, Order, PrecisionScope, RefinedFirst,
    Refinement, Slices, VALUE_THRESHOLD,
};
pub use report::{Reason, Report, Verdict};

use crate::algorithm::{Answer, Stops};
use crate::cfa::print::Printer;
use crate::cfa::{LocId, Op, Program, Sort, Step, Var};
use crate::evidence::Counterexample;
use crate::monitor::{Monitor, Stop};

/// Checks `program` as `options` say. Stops when `monitor` asks for it.
pub fn check(program: &Program, options: &CheckOptions, monitor: &Monitor) -> Report {
    let verdict = decide(program, options, monitor);
    Report { verdict }
}

fn decide(program: &Program, options: &CheckOptions, monitor: &Monitor) -> Verdict {
    match options.config {
        Config::Auto => auto::check(program, options, monitor),
        Config::Value | Config::ValueFull => value::run(program, options, Stops::WhereNeeded, monitor, |_| ()),
        Config::Predicate => predicate::run(program, options, Stops::WhereNeeded, monitor, |_| ()),
        Config::ValuePredicate | Config::ValueFullPredicate => {
            combined::run(program, options, Stops::WhereNeeded, monitor, |_| ())
        }
        Config::Bmc | Config::KInduction => bmc::check(program, options, monitor),
    }
}

/// The variables that a user calls `name`: `x`, or `main::x` for that of one function. Memories are none: their cells
/// have no names of their own.
pub fn variables(program: &Program, name: &str) -> Vec<Var> {
    let printer = Printer::new(program);
    let is_meant = |&var: &Var| {
        let info = program.var(var);
        !matches!(info.sort, Sort::Memory(_)) && (*info.name == *name || printer.var(var) == name)
    };
    (0..program.vars.len() as u32).map(Var).filter(is_meant).collect()
}

/// The error locations that violate a property of one of `kinds`, or any if there are no kinds.
fn selected_errors(program: &Program, kinds: &[String]) -> Vec<LocId> {
    let selected = |kind: &str| kinds.is_empty() || kinds.iter().any(|k| k == kind);
    program.error_locations().filter(|(_, property)| selected(&property.kind)).map(|(location, _)| location).collect()
}

impl From<Answer<Box<Counterexample>, Reason>> for Verdict {
    fn from(answer: Answer<Box<Counterexample>, Reason>) -> Verdict {
        match answer {
            Answer::Safe => Verdict::Safe,
            Answer::Unsafe(counterexample) => Verdict::Unsafe(counterexample),
            Answer::Unknown(reason) => Verdict::Unknown(reason),
            // If a proof was out of reach when the time was over, more time would not have helped.
            Answer::Stopped(Stop::Time | Stop::Turn, Some(reason)) => Verdict::Unknown(reason),
            Answer::Stopped(stop, _) => Verdict::Unknown(Reason::Stopped(stop)),
        }
    }
}

/// Why a path ends before its last step.
fn blocked(program: &Program, path: &[Step], options: &CheckOptions) -> Reason {
    let Some(edge) = path.last().map(|step| program.edge(step.edge)) else {
        return Reason::NoProgress(Vec::new());
    };
    match &edge.op {
        Op::Call { callee, .. } => {
            let function = program.function(*callee).display_name.to_string();
            Reason::Recursion { function, bound: options.recursion }
        }
        Op::Unsupported(what) => Reason::Unsupported { what: what.to_string(), place: edge.source },
        _ => Reason::NoProgress(path.to_vec()),
    }
}
