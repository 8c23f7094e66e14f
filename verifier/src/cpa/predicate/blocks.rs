//! The block operator: where blocks end and path formulas are abstracted.

use crate::cfa::large::kept;
use crate::cfa::{LocId, Op, Program};
use crate::tuning::BlockLimits;

/// Where blocks end. They always end at error locations as well.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Blocks {
    /// After every step (single-block encoding).
    Single,
    /// At the locations that large-block encoding keeps ([`kept`]): loop heads, calls and returns, and joins of paths
    /// from several of these.
    Large,
    /// At loop heads (`abe-l`).
    #[default]
    Loops,
    /// At loop heads, function entries and returns (`abe-lf`).
    LoopsAndFunctions,
    /// After this number of steps.
    Steps(u32),
}

/// The block operator for a program.
#[derive(Clone, Debug)]
pub struct BlockEnds {
    blocks: Blocks,
    ends: Vec<bool>,
}

impl BlockEnds {
    /// The block operator for `blocks`.
    pub fn new(program: &Program, blocks: Blocks, limits: BlockLimits) -> BlockEnds {
        let locations = program.locations.iter();
        let mut ends: Vec<bool> = match blocks {
            Blocks::Single => vec![true; locations.len()],
            // An abstraction at the end of a path would be useless.
            Blocks::Large => {
                kept(program, limits).into_iter().zip(locations).map(|(is, l)| is && !l.leaving.is_empty()).collect()
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

    /// Whether a block ends at `location` after `steps` steps.
    pub fn ends_at(&self, location: LocId, steps: u32) -> bool {
        self.ends[location.index()] || matches!(self.blocks, Blocks::Steps(most) if steps >= most)
    }
}
