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
    /// These, in this order; if nothing is said, all, those first that suit what a path is about.
    pub fn of(names: Option<&[Interpolation]>, types: DomainTypes) -> Interpolators {
        let one = |&name: &Interpolation| -> Box<dyn Interpolator> {
            match name {
                Interpolation::WeakestPreconditions => Box::new(WeakestPreconditions),
                Interpolation::StrongestPostconditions => Box::new(StrongestPostconditions),
                Interpolation::Spacer => Box::new(Spacer),
            }
        };
        match names {
            Some(names) => Interpolators::new(names.iter().map(one).collect(), types),
            None => Interpolators::new(Interpolation::ALL.iter().map(one).collect(), types).by_use(),
        }
    }
}
