//! Unknowns that bounds leave few values to, such as the indices of small arrays: all of them are tried.

use super::bounds::{Comparison, comparison};
use super::rewrite::{contains, replace_one, walk};
use crate::cfa::expr::{Expr, Node, Pool, UnaryOp};
use crate::cfa::sort::Sort;
use crate::cfa::value::mask;

/// How many values are tried.
const FEW: i128 = 32;

/// All values of an unknown, or of the low bits of it that conditions see.
pub(super) struct Few {
    /// What has these values.
    pub(super) term: Expr,
    /// Constants.
    pub(super) values: Vec<Expr>,
}

/// The values that conditions leave to `unknown`, if these are few.
pub(super) fn few_values(pool: &mut Pool, list: &[Expr], unknown: Expr) -> Option<Few> {
    let Sort::Bits(_) = pool.sort(unknown) else { return None };
    let term = seen_part(pool, list, unknown);
    let width = pool.width(term);
    // What is known of it as a signed number, and as an unsigned one; wider numbers than these have no bounds here.
    let half = 1_i128.checked_shl(u32::from(width) - 1).filter(|_| width < 127)?;
    let (mut signed, mut unsigned) = ((-half, half - 1), (0, 2 * half - 1));
    for bound in list.iter().filter_map(|&condition| bound(pool, condition, term)) {
        let range = if bound.signed { &mut signed } else { &mut unsigned };
        match bound.is_lower {
            true => range.0 = range.0.max(bound.value),
            false => range.1 = range.1.min(bound.value),
        }
    }
    // Numbers that are not negative are the same in both orders.
    if signed.0 >= 0 {
        unsigned = (unsigned.0.max(signed.0), unsigned.1.min(signed.1));
    } else if unsigned.1 < half {
        signed = (signed.0.max(unsigned.0), signed.1.min(unsigned.1));
    }
    let is_few = |(least, greatest): (i128, i128)| greatest - least < FEW;
    let (least, greatest) = if is_few(unsigned) { unsigned } else { Some(signed).filter(|&range| is_few(range))? };
    let values = (least..=greatest).map(|value| pool.bits(width, value as u128 & mask(width))).collect();
    Some(Few { term, values })
}

/// The low bits of `unknown`, if conditions see no others, else `unknown`.
fn seen_part(pool: &mut Pool, list: &[Expr], unknown: Expr) -> Expr {
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

/// The least or the greatest value that a condition leaves to a term.
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
        // What is extended by zeros is not negative, and so compared as it is.
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
    use crate::cfa::expr::BinaryOp;
    use crate::cfa::program::Var;

    /// No value that the conditions allow is missing among those that are found.
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
                let Some(few) = few_values(&mut pool, &list, unknown) else { continue };
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
    fn bits_that_nobody_sees_do_not_count() {
        let mut pool = Pool::default();
        let unknown = pool.var(Var(0), Sort::Bits(32));
        let low = pool.extract(unknown, 0, 8);
        let limit = pool.bits(8, 5);
        let small = pool.binary(BinaryOp::UnsignedLess, low, limit);
        let few = few_values(&mut pool, &[small], unknown).expect("five values");
        assert_eq!((few.term, few.values.len()), (low, 5));
        let other = pool.bits(32, 77);
        let sees_all = pool.eq(unknown, other);
        assert!(few_values(&mut pool, &[small, sees_all], unknown).is_none());
    }
}
