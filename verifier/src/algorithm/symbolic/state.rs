//! The state of a path: its position, variables and memories, and what is known of the symbols.
//!
//! All large parts are persistent data structures, so that a fork is cheap. Frames have digests that are updated with
//! each write, so that equal states are found without a comparison of all variables.

use std::hash::{BuildHasher, Hash};

use imbl::OrdMap;
use rustc_hash::FxBuildHasher;

use super::super::bmc::position::Position;
use super::history::PastId;
use super::knowledge::Knowledge;
use crate::cfa::LocId;
use crate::expr::{Expr, Var};

/// A symbolic state.
#[derive(Clone)]
pub(super) struct State {
    pub(super) location: LocId,
    pub(super) position: Position,
    pub(super) globals: Frame,
    /// The innermost activation is the last one.
    pub(super) frames: Vec<Frame>,
    pub(super) knowledge: Knowledge,
    /// The number of symbols that were drawn on the path: names of further ones.
    pub(super) draws: u32,
    pub(super) past: PastId,
}

/// The variables of an activation, or the global ones.
#[derive(Clone, Default)]
pub(super) struct Frame {
    pub(super) scalars: OrdMap<Var, Expr>,
    pub(super) memories: OrdMap<Var, Memory>,
    digest: u64,
}

/// A memory: initial contents, and cells that were written or drawn.
#[derive(Clone, Default)]
pub(super) struct Memory {
    /// The index of the initial contents.
    pub(super) contents: Option<u32>,
    pub(super) cells: OrdMap<u64, Cell>,
    digest: u64,
}

/// A cell that differs from the initial contents.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Cell {
    Value(Expr),
    /// It has any value, which is drawn when the cell is read.
    Unknown,
}

fn digest(item: impl Hash) -> u64 {
    FxBuildHasher.hash_one(item)
}

impl Frame {
    pub(super) fn set(&mut self, var: Var, value: Expr) {
        if let Some(old) = self.scalars.insert(var, value) {
            self.digest ^= digest((var, old));
        }
        self.digest ^= digest((var, value));
    }

    pub(super) fn forget(&mut self, var: Var) {
        if let Some(old) = self.scalars.remove(&var) {
            self.digest ^= digest((var, old));
        }
    }

    /// Forgets all cells; the memory has initial contents, or none.
    pub(super) fn reset(&mut self, var: Var, contents: Option<u32>) {
        let memory = Memory { contents, cells: OrdMap::new(), digest: digest((var, contents)) };
        let new = memory.digest;
        let old = self.memories.insert(var, memory).map_or(0, |old| old.digest);
        self.digest ^= old ^ new;
    }

    pub(super) fn write(&mut self, var: Var, address: u64, cell: Cell) {
        if !self.memories.contains_key(&var) {
            self.reset(var, None);
        }
        let memory = self.memories.get_mut(&var).expect("it has just been made");
        let mut change = digest((var, address, cell));
        if let Some(old) = memory.cells.insert(address, cell) {
            change ^= digest((var, address, old));
        }
        memory.digest ^= change;
        self.digest ^= change;
    }
}

impl State {
    /// A digest of all variables.
    pub(super) fn digest(&self) -> u64 {
        digest((self.globals.digest, self.frames.iter().map(|frame| frame.digest).collect::<Vec<_>>()))
    }

    /// All frames.
    pub(super) fn all_frames(&self) -> impl Iterator<Item = &Frame> {
        std::iter::once(&self.globals).chain(&self.frames)
    }

    pub(super) fn innermost(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the start function is always under way")
    }
}
