//! What a user can choose.

pub use crate::algorithm::Laziness as Refinement;
pub use crate::arg::Order;
pub use crate::cpa::value::precision::Sharing as PrecisionScope;

/// Which analysis runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Config {
    /// Explicit values of the variables that refinement asks for (CPA-EXPLitp of paper 000).
    #[default]
    Value,
    /// Explicit values of all variables, without refinement (CPA-EXPL).
    ValueFull,
    /// All paths up to a bound for loops, which grows.
    Bmc,
    /// The same, with induction.
    KInduction,
}

/// All choices for one run.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Which analysis runs.
    pub config: Config,
    /// Which kinds of properties count; all if it is empty.
    pub properties: Vec<String>,
    /// In which order states are explored.
    pub order: Order,
    /// How far precisions are shared.
    pub scope: PrecisionScope,
    /// Variables that are tracked from the start, by their names.
    pub track: Vec<String>,
    /// Where exploration goes on after a refinement.
    pub refinement: Refinement,
    /// How often a function may be under way at the same time.
    pub recursion: u32,
    /// The largest bound for loops in bounded analyses, if there is one.
    pub bound: Option<u32>,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            config: Config::default(),
            properties: Vec::new(),
            order: Order::default(),
            scope: PrecisionScope::default(),
            track: Vec::new(),
            refinement: Refinement::default(),
            recursion: 100,
            bound: None,
        }
    }
}
