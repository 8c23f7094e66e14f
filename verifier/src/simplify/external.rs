//! What may depend on values of external functions.
//!
//! A slice may drop a loop only if it terminates. A loop that waits for an external function may never end in a real
//! run, so a violation behind it depends on what that function returns.

use crate::cfa::program::{Havoc, Op, Program};
use crate::expr::{Node, Pool};
use crate::facts::Loops;

/// For each location, whether it decides, by a value that may come from an external function, that a loop ends.
pub(super) fn ends_of_waiting(program: &Program) -> Vec<bool> {
    let mut waits = vec![false; program.locations.len()];
    let Some(tainted) = tainted(program) else { return waits };
    let (loops, is_tainted) = (Loops::new(program), expressions(&program.pool, &tainted));
    for edge in &program.edges {
        if let Op::Assume(condition) = edge.op
            && is_tainted[condition.index()]
            && loops.leaves(edge.from, edge.to)
        {
            waits[edge.from.index()] = true;
        }
    }
    waits
}

/// The variables that may hold values of external functions, by assignments; `None` if there are no such functions.
fn tainted(program: &Program) -> Option<Vec<bool>> {
    let mut tainted = vec![false; program.vars.len()];
    for edge in &program.edges {
        if let Op::Havoc(var, Havoc::External(function)) = edge.op
            && !program.external(function).is_any
        {
            tainted[var.index()] = true;
        }
    }
    program.outside.objects.iter().flat_map(|(_, _, memories)| memories).for_each(|var| tainted[var.index()] = true);
    if !tainted.contains(&true) {
        return None;
    }
    let mut results = vec![false; program.functions.len()];
    loop {
        let is_tainted = expressions(&program.pool, &tainted);
        let mut changed = false;
        let mut set = |flag: &mut bool| changed |= !std::mem::replace(flag, true);
        for edge in &program.edges {
            let mut reads = matches!(edge.op, Op::Copy { source, .. } if tainted[source.index()]);
            edge.op.for_each_expr(|expr| reads |= is_tainted[expr.index()]);
            match &edge.op {
                Op::Call { callee, args, result } => {
                    let passed = args.iter().zip(&program.function(*callee).params);
                    passed.filter(|(arg, _)| is_tainted[arg.index()]).for_each(|(_, p)| set(&mut tainted[p.index()]));
                    if let (Some(result), true) = (result, results[callee.index()]) {
                        set(&mut tainted[result.index()]);
                    }
                }
                Op::Return(_) if reads => set(&mut results[program.location(edge.from).function.index()]),
                op if reads => op.written().into_iter().for_each(|var| set(&mut tainted[var.index()])),
                _ => {}
            }
        }
        if !changed {
            return Some(tainted);
        }
    }
}

/// The expressions that read a marked variable.
fn expressions(pool: &Pool, marked: &[bool]) -> Vec<bool> {
    let mut reads = vec![false; pool.len()];
    for expr in pool.exprs() {
        // Operands come before the expressions that have them.
        reads[expr.index()] = match pool.node(expr) {
            Node::Var(var) => marked[var.index()],
            _ => pool.children(expr).any(|child| reads[child.index()]),
        };
    }
    reads
}
