//! Unrolling: the program is executed with symbols along all ways at once, and ways that meet go on as one state.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::atomic::Ordering::Relaxed;

use super::position::{Key, Position, Turn};
use super::query::Questions;
use crate::cfa::live::Liveness;
use crate::cfa::loops::{Loops, Prospects};
use crate::cfa::{EdgeId, Expr, Flow, LocId, LocationKind, Op, Program, Step, Var};
use crate::formula::{Execution, State};
use crate::monitor::{Monitor, Stop};

/// So many iterations in which control has only one way to go are allowed for each one that counts.
const FREE: u32 = 1 << 10;
/// So many targets are collected before somebody should look at them.
const BATCH: usize = 64;

/// Invariants at a location: statements about the variables of the program.
pub type Invariants<'i> = &'i dyn Fn(LocId) -> Vec<Expr>;

/// How loops are gone through.
#[derive(Clone, Copy)]
pub(super) enum Mode<'m> {
    /// Up to a number of iterations, and recursion up to that depth. What exceeds it waits.
    Bounded(u32),
    /// Once, and in any state in which a loop may be: what it changes is unknown, but for what invariants say. So all
    /// states are covered that the program has at the locations. The changes of loops are given by their heads.
    AnyIteration { changes: &'m BTreeMap<LocId, Vec<Var>>, invariants: Invariants<'m> },
    /// Up to the next head of a loop. What comes there waits.
    Segment(Invariants<'m>),
}

/// A state that waits to go on.
#[derive(Clone)]
pub(super) struct Waiting {
    pub(super) state: State,
    pub(super) position: Position,
    /// How often control had several ways to go when the solver said last that this state can be reached.
    checked: u32,
}

/// What must not be reached.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// An error that counts.
    Error,
    /// An edge that the analysis cannot follow, for this reason if it does not say so itself.
    Blocked(EdgeId, Option<String>),
}

/// A program that is being unrolled.
pub(super) struct Unrolling<'a, 'p> {
    pub(super) program: &'p Program,
    pub(super) execution: Execution<'p>,
    pub(super) loops: &'a Loops,
    flow: &'a Flow,
    liveness: &'a Liveness,
    prospects: &'a Prospects,
    errors: &'a [LocId],
    /// How often a function may be under way at all.
    recursion: u32,
    monitor: &'a Monitor,
    pub(super) questions: Questions<'a>,
    pub(super) pending: BTreeMap<Key, Waiting>,
    /// What waits for the next bound or segment.
    pub(super) later: BTreeMap<Key, Waiting>,
    /// The heads of loops with the states that are covered there, in mode `AnyIteration`.
    pub(super) heads: Vec<Waiting>,
    /// The targets that were reached.
    pub(super) reached: Vec<(State, Target)>,
}

/// What is known of a program before it is unrolled.
pub(super) struct Facts {
    pub(super) loops: Loops,
    pub(super) flow: Flow,
    liveness: Liveness,
    prospects: Prospects,
    errors: Vec<LocId>,
}

impl Facts {
    pub(super) fn new(program: &Program, mut errors: Vec<LocId>) -> Facts {
        errors.sort_unstable();
        Facts {
            loops: Loops::new(program),
            flow: Flow::new(program),
            liveness: Liveness::new(program),
            prospects: Prospects::new(program, &errors),
            errors,
        }
    }
}

impl<'a, 'p> Unrolling<'a, 'p> {
    /// At the start of the program.
    pub(super) fn new(program: &'p Program, facts: &'a Facts, recursion: u32, monitor: &'a Monitor) -> Self {
        let execution = Execution::new(program);
        let position = Position::new(program, &facts.loops);
        let start = Waiting { state: execution.state.clone(), position, checked: 0 };
        Unrolling {
            program,
            execution,
            loops: &facts.loops,
            flow: &facts.flow,
            liveness: &facts.liveness,
            prospects: &facts.prospects,
            errors: &facts.errors,
            recursion,
            monitor,
            questions: Questions::new(monitor),
            pending: BTreeMap::from([(start.position.key(), start)]),
            later: BTreeMap::new(),
            heads: Vec::new(),
            reached: Vec::new(),
        }
    }

    /// Goes on until nothing is pending, or many targets have been reached.
    pub(super) fn run(&mut self, mode: Mode<'_>) -> Result<(), Stop> {
        while self.reached.len() < BATCH
            && let Some((_, mut waiting)) = self.pending.pop_first()
        {
            self.monitor.check()?;
            self.monitor.states.fetch_add(1, Relaxed);
            if self.is_hopeless(&waiting.position) {
                continue;
            }
            match mode {
                Mode::Bounded(_) if !self.is_open(&mut waiting) => continue,
                Mode::Bounded(_) => {}
                Mode::AnyIteration { changes, invariants } => self.widen(&mut waiting, changes, invariants),
                Mode::Segment(invariants) => self.assume(&mut waiting, invariants),
            }
            self.expand(waiting, mode)?;
        }
        Ok(())
    }

    /// Everything that waits goes on.
    pub(super) fn resume(&mut self) {
        self.pending = std::mem::take(&mut self.later);
    }

    /// A state at the head of a loop becomes one in any iteration.
    fn widen(&mut self, waiting: &mut Waiting, changes: &BTreeMap<LocId, Vec<Var>>, invariants: Invariants<'_>) {
        let Some(Turn { head, .. }) = waiting.position.at_head() else { return };
        self.execution.state = waiting.state.clone();
        self.execution.make_unknown(&changes[&head]);
        waiting.state = self.execution.state.clone();
        self.assume(waiting, invariants);
        self.heads.push(waiting.clone());
    }

    fn assume(&mut self, waiting: &mut Waiting, invariants: Invariants<'_>) {
        let Some(Turn { head, .. }) = waiting.position.at_head() else { return };
        self.execution.state = waiting.state.clone();
        for invariant in invariants(head) {
            if let Some(condition) = self.execution.express(invariant) {
                self.execution.assume(condition);
            }
        }
        waiting.state = self.execution.state.clone();
    }

    /// Can nothing be reached from here that matters?
    fn is_hopeless(&self, position: &Position) -> bool {
        let mut location = position.location();
        for call in position.calls() {
            if self.prospects.is_ahead(location) {
                return false;
            }
            if !self.prospects.returns(location) {
                return true;
            }
            location = self.program.edge(call).to;
        }
        !self.prospects.is_ahead(location)
    }

    /// Can this state be reached? Asked where loops and recursion go on, so that these end.
    fn is_open(&mut self, waiting: &mut Waiting) -> bool {
        let location = waiting.position.location();
        let goes_on = match waiting.position.at_head() {
            Some(turn) => turn.counted > 1,
            None => self.flow.starts_recursion(location) && waiting.position.depths().1 > 1,
        };
        if !goes_on || waiting.position.forks() <= waiting.checked {
            return true;
        }
        waiting.checked = waiting.position.forks();
        self.questions.is_open(&self.execution, &waiting.state)
    }

    /// Goes on from a state, up to where ways can meet.
    fn expand(&mut self, waiting: Waiting, mode: Mode<'_>) -> Result<(), Stop> {
        let mut open = vec![waiting];
        while let Some(waiting) = open.pop() {
            let location = waiting.state.location;
            if let LocationKind::Error(_) = self.program.location(location).kind {
                if self.errors.binary_search(&location).is_ok() {
                    self.reached.push((waiting.state, Target::Error));
                }
                continue;
            }
            let mut next = Vec::new();
            for edge in self.program.location(location).leaving.clone().map(EdgeId) {
                self.monitor.check()?;
                next.extend(self.follow(&waiting, edge));
            }
            let is_fork = next.len() > 1;
            for mut waiting in next {
                if is_fork {
                    waiting.position.fork();
                }
                let to = waiting.state.location;
                let may_meet = self.program.location(to).loop_head
                    || self.flow.starts_recursion(to)
                    || self.flow.is_join(to)
                    || self.program.location(location).function == self.program.location(to).function
                        && self.loops.leaves(location, to);
                if may_meet {
                    self.arrive(waiting, mode);
                } else {
                    open.push(waiting);
                }
            }
        }
        Ok(())
    }

    /// Takes an edge, if it can be taken.
    fn follow(&mut self, from: &Waiting, id: EdgeId) -> Option<Waiting> {
        let edge = self.program.edge(id);
        let mut position = from.position.clone();
        let step = match edge.op {
            Op::Unsupported(_) => {
                self.reached.push((from.state.clone(), Target::Blocked(id, None)));
                return None;
            }
            Op::Call { callee, .. } => {
                position.call(self.program, self.loops, id, callee);
                if position.depths().0 > self.recursion as usize {
                    self.reached.push((from.state.clone(), Target::Blocked(id, None)));
                    return None;
                }
                Step::along(id)
            }
            Op::Return(_) => Step::back(id, position.leave(self.program, self.loops)?),
            _ => {
                position.go(self.loops, edge.to);
                Step::along(id)
            }
        };
        self.monitor.transfers.fetch_add(1, Relaxed);
        self.execution.state = from.state.clone();
        match self.execution.step(step) {
            Ok(Some(condition)) if self.execution.pool.as_const(condition).is_some() => return None,
            Ok(_) => {}
            Err(why) => {
                self.reached.push((from.state.clone(), Target::Blocked(id, Some(why))));
                return None;
            }
        }
        self.execution.forget_dead(self.liveness);
        Some(Waiting { state: self.execution.state.clone(), position, checked: from.checked })
    }

    /// A state comes to where others may come to.
    fn arrive(&mut self, mut waiting: Waiting, mode: Mode<'_>) {
        let turn = waiting.position.at_head();
        let waits = match (mode, turn) {
            (Mode::Bounded(bound), Some(turn)) => turn.counted > bound || turn.iteration > bound.saturating_mul(FREE),
            (Mode::Bounded(bound), None) => {
                let (all, counted) = waiting.position.depths();
                self.flow.starts_recursion(waiting.state.location)
                    && (counted > bound || all > bound.saturating_mul(FREE) as usize)
            }
            // What a loop does next is covered already.
            (Mode::AnyIteration { .. }, Some(turn)) if turn.iteration > 1 => return,
            (Mode::AnyIteration { .. }, _) => false,
            (Mode::Segment(_), Some(_)) => {
                waiting.position.forget_iterations();
                true
            }
            (Mode::Segment(_), None) => false,
        };
        let queue = if waits { &mut self.later } else { &mut self.pending };
        put(&mut self.execution, queue, waiting);
    }

    /// Goes on from heads that were found, wherever in their loops.
    pub(super) fn start_at_heads(&mut self) {
        for mut head in std::mem::take(&mut self.heads) {
            head.position.forget_iterations();
            put(&mut self.execution, &mut self.pending, head);
        }
    }
}

/// Adds a state to those that wait; joins it with one at the same position.
fn put(execution: &mut Execution<'_>, queue: &mut BTreeMap<Key, Waiting>, waiting: Waiting) {
    match queue.entry(waiting.position.key()) {
        Entry::Vacant(entry) => {
            entry.insert(waiting);
        }
        Entry::Occupied(mut entry) => {
            let other = entry.get_mut();
            execution.join(&other.state, &waiting.state);
            other.state = execution.state.clone();
            other.position.merge(&waiting.position);
            other.checked = other.checked.min(waiting.checked);
        }
    }
}
