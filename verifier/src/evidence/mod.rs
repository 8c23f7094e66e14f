//! Evidence: why a verdict can be believed.

use crate::cfa::path::Step;

/// A violation of a property that was replayed.
#[derive(Debug)]
pub struct Counterexample {
    /// The path to the violation.
    pub path: Vec<Step>,
}
