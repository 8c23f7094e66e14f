//! Refinement of the explicit-value analysis by interpolation (paper 000, Algorithms 3 and 4).

mod interpolate;
mod recorder;
mod refiner;
mod selection;

pub use interpolate::{Interpolants, interpolate};
pub use recorder::{Key, Recording, record};
pub use refiner::ValueRefiner;
pub use selection::{CHEAP_TO_TRACK, Proposal, ValueSelection, implies};

use super::select::Candidate;
use crate::cfa::Step;
use crate::cpa::value::Values;
use crate::cpa::value::cells::{CellId, CellKey};
use crate::cpa::value::precision::ValuePrecision;

/// The ways to exclude a path by values, one for each infeasible sliced prefix (paper 003, Algorithm 1): `record` goes on
/// behind a contradiction as if it were none.
#[derive(Debug)]
pub struct Choices {
    recording: Recording,
    interpolants: Vec<Interpolants>,
    /// What there is to say of each.
    pub candidates: Vec<Candidate>,
}

impl Choices {
    /// The ways in which only cells are tracked that `may_track` allows.
    pub fn find(values: &Values<'_>, path: &[Step], may_track: impl Fn(CellKey) -> bool) -> Choices {
        let recording = record(&values.semantics, path);
        let all = (0..recording.contradictions()).filter_map(|i| interpolate(&recording, i));
        let is_allowed = |interpolants: &Interpolants| interpolants.keys().iter().all(|key| may_track(key.cell));
        let interpolants: Vec<Interpolants> = all.filter(is_allowed).collect();
        let candidate = |interpolants: &Interpolants| {
            let weight = |key: &Key| values.weight(key.cell.var);
            let is_tracked = (0..interpolants.len()).map(|position| !interpolants.at(position).is_empty());
            Candidate::new(interpolants.len(), interpolants.keys().iter().map(weight).sum(), is_tracked)
        };
        let candidates = interpolants.iter().map(candidate).collect();
        Choices { recording, interpolants, candidates }
    }

    /// Refines `precision` in the way of that number.
    pub fn commit(
        &self,
        chosen: usize,
        values: &Values<'_>,
        path: &[Step],
        precision: &mut ValuePrecision,
    ) -> Vec<Interpolant> {
        let interpolants = &self.interpolants[chosen];
        let mut facts = vec![Interpolant::new()];
        for position in 1..interpolants.len() {
            let location = path[position - 1].target(values.program());
            let fact = |&(key, word): &(Key, u64)| {
                (values.cells.outer(key.cell, self.recording.activations_since(position, key)), word)
            };
            let here: Interpolant = interpolants.at(position).iter().map(fact).collect();
            for &(cell, _) in &here {
                precision.add(location, cell);
            }
            facts.push(here);
        }
        facts
    }
}

/// An interpolant as cells of states and their values.
pub type Interpolant = Vec<(CellId, u64)>;
