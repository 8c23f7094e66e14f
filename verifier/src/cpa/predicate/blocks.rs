//! The block operator: where blocks end, and the formula of all ways through a block is abstracted.

use crate::cfa::{LocId, Op, Program};

/// Where blocks end. Wherever it is, they end at errors too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Blocks {
    /// After every step (single-block encoding).
    Single,
    /// At loop heads, calls and returns: what the summary of sequences and choices in each function leaves (large-block
    /// encoding).
    Large,
    /// At loop heads (`abe-l`).
    #[default]
    Loops,
    /// At loop heads and where functions begin and return (`abe-lf`).
    LoopsAndFunctions,
    /// After so many steps.
    Steps(u32),
}

/// The block operator for a program.
#[derive(Clone, Debug)]
pub struct BlockEnds {
    blocks: Blocks,
    ends: Vec<bool>,
}

impl BlockEnds {
    /// Blocks as `blocks` says.
    pub fn new(program: &Program, blocks: Blocks) -> BlockEnds {
        let mut ends: Vec<bool> = program.locations.iter().map(|l| blocks == Blocks::Single || l.loop_head).collect();
        if let Blocks::Large | Blocks::LoopsAndFunctions = blocks {
            for edge in &program.edges {
                if let Op::Call { callee, .. } = edge.op {
                    ends[program.function(callee).entry.index()] = true;
                    ends[edge.to.index()] = true;
                    ends[edge.from.index()] |= blocks == Blocks::Large;
                }
            }
        }
        if let Blocks::Steps(_) = blocks {
            ends.fill(false);
        }
        BlockEnds { blocks, ends }
    }

    /// Does a block end at `location`, after so many steps?
    pub fn ends_at(&self, location: LocId, steps: u32) -> bool {
        self.ends[location.index()] || matches!(self.blocks, Blocks::Steps(most) if steps >= most)
    }
}
