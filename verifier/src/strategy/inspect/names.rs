//! The names of locations, variables and calls in a program, found once for all nodes of a graph.

use super::{Edge, Node};
use crate::cfa::print::{Numbering, Printer, tooltip};
use crate::cfa::{EdgeId, FuncId, LocId, Op, Program, SourceId};

/// The names of what is in a program.
#[derive(Debug)]
pub struct Names<'p> {
    /// The program.
    pub program: &'p Program,
    /// Names outside of any function.
    pub outside: Printer<'p>,
    functions: Vec<(Printer<'p>, Numbering)>,
}

impl<'p> Names<'p> {
    /// The names of what is in `program`.
    pub fn new(program: &'p Program) -> Names<'p> {
        let outside = Printer::new(program);
        let functions = (0..program.functions.len() as u32).map(FuncId);
        let functions = functions.map(|id| (outside.inside(id), Numbering::new(program, id))).collect();
        Names { program, outside, functions }
    }

    /// The function that a location belongs to.
    pub fn function(&self, location: LocId) -> &'p str {
        self.outside.function(self.program.location(location).function)
    }

    /// Names inside of the function that a location belongs to.
    pub fn inside(&self, location: LocId) -> &Printer<'p> {
        &self.of(location).0
    }

    /// The name of a location inside of its function: `L3`.
    pub fn number(&self, location: LocId) -> String {
        format!("L{}", self.of(location).1.number(location))
    }

    /// The name of a location: `main L3`.
    pub fn location(&self, location: LocId) -> String {
        format!("{} {}", self.function(location), self.number(location))
    }

    /// A location with the calls that led into its function, from the outside: `main L4 > f L2`. Of many calls, the
    /// innermost. That of the entry, which all others are inside of, is left out.
    pub fn within_calls(&self, calls: &[EdgeId], location: LocId) -> String {
        const SHOWN: usize = 3;
        let start = self.program.start;
        let from = |call: &EdgeId| self.program.edge(*call).from;
        let shown = calls.iter().map(from).filter(|&at| self.program.location(at).function != start);
        let mut frames: Vec<String> = shown.chain([location]).map(|at| self.location(at)).collect();
        if frames.len() > SHOWN + 1 {
            frames.splice(..frames.len() - SHOWN, ["…".to_string()]);
        }
        frames.join(" > ")
    }

    fn of(&self, location: LocId) -> &(Printer<'p>, Numbering) {
        &self.functions[self.program.location(location).function.0 as usize]
    }
}

/// What is written at edges.
impl Names<'_> {
    /// The operations on the way.
    pub(super) fn ops(&self, edge: &Edge) -> String {
        self.each(edge, |printer, op| printer.op(op))
    }

    /// The operations on the way, as a drawing is labelled with them.
    pub(super) fn labels(&self, edge: &Edge) -> String {
        self.each(edge, |printer, op| printer.label(op))
    }

    fn each(&self, edge: &Edge, text: impl Fn(&Printer<'_>, &Op) -> String) -> String {
        let texts = edge.steps.iter().map(|step| {
            let passed = self.program.edge(step.edge);
            text(self.inside(passed.from), &passed.op)
        });
        texts.collect::<Vec<_>>().join("; ")
    }

    /// The place in the source where the way starts.
    pub(super) fn place(&self, edge: &Edge) -> String {
        let source = edge.steps.first().map(|step| self.program.edge(step.edge).source);
        source.map_or_else(String::new, |source| self.outside.place(source))
    }

    /// What a pointer that rests on an edge sees.
    pub(super) fn tooltip(&self, edge: &Edge) -> String {
        let source = edge.steps.first().map_or(SourceId::NONE, |step| self.program.edge(step.edge).source);
        tooltip(&self.outside, &self.labels(edge), source)
    }
}

impl Node {
    /// What is written in the box of a node.
    pub(super) fn lines(&self, number: usize, names: &Names<'_>) -> Vec<String> {
        const SHOWN: usize = 12;
        let mut lines = vec![format!("N{number} {}", names.within_calls(&self.calls, self.location))];
        lines.extend(self.facts.iter().take(SHOWN).cloned());
        if self.facts.len() > SHOWN {
            lines.push(format!("… {} more", self.facts.len() - SHOWN));
        }
        lines.extend(self.fate_text(names));
        lines
    }
}
