//! Constants: global variables and memories that are written only during initialisation.

use rustc_hash::FxHashMap;

use crate::cfa::program::{EdgeId, Op, Program, Scope};
use crate::expr::{Value, Var};

/// Constants of a program. They hold after its initialisation; before, none of them is read.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    /// Scalar variables with their values.
    pub scalars: FxHashMap<Var, Value>,
    /// Memories with the index of their contents in [`Program::initial`].
    pub memories: FxHashMap<Var, u32>,
}

impl Constants {
    /// The constants of a program.
    pub fn new(program: &Program) -> Constants {
        let mut writes = vec![0_u32; program.vars.len()];
        for written in program.edges.iter().filter_map(|edge| edge.op.written()) {
            writes[written.index()] += 1;
        }
        let is_constant = |var: Var| writes[var.index()] == 1 && program.var(var).scope == Scope::Global;
        let mut found = Constants::default();
        for edge in initialization(program) {
            match program.edge(edge).op {
                Op::Assign(var, expr) if is_constant(var) => {
                    let value = program.pool.as_const(expr).expect("the layout has constants only");
                    found.scalars.insert(var, value);
                }
                Op::Initialize { memory, contents } if is_constant(memory) => {
                    found.memories.insert(memory, contents);
                }
                _ => {}
            }
        }
        found
    }
}

/// The unconditional prefix of the program that only writes constants and initial contents.
fn initialization(program: &Program) -> Vec<EdgeId> {
    let mut steps = Vec::new();
    let mut location = program.function(program.start).entry;
    loop {
        let mut leaving = program.leaving(location);
        let (Some((id, edge)), None) = (leaving.next(), leaving.next()) else { return steps };
        let is_initialization = match edge.op {
            Op::Assign(_, expr) => program.pool.as_const(expr).is_some(),
            Op::Initialize { .. } | Op::Skip => true,
            _ => false,
        };
        // Terminates on a cycle: no prefix is longer than the program.
        if !is_initialization || steps.len() == program.edges.len() {
            return steps;
        }
        steps.push(id);
        location = edge.to;
    }
}
