//! Unrolling: symbolic execution of all paths at once. Paths that join continue as one state.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

use super::position::{Key, Position, Turn};
use super::query::Questions;
use crate::algorithm::guess::terms::{expanded, is_nonlinear};
use crate::cfa::{EdgeId, LocId, LocationKind, Op, Program, Step};
use crate::evidence::Reason;
use crate::expr::{Expr, Pool, Var};
use crate::facts::loops::Prospects;
use crate::facts::{Facts, Flow, Liveness, Loops};
use crate::formula::{Execution, State};
use crate::monitor::{Monitor, StopReason};
use crate::tuning::Bmc;

/// Invariants at a location: statements about the variables of the program, as expressions of the pool.
pub type Invariants<'i> = &'i dyn Fn(LocId, &mut Pool) -> Vec<Expr>;

/// How loops are unrolled.
#[derive(Clone, Copy)]
pub(super) enum Mode<'m> {
    /// Up to this number of iterations and this depth of recursion. States beyond it are deferred.
    Bounded(u32),
    /// Once, from any state at the head: the variables that the loop changes, by head, are unknown but satisfy the
    /// invariants. This covers all states of the program at all locations.
    AnyIteration { changes: &'m BTreeMap<LocId, Vec<Var>>, invariants: Invariants<'m> },
    /// Up to the next loop head. States there are deferred.
    Segment(Invariants<'m>),
}

/// A state that is to be expanded.
#[derive(Clone)]
pub(super) struct Waiting {
    pub(super) state: State,
    pub(super) position: Position,
    /// The number of forks when the solver last found the state reachable.
    checked: u32,
}

/// A target.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// A selected error location.
    Error,
    /// An edge that cannot be followed, with the reason unless its operation gives it.
    Blocked(EdgeId, Option<String>),
}

/// The unrolling of a program.
pub(super) struct Unrolling<'a, 'p> {
    pub(super) program: &'p Program,
    pub(super) execution: Execution<'p>,
    pub(super) loops: &'a Loops,
    flow: &'a Flow,
    liveness: &'a Liveness,
    prospects: &'a Prospects,
    errors: &'a [LocId],
    /// The maximum number of activations of a function on the stack.
    recursion: u32,
    monitor: &'a Monitor,
    tuning: Bmc,
    pub(super) questions: Questions<'a>,
    pub(super) pending: BTreeMap<Key, Waiting>,
    /// States deferred to the next bound or segment.
    pub(super) later: BTreeMap<Key, Waiting>,
    /// The over-approximated states at loop heads, from mode `AnyIteration`.
    pub(super) heads: Vec<Waiting>,
    /// All states that arrive at loop heads in mode `AnyIteration`, before they are generalised. Kept only on request.
    pub(super) arrivals: Option<Vec<State>>,
    /// The states at targets.
    pub(super) reached: Vec<(State, Target)>,
}

/// Facts about a program and its errors.
pub(super) struct Outlook {
    pub(super) loops: Rc<Loops>,
    pub(super) flow: Rc<Flow>,
    liveness: Rc<Liveness>,
    prospects: Prospects,
    pub(super) errors: Vec<LocId>,
}

impl Outlook {
    pub(super) fn new(facts: &Facts<'_>, mut errors: Vec<LocId>) -> Outlook {
        errors.sort_unstable();
        Outlook {
            loops: facts.loops(),
            flow: facts.flow(),
            liveness: facts.liveness(),
            prospects: Prospects::new(facts.program, &errors),
            errors,
        }
    }
}

impl Unrolling<'_, '_> {
    /// Why `edge` cannot be followed: `why`, or the reason that its operation gives.
    pub(super) fn blocked(&self, edge: EdgeId, why: Option<String>) -> Reason {
        let place = self.program.edge(edge).source;
        let unsupported = |what| Reason::Unsupported { what, place };
        let told = why.map(unsupported).or_else(|| Reason::blocked_at(self.program, edge, self.recursion));
        told.unwrap_or_else(|| unsupported("it cannot be followed".into()))
    }
}

impl<'a, 'p> Unrolling<'a, 'p> {
    /// An unrolling at the start of the program.
    pub(super) fn new(program: &'p Program, outlook: &'a Outlook, recursion: u32, monitor: &'a Monitor) -> Self {
        let mut execution = Execution::new(program, monitor.tuning.formula);
        execution.track_cells();
        let position = Position::new(program, &outlook.loops);
        let start = Waiting { state: execution.state.clone(), position, checked: 0 };
        Unrolling {
            program,
            execution,
            loops: &outlook.loops,
            flow: &outlook.flow,
            liveness: &outlook.liveness,
            prospects: &outlook.prospects,
            errors: &outlook.errors,
            recursion,
            monitor,
            tuning: monitor.tuning.bmc,
            questions: Questions::new(monitor),
            pending: BTreeMap::from([(start.position.key(), start)]),
            later: BTreeMap::new(),
            heads: Vec::new(),
            arrivals: None,
            reached: Vec::new(),
        }
    }

    /// Keeps all states that arrive at loop heads, that at the start of the program included.
    pub(super) fn keep_arrivals(&mut self) {
        let starts = self.pending.values().filter(|waiting| waiting.position.at_head().is_some());
        self.arrivals = Some(starts.map(|waiting| waiting.state.clone()).collect());
    }

    /// Expands pending states until none is left or a batch of targets is reached.
    pub(super) fn run(&mut self, mode: Mode<'_>) -> Result<(), StopReason> {
        while self.reached.len() < self.tuning.batch
            && let Some((_, mut waiting)) = self.pending.pop_first()
        {
            self.monitor.check()?;
            self.monitor.states.fetch_add(1, Relaxed);
            if self.reaches_no_target(&waiting.position) {
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

    /// Makes all deferred states pending.
    pub(super) fn resume(&mut self) {
        self.pending = std::mem::take(&mut self.later);
    }

    /// Turns a state at a loop head into one of any iteration.
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
        for invariant in invariants(head, &mut self.execution.pool) {
            if let Some(condition) = self.express(invariant) {
                self.execution.assume(condition);
            }
        }
        waiting.state = self.execution.state.clone();
    }

    /// The value of a clause in the current state. Solvers compare sums of products easily, but not products of sums.
    pub(super) fn express(&mut self, clause: Expr) -> Option<Expr> {
        let value = self.execution.express(clause)?;
        let pool = &mut self.execution.pool;
        Some(if is_nonlinear(pool, clause) { expanded(pool, value) } else { value })
    }

    /// Whether no target is reachable from here in the control-flow automaton.
    fn reaches_no_target(&self, position: &Position) -> bool {
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

    /// Whether the state may be reachable. The solver is asked only where loops and recursion continue, so that they end.
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

    /// Expands a state up to the next locations where paths may join.
    fn expand(&mut self, waiting: Waiting, mode: Mode<'_>) -> Result<(), StopReason> {
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

    /// The successor along an edge; `None` if the edge is infeasible or a target.
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

    /// Queues a state at a location where paths may join.
    fn arrive(&mut self, mut waiting: Waiting, mode: Mode<'_>) {
        let turn = waiting.position.at_head();
        if let (Mode::AnyIteration { .. }, Some(_), Some(arrivals)) = (mode, turn, &mut self.arrivals) {
            arrivals.push(waiting.state.clone());
        }
        let free = self.tuning.free_iterations;
        let waits = match (mode, turn) {
            (Mode::Bounded(bound), Some(turn)) => turn.counted > bound || turn.iteration > bound.saturating_mul(free),
            (Mode::Bounded(bound), None) => {
                let (all, counted) = waiting.position.depths();
                self.flow.starts_recursion(waiting.state.location)
                    && (counted > bound || all > bound.saturating_mul(free) as usize)
            }
            // Further iterations are covered already.
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

    /// Makes the states at loop heads pending, for any iteration.
    pub(super) fn start_at_heads(&mut self) {
        for mut head in std::mem::take(&mut self.heads) {
            head.position.forget_iterations();
            put(&mut self.execution, &mut self.pending, head);
        }
    }
}

/// Adds a state to a queue; joins it with a state at the same position.
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
