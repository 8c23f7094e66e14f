//! Interpolators by name.

use std::rc::Rc;

use super::sp::StrongestPostconditions;
use super::spacer::Spacer;
use super::wp::WeakestPreconditions;
use super::{Interpolator, Interpolators};
use crate::facts::DomainTypes;

/// The available interpolators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Interpolation {
    /// Weakest preconditions.
    WeakestPreconditions,
    /// Strongest postconditions.
    StrongestPostconditions,
    /// Spacer over integers.
    Spacer,
}

impl Interpolation {
    /// All interpolators, most promising first.
    pub const ALL: [Interpolation; 3] =
        [Interpolation::StrongestPostconditions, Interpolation::WeakestPreconditions, Interpolation::Spacer];
}

impl Interpolators {
    /// Interpolators in the given order; by default all of them, ordered by the subject of each trace.
    pub fn of(names: Option<&[Interpolation]>, types: Rc<DomainTypes>) -> Interpolators {
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
