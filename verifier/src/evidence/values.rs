//! Values for people, and for the command line.

use crate::cfa::eval;
use crate::cfa::expr::UnaryOp;
use crate::cfa::program::{Program, VarInfo};
use crate::cfa::sort::FloatFormat;
use crate::cfa::value::{Value, signed};

/// The value of a variable, by its type in the source.
pub(crate) fn of_variable(program: &Program, var: &VarInfo, value: Value) -> String {
    let type_name = var.type_name.as_deref().unwrap_or("").trim();
    match value {
        Value::Bits { width, bits } if type_name.ends_with('*') && width == program.pointer_bits => {
            pointer(program, bits as u64)
        }
        Value::Bits { bits, .. } if is_unsigned(type_name) => bits.to_string(),
        _ => plain(value),
    }
}

fn is_unsigned(type_name: &str) -> bool {
    let words = ["unsigned", "size_t", "_Bool", "bool"];
    type_name.split_whitespace().any(|word| words.contains(&word) || word.starts_with("uint"))
}

/// A number: signed, if it is an integer.
pub(super) fn plain(value: Value) -> String {
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
pub(super) fn as_input(value: Value) -> String {
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

/// The object at an address, with an offset, or the function; else the number.
pub(super) fn pointer(program: &Program, address: u64) -> String {
    if address == 0 {
        return "null".into();
    }
    if let Some(object) = object(program, address) {
        return format!("&{object}");
    }
    let functions = &program.address_space.functions;
    match functions.binary_search_by_key(&address, |&(start, _)| start) {
        Ok(at) => functions[at].1.to_string(),
        Err(_) => format!("{address:#x}"),
    }
}

/// The named object that an address lies in, with an offset.
pub(super) fn object(program: &Program, address: u64) -> Option<String> {
    let objects = &program.address_space.objects;
    let after = objects.partition_point(|&(base, _, _)| base <= address);
    let (base, size, name) = &objects[after.checked_sub(1)?];
    match address - base {
        0 => Some(name.to_string()),
        offset if offset < *size => Some(format!("{name}+{offset}")),
        _ => None,
    }
}
