//! Graphs as text: one line for each node, followed by one for each of its edges.

use std::fmt::Write;

use super::{Fate, Graph, Node};
use crate::cfa::LocationKind;
use crate::cpa::control::Event;
use crate::print::Names;

/// The maximum width of the column of operations. Longer ones overflow it.
const MAX_COLUMN: usize = 56;

impl Graph {
    /// The whole graph.
    pub fn text(&self, names: &Names<'_>) -> String {
        let ops: Vec<Vec<String>> =
            self.nodes.iter().map(|node| node.edges.iter().map(|edge| edge.ops(names)).collect()).collect();
        let width = |op: &String| Some(op.chars().count()).filter(|&width| width <= MAX_COLUMN);
        let op_width = ops.iter().flatten().filter_map(width).max().unwrap_or(0);
        let number_width = self.nodes.len().saturating_sub(1).to_string().len() + 1;
        let mut out = String::new();
        for (number, (node, ops)) in self.nodes.iter().zip(&ops).enumerate() {
            let at = names.within_calls(&node.calls, node.location);
            let _ = write!(out, "N{number} {at} {{{}}}", node.facts.join(", "));
            match node.fate_text(names) {
                Some(fate) => out.extend([" ", &fate, "\n"]),
                None => out.push('\n'),
            }
            for (edge, op) in node.edges.iter().zip(ops) {
                let target = format!("N{}", edge.to);
                let line = format!("  -> {target:number_width$}   {op:op_width$}   {}", edge.place(names));
                let _ = writeln!(out, "{}", line.trim_end());
            }
        }
        out
    }
}

impl Node {
    /// How the node was processed; `None` if its edges show that.
    pub(super) fn fate_text(&self, names: &Names<'_>) -> Option<String> {
        match self.fate {
            Fate::Expanded if self.edges.is_empty() => Some("dead end".into()),
            Fate::Expanded => None,
            Fate::Waiting => Some("waiting".into()),
            Fate::Covered(by) => Some(format!("covered by N{by}")),
            Fate::End => Some("end".into()),
            Fate::Target(Event::Error) => Some(match &names.program.location(self.location).kind {
                LocationKind::Error(property) => format!("target: {}", property.kind),
                _ => "target".into(),
            }),
            Fate::Target(Event::Unsupported) => Some("target: unsupported".into()),
            Fate::Target(Event::Recursion) => Some("target: recursion".into()),
        }
    }
}
