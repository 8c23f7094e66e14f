//! Abstract states: the abstraction at the start of a block, and the formula of the paths through it so far.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::Known;
use crate::abstraction::Region;
use crate::cfa::LocId;
use crate::expr::Expr;
use crate::formula::State;

/// An abstract state.
#[derive(Clone, Debug)]
pub struct PredicateState {
    /// The current block.
    pub block: Rc<Block>,
    /// The formula of all paths from the start of the block.
    pub way: Rc<Way>,
    /// The id of the way that was joined into this one last.
    pub(super) joined: Option<u32>,
}

/// The start of a block.
#[derive(Clone, Debug)]
pub struct Block {
    pub(super) id: u32,
    /// The number of preceding blocks.
    pub depth: u32,
    /// Where it begins.
    pub location: LocId,
    /// The number of predicates tracked there when the abstraction was computed.
    pub tracked: usize,
    /// The abstraction.
    pub region: Region,
    /// Variables and cells that have a single value in the abstraction.
    pub pinned: Vec<Known>,
    /// Facts from another analysis, sorted.
    pub known: Vec<Expr>,
    /// The preceding block, and the formula of the paths through it that led here.
    pub before: Option<(Rc<Block>, Rc<Way>)>,
}

/// The formula of some paths from the start of a block.
#[derive(Debug)]
pub struct Way {
    pub(super) id: u32,
    /// The symbolic state, with the conditions for reaching it.
    pub state: State,
    /// The maximum number of steps of the joined paths; 0 at the start.
    pub(super) steps: u32,
}

impl PredicateState {
    /// Whether this is the start of a block, without any steps.
    pub fn is_abstract(&self) -> bool {
        self.way.steps == 0
    }

    /// The blocks from the start of the program, each with the formula of the paths through it.
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

/// Drops a long chain of blocks iteratively instead of recursively.
impl Drop for Block {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some((block, _)) = next {
            next = Rc::into_inner(block).and_then(|mut block| block.before.take());
        }
    }
}
