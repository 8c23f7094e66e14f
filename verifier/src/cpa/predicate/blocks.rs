//! The block operator: where blocks end, and the formula of all ways through a block is abstracted.

use crate::cfa::large::kept;
use crate::cfa::{LocId, Op, Program};

/// Where blocks end. Wherever it is, they end at errors too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Blocks {
    /// After every step (single-block encoding).
    Single,
    /// At the locations that large-block encoding keeps ([`kept`]): loop heads, calls and returns, and where ways from
    /// several of these meet.
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
        let locations = program.locations.iter();
        let mut ends: Vec<bool> = match blocks {
            Blocks::Single => vec![true; locations.len()],
            // Where paths end, an abstraction would be of no use.
            Blocks::Large => {
                kept(program).into_iter().zip(locations).map(|(is, l)| is && !l.leaving.is_empty()).collect()
            }
            Blocks::Loops | Blocks::LoopsAndFunctions => locations.map(|l| l.loop_head).collect(),
            Blocks::Steps(_) => vec![false; locations.len()],
        };
        if blocks == Blocks::LoopsAndFunctions {
            for edge in &program.edges {
                if let Op::Call { callee, .. } = edge.op {
                    ends[program.function(callee).entry.index()] = true;
                    ends[edge.to.index()] = true;
                }
            }
        }
        BlockEnds { blocks, ends }
    }

    /// Does a block end at `location`, after so many steps?
    pub fn ends_at(&self, location: LocId, steps: u32) -> bool {
        self.ends[location.index()] || matches!(self.blocks, Blocks::Steps(most) if steps >= most)
    }
}
