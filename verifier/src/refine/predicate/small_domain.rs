//! Enumeration of unknowns with small domains, such as indices of small arrays.

use super::bounds::{Comparison, comparison};
use super::rewrite::{contains, replace_one, walk};
use crate::expr::value::mask;
use crate::expr::{Expr, Node, Pool, Sort, UnaryOp};

/// All values of an unknown, or of its low bits if the conditions depend only on those.
pub(super) struct SmallDomain {
    /// The term that has these values.
    pub(super) term: Expr,
    /// The values, as constants.
    pub(super) values: Vec<Expr>,
}

/// The values that the conditions allow for `unknown`, if they are at most `max_values`.
pub(super) fn small_domain(pool: &mut Pool, list: &[Expr], unknown: Expr, max_values: u32) -> Option<SmallDomain> {
    let Sort::Bits(_) = pool.sort(unknown) else { return None };
    let term = relevant_part(pool, list, unknown);
    let width = pool.width(term);
    // Its signed and unsigned ranges. Wider numbers are not supported.
    let half = 1_i128.checked_shl(u32::from(width) - 1).filter(|_| width < 127)?;
    let (mut signed, mut unsigned) = ((-half, half - 1), (0, 2 * half - 1));
    for bound in list.iter().filter_map(|&condition| bound(pool, condition, term)) {
        let range = if bound.signed { &mut signed } else { &mut unsigned };
        match bound.is_lower {
            true => range.0 = range.0.max(bound.value),
            false => range.1 = range.1.min(bound.value),
        }
    }
    // Non-negative numbers have the same signed and unsigned order.
    if signed.0 >= 0 {
        unsigned = (unsigned.0.max(signed.0), unsigned.1.min(signed.1));
    } else if unsigned.1 < half {
        signed = (signed.0.max(unsigned.0), signed.1.min(unsigned.1));
    }
    let is_small = |(least, greatest): (i128, i128)| greatest - least < i128::from(max_values);
    let (least, greatest) =
        if is_small(unsigned) { unsigned } else { Some(signed).filter(|&range| is_small(range))? };
    let values = (least..=greatest).map(|value| pool.bits(width, value as u128 & mask(width))).collect();
    Some(SmallDomain { term, values })
}

/// The low bits of `unknown`, if the conditions depend on no others, else `unknown`.
fn relevant_part(pool: &mut Pool, list: &[Expr], unknown: Expr) -> Expr {
    let mut parts = Vec::new();
    for &condition in list {
        walk(pool, condition, |expr| {
            if matches!(pool.node(expr), Node::Unary(UnaryOp::Extract { .. }, a) if a == unknown)
                && !parts.contains(&expr)
            {
                parts.push(expr);
            }
            true
        });
    }
    let [part] = parts[..] else { return unknown };
    let zero = pool.bits(pool.width(part), 0);
    let is_all = list.iter().all(|&condition| {
        let without = replace_one(pool, condition, part, zero);
        !contains(pool, without, unknown)
    });
    if is_all { part } else { unknown }
}

/// The least or greatest value that a condition allows for a term.
struct Bound {
    value: i128,
    is_lower: bool,
    signed: bool,
}

fn bound(pool: &Pool, condition: Expr, term: Expr) -> Option<Bound> {
    let Comparison { less, greater, strict, signed } = comparison(pool, condition)?;
    let (side, value, is_lower) = match (pool.as_const(less), pool.as_const(greater)) {
        (None, Some(value)) => (less, value, false),
        (Some(value), None) => (greater, value, true),
        _ => return None,
    };
    let width = pool.width(side);
    let raw = i128::try_from(value.raw()).ok()?;
    let is_negative = signed && raw >> (width - 1) & 1 == 1;
    let value = if is_negative { raw - 1_i128.checked_shl(width.into()).filter(|_| width < 127)? } else { raw };
    let signed = match pool.node(side) {
        _ if side == term => signed,
        // A zero-extended value is not negative, so the order does not matter.
        Node::Unary(UnaryOp::ZeroExtend(_), inner) if inner == term => false,
        Node::Unary(UnaryOp::SignExtend(_), inner) if inner == term && signed => true,
        _ => return None,
    };
    let next = match (strict, is_lower) {
        (false, _) => 0,
        (true, true) => 1,
        (true, false) => -1,
    };
    Some(Bound { value: value + next, is_lower, signed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{BinaryOp, Var};

    /// No value that the conditions allow is missing.
    #[test]
    fn all_values_that_bounds_allow_are_tried() {
        let ops = [BinaryOp::UnsignedLess, BinaryOp::UnsignedLessEq, BinaryOp::SignedLess, BinaryOp::SignedLessEq];
        let shapes: [fn(&mut Pool, Expr) -> Expr; 3] = [
            |_, unknown| unknown,
            |pool, unknown| pool.unary(UnaryOp::ZeroExtend(12), unknown),
            |pool, unknown| pool.unary(UnaryOp::SignExtend(12), unknown),
        ];
        let mut found_few = 0;
        for (i, shape) in shapes.iter().enumerate().flat_map(|(i, shape)| ops.map(|op| (i, (shape, op)))) {
            let (shape, op) = shape;
            for (low, high) in [(3, 9), (250, 4), (120, 133), (0, 1), (255, 255), (200, 210), (4090, 4095), (7, 2)] {
                let mut pool = Pool::default();
                let unknown = pool.var(Var(0), Sort::Bits(8));
                let side = shape(&mut pool, unknown);
                let width = pool.width(side);
                let (low, high) = (pool.bits(width, low & mask(width)), pool.bits(width, high & mask(width)));
                let list = [pool.binary(op, low, side), pool.binary(op, side, high)];
                let allowed: Vec<u128> = (0..256)
                    .filter(|&value| {
                        let value = pool.bits(8, value);
                        list.iter().all(|&condition| {
                            let holds = replace_one(&mut pool, condition, unknown, value);
                            pool.as_const(holds).expect("it is decided").is_true()
                        })
                    })
                    .collect();
                let Some(few) = small_domain(&mut pool, &list, unknown, 32) else { continue };
                found_few += 1;
                assert_eq!(few.term, unknown);
                let tried: Vec<u128> =
                    few.values.iter().map(|&value| pool.as_const(value).expect("a constant").raw()).collect();
                for value in allowed {
                    assert!(tried.contains(&value), "shape {i}, {op:?}, {list:?}: {value} is not among {tried:?}");
                }
            }
        }
        assert!(found_few > 40, "{found_few}");
    }

    #[test]
    fn unused_bits_do_not_count() {
        let mut pool = Pool::default();
        let unknown = pool.var(Var(0), Sort::Bits(32));
        let low = pool.extract(unknown, 0, 8);
        let limit = pool.bits(8, 5);
        let small = pool.binary(BinaryOp::UnsignedLess, low, limit);
        let few = small_domain(&mut pool, &[small], unknown, 32).expect("five values");
        assert_eq!((few.term, few.values.len()), (low, 5));
        let other = pool.bits(32, 77);
        let sees_all = pool.eq(unknown, other);
        assert!(small_domain(&mut pool, &[small, sees_all], unknown, 32).is_none());
    }
}
