//! Solving conditions for an unknown: equations, and comparisons with terms that can take any value.

use super::rewrite::contains;
use crate::expr::value::mask;
use crate::expr::{BinaryOp, Expr, Node, Pool, Sort, UnaryOp};

/// The solution of an equation.
pub(super) struct Solution {
    /// The value of the unknown.
    pub(super) value: Expr,
    /// The conditions under which the solution exists.
    pub(super) conditions: Vec<Expr>,
}

/// The only value of `unknown` for which `condition` can hold, if there is a unique one.
pub(super) fn solve(pool: &mut Pool, condition: Expr, unknown: Expr) -> Option<Solution> {
    let known = |value| Some(Solution { value, conditions: Vec::new() });
    match pool.node(condition) {
        _ if condition == unknown => known(pool.bool(true)),
        Node::Unary(UnaryOp::Not, a) if a == unknown => known(pool.bool(false)),
        Node::Binary(BinaryOp::Eq, a, b) => {
            let (side, other) = one_side(pool, unknown, a, b)?;
            invert(pool, side, unknown, other)
        }
        // Inequality of truth values.
        Node::Unary(UnaryOp::Not, inner) => match pool.node(inner) {
            Node::Binary(BinaryOp::Eq, a, b) if pool.sort(a) == Sort::Bool => {
                let (side, other) = one_side(pool, unknown, a, b)?;
                let other = pool.not(other);
                invert(pool, side, unknown, other)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The one of `a` and `b` in which `unknown` occurs, followed by the other.
fn one_side(pool: &Pool, unknown: Expr, a: Expr, b: Expr) -> Option<(Expr, Expr)> {
    match (contains(pool, a, unknown), contains(pool, b, unknown)) {
        (true, false) => Some((a, b)),
        (false, true) => Some((b, a)),
        _ => None,
    }
}

/// Solves `side == value` for `unknown`, which occurs only in `side`.
fn invert(pool: &mut Pool, mut side: Expr, unknown: Expr, mut value: Expr) -> Option<Solution> {
    let mut conditions = Vec::new();
    while side != unknown {
        (side, value) = match pool.node(side) {
            Node::Unary(op @ (UnaryOp::ZeroExtend(width) | UnaryOp::SignExtend(width)), a) => {
                let inner = pool.extract(value, 0, pool.width(a));
                debug_assert_eq!(pool.width(value), width);
                let restored = pool.unary(op, inner);
                conditions.push(pool.eq(restored, value));
                (a, inner)
            }
            Node::Binary(BinaryOp::Concat, a, b) => {
                let (high, low) = (pool.width(a), pool.width(b));
                let (upper, lower) = (pool.extract(value, low, high), pool.extract(value, 0, low));
                match one_side(pool, unknown, a, b)?.0 {
                    side if side == a => {
                        conditions.push(pool.eq(lower, b));
                        (a, upper)
                    }
                    _ => {
                        conditions.push(pool.eq(upper, a));
                        (b, lower)
                    }
                }
            }
            _ => step_down(pool, side, unknown, value)?,
        };
    }
    Some(Solution { value, conditions })
}

/// One step of solving `side == value`, for operators that are invertible everywhere.
fn step_down(pool: &mut Pool, side: Expr, unknown: Expr, value: Expr) -> Option<(Expr, Expr)> {
    use UnaryOp::{BitNot, BitReverse, BitsToFloat, ByteSwap, FloatNeg, FloatToBits, Neg, Not};
    Some(match pool.node(side) {
        Node::Unary(op @ (Not | BitNot | Neg | ByteSwap | BitReverse | FloatNeg), a) => (a, pool.unary(op, value)),
        Node::Unary(FloatToBits, a) => match pool.sort(a) {
            Sort::Float(format) => (a, pool.unary(BitsToFloat(format), value)),
            _ => return None,
        },
        Node::Unary(BitsToFloat(_), a) => (a, pool.unary(FloatToBits, value)),
        Node::Binary(op @ (BinaryOp::Add | BinaryOp::BitXor), a, b) => {
            let (inner, other) = one_side(pool, unknown, a, b)?;
            let inverse = if op == BinaryOp::Add { BinaryOp::Sub } else { op };
            (inner, pool.binary(inverse, value, other))
        }
        Node::Binary(BinaryOp::Sub, a, b) => match one_side(pool, unknown, a, b)? {
            (inner, other) if inner == a => (a, pool.add(value, other)),
            (inner, other) => (inner, pool.binary(BinaryOp::Sub, other, value)),
        },
        Node::Binary(BinaryOp::Mul, a, b) => {
            let (inner, other) = one_side(pool, unknown, a, b)?;
            let factor = pool.as_const(other)?.raw();
            let inverse = pool.bits(pool.width(side), inverse(factor)?);
            (inner, pool.binary(BinaryOp::Mul, value, inverse))
        }
        _ => return None,
    })
}

/// Rewrites `side == value` to `m == w`, where `m` ranges over all multiples of a power of two. Returns its exponent
/// and `w`.
fn multiple(pool: &mut Pool, mut side: Expr, unknown: Expr, mut value: Expr) -> Option<(u16, Expr)> {
    loop {
        let factor = match pool.node(side) {
            Node::Binary(BinaryOp::Add, a, b) if a == b => Some((a, 2)),
            Node::Binary(BinaryOp::Mul, a, b) => pool.as_const(b).map(|factor| (a, factor.raw())),
            Node::Binary(BinaryOp::ShiftLeft, a, b) => {
                let distance = pool.as_const(b).map(|distance| distance.raw());
                distance.filter(|&distance| distance < pool.width(side).into()).map(|distance| (a, 1 << distance))
            }
            _ => None,
        };
        if let Some((inner, factor)) = factor
            && factor & 1 == 0
            && factor != 0
        {
            return is_free(pool, inner, unknown).then_some((factor.trailing_zeros() as u16, value));
        }
        (side, value) = step_down(pool, side, unknown, value)?;
    }
}

/// The inverse of an odd number modulo 2^128.
fn inverse(factor: u128) -> Option<u128> {
    // Newton iteration: each step doubles the number of correct bits.
    (factor & 1 == 1).then(|| (0..7).fold(factor, |x, _| x.wrapping_mul(2u128.wrapping_sub(factor.wrapping_mul(x)))))
}

/// The conditions under which an atomic condition can hold, and can fail, for some value of an unknown.
pub(super) struct Freedom {
    pub(super) can_hold: Expr,
    pub(super) can_fail: Expr,
}

/// The freedom of an atomic condition with respect to `unknown`, which must occur nowhere else. `None` if it cannot be
/// determined.
pub(super) fn freedom(pool: &mut Pool, atom: Expr, unknown: Expr) -> Option<Freedom> {
    let always = pool.bool(true);
    if is_free(pool, atom, unknown) {
        return Some(Freedom { can_hold: always, can_fail: always });
    }
    let Node::Binary(op, a, b) = pool.node(atom) else { return None };
    let (side, other) = one_side(pool, unknown, a, b)?;
    let width = match pool.sort(side) {
        Sort::Bits(width) => width,
        Sort::Bool | Sort::Float(_) if op == BinaryOp::Eq && is_free(pool, side, unknown) => {
            return Some(Freedom { can_hold: always, can_fail: always });
        }
        _ => return None,
    };
    if op == BinaryOp::Eq
        && let Some((zeros, value)) = multiple(pool, side, unknown, other)
    {
        let low = pool.extract(value, 0, zeros);
        let zero = pool.bits(zeros, 0);
        return Some(Freedom { can_hold: pool.eq(low, zero), can_fail: always });
    }
    let signed = matches!(op, BinaryOp::SignedLess | BinaryOp::SignedLessEq);
    let (least, greatest) = range(pool, side, unknown, signed)?;
    let (least, greatest) = (pool.bits(width, least), pool.bits(width, greatest));
    let swapped = side == b;
    // The side takes all values between its ends, so these decide.
    let mut compare = |op, value| if swapped { pool.binary(op, other, value) } else { pool.binary(op, value, other) };
    match op {
        BinaryOp::Eq => {
            let (from, to) = (
                pool.binary(BinaryOp::UnsignedLessEq, least, other),
                pool.binary(BinaryOp::UnsignedLessEq, other, greatest),
            );
            Some(Freedom { can_hold: pool.and(from, to), can_fail: always })
        }
        BinaryOp::UnsignedLess | BinaryOp::UnsignedLessEq | BinaryOp::SignedLess | BinaryOp::SignedLessEq => {
            let (easy, hard) = if swapped { (greatest, least) } else { (least, greatest) };
            let (can_hold, holds_always) = (compare(op, easy), compare(op, hard));
            Some(Freedom { can_hold, can_fail: pool.not(holds_always) })
        }
        _ => None,
    }
}

/// Whether `term` takes all values of its sort as `unknown` does.
fn is_free(pool: &Pool, term: Expr, unknown: Expr) -> bool {
    use UnaryOp::{BitNot, BitReverse, BitsToFloat, ByteSwap, Extract, FloatNeg, FloatToBits, Neg, Not};
    let mut term = term;
    while term != unknown {
        term = match pool.node(term) {
            Node::Unary(
                Not | BitNot | Neg | ByteSwap | BitReverse | FloatNeg | FloatToBits | BitsToFloat(_) | Extract { .. },
                a,
            ) => a,
            Node::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::BitXor, a, b) => {
                match one_side(pool, unknown, a, b) {
                    Some((inner, _)) => inner,
                    None => return false,
                }
            }
            Node::Binary(BinaryOp::Mul, a, b) => match one_side(pool, unknown, a, b) {
                Some((inner, other)) if pool.as_const(other).is_some_and(|factor| factor.raw() & 1 == 1) => inner,
                _ => return false,
            },
            _ => return false,
        };
    }
    true
}

/// The least and greatest value of a term that takes all values between them as `unknown` ranges over its sort.
fn range(pool: &Pool, term: Expr, unknown: Expr, signed: bool) -> Option<(u128, u128)> {
    let width = pool.width(term);
    match pool.node(term) {
        Node::Unary(UnaryOp::ZeroExtend(_), a) if is_free(pool, a, unknown) => Some((0, mask(pool.width(a)))),
        Node::Unary(UnaryOp::SignExtend(_), a) if signed && is_free(pool, a, unknown) => {
            let greatest = mask(pool.width(a) - 1);
            Some((!greatest & mask(width), greatest))
        }
        _ if !is_free(pool, term, unknown) => None,
        _ if signed => Some((!mask(width - 1) & mask(width), mask(width - 1))),
        _ => Some((0, mask(width))),
    }
}
