//! Configurations: the table of engines, and how one is run. Assembly only.

mod auto;
mod bmc;
mod cells;
mod combined;
mod engine;
mod hunters;
mod options;
mod predicate;
mod report;
mod runs;
mod summary;
mod symbolic;
mod table;
mod unrefined;
mod vacuity;
mod value;

pub use engine::{Engine, Look, Task};
pub use options::{
    Abstraction, Blocks, CheckOptions, Config, Heuristic, Interpolation, InvariantDomain, Order, PrecisionScope,
    RefinedFirst, Refinement, Slices, VALUE_THRESHOLD,
};
pub use report::{Findings, Reason, Verdict};
pub use vacuity::unreached_claims;

use crate::algorithm::NodePolicy;
use crate::cfa::{LocId, Program};
use crate::evidence::Counterexample;
use crate::expr::{Sort, Var};
use crate::facts::Facts;
use crate::inspect::View;
use crate::monitor::{Monitor, Phase};
use crate::print::Printer;
use crate::reuse::Hint;
use crate::simplify::simplify;

/// Checks `program` until `monitor` stops it.
pub fn check(program: &Program, options: &CheckOptions, monitor: &Monitor) -> Verdict {
    let verdict = match simplify(program, &selected_errors(program, options), monitor.tuning.simplify) {
        Some(simplified) => match run(&simplified, options, monitor) {
            // A path of the simplified program may have no run in the original one.
            Verdict::Unknown(Reason::Replay { .. }) => {
                monitor.enter(Phase::Exploring);
                run(program, options, monitor)
            }
            verdict => verdict,
        },
        None => run(program, options, monitor),
    };
    verdict.unless_unchecked(program, options)
}

fn run(program: &Program, options: &CheckOptions, monitor: &Monitor) -> Verdict {
    let facts = Facts::new(program, &monitor.tuning);
    let task = Task { program, facts: &facts, options, monitor };
    let verdict = options.config.engine().run(&task, NodePolicy::WhereNeeded, &mut |_| {});
    name_proof(&task, &verdict, options.config.name());
    verdict
}

/// Adds the name of the configuration to what its proof rests on, unless that has one.
fn name_proof(task: &Task<'_>, verdict: &Verdict, config: &str) {
    if task.options.keeps_proof && matches!(verdict, Verdict::Safe) {
        let mut hint = task.monitor.proof().map(|text| Hint::parse(&text)).unwrap_or_default();
        hint.engine.get_or_insert_with(|| config.into());
        task.monitor.set_proof(hint.text());
    }
}

/// Checks repeatedly, each time without the error locations already violated, until no other violation is found. `found`
/// is called after each one with all violations so far.
pub fn check_all(
    program: &Program,
    options: &CheckOptions,
    monitor: &Monitor,
    mut found: impl FnMut(&[Box<Counterexample>]),
) -> Findings {
    let mut options = options.clone();
    let mut findings = Findings::default();
    loop {
        match check(program, &options, monitor) {
            Verdict::Safe => return findings,
            Verdict::Unknown(reason) => {
                findings.undecided = Some(reason);
                return findings;
            }
            Verdict::Unsafe(violation) => {
                options.except.push(violation.violation.location);
                findings.violations.push(violation);
                // Without error locations left, another check might not terminate.
                if selected_errors(program, &options).is_empty() {
                    return findings;
                }
                found(&findings.violations);
            }
        }
    }
}

/// Checks `program` with an abstract state at every location, as in the papers, and passes the result to `look`. `None` if
/// the configuration builds no graph.
pub fn inspect<T>(
    program: &Program,
    options: &CheckOptions,
    monitor: &Monitor,
    look: impl FnOnce(&dyn View) -> T,
) -> Option<(Verdict, T)> {
    if !options.config.builds_graph() {
        return None;
    }
    let (mut look, mut seen) = (Some(look), None);
    let facts = Facts::new(program, &monitor.tuning);
    let task = Task { program, facts: &facts, options, monitor };
    let verdict = options.config.engine().run(&task, NodePolicy::Everywhere, &mut |view| {
        seen = look.take().map(|look| look(view));
    });
    Some((verdict, seen?))
}

/// The scalar variables with this name: `x`, or `main::x` for that of one function. Memories are excluded, since their
/// cells have no names.
pub fn variables(program: &Program, name: &str) -> Vec<Var> {
    let printer = Printer::new(program);
    let is_meant = |&var: &Var| {
        let info = program.var(var);
        !matches!(info.sort, Sort::Memory(_)) && (*info.name == *name || printer.var(var) == name)
    };
    (0..program.vars.len() as u32).map(Var).filter(is_meant).collect()
}

/// The error locations of selected properties, without the excepted ones.
fn selected_errors(program: &Program, options: &CheckOptions) -> Vec<LocId> {
    let selected = program.error_locations().filter(|(_, property)| options.properties.contains(property.kind));
    selected.map(|(location, _)| location).filter(|location| !options.except.contains(location)).collect()
}

impl Verdict {
    /// Turns SAFE into UNKNOWN if a part of the program may lack the checks for a selected kind of property.
    fn unless_unchecked(self, program: &Program, options: &CheckOptions) -> Verdict {
        match (self, program.unchecked.intersection(options.properties).iter().next()) {
            (Verdict::Safe, Some(kind)) => Verdict::Unknown(Reason::NoChecks(kind)),
            (verdict, _) => verdict,
        }
    }
}
