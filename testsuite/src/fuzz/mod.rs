//! Programs whose truth is known from native runs, to find wrong verdicts.
//!
//! Fragments (`testsuite/fuzz/*.c`, `*.cpp`) are templates of functions; a program calls a few of them on inputs from a
//! small domain and makes one claim about the result. Native runs on all inputs say whether the claim holds.
//! Programs of csmith are a module of their own.

pub mod campaign;
pub mod claim;
pub mod csmith;
pub mod expand;
pub mod fragment;
pub mod judge;
pub mod native;
pub mod program;
pub mod reduce;
pub mod summary;
