//! The explicit-value analysis (paper 000, §2 and §3): tracked cells have a known value, or are unknown.

mod assume;
pub mod cells;
pub mod eval;
mod leaf;
pub mod map;
pub mod precision;
mod show;
mod store;
pub mod threshold;
pub mod transfer;
pub mod words;

use std::rc::Rc;

use smallvec::SmallVec;

use super::{Cpa, Index, Successors};
use crate::cfa::{LocId, Program, Step};
use crate::expr::{Expr, Sort, Var};
use crate::facts::{DomainType, DomainTypes, Facts, Flow, Liveness};
use crate::tuning::Weight;
use cells::Cells;
use eval::{Evaluator, Semantics};
use map::WordMap;
use precision::ValuePrecision;
use store::{Frozen, Tracked};

/// The explicit-value analysis of a program.
#[derive(Debug)]
pub struct Values<'p> {
    /// The numbering of tracked cells.
    pub cells: Cells,
    /// The semantics of operations.
    pub semantics: Semantics<'p>,
    /// The control flow of the program.
    pub flow: Rc<Flow>,
    types: Rc<DomainTypes>,
    /// The costs of tracking variables.
    pub weights: Weight,
    /// Where variables die, if dead variables are dropped.
    liveness: Option<Rc<Liveness>>,
}

/// An abstract variable assignment: the cells with known values. All others may have any value.
pub type ValueState = WordMap;

impl<'p> Values<'p> {
    /// The explicit-value analysis of the program of `facts`.
    pub fn new(facts: &Facts<'p>) -> Values<'p> {
        let semantics = Semantics::new(facts);
        Values {
            cells: Cells::new(facts.program, &semantics.sums),
            semantics,
            types: facts.types(),
            weights: facts.tuning.weight,
            flow: facts.flow(),
            liveness: Some(facts.liveness()),
        }
    }

    /// The same analysis without dropping dead variables, as in the papers.
    pub fn with_dead_variables(facts: &Facts<'p>) -> Values<'p> {
        Values { liveness: None, ..Values::new(facts) }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.semantics.program
    }

    /// The domain type of a variable or sum.
    pub fn type_of(&self, var: Var) -> DomainType {
        match self.semantics.sums.sort(var) {
            Some(_) => DomainType::Arithmetic,
            None => self.types.of(var),
        }
    }

    /// The cost of tracking a variable or sum.
    pub fn weight(&self, var: Var) -> u64 {
        self.type_of(var).weight(&self.weights)
    }

    /// The sort of a variable or sum, or of the cells of a memory.
    pub fn sort_of(&self, var: Var) -> Sort {
        self.semantics.sums.sort(var).unwrap_or_else(|| match self.program().var(var).sort {
            Sort::Memory(memory) => memory.cell.sort(),
            sort => sort,
        })
    }

    /// Drops the value of a variable or sum.
    fn remove(&self, state: &mut ValueState, var: Var) {
        if let Some(cell) = self.cells.scalar(var) {
            state.remove(cell);
        }
    }
}

impl Cpa for Values<'_> {
    type State = ValueState;
    type Precision = ValuePrecision;

    fn initial(&self) -> ValueState {
        WordMap::default()
    }

    #[inline]
    fn transfer(&self, state: ValueState, precision: &ValuePrecision, step: Step) -> Successors<ValueState> {
        let tracked = precision.at(step.target(self.program()));
        let mut store = Tracked { values: self, map: state, tracked, pinned: SmallVec::new() };
        if transfer::transfer(&self.semantics, &mut store, step) {
            Successors::from_buf([store.map])
        } else {
            Successors::new()
        }
    }

    /// A state with fewer known values covers one with more.
    #[inline]
    fn covers(&self, old: &ValueState, new: &ValueState) -> bool {
        old.is_within(new)
    }

    /// Drops values that are not tracked or no longer live.
    #[inline]
    fn adjust(&self, mut state: ValueState, precision: &ValuePrecision, location: LocId) -> ValueState {
        if state.is_empty() {
            return state;
        }
        for &var in self.liveness.iter().flat_map(|liveness| liveness.dead_at(location)) {
            self.remove(&mut state, var);
        }
        for &sum in self.semantics.sums.dead_at(location) {
            self.remove(&mut state, sum);
        }
        if let Some(tracked) = precision.at(location) {
            state.retain(tracked);
        }
        state
    }
}

impl Index for Values<'_> {
    const MERGES: bool = false;
    const SKIPS_DECIDED: bool = true;

    #[inline]
    fn evaluate(&self, state: &ValueState, expr: Expr) -> Option<u128> {
        let mut known = Frozen { values: self, map: state };
        let mut evaluator = Evaluator::new(&self.semantics, &mut known);
        let value = evaluator.raw(expr);
        value.filter(|_| !evaluator.crashed)
    }

    fn shape(&self, state: &ValueState) -> u64 {
        state.shape()
    }

    fn digest_as(&self, state: &ValueState, like: &ValueState) -> Option<u64> {
        state.digest_as(like)
    }

    fn digest(&self, state: &ValueState) -> u64 {
        state.digest()
    }
}
