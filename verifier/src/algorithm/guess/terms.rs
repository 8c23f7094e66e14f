//! Terms of one pool in another.

use rustc_hash::FxHashMap;

use crate::expr::{BinaryOp, Expr, Node, Pool, Var};

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
