//! The options of a run.

use std::sync::Arc;

pub use crate::abstraction::Method as Abstraction;
pub use crate::algorithm::Laziness as Refinement;
pub use crate::arg::Order;
use crate::cfa::PropertySet;
pub use crate::cpa::predicate::blocks::Blocks;
pub use crate::cpa::sharing::Sharing as PrecisionScope;
pub use crate::refine::predicate::{Interpolation, Slices};
pub use crate::refine::select::Heuristic;

pub use super::table::Config;
use crate::cfa::LocId;
use crate::refine::Preferences;
pub use crate::refine::RefinedFirst;
use crate::reuse::Hint;

/// How many values a variable may take along a path where nothing is said.
pub const VALUE_THRESHOLD: u32 = 20;

/// The domain of loop invariants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InvariantDomain {
    /// No invariants.
    None,
    /// Bounds of variables.
    Interval,
    /// Bounds of variables, and of sums and differences of two variables.
    #[default]
    Octagon,
}

/// The options of a run.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The configuration.
    pub config: Config,
    /// The kinds of properties to check.
    pub properties: PropertySet,
    /// Error locations to ignore, since they are known to be violated.
    pub except: Vec<LocId>,
    /// The exploration order; `None` for the default of the analysis.
    pub order: Option<Order>,
    /// The sharing of precisions; `None` for the default of the domain.
    pub scope: Option<PrecisionScope>,
    /// Variables that are tracked from the start, by their names.
    pub track: Vec<String>,
    /// Where exploration continues after a refinement.
    pub refinement: Refinement,
    /// The maximum number of activations of a function on the stack.
    pub recursion: u32,
    /// Where predicate analysis abstracts.
    pub blocks: Blocks,
    /// How it abstracts.
    pub abstraction: Abstraction,
    /// The interpolation procedures, in this order; `None` for all, in an order that depends on the path.
    pub interpolators: Option<Vec<Interpolation>>,
    /// The heuristics of refinement selection; `None` for the default of the analysis.
    pub select: Option<Vec<Heuristic>>,
    /// The units of sliced prefixes for predicates.
    pub slices: Slices,
    /// Which domain is refined if both can exclude a path.
    pub refined_first: RefinedFirst,
    /// The maximum number of values of a variable along a path before the value domain drops it, with both domains.
    pub value_threshold: u32,
    /// The largest bound on loop iterations in bounded analyses, if any.
    pub bound: Option<u32>,
    /// The domain of the loop invariants that strengthen induction.
    pub invariants: InvariantDomain,
    /// What an earlier proof rests on.
    pub hint: Option<Arc<Hint>>,
    /// Whether the monitor is told what a proof rests on.
    pub keeps_proof: bool,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            config: Config::default(),
            properties: PropertySet::ALL,
            except: Vec::new(),
            order: None,
            scope: None,
            track: Vec::new(),
            refinement: Refinement::default(),
            recursion: 100,
            blocks: Blocks::default(),
            abstraction: Abstraction::default(),
            interpolators: None,
            select: None,
            slices: Slices::default(),
            refined_first: RefinedFirst::default(),
            value_threshold: VALUE_THRESHOLD,
            bound: None,
            invariants: InvariantDomain::default(),
            hint: None,
            keeps_proof: false,
        }
    }
}

impl CheckOptions {
    /// The options of refinement.
    pub(super) fn preferences(&self) -> Preferences {
        Preferences {
            select: self.select.clone(),
            refined_first: self.refined_first,
            interpolators: self.interpolators.clone(),
            slices: self.slices,
            recursion: self.recursion,
        }
    }

    /// The sharing of tracked variables. A variable that matters at one location mostly matters at many, and finding it
    /// location by location takes hundreds of refinements.
    pub(super) fn value_sharing(&self) -> PrecisionScope {
        self.scope.unwrap_or(PrecisionScope::Global)
    }

    /// The sharing of predicates. It is narrower, because the cost of abstractions grows with each predicate.
    pub(super) fn predicate_sharing(&self) -> PrecisionScope {
        self.scope.unwrap_or(PrecisionScope::Function)
    }
}
