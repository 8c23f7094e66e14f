//! Interpolants along a path (paper 000, Algorithms 3 and 4), computed by following uses back to definitions.
//!
//! The paper's procedure removes variables from the strongest post one by one, at every location of the path, and
//! checks whether the rest of the path stays contradictory. Following the values that the contradiction depends on back
//! to their definitions removes all others in one pass. What remains at each position is an interpolant: the prefix
//! implies it. The suffix contradicts it, because each value needed later is kept or computed from values that are
//! kept. It mentions only cells that both use. The sequence is inductive.

use rustc_hash::FxHashMap;

use super::recorder::{Key, Recording, ValueEvent};

/// The interpolants of a path: one for each position, from the start up to the contradicting step.
#[derive(Clone, Debug)]
pub struct Interpolants {
    /// The facts at each position, sorted.
    facts: Vec<Vec<(Key, u64)>>,
}

impl Interpolants {
    /// The number of positions.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// All cells with a fact at some position, sorted.
    pub fn keys(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = self.facts.iter().flatten().map(|&(key, _)| key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The facts after `position` steps.
    pub fn at(&self, position: usize) -> &[(Key, u64)] {
        &self.facts[position]
    }
}

/// The interpolants of a recorded path for the contradiction with this index; `None` if there are fewer.
pub fn interpolate(recording: &Recording, contradiction: usize) -> Option<Interpolants> {
    let contradiction = recording.contradictions.get(contradiction)?;
    let mut needed: FxHashMap<Key, u64> = FxHashMap::default();
    needed.extend(read(recording, contradiction.reads.clone()));
    let mut facts = vec![Vec::new(); contradiction.step + 1];
    for step in (0..facts.len()).rev() {
        let start = if step == 0 { 0 } else { recording.ends[step - 1] };
        // Facts needed before the step, but not between its events.
        let mut before = Vec::new();
        for event in recording.events[start as usize..recording.ends[step] as usize].iter().rev() {
            match event {
                ValueEvent::Set { key, reads } => {
                    if needed.remove(key).is_some() {
                        before.extend(read(recording, reads.clone()));
                    }
                }
                ValueEvent::Located { memory, activation, reads } => {
                    if needed.keys().any(|k| k.cell.var == *memory && k.activation == *activation) {
                        before.extend(read(recording, reads.clone()));
                    }
                }
                ValueEvent::Initialized { memory, activation } => {
                    needed.retain(|k, _| k.cell.var != *memory || k.activation != *activation);
                }
            }
            if recording.assumptions[step] {
                needed.extend(before.drain(..));
            }
        }
        needed.extend(before);
        facts[step] = needed.iter().map(|(&key, &word)| (key, word)).collect();
        facts[step].sort_unstable();
    }
    Some(Interpolants { facts })
}

fn read(recording: &Recording, range: std::ops::Range<u32>) -> impl Iterator<Item = (Key, u64)> + '_ {
    recording.reads[range.start as usize..range.end as usize].iter().copied()
}
