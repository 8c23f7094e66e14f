//! The names of locations, variables and calls in a program, computed once for all nodes of a graph.

use super::{Numbering, Printer};
use crate::cfa::{EdgeId, FuncId, LocId, Program};

/// The names in a program.
#[derive(Debug)]
pub struct Names<'p> {
    /// The program.
    pub program: &'p Program,
    /// Names outside of any function.
    pub outside: Printer<'p>,
    functions: Vec<(Printer<'p>, Numbering)>,
}

impl<'p> Names<'p> {
    /// The names in `program`.
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

    /// A location with its call stack, outermost first: `main L4 > f L2`. Of many calls, only the innermost are shown.
    /// The call of the entry is left out.
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
