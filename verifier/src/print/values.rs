//! Values as text, for reports and for the command line.

use super::addresses::Addresses;
use super::constant::number_text;
use super::typed::Typed;
use crate::cfa::program::Program;
use crate::cfa::types::{Part, Shape, TypeId};
use crate::expr::value::signed;
use crate::expr::{FloatFormat, UnaryOp, Value, Var, eval};

/// The value of a variable, by its type in the source.
pub(crate) fn value_text(program: &Program, var: Var, value: Value) -> String {
    of_variable(&Typed { addresses: &Addresses::new(program), read: &|_| None }, var, value)
}

/// The same where memory is known.
pub(crate) fn of_variable(typed: &Typed<'_>, var: Var, value: Value) -> String {
    match part_of(typed.addresses.program, var, value) {
        Some((part, bytes)) => typed.part(&part, &bytes).unwrap_or_else(|| by_name(typed.addresses, var, value)),
        None => by_name(typed.addresses, var, value),
    }
}

/// The part of an object that a variable holds, with its bytes; `None` if it holds several, or not all of it.
pub(crate) fn part_of(program: &Program, var: Var, value: Value) -> Option<(Part, Vec<Option<u8>>)> {
    let slot = program.types.variables.get(&var)?;
    let known = bytes(value);
    let mut parts = program.types.parts(slot.object, slot.offset, known.len() as u64);
    // A member of a union that holds floats was written as one.
    if parts.len() > 1 {
        let is_float = matches!(value, Value::Float { .. });
        parts.retain(|part| matches!(program.types.get(part.ty).shape, Shape::Float(_)) == is_float);
    }
    let [part] = <[Part; 1]>::try_from(parts).ok()?;
    let length = known.len().max(part.bytes as usize);
    // The padding of a float does not matter.
    let is_padded = matches!(program.types.get(part.ty).shape, Shape::Float(format) if format.bits().div_ceil(8) as usize == known.len());
    let is_whole = part.offset == slot.offset && (part.bytes == known.len() as u64 || is_padded);
    is_whole.then(|| (part, known.into_iter().map(Some).chain(std::iter::repeat(None)).take(length).collect()))
}

/// The bytes of a value, from the lowest on.
pub(crate) fn bytes(value: Value) -> Vec<u8> {
    let bits = match value {
        Value::Bool(_) => 8,
        Value::Bits { width, .. } => width,
        Value::Float { format, .. } => format.bits(),
    };
    value.raw().to_le_bytes()[..usize::from(bits.div_ceil(8))].to_vec()
}

/// The value of a variable, by the name of its type.
fn by_name(addresses: &Addresses<'_>, var: Var, value: Value) -> String {
    let program = addresses.program;
    let type_name = program.var(var).type_name.as_deref().unwrap_or("").trim();
    match value {
        Value::Bits { width, bits } if type_name.ends_with('*') && width == program.pointer_bits => {
            addresses.pointer(bits as u64, TypeId::UNKNOWN)
        }
        // Some floats are stored as bit-vectors, because the program accesses their bits.
        Value::Bits { width: 32, bits } if type_name == "float" => number_text(FloatFormat::Single, bits),
        Value::Bits { width: 64, bits } if type_name == "double" => number_text(FloatFormat::Double, bits),
        Value::Bits { bits, .. } if is_unsigned(type_name) => bits.to_string(),
        Value::Float { format, bits } => number_text(format, bits),
        _ => plain(value),
    }
}

fn is_unsigned(type_name: &str) -> bool {
    let words = ["unsigned", "size_t", "_Bool", "bool"];
    type_name.split_whitespace().any(|word| words.contains(&word) || word.starts_with("uint"))
}

/// A number: signed, if it is an integer.
pub(crate) fn plain(value: Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Bits { width, bits } => signed(width, bits).to_string(),
        Value::Float { format: FloatFormat::Single, bits } => f32::from_bits(bits as u32).to_string(),
        Value::Float { format: FloatFormat::Double, bits } => f64::from_bits(bits as u64).to_string(),
        Value::Float { .. } => match as_double(value) {
            Some((double, true)) => double.to_string(),
            _ => format!("0x{:x}", value.raw()),
        },
    }
}

/// The number that `clew run --inputs` reads as this value.
pub(crate) fn as_input(value: Value) -> String {
    match value {
        Value::Bool(value) => u8::from(value).to_string(),
        Value::Float { .. } => as_double(value).map_or_else(String::new, |(double, _)| double.to_string()),
        _ => plain(value),
    }
}

/// The nearest double, and whether it is the same number.
fn as_double(value: Value) -> Option<(f64, bool)> {
    let Value::Float { format, .. } = value else { return None };
    let double = eval::unary(UnaryOp::FloatToFloat(FloatFormat::Double), value).ok()?;
    let back = eval::unary(UnaryOp::FloatToFloat(format), double).ok()?;
    Some((f64::from_bits(double.raw() as u64), back == value))
}
