//! The findings of a run.

use crate::evidence::Counterexample;
pub use crate::evidence::{Reason, Verdict};

/// The findings of a run.
#[derive(Debug, Default)]
pub struct Findings {
    /// The violated properties, each with a run that violates it.
    pub violations: Vec<Box<Counterexample>>,
    /// Why the run is incomplete: no property is decided, or others may be violated as well.
    pub undecided: Option<Reason>,
}

impl From<Verdict> for Findings {
    fn from(verdict: Verdict) -> Findings {
        match verdict {
            Verdict::Safe => Findings::default(),
            Verdict::Unsafe(found) => Findings { violations: vec![found], undecided: None },
            Verdict::Unknown(reason) => Findings { violations: Vec::new(), undecided: Some(reason) },
        }
    }
}
