//! Control-flow automata and the analyses that run on them. Knows nothing of LLVM and does no I/O.

pub mod abstraction;
pub mod algorithm;
pub mod arg;
pub mod cfa;
pub mod cpa;
pub mod evidence;
pub mod formula;
pub mod monitor;
pub mod refine;
pub mod smt;
pub mod strategy;
