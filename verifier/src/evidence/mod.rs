//! Evidence for verdicts.
//!
//! A counterexample is a path that Z3 finds feasible and that the interpreter replays with the inputs of the model.
//! Nothing here depends on how the path was found.

mod check;
mod counterexample;
mod replay;
mod verdict;

pub use check::{Checker, PathCheck, check_path};
pub use counterexample::{Change, Counterexample, Input, StepRecord, Violation};
pub use replay::replay;
pub use verdict::{Reason, Verdict};
