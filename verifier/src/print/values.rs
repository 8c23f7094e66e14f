//! Values as text, for reports and for the command line.

use crate::cfa::program::{Program, VarInfo};
use crate::expr::value::signed;
use crate::expr::{FloatFormat, UnaryOp, Value, eval};

/// The address map of a running program: its named objects, and its allocations so far.
pub(crate) struct Addresses<'p> {
    program: &'p Program,
    /// The ends of the heap, one for each allocation.
    heap: Vec<u64>,
}

impl<'p> Addresses<'p> {
    /// The address map before the first allocation.
    pub(crate) fn new(program: &'p Program) -> Addresses<'p> {
        Addresses { program, heap: vec![program.address_space.heap_base] }
    }

    /// Records that the heap now ends at `top`.
    pub(crate) fn grow(&mut self, top: u64) {
        if self.heap.last().is_some_and(|&last| last < top) {
            self.heap.push(top);
        }
    }

    /// The object that contains an address, with an offset: `name`, `name+8`, or `heap#2` for the second allocation.
    pub(crate) fn object(&self, address: u64) -> Option<String> {
        let objects = &self.program.address_space.objects;
        let after = objects.partition_point(|&(base, _, _)| base <= address);
        if let Some((base, size, name)) = after.checked_sub(1).map(|at| &objects[at])
            && address - base < (*size).max(1)
        {
            return Some(with_offset(name, address - base));
        }
        let after = self.heap.partition_point(|&end| end <= address);
        let base = self.heap.get(after.checked_sub(1)?)?;
        (after < self.heap.len()).then(|| with_offset(&format!("heap#{after}"), address - base))
    }

    /// An address as text: the object, the function, or the number.
    pub(crate) fn pointer(&self, address: u64) -> String {
        if address == 0 {
            return "null".into();
        }
        if let Some(object) = self.object(address) {
            return format!("&{object}");
        }
        let functions = &self.program.address_space.functions;
        match functions.binary_search_by_key(&address, |&(start, _)| start) {
            Ok(at) => functions[at].1.to_string(),
            Err(_) => format!("{address:#x}"),
        }
    }
}

fn with_offset(name: &str, offset: u64) -> String {
    if offset == 0 { name.into() } else { format!("{name}+{offset}") }
}

/// The value of a variable, by its type in the source.
pub(crate) fn value_text(program: &Program, var: &VarInfo, value: Value) -> String {
    of_variable(&Addresses::new(program), var, value)
}

/// The value of a variable, by its type in the source, where addresses are known.
pub(crate) fn of_variable(addresses: &Addresses<'_>, var: &VarInfo, value: Value) -> String {
    let type_name = var.type_name.as_deref().unwrap_or("").trim();
    match value {
        Value::Bits { width, bits } if type_name.ends_with('*') && width == addresses.program.pointer_bits => {
            addresses.pointer(bits as u64)
        }
        // Some floats are stored as bit-vectors, because the program accesses their bits.
        Value::Bits { width: 32, bits } if type_name == "float" => plain(Value::float(FloatFormat::Single, bits)),
        Value::Bits { width: 64, bits } if type_name == "double" => plain(Value::float(FloatFormat::Double, bits)),
        Value::Bits { bits, .. } if is_unsigned(type_name) => bits.to_string(),
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
