//! Refinement of the explicit-value analysis by interpolation (paper 000, Algorithms 3 and 4).

mod interpolate;
mod recorder;

pub use interpolate::{Interpolants, interpolate};
pub use recorder::{Key, Recording, record};

use crate::cfa::{DomainTypes, Step};
use crate::cpa::value::Values;
use crate::cpa::value::cells::{CellId, Place};
use crate::cpa::value::precision::ValuePrecision;

/// Refines `precision` so that it excludes `path`, if values can, of places that `may_track` allows; `None` if they do not
/// contradict it. Gives the cells that states on the path must hold, with their values.
pub fn refine(
    values: &Values<'_>,
    path: &[Step],
    precision: &mut ValuePrecision,
    may_track: impl Fn(Place) -> bool,
) -> Option<Vec<Facts>> {
    let recording = record(&values.semantics, path);
    let interpolants = best(&values.types, &recording, may_track)?;
    let mut facts = vec![Facts::new()];
    for position in 1..interpolants.len() {
        let location = path[position - 1].target(values.program());
        let fact = |&(key, word): &(Key, u64)| {
            (values.cells.outer(key.place, recording.activations_since(position, key)), word)
        };
        let here: Facts = interpolants.at(position).iter().map(fact).collect();
        for &(cell, _) in &here {
            precision.add(location, cell);
        }
        facts.push(here);
    }
    Some(facts)
}

/// Of all contradictions, that whose cells are the easiest to track, then that with the fewest, then the first one
/// (the domain-type score and the width of a precision, paper 003): values of counters, say, unroll their loops.
fn best(types: &DomainTypes, recording: &Recording, may_track: impl Fn(Place) -> bool) -> Option<Interpolants> {
    let candidates = (0..recording.contradictions()).filter_map(|i| interpolate(recording, i));
    let candidates = candidates.filter(|interpolants| interpolants.keys().iter().all(|key| may_track(key.place)));
    let cost = |interpolants: &Interpolants| {
        let keys = interpolants.keys();
        let weight: u64 = keys.iter().map(|key| types.of(key.place.var).weight()).sum();
        (weight, keys.len())
    };
    candidates.min_by_key(cost)
}

/// An interpolant as cells of states and their values.
pub type Facts = Vec<(CellId, u64)>;
