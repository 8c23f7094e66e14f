//! Edges as drawn by all formats: single operations or large blocks.

use super::{Numbering, Printer};
use crate::cfa::large::{LargeBlocks, Part, Sequence};
use crate::cfa::program::{LocId, Program};
use crate::cfa::source::SourceId;

/// An edge of a drawing.
pub(super) struct Drawn {
    pub from: LocId,
    pub to: LocId,
    /// Distinguishes parallel edges.
    pub name: String,
    pub label: String,
    pub source: SourceId,
}

/// The locations to show, in order.
pub(super) fn shown(numbering: &Numbering, blocks: Option<&LargeBlocks>) -> Vec<LocId> {
    let is_shown = |at: &LocId| blocks.is_none_or(|blocks| blocks.keeps(*at));
    numbering.locations().iter().copied().filter(is_shown).collect()
}

/// The edges that leave a location.
pub(super) fn drawn(
    program: &Program,
    printer: &Printer<'_>,
    blocks: Option<&LargeBlocks>,
    location: LocId,
) -> Vec<Drawn> {
    let Some(blocks) = blocks else {
        let edges = program.leaving(location);
        let drawn = edges.map(|(id, edge)| Drawn {
            from: edge.from,
            to: edge.to,
            name: id.0.to_string(),
            label: printer.label(&edge.op),
            source: edge.source,
        });
        return drawn.collect();
    };
    let drawn = blocks.leaving(location).iter().map(|edge| Drawn {
        from: edge.from,
        to: edge.to,
        name: String::new(),
        label: printer.block(&edge.block),
        source: first_source(program, &edge.block),
    });
    drawn.collect()
}

/// The source position of the first operation of a block.
fn first_source(program: &Program, block: &Sequence) -> SourceId {
    match block.first() {
        Some(Part::Edge(id)) => program.edge(*id).source,
        Some(Part::Choice(alternatives)) => first_source(program, &alternatives[0]),
        None => SourceId::NONE,
    }
}

impl Printer<'_> {
    /// A block on one line: `[x < 10]; {[y == 0]; x = x + 1 | [y != 0]}; y = 0`. Jumps are omitted.
    pub fn block(&self, block: &Sequence) -> String {
        let part = |part: &Part| match part {
            Part::Edge(id) => self.label(&self.program.edge(*id).op),
            Part::Choice(alternatives) => {
                format!(
                    "{{{}}}",
                    alternatives.iter().map(|alternative| self.block(alternative)).collect::<Vec<_>>().join(" | ")
                )
            }
        };
        block.iter().map(part).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ")
    }
}
