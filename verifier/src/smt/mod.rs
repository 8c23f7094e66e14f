//! Satisfiability: one typed layer over Z3.
//!
//! Knows expressions, their sorts and values, but neither edges nor domains. The encoding is bit-precise and agrees with
//! `cfa::eval` wherever an operator has a value. Where it has none (a division by zero, a shift too far, a float out of
//! range), the encoding takes some value: whoever builds formulas guards these places (see `formula`). The one exception are
//! remainders of floats with large exponents, which may be any that could be (see `floats`): models are checked by
//! evaluation, so that such a one never gets out.

mod bits;
mod encode;
mod floats;
pub mod horn;
pub mod integers;
mod model;
mod solver;

pub use encode::Encoder;
pub use model::Model;
pub use solver::{Answer, Options, Solver};
