//! The operators of expressions compared with other implementations of the same arithmetic.

use clew_verifier::expr::eval::{self, Undefined};
use clew_verifier::expr::value::{mask, signed};
use clew_verifier::expr::{BinaryOp, FloatFormat, Rounding, TernaryOp, UnaryOp, Value};
use proptest::prelude::*;
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

const FORMATS: [FloatFormat; 6] = [
    FloatFormat::Half,
    FloatFormat::BFloat,
    FloatFormat::Single,
    FloatFormat::Double,
    FloatFormat::X87,
    FloatFormat::Quad,
];

/// Interesting numbers: the ends of ranges of all widths, their neighbours, and random ones.
fn number() -> impl Strategy<Value = u128> {
    prop_oneof![
        any::<u128>(),
        (0u32..128, -2i128..3).prop_map(|(bit, near)| (1u128 << bit).wrapping_add_signed(near)),
        (-2i128..3).prop_map(|near| near as u128),
        any::<u8>().prop_map(u128::from),
        (any::<u64>(), 0u32..128).prop_map(|(bits, up)| u128::from(bits).rotate_left(up)),
    ]
}

/// Representations of floats: special ones, their neighbours, and random ones.
fn float_bits(format: FloatFormat) -> impl Strategy<Value = u128> {
    let significand: u32 = match format {
        FloatFormat::Half => 10,
        FloatFormat::BFloat => 7,
        FloatFormat::Single => 23,
        FloatFormat::Double => 52,
        FloatFormat::X87 => 64,
        FloatFormat::Quad => 112,
    };
    let top = mask(format.bits() - 1) >> significand;
    let field = prop_oneof![
        Just(0),
        Just(1),
        Just(top),
        Just(top - 1),
        Just(top / 2),
        (0..200u128).prop_map(move |near| (top / 2 + 100).wrapping_sub(near) & top),
        0..=top
    ];
    (any::<bool>(), field, number(), any::<bool>()).prop_map(move |(negative, field, fraction, sane)| {
        let mut fraction = fraction & mask(significand as u16);
        if format == FloatFormat::X87 && sane {
            fraction = if field == 0 { fraction & mask(63) } else { fraction | 1 << 63 };
        }
        u128::from(negative) << (format.bits() - 1) | field << significand | fraction
    })
}

fn format_and_bits() -> impl Strategy<Value = (FloatFormat, u128, u128, u128)> {
    prop::sample::select(&FORMATS[..])
        .prop_flat_map(|format| (Just(format), float_bits(format), float_bits(format), float_bits(format)))
}

macro_rules! with_type {
    ($format:expr, $type:ident => $body:expr) => {
        match $format {
            FloatFormat::Half => {
                type $type = Half;
                $body
            }
            FloatFormat::BFloat => {
                type $type = BFloat;
                $body
            }
            FloatFormat::Single => {
                type $type = Single;
                $body
            }
            FloatFormat::Double => {
                type $type = Double;
                $body
            }
            FloatFormat::X87 => {
                type $type = X87DoubleExtended;
                $body
            }
            FloatFormat::Quad => {
                type $type = Quad;
                $body
            }
        }
    };
}

macro_rules! native {
    ($name:ident, $unsigned:ty, $signed:ty) => {
        fn $name(a: u128, b: u128) {
            use BinaryOp::*;
            let width = <$unsigned>::BITS as u16;
            let (x, y) = (a as $unsigned, b as $unsigned);
            let (s, t) = (x as $signed, y as $signed);
            let value = |bits: $unsigned| Ok(Value::bits(width, bits as u128));
            let truth = |b| Ok(Value::Bool(b));
            let run = |op| eval::binary(op, Value::bits(width, a), Value::bits(width, b));
            let one = |op| eval::unary(op, Value::bits(width, a));
            let count = |n: u32| Ok(Value::bits(width, n.into()));
            assert_eq!(run(Add), value(x.wrapping_add(y)));
            assert_eq!(run(Sub), value(x.wrapping_sub(y)));
            assert_eq!(run(Mul), value(x.wrapping_mul(y)));
            assert_eq!(run(SignedAddOverflows), truth(s.checked_add(t).is_none()));
            assert_eq!(run(SignedSubOverflows), truth(s.checked_sub(t).is_none()));
            assert_eq!(run(SignedMulOverflows), truth(s.checked_mul(t).is_none()));
            assert_eq!(run(UnsignedAddOverflows), truth(x.checked_add(y).is_none()));
            assert_eq!(run(UnsignedSubOverflows), truth(x.checked_sub(y).is_none()));
            assert_eq!(run(UnsignedMulOverflows), truth(x.checked_mul(y).is_none()));
            assert_eq!(run(UnsignedDiv).ok(), x.checked_div(y).and_then(|r| value(r).ok()));
            assert_eq!(run(UnsignedRem).ok(), x.checked_rem(y).and_then(|r| value(r).ok()));
            assert_eq!(run(SignedDiv).ok(), s.checked_div(t).and_then(|r| value(r as $unsigned).ok()));
            assert_eq!(run(SignedRem).ok(), s.checked_rem(t).and_then(|r| value(r as $unsigned).ok()));
            let distance = u32::try_from(y).unwrap_or(u32::MAX);
            assert_eq!(run(ShiftLeft).ok(), x.checked_shl(distance).and_then(|r| value(r).ok()));
            assert_eq!(run(ShiftRight).ok(), x.checked_shr(distance).and_then(|r| value(r).ok()));
            assert_eq!(run(ShiftRightSigned).ok(), s.checked_shr(distance).and_then(|r| value(r as $unsigned).ok()));
            assert_eq!(run(BitAnd), value(x & y));
            assert_eq!(run(BitOr), value(x | y));
            assert_eq!(run(BitXor), value(x ^ y));
            assert_eq!(run(Eq), truth(x == y));
            assert_eq!(run(UnsignedLess), truth(x < y));
            assert_eq!(run(UnsignedLessEq), truth(x <= y));
            assert_eq!(run(SignedLess), truth(s < t));
            assert_eq!(run(SignedLessEq), truth(s <= t));
            assert_eq!(one(UnaryOp::BitNot), value(!x));
            assert_eq!(one(UnaryOp::Neg), value(x.wrapping_neg()));
            assert_eq!(one(UnaryOp::PopCount), count(x.count_ones()));
            assert_eq!(one(UnaryOp::LeadingZeros), count(x.leading_zeros()));
            assert_eq!(one(UnaryOp::TrailingZeros), count(x.trailing_zeros()));
            assert_eq!(one(UnaryOp::ByteSwap), value(x.swap_bytes()));
            assert_eq!(one(UnaryOp::BitReverse), value(x.reverse_bits()));
            assert_eq!(one(UnaryOp::ZeroExtend(128)), Ok(Value::bits(128, x as u128)));
            assert_eq!(one(UnaryOp::SignExtend(128)), Ok(Value::bits(128, s as u128)));
            assert_eq!(one(UnaryOp::Extract { low: 3, width: 5 }), Ok(Value::bits(5, x as u128 >> 3)));
        }
    };
}

native!(native_8, u8, i8);
native!(native_16, u16, i16);
native!(native_32, u32, i32);
native!(native_64, u64, i64);
native!(native_128, u128, i128);

/// Results of widths up to 63 bits fit into 128 bits exactly, products included.
fn odd_width(width: u16, a: u128, b: u128) {
    use BinaryOp::*;
    let (a, b) = (a & mask(width), b & mask(width));
    let (s, t) = (signed(width, a), signed(width, b));
    let (low, high) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
    let run = |op| eval::binary(op, Value::bits(width, a), Value::bits(width, b));
    let outside = |r: i128| Ok(Value::Bool(r < low || r > high));
    let above = |r: i128| Ok(Value::Bool(r < 0 || r as u128 > mask(width)));
    let wrapped = |r: i128| Ok(Value::bits(width, r.rem_euclid(1 << width) as u128));
    let (x, y) = (a as i128, b as i128);
    assert_eq!(run(Add), wrapped(x + y));
    assert_eq!(run(Sub), wrapped(x - y));
    assert_eq!(run(Mul), wrapped(x * y));
    assert_eq!(run(SignedAddOverflows), outside(s + t));
    assert_eq!(run(SignedSubOverflows), outside(s - t));
    assert_eq!(run(SignedMulOverflows), outside(s * t));
    assert_eq!(run(UnsignedAddOverflows), above(x + y));
    assert_eq!(run(UnsignedSubOverflows), above(x - y));
    assert_eq!(run(UnsignedMulOverflows), above(x * y));
    assert_eq!(run(SignedLess), Ok(Value::Bool(s < t)));
    assert_eq!(run(Concat), Ok(Value::bits(2 * width, a << width | b)));
    if b == 0 {
        for op in [SignedDiv, SignedRem, UnsignedDiv, UnsignedRem] {
            assert_eq!(run(op), Err(Undefined::DivisionByZero));
        }
    } else if s == low && t == -1 {
        assert_eq!(run(SignedDiv), Err(Undefined::DivisionOverflow));
        assert_eq!(run(SignedRem), Err(Undefined::DivisionOverflow));
    } else {
        assert_eq!(run(SignedDiv), wrapped(s / t));
        assert_eq!(run(SignedRem), wrapped(s % t));
        assert_eq!(run(UnsignedDiv), wrapped(x / y));
        assert_eq!(run(UnsignedRem), wrapped(x % y));
    }
    if b < width.into() {
        assert_eq!(run(ShiftLeft), wrapped(x << b));
        assert_eq!(run(ShiftRight), wrapped(x >> b));
        assert_eq!(run(ShiftRightSigned), wrapped(s >> b));
    } else {
        assert_eq!(run(ShiftLeft), Err(Undefined::ShiftTooFar));
    }
}

/// The NaN that x86 yields for these operands.
fn expected_nan<F: Float>(operands: &[u128], bits: u16) -> u128 {
    let quiet = F::NAN.to_bits();
    match operands.iter().find(|&&operand| F::from_bits(operand).is_nan()) {
        Some(nan) => nan | quiet,
        None => quiet | 1 << (bits - 1),
    }
}

fn arithmetic<F: Float>(format: FloatFormat, a: u128, b: u128, c: u128) {
    use BinaryOp::*;
    let (x, y, z) = (F::from_bits(a), F::from_bits(b), F::from_bits(c));
    let value = |bits| Value::float(format, bits);
    let expect = |r: F, operands: &[u128]| {
        Ok(value(if r.is_nan() { expected_nan::<F>(operands, format.bits()) } else { r.to_bits() }))
    };
    let run = |op| eval::binary(op, value(a), value(b));
    assert_eq!(run(FloatAdd), expect((x + y).value, &[a, b]));
    assert_eq!(run(FloatSub), expect((x - y).value, &[a, b]));
    assert_eq!(run(FloatMul), expect((x * y).value, &[a, b]));
    assert_eq!(run(FloatDiv), expect((x / y).value, &[a, b]));
    assert_eq!(run(FloatRem), expect((x % y).value, &[a, b]));
    assert_eq!(run(FloatEq), Ok(Value::Bool(x == y)));
    assert_eq!(run(FloatLess), Ok(Value::Bool(x < y)));
    assert_eq!(run(FloatLessEq), Ok(Value::Bool(x <= y)));
    assert_eq!(run(Eq), Ok(Value::Bool(a == b)));
    if !x.is_nan() && !y.is_nan() {
        let (Ok(least), Ok(greatest)) = (run(FloatMin), run(FloatMax)) else { panic!() };
        assert!(F::from_bits(least.raw()).bitwise_eq(x.minimum(y)));
        assert!(F::from_bits(greatest.raw()).bitwise_eq(x.maximum(y)));
    } else if !x.is_nan() || !y.is_nan() {
        let other = value(if x.is_nan() { b } else { a });
        assert_eq!((run(FloatMin), run(FloatMax)), (Ok(other), Ok(other)));
    }
    let fused = eval::ternary(TernaryOp::FloatFma, value(a), value(b), value(c));
    assert_eq!(fused, expect(x.mul_add(y, z).value, &[a, b, c]));
    let one = |op| eval::unary(op, value(a));
    for (rounding, round) in [
        (Rounding::NearestEven, Round::NearestTiesToEven),
        (Rounding::NearestAway, Round::NearestTiesToAway),
        (Rounding::TowardZero, Round::TowardZero),
        (Rounding::Up, Round::TowardPositive),
        (Rounding::Down, Round::TowardNegative),
    ] {
        assert_eq!(one(UnaryOp::FloatRound(rounding)), expect(x.round_to_integral(round).value, &[a]));
    }
    assert_eq!(one(UnaryOp::FloatIsNan), Ok(Value::Bool(x.is_nan())));
    assert_eq!(one(UnaryOp::FloatIsInfinite), Ok(Value::Bool(x.is_infinite())));
    assert_eq!(one(UnaryOp::FloatIsSubnormal), Ok(Value::Bool(x.is_denormal())));
    let sign = 1 << (format.bits() - 1);
    assert_eq!(one(UnaryOp::FloatSignBit), Ok(Value::Bool(a & sign != 0)));
    assert_eq!(one(UnaryOp::FloatNeg), Ok(value(a ^ sign)));
    assert_eq!(one(UnaryOp::FloatAbs), Ok(value(a & !sign)));
    square_root::<F>(format, a);
}

/// The root is correctly rounded if the residual `x - r * r` (always a float) is within half a unit on both sides.
fn square_root<F: Float>(format: FloatFormat, a: u128) {
    let x = F::from_bits(a);
    let Ok(root) = eval::unary(UnaryOp::FloatSqrt, Value::float(format, a)) else { panic!("a square root") };
    let r = F::from_bits(root.raw());
    if x.is_nan() || x < F::ZERO {
        assert_eq!(root.raw(), expected_nan::<F>(&[a], format.bits()));
    } else if x.is_zero() || x.is_infinite() {
        assert!(r.bitwise_eq(x));
    } else if x.ilogb() > F::smallest_normalized().ilogb() + 2 * i32::from(format.bits()) {
        // Far enough from subnormal numbers that no intermediate result is rounded.
        let residual = (-r).mul_add(r, x).value;
        let unit = (r.next_up().value - r).value;
        let product = r * unit;
        assert_eq!(product.status, Status::OK);
        assert!(residual <= product.value && residual > -product.value, "the root of {x} is not {r}");
    }
}

fn convert<F: Float + FloatConvert<T>, T: Float>(from: FloatFormat, to: FloatFormat, a: u128) {
    let Ok(result) = eval::unary(UnaryOp::FloatToFloat(to), Value::float(from, a)) else { panic!("a conversion") };
    let expected = F::from_bits(a).convert(&mut false).value;
    if expected.is_nan() {
        let result = T::from_bits(result.raw());
        assert!(result.is_nan() && !result.is_signaling() && result.is_negative() == F::from_bits(a).is_negative());
    } else {
        assert_eq!(result, Value::float(to, expected.to_bits()));
    }
}

fn to_integer<F: Float>(format: FloatFormat, a: u128, width: u16) {
    let x = F::from_bits(a);
    let expected = |fits: bool, bits: u128| {
        if fits { Ok(Value::bits(width, bits)) } else { Err(Undefined::FloatToInteger) }
    };
    let unsigned = x.to_u128(width.into());
    let result = eval::unary(UnaryOp::FloatToUnsigned(width), Value::float(format, a));
    // APFloat clamps negative numbers to 0 and reports it, except for those that round to 0.
    assert_eq!(result, expected(unsigned.status != Status::INVALID_OP, unsigned.value));
    if width > 1 {
        let number = x.to_i128(width.into());
        let result = eval::unary(UnaryOp::FloatToSigned(width), Value::float(format, a));
        assert_eq!(result, expected(number.status != Status::INVALID_OP, number.value as u128));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn integers_agree_with_the_machine(a in number(), b in number()) {
        native_8(a, b);
        native_16(a, b);
        native_32(a, b);
        native_64(a, b);
        native_128(a, b);
    }

    #[test]
    fn integers_of_any_width_agree_with_exact_arithmetic(width in 1u16..64, a in number(), b in number()) {
        odd_width(width, a, b);
        odd_width(width, 1 << (width - 1), mask(width));
    }

    #[test]
    fn floats_agree_with_apfloat((format, a, b, c) in format_and_bits()) {
        with_type!(format, F => arithmetic::<F>(format, a, b, c));
    }

    #[test]
    fn float_conversions_agree_with_apfloat((from, a, _, _) in format_and_bits(), to in prop::sample::select(&FORMATS[..])) {
        with_type!(from, F => with_type!(to, T => convert::<F, T>(from, to, a)));
    }

    #[test]
    fn floats_from_integers_agree_with_apfloat(format in prop::sample::select(&FORMATS[..]), width in 1u16..=128, a in number()) {
        let value = Value::bits(width, a);
        let (unsigned, number) = (value.raw(), signed(width, value.raw()));
        with_type!(format, F => {
            let run = |op| eval::unary(op, value).map(Value::raw);
            prop_assert_eq!(run(UnaryOp::UnsignedToFloat(format)), Ok(F::from_u128(unsigned).value.to_bits()));
            prop_assert_eq!(run(UnaryOp::SignedToFloat(format)), Ok(F::from_i128(number).value.to_bits()));
        });
    }

    #[test]
    fn integers_from_floats_agree_with_apfloat((format, a, _, _) in format_and_bits(), width in 1u16..=128) {
        with_type!(format, F => to_integer::<F>(format, a, width));
    }
}

#[test]
fn all_small_square_roots_are_correctly_rounded() {
    for bits in 0..1 << 16 {
        // A double has more than twice the precision of these formats, so double rounding is harmless.
        for (format, wide) in [
            (FloatFormat::Half, Half::from_bits(bits).convert(&mut false).value),
            (FloatFormat::BFloat, BFloat::from_bits(bits).convert(&mut false).value),
        ] {
            let wide: Double = wide;
            if wide.is_nan() || wide.is_negative() {
                continue;
            }
            let root = f64::from_bits(wide.to_bits() as u64).sqrt().to_bits().into();
            let narrow = eval::unary(UnaryOp::FloatToFloat(format), Value::float(FloatFormat::Double, root));
            assert_eq!(eval::unary(UnaryOp::FloatSqrt, Value::float(format, bits)), narrow);
        }
    }
}

#[test]
fn invalid_operations_give_the_default_nan_of_x86() {
    let zero = Value::float(FloatFormat::Double, 0);
    let nan = Value::float(FloatFormat::Double, 0xfff8_0000_0000_0000);
    assert_eq!(eval::binary(BinaryOp::FloatDiv, zero, zero), Ok(nan));
    let minus_one = Value::float(FloatFormat::Single, u128::from((-1f32).to_bits()));
    let nan = Value::float(FloatFormat::Single, 0xffc0_0000);
    assert_eq!(eval::unary(UnaryOp::FloatSqrt, minus_one), Ok(nan));
    // The payload stays aligned with the quiet bit.
    let signaling = Value::float(FloatFormat::Single, 0x7f80_0001);
    let wide = Value::float(FloatFormat::Double, 0x7ff8_0000_2000_0000);
    assert_eq!(eval::unary(UnaryOp::FloatToFloat(FloatFormat::Double), signaling), Ok(wide));
}
