//! Constants: numbers, addresses of objects and functions, floats.

use rustc_apfloat::Float;
use rustc_apfloat::ieee::{BFloat, Half, Quad, X87DoubleExtended};

use super::Printer;
use super::form::{Level, Reading};
use crate::expr::value::signed;
use crate::expr::{Expr, FloatFormat, Value};

/// Numbers from here on are printed in hexadecimal.
const DECIMAL_END: i128 = 1 << 32;
/// Negative numbers up to here are printed in hexadecimal.
const DECIMAL_BEFORE: i128 = -(1 << 31);

impl Printer<'_> {
    /// A constant and the precedence of its notation.
    pub(super) fn constant(&self, value: Value, reading: Reading) -> (Level, String) {
        if let Some((name, offset)) = self.address(value) {
            return match offset {
                0 => (Level::Unary, format!("&{name}")),
                _ => (Level::Additive, format!("&{name} + {offset}")),
            };
        }
        let text = match value {
            Value::Bool(truth) => truth.to_string(),
            Value::Bits { width, bits } => number(width, bits, reading),
            Value::Float { format, bits } => float(format, bits),
        };
        (if text.starts_with('-') { Level::Unary } else { Level::Postfix }, text)
    }

    /// The absolute value of a negative constant.
    pub(super) fn magnitude(&self, constant: Expr) -> String {
        match self.pool.as_const(constant) {
            Some(Value::Bits { width, bits }) => signed(width, bits).unsigned_abs().to_string(),
            _ => self.expr(constant),
        }
    }

    /// The object or function that a constant points into, with the offset.
    pub(crate) fn address(&self, value: Value) -> Option<(&str, u64)> {
        let Value::Bits { width, bits } = value else { return None };
        if width != self.program.pointer_bits || bits == 0 {
            return None;
        }
        let address = u64::try_from(bits).ok()?;
        let space = &self.program.address_space;
        if let Ok(at) = space.functions.binary_search_by_key(&address, |f| f.0) {
            return Some((&space.functions[at].1, 0));
        }
        if !space.fixed.contains(&address) && !space.outside.contains(&address) {
            return None;
        }
        let after = space.objects.partition_point(|o| o.0 <= address);
        let (base, bytes, name) = &space.objects[after.checked_sub(1)?];
        (address - base < *bytes).then_some((name, address - base))
    }
}

/// A bit-vector, in decimal unless it is large.
pub(super) fn number(width: u16, bits: u128, reading: Reading) -> String {
    let value = signed(width, bits);
    match reading {
        Reading::Unsigned if bits < DECIMAL_END as u128 => bits.to_string(),
        Reading::Any | Reading::Signed if DECIMAL_BEFORE < value && value < DECIMAL_END => value.to_string(),
        _ => format!("{bits:#x}"),
    }
}

/// A float as a C literal, with as few digits as identify it.
fn float(format: FloatFormat, bits: u128) -> String {
    let (text, suffix, nan) = digits(format, bits);
    match &*text.to_ascii_lowercase() {
        // The payload distinguishes NaNs.
        _ if nan => format!("nan({bits:#x})"),
        "inf" | "+inf" => "INFINITY".into(),
        "-inf" => "-INFINITY".into(),
        _ => text + suffix,
    }
}

/// A float for people: `0.5`, `-0.0`, `inf`, `nan`.
pub(super) fn number_text(format: FloatFormat, bits: u128) -> String {
    let (text, _, nan) = digits(format, bits);
    match &*text.to_ascii_lowercase() {
        _ if nan => if bits >> (format.bits() - 1) & 1 == 1 { "-nan" } else { "nan" }.into(),
        "inf" | "+inf" => "inf".into(),
        "-inf" => "-inf".into(),
        _ => text,
    }
}

/// As few digits as identify a float, the suffix of its literals, and whether it is not a number.
fn digits(format: FloatFormat, bits: u128) -> (String, &'static str, bool) {
    match format {
        FloatFormat::Single => {
            let value = f32::from_bits(bits as u32);
            (format!("{value:?}"), "f", value.is_nan())
        }
        FloatFormat::Double => {
            let value = f64::from_bits(bits as u64);
            (format!("{value:?}"), "", value.is_nan())
        }
        FloatFormat::Half => soft(Half::from_bits(bits), "f16"),
        FloatFormat::BFloat => soft(BFloat::from_bits(bits), "bf16"),
        FloatFormat::X87 => soft(X87DoubleExtended::from_bits(bits), "L"),
        FloatFormat::Quad => soft(Quad::from_bits(bits), "q"),
    }
}

fn soft<F: Float + std::fmt::Display>(value: F, suffix: &'static str) -> (String, &'static str, bool) {
    let mut text = value.to_string();
    if value.is_finite() && !text.contains(['.', 'e', 'E']) {
        text += ".0";
    }
    (text, suffix, value.is_nan())
}
