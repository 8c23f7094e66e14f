//! What a user can choose.

pub use crate::abstraction::Method as Abstraction;
pub use crate::algorithm::Laziness as Refinement;
pub use crate::arg::Order;
pub use crate::cpa::predicate::blocks::Blocks;
pub use crate::cpa::sharing::Sharing as PrecisionScope;
pub use crate::refine::predicate::{Interpolation, Slices};
pub use crate::refine::select::Heuristic;

/// Which analysis runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Config {
    /// One after the other, as long as each seems worth it.
    Auto,
    /// Explicit values of the variables that refinement asks for (CPA-EXPLitp of paper 000).
    #[default]
    Value,
    /// Explicit values of all variables, without refinement (CPA-EXPL).
    ValueFull,
    /// Predicate abstraction of blocks, refined by interpolation (CPA-PRED).
    Predicate,
    /// Values and predicates in lock step, each as far as refinement asks for it.
    ValuePredicate,
    /// The same, with the values of all variables.
    ValueFullPredicate,
    /// All paths up to a bound for loops, which grows.
    Bmc,
    /// The same, with induction.
    KInduction,
}

/// Which of several domains is refined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RefinedFirst {
    /// Values, wherever they can exclude a path.
    Values,
    /// That for which the heuristics prefer what has to be tracked.
    #[default]
    Selected,
}

/// How many values a variable may take along a path where nothing is said.
pub const VALUE_THRESHOLD: u32 = 20;

/// All choices for one run.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Which analysis runs.
    pub config: Config,
    /// Which kinds of properties count; all if it is empty.
    pub properties: Vec<String>,
    /// In which order states are explored; the analysis chooses if it is left open.
    pub order: Option<Order>,
    /// How far precisions are shared; the domain chooses if it is left open.
    pub scope: Option<PrecisionScope>,
    /// Variables that are tracked from the start, by their names.
    pub track: Vec<String>,
    /// Where exploration goes on after a refinement.
    pub refinement: Refinement,
    /// How often a function may be under way at the same time.
    pub recursion: u32,
    /// Where predicate analysis abstracts.
    pub blocks: Blocks,
    /// How it abstracts.
    pub abstraction: Abstraction,
    /// Who interpolates, in this order; if nothing is said, all, in an order that suits what a path is about.
    pub interpolators: Option<Vec<Interpolation>>,
    /// What is preferred where a path can be excluded in several ways; the analysis chooses if it is left open.
    pub select: Option<Vec<Heuristic>>,
    /// What the prefixes consist of that predicates are selected from.
    pub slices: Slices,
    /// Which domain is refined where both can exclude a path.
    pub refined_first: RefinedFirst,
    /// How many values a variable may take along a path before it is left to predicates, where there are both.
    pub value_threshold: u32,
    /// The largest bound for loops in bounded analyses, if there is one.
    pub bound: Option<u32>,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            config: Config::default(),
            properties: Vec::new(),
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
        }
    }
}
