//! Interpolators by their names.

use super::sp::StrongestPostconditions;
use super::spacer::Spacer;
use super::wp::WeakestPreconditions;
use super::{Interpolator, Interpolators};

/// Who can be asked for interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Interpolation {
    /// Weakest preconditions.
    WeakestPreconditions,
    /// Strongest postconditions.
    StrongestPostconditions,
    /// Spacer, over whole numbers.
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
        let one = |&name: &Interpolation| -> Box<dyn Interpolator> {
            match name {
                Interpolation::WeakestPreconditions => Box::new(WeakestPreconditions),
                Interpolation::StrongestPostconditions => Box::new(StrongestPostconditions),
                Interpolation::Spacer => Box::new(Spacer),
            }
        };
        Interpolators::new(names.iter().map(one).collect())
    }
}
