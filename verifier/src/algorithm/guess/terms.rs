//! Terms of one pool in another.

use rustc_hash::FxHashMap;

use crate::expr::{BinaryOp, Expr, Node, Pool, UnaryOp, Var};

/// How deep sums are expanded in products.
const MAX_EXPANSIONS: u32 = 4;

/// An expression of the pool `from` in the pool `to`, with variables replaced.
pub fn rebuild(
    from: &Pool,
    expr: Expr,
    variables: &FxHashMap<Var, Expr>,
    known: &mut FxHashMap<Expr, Expr>,
    to: &mut Pool,
) -> Expr {
    if let Some(&done) = known.get(&expr) {
        return done;
    }
    let mut inner = |expr, to: &mut Pool| rebuild(from, expr, variables, known, to);
    let built = match from.node(expr) {
        Node::Const(value) => to.constant(value),
        Node::Var(var) => variables[&var],
        Node::Unary(op, a) => {
            let a = inner(a, to);
            to.unary(op, a)
        }
        Node::Binary(op, a, b) => {
            let (a, b) = (inner(a, to), inner(b, to));
            if op == BinaryOp::Mul { multiply(to, a, b, MAX_EXPANSIONS) } else { to.binary(op, a, b) }
        }
        Node::Ternary(op, a, b, c) => {
            let (a, b, c) = (inner(a, to), inner(b, to), inner(c, to));
            to.ternary(op, a, b, c)
        }
        Node::Read { .. } | Node::Write { .. } => unreachable!("clauses are about scalars"),
    };
    known.insert(expr, built);
    built
}

/// How deep a statement is searched for products.
const MAX_DEPTH: u32 = 40;

/// Whether a clause has a product of two variables.
pub fn is_nonlinear(pool: &Pool, clause: Expr) -> bool {
    let is_product = match pool.node(clause) {
        Node::Binary(BinaryOp::Mul, a, b) => pool.as_const(a).is_none() && pool.as_const(b).is_none(),
        _ => false,
    };
    is_product || pool.children(clause).any(|child| is_nonlinear(pool, child))
}

/// A statement whose products are expanded, where a variable of a clause was replaced by a sum.
pub fn expanded(pool: &mut Pool, statement: Expr) -> Expr {
    expand(pool, statement, MAX_DEPTH, &mut FxHashMap::default())
}

fn expand(pool: &mut Pool, expr: Expr, depth: u32, known: &mut FxHashMap<Expr, Expr>) -> Expr {
    if let Some(&done) = known.get(&expr) {
        return done;
    }
    let built = match pool.node(expr) {
        _ if depth == 0 => return expr,
        Node::Unary(op @ (UnaryOp::Not | UnaryOp::Neg), a) => {
            let a = expand(pool, a, depth - 1, known);
            pool.unary(op, a)
        }
        Node::Binary(op, a, b) if is_arithmetic(op) => {
            let (a, b) = (expand(pool, a, depth - 1, known), expand(pool, b, depth - 1, known));
            if op == BinaryOp::Mul { multiply(pool, a, b, MAX_EXPANSIONS) } else { pool.binary(op, a, b) }
        }
        _ => expr,
    };
    known.insert(expr, built);
    built
}

/// Whether an operation is found in polynomials, or in statements about them.
fn is_arithmetic(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Eq | BinaryOp::And | BinaryOp::Or)
}

/// A product, expanded where a factor is a sum: `n * (m - 1)` is `n * m - n`. Solvers compare sums of the same products
/// easily, but not products.
fn multiply(pool: &mut Pool, a: Expr, b: Expr, depth: u32) -> Expr {
    for (sum, factor) in [(a, b), (b, a)] {
        if let Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), x, y) = pool.node(sum)
            && depth > 0
        {
            let (x, y) = (multiply(pool, x, factor, depth - 1), multiply(pool, y, factor, depth - 1));
            return pool.binary(op, x, y);
        }
    }
    pool.binary(BinaryOp::Mul, a, b)
}
