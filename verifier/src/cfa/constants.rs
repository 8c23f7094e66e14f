//! What never changes: global variables and memories that only the start of the program gives a value.

use rustc_hash::FxHashMap;

use super::program::{EdgeId, Op, Program, Scope, Var};
use super::value::Value;

/// What holds from where the program has laid out its data on. Before, nobody reads any of it.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    /// Scalar variables with their values.
    pub scalars: FxHashMap<Var, Value>,
    /// Memories with the position of their contents among the program's initial ones.
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
        for edge in layout(program) {
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

/// The first steps of every run, as far as they read nothing.
fn layout(program: &Program) -> Vec<EdgeId> {
    let mut steps = Vec::new();
    let mut location = program.function(program.start).entry;
    loop {
        let mut leaving = program.leaving(location);
        let (Some((id, edge)), None) = (leaving.next(), leaving.next()) else { return steps };
        let is_layout = match edge.op {
            Op::Assign(_, expr) => program.pool.as_const(expr).is_some(),
            Op::Initialize { .. } => true,
            _ => false,
        };
        // A loop is left once it has been gone through.
        if !is_layout || steps.len() == program.edges.len() {
            return steps;
        }
        steps.push(id);
        location = edge.to;
    }
}
