//! Sorts: the types of expressions and variables.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The type of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// A truth value; LLVM's `i1`.
    Bool,
    /// A bit-vector of 1 to 128 bits; integers and pointers.
    Bits(u16),
    /// A floating-point number.
    Float(FloatFormat),
    /// The contents of a memory region.
    Memory(MemorySort),
}

/// The largest width of a bit-vector.
pub const MAX_BITS: u16 = 128;

/// A floating-point format of LLVM.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum FloatFormat {
    /// IEEE binary16.
    Half,
    /// The upper half of IEEE binary32.
    BFloat,
    /// IEEE binary32, `float`.
    Single,
    /// IEEE binary64, `double`.
    Double,
    /// The 80-bit format of the x87, `long double` on x86.
    X87,
    /// IEEE binary128.
    Quad,
}

impl FloatFormat {
    /// The number of bits of the representation in memory (80 for the x87 format, padding excluded).
    pub const fn bits(self) -> u16 {
        match self {
            FloatFormat::Half | FloatFormat::BFloat => 16,
            FloatFormat::Single => 32,
            FloatFormat::Double => 64,
            FloatFormat::X87 => 80,
            FloatFormat::Quad => 128,
        }
    }

    /// The number of significant bits, including the leading one.
    pub const fn precision(self) -> u32 {
        match self {
            FloatFormat::Half => 11,
            FloatFormat::BFloat => 8,
            FloatFormat::Single => 24,
            FloatFormat::Double => 53,
            FloatFormat::X87 => 64,
            FloatFormat::Quad => 113,
        }
    }
}

/// The layout of a memory region: a map from byte addresses to cells of one type.
///
/// Cell addresses in a region differ by multiples of the cell size, so two cells never overlap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MemorySort {
    /// The width of an address in bits.
    pub address: u16,
    /// The type of the cells.
    pub cell: Cell,
}

/// The type of the cells of a memory region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Cell {
    /// A bit-vector of a whole number of bytes; little endian where bytes are addressed.
    Bits(u16),
    /// A floating-point number.
    Float(FloatFormat),
}

impl Cell {
    /// The size of a cell in bytes.
    pub const fn bytes(self) -> u64 {
        match self {
            Cell::Bits(width) => width.div_ceil(8) as u64,
            Cell::Float(format) => format.bits().div_ceil(8) as u64,
        }
    }

    /// The sort of the value that a cell holds.
    pub const fn sort(self) -> Sort {
        match self {
            Cell::Bits(width) => Sort::Bits(width),
            Cell::Float(format) => Sort::Float(format),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "bool"),
            Sort::Bits(width) => write!(f, "bits{width}"),
            Sort::Float(format) => write!(f, "{format}"),
            Sort::Memory(memory) => write!(f, "memory of {}", memory.cell.sort()),
        }
    }
}

impl fmt::Display for FloatFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FloatFormat::Half => "half",
            FloatFormat::BFloat => "bfloat",
            FloatFormat::Single => "float",
            FloatFormat::Double => "double",
            FloatFormat::X87 => "long double",
            FloatFormat::Quad => "quad",
        })
    }
}
