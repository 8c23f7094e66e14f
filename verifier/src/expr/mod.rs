//! Expressions: sorts, hash-consed terms, evaluation and simplification. Independent of programs.

mod build;
pub mod eval;
pub(crate) mod float;
pub mod math;
pub(crate) mod narrow;
mod simplify;
mod sort;
pub mod span;
mod term;
pub mod value;

pub use math::{MathFunction, MathFunction2};
pub use sort::{Cell, FloatFormat, MAX_BITS, MemorySort, Sort};
pub use term::{BinaryOp, Expr, Node, Pool, Rounding, TernaryOp, UnaryOp, Var};
pub use value::Value;
