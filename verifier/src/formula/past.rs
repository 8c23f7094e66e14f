//! The history of a state: the steps that led to it, and their conditions.
//!
//! Both form trees rooted at the start of an execution, so that diverging states share their common prefix.

use super::state::State;
use crate::cfa::path::Step;
use crate::expr::{Expr, Pool};

/// A condition with all those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct ConditionId(u32);

/// A step with all steps before it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub(super) struct PastId(u32);

#[derive(Clone, Copy, Debug)]
pub(super) enum Past {
    /// A step after `before`.
    Step { before: PastId, step: Step },
    /// A join: the path is `yes` if the choice holds, else `no`.
    Join { choice: Expr, yes: PastId, no: PastId },
}

/// All conditions and steps of an execution. Id 0 is the start, without conditions.
#[derive(Clone, Debug, Default)]
pub(super) struct Pasts {
    conditions: Vec<(ConditionId, Expr)>,
    steps: Vec<Past>,
}

impl Pasts {
    /// The numbers of conditions and steps.
    pub(super) fn len(&self) -> (usize, usize) {
        (self.conditions.len(), self.steps.len())
    }

    /// Drops all entries after the given numbers.
    pub(super) fn truncate(&mut self, (conditions, steps): (usize, usize)) {
        self.conditions.truncate(conditions);
        self.steps.truncate(steps);
    }

    pub(super) fn step(&mut self, before: PastId, step: Step) -> PastId {
        self.add(Past::Step { before, step })
    }

    pub(super) fn join(&mut self, choice: Expr, yes: PastId, no: PastId) -> PastId {
        self.add(Past::Join { choice, yes, no })
    }

    fn add(&mut self, past: Past) -> PastId {
        self.steps.push(past);
        PastId(self.steps.len() as u32)
    }

    /// Appends a condition.
    pub(super) fn require(&mut self, before: ConditionId, condition: Expr) -> ConditionId {
        self.conditions.push((before, condition));
        ConditionId(self.conditions.len() as u32)
    }

    fn condition(&self, id: ConditionId) -> Option<(ConditionId, Expr)> {
        id.0.checked_sub(1).map(|index| self.conditions[index as usize])
    }

    /// The conditions after `start` up to `end`, in order.
    pub(super) fn conditions(&self, start: ConditionId, end: ConditionId) -> Vec<Expr> {
        let mut all = Vec::new();
        let mut at = end;
        while at != start
            && let Some((before, condition)) = self.condition(at)
        {
            all.push(condition);
            at = before;
        }
        all.reverse();
        all
    }

    /// The last common condition of two states. Later conditions have larger ids.
    pub(super) fn common(&self, mut a: ConditionId, mut b: ConditionId) -> ConditionId {
        while a != b {
            let later = if a > b { &mut a } else { &mut b };
            *later = self.condition(*later).map_or(ConditionId(0), |(before, _)| before);
        }
        a
    }

    /// The last entry of `past`, which must not be the start.
    pub(super) fn last(&self, past: PastId) -> Past {
        self.steps[past.0 as usize - 1]
    }

    /// All steps and joins on paths to `end`, inclusive, in topological order.
    pub(super) fn all_before(&self, end: PastId) -> Vec<PastId> {
        let mut found = std::collections::BTreeSet::new();
        let mut worklist = vec![end];
        while let Some(past) = worklist.pop() {
            if past == PastId::default() || !found.insert(past) {
                continue;
            }
            match self.last(past) {
                Past::Step { before, .. } => worklist.push(before),
                Past::Join { yes, no, .. } => worklist.extend([yes, no]),
            }
        }
        found.into_iter().collect()
    }

    /// The path determined by the choices that `holds` gives.
    pub(super) fn path(&self, end: PastId, mut holds: impl FnMut(Expr) -> bool) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = end;
        while at != PastId::default() {
            at = match self.last(at) {
                Past::Step { before, step } => {
                    steps.push(step);
                    before
                }
                Past::Join { choice, yes, no } => {
                    if holds(choice) {
                        yes
                    } else {
                        no
                    }
                }
            };
        }
        steps.reverse();
        steps
    }
}

impl super::Execution<'_> {
    /// All conditions for reaching `state`.
    pub fn conditions(&self, state: &State) -> Vec<Expr> {
        self.pasts.conditions(ConditionId::default(), state.condition)
    }

    /// The path to `state` determined by the choices that `holds` gives.
    pub fn path(&self, state: &State, holds: impl FnMut(Expr) -> bool) -> Vec<Step> {
        self.pasts.path(state.past, holds)
    }

    /// Appends a condition to the current state.
    pub(super) fn require(&mut self, condition: Expr) {
        if !self.holds(condition) {
            self.state.condition = self.pasts.require(self.state.condition, condition);
            if self.tracks_cells {
                self.learn(condition);
            }
        }
    }
}

/// The conjunction of conditions.
pub(super) fn all(pool: &mut Pool, conditions: &[Expr]) -> Expr {
    let always = pool.bool(true);
    conditions.iter().fold(always, |all, &condition| pool.and(all, condition))
}
