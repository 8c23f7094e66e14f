//! Elimination of an unknown by its bounds: it exists iff every lower bound is compatible with every upper bound.

use super::rewrite::contains;
use crate::expr::{BinaryOp, Expr, Node, Pool};

/// A bound of an unknown.
#[derive(Clone, Copy)]
struct Bound {
    value: Expr,
    /// Whether the bound itself is excluded.
    strict: bool,
    is_lower: bool,
    signed: bool,
}

/// A condition that orders two numbers.
pub(super) struct Comparison {
    pub(super) less: Expr,
    pub(super) greater: Expr,
    /// Whether equality is excluded.
    pub(super) strict: bool,
    pub(super) signed: bool,
}

/// A condition as a comparison, if it is one.
pub(super) fn comparison(pool: &Pool, condition: Expr) -> Option<Comparison> {
    let Node::Binary(op, less, greater) = pool.node(condition) else { return None };
    let (strict, signed) = match op {
        BinaryOp::UnsignedLess => (true, false),
        BinaryOp::UnsignedLessEq => (false, false),
        BinaryOp::SignedLess => (true, true),
        BinaryOp::SignedLessEq => (false, true),
        _ => return None,
    };
    Some(Comparison { less, greater, strict, signed })
}

/// The conditions without `unknown`, if they all bound it in the same order.
pub(super) fn combine_bounds(pool: &mut Pool, list: &[Expr], unknown: Expr) -> Option<Vec<Expr>> {
    let (with, mut rest): (Vec<Expr>, Vec<Expr>) = list.iter().partition(|&&c| contains(pool, c, unknown));
    let bounds: Vec<Bound> =
        with.into_iter().map(|condition| bound(pool, condition, unknown)).collect::<Option<_>>()?;
    let signed = bounds.first()?.signed;
    if bounds.iter().any(|bound| bound.signed != signed) {
        return None;
    }
    let (less, less_eq) = match signed {
        true => (BinaryOp::SignedLess, BinaryOp::SignedLessEq),
        false => (BinaryOp::UnsignedLess, BinaryOp::UnsignedLessEq),
    };
    let width = pool.width(unknown);
    let (least, greatest) = match signed {
        true => (1 << (width - 1), (1u128 << (width - 1)) - 1),
        false => (0, crate::expr::value::mask(width)),
    };
    let (least, greatest) = (pool.bits(width, least), pool.bits(width, greatest));
    let (lower, upper): (Vec<Bound>, Vec<Bound>) = bounds.into_iter().partition(|bound| bound.is_lower);
    // A strict bound must not be at the end of the range, unless other bounds imply that, so that its successor does
    // not wrap.
    let beyond = upper.is_empty() || upper.iter().any(|bound| bound.strict);
    for bound in lower.iter().filter(|bound| bound.strict && beyond) {
        rest.push(pool.binary(less, bound.value, greatest));
    }
    for bound in upper.iter().filter(|bound| bound.strict && lower.is_empty()) {
        rest.push(pool.binary(less, least, bound.value));
    }
    for lower in &lower {
        for upper in &upper {
            let mut first = lower.value;
            if lower.strict && upper.strict {
                // This does not wrap: it is already required to be below the greatest value.
                let one = pool.bits(width, 1);
                first = pool.add(first, one);
            }
            let op = if lower.strict || upper.strict { less } else { less_eq };
            rest.push(pool.binary(op, first, upper.value));
        }
    }
    Some(rest)
}

fn bound(pool: &Pool, condition: Expr, unknown: Expr) -> Option<Bound> {
    let Comparison { less: a, greater: b, strict, signed } = comparison(pool, condition)?;
    let (value, is_lower) = if a == unknown { (b, false) } else { (a, true) };
    let is_alone = (a == unknown || b == unknown) && !contains(pool, value, unknown);
    is_alone.then_some(Bound { value, strict, is_lower, signed })
}
