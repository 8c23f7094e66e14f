//! Interpolants along a path (paper 000, Algorithms 3 and 4), found by following uses back to definitions.
//!
//! The paper's procedure drops variables from the strongest post one by one and tries whether the rest of the path stays
//! contradicting, for every location of the path. Following the values that the contradiction was computed from back to
//! where they were set drops all others at once, in one pass. What is left at each position is an interpolant: it is
//! implied by the path so far; the rest of the path contradicts it, as each value that is needed later is kept or
//! computed from values that are kept; and it speaks only of cells that both sides use. The sequence is inductive.

use rustc_hash::FxHashMap;

use super::recorder::{Event, Key, Recording};

/// The interpolants of a path: one for each position, from before the first step to before the contradicting one.
#[derive(Clone, Debug)]
pub struct Interpolants {
    /// Facts at each position, sorted.
    facts: Vec<Vec<(Key, u64)>>,
}

impl Interpolants {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// All cells that must be known somewhere, sorted.
    pub fn keys(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = self.facts.iter().flatten().map(|&(key, _)| key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// What must be known after `position` steps, and with which values.
    pub fn at(&self, position: usize) -> &[(Key, u64)] {
        &self.facts[position]
    }
}

/// The interpolants along a path that was recorded, up to the contradiction of that number; `None` if there are fewer.
pub fn interpolate(recording: &Recording, contradiction: usize) -> Option<Interpolants> {
    let contradiction = recording.contradictions.get(contradiction)?;
    let mut needed: FxHashMap<Key, u64> = FxHashMap::default();
    needed.extend(read(recording, contradiction.reads.clone()));
    let mut facts = vec![Vec::new(); contradiction.step + 1];
    for step in (0..facts.len()).rev() {
        let start = if step == 0 { 0 } else { recording.ends[step - 1] };
        // What is needed before the step, if not before the event.
        let mut before = Vec::new();
        for event in recording.events[start as usize..recording.ends[step] as usize].iter().rev() {
            match event {
                Event::Set { key, reads } => {
                    if needed.remove(key).is_some() {
                        before.extend(read(recording, reads.clone()));
                    }
                }
                Event::Located { memory, activation, reads } => {
                    if needed.keys().any(|k| k.place.var == *memory && k.activation == *activation) {
                        before.extend(read(recording, reads.clone()));
                    }
                }
                Event::Initialized { memory, activation } => {
                    needed.retain(|k, _| k.place.var != *memory || k.activation != *activation);
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
