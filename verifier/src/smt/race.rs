//! Hard queries: several solvers, of which the first answer counts.
//!
//! One solver works alone for a while, since two of them cost twice the time on the processors. Then all work. Which one
//! is first depends on who has answered queries of this kind before.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use z3::SatResult;
use z3::ast::Bool;

use super::backend::{Backend, Child, Claim, Outcome, Reply};
use super::solver::Answer;
use super::text::Script;
use crate::monitor::{Capabilities, Monitor, Solvers};

/// Kinds of queries, by the theories that they need.
pub(super) const KINDS: usize = 4;

/// The kind of a query.
pub(super) fn kind(script: &Script) -> usize {
    usize::from(script.has_memories) + 2 * usize::from(script.has_floats)
}

/// Z3 in this process, with a query on its stack.
pub(super) struct Local<'a> {
    pub z3: &'a z3::Solver,
    pub assumptions: &'a [Bool],
    pub monitor: &'a Monitor,
    pub memory: Option<u32>,
}

/// The watcher reads answers of other solvers, which may be deeply nested.
const WATCHER_STACK: usize = 64 << 20;

/// The name of Z3 in this process.
pub(super) const LOCAL: &str = "z3";

impl Backend for Local<'_> {
    fn name(&self) -> &'static str {
        LOCAL
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    /// A time limit for all queries would cost a thread for each, so only hard ones are watched.
    fn work(&mut self, time: Option<Duration>, is_over: &mut (dyn FnMut() -> bool + Send)) -> Outcome {
        let mut params = super::solver::params(self.memory);
        // Z3 counts the time that a worker is paused, the watcher does not.
        params.set_u32("timeout", u32::MAX);
        self.z3.set_params(&params);
        let end = time.map(|time| self.monitor.elapsed().saturating_add(time));
        let monitor = self.monitor;
        let counters = self.monitor.solver(LOCAL);
        if let Some(counters) = counters {
            counters.calls.fetch_add(1, Ordering::Relaxed);
        }
        let start = Instant::now();
        let result = std::thread::scope(|scope| {
            let (done, waits) = std::sync::mpsc::channel::<()>();
            let (handle, interval) = (self.z3.get_context().handle(), self.monitor.tuning.smt.watch_interval);
            let watch = move || {
                while let Err(std::sync::mpsc::RecvTimeoutError::Timeout) = waits.recv_timeout(interval) {
                    if is_over() || end.is_some_and(|end| monitor.elapsed() >= end) {
                        handle.interrupt();
                    }
                }
            };
            let watcher = std::thread::Builder::new().stack_size(WATCHER_STACK);
            watcher.spawn_scoped(scope, watch).expect("a thread can be started");
            let result = self.z3.check_assumptions(self.assumptions);
            drop(done);
            result
        });
        if let Some(counters) = counters {
            counters.micros.fetch_add(start.elapsed().as_micros() as u64, Ordering::Relaxed);
        }
        outcome(self.z3, result, self.assumptions)
    }
}

/// Z3's result, with a core or a model.
pub(super) fn outcome(z3: &z3::Solver, result: SatResult, assumptions: &[Bool]) -> Outcome {
    match result {
        SatResult::Unknown => {
            let why = z3.get_reason_unknown().unwrap_or_else(|| "no reason given".into());
            Outcome::Unknown(why)
        }
        SatResult::Unsat => {
            let core = z3.get_unsat_core();
            Outcome::Unsat((0..assumptions.len()).filter(|&i| core.iter().any(|c| c.ast_eq(&assumptions[i]))).collect())
        }
        SatResult::Sat => match z3.get_model() {
            Some(model) => Outcome::Sat(Claim::Z3(model)),
            None => Outcome::Unknown("no model".into()),
        },
    }
}

/// Starts all programs that support the query and have not failed too often.
pub(super) fn start<'a>(monitor: &'a Monitor, solvers: &dyn Solvers, script: &'a Script) -> Vec<Child<'a>> {
    let mut children = Vec::new();
    for (at, program) in solvers.programs().iter().enumerate() {
        let mut child = Child::new(program, monitor, script);
        let supported = child.capabilities();
        let is_supported = (supported.memories || !script.has_memories)
            && (supported.floats || !script.has_floats)
            && (supported.other_formats || !script.has_other_formats)
            && (supported.cores || script.assumptions == 0);
        let Some(counters) = child.counters().filter(|_| is_supported) else { continue };
        let failures = counters.failures.load(Ordering::Relaxed) + counters.wrong_models.load(Ordering::Relaxed);
        if failures >= monitor.tuning.smt.max_failures {
            continue;
        }
        match solvers.start(at) {
            Ok(process) => {
                child.start(process);
                children.push(child);
            }
            Err(_) => drop(counters.failures.fetch_add(1, Ordering::Relaxed)),
        }
    }
    children
}

/// Turns the outcome of a solver into an answer, unless it is none or its model is wrong; then the error says why.
pub(super) type Accept<'a> = &'a mut dyn FnMut(&'static str, Outcome) -> Result<Answer, String>;

/// Asks all; the first answer that `accept` takes counts, and comes with the name of its solver. `time` is the limit.
pub(super) fn race(
    monitor: &Monitor,
    (mut local, mut children): (Option<Local<'_>>, Vec<Child<'_>>),
    is_local_first: bool,
    time: Option<Duration>,
    accept: Accept<'_>,
) -> (Option<&'static str>, Answer) {
    let end = time.map(|time| monitor.elapsed().saturating_add(time));
    let left = || end.map(|end| end.saturating_sub(monitor.elapsed()));
    let is_over = || monitor.check().is_err() || left().is_some_and(|left| left.is_zero());
    let (alone, interval) = (monitor.tuning.smt.alone, monitor.tuning.smt.watch_interval);
    let mut why = "timeout".to_owned();
    let mut judge = |name: &'static str, outcome: Outcome| match accept(name, outcome) {
        Ok(answer) => Some((name, answer)),
        Err(reason) => {
            why = reason;
            None
        }
    };
    let mut answer = None;
    if !is_local_first && let Some(first) = children.first_mut() {
        let limit = left().map_or(alone, |left| left.min(alone));
        let outcome = first.work(Some(limit), &mut || monitor.check().is_err());
        answer = judge(first.name(), outcome);
        children.retain_mut(|child| {
            let has_ended = child.has_ended();
            if has_ended {
                child.finish();
            }
            !has_ended
        });
    }
    while let (None, Some(z3), false) = (&answer, &mut local, is_over()) {
        // The children join after a while; they may have begun already.
        let join = Instant::now() + if is_local_first { alone } else { Duration::ZERO };
        let mut found = None;
        let outcome = z3.work(left(), &mut || {
            if found.is_none() && Instant::now() >= join {
                found = poll(&mut children, Duration::ZERO);
            }
            found.is_some() || is_over()
        });
        // Z3 may have answered at the same moment.
        answer = judge(LOCAL, outcome);
        let Some((name, reply)) = found else { break };
        if answer.is_none() {
            answer = judge(name, reply.into());
        }
        // If the child had no answer, Z3 was interrupted in vain and starts again.
    }
    while answer.is_none() && !children.is_empty() && !is_over() {
        answer = poll(&mut children, interval).and_then(|(name, reply)| judge(name, reply.into()));
    }
    children.iter_mut().for_each(Child::finish);
    match answer {
        Some((name, answer)) => (Some(name), answer),
        None => (None, Answer::Unknown(why)),
    }
}

/// The reply of a child that has ended. The child is removed.
fn poll(children: &mut Vec<Child<'_>>, time: Duration) -> Option<(&'static str, Reply)> {
    let each = time / u32::try_from(children.len()).unwrap_or(1).max(1);
    for at in 0..children.len() {
        if let Some(reply) = children[at].poll(each) {
            let mut child = children.swap_remove(at);
            child.finish();
            return Some((child.name(), reply));
        }
    }
    None
}
