//! Floating-point arithmetic on representations: the semantics of the float operators.
//!
//! `float` and `double` use the machine's arithmetic, the other formats `rustc_apfloat`, except for square roots and
//! conversions, which are computed here on integers. All results are rounded to nearest, ties to even.
//!
//! NaNs follow x86: a NaN operand is made quiet, the first one wins, and an invalid operation yields the default NaN
//! with its sign bit set. Results are normalised accordingly, because Rust leaves NaN bits unspecified.

use std::cmp::Ordering;

use rustc_apfloat::ieee::{BFloat, Half, Quad, X87DoubleExtended};
use rustc_apfloat::{Float, Round};

use super::value::{mask, signed};
use super::{BinaryOp, FloatFormat, Rounding};

/// The number of significant bits, including the leading one.
pub(crate) const fn precision(format: FloatFormat) -> u32 {
    format.precision()
}

/// The number of significand bits that are stored: all for the x87 format, all but the leading one elsewhere.
const fn stored(format: FloatFormat) -> u32 {
    match format {
        FloatFormat::X87 => 64,
        _ => precision(format) - 1,
    }
}

/// The exponent field of infinities and NaNs.
const fn top_exponent(format: FloatFormat) -> u32 {
    (1 << (format.bits() as u32 - 1 - stored(format))) - 1
}

const fn bias(format: FloatFormat) -> i32 {
    (top_exponent(format) / 2) as i32
}

pub(crate) const fn sign_mask(format: FloatFormat) -> u128 {
    1 << (format.bits() - 1)
}

const fn infinity(format: FloatFormat, negative: bool) -> u128 {
    let leading = if matches!(format, FloatFormat::X87) { 1 << 63 } else { 0 };
    with_sign(format, ((top_exponent(format) as u128) << stored(format)) | leading, negative)
}

const fn with_sign(format: FloatFormat, magnitude: u128, negative: bool) -> u128 {
    if negative { magnitude | sign_mask(format) } else { magnitude }
}

/// The bits set in every quiet NaN, including the exponent.
pub(crate) const fn quiet_bits(format: FloatFormat) -> u128 {
    infinity(format, false) | 1 << (precision(format) - 2)
}

/// The NaN that an invalid operation yields.
pub(crate) const fn default_nan(format: FloatFormat) -> u128 {
    sign_mask(format) | quiet_bits(format)
}

/// A finite number other than zero: `significand * 2^exponent`.
#[derive(Clone, Copy)]
struct Finite {
    negative: bool,
    significand: u128,
    exponent: i32,
}

enum Class {
    Nan,
    Infinite(bool),
    Zero(bool),
    Finite(Finite),
}

fn classify(format: FloatFormat, bits: u128) -> Class {
    let negative = is_negative(format, bits);
    let field = (bits >> stored(format)) as u32 & top_exponent(format);
    let mut significand = bits & mask(stored(format) as u16);
    if format == FloatFormat::X87 {
        // An explicit leading bit that disagrees with the exponent is treated as a NaN, as in APFloat (nearly as on the
        // 387).
        if field != 0 && significand >> 63 == 0 {
            return Class::Nan;
        }
        significand &= if field == top_exponent(format) { mask(63) } else { mask(64) };
    } else if field != 0 && field != top_exponent(format) {
        significand |= 1 << stored(format);
    }
    if field == top_exponent(format) {
        return if significand == 0 { Class::Infinite(negative) } else { Class::Nan };
    }
    if significand == 0 {
        return Class::Zero(negative);
    }
    let exponent = field.max(1) as i32 - bias(format) - (precision(format) as i32 - 1);
    Class::Finite(Finite { negative, significand, exponent })
}

/// The nearest float to a number. `inexact`: the exact magnitude is slightly larger than `number`.
fn round(format: FloatFormat, number: Finite, inexact: bool) -> u128 {
    let Finite { negative, significand, exponent } = number;
    if significand == 0 {
        return with_sign(format, 0, negative);
    }
    let bits = 128 - significand.leading_zeros();
    let least = 2 - bias(format) - precision(format) as i32;
    // The exponent of the unit in the last place, clamped for subnormal numbers.
    let unit = (exponent + bits as i32 - precision(format) as i32).max(least);
    let dropped = unit - exponent;
    let mut kept = match dropped {
        ..=0 => significand << -dropped,
        1..=127 => significand >> dropped,
        _ => 0,
    };
    if (1..=128).contains(&dropped) {
        let half = 1u128 << (dropped - 1);
        let rest = significand & mask(dropped as u16);
        let up = match rest.cmp(&half) {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal => inexact || kept & 1 == 1,
        };
        kept += up as u128;
    }
    // Rounding may carry into a new bit; the result is then a power of two, and the shift is exact.
    let (kept, unit) = if kept >> precision(format) != 0 { (kept >> 1, unit + 1) } else { (kept, unit) };
    let normal = kept >> (precision(format) - 1) != 0;
    let field = if normal { (unit - least + 1) as u32 } else { 0 };
    if field >= top_exponent(format) {
        return infinity(format, negative);
    }
    with_sign(format, ((field as u128) << stored(format)) | (kept & mask(stored(format) as u16)), negative)
}

pub(super) fn is_nan(format: FloatFormat, bits: u128) -> bool {
    match format {
        FloatFormat::Single => f32::from_bits(bits as u32).is_nan(),
        FloatFormat::Double => f64::from_bits(bits as u64).is_nan(),
        _ => matches!(classify(format, bits), Class::Nan),
    }
}

pub(super) fn is_infinite(format: FloatFormat, bits: u128) -> bool {
    matches!(classify(format, bits), Class::Infinite(_))
}

pub(super) const fn is_negative(format: FloatFormat, bits: u128) -> bool {
    bits & sign_mask(format) != 0
}

pub(super) fn is_subnormal(format: FloatFormat, bits: u128) -> bool {
    let least = 2 - bias(format) - precision(format) as i32;
    matches!(classify(format, bits),
        Class::Finite(number) if number.exponent == least && number.significand >> (precision(format) - 1) == 0)
}

pub(super) const fn negate(format: FloatFormat, bits: u128) -> u128 {
    bits ^ sign_mask(format)
}

pub(super) const fn absolute(format: FloatFormat, bits: u128) -> u128 {
    bits & !sign_mask(format)
}

/// The NaN that an operation on `operands` yields.
fn nan_from(format: FloatFormat, operands: &[u128]) -> u128 {
    match operands.iter().find(|&&operand| is_nan(format, operand)) {
        Some(nan) => nan | quiet_bits(format),
        None => default_nan(format),
    }
}

/// An arithmetic operation on all formats: `$native` for formats of the machine, else `$soft`.
macro_rules! arithmetic {
    ($format:expr, [$($operand:ident),+], $native:expr, $soft:expr) => {{
        let operands = [$($operand),+];
        let (bits, is_nan) = match $format {
            FloatFormat::Single => {
                $(let $operand = f32::from_bits($operand as u32);)+
                let result: f32 = $native;
                (result.to_bits().into(), result.is_nan())
            }
            FloatFormat::Double => {
                $(let $operand = f64::from_bits($operand as u64);)+
                let result: f64 = $native;
                (result.to_bits().into(), result.is_nan())
            }
            FloatFormat::Half => arithmetic!(soft Half, [$($operand),+], $soft),
            FloatFormat::BFloat => arithmetic!(soft BFloat, [$($operand),+], $soft),
            FloatFormat::X87 => arithmetic!(soft X87DoubleExtended, [$($operand),+], $soft),
            FloatFormat::Quad => arithmetic!(soft Quad, [$($operand),+], $soft),
        };
        if is_nan { nan_from($format, &operands) } else { bits }
    }};
    (soft $type:ident, [$($operand:ident),+], $soft:expr) => {{
        $(let $operand = $type::from_bits($operand);)+
        let result: $type = $soft.value;
        (result.to_bits(), result.is_nan())
    }};
}

/// The arithmetic operators on two floats; `None` for the others.
pub(super) fn binary(op: BinaryOp, format: FloatFormat, a: u128, b: u128) -> Option<u128> {
    Some(match op {
        BinaryOp::FloatAdd => arithmetic!(format, [a, b], a + b, a + b),
        BinaryOp::FloatSub => arithmetic!(format, [a, b], a - b, a - b),
        BinaryOp::FloatMul => arithmetic!(format, [a, b], a * b, a * b),
        BinaryOp::FloatDiv => arithmetic!(format, [a, b], a / b, a / b),
        BinaryOp::FloatRem => arithmetic!(format, [a, b], a % b, a % b),
        BinaryOp::FloatMath(function) => return function.apply(format, [a, b]),
        BinaryOp::FloatMin => extremum(format, a, b, Ordering::Less),
        BinaryOp::FloatMax => extremum(format, a, b, Ordering::Greater),
        _ => return None,
    })
}

pub(super) fn fma(format: FloatFormat, a: u128, b: u128, c: u128) -> u128 {
    arithmetic!(format, [a, b, c], a.mul_add(b, c), a.mul_add(b, c))
}

pub(super) fn round_to_integral(format: FloatFormat, rounding: Rounding, a: u128) -> u128 {
    match rounding {
        Rounding::NearestEven => {
            arithmetic!(format, [a], a.round_ties_even(), a.round_to_integral(Round::NearestTiesToEven))
        }
        Rounding::NearestAway => {
            arithmetic!(format, [a], a.round(), a.round_to_integral(Round::NearestTiesToAway))
        }
        Rounding::TowardZero => {
            arithmetic!(format, [a], a.trunc(), a.round_to_integral(Round::TowardZero))
        }
        Rounding::Up => arithmetic!(format, [a], a.ceil(), a.round_to_integral(Round::TowardPositive)),
        Rounding::Down => arithmetic!(format, [a], a.floor(), a.round_to_integral(Round::TowardNegative)),
    }
}

/// The order of two floats; `None` if either is a NaN.
pub(super) fn compare(format: FloatFormat, a: u128, b: u128) -> Option<Ordering> {
    match format {
        FloatFormat::Single => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        FloatFormat::Double => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
        FloatFormat::Half => Half::from_bits(a).partial_cmp(&Half::from_bits(b)),
        FloatFormat::BFloat => BFloat::from_bits(a).partial_cmp(&BFloat::from_bits(b)),
        FloatFormat::X87 => X87DoubleExtended::from_bits(a).partial_cmp(&X87DoubleExtended::from_bits(b)),
        FloatFormat::Quad => Quad::from_bits(a).partial_cmp(&Quad::from_bits(b)),
    }
}

/// `fmin` (`wanted` is `Less`) and `fmax` (`Greater`).
fn extremum(format: FloatFormat, a: u128, b: u128, wanted: Ordering) -> u128 {
    match (is_nan(format, a), is_nan(format, b)) {
        (true, true) => return nan_from(format, &[a]),
        (true, false) => return b,
        (false, true) => return a,
        (false, false) => {}
    }
    let order = match compare(format, a, b) {
        // Only zeros compare equal while their bits differ: -0 is the lesser.
        Some(Ordering::Equal) => is_negative(format, b).cmp(&is_negative(format, a)),
        order => order.unwrap_or(Ordering::Equal),
    };
    if order == wanted.reverse() { b } else { a }
}

pub(super) fn sqrt(format: FloatFormat, a: u128) -> u128 {
    match (classify(format, a), format) {
        (Class::Nan, _) => nan_from(format, &[a]),
        (Class::Zero(_) | Class::Infinite(false), _) => a,
        (Class::Infinite(true) | Class::Finite(Finite { negative: true, .. }), _) => default_nan(format),
        (Class::Finite(_), FloatFormat::Single) => f32::from_bits(a as u32).sqrt().to_bits().into(),
        (Class::Finite(_), FloatFormat::Double) => f64::from_bits(a as u64).sqrt().to_bits().into(),
        (Class::Finite(number), _) => sqrt_finite(format, number),
    }
}

/// The square root digit by digit, with two bits beyond the precision; the remainder tells whether it is inexact.
fn sqrt_finite(format: FloatFormat, number: Finite) -> u128 {
    // Make the exponent even, so that it can be halved.
    let odd = number.exponent & 1;
    let (significand, exponent) = (number.significand << odd, number.exponent - odd);
    let whole = (128 - significand.leading_zeros()).div_ceil(2);
    let digits = precision(format) + 2;
    let (mut root, mut rest) = (0u128, 0u128);
    for digit in 0..digits {
        let pair = if digit < whole { significand >> (2 * (whole - 1 - digit)) & 3 } else { 0 };
        rest = rest << 2 | pair;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    let exponent = exponent / 2 - (digits - whole) as i32;
    round(format, Finite { negative: false, significand: root, exponent }, rest != 0)
}

/// A float in another format.
pub(super) fn convert(from: FloatFormat, to: FloatFormat, bits: u128) -> u128 {
    match classify(from, bits) {
        Class::Nan => {
            // The payload stays aligned with the quiet bit, as in x86 conversions.
            let payload = bits & mask(precision(from) as u16 - 1);
            let payload = match precision(to).checked_sub(precision(from)) {
                Some(wider) => payload << wider,
                None => payload >> (precision(from) - precision(to)),
            };
            with_sign(to, payload | quiet_bits(to), is_negative(from, bits))
        }
        Class::Infinite(negative) => infinity(to, negative),
        Class::Zero(negative) => with_sign(to, 0, negative),
        Class::Finite(number) => round(to, number, false),
    }
}

/// The nearest float to an integer.
pub(super) fn from_integer(format: FloatFormat, negative: bool, magnitude: u128) -> u128 {
    round(format, Finite { negative: negative && magnitude != 0, significand: magnitude, exponent: 0 }, false)
}

/// A float as an integer of `width` bits, rounded towards zero, if it fits.
pub(super) fn to_integer(format: FloatFormat, bits: u128, width: u16, is_signed: bool) -> Option<u128> {
    let Finite { negative, significand, exponent } = match classify(format, bits) {
        Class::Nan | Class::Infinite(_) => return None,
        Class::Zero(_) => return Some(0),
        Class::Finite(number) => number,
    };
    let magnitude = match exponent {
        0.. if exponent > significand.leading_zeros() as i32 => return None,
        0.. => significand << exponent,
        -127..0 => significand >> -exponent,
        _ => 0,
    };
    let result = if negative { magnitude.wrapping_neg() } else { magnitude } & mask(width);
    let back = match is_signed {
        true => signed(width, result).unsigned_abs(),
        false => result,
    };
    // The magnitude must be preserved, and so must the sign of a nonzero number.
    let below_zero = is_signed && signed(width, result) < 0;
    (back == magnitude && (magnitude == 0 || below_zero == negative)).then_some(result)
}
