//! Which locations execution can reach at all, whatever the values of variables are.

use super::program::{Edge, FuncId, Function, LocId, Op};
use crate::expr::{Pool, Value};

/// For each location, whether it is reached from the entry of `start`.
pub(super) fn reached(pool: &Pool, functions: &[Function], edges: &[Edge], count: usize, start: FuncId) -> Vec<bool> {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (i, edge) in edges.iter().enumerate() {
        leaving[edge.from.index()].push(i);
    }
    let mut reached = vec![false; count];
    let mut stack: Vec<LocId> = vec![functions[start.index()].entry];
    while let Some(location) = stack.pop() {
        if std::mem::replace(&mut reached[location.index()], true) {
            continue;
        }
        for edge in leaving[location.index()].iter().map(|&i| &edges[i]) {
            match &edge.op {
                Op::Assume(condition) if pool.as_const(*condition) == Some(Value::Bool(false)) => {}
                Op::Call { callee, .. } => stack.extend([functions[callee.index()].entry, edge.to]),
                _ => stack.push(edge.to),
            }
        }
    }
    reached
}
