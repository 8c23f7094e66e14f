//! Domains that an engine can run by name.

use super::{Cpa, Index, Show};
use crate::facts::Facts;

/// A domain that is analysed with one precision, without refinement. It is a family: one member for each program.
pub trait Domain: Sync {
    /// The domain for one program.
    type For<'p>: Index + Show;

    /// The domain for the program of `facts`, with the precision to run it with.
    fn instantiate<'p>(&self, facts: &Facts<'p>) -> (Self::For<'p>, <Self::For<'p> as Cpa>::Precision);
}
