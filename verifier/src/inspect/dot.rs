//! Graphs for Graphviz: boxes for abstract states, dashed edges to their coverers.

use std::fmt::Write;

use super::{Fate, Graph};
use crate::print::Names;
use crate::print::{MAX_LABEL, quote, shorten};

impl Graph {
    /// The whole graph in the language of Graphviz.
    pub fn dot(&self, names: &Names<'_>) -> String {
        let mut out = String::from(
            "digraph arg {\n  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=11, margin=0.08];\n  \
             edge [fontname=\"monospace\", fontsize=11];\n",
        );
        for (number, node) in self.nodes.iter().enumerate() {
            let lines: Vec<String> = node.lines(number, names).iter().map(|line| shorten(line, MAX_LABEL)).collect();
            let style = match node.fate {
                Fate::Target(_) => ", color=\"#c00000\", fontcolor=\"#c00000\"",
                Fate::Covered(_) => ", color=\"#888888\", fontcolor=\"#666666\"",
                Fate::Waiting => ", style=\"rounded,dashed\"",
                Fate::End => ", style=\"rounded,bold\"",
                Fate::Expanded => "",
            };
            let tooltip = quote(&node.facts.join("\n"));
            let _ = writeln!(out, "  n{number} [label={}, tooltip={tooltip}{style}];", quote(&lines.join("\n")));
        }
        for (number, node) in self.nodes.iter().enumerate() {
            for edge in &node.edges {
                let _ = writeln!(
                    out,
                    "  n{number} -> n{} [label={}, tooltip={tip}, labeltooltip={tip}];",
                    edge.to,
                    quote(&shorten(&edge.labels(names), MAX_LABEL)),
                    tip = quote(&edge.tooltip(names)),
                );
            }
            if let Fate::Covered(by) = node.fate {
                let _ = writeln!(out, "  n{number} -> n{by} [style=dashed, color=\"#888888\", constraint=false];");
            }
        }
        out + "}\n"
    }
}
