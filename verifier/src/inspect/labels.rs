//! Labels of the nodes and edges of a graph.

use super::{Edge, Node};
use crate::cfa::{Op, SourceId};
use crate::print::{Names, Printer, tooltip};

impl Edge {
    /// The operations of the edge.
    pub(super) fn ops(&self, names: &Names<'_>) -> String {
        self.each(names, |printer, op| printer.op(op))
    }

    /// The operations of the edge, as labels of a drawing.
    pub(super) fn labels(&self, names: &Names<'_>) -> String {
        self.each(names, |printer, op| printer.label(op))
    }

    fn each(&self, names: &Names<'_>, text: impl Fn(&Printer<'_>, &Op) -> String) -> String {
        let texts = self.steps.iter().map(|step| {
            let passed = names.program.edge(step.edge);
            text(names.inside(passed.from), &passed.op)
        });
        texts.collect::<Vec<_>>().join("; ")
    }

    /// The source place of the first step.
    pub(super) fn place(&self, names: &Names<'_>) -> String {
        let source = self.steps.first().map(|step| names.program.edge(step.edge).source);
        source.map_or_else(String::new, |source| names.outside.place(source))
    }

    /// The text of its tooltip.
    pub(super) fn tooltip(&self, names: &Names<'_>) -> String {
        let source = self.steps.first().map_or(SourceId::NONE, |step| names.program.edge(step.edge).source);
        tooltip(&names.outside, &self.labels(names), source)
    }
}

impl Node {
    /// The lines of its box.
    pub(super) fn lines(&self, number: usize, names: &Names<'_>) -> Vec<String> {
        const MAX_FACTS: usize = 12;
        let mut lines = vec![format!("N{number} {}", names.within_calls(&self.calls, self.location))];
        lines.extend(self.facts.iter().take(MAX_FACTS).cloned());
        if self.facts.len() > MAX_FACTS {
            lines.push(format!("… {} more", self.facts.len() - MAX_FACTS));
        }
        lines.extend(self.fate_text(names));
        lines
    }
}
