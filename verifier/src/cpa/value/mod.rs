//! The explicit-value analysis (paper 000, §2 and §3): the value of every tracked cell, or nothing known of it.

mod assume;
pub mod cells;
pub mod eval;
mod leaf;
pub mod map;
pub mod precision;
mod store;
pub mod transfer;
pub mod turnover;
pub mod words;

use smallvec::SmallVec;

use super::{Cpa, Successors};
use crate::cfa::live::Liveness;
use crate::cfa::{DomainType, DomainTypes, Expr, Flow, LocId, Program, Sort, Step, Var};
use cells::Cells;
use eval::{Evaluator, Semantics};
use map::WordMap;
use precision::ValuePrecision;
use store::{Frozen, Tracked};

/// The explicit-value analysis of a program.
#[derive(Debug)]
pub struct Values<'p> {
    /// The numbers of the cells that states track.
    pub cells: Cells,
    /// What operations mean.
    pub semantics: Semantics<'p>,
    /// How control flows.
    pub flow: Flow,
    types: DomainTypes,
    /// Where variables die, if they are to be forgotten then.
    liveness: Option<Liveness>,
}

/// An abstract variable assignment: the cells whose values are known. All others have any value.
pub type ValueState = WordMap;

impl<'p> Values<'p> {
    /// The explicit-value analysis of `program`.
    pub fn new(program: &'p Program) -> Values<'p> {
        let flow = Flow::new(program);
        let semantics = Semantics::new(program, &flow);
        Values {
            cells: Cells::new(program, &semantics.sums),
            semantics,
            types: DomainTypes::new(program, |location| flow.loop_depth(location) > 0),
            flow,
            liveness: Some(Liveness::new(program)),
        }
    }

    /// The same analysis, which also keeps the values of variables that nobody reads any more, as the papers do.
    pub fn with_dead_variables(program: &'p Program) -> Values<'p> {
        Values { liveness: None, ..Values::new(program) }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.semantics.program
    }

    /// What a variable or sum is used for.
    pub fn type_of(&self, var: Var) -> DomainType {
        match self.semantics.sums.sort(var) {
            Some(_) => DomainType::Arithmetic,
            None => self.types.of(var),
        }
    }

    /// The sort of a variable or sum, or of the cells of a memory.
    pub fn sort_of(&self, var: Var) -> Sort {
        self.semantics.sums.sort(var).unwrap_or_else(|| match self.program().var(var).sort {
            Sort::Memory(memory) => memory.cell.sort(),
            sort => sort,
        })
    }

    /// Forgets a variable or sum.
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

    #[inline]
    fn evaluate(&self, state: &ValueState, expr: Expr) -> Option<u128> {
        let mut known = Frozen { values: self, map: state };
        let mut evaluator = Evaluator::new(&self.semantics, &mut known);
        let value = evaluator.raw(expr);
        value.filter(|_| !evaluator.crashed)
    }

    /// A state with fewer facts covers one with more.
    #[inline]
    fn covers(&self, old: &ValueState, new: &ValueState) -> bool {
        old.is_within(new)
    }

    /// Keeps what is tracked, and what somebody may still read.
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
