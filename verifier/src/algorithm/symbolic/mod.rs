//! Symbolic execution: follows paths one by one, with constants where possible and expressions over symbols elsewhere.
//!
//! Most values of a program are constants on a path, even if its inputs are unknown. So paths of thousands of steps cost
//! little, and conditions depend on few input bytes. Sets of their values decide most of them without a solver
//! (`knowledge.rs`). States that meet at a position are merged if that loses nothing (`merge.rs`).
//!
//! Nothing is approximated: a program is safe if all paths end without an error. Loops without a bound do not end.

mod candidates;
mod columns;
mod evaluate;
mod history;
mod knowledge;
mod merge;
mod operations;
mod state;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;

use rustc_hash::FxHashMap;

use super::bmc::position::{Key, Position};
use crate::cfa::{EdgeId, LocId, LocationKind, Op, Program};
use crate::evidence::{Counterexample, PathCheck, Reason, Verdict, check_path_with};
use crate::expr::{Expr, Pool, Value, Var};
use crate::facts::loops::Prospects;
use crate::facts::{Facts, Flow, Liveness, Loops, Ways};
use crate::monitor::{Monitor, Phase, StopReason};
use crate::smt::{Options, Solver};
use crate::tuning::Symbolic;
use columns::Columns;
use evaluate::Origin;
use history::{Pasts, Taken};
use knowledge::Knowledge;
use state::{Frame, State};

/// Parameters of symbolic execution.
pub struct Settings {
    /// The error locations to check.
    pub errors: Vec<LocId>,
    /// The maximum number of activations of a function on the stack.
    pub recursion: u32,
}

/// Why a step has no result.
enum Stop {
    /// The run was stopped.
    Run(StopReason),
    /// The path must be split by the values of an expression first.
    Split(Expr),
    /// The program would crash here: the path ends.
    Crash,
    /// The path cannot be followed.
    GiveUp(String),
}

impl From<StopReason> for Stop {
    fn from(stop: StopReason) -> Stop {
        Stop::Run(stop)
    }
}

/// States at the same position.
#[derive(Default)]
struct Meeting {
    states: Vec<State>,
    /// The positions of states by their digest.
    by_digest: FxHashMap<u64, Vec<usize>>,
}

/// A symbolic execution of a program.
struct Run<'a, 'p> {
    program: &'p Program,
    loops: &'a Loops,
    flow: &'a Flow,
    liveness: &'a Liveness,
    ways: &'a [Ways],
    prospects: &'a Prospects,
    errors: &'a [LocId],
    recursion: u32,
    monitor: &'a Monitor,
    tuning: Symbolic,
    pool: Pool,
    columns: Columns,
    solver: Solver<'a>,
    symbols: FxHashMap<(Origin, u32), Var>,
    /// The sizes of the program's expressions as trees, in nodes.
    sizes: Vec<u32>,
    pasts: Pasts,
    /// The conditions of all paths, each with the one before it.
    trail: Vec<(u32, Expr)>,
    /// Values of subexpressions in the current evaluation.
    known: FxHashMap<Expr, Expr>,
    /// The conditions under which the current subexpression is evaluated.
    guards: Vec<Expr>,
    /// Conditions of the current step.
    pending: Vec<Expr>,
    /// The symbol that the current step havocs a variable with.
    havoc: Option<Var>,
    meetings: BTreeMap<Key, Meeting>,
    /// States that were reached and are to be followed first.
    open: Vec<State>,
    /// Why the program cannot be called safe.
    doubt: Option<Reason>,
    failures: u32,
}

/// Executes the program of `facts`.
pub fn check(facts: &Facts<'_>, settings: Settings, monitor: &Monitor) -> Verdict {
    let program = facts.program;
    let Settings { mut errors, recursion } = settings;
    errors.sort_unstable();
    let (loops, flow, liveness, ways) = (facts.loops(), facts.flow(), facts.liveness(), facts.ways());
    let prospects = Prospects::new(program, &errors);
    let mut run = Run {
        program,
        loops: &loops,
        flow: &flow,
        liveness: &liveness,
        ways: &ways,
        prospects: &prospects,
        errors: &errors,
        recursion,
        monitor,
        tuning: monitor.tuning.symbolic,
        pool: program.pool.clone(),
        columns: Columns::default(),
        solver: Solver::new(monitor, Options::default()),
        symbols: FxHashMap::default(),
        sizes: sizes(&program.pool),
        pasts: Pasts::new(),
        trail: Vec::new(),
        known: FxHashMap::default(),
        guards: Vec::new(),
        pending: Vec::new(),
        havoc: None,
        meetings: BTreeMap::new(),
        open: Vec::new(),
        doubt: None,
        failures: 0,
    };
    monitor.enter(Phase::Exploring);
    run.explore().unwrap_or_else(|stop| Verdict::Unknown(Reason::Stopped(stop)))
}

fn sizes(pool: &Pool) -> Vec<u32> {
    let mut sizes: Vec<u32> = Vec::with_capacity(pool.len());
    for expr in pool.exprs() {
        let size = pool.children(expr).fold(1_u32, |size, child| size.saturating_add(sizes[child.index()]));
        sizes.push(size);
    }
    sizes
}

impl Run<'_, '_> {
    fn explore(&mut self) -> Result<Verdict, StopReason> {
        let always = self.pool.bool(true);
        self.trail.push((0, always));
        self.open.push(State {
            location: self.program.function(self.program.start).entry,
            position: Position::new(self.program, self.loops),
            globals: Frame::default(),
            frames: vec![Frame::default()],
            knowledge: Knowledge::default(),
            draws: 0,
            past: Pasts::START,
        });
        loop {
            if let Some(state) = self.open.pop() {
                if let Some(found) = self.follow(state)? {
                    return Ok(Verdict::Unsafe(found));
                }
            } else if let Some((_, meeting)) = self.meetings.pop_first() {
                self.monitor.states.fetch_add(meeting.states.len() as u64, Relaxed);
                self.open = meeting.states;
            } else {
                break;
            }
            if self.failures > self.tuning.max_failures {
                break;
            }
        }
        Ok(match self.doubt.take() {
            None => Verdict::Safe,
            Some(doubt) => Verdict::Unknown(doubt),
        })
    }

    /// Follows a path until it meets others. Returns an error that it reaches.
    fn follow(&mut self, mut state: State) -> Result<Option<Box<Counterexample>>, StopReason> {
        loop {
            self.monitor.check()?;
            if let LocationKind::Error(_) = self.program.location(state.location).kind {
                return match self.errors.binary_search(&state.location) {
                    Ok(_) => self.judge(&state),
                    Err(_) => Ok(None),
                };
            }
            if self.reaches_no_target(&state.position) {
                return Ok(None);
            }
            self.monitor.transfers.fetch_add(1, Relaxed);
            let before = state.location;
            match self.step(&mut state) {
                Ok(true) => {}
                Ok(false) | Err(Stop::Crash) => return Ok(None),
                Err(Stop::Run(stop)) => return Err(stop),
                Err(Stop::Split(expr)) => {
                    self.split(state, expr)?;
                    return Ok(None);
                }
                Err(Stop::GiveUp(what)) => {
                    self.give_up(&state, what);
                    return Ok(None);
                }
            }
            if self.may_meet(before, &state) && !(self.open.is_empty() && self.meetings.is_empty()) {
                self.arrive(state);
                return Ok(None);
            }
        }
    }

    /// Takes the next step. Other states that the step leads to become open. False if the path ends.
    fn step(&mut self, state: &mut State) -> Result<bool, Stop> {
        let ways = self.ways;
        match &ways[state.location.index()] {
            Ways::Exit | Ways::Halt | Ways::Error => Ok(false),
            Ways::One(edge) => self.take_or_block(state, *edge),
            Ways::Branch { condition, yes, no } => {
                self.pending.clear();
                self.guards.clear();
                let condition = self.eval(state, *condition)?;
                if let Some(value) = self.pool.as_const(condition) {
                    return self.go(state, if value.is_true() { *yes } else { *no });
                }
                let not = self.pool.not(condition);
                let required = std::mem::take(&mut self.pending);
                let mut other = state.clone();
                self.pending.clone_from(&required);
                self.pending.push(not);
                if self.go(&mut other, *no)? {
                    other.position.fork();
                    self.open.push(other);
                }
                self.pending = required;
                self.pending.push(condition);
                state.position.fork();
                self.go(state, *yes)
            }
            Ways::Switch { subject, cases, .. } => {
                self.pending.clear();
                self.guards.clear();
                let subject = self.eval(state, *subject)?;
                match self.pool.as_const(subject).and_then(|value| cases.get(&value.raw())) {
                    Some(&edge) => self.go(state, edge),
                    None => self.branch(state),
                }
            }
            Ways::Any => self.branch(state),
        }
    }

    /// Follows all edges.
    fn branch(&mut self, state: &mut State) -> Result<bool, Stop> {
        let edges: Vec<EdgeId> = self.program.location(state.location).leaving.clone().map(EdgeId).collect();
        let mut taken = Vec::new();
        for edge in edges {
            let mut next = state.clone();
            match self.take_or_block(&mut next, edge) {
                Ok(true) => taken.push(next),
                Ok(false) | Err(Stop::Crash) => {}
                Err(stop) => return Err(stop),
            }
        }
        if taken.len() > 1 {
            taken.iter_mut().for_each(|state| state.position.fork());
        }
        let Some(next) = taken.pop() else { return Ok(false) };
        self.open.extend(taken);
        *state = next;
        Ok(true)
    }

    fn take_or_block(&mut self, state: &mut State, edge: EdgeId) -> Result<bool, Stop> {
        let is_blocked = match self.program.edge(edge).op {
            Op::Unsupported(_) => true,
            Op::Call { callee, .. } => {
                self.flow.is_recursive(callee) && {
                    let mut position = state.position.clone();
                    position.call(self.program, self.loops, edge, callee);
                    position.depths().0 > self.recursion as usize
                }
            }
            _ => false,
        };
        if !is_blocked {
            return self.take(state, edge);
        }
        // A path that the solver excludes does not count.
        if matches!(self.assignment(&state.knowledge)?, Ok(None)) {
            return Ok(false);
        }
        if let Some(reason) = Reason::blocked_at(self.program, edge, self.recursion) {
            self.doubt.get_or_insert(reason);
        }
        Ok(false)
    }

    /// Continues once for each value of an expression.
    fn split(&mut self, state: State, expr: Expr) -> Result<(), StopReason> {
        let values = match self.values(&state.knowledge, expr, self.tuning.max_splits) {
            Ok(Some(values)) => values,
            Ok(None) => {
                self.give_up(&state, "an address or a length with many values".into());
                return Ok(());
            }
            Err(Stop::Run(stop)) => return Err(stop),
            Err(_) => unreachable!("values are found or not"),
        };
        for value in values {
            let mut state = state.clone();
            let Some(value) = Value::from_raw(self.pool.sort(expr), value.into()) else { continue };
            let value = self.pool.constant(value);
            let same = self.pool.eq(expr, value);
            match self.assume(&mut state.knowledge, same) {
                Ok(true) => {
                    state.knowledge.pinned.insert(expr, value);
                    state.position.fork();
                    self.open.push(state);
                }
                Ok(false) => {}
                Err(Stop::Run(stop)) => return Err(stop),
                Err(_) => unreachable!("conditions hold or not"),
            }
        }
        Ok(())
    }

    fn give_up(&mut self, state: &State, what: String) {
        let place =
            self.program.leaving(state.location).next().map_or(crate::cfa::SourceId::NONE, |(_, edge)| edge.source);
        self.doubt.get_or_insert(Reason::Unsupported { what, place });
        self.failures += 1;
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

    /// Whether other paths may meet a state that came from `before`.
    fn may_meet(&self, before: LocId, state: &State) -> bool {
        let to = state.location;
        self.program.location(to).loop_head
            || self.flow.starts_recursion(to)
            || self.flow.is_join(to)
            || self.program.location(before).function == self.program.location(to).function
                && self.loops.leaves(before, to)
    }

    /// Queues a state; merges it with others at its position if possible.
    fn arrive(&mut self, mut state: State) {
        let key = state.position.key();
        let mut meeting = self.meetings.remove(&key).unwrap_or_default();
        'merging: loop {
            let digest = state.digest();
            let equal: Vec<usize> = meeting.by_digest.get(&digest).cloned().unwrap_or_default();
            let recent = meeting.states.len().saturating_sub(self.tuning.max_partners)..meeting.states.len();
            let others = recent.rev().filter(|position| !equal.contains(position)).map(|position| (position, false));
            for (position, is_equal) in equal.iter().map(|&position| (position, true)).chain(others) {
                if let Some(merged) = self.merge(&meeting.states[position], &state, is_equal) {
                    self.monitor.covered.fetch_add(1, Relaxed);
                    meeting.remove(position);
                    state = merged;
                    continue 'merging;
                }
            }
            meeting.by_digest.entry(digest).or_default().push(meeting.states.len());
            meeting.states.push(state);
            break;
        }
        self.meetings.insert(key, meeting);
    }

    /// Checks whether an error state is reachable.
    fn judge(&mut self, state: &State) -> Result<Option<Box<Counterexample>>, StopReason> {
        let doubt = |run: &mut Self, why: Reason| {
            run.doubt.get_or_insert(why);
            run.failures += 1;
            Ok(None)
        };
        let mut assignment = match self.assignment(&state.knowledge) {
            Ok(Ok(Some(assignment))) => assignment,
            Ok(Ok(None)) => return Ok(None),
            Ok(Err(why)) => return doubt(self, Reason::Solver { why, path: Vec::new() }),
            Err(Stop::Run(stop)) => return Err(stop),
            Err(_) => unreachable!("there is an assignment or not"),
        };
        let Some(Taken { path, inputs }) = self.path(state.past, &mut assignment) else {
            let why = "no path has the values of an error".into();
            return doubt(self, Reason::Solver { why, path: Vec::new() });
        };
        let result = check_path_with(self.program, &path, &inputs, self.monitor);
        self.monitor.check()?;
        match result {
            PathCheck::Feasible(found) => Ok(Some(found)),
            PathCheck::Infeasible { .. } => {
                let why = "a path to an error is infeasible".into();
                doubt(self, Reason::Solver { why, path })
            }
            PathCheck::Undecided(reason) => doubt(self, reason),
        }
    }
}

impl Meeting {
    /// Removes a state; the last one takes its position.
    fn remove(&mut self, position: usize) {
        let last = self.states.len() - 1;
        let mut change = |digest: u64, from: usize, to: Option<usize>| {
            let positions = self.by_digest.get_mut(&digest).expect("each state has an entry");
            positions.retain(|&other| other != from);
            positions.extend(to);
        };
        change(self.states[position].digest(), position, None);
        if position != last {
            change(self.states[last].digest(), last, Some(position));
        }
        self.states.swap_remove(position);
    }
}
