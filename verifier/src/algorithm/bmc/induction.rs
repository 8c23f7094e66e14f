//! k-induction: proofs for programs whose loops have no bound.
//!
//! Take a run to an error, and let it be the first one that the run meets. It passes heads of loops: `n` times, counted over
//! all loops and calls. For each number `k` there are two cases.
//!
//! - *Base*, `n <= k`: then no loop is gone through more than `k` times, and unrolling with the bound `k` has met the error.
//! - *Step*, `n > k`: then the run, from where it passes a head for the last time but `k` on, passes exactly `k` more heads
//!   and goes on to the error, without having met an error before. So it is enough to show that no way from any head, in
//!   any state that the program may have there, passes `k` more heads and then meets an error. That none was met before is
//!   part of such a way: ways end at errors.
//!
//! The states that the program may have at a head are those in which it comes to the loop from outside, except for what the
//! loop changes: that may hold any value, but invariants hold. Since the loop is entered at its head only, whoever is in it
//! has come in that way and has since then executed nothing but the loop and what it calls. One pass over the program, where
//! each head is left once in such a state, therefore covers all states at all heads: loops within loops are entered in a
//! covered state of the outer one, loops in functions in a covered state of the caller. Calls are part of the position, so
//! functions that call themselves are out of reach, as are loops that can be entered in several places; then there is no
//! induction. What is not modelled counts as an error.

use std::collections::BTreeMap;
use std::time::Duration;

use super::unroll::{Facts, Invariants, Mode, Unrolling};
use crate::cfa::{FuncId, LocId, Program, Var};
use crate::formula::State;
use crate::monitor::{Monitor, Stop};

/// How long the solver may think about one step.
const PATIENCE: Duration = Duration::from_secs(5);
/// So often it may fail to answer.
const FAILURES: u32 = 3;

/// The steps of an induction so far.
pub(super) struct Induction<'a, 'p> {
    unrolling: Unrolling<'a, 'p>,
    invariants: Invariants<'a>,
    /// What each loop changes, until the states at the heads are known.
    changes: Option<BTreeMap<LocId, Vec<Var>>>,
    /// How many heads have been passed.
    passed: u32,
    failures: u32,
}

impl<'a, 'p> Induction<'a, 'p> {
    /// None if the program is not one for which the argument holds.
    pub(super) fn new(
        program: &'p Program,
        facts: &'a Facts,
        recursion: u32,
        invariants: Invariants<'a>,
        monitor: &'a Monitor,
    ) -> Option<Induction<'a, 'p>> {
        let functions = (0..program.functions.len() as u32).map(FuncId);
        if !facts.loops.is_reducible() || functions.into_iter().any(|function| facts.flow.is_recursive(function)) {
            return None;
        }
        let heads = (0..program.locations.len() as u32).map(LocId).filter(|&l| program.location(l).loop_head);
        let changes = heads.map(|head| (head, facts.loops.changes(program, head))).collect();
        let unrolling = Unrolling::new(program, facts, recursion, monitor);
        Some(Induction { unrolling, invariants, changes: Some(changes), passed: 0, failures: 0 })
    }

    /// Is there a step for some `k` up to `bound`?
    pub(super) fn is_proved(&mut self, bound: u32) -> Result<bool, Stop> {
        if let Some(changes) = self.changes.take() {
            self.pass(Mode::AnyIteration { changes: &changes, invariants: self.invariants })?;
            self.unrolling.start_at_heads();
        }
        while self.passed <= bound && self.failures < FAILURES {
            let targets = self.pass(Mode::Segment(self.invariants))?;
            if self.exclude(&targets) {
                return Ok(true);
            }
            self.unrolling.resume();
            self.passed += 1;
        }
        Ok(false)
    }

    /// Unrolls up to the end of the mode. Gives the states in which something was reached that must not be.
    fn pass(&mut self, mode: Mode<'_>) -> Result<Vec<State>, Stop> {
        let mut targets = Vec::new();
        loop {
            self.unrolling.run(mode)?;
            targets.extend(self.unrolling.reached.drain(..).map(|(state, _)| state));
            if self.unrolling.pending.is_empty() {
                return Ok(targets);
            }
        }
    }

    fn exclude(&mut self, targets: &[State]) -> bool {
        let Unrolling { questions, execution, .. } = &mut self.unrolling;
        let states: Vec<&State> = targets.iter().collect();
        match questions.exclude(execution, &states, PATIENCE) {
            Some(is_excluded) => is_excluded,
            None => {
                self.failures += 1;
                false
            }
        }
    }
}
