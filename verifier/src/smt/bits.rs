//! Bit-vector operators as Z3 terms.

use z3::ast::{Ast, BV, Bool};

use super::encode::Term;
use crate::expr::BinaryOp;

/// The constant `bits`, which must fit `width`.
pub(super) fn constant(width: u16, bits: u128) -> BV {
    let width = u32::from(width);
    if width < 128 {
        debug_assert_eq!(bits >> width, 0);
    }
    if width <= 64 {
        return BV::from_u64(bits as u64, width);
    }
    // Built from two halves, but simplified to one numeral.
    BV::from_u64((bits >> 64) as u64, width - 64).concat(BV::from_u64(bits as u64, 64)).simplify()
}

/// `a op b`. Oversized shifts and divisions by zero have their SMT-LIB values.
pub(super) fn binary(op: BinaryOp, a: &BV, b: &BV) -> Term {
    use BinaryOp::*;
    let not = |holds: Bool| Term::Bool(holds.not());
    match op {
        Eq => Term::Bool(a.eq(b)),
        Add => Term::Bits(a.bvadd(b)),
        Sub => Term::Bits(a.bvsub(b)),
        Mul => Term::Bits(a.bvmul(b)),
        UnsignedDiv => Term::Bits(a.bvudiv(b)),
        SignedDiv => Term::Bits(a.bvsdiv(b)),
        UnsignedRem => Term::Bits(a.bvurem(b)),
        SignedRem => Term::Bits(a.bvsrem(b)),
        ShiftLeft => Term::Bits(a.bvshl(b)),
        ShiftRight => Term::Bits(a.bvlshr(b)),
        ShiftRightSigned => Term::Bits(a.bvashr(b)),
        BitAnd => Term::Bits(a.bvand(b)),
        BitOr => Term::Bits(a.bvor(b)),
        BitXor => Term::Bits(a.bvxor(b)),
        Concat => Term::Bits(a.concat(b)),
        UnsignedLess => Term::Bool(a.bvult(b)),
        UnsignedLessEq => Term::Bool(a.bvule(b)),
        SignedLess => Term::Bool(a.bvslt(b)),
        SignedLessEq => Term::Bool(a.bvsle(b)),
        // Sums and differences fit one more bit; a result that needs it overflows.
        SignedAddOverflows => not(is_extended(&a.sign_ext(1).bvadd(b.sign_ext(1)))),
        SignedSubOverflows => not(is_extended(&a.sign_ext(1).bvsub(b.sign_ext(1)))),
        SignedMulOverflows => Term::Bool(signed_product_overflows(a, b)),
        UnsignedAddOverflows => Term::Bool(a.bvadd(b).bvult(a)),
        UnsignedSubOverflows => Term::Bool(a.bvult(b)),
        UnsignedMulOverflows => Term::Bool(unsigned_product_overflows(a, b)),
        And | Or | FloatAdd | FloatSub | FloatMul | FloatDiv | FloatRem | FloatEq | FloatLess | FloatLessEq
        | FloatMin | FloatMax | FloatMath(_) => unreachable!("{op:?} does not apply to bit-vectors"),
    }
}

/// Whether the two upper bits are equal.
fn is_extended(a: &BV) -> Bool {
    let top = a.get_size() - 1;
    a.extract(top, top).eq(a.extract(top - 1, top - 1))
}

// SMT-LIB has had overflow predicates for products since 2024 only, and not all solvers know them. A product fits one extra bit
// unless the positions of the operands' highest bits already imply an overflow.

fn unsigned_product_overflows(a: &BV, b: &BV) -> Bool {
    let width = a.get_size();
    let product = a.zero_ext(1).bvmul(b.zero_ext(1));
    Bool::or(&[high_bits_overflow(a, b, width), is_set(&product, width)])
}

fn signed_product_overflows(a: &BV, b: &BV) -> Bool {
    let width = a.get_size();
    let product = a.sign_ext(1).bvmul(b.sign_ext(1));
    // For a negative number, the most significant non-sign bit is the highest zero.
    let magnitude = |x: &BV| x.bvxor(bit(x, width - 1).sign_ext(width - 1));
    let high = high_bits_overflow(&magnitude(a), &magnitude(b), width - 1);
    Bool::or(&[high, is_extended(&product).not()])
}

/// Whether set bits of `a` and `b`, at positions below `limit`, have positions whose sum reaches `limit`.
fn high_bits_overflow(a: &BV, b: &BV, limit: u32) -> Bool {
    let mut found = Vec::new();
    let mut upper = Bool::from_bool(false);
    for at in 1..limit {
        upper = Bool::or(&[upper, is_set(a, limit - at)]);
        found.push(Bool::and(&[upper.clone(), is_set(b, at)]));
    }
    Bool::or(&found)
}

fn bit(a: &BV, at: u32) -> BV {
    a.extract(at, at)
}

fn is_set(a: &BV, at: u32) -> Bool {
    bit(a, at).eq(BV::from_u64(1, 1))
}

/// The number of set bits, as a balanced tree of additions.
pub(super) fn population_count(a: &BV, width: u32) -> BV {
    let mut sums: Vec<BV> = (0..width).map(|at| bit(a, at).zero_ext(width - 1)).collect();
    while sums.len() > 1 {
        sums =
            sums.chunks(2).map(|pair| pair[1..].iter().fold(pair[0].clone(), |sum, other| sum.bvadd(other))).collect();
    }
    sums.swap_remove(0)
}

/// Determined by the highest set bit.
pub(super) fn leading_zeros(a: &BV, width: u32) -> BV {
    let count = |zeros: u32| BV::from_u64(zeros.into(), width);
    (0..width).fold(count(width), |zeros, at| is_set(a, at).ite(&count(width - 1 - at), &zeros))
}

/// Determined by the lowest set bit.
pub(super) fn trailing_zeros(a: &BV, width: u32) -> BV {
    let count = |zeros: u32| BV::from_u64(zeros.into(), width);
    (0..width).rev().fold(count(width), |zeros, at| is_set(a, at).ite(&count(at), &zeros))
}

/// The chunks of `step` bits in reverse order.
pub(super) fn reverse(a: &BV, width: u32, step: u32) -> BV {
    let piece = |low: u32| a.extract(low + step - 1, low);
    (1..width / step).fold(piece(0), |reversed, n| reversed.concat(piece(n * step)))
}
