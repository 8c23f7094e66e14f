//! Precisions: the cells tracked at each location (`Π: L → 2^X` of paper 000).

use std::rc::Rc;

use super::cells::{CellId, CellSet};
use crate::cfa::{LocId, Program};
use crate::cpa::sharing::Shares;
pub use crate::cpa::sharing::Sharing;

/// The cells tracked at each location.
#[derive(Clone, Debug)]
pub struct ValuePrecision {
    /// The index of the set of each location; `None` if all cells are tracked everywhere.
    shares: Option<Shares>,
    sets: Vec<Rc<CellSet>>,
}

impl ValuePrecision {
    /// Tracks all cells everywhere.
    pub fn full() -> ValuePrecision {
        ValuePrecision { shares: None, sets: Vec::new() }
    }

    /// Tracks nothing.
    pub fn empty(program: &Program, sharing: Sharing) -> ValuePrecision {
        let shares = Shares::new(program, sharing);
        ValuePrecision { sets: vec![Rc::default(); shares.sets()], shares: Some(shares) }
    }

    /// The scope of each set of cells; `None` if everything is tracked.
    pub fn sharing(&self) -> Option<Sharing> {
        self.shares.as_ref().map(Shares::sharing)
    }

    /// The cells tracked at `location`; `None` if all are.
    #[inline]
    pub fn at(&self, location: LocId) -> Option<&CellSet> {
        self.shares.as_ref().map(|shares| &*self.sets[shares.of(location)])
    }

    /// Tracks `cell` at `location`. Returns whether it was not tracked before.
    pub fn add(&mut self, location: LocId, cell: CellId) -> bool {
        let Some(shares) = &self.shares else { return false };
        let set = &mut self.sets[shares.of(location)];
        !set.contains(cell) && Rc::make_mut(set).insert(cell)
    }

    /// Stops tracking cells for which `keep` is false. No effect if all cells are tracked.
    pub fn retain(&mut self, keep: impl Fn(CellId) -> bool) {
        for set in &mut self.sets {
            *set = Rc::new(set.iter().filter(|&cell| keep(cell)).collect());
        }
    }

    /// The nonempty sets, by index: one for each location, for each function, or for the program.
    pub fn sets(&self) -> impl Iterator<Item = (u32, &CellSet)> {
        (0..).zip(&self.sets).map(|(number, set)| (number, &**set)).filter(|(_, set)| !set.is_empty())
    }

    /// The number of tracked cells, summed over all sets.
    pub fn len(&self) -> usize {
        self.sets.iter().map(|set| set.len()).sum()
    }

    /// Whether nothing is tracked.
    pub fn is_empty(&self) -> bool {
        !self.is_full() && self.len() == 0
    }

    /// Whether all cells are tracked everywhere.
    pub fn is_full(&self) -> bool {
        self.shares.is_none()
    }
}
