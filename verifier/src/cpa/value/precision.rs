//! Precisions: which cells are tracked where (`Π: L → 2^X` of paper 000).

use std::rc::Rc;

use super::cells::{CellId, CellSet};
use crate::cfa::{LocId, Program};
use crate::cpa::sharing::Shares;
pub use crate::cpa::sharing::Sharing;

/// Which cells are tracked where.
#[derive(Clone, Debug)]
pub struct ValuePrecision {
    /// Which of the sets is that of a location; nothing if all cells are tracked everywhere.
    shares: Option<Shares>,
    sets: Vec<Rc<CellSet>>,
}

impl ValuePrecision {
    /// Tracks all cells everywhere.
    pub fn full() -> ValuePrecision {
        ValuePrecision { shares: None, sets: Vec::new() }
    }

    /// Tracks nothing yet.
    pub fn empty(program: &Program, sharing: Sharing) -> ValuePrecision {
        let shares = Shares::new(program, sharing);
        ValuePrecision { sets: vec![Rc::default(); shares.sets()], shares: Some(shares) }
    }

    /// What is tracked at `location`; `None` for everything.
    #[inline]
    pub fn at(&self, location: LocId) -> Option<&CellSet> {
        self.shares.as_ref().map(|shares| &*self.sets[shares.of(location)])
    }

    /// Tracks `cell` at `location` from now on. Was it missing?
    pub fn add(&mut self, location: LocId, cell: CellId) -> bool {
        let Some(shares) = &self.shares else { return false };
        let set = &mut self.sets[shares.of(location)];
        !set.contains(cell) && Rc::make_mut(set).insert(cell)
    }

    /// Tracks only those of the cells that `keep` wants, if not all are tracked.
    pub fn retain(&mut self, keep: impl Fn(CellId) -> bool) {
        for set in &mut self.sets {
            *set = Rc::new(set.iter().filter(|&cell| keep(cell)).collect());
        }
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
        !self.is_full() && self.len() == 0
    }

    /// Is everything tracked?
    pub fn is_full(&self) -> bool {
        self.shares.is_none()
    }
}
