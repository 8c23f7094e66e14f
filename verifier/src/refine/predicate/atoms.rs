//! Predicates: the atomic conditions of formulas, in normal form.

use super::rewrite::{mentions, replace_one, walk};
use super::trace::is_program_variable;
use crate::expr::value::mask;
use crate::expr::{BinaryOp, Expr, Node, Pool, Sort, TernaryOp, UnaryOp};
use crate::formula::Execution;

/// The atomic conditions of a formula that are over program variables only, in order of occurrence. None is the
/// negation of another. At most `max_choices` conditionals inside of one are split.
pub fn predicates(execution: &mut Execution<'_>, formula: Expr, max_choices: usize) -> Vec<Expr> {
    let atoms = atoms(&mut execution.pool, formula, max_choices);
    let is_input = |var| !is_program_variable(&execution.symbols, var);
    atoms.into_iter().filter(|&atom| !mentions(&execution.pool, atom, is_input)).collect()
}

/// The atomic conditions of a formula.
pub fn atoms(pool: &mut Pool, formula: Expr, max_choices: usize) -> Vec<Expr> {
    let (mut found, mut worklist) = (Vec::new(), vec![(formula, max_choices)]);
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some((expr, choices)) = worklist.pop() {
        if pool.as_const(expr).is_some() || !seen.insert(expr) {
            continue;
        }
        let parts: Vec<Expr> = match pool.node(expr) {
            _ if pool.children(expr).any(|child| pool.sort(child) == Sort::Bool) => {
                pool.children(expr).filter(|&child| pool.sort(child) == Sort::Bool).collect()
            }
            _ if choices == 0 => vec![],
            _ => match choice(pool, expr) {
                Some((place, [condition, then, otherwise])) => {
                    let [yes, no] = [then, otherwise].map(|value| replace_one(pool, expr, place, value));
                    worklist.extend([no, yes, condition].map(|part| (part, choices / 2)));
                    continue;
                }
                None => vec![],
            },
        };
        if parts.is_empty() {
            let atom = normal(pool, expr);
            if pool.as_const(atom).is_none() && !found.contains(&atom) {
                found.push(atom);
            }
        }
        worklist.extend(parts.into_iter().rev().map(|part| (part, choices)));
    }
    found
}

/// An innermost conditional inside an atomic condition: the subexpression, its condition, and both alternatives. A read
/// from a written memory counts as one.
pub(super) fn choice(pool: &mut Pool, atom: Expr) -> Option<(Expr, [Expr; 3])> {
    let mut places = Vec::new();
    walk(pool, atom, |expr| {
        let is_choice = match pool.node(expr) {
            Node::Ternary(TernaryOp::Ite, ..) => !matches!(pool.sort(expr), Sort::Memory(_)),
            Node::Read { memory, cells: 1, .. } => match pool.node(memory) {
                Node::Write { value, .. } => pool.sort(value) == pool.sort(expr),
                Node::Ternary(..) => true,
                _ => false,
            },
            _ => false,
        };
        if is_choice {
            places.push(expr);
        }
        true
    });
    // Children have smaller ids than their parents.
    let place = places.into_iter().min()?;
    let parts = match pool.node(place) {
        Node::Ternary(_, condition, then, otherwise) => [condition, then, otherwise],
        Node::Read { memory, address, cells } => match pool.node(memory) {
            Node::Write { memory, address: written, value } => {
                [pool.eq(address, written), value, pool.read(memory, address, cells)]
            }
            Node::Ternary(_, condition, then, otherwise) => {
                [condition, pool.read(then, address, cells), pool.read(otherwise, address, cells)]
            }
            _ => return None,
        },
        _ => return None,
    };
    Some((place, parts))
}

/// The normal form of an atomic condition and its negation.
fn normal(pool: &mut Pool, atom: Expr) -> Expr {
    use BinaryOp::{SignedLess, SignedLessEq, UnsignedLess, UnsignedLessEq};
    match pool.node(atom) {
        Node::Unary(UnaryOp::Not, inner) => normal(pool, inner),
        Node::Binary(op @ (SignedLess | SignedLessEq | UnsignedLess | UnsignedLessEq), a, b) => {
            let signed = matches!(op, SignedLess | SignedLessEq);
            let less = if signed { SignedLess } else { UnsignedLess };
            let strict = op == less;
            match (pool.as_const(a), pool.as_const(b)) {
                (None, Some(limit)) => below(pool, less, a, limit.raw(), !strict),
                // `k < x` is the negation of `x <= k`.
                (Some(limit), None) => below(pool, less, b, limit.raw(), strict),
                _ if strict => atom,
                _ => pool.binary(less, b, a),
            }
        }
        _ => atom,
    }
}

/// `x < limit`, or `x <= limit`, with a strict bound.
fn below(pool: &mut Pool, less: BinaryOp, x: Expr, limit: u128, inclusive: bool) -> Expr {
    let width = pool.width(x);
    let signed = less == BinaryOp::SignedLess;
    let (least, greatest) = if signed { (1 << (width - 1), mask(width - 1)) } else { (0, mask(width)) };
    if inclusive && limit == greatest {
        return pool.bool(true);
    }
    let limit = limit.wrapping_add(inclusive.into()) & mask(width);
    // Only the least value is below its successor.
    if limit == (least + 1) & mask(width) {
        let least = pool.bits(width, least);
        return pool.eq(x, least);
    }
    let limit = pool.bits(width, limit);
    pool.binary(less, x, limit)
}
