//! Precisions: the predicates tracked at each location.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::cfa::{LocId, Program};
use crate::cpa::sharing::{Shares, Sharing};
use crate::expr::Expr;

/// A predicate, by index.
pub type PredicateId = u32;

/// The predicates tracked at each location: truth values over program variables, in the pool of the analysis.
#[derive(Clone, Debug)]
pub struct PredicatePrecision {
    shares: Shares,
    sets: Vec<Rc<Vec<PredicateId>>>,
    predicates: Vec<Expr>,
    ids: FxHashMap<Expr, PredicateId>,
}

impl PredicatePrecision {
    /// Tracks nothing.
    pub fn empty(program: &Program, sharing: Sharing) -> PredicatePrecision {
        let shares = Shares::new(program, sharing);
        let sets = vec![Rc::default(); shares.sets()];
        PredicatePrecision { shares, sets, predicates: Vec::new(), ids: FxHashMap::default() }
    }

    /// The scope of each set of predicates.
    pub fn sharing(&self) -> Sharing {
        self.shares.sharing()
    }

    /// The predicates tracked at `location`, in order of addition.
    pub fn at(&self, location: LocId) -> &[PredicateId] {
        &self.sets[self.shares.of(location)]
    }

    /// Tracks `predicate` at `location`. Returns its position among those tracked there.
    pub fn add(&mut self, location: LocId, predicate: Expr) -> usize {
        let next = self.predicates.len() as PredicateId;
        let id = *self.ids.entry(predicate).or_insert(next);
        if id == next {
            self.predicates.push(predicate);
        }
        let set = &mut self.sets[self.shares.of(location)];
        if let Some(position) = set.iter().position(|&other| other == id) {
            return position;
        }
        Rc::make_mut(set).push(id);
        set.len() - 1
    }

    /// The expression of a predicate.
    pub fn predicate(&self, id: PredicateId) -> Expr {
        self.predicates[id as usize]
    }

    /// The nonempty sets, by index: one for each location, for each function, or for the program.
    pub fn sets(&self) -> impl Iterator<Item = (u32, &[PredicateId])> {
        (0..).zip(&self.sets).map(|(number, set)| (number, set.as_slice())).filter(|(_, set)| !set.is_empty())
    }

    /// The number of distinct predicates.
    pub fn predicates(&self) -> usize {
        self.predicates.len()
    }

    /// The number of tracked predicates, summed over all sets.
    pub fn len(&self) -> usize {
        self.sets.iter().map(|set| set.len()).sum()
    }

    /// Whether nothing is tracked.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
