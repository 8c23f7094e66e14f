//! Expressions with some subexpressions replaced by constants.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cfa::program::Op;
use crate::expr::{Expr, Node, Pool, Value};

/// The operation with subexpressions replaced.
pub(super) fn operation(pool: &mut Pool, op: &Op, known: &[(Expr, Value)]) -> Op {
    let mut new = op.clone();
    let mut replace = |expr: &mut Expr| *expr = expression(pool, *expr, known);
    match &mut new {
        Op::Skip | Op::Havoc(..) | Op::Initialize { .. } | Op::Return(None) | Op::Unsupported(_) => {}
        Op::Assign(_, value) | Op::Assume(value) | Op::Return(Some(value)) => replace(value),
        Op::Store { address, value, .. } => [address, value].into_iter().for_each(replace),
        Op::Forget { address, bytes, .. } => [address, bytes].into_iter().for_each(replace),
        Op::Fill { address, byte, bytes, .. } => [address, byte, bytes].into_iter().for_each(replace),
        Op::Copy { to, from, bytes, .. } => [to, from, bytes].into_iter().for_each(replace),
        Op::Call { args, .. } => args.iter_mut().for_each(replace),
    }
    match new {
        Op::Assume(condition) if pool.as_const(condition) == Some(Value::Bool(true)) => Op::Skip,
        _ => new,
    }
}

/// All subexpressions of some expressions, children before parents.
pub(super) fn subexpressions(pool: &Pool, mut open: Vec<Expr>) -> Vec<Expr> {
    let mut seen = FxHashSet::default();
    while let Some(expr) = open.pop() {
        if seen.insert(expr) {
            open.extend(pool.children(expr));
        }
    }
    let mut all: Vec<Expr> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

fn expression(pool: &mut Pool, expr: Expr, known: &[(Expr, Value)]) -> Expr {
    let mut new: FxHashMap<Expr, Expr> = FxHashMap::default();
    for &(expr, value) in known {
        let constant = pool.constant(value);
        new.insert(expr, constant);
    }
    for old in subexpressions(pool, vec![expr]) {
        if new.contains_key(&old) {
            continue;
        }
        let changed = pool.children(old).any(|child| new[&child] != child);
        let built = if changed { with_children(pool, old, |child| new[&child]) } else { old };
        new.insert(old, built);
    }
    new[&expr]
}

fn with_children(pool: &mut Pool, expr: Expr, new: impl Fn(Expr) -> Expr) -> Expr {
    match pool.node(expr) {
        Node::Const(_) | Node::Var(_) => expr,
        Node::Unary(op, a) => pool.unary(op, new(a)),
        Node::Binary(op, a, b) => pool.binary(op, new(a), new(b)),
        Node::Ternary(op, a, b, c) => pool.ternary(op, new(a), new(b), new(c)),
        Node::Read { memory, address, cells } => pool.read(new(memory), new(address), cells),
        Node::Write { memory, address, value } => pool.write(new(memory), new(address), new(value)),
    }
}
