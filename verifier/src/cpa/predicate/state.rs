//! Abstract states: what was known where a block began, and the formula of the ways through it so far.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::Known;
use crate::abstraction::Region;
use crate::cfa::{Expr, LocId};
use crate::formula::State;

/// An abstract state.
#[derive(Clone, Debug)]
pub struct PredicateState {
    /// The block that it is in.
    pub block: Rc<Block>,
    /// How control came here from where the block began, all ways.
    pub way: Rc<Way>,
    /// The number of the ways that were joined to these last.
    pub(super) joined: Option<u32>,
}

/// Where a block begins.
#[derive(Clone, Debug)]
pub struct Block {
    pub(super) id: u32,
    /// How many blocks come before it.
    pub depth: u32,
    /// Where it begins.
    pub location: LocId,
    /// How many of the predicates that are tracked there were known when the abstraction was computed.
    pub tracked: usize,
    /// The abstraction: what is known of the predicates there.
    pub region: Region,
    /// What the abstraction pins: variables and cells that have one value in all of it.
    pub pinned: Vec<Known>,
    /// What else is known there, from another analysis, sorted.
    pub known: Vec<Expr>,
    /// The block before, and the ways through it that led here.
    pub before: Option<(Rc<Block>, Rc<Way>)>,
}

/// The formula of some ways from the beginning of a block.
#[derive(Debug)]
pub struct Way {
    pub(super) id: u32,
    /// What the variables hold, and under which conditions control comes here.
    pub state: State,
    /// How many steps the first of the ways has; none at the beginning.
    pub(super) steps: u32,
}

impl PredicateState {
    /// Does a block begin here, with nothing done yet?
    pub fn is_abstract(&self) -> bool {
        self.way.steps == 0
    }

    /// The blocks from the start of the program to here, each with the ways through it.
    pub fn blocks(&self) -> Vec<(Rc<Block>, Rc<Way>)> {
        let mut blocks = vec![(Rc::clone(&self.block), Rc::clone(&self.way))];
        while let Some(before) = &blocks.last().expect("there is one").0.before {
            blocks.push((Rc::clone(&before.0), Rc::clone(&before.1)));
        }
        blocks.reverse();
        blocks
    }
}

impl PartialEq for PredicateState {
    fn eq(&self, other: &PredicateState) -> bool {
        self.block.id == other.block.id && self.way.id == other.way.id
    }
}

impl Eq for PredicateState {}

impl Hash for PredicateState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.block.id, self.way.id).hash(hasher);
    }
}

/// Chains of blocks can be long: they are let go of one by one, not by recursion.
impl Drop for Block {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some((block, _)) = next {
            next = Rc::into_inner(block).and_then(|mut block| block.before.take());
        }
    }
}
