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
use crate::cfa::{DomainTypes, Expr, Flow, LocId, Program, Step};
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
    /// What variables are used for.
    pub types: DomainTypes,
    /// Where variables die, if they are to be forgotten then.
    liveness: Option<Liveness>,
}

/// An abstract variable assignment: the cells whose values are known. All others have any value.
pub type ValueState = WordMap;

impl<'p> Values<'p> {
    /// The explicit-value analysis of `program`.
    pub fn new(program: &'p Program) -> Values<'p> {
        let flow = Flow::new(program);
        Values {
            cells: Cells::new(program),
            semantics: Semantics::new(program),
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
            if let Some(cell) = self.cells.scalar(var) {
                state.remove(cell);
            }
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
