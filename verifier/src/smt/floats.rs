//! Floats as Z3 terms: their representations as bit-vectors, and their values in the floating-point theory.
//!
//! The theory has a single NaN, but programs observe many. NaNs are therefore handled on representations, as in
//! `expr::float`, and the theory is used for numbers only. The x87 format stores its leading bit; it is mapped to the
//! theory's format of the same precision by inserting and removing that bit.

use z3::ast::{Ast, BV, Bool, Float, RoundingMode};
use z3::{Context, Sort};
use z3_sys::{Z3_mk_fpa_to_fp_bv, Z3_mk_fpa_to_fp_signed, Z3_mk_fpa_to_fp_unsigned};

use super::bits::constant;
use crate::expr::float::{precision, quiet_bits, sign_mask};
use crate::expr::value::mask;
use crate::expr::{BinaryOp, FloatFormat, Rounding};

/// The theory's sort for the numbers of a format.
fn sort(format: FloatFormat) -> Sort {
    let significant = precision(format);
    let stored = if format == FloatFormat::X87 { significant } else { significant - 1 };
    Sort::float(u32::from(format.bits()) - 1 - stored, significant)
}

/// The value of a representation.
pub(super) fn number(format: FloatFormat, bits: &BV) -> Float {
    if format != FloatFormat::X87 {
        return from_ieee(format, bits);
    }
    let (sign, exponent) = (bits.extract(79, 79), bits.extract(78, 64));
    let (leading, fraction) = (bits.extract(63, 63).eq(constant(1, 1)), bits.extract(62, 0));
    let small = exponent.eq(constant(15, 0));
    // With a zero exponent, a set leading bit denotes a normal number with exponent 1.
    let exponent = Bool::and(&[&small, &leading]).ite(&constant(15, 1), &exponent);
    let number = from_ieee(format, &sign.concat(exponent).concat(fraction));
    // With any other exponent, a clear leading bit denotes a NaN.
    Bool::or(&[small, leading]).ite(&number, &Float::nan(&sort(format)))
}

/// The representation of a number. Unspecified for a NaN.
pub(super) fn representation(format: FloatFormat, number: &Float) -> BV {
    let ieee = number.to_ieee_bv();
    if format != FloatFormat::X87 {
        return ieee;
    }
    let (head, exponent, fraction) = (ieee.extract(78, 63), ieee.extract(77, 63), ieee.extract(62, 0));
    let leading = exponent.eq(constant(15, 0)).ite(&constant(1, 0), &constant(1, 1));
    head.concat(leading).concat(fraction)
}

pub(super) fn sign(format: FloatFormat, bits: &BV) -> Bool {
    let top = u32::from(format.bits()) - 1;
    bits.extract(top, top).eq(constant(1, 1))
}

pub(super) fn negate(format: FloatFormat, bits: &BV) -> BV {
    bits.bvxor(constant(format.bits(), sign_mask(format)))
}

pub(super) fn absolute(format: FloatFormat, bits: &BV) -> BV {
    bits.bvand(constant(format.bits(), mask(format.bits() - 1)))
}

/// A NaN made quiet.
pub(super) fn quiet(format: FloatFormat, bits: &BV) -> BV {
    bits.bvor(constant(format.bits(), quiet_bits(format)))
}

/// A NaN converted to another format: its payload stays aligned with the quiet bit.
pub(super) fn converted_nan(from: FloatFormat, to: FloatFormat, bits: &BV) -> BV {
    let payload = bits.extract(precision(from) - 2, 0);
    let payload = match precision(to).checked_sub(precision(from)) {
        Some(0) => payload,
        Some(wider) => payload.concat(constant(wider as u16, 0)),
        None => payload.extract(precision(from) - 2, precision(from) - precision(to)),
    };
    let width = u32::from(to.bits());
    let magnitude = payload.zero_ext(width - (precision(to) - 1));
    let top = u32::from(from.bits()) - 1;
    let sign = bits.extract(top, top).concat(constant(to.bits() - 1, 0));
    quiet(to, &magnitude.bvor(sign))
}

/// Whether the second of two numbers, of which at most one is a NaN, is the minimum (or, if not `least`, the maximum).
/// `sign` is the sign of the first.
pub(super) fn second_is_extreme(least: bool, a: &Float, b: &Float, sign: &Bool) -> Bool {
    let order = if least { b.lt(a) } else { a.lt(b) };
    // Only zeros of different signs are equal but distinct.
    let zeros = Bool::and(&[a.is_zero(), b.is_zero(), if least { sign.not() } else { sign.clone() }]);
    Bool::or(&[a.is_nan(), Bool::and(&[b.is_nan().not(), Bool::or(&[order, zeros])])])
}

/// The arithmetic operators on two numbers.
pub(super) fn arithmetic(op: BinaryOp, a: &Float, b: &Float) -> Float {
    let nearest = RoundingMode::round_nearest_ties_to_even();
    match op {
        BinaryOp::FloatAdd => nearest.add(a, b),
        BinaryOp::FloatSub => nearest.sub(a, b),
        BinaryOp::FloatMul => nearest.mul(a, b),
        BinaryOp::FloatDiv => nearest.div(a, b),
        _ => unreachable!("{op:?} is no arithmetic on floats"),
    }
}

/// `fmod`: exact for formats with small exponents, else an over-approximation whose fresh constant is called `name`.
///
/// Z3 divides integers with one bit for each exponent value. For large exponents it even misses its timeout, so the
/// result is any number of magnitude below the divisor, with the sign of the dividend.
pub(super) fn remainder(format: FloatFormat, a: &Float, b: &Float, name: String) -> Float {
    if matches!(format, FloatFormat::Half | FloatFormat::BFloat | FloatFormat::Single) {
        return truncated_remainder(a, b);
    }
    let (dividend, divisor) = (a.unary_abs(), b.unary_abs());
    let any = number(format, &BV::new_const(name, format.bits().into())).unary_abs();
    let zero = number(format, &constant(format.bits(), 0));
    let magnitude = any.lt(&divisor).ite(&any, &zero);
    let rest = a.is_negative().ite(&magnitude.unary_neg(), &magnitude);
    let invalid = Bool::or(&[a.is_nan(), b.is_nan(), a.is_infinite(), b.is_zero()]);
    invalid.ite(&Float::nan(&sort(format)), &dividend.lt(&divisor).ite(a, &rest))
}

/// `fmod`. The theory's remainder belongs to the nearest quotient; if it is negative, adding the divisor yields the
/// truncated one. The sum is always representable, so it is exact.
fn truncated_remainder(a: &Float, b: &Float) -> Float {
    let nearest = RoundingMode::round_nearest_ties_to_even();
    let divisor = b.unary_abs();
    let remainder = a.unary_abs().rem(&divisor);
    let below = Bool::and(&[remainder.is_negative(), remainder.is_zero().not()]);
    let magnitude = below.ite(&nearest.add(&remainder, &divisor), &remainder).unary_abs();
    a.is_negative().ite(&magnitude.unary_neg(), &magnitude)
}

pub(super) fn round(a: &Float, rounding: Rounding) -> Float {
    a.round_to_integral_with_rounding_mode(&match rounding {
        Rounding::NearestEven => RoundingMode::round_nearest_ties_to_even(),
        Rounding::NearestAway => RoundingMode::round_nearest_ties_to_away(),
        Rounding::TowardZero => RoundingMode::round_towards_zero(),
        Rounding::Up => RoundingMode::round_towards_positive(),
        Rounding::Down => RoundingMode::round_towards_negative(),
    })
}

pub(super) fn convert(a: &Float, to: FloatFormat) -> Float {
    a.to_fp_with_rounding_mode(&RoundingMode::round_nearest_ties_to_even(), &sort(to))
}

/// The number truncated to an integer of `width` bits; unspecified if it does not fit.
pub(super) fn to_integer(a: &Float, width: u32, is_signed: bool) -> BV {
    let truncate = RoundingMode::round_towards_zero();
    match is_signed {
        true => a.to_sbv_with_rounding_mode(&truncate, width),
        false => a.to_ubv_with_rounding_mode(&truncate, width),
    }
}

// The `z3` crate has no safe constructors for the following two.

fn from_ieee(format: FloatFormat, bits: &BV) -> Float {
    let context = Context::thread_local();
    // SAFETY: the context and both arguments are alive, and the width is that of the sort.
    unsafe {
        let term = Z3_mk_fpa_to_fp_bv(context.get_z3_context(), bits.get_z3_ast(), sort(format).get_z3_sort());
        Float::wrap(&context, term.expect("a bit-vector of the format's width is a float"))
    }
}

/// The nearest number to an integer.
pub(super) fn from_integer(bits: &BV, to: FloatFormat, is_signed: bool) -> Float {
    let context = Context::thread_local();
    let nearest = RoundingMode::round_nearest_ties_to_even();
    let make = if is_signed { Z3_mk_fpa_to_fp_signed } else { Z3_mk_fpa_to_fp_unsigned };
    // SAFETY: the context and all arguments are alive.
    unsafe {
        let sort = sort(to);
        let term = make(context.get_z3_context(), nearest.get_z3_ast(), bits.get_z3_ast(), sort.get_z3_sort());
        Float::wrap(&context, term.expect("every integer has a nearest float"))
    }
}
