//! What a user can choose.

/// Which analysis runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Config {
    /// Explicit values of the variables that refinement asks for (CPA-EXPLitp of paper 000).
    #[default]
    Value,
    /// Explicit values of all variables, without refinement (CPA-EXPL).
    ValueFull,
}

/// In which order abstract states are explored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// The newest first.
    DepthFirst,
    /// The oldest first.
    BreadthFirst,
    /// Those that come first in reverse postorder of the automaton, so that states meet before they go on.
    #[default]
    ReversePostorder,
    /// Those in the innermost loops first.
    LoopDepth,
    /// Any, by a seed.
    Random(u64),
}

/// How far what a refinement finds is shared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PrecisionScope {
    /// At the location where it was found.
    #[default]
    Location,
    /// In the whole function.
    Function,
    /// Everywhere.
    Global,
}

/// Where exploration goes on after a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Refinement {
    /// At the first state that changes; all else is kept (lazy abstraction).
    #[default]
    Lazy,
    /// From the start.
    Restart,
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
    /// Where exploration goes on after a refinement.
    pub refinement: Refinement,
    /// How often a function may be under way at the same time.
    pub recursion: u32,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            config: Config::default(),
            properties: Vec::new(),
            order: Order::default(),
            scope: PrecisionScope::default(),
            refinement: Refinement::default(),
            recursion: 100,
        }
    }
}
