//! Intervals of bit-vectors, with bounds for both readings: as unsigned and as signed numbers.

use crate::expr::value::{mask, signed};
use crate::expr::{BinaryOp, UnaryOp, Value, eval};

/// The widest bit-vectors that have intervals: sums and most products of their bounds fit into 128 bits.
pub const MAX_WIDTH: u16 = 64;

/// All bit-vectors of one width within both pairs of bounds; truth values have width 1.
///
/// Invariant: it is not empty, and each pair of bounds is as tight as the other pair makes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    width: u16,
    unsigned: (u128, u128),
    signed: (i128, i128),
}

impl Interval {
    /// All bit-vectors of `width`.
    pub fn full(width: u16) -> Interval {
        Interval { width, unsigned: (0, mask(width)), signed: (smallest(width), largest(width)) }
    }

    /// The bit-vectors of `width` that equal some number in `low ..= high` modulo 2^width.
    pub fn modulo(width: u16, low: i128, high: i128) -> Interval {
        let size = 1i128 << width;
        // Numbers in the same period keep their order.
        let wrapped = |offset: i128| {
            let same = (low - offset).div_euclid(size) == (high - offset).div_euclid(size);
            same.then(|| ((low - offset).rem_euclid(size) + offset, (high - offset).rem_euclid(size) + offset))
        };
        let full = Interval::full(width);
        let unsigned = wrapped(0).map_or(full.unsigned, |(low, high)| (low as u128, high as u128));
        let signed = wrapped(smallest(width)).unwrap_or(full.signed);
        Interval { width, unsigned, signed }.tightened().unwrap_or(full)
    }

    /// The one bit-vector with these bits.
    pub fn constant(width: u16, bits: u128) -> Interval {
        Interval { width, unsigned: (bits, bits), signed: (signed(width, bits), signed(width, bits)) }
    }

    /// The bit-vectors of `width` with these unsigned bounds; `None` if there are none.
    pub fn unsigned(width: u16, low: u128, high: u128) -> Option<Interval> {
        Interval { unsigned: (low, high.min(mask(width))), ..Interval::full(width) }.tightened()
    }

    /// The bit-vectors of `width` with these signed bounds; `None` if there are none.
    pub fn signed(width: u16, low: i128, high: i128) -> Option<Interval> {
        let signed = (low.max(smallest(width)), high.min(largest(width)));
        Interval { signed, ..Interval::full(width) }.tightened()
    }

    /// The width in bits.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// The smallest and the largest unsigned number.
    pub fn unsigned_bounds(&self) -> (u128, u128) {
        self.unsigned
    }

    /// The smallest and the largest signed number.
    pub fn signed_bounds(&self) -> (i128, i128) {
        self.signed
    }

    /// Whether it holds the bit-vector with these bits.
    pub fn contains(&self, bits: u128) -> bool {
        let number = signed(self.width, bits);
        self.unsigned.0 <= bits && bits <= self.unsigned.1 && self.signed.0 <= number && number <= self.signed.1
    }

    /// The bits of its only member, if it has just one.
    pub fn as_constant(&self) -> Option<u128> {
        (self.unsigned.0 == self.unsigned.1).then_some(self.unsigned.0)
    }

    /// Whether it holds all bit-vectors of its width.
    pub fn is_full(&self) -> bool {
        *self == Interval::full(self.width)
    }

    /// Whether the signed bounds restrict anything.
    pub fn is_signed_restricted(&self) -> bool {
        self.signed != Interval::full(self.width).signed
    }

    /// Whether it holds everything that `other` holds.
    pub fn includes(&self, other: &Interval) -> bool {
        self.unsigned.0 <= other.unsigned.0
            && other.unsigned.1 <= self.unsigned.1
            && self.signed.0 <= other.signed.0
            && other.signed.1 <= self.signed.1
    }

    /// The intersection; `None` if it is empty.
    pub fn meet(&self, other: &Interval) -> Option<Interval> {
        let unsigned = (self.unsigned.0.max(other.unsigned.0), self.unsigned.1.min(other.unsigned.1));
        let signed = (self.signed.0.max(other.signed.0), self.signed.1.min(other.signed.1));
        Interval { width: self.width, unsigned, signed }.tightened()
    }

    /// The smallest interval that includes both.
    pub fn join(&self, other: &Interval) -> Interval {
        let unsigned = (self.unsigned.0.min(other.unsigned.0), self.unsigned.1.max(other.unsigned.1));
        let signed = (self.signed.0.min(other.signed.0), self.signed.1.max(other.signed.1));
        Interval { width: self.width, unsigned, signed }
    }

    /// Widening: bounds that `newer` exceeds move to the next of the sorted `thresholds`, or to the limit of the width.
    pub fn widen(&self, newer: &Interval, thresholds: &[i128]) -> Interval {
        let below = |bound: i128| thresholds[..thresholds.partition_point(|&t| t <= bound)].last().copied();
        let above = |bound: i128| thresholds.get(thresholds.partition_point(|&t| t < bound)).copied();
        let full = Interval::full(self.width);
        let (mut unsigned, mut signed) = (self.unsigned, self.signed);
        if newer.unsigned.0 < unsigned.0 {
            unsigned.0 = below(newer.unsigned.0 as i128).filter(|&t| t >= 0).map_or(0, |t| t as u128);
        }
        if newer.unsigned.1 > unsigned.1 {
            unsigned.1 = above(newer.unsigned.1 as i128).map_or(full.unsigned.1, |t| full.unsigned.1.min(t as u128));
        }
        if newer.signed.0 < signed.0 {
            signed.0 = below(newer.signed.0).map_or(full.signed.0, |t| t.max(full.signed.0));
        }
        if newer.signed.1 > signed.1 {
            signed.1 = above(newer.signed.1).map_or(full.signed.1, |t| t.min(full.signed.1));
        }
        Interval { width: self.width, unsigned, signed }
    }

    /// Makes each pair of bounds as tight as the other one allows; `None` if no bit-vector is left.
    fn tightened(mut self) -> Option<Interval> {
        // Where the sign is known, both readings have the same order.
        for _ in 0..2 {
            if self.unsigned.0 > self.unsigned.1 || self.signed.0 > self.signed.1 {
                return None;
            }
            let half = 1u128 << (self.width - 1);
            if self.unsigned.1 < half || self.unsigned.0 >= half {
                self.signed.0 = self.signed.0.max(signed(self.width, self.unsigned.0));
                self.signed.1 = self.signed.1.min(signed(self.width, self.unsigned.1));
            }
            if self.signed.0 >= 0 || self.signed.1 < 0 {
                self.unsigned.0 = self.unsigned.0.max(self.signed.0 as u128 & mask(self.width));
                self.unsigned.1 = self.unsigned.1.min(self.signed.1 as u128 & mask(self.width));
            }
        }
        (self.unsigned.0 <= self.unsigned.1 && self.signed.0 <= self.signed.1).then_some(self)
    }

    fn both_bounds(&self) -> [(i128, i128); 2] {
        [(self.unsigned.0 as i128, self.unsigned.1 as i128), self.signed]
    }
}

fn smallest(width: u16) -> i128 {
    -(1i128 << (width - 1))
}

fn largest(width: u16) -> i128 {
    (1i128 << (width - 1)) - 1
}

/// A truth value that is `true`, `false`, or either.
pub fn truth(known: Option<bool>) -> Interval {
    known.map_or(Interval::full(1), |holds| Interval::constant(1, holds.into()))
}

/// All results of an operator on one argument, where results have `width` bits.
pub fn unary(op: UnaryOp, a: Interval, width: u16) -> Interval {
    let [unsigned, signed] = a.both_bounds();
    match op {
        UnaryOp::Not => truth(a.as_constant().map(|bits| bits == 0)),
        UnaryOp::Neg => exact(width, [(-unsigned.1, -unsigned.0), (-signed.1, -signed.0)]),
        UnaryOp::BitNot => exact(width, [(-unsigned.1 - 1, -unsigned.0 - 1), (-signed.1 - 1, -signed.0 - 1)]),
        UnaryOp::ZeroExtend(_) => Interval::modulo(width, unsigned.0, unsigned.1),
        UnaryOp::SignExtend(_) => Interval::modulo(width, signed.0, signed.1),
        UnaryOp::Extract { low, .. } => {
            exact(width, [(unsigned.0 >> low, unsigned.1 >> low), (signed.0 >> low, signed.1 >> low)])
        }
        UnaryOp::PopCount | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
            Interval::modulo(width, 0, a.width().into())
        }
        _ => Interval::full(width),
    }
}

/// All results of an operator on two arguments, where results have `width` bits. An operator without a value may have
/// any.
pub fn binary(op: BinaryOp, a: Interval, b: Interval, width: u16) -> Interval {
    use BinaryOp::*;
    let ([ua, sa], [ub, sb]) = (a.both_bounds(), b.both_bounds());
    let full = Interval::full(width);
    match op {
        Eq => truth(match (a.as_constant(), b.as_constant(), a.meet(&b)) {
            (.., None) => Some(false),
            (Some(a), Some(b), _) => Some(a == b),
            _ => None,
        }),
        And => Interval::modulo(1, ua.0 & ub.0, ua.1 & ub.1),
        Or => Interval::modulo(1, ua.0 | ub.0, ua.1 | ub.1),
        UnsignedLess => truth(less(ua, ub)),
        UnsignedLessEq => truth(less(ub, ua).map(|less| !less)),
        SignedLess => truth(less(sa, sb)),
        SignedLessEq => truth(less(sb, sa).map(|less| !less)),
        Add => exact(width, [sum(ua, ub), sum(sa, sb)]),
        Sub => exact(width, [difference(ua, ub), difference(sa, sb)]),
        Mul => [product(ua, ub), product(sa, sb)]
            .into_iter()
            .flatten()
            .fold(full, |result, (low, high)| result.meet(&Interval::modulo(width, low, high)).unwrap_or(result)),
        SignedAddOverflows => truth(exceeds(sum(sa, sb), (smallest(a.width), largest(a.width)))),
        SignedSubOverflows => truth(exceeds(difference(sa, sb), (smallest(a.width), largest(a.width)))),
        SignedMulOverflows => {
            truth(product(sa, sb).and_then(|result| exceeds(result, (smallest(a.width), largest(a.width)))))
        }
        UnsignedAddOverflows => truth(exceeds(sum(ua, ub), (0, mask(a.width) as i128))),
        UnsignedSubOverflows => truth(exceeds(difference(ua, ub), (0, mask(a.width) as i128))),
        UnsignedMulOverflows => truth(product(ua, ub).and_then(|result| exceeds(result, (0, mask(a.width) as i128)))),
        UnsignedDiv if ub.0 > 0 => Interval::modulo(width, ua.0 / ub.1, ua.1 / ub.0),
        UnsignedRem if ub.0 > 0 && ua.1 < ub.0 => a,
        UnsignedRem if ub.0 > 0 => Interval::modulo(width, 0, ua.1.min(ub.1 - 1)),
        SignedDiv if divides(sa, sb, width) => {
            let quotients = [sa.0 / sb.0, sa.0 / sb.1, sa.1 / sb.0, sa.1 / sb.1];
            let (low, high) = quotients.into_iter().fold((i128::MAX, i128::MIN), |(l, h), q| (l.min(q), h.max(q)));
            Interval::modulo(width, low, high)
        }
        SignedRem if divides(sa, sb, width) => {
            let most = sb.0.abs().max(sb.1.abs()) - 1;
            Interval::modulo(width, sa.0.max(-most).min(0), sa.1.min(most).max(0))
        }
        ShiftLeft if ub.1 < i128::from(width) => match (ua.0.checked_mul(1 << ub.0), ua.1.checked_mul(1 << ub.1)) {
            (Some(low), Some(high)) => Interval::modulo(width, low, high),
            _ => full,
        },
        ShiftRight if ub.1 < i128::from(width) => Interval::modulo(width, ua.0 >> ub.1, ua.1 >> ub.0),
        ShiftRightSigned if ub.1 < i128::from(width) => {
            Interval::modulo(width, (sa.0 >> ub.0).min(sa.0 >> ub.1), (sa.1 >> ub.0).max(sa.1 >> ub.1))
        }
        BitAnd => Interval::modulo(width, 0, ua.1.min(ub.1)),
        BitOr => Interval::modulo(width, ua.0.max(ub.0), all_bits(ua.1 | ub.1)),
        BitXor => Interval::modulo(width, 0, all_bits(ua.1 | ub.1)),
        Concat => Interval::modulo(width, (ua.0 << b.width) + ub.0, (ua.1 << b.width) + ub.1),
        _ => match (a.as_constant(), b.as_constant()) {
            (Some(x), Some(y)) => {
                let result = eval::binary(op, Value::bits(a.width, x), Value::bits(b.width, y));
                result.map_or(full, |value| Interval::constant(width, value.raw()))
            }
            _ => full,
        },
    }
}

/// All bit-vectors that both pairs of bounds on the exact result allow.
fn exact(width: u16, bounds: [(i128, i128); 2]) -> Interval {
    let [unsigned, signed] = bounds.map(|(low, high)| Interval::modulo(width, low, high));
    unsigned.meet(&signed).unwrap_or(unsigned)
}

type Bounds = (i128, i128);

fn sum(a: Bounds, b: Bounds) -> Bounds {
    (a.0 + b.0, a.1 + b.1)
}

fn difference(a: Bounds, b: Bounds) -> Bounds {
    (a.0 - b.1, a.1 - b.0)
}

/// `None` if a product does not fit into 128 bits.
fn product(a: Bounds, b: Bounds) -> Option<Bounds> {
    let corners = [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
    Some(corners.into_iter().fold((i128::MAX, i128::MIN), |(low, high), p| (low.min(p), high.max(p))))
}

/// Whether every quotient has a value: no divisor is 0, and none overflows.
fn divides(a: Bounds, b: Bounds, width: u16) -> bool {
    (b.0 > 0 || b.1 < 0) && !(a.0 == smallest(width) && b.0 <= -1 && b.1 >= -1)
}

/// Whether every number of `a` is less than every one of `b`, or none is.
fn less(a: Bounds, b: Bounds) -> Option<bool> {
    if a.1 < b.0 {
        return Some(true);
    }
    (a.0 >= b.1).then_some(false)
}

/// Whether all numbers, or none, lie outside of `limits`.
fn exceeds(numbers: Bounds, limits: Bounds) -> Option<bool> {
    if limits.0 <= numbers.0 && numbers.1 <= limits.1 {
        return Some(false);
    }
    (numbers.1 < limits.0 || limits.1 < numbers.0).then_some(true)
}

/// The smallest number of the form 2^n - 1 that is at least `number`.
fn all_bits(number: i128) -> i128 {
    if number == 0 { 0 } else { mask((128 - number.leading_zeros()) as u16) as i128 }
}
