//! Refinement of the explicit-value analysis by interpolation (paper 000, Algorithms 3 and 4).

mod interpolate;
mod recorder;

pub use interpolate::{Interpolants, interpolate};
pub use recorder::{Key, Recording, record};

use rustc_hash::FxHashSet;

use crate::cfa::Step;
use crate::cpa::value::Values;
use crate::cpa::value::precision::ValuePrecision;

/// Refines `precision` so that it excludes `path`, if values can. Gives the number of steps after which states change
/// first; `None` if the path is feasible as far as values tell.
pub fn refine(values: &Values<'_>, path: &[Step], precision: &mut ValuePrecision) -> Option<Excluded> {
    let recording = record(&values.semantics, path);
    let interpolants = interpolate(&recording)?;
    let location = |position: usize| path[position - 1].target(values.program());
    let mut changed = FxHashSet::default();
    for position in 1..interpolants.len() {
        let mut is_new = false;
        for &(key, _) in interpolants.at(position) {
            let cell = values.cells.outer(key.place, recording.activations_since(position, key));
            is_new |= precision.add(location(position), cell);
        }
        if is_new {
            changed.insert(precision.share(location(position)));
        }
    }
    // Where a precision is shared, states may change earlier on the path than the interpolant needs it.
    let first = (1..interpolants.len()).find(|&position| changed.contains(&precision.share(location(position))));
    Some(first.map_or(Excluded::Before, Excluded::From))
}

/// How a path is excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Excluded {
    /// By the refined precision, which changes the states after so many steps first.
    From(usize),
    /// By the precision that was there before, so the path should never have been found.
    Before,
}
