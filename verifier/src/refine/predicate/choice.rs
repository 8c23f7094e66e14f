//! Interpolators by their names.

use super::sp::StrongestPostconditions;
use super::spacer::Spacer;
use super::wp::WeakestPreconditions;
use super::{Interpolator, Interpolators};
use crate::cfa::DomainTypes;

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
        [Interpolation::StrongestPostconditions, Interpolation::WeakestPreconditions, Interpolation::Spacer];
}

impl Interpolators {
    /// All. For each trace, those that suit what it is about are asked first.
    pub fn by_use(types: DomainTypes) -> Interpolators {
        Interpolators { types: Some(types), ..Interpolators::of(&Interpolation::ALL) }
    }

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
