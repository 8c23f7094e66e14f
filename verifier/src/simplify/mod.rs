//! Simplification of programs before they are analysed.
//!
//! Passes change operations and remove edges, but keep all ids: a location, edge or variable means the same before and
//! after. The simplified program allows at least the runs to errors and unsupported operations that the original has.
//! So its safety is that of the original. A path to an error is repeated in the original program
//! (`evidence/retrace.rs`), which has all inputs and variables.

mod constants;
mod effects;
mod external;
mod observe;
mod rebuild;
mod rewrite;
mod slice;
mod target;
mod values;

use crate::cfa::program::{Automaton, LocId, Program};
use crate::tuning;
pub use target::with_targets;

/// The simplified program for an analysis that looks for `errors` and unsupported operations. `None` if `tuning`
/// switches all passes off.
pub fn simplify(program: &Program, errors: &[LocId], tuning: tuning::Simplify) -> Option<Program> {
    if tuning.constants == 0 && tuning.slice == 0 {
        return None;
    }
    let before = Automaton { locations: program.locations.clone(), edges: program.edges.clone() };
    let mut simplified = program.clone();
    if tuning.constants == 1 {
        constants::propagate(&mut simplified, tuning);
    }
    if tuning.slice == 1 {
        slice::slice(&mut simplified, errors, tuning.max_work);
    }
    debug_assert_eq!(simplified.flaw(), None);
    simplified.unsimplified = Some(Box::new(before));
    Some(simplified)
}
