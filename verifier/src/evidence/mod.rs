//! Evidence for verdicts.
//!
//! A counterexample is a path that Z3 finds feasible and that the interpreter replays with the inputs of the model.
//! If the compiled program can be run, it must reach the violation as well (`confirm`). Nothing here depends on how the
//! path was found.

mod check;
mod confirm;
mod counterexample;
mod dependence;
mod effects;
mod replay;
mod retrace;
mod run;
mod verdict;

pub use check::{Checker, PathCheck, check_path, check_path_with};
pub use confirm::native_run;
pub use counterexample::{Change, Counterexample, Evidence, Input, Origin, StepRecord, Violation};
pub use dependence::{Assumed, Dependence};
pub use replay::replay;
pub use run::check_run;
pub use verdict::{Reason, Verdict};
