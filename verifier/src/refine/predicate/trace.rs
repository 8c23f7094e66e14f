//! Traces: infeasible paths cut into segments.

use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, LocId};
use crate::expr::{Expr, Var};
use crate::formula::{Execution, State, Symbol, Symbols};

/// A path, or a sequence of blocks, from the start of the program, cut into segments.
///
/// Each segment is executed from a state in which variables stand for themselves, so its conditions are over the
/// variables at the preceding cut.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The final states of the segments; the first one starts at the start of the program.
    pub(super) segments: Vec<State>,
    /// The states at the cuts, executed from the start of the program; `None` if constants alone exclude the prefix.
    pub(super) prefixes: Vec<Option<State>>,
}

impl Trace {
    /// The segments of a path from the start of the program, cut at the given positions in ascending order. An error
    /// says what cannot be expressed.
    pub fn of_path(execution: &mut Execution<'_>, path: &[Step], cuts: &[usize]) -> Result<Trace, String> {
        let ends: Vec<usize> = cuts.iter().copied().chain([path.len()]).collect();
        let starts = [0].into_iter().chain(cuts.iter().copied());
        let parts: Vec<&[Step]> = starts.zip(&ends).map(|(from, &to)| &path[from..to]).collect();
        Trace::of_parts(execution, &parts, |execution, steps| {
            steps.iter().try_for_each(|&step| execution.step(step).map(|_| ()))?;
            Ok(true)
        })
    }

    /// The segments of a sequence of blocks: each state was executed from the end of the previous one, the first from
    /// the start of the program. An error says what cannot be expressed.
    pub fn of_blocks(execution: &mut Execution<'_>, blocks: &[State]) -> Result<Trace, String> {
        // Blocks are executed again: a block may occur twice, with different inputs.
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

    /// The number of cuts.
    pub fn cuts(&self) -> usize {
        self.prefixes.len()
    }

    /// The location of a cut, and the active calls there.
    pub(super) fn place(&self, cut: usize) -> (LocId, Vec<EdgeId>) {
        let state = &self.segments[cut];
        (state.location, state.calls().collect())
    }
}

/// The state at the start of the program.
fn start(execution: &Execution<'_>) -> State {
    State::initial(execution.program())
}

/// A state at the end of `state` in which variables stand for themselves.
fn fresh(execution: &mut Execution<'_>, state: &State) -> State {
    let calls: Vec<EdgeId> = state.calls().collect();
    execution.state_at(state.location, calls)
}

/// Expresses conditions over the variables at the end of `state` in terms of those at its start. Memory definitions
/// become conditions of `state`.
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

/// Whether this is a program variable of any activation.
pub(super) fn is_program_variable(symbols: &Symbols, var: Var) -> bool {
    program_variable(symbols, var).is_some()
}

/// The program variable, of any activation, that this stands for.
pub(super) fn program_variable(symbols: &Symbols, var: Var) -> Option<Var> {
    match symbols.symbol(var) {
        None => Some(var),
        Some((Symbol::Outer { var, .. }, _)) => Some(var),
        Some(_) => None,
    }
}
