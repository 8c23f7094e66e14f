//! How control came to where it is: the steps, and the conditions under which they are taken.
//!
//! Both are trees that grow from the start of an execution: states that part share all that lies before.

use super::state::State;
use crate::cfa::expr::{Expr, Pool};
use crate::cfa::path::Step;

/// A condition with all that must hold before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct ConditionId(u32);

/// A step with all steps before it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub(super) struct PastId(u32);

#[derive(Clone, Copy, Debug)]
pub(super) enum Past {
    /// A step, with all before it.
    Step { before: PastId, step: Step },
    /// One of two ways: the first if the choice holds.
    Join { choice: Expr, yes: PastId, no: PastId },
}

/// All conditions and steps of an execution. Those with number 0 are the start, where nothing must hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Pasts {
    conditions: Vec<(ConditionId, Expr)>,
    steps: Vec<Past>,
}

impl Pasts {
    /// How many conditions and steps there are.
    pub(super) fn len(&self) -> (usize, usize) {
        (self.conditions.len(), self.steps.len())
    }

    /// Forgets all but the first ones.
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

    /// `condition` must hold besides what must hold already.
    pub(super) fn require(&mut self, before: ConditionId, condition: Expr) -> ConditionId {
        self.conditions.push((before, condition));
        ConditionId(self.conditions.len() as u32)
    }

    fn condition(&self, id: ConditionId) -> Option<(ConditionId, Expr)> {
        id.0.checked_sub(1).map(|index| self.conditions[index as usize])
    }

    /// What must hold, in the order of the steps, after `start`.
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

    /// Where the conditions of two states part. Later ones have greater numbers.
    pub(super) fn common(&self, mut a: ConditionId, mut b: ConditionId) -> ConditionId {
        while a != b {
            let later = if a > b { &mut a } else { &mut b };
            *later = self.condition(*later).map_or(ConditionId(0), |(before, _)| before);
        }
        a
    }

    /// What `past` ended with; it must not be the start.
    pub(super) fn last(&self, past: PastId) -> Past {
        self.steps[past.0 as usize - 1]
    }

    /// All steps and joins on ways to `end`, that one included: each after those before it.
    pub(super) fn all_before(&self, end: PastId) -> Vec<PastId> {
        let mut found = std::collections::BTreeSet::new();
        let mut open = vec![end];
        while let Some(past) = open.pop() {
            if past == PastId::default() || !found.insert(past) {
                continue;
            }
            match self.last(past) {
                Past::Step { before, .. } => open.push(before),
                Past::Join { yes, no, .. } => open.extend([yes, no]),
            }
        }
        found.into_iter().collect()
    }

    /// The one path on which all choices are as `holds` says.
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
                    let way = [no, yes];
                    way[usize::from(holds(choice))]
                }
            };
        }
        steps.reverse();
        steps
    }
}

impl super::Execution<'_> {
    /// What must hold for control to come to `state`, all of it.
    pub fn conditions(&self, state: &State) -> Vec<Expr> {
        self.pasts.conditions(ConditionId::default(), state.condition)
    }

    /// The steps to `state` on the path where all choices are as `holds` says.
    pub fn path(&self, state: &State, holds: impl FnMut(Expr) -> bool) -> Vec<Step> {
        self.pasts.path(state.past, holds)
    }

    /// One more condition for `state`.
    pub(super) fn require(&mut self, condition: Expr) {
        if !self.holds(condition) {
            self.state.condition = self.pasts.require(self.state.condition, condition);
        }
    }
}

/// All of some conditions.
pub(super) fn all(pool: &mut Pool, conditions: &[Expr]) -> Expr {
    let always = pool.bool(true);
    conditions.iter().fold(always, |all, &condition| pool.and(all, condition))
}
