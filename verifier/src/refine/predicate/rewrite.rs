//! Traversal and substitution of expressions.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{BinaryOp, Expr, Node, Pool, Sort, TernaryOp, UnaryOp, Var};

/// `root` with some subexpressions replaced.
pub(super) fn replace(pool: &mut Pool, root: Expr, by: &FxHashMap<Expr, Expr>) -> Expr {
    let mut done: FxHashMap<Expr, Expr> = by.clone();
    let mut worklist = vec![(root, false)];
    while let Some((expr, ready)) = worklist.pop() {
        if done.contains_key(&expr) {
            continue;
        }
        if !ready {
            worklist.push((expr, true));
            worklist.extend(pool.children(expr).map(|child| (child, false)));
            continue;
        }
        let value = match pool.node(expr) {
            Node::Const(_) | Node::Var(_) => expr,
            Node::Unary(op, a) => pool.unary(op, done[&a]),
            Node::Binary(op, a, b) => pool.binary(op, done[&a], done[&b]),
            Node::Ternary(op, a, b, c) => pool.ternary(op, done[&a], done[&b], done[&c]),
            Node::Read { memory, address, cells } => pool.read(done[&memory], done[&address], cells),
            Node::Write { memory, address, value } => pool.write(done[&memory], done[&address], done[&value]),
        };
        done.insert(expr, value);
    }
    done[&root]
}

/// `root` with one subexpression replaced.
pub(super) fn replace_one(pool: &mut Pool, root: Expr, what: Expr, by: Expr) -> Expr {
    replace(pool, root, &FxHashMap::from_iter([(what, by)]))
}

/// Visits each subexpression once, parents first. Children are visited only if `visit` returns true.
pub(super) fn walk(pool: &Pool, root: Expr, mut visit: impl FnMut(Expr) -> bool) {
    let (mut seen, mut worklist) = (FxHashSet::default(), vec![root]);
    while let Some(expr) = worklist.pop() {
        if seen.insert(expr) && visit(expr) {
            worklist.extend(pool.children(expr));
        }
    }
}

/// Whether `part` occurs in `root`.
pub(super) fn contains(pool: &Pool, root: Expr, part: Expr) -> bool {
    let mut found = false;
    walk(pool, root, |expr| {
        found |= expr == part;
        // Children have smaller ids than their parents.
        !found && expr > part
    });
    found
}

/// Whether a variable for which `wanted` holds occurs in `root`.
pub(super) fn mentions(pool: &Pool, root: Expr, wanted: impl Fn(Var) -> bool) -> bool {
    let mut found = false;
    walk(pool, root, |expr| {
        found |= matches!(pool.node(expr), Node::Var(var) if wanted(var));
        !found
    });
    found
}

/// The number of distinct subexpressions.
pub(super) fn size(pool: &Pool, root: Expr) -> usize {
    let mut count = 0;
    walk(pool, root, |_| {
        count += 1;
        true
    });
    count
}

/// The conjunction of conditions.
pub(super) fn all(pool: &mut Pool, conditions: impl IntoIterator<Item = Expr>) -> Expr {
    let always = pool.bool(true);
    conditions.into_iter().fold(always, |all, condition| pool.and(all, condition))
}

/// The outermost connective of a truth value, with negations pushed inwards.
pub(super) enum Shape {
    /// A conjunction.
    And(Expr, Expr),
    /// A disjunction.
    Or(Expr, Expr),
    /// An atomic condition or its negation.
    Literal,
}

/// The outermost connective of a truth value.
pub(super) fn shape(pool: &mut Pool, expr: Expr) -> Shape {
    match pool.node(expr) {
        Node::Binary(BinaryOp::And, a, b) => Shape::And(a, b),
        Node::Binary(BinaryOp::Or, a, b) => Shape::Or(a, b),
        Node::Binary(BinaryOp::Eq, a, b) if pool.sort(a) == Sort::Bool => {
            let (not_a, not_b) = (pool.not(a), pool.not(b));
            let (both, neither) = (pool.and(a, b), pool.and(not_a, not_b));
            Shape::Or(both, neither)
        }
        Node::Ternary(TernaryOp::Ite, c, a, b) => {
            let opposite = pool.not(c);
            let (then, otherwise) = (pool.and(c, a), pool.and(opposite, b));
            Shape::Or(then, otherwise)
        }
        Node::Unary(UnaryOp::Not, inner) => match pool.node(inner) {
            Node::Binary(BinaryOp::And, a, b) => Shape::Or(pool.not(a), pool.not(b)),
            Node::Binary(BinaryOp::Or, a, b) => Shape::And(pool.not(a), pool.not(b)),
            Node::Binary(BinaryOp::Eq, a, b) if pool.sort(a) == Sort::Bool => {
                let (not_a, not_b) = (pool.not(a), pool.not(b));
                let (one, other) = (pool.and(a, not_b), pool.and(not_a, b));
                Shape::Or(one, other)
            }
            Node::Ternary(TernaryOp::Ite, c, a, b) => {
                let (opposite, not_a, not_b) = (pool.not(c), pool.not(a), pool.not(b));
                let (then, otherwise) = (pool.and(c, not_a), pool.and(opposite, not_b));
                Shape::Or(then, otherwise)
            }
            _ => Shape::Literal,
        },
        _ => Shape::Literal,
    }
}

/// The conjuncts of conditions, without duplicates, in order.
pub(super) fn conjuncts(pool: &mut Pool, conditions: impl IntoIterator<Item = Expr>) -> Vec<Expr> {
    let (mut seen, mut list) = (FxHashSet::default(), Vec::new());
    let mut worklist: Vec<Expr> = conditions.into_iter().collect();
    worklist.reverse();
    while let Some(expr) = worklist.pop() {
        if pool.as_const(expr).is_some_and(|value| value.is_true()) || !seen.insert(expr) {
            continue;
        }
        match shape(pool, expr) {
            Shape::And(a, b) => worklist.extend([b, a]),
            _ => list.push(expr),
        }
    }
    list
}
