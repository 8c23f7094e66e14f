//! Bounds of an unknown: it exists if every lower one leaves room for every upper one.

use super::rewrite::contains;
use crate::cfa::expr::{BinaryOp, Expr, Node, Pool};

/// One side of a comparison with an unknown.
#[derive(Clone, Copy)]
struct Bound {
    value: Expr,
    /// May the unknown not be the bound itself?
    strict: bool,
    is_lower: bool,
    signed: bool,
}

/// A condition that one number is less than another.
pub(super) struct Comparison {
    pub(super) less: Expr,
    pub(super) greater: Expr,
    /// May they not be equal?
    pub(super) strict: bool,
    pub(super) signed: bool,
}

/// The comparison that a condition is, if it is one.
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

/// The conditions without `unknown`, if all that they say of it are bounds in one order.
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
        false => (0, crate::cfa::value::mask(width)),
    };
    let (least, greatest) = (pool.bits(width, least), pool.bits(width, greatest));
    let (lower, upper): (Vec<Bound>, Vec<Bound>) = bounds.into_iter().partition(|bound| bound.is_lower);
    // Where the other bounds do not say so: a strict bound is not at the end, and the value behind it does not wrap.
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
                // It does not wrap: that it is not the greatest value has been said.
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
