//! From C, C++ and LLVM bitcode to control-flow automata. LLVM lives here and nowhere else.

pub mod compile;
mod handlers;
mod ir;
mod lift;
mod names;
mod pointsto;

pub use lift::{Externals, LiftError, LiftOptions, lift};
