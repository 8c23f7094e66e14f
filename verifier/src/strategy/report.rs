//! The findings of a run.

use crate::cfa::Program;
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

impl Findings {
    /// The same, but nothing is decided to hold if that rests on assumptions.
    pub fn strictly(self, program: &Program) -> Findings {
        match self.undecided {
            None if !program.assumptions.is_empty() => {
                Findings { undecided: Some(Reason::Assumptions(program.assumptions.clone())), ..self }
            }
            _ => self,
        }
    }
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
