//! How far what a precision says of one location is shared with others.

use crate::cfa::{LocId, Program};

/// How far what is tracked at a location is shared.
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
        Shares { keys, sets }
    }

    /// The set of a location.
    #[inline]
    pub fn of(&self, location: LocId) -> usize {
        self.keys[location.index()] as usize
    }

    /// How many sets there are.
    pub fn sets(&self) -> usize {
        self.sets
    }
}
