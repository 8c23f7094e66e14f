//! Satisfiability: a typed layer over Z3, which is in this process, and over other solvers for hard queries.
//!
//! Depends on expressions, but not on edges or domains. The encoding is bit-precise and agrees with `expr::eval`
//! wherever an operator is defined. Undefined operators (division by zero, oversized shifts, floats out of range) have
//! some value, so formulas must guard them (see `formula`). The one exception is the remainder of floats with large
//! exponents, which is over-approximated (see `floats`). Models are checked by evaluation, so a spurious one is never
//! reported.

mod backend;
mod bits;
mod encode;
mod floats;
pub mod horn;
pub mod integers;
mod model;
mod race;
mod solver;
mod text;
mod values;

pub use encode::Encoder;
pub use model::Model;
pub use solver::{Answer, Options, Solver};

/// The version of Z3.
pub fn z3_version() -> &'static str {
    z3::full_version()
}
