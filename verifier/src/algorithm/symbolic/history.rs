//! The paths that lead to a state, and the choice of one that a given assignment takes.

use rustc_hash::FxHashMap;

use super::Run;
use super::knowledge::Knowledge;
use crate::cfa::Step;
use crate::expr::eval::{Env, Undefined, evaluate};
use crate::expr::{Expr, MemorySort, Pool, Value, Var};

/// The paths to a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PastId(u32);

/// How a state was reached.
enum Past {
    Start,
    /// By a step.
    Step(PastId, Step),
    /// By a step that gave a variable any value, which this symbol stands for.
    Havoc(PastId, Step, Var),
    /// Two states were merged.
    Merge(Box<[(PastId, Knowledge); 2]>),
}

/// All pasts. They refer to each other by number, since chains are too long for recursive destructors.
pub(super) struct Pasts(Vec<Past>);

impl Pasts {
    pub(super) const START: PastId = PastId(0);

    pub(super) fn new() -> Pasts {
        Pasts(vec![Past::Start])
    }

    fn add(&mut self, past: Past) -> PastId {
        self.0.push(past);
        PastId(self.0.len() as u32 - 1)
    }

    pub(super) fn step(&mut self, before: PastId, step: Step, havoc: Option<Var>) -> PastId {
        self.add(match havoc {
            Some(symbol) => Past::Havoc(before, step, symbol),
            None => Past::Step(before, step),
        })
    }

    pub(super) fn merge(&mut self, states: [(PastId, Knowledge); 2]) -> PastId {
        self.add(Past::Merge(Box::new(states)))
    }
}

/// A path, and the values that its steps, by position, give to the variables that they havoc.
pub(super) struct Taken {
    pub(super) path: Vec<Step>,
    pub(super) inputs: Vec<(usize, Value)>,
}

/// Values of symbols. Others have any value.
pub(super) struct Assignment(pub(super) FxHashMap<Var, Value>);

impl Env for Assignment {
    type Stop = Unassigned;

    fn var(&mut self, var: Var) -> Result<Value, Unassigned> {
        self.0.get(&var).copied().ok_or(Unassigned)
    }

    fn read(&mut self, _: Var, _: MemorySort, _: u128, _: u16) -> Result<Value, Unassigned> {
        Err(Unassigned)
    }
}

/// A value depends on a symbol without a value, or has none.
pub(super) struct Unassigned;

impl From<Undefined> for Unassigned {
    fn from(_: Undefined) -> Unassigned {
        Unassigned
    }
}

impl Assignment {
    /// Whether the assignment agrees with what is known on a path.
    fn satisfies(&mut self, pool: &Pool, knowledge: &Knowledge) -> bool {
        let conditions: Vec<Expr> = knowledge.rest.iter().copied().collect();
        knowledge.distinct_groups().all(|group| group.allows(&self.0))
            && conditions.into_iter().all(|condition| match evaluate(pool, condition, self) {
                Ok(value) => value.is_true(),
                Err(Unassigned) => true,
            })
    }
}

impl Run<'_, '_> {
    /// The path to a state that an assignment takes.
    pub(super) fn path(&self, mut past: PastId, assignment: &mut Assignment) -> Option<Taken> {
        let (mut path, mut inputs) = (Vec::new(), Vec::new());
        loop {
            past = match &self.pasts.0[past.0 as usize] {
                Past::Start => break,
                Past::Step(before, step) => {
                    path.push(*step);
                    *before
                }
                Past::Havoc(before, step, symbol) => {
                    inputs.extend(assignment.0.get(symbol).map(|&value| (path.len(), value)));
                    path.push(*step);
                    *before
                }
                Past::Merge(states) => {
                    states.iter().find(|(_, knowledge)| assignment.satisfies(&self.pool, knowledge))?.0
                }
            };
        }
        path.reverse();
        inputs.iter_mut().for_each(|(position, _)| *position = path.len() - 1 - *position);
        Some(Taken { path, inputs })
    }
}
