//! What an interpolator is asked about: an infeasible path, cut into segments.

use crate::cfa::expr::{Expr, Pool};
use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, LocId, Var};
use crate::formula::{Execution, State, Symbol, Symbols};

/// A path, or a sequence of blocks that stand for many, from the start of the program, cut into segments.
///
/// Each segment was executed from where it starts, where variables stand for themselves; so what it says is said in
/// terms of the variables as they are at the cut before it.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The segments as they end; the first one begins at the start of the program.
    pub(super) segments: Vec<State>,
    /// The whole way from the start of the program to each cut; `None` if constants alone exclude it.
    pub(super) prefixes: Vec<Option<State>>,
}

impl Trace {
    /// The segments of a path from the start of the program; cuts are positions inside of it, in order. An error says what
    /// cannot be expressed.
    pub fn of_path(execution: &mut Execution<'_>, path: &[Step], cuts: &[usize]) -> Result<Trace, String> {
        let ends: Vec<usize> = cuts.iter().copied().chain([path.len()]).collect();
        let starts = [0].into_iter().chain(cuts.iter().copied());
        let parts: Vec<&[Step]> = starts.zip(&ends).map(|(from, &to)| &path[from..to]).collect();
        Trace::of_parts(execution, &parts, |execution, steps| {
            steps.iter().try_for_each(|&step| execution.step(step).map(|_| ()))?;
            Ok(true)
        })
    }

    /// The segments of a sequence of blocks: each state was executed from where the one before it ends, the first one from
    /// the start of the program. An error says what cannot be expressed.
    pub fn of_blocks(execution: &mut Execution<'_>, blocks: &[State]) -> Result<Trace, String> {
        // Each is executed once more: the same block may occur twice, but not with the same inputs.
        Trace::of_parts(execution, blocks, |execution, block| execution.repeat(block))
    }

    fn of_parts<P>(
        execution: &mut Execution<'_>,
        parts: &[P],
        take: impl Fn(&mut Execution<'_>, &P) -> Result<bool, String>,
    ) -> Result<Trace, String> {
        let before = execution.state.clone();
        let trace = Trace::execute(execution, parts, take);
        execution.state = before;
        trace
    }

    fn execute<P>(
        execution: &mut Execution<'_>,
        parts: &[P],
        take: impl Fn(&mut Execution<'_>, &P) -> Result<bool, String>,
    ) -> Result<Trace, String> {
        let mut trace = Trace { segments: Vec::new(), prefixes: Vec::new() };
        let mut prefix = Some(start(execution));
        for (i, part) in parts.iter().enumerate() {
            execution.state = match trace.segments.last() {
                None => start(execution),
                Some(segment) => fresh(execution, segment),
            };
            if !take(execution, part)? {
                return Err("a block cannot be repeated".into());
            }
            trace.segments.push(execution.state.clone());
            if i + 1 == parts.len() {
                break;
            }
            prefix = match prefix {
                Some(state) => {
                    execution.state = state;
                    take(execution, part)?.then(|| execution.state.clone())
                }
                None => None,
            };
            trace.prefixes.push(prefix.clone());
        }
        Ok(trace)
    }

    /// How many cuts there are.
    pub fn cuts(&self) -> usize {
        self.prefixes.len()
    }

    /// Where a cut is, and in which calls.
    pub(super) fn place(&self, cut: usize) -> (LocId, Vec<EdgeId>) {
        let state = &self.segments[cut];
        (state.location, state.calls().collect())
    }
}

/// The state at the start of the program.
fn start(execution: &Execution<'_>) -> State {
    Execution::with_symbols(execution.program(), Pool::default(), Symbols::new(0)).state
}

/// Where `state` is, with variables that stand for themselves.
fn fresh(execution: &mut Execution<'_>, state: &State) -> State {
    let calls: Vec<EdgeId> = state.calls().collect();
    execution.state_at(state.location, calls)
}

/// Expresses conditions about variables at the end of `state` by what they are before it. What memories are defined by
/// becomes a condition of `state`.
pub(super) fn express_all(
    execution: &mut Execution<'_>,
    state: &mut State,
    conditions: &[Expr],
) -> Result<Vec<Expr>, String> {
    let before = std::mem::replace(&mut execution.state, state.clone());
    let values = execution.express_all(conditions);
    *state = std::mem::replace(&mut execution.state, before);
    values.ok_or_else(|| "a condition is about a call that is over".into())
}

/// Is this a variable of the program, of whatever activation?
pub(super) fn is_program_variable(symbols: &Symbols, var: Var) -> bool {
    program_variable(symbols, var).is_some()
}

/// The variable of the program that this is, of whatever activation.
pub(super) fn program_variable(symbols: &Symbols, var: Var) -> Option<Var> {
    match symbols.symbol(var) {
        None => Some(var),
        Some((Symbol::Outer { var, .. }, _)) => Some(var),
        Some(_) => None,
    }
}
