//! Evidence: why a verdict can be believed.
//!
//! A counterexample is a path that Z3 finds feasible and that the interpreter then follows to the violation, with the
//! inputs that the model gives. Nothing here knows how the path was found.

mod check;
mod counterexample;
mod json;
mod replay;
mod text;
mod values;

pub use check::{Checker, PathCheck, check_path};
pub use counterexample::{Change, Counterexample, Event, Input, Violation};
pub use replay::replay;
pub use text::Sources;
pub(crate) use values::value_text;
