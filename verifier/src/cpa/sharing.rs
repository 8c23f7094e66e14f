//! Sharing of a precision between locations.

use crate::cfa::{LocId, Program};

/// Which locations share their tracked facts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sharing {
    /// With no other location.
    Location,
    /// With all locations of the function.
    Function,
    /// With all locations.
    Global,
}

/// Which set of a precision belongs to each location.
#[derive(Clone, Debug)]
pub struct Shares {
    sharing: Sharing,
    keys: Vec<u32>,
    sets: usize,
}

impl Shares {
    /// The sets for `program`.
    pub fn new(program: &Program, sharing: Sharing) -> Shares {
        let (keys, sets) = match sharing {
            Sharing::Location => ((0..program.locations.len() as u32).collect(), program.locations.len()),
            Sharing::Function => (program.locations.iter().map(|l| l.function.0).collect(), program.functions.len()),
            Sharing::Global => (vec![0; program.locations.len()], 1),
        };
        Shares { sharing, keys, sets }
    }

    /// The sharing of sets.
    pub fn sharing(&self) -> Sharing {
        self.sharing
    }

    /// The set of a location.
    #[inline]
    pub fn of(&self, location: LocId) -> usize {
        self.keys[location.index()] as usize
    }

    /// The number of sets.
    pub fn sets(&self) -> usize {
        self.sets
    }
}
