//! Automata step by step or in large blocks: what all formats show of either.

use super::{Numbering, Printer};
use crate::cfa::large::{LargeBlocks, Part, Sequence};
use crate::cfa::program::{LocId, Program};
use crate::cfa::source::SourceId;

/// An edge in a drawing.
pub(super) struct Drawn {
    pub from: LocId,
    pub to: LocId,
    /// Tells edges with the same ends apart.
    pub name: String,
    pub label: String,
    pub source: SourceId,
}

/// The locations that are shown, in order.
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

/// Where a block begins in the source.
fn first_source(program: &Program, block: &Sequence) -> SourceId {
    match block.first() {
        Some(Part::Edge(id)) => program.edge(*id).source,
        Some(Part::Choice(ways)) => first_source(program, &ways[0]),
        None => SourceId::NONE,
    }
}

impl Printer<'_> {
    /// A block in one line: `[x < 10]; {[y == 0]; x = x + 1 | [y != 0]}; y = 0`. Jumps need no words.
    pub fn block(&self, block: &Sequence) -> String {
        let part = |part: &Part| match part {
            Part::Edge(id) => self.label(&self.program.edge(*id).op),
            Part::Choice(ways) => {
                format!("{{{}}}", ways.iter().map(|way| self.block(way)).collect::<Vec<_>>().join(" | "))
            }
        };
        block.iter().map(part).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ")
    }
}
