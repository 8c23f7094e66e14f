//! The explicit-value analysis (paper 000, §2 and §3): the value of every tracked cell, or nothing known of it.

mod assume;
pub mod cells;
pub mod eval;
pub mod map;
pub mod precision;
mod store;
pub mod transfer;
pub mod words;

use smallvec::{SmallVec, smallvec};

use super::{Cpa, Successors};
use crate::cfa::{Flow, LocId, Program, Step};
use cells::Cells;
use eval::Semantics;
use map::WordMap;
use precision::ValuePrecision;
use store::Tracked;

/// The explicit-value analysis of a program.
#[derive(Debug)]
pub struct Values<'p> {
    /// The numbers of the cells that states track.
    pub cells: Cells,
    /// What operations mean.
    pub semantics: Semantics<'p>,
    flow: Flow,
}

/// An abstract variable assignment: the cells whose values are known. All others have any value.
pub type ValueState = WordMap;

impl<'p> Values<'p> {
    /// The explicit-value analysis of `program`.
    pub fn new(program: &'p Program) -> Values<'p> {
        Values { cells: Cells::new(program), semantics: Semantics::new(program), flow: Flow::new(program) }
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
        if transfer::transfer(&self.semantics, &mut store, step) { smallvec![store.map] } else { Successors::new() }
    }

    /// A state with fewer facts covers one with more.
    #[inline]
    fn covers(&self, old: &ValueState, new: &ValueState) -> bool {
        old.is_within(new)
    }

    #[inline]
    fn adjust(&self, mut state: ValueState, precision: &ValuePrecision, location: LocId) -> ValueState {
        if let Some(tracked) = precision.at(location)
            && !state.is_empty()
        {
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
