//! k-induction: proofs for programs whose loops have no bound.
//!
//! Consider a run up to its first error. Let `n` be the number of loop heads that it passes, counted over all loops and
//! calls. For each `k` there are two cases.
//!
//! - *Base*, `n <= k`: no loop has more than `k` iterations, so unrolling with the bound `k` has found the error.
//! - *Step*, `n > k`: consider the run from its last loop head but `k`. It passes exactly `k` more heads and then reaches
//!   the error, without an error in between. It suffices to show that no path from any head, in any state that the program
//!   may have there, passes `k` more heads and then reaches an error. Paths end at errors, so none has an error in between.
//!
//! The states at a head are over-approximated: the loop is entered from outside, and then every variable that it changes
//! has any value that satisfies the invariants. This is sound because a loop is entered only at its head, and only the
//! loop and its callees execute until it is left. One pass over the program that leaves each head once in such a state
//! covers all states at all heads. An inner loop is entered in a covered state of the outer loop, and a loop of a callee
//! in a covered state of the caller.
//!
//! Positions contain the calls, so recursive functions are excluded, as are irreducible loops: such programs have no
//! induction. An operation that is not modelled counts as an error.

use std::collections::BTreeMap;
use std::time::Duration;

use super::houdini::{self, Proved};
use super::unroll::{Invariants, Mode, Outlook, Unrolling};
use crate::cfa::{FuncId, LocId, Program};
use crate::expr::{Expr, Pool, Var};
use crate::formula::State;
use crate::monitor::{Monitor, StopReason};
use crate::tuning::Bmc;

/// The steps of an induction so far.
pub(super) struct Induction<'a, 'p> {
    unrolling: Unrolling<'a, 'p>,
    invariants: Invariants<'a>,
    /// Proved invariants at loop heads, in the pool of the unrolling.
    held: BTreeMap<LocId, Vec<Expr>>,
    /// The variables that each loop changes; taken when the states at the heads are computed.
    changes: Option<BTreeMap<LocId, Vec<Var>>>,
    /// The current `k`.
    passed: u32,
    failures: u32,
    /// The targets of a step that was not decided in time.
    open: Option<Vec<State>>,
    /// The time for the next step.
    time: Duration,
    monitor: &'a Monitor,
    tuning: Bmc,
}

impl<'a, 'p> Induction<'a, 'p> {
    /// `None` if the program is recursive or has irreducible loops.
    pub(super) fn new(
        program: &'p Program,
        outlook: &'a Outlook,
        recursion: u32,
        invariants: Invariants<'a>,
        monitor: &'a Monitor,
    ) -> Option<Induction<'a, 'p>> {
        if !is_supported(program, outlook) {
            return None;
        }
        let changes = changes(program, outlook);
        let unrolling = Unrolling::new(program, outlook, recursion, monitor);
        Some(Induction {
            unrolling,
            invariants,
            held: BTreeMap::new(),
            changes: Some(changes),
            passed: 0,
            failures: 0,
            open: None,
            time: monitor.tuning.bmc.first_induction.min(monitor.tuning.bmc.induction_time),
            monitor,
            tuning: monitor.tuning.bmc,
        })
    }

    /// The same induction from the start, with proved invariants.
    pub(super) fn with(mut self, proved: &Proved) -> Induction<'a, 'p> {
        self.held = houdini::clauses(proved, self.unrolling.program, &mut self.unrolling.execution.pool);
        self
    }

    /// Whether the step case holds for some `k` up to `bound`. Begins no step after `end`, but makes one at least.
    pub(super) fn is_proved(&mut self, bound: u32, end: Duration) -> Result<bool, StopReason> {
        if let Some(changes) = self.changes.take() {
            self.pass(Some(&changes))?;
            self.unrolling.start_at_heads();
        }
        while self.failures < self.tuning.max_induction_failures {
            let targets = match self.open.take() {
                Some(targets) => targets,
                None if self.passed <= bound => self.pass(None)?,
                None => break,
            };
            match self.exclude(&targets) {
                Some(true) => return Ok(true),
                // A step that was hard is tried again, with more time.
                None if self.time < self.tuning.induction_time => {
                    self.time = (self.time * 2).min(self.tuning.induction_time);
                    self.open = Some(targets);
                    break;
                }
                None => self.failures += 1,
                Some(false) => {}
            }
            self.unrolling.resume();
            self.passed += 1;
            if self.monitor.elapsed() > end {
                break;
            }
        }
        Ok(false)
    }

    /// Unrolls until nothing is pending: any iteration of each loop if `changes` are given, else one segment. Returns the
    /// states at targets.
    fn pass(&mut self, changes: Option<&BTreeMap<LocId, Vec<Var>>>) -> Result<Vec<State>, StopReason> {
        let (held, given) = (&self.held, self.invariants);
        let invariants =
            |head: LocId, pool: &mut Pool| [given(head, pool), held.get(&head).cloned().unwrap_or_default()].concat();
        let mode = match changes {
            Some(changes) => Mode::AnyIteration { changes, invariants: &invariants },
            None => Mode::Segment(&invariants),
        };
        let mut targets = Vec::new();
        loop {
            self.unrolling.run(mode)?;
            targets.extend(self.unrolling.reached.drain(..).map(|(state, _)| state));
            if self.unrolling.pending.is_empty() {
                return Ok(targets);
            }
        }
    }

    /// Whether no target is reached; `None` if that is not decided in time.
    fn exclude(&mut self, targets: &[State]) -> Option<bool> {
        let Unrolling { questions, execution, .. } = &mut self.unrolling;
        let states: Vec<&State> = targets.iter().collect();
        questions.exclude(execution, &states, self.time)
    }
}

/// Whether the program has neither recursion nor irreducible loops.
pub(super) fn is_supported(program: &Program, outlook: &Outlook) -> bool {
    let mut functions = (0..program.functions.len() as u32).map(FuncId);
    outlook.loops.is_reducible() && !functions.any(|function| outlook.flow.is_recursive(function))
}

/// The variables that each loop changes, by head.
pub(super) fn changes(program: &Program, outlook: &Outlook) -> BTreeMap<LocId, Vec<Var>> {
    let heads = (0..program.locations.len() as u32).map(LocId).filter(|&l| program.location(l).loop_head);
    heads.map(|head| (head, outlook.loops.changes(program, head))).collect()
}
