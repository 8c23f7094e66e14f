//! Control-flow automata and the analyses that run on them. Knows nothing of LLVM and does no I/O.

pub mod abstraction;
pub mod algorithm;
pub mod arg;
pub mod cfa;
pub mod cpa;
pub mod evidence;
pub mod expr;
pub mod facts;
pub mod formula;
pub mod inspect;
pub mod interpreter;
pub mod monitor;
pub mod numeric;
pub mod print;
pub mod refine;
pub mod report;
pub mod reuse;
pub mod simplify;
pub mod smt;
pub mod strategy;
pub mod tuning;
