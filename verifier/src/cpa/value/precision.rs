//! Precisions: which cells are tracked where (`Π: L → 2^X` of paper 000).

use std::rc::Rc;

use super::cells::{CellId, CellSet};
use crate::cfa::{LocId, Program};

/// How far what is tracked at a location is shared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Sharing {
    /// With no other location.
    Location,
    /// With all locations of the function: most variables that matter at one matter at all of them, and finding them
    /// location by location takes hundreds of refinements instead of a few.
    #[default]
    Function,
    /// With all locations.
    Global,
}

/// Which cells are tracked where.
#[derive(Clone, Debug)]
pub struct ValuePrecision {
    /// The set of each location, by its position in `sets`; nothing if all cells are tracked everywhere.
    keys: Vec<u32>,
    sets: Vec<Rc<CellSet>>,
    is_full: bool,
}

impl ValuePrecision {
    /// Tracks all cells everywhere.
    pub fn full() -> ValuePrecision {
        ValuePrecision { keys: Vec::new(), sets: Vec::new(), is_full: true }
    }

    /// Tracks nothing yet.
    pub fn empty(program: &Program, sharing: Sharing) -> ValuePrecision {
        let (keys, sets) = match sharing {
            Sharing::Location => ((0..program.locations.len() as u32).collect(), program.locations.len()),
            Sharing::Function => (program.locations.iter().map(|l| l.function.0).collect(), program.functions.len()),
            Sharing::Global => (vec![0; program.locations.len()], 1),
        };
        ValuePrecision { keys, sets: vec![Rc::default(); sets], is_full: false }
    }

    /// What is tracked at `location`; `None` for everything.
    #[inline]
    pub fn at(&self, location: LocId) -> Option<&CellSet> {
        (!self.is_full).then(|| &*self.sets[self.keys[location.index()] as usize])
    }

    /// Tracks `cell` at `location` from now on. Was it missing?
    pub fn add(&mut self, location: LocId, cell: CellId) -> bool {
        if self.is_full {
            return false;
        }
        let set = &mut self.sets[self.keys[location.index()] as usize];
        !set.contains(cell) && Rc::make_mut(set).insert(cell)
    }

    /// The sets that hold something: those of locations, of functions or the one of all, by their numbers.
    pub fn sets(&self) -> impl Iterator<Item = (u32, &CellSet)> {
        (0..).zip(&self.sets).map(|(number, set)| (number, &**set)).filter(|(_, set)| !set.is_empty())
    }

    /// How many cells are tracked, summed over all sets.
    pub fn len(&self) -> usize {
        self.sets.iter().map(|set| set.len()).sum()
    }

    /// Is nothing tracked?
    pub fn is_empty(&self) -> bool {
        !self.is_full && self.len() == 0
    }

    /// Is everything tracked?
    pub fn is_full(&self) -> bool {
        self.is_full
    }
}
