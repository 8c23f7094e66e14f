//! Named configurations: what a user can ask for, and what comes out.

pub mod inspect;
mod options;
mod report;
mod value;

pub use inspect::{Inspection, inspect};
pub use options::{CheckOptions, Config, Order, PrecisionScope, Refinement};
pub use report::{Reason, Report, Verdict};

use crate::cfa::{LocId, Program};
use crate::monitor::Monitor;

/// Checks `program` as `options` say. Stops when `monitor` asks for it.
pub fn check(program: &Program, options: &CheckOptions, monitor: &Monitor) -> Report {
    Report { verdict: value::check(program, options, monitor) }
}

/// The error locations that violate a property of one of `kinds`, or any if there are no kinds.
fn selected_errors(program: &Program, kinds: &[String]) -> Vec<LocId> {
    let selected = |kind: &str| kinds.is_empty() || kinds.iter().any(|k| k == kind);
    program.error_locations().filter(|(_, property)| selected(&property.kind)).map(|(location, _)| location).collect()
}
