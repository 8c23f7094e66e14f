//! Fast paths for common operators on integers of at most 64 bits. `eval` defines the semantics and covers the rest.

use super::{BinaryOp, Sort};

/// `raw` truncated to the width of `sort`.
#[inline]
pub(crate) fn cut(sort: Sort, raw: u64) -> u64 {
    match sort {
        Sort::Bits(width) if width < 64 => raw & ((1 << width) - 1),
        _ => raw,
    }
}

/// `raw` of sort `sort` as a signed number.
#[inline]
pub(crate) fn signed(sort: Sort, raw: u64) -> i64 {
    match sort {
        Sort::Bits(width @ 1..64) => (raw << (64 - width)) as i64 >> (64 - width),
        _ => raw as i64,
    }
}

/// A binary operator on integers of `sort`, or on truth values if it accepts them. `None` if it has no fast path or no
/// value.
#[inline]
pub(crate) fn binary(op: BinaryOp, sort: Sort, a: u64, b: u64) -> Option<u64> {
    use BinaryOp::*;
    let in_range = || matches!(sort, Sort::Bits(width) if b < width.into());
    Some(match op {
        Eq => (a == b).into(),
        Add => cut(sort, a.wrapping_add(b)),
        Sub => cut(sort, a.wrapping_sub(b)),
        Mul => cut(sort, a.wrapping_mul(b)),
        BitAnd => a & b,
        BitOr => a | b,
        BitXor => a ^ b,
        UnsignedLess => (a < b).into(),
        UnsignedLessEq => (a <= b).into(),
        SignedLess => (signed(sort, a) < signed(sort, b)).into(),
        SignedLessEq => (signed(sort, a) <= signed(sort, b)).into(),
        ShiftLeft if in_range() => cut(sort, a << b),
        ShiftRight if in_range() => a >> b,
        ShiftRightSigned if in_range() => cut(sort, (signed(sort, a) >> b) as u64),
        UnsignedDiv if b != 0 => a / b,
        UnsignedRem if b != 0 => a % b,
        _ => return None,
    })
}
