//! From C, C++ and LLVM bitcode to control-flow automata. This crate is the only one that depends on LLVM.

pub mod compile;
pub mod entry;
mod externals;
mod handlers;
mod ir;
mod lift;
mod names;
pub mod native;
mod pointsto;

pub use lift::{Externals, LiftError, LiftOptions, lift};
pub use pointsto::Gaps;
