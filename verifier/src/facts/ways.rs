//! Branches classified by their assumptions, so that a single evaluation decides most of them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cfa::program::{Edge, EdgeId, LocId, LocationKind, Op, Program};
use crate::expr::{BinaryOp, Expr, Node, Pool, UnaryOp, Value};

/// How control leaves a location.
#[derive(Clone, Debug)]
pub enum Ways {
    /// The exit of the function.
    Exit,
    /// The end of the program.
    Halt,
    /// A violated property.
    Error,
    /// A single edge.
    One(EdgeId),
    /// Two assumptions that negate each other.
    Branch {
        /// The condition.
        condition: Expr,
        /// The edge for a true condition.
        yes: EdgeId,
        /// The edge for a false condition.
        no: EdgeId,
    },
    /// Assumptions that a subject equals one of some constants, and at most one that it equals none of them.
    Switch {
        /// The subject.
        subject: Expr,
        /// The edges by constant.
        cases: FxHashMap<u128, EdgeId>,
        /// The edge for all other values; its assumption may be stronger.
        otherwise: Option<EdgeId>,
    },
    /// Anything else: each edge is tried.
    Any,
}

impl Ways {
    /// How control leaves `location`.
    pub fn new(program: &Program, location: LocId) -> Ways {
        ways(program, location)
    }
}

fn ways(program: &Program, location: LocId) -> Ways {
    let leaving = program.location(location).leaving.clone();
    match program.location(location).kind {
        LocationKind::Exit => return Ways::Exit,
        LocationKind::Halt => return Ways::Halt,
        LocationKind::Error(_) => return Ways::Error,
        LocationKind::Normal => {}
    }
    if leaving.len() == 1 {
        return Ways::One(EdgeId(leaving.start));
    }
    let pool = &program.pool;
    let assumption = |(id, edge): (EdgeId, &Edge)| match edge.op {
        Op::Assume(condition) => Some((id, condition)),
        _ => None,
    };
    let Some(mut assumptions) = program.leaving(location).map(assumption).collect::<Option<Vec<_>>>() else {
        return Ways::Any;
    };
    // Simplification leaves such edges between others.
    assumptions.retain(|&(_, condition)| pool.as_const(condition) != Some(Value::Bool(false)));
    match *assumptions {
        [(yes, a), (no, b)] if negates(pool, a, b) => Ways::Branch { condition: a, yes, no },
        _ => switch(pool, &assumptions).unwrap_or(Ways::Any),
    }
}

/// Whether one is syntactically the negation of the other.
fn negates(pool: &Pool, a: Expr, b: Expr) -> bool {
    use BinaryOp::*;
    match (pool.node(a), pool.node(b)) {
        (Node::Unary(UnaryOp::Not, inner), _) if inner == b => true,
        (_, Node::Unary(UnaryOp::Not, inner)) if inner == a => true,
        (Node::Binary(p, a1, a2), Node::Binary(q, b1, b2)) => {
            let opposite = [(SignedLess, SignedLessEq), (UnsignedLess, UnsignedLessEq)];
            (a1, a2) == (b2, b1) && (opposite.contains(&(p, q)) || opposite.contains(&(q, p)))
        }
        _ => false,
    }
}

fn switch(pool: &Pool, assumptions: &[(EdgeId, Expr)]) -> Option<Ways> {
    let (subject, _) = alternatives(pool, assumptions.first()?.1).first().and_then(|&e| equation(pool, e))?;
    let (mut cases, mut tests, mut otherwise) = (FxHashMap::default(), Vec::new(), None);
    for &(edge, condition) in assumptions {
        let alternatives = alternatives(pool, condition);
        let constant = |&e: &Expr| equation(pool, e).filter(|&(s, _)| s == subject).map(|(_, value)| value);
        match alternatives.iter().map(constant).collect::<Option<Vec<_>>>() {
            Some(constants) => {
                for value in constants {
                    if cases.insert(value.raw(), edge).is_some_and(|other| other != edge) {
                        return None;
                    }
                }
                tests.extend(alternatives);
            }
            None if otherwise.is_none() => otherwise = Some((edge, condition)),
            None => return None,
        }
    }
    if let Some((_, condition)) = otherwise {
        let excluded: FxHashSet<Expr> = excluded(pool, condition).into_iter().collect();
        if !tests.iter().all(|test| excluded.contains(test)) {
            return None;
        }
    }
    Some(Ways::Switch { subject, cases, otherwise: otherwise.map(|(edge, _)| edge) })
}

/// `subject` and `constant` of an equality between them, in either order.
fn equation(pool: &Pool, expr: Expr) -> Option<(Expr, Value)> {
    match pool.node(expr) {
        Node::Binary(BinaryOp::Eq, a, b) => match (pool.as_const(a), pool.as_const(b)) {
            (None, Some(value)) => Some((a, value)),
            (Some(value), None) => Some((b, value)),
            _ => None,
        },
        _ => None,
    }
}

/// The disjuncts of an expression.
fn alternatives(pool: &Pool, expr: Expr) -> Vec<Expr> {
    flatten(pool, expr, BinaryOp::Or)
}

/// Expressions that cannot hold if this one does.
fn excluded(pool: &Pool, expr: Expr) -> Vec<Expr> {
    let conjuncts = flatten(pool, expr, BinaryOp::And).into_iter();
    let negated = conjuncts.filter_map(|e| match pool.node(e) {
        Node::Unary(UnaryOp::Not, inner) => Some(alternatives(pool, inner)),
        _ => None,
    });
    negated.flatten().collect()
}

fn flatten(pool: &Pool, expr: Expr, by: BinaryOp) -> Vec<Expr> {
    let (mut stack, mut flat) = (vec![expr], Vec::new());
    while let Some(expr) = stack.pop() {
        match pool.node(expr) {
            Node::Binary(op, a, b) if op == by => stack.extend([b, a]),
            _ => flat.push(expr),
        }
    }
    flat
}
