//! Narrowing to low bits: those of a sum or product depend only on the low bits of the operands.

use rustc_hash::FxHashMap;

use super::rewrite::{replace, walk};
use crate::expr::{BinaryOp, Expr, Node, Pool, UnaryOp};

/// Rewrites every remainder by a power of two, in any notation, to be computed in the width of the result. Operands are
/// narrowed down to `max_depth`.
pub(super) fn with_low_bits(pool: &mut Pool, condition: Expr, max_depth: usize) -> Expr {
    let mut places = Vec::new();
    walk(pool, condition, |expr| {
        let bits = match pool.node(expr) {
            Node::Unary(UnaryOp::Extract { low: 0, width }, a) => Some((a, width)),
            Node::Binary(BinaryOp::BitAnd, a, mask) => {
                let mask = pool.as_const(mask).map(|mask| mask.raw());
                let is_low = |mask: u128| mask.wrapping_add(1) & mask == 0 && mask != 0;
                mask.filter(|&mask| is_low(mask)).map(|mask| (a, mask.count_ones() as u16))
            }
            Node::Binary(BinaryOp::UnsignedRem, a, divisor) => {
                let divisor = pool.as_const(divisor).map(|divisor| divisor.raw());
                let is_power = |divisor: u128| divisor.is_power_of_two() && divisor > 1;
                divisor.filter(|&divisor| is_power(divisor)).map(|divisor| (a, divisor.trailing_zeros() as u16))
            }
            _ => None,
        };
        places.extend(bits.filter(|&(a, bits)| bits < pool.width(a)).map(|(a, bits)| (expr, a, bits)));
        true
    });
    let mut by: FxHashMap<Expr, Expr> = FxHashMap::default();
    for (place, a, bits) in places {
        let low = low(pool, a, bits, max_depth);
        let widened = pool.zero_extend(low, pool.width(place));
        if widened != place {
            by.insert(place, widened);
        }
    }
    replace(pool, condition, &by)
}

/// The lowest `bits` bits.
fn low(pool: &mut Pool, expr: Expr, bits: u16, depth: usize) -> Expr {
    use BinaryOp::{Add, BitAnd, BitOr, BitXor, Mul, Sub};
    if pool.width(expr) == bits {
        return expr;
    }
    match pool.node(expr) {
        Node::Binary(op @ (Add | Sub | Mul | BitAnd | BitOr | BitXor), a, b) if depth > 0 => {
            let (a, b) = (low(pool, a, bits, depth - 1), low(pool, b, bits, depth - 1));
            if op == Add && a == b {
                let two = pool.bits(bits, 2);
                return pool.binary(Mul, a, two);
            }
            pool.binary(op, a, b)
        }
        Node::Unary(op @ (UnaryOp::Neg | UnaryOp::BitNot), a) if depth > 0 => {
            let a = low(pool, a, bits, depth - 1);
            pool.unary(op, a)
        }
        Node::Unary(UnaryOp::ZeroExtend(_) | UnaryOp::SignExtend(_), a) if pool.width(a) >= bits && depth > 0 => {
            low(pool, a, bits, depth - 1)
        }
        Node::Binary(BinaryOp::ShiftLeft, a, distance) if depth > 0 => match pool.as_const(distance) {
            Some(distance) if distance.raw() >= bits.into() && distance.raw() < pool.width(expr).into() => {
                pool.bits(bits, 0)
            }
            Some(distance) if distance.raw() < bits.into() => {
                let (a, factor) = (low(pool, a, bits, depth - 1), pool.bits(bits, 1 << distance.raw()));
                pool.binary(Mul, a, factor)
            }
            _ => pool.extract(expr, 0, bits),
        },
        _ => pool.extract(expr, 0, bits),
    }
}
