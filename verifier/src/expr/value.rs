//! Concrete values of the scalar sorts.

use super::{FloatFormat, Sort};
use serde::{Deserialize, Serialize};

/// A concrete scalar value.
///
/// Invariant: `Bits` and `Float` hold no bits above their width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    Bits {
        /// Its width.
        width: u16,
        /// Its bits, as an unsigned number.
        bits: u128,
    },
    /// A floating-point number. Equality is equality of the representation, not of the number.
    Float {
        /// Its format.
        format: FloatFormat,
        /// Its representation in memory.
        bits: u128,
    },
}

/// A mask of the low `width` bits.
pub const fn mask(width: u16) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// Reads the low `width` bits of `bits` as a signed number.
pub const fn signed(width: u16, bits: u128) -> i128 {
    let shift = 128 - width as u32;
    ((bits << shift) as i128) >> shift
}

impl Value {
    /// A bit-vector from the low bits of `bits`.
    pub const fn bits(width: u16, bits: u128) -> Value {
        Value::Bits { width, bits: bits & mask(width) }
    }

    /// A float from its representation.
    pub const fn float(format: FloatFormat, bits: u128) -> Value {
        Value::Float { format, bits: bits & mask(format.bits()) }
    }

    /// The value of `sort` with the representation `bits`; `None` for memories.
    pub const fn from_raw(sort: Sort, bits: u128) -> Option<Value> {
        match sort {
            Sort::Bool => Some(Value::Bool(bits & 1 == 1)),
            Sort::Bits(width) => Some(Value::bits(width, bits)),
            Sort::Float(format) => Some(Value::float(format, bits)),
            Sort::Memory(_) => None,
        }
    }

    /// The representation as an unsigned number.
    pub const fn raw(self) -> u128 {
        match self {
            Value::Bool(b) => b as u128,
            Value::Bits { bits, .. } | Value::Float { bits, .. } => bits,
        }
    }

    /// The sort of this value.
    pub const fn sort(self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bits { width, .. } => Sort::Bits(width),
            Value::Float { format, .. } => Sort::Float(format),
        }
    }

    /// Whether this is the truth value `true`.
    pub const fn is_true(self) -> bool {
        matches!(self, Value::Bool(true))
    }
}
