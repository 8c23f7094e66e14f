//! Precisions: which predicates are tracked where.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::cfa::expr::Expr;
use crate::cfa::{LocId, Program};
use crate::cpa::sharing::{Shares, Sharing};

/// A predicate, by its number.
pub type PredicateId = u32;

/// Which predicates are tracked where. They are truth values about variables of the program, in the pool of the analysis.
#[derive(Clone, Debug)]
pub struct PredicatePrecision {
    shares: Shares,
    sets: Vec<Rc<Vec<PredicateId>>>,
    predicates: Vec<Expr>,
    ids: FxHashMap<Expr, PredicateId>,
}

impl PredicatePrecision {
    /// Tracks nothing yet.
    pub fn empty(program: &Program, sharing: Sharing) -> PredicatePrecision {
        let shares = Shares::new(program, sharing);
        let sets = vec![Rc::default(); shares.sets()];
        PredicatePrecision { shares, sets, predicates: Vec::new(), ids: FxHashMap::default() }
    }

    /// What is tracked at `location`, in the order in which it was added.
    pub fn at(&self, location: LocId) -> &[PredicateId] {
        &self.sets[self.shares.of(location)]
    }

    /// Tracks `predicate` at `location` from now on. Gives its position among those that are tracked there.
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

    /// What a predicate says.
    pub fn predicate(&self, id: PredicateId) -> Expr {
        self.predicates[id as usize]
    }

    /// The sets that hold something: those of locations, of functions or the one of all, by their numbers.
    pub fn sets(&self) -> impl Iterator<Item = (u32, &[PredicateId])> {
        (0..).zip(&self.sets).map(|(number, set)| (number, set.as_slice())).filter(|(_, set)| !set.is_empty())
    }

    /// How many different predicates there are.
    pub fn predicates(&self) -> usize {
        self.predicates.len()
    }

    /// How many predicates are tracked, summed over all sets.
    pub fn len(&self) -> usize {
        self.sets.iter().map(|set| set.len()).sum()
    }

    /// Is nothing tracked?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
