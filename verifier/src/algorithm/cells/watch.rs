//! The locations that are watched: those whose reads decide whether an error is reached.

use std::collections::BTreeSet;

use super::access::reads;
use crate::cfa::{Edge, FuncId, LocId, Op, Program};
use crate::expr::{Expr, Node, Sort, Var};

/// The locations with reads whose values flow into the conditions before errors, at most `limit` of them; the nearest
/// first.
pub fn watched(program: &Program, errors: &BTreeSet<LocId>, limit: usize) -> Vec<LocId> {
    let mut found = Vec::new();
    let mut flow = Flow { program, seen: BTreeSet::new(), next: Vec::new() };
    let mut before: Vec<LocId> = errors.iter().copied().collect();
    let mut visited: BTreeSet<LocId> = errors.clone();
    // Back to the conditions that lead to errors, through callers where a condition is a function of its own.
    while let Some(location) = before.pop() {
        for edge in program.edges.iter().filter(|edge| edge.to == location && edge.from != location) {
            if let Op::Assume(condition) = edge.op {
                flow.look(edge, &[condition], &mut found);
            } else if visited.insert(edge.from) {
                before.push(edge.from);
            }
        }
    }
    while let Some(var) = flow.next.pop() {
        for edge in &program.edges {
            match &edge.op {
                Op::Assign(written, value) if *written == var => flow.look(edge, &[*value], &mut found),
                Op::Call { callee, args, result } => {
                    let position = program.function(*callee).params.iter().position(|&param| param == var);
                    if let Some(&arg) = position.and_then(|position| args.get(position)) {
                        flow.look(edge, &[arg], &mut found);
                    }
                    if *result == Some(var) {
                        flow.look_at_results(*callee, &mut found);
                    }
                }
                _ => {}
            }
        }
    }
    found.truncate(limit);
    found
}

/// A backward data flow.
struct Flow<'p> {
    program: &'p Program,
    seen: BTreeSet<Var>,
    next: Vec<Var>,
}

impl Flow<'_> {
    /// Looks at values that matter. Those that are read from memory end the flow.
    fn look(&mut self, edge: &Edge, values: &[Expr], found: &mut Vec<LocId>) {
        let pool = &self.program.pool;
        if !reads(pool, values).is_empty() {
            if !found.contains(&edge.from) {
                found.push(edge.from);
            }
            return;
        }
        let mut worklist = values.to_vec();
        while let Some(expr) = worklist.pop() {
            if let Node::Var(var) = pool.node(expr)
                && !matches!(self.program.var(var).sort, Sort::Memory(_))
                && self.seen.insert(var)
            {
                self.next.push(var);
            }
            worklist.extend(pool.children(expr));
        }
    }

    fn look_at_results(&mut self, function: FuncId, found: &mut Vec<LocId>) {
        let program = self.program;
        for (_, edge) in program.edges_of(function) {
            if let Op::Return(Some(value)) = edge.op {
                self.look(edge, &[value], found);
            }
        }
    }
}
