//! What the solver needs of a back end, and the back end for solvers in processes of their own.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::text::Script;
use super::values::{Values, complete_list, read_core};
use crate::monitor::{Capabilities, Monitor, SolverCounters, SolverProcess, SolverProgram};

/// The model that a back end claims to have; it is checked by evaluation.
pub(super) enum Claim {
    /// Z3's.
    Z3(z3::Model),
    /// Values from another process.
    Values(Values),
}

/// The answer of a back end.
pub(super) enum Outcome {
    Sat(Claim),
    /// With the positions of a core of the assumptions.
    Unsat(Vec<usize>),
    /// No answer; the text says why.
    Unknown(String),
}

/// The answer of a process, which may be read by another thread, as Z3's may not.
pub(super) enum Reply {
    Sat(Values),
    Unsat(Vec<usize>),
    Unknown(String),
}

impl From<Reply> for Outcome {
    fn from(reply: Reply) -> Outcome {
        match reply {
            Reply::Sat(values) => Outcome::Sat(Claim::Values(values)),
            Reply::Unsat(core) => Outcome::Unsat(core),
            Reply::Unknown(why) => Outcome::Unknown(why),
        }
    }
}

/// A back end that has been given one query.
pub(super) trait Backend {
    /// The name in statistics.
    fn name(&self) -> &'static str;

    /// What it supports.
    fn capabilities(&self) -> Capabilities;

    /// Works on the query for at most `time`, or until `is_over` holds, which is asked every now and then, maybe by
    /// another thread.
    fn work(&mut self, time: Option<Duration>, is_over: &mut (dyn FnMut() -> bool + Send)) -> Outcome;
}

/// The longest answer that is read, in bytes.
const MAX_ANSWER: usize = 64 << 20;

/// What a process was asked last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Nothing yet.
    Idle,
    Verdict,
    Model,
    Core,
    /// Everything is answered.
    Done,
    /// It has crashed, or said something else.
    Failed,
}

/// A solver in a process of its own.
pub(super) struct Child<'a> {
    name: &'static str,
    capabilities: Capabilities,
    monitor: &'a Monitor,
    process: Option<Box<dyn SolverProcess>>,
    script: &'a Script,
    stage: Stage,
    received: String,
}

impl<'a> Child<'a> {
    /// A solver that is not started yet.
    pub fn new(program: &SolverProgram, monitor: &'a Monitor, script: &'a Script) -> Child<'a> {
        let SolverProgram { name, capabilities } = *program;
        Child { name, capabilities, monitor, process: None, script, stage: Stage::Idle, received: String::new() }
    }

    /// Gives it its process.
    pub fn start(&mut self, process: Box<dyn SolverProcess>) {
        self.process = Some(process);
    }

    /// Whether it has answered or failed.
    pub fn has_ended(&self) -> bool {
        matches!(self.stage, Stage::Done | Stage::Failed)
    }

    /// Its counters; `None` if there are too many solvers.
    pub fn counters(&self) -> Option<&'a SolverCounters> {
        self.monitor.solver(self.name)
    }

    /// Waits for the answer, but not longer than `time`. The first call asks the question.
    pub fn poll(&mut self, time: Duration) -> Option<Reply> {
        if self.has_ended() {
            return None;
        }
        match self.advance(time) {
            Ok(outcome) => {
                if outcome.is_some() {
                    self.stage = Stage::Done;
                }
                outcome
            }
            Err(why) => {
                self.stage = Stage::Failed;
                self.process = None;
                if let Some(counters) = self.counters() {
                    counters.failures.fetch_add(1, Ordering::Relaxed);
                }
                Some(Reply::Unknown(format!("{}: {why}", self.name)))
            }
        }
    }

    fn advance(&mut self, time: Duration) -> Result<Option<Reply>, String> {
        let process = self.process.as_mut().ok_or("it is gone")?;
        if self.stage == Stage::Idle {
            process.send(&self.script.text);
            self.stage = Stage::Verdict;
            if let Some(counters) = self.monitor.solver(self.name) {
                counters.calls.fetch_add(1, Ordering::Relaxed);
            }
        }
        let received = process.receive(time);
        let cpu = process.cpu().as_micros() as u64;
        self.monitor.children_micros.fetch_add(cpu, Ordering::Relaxed);
        if let Some(counters) = self.monitor.solver(self.name) {
            counters.micros.fetch_add(cpu, Ordering::Relaxed);
        }
        self.received.push_str(&received?);
        if self.received.len() > MAX_ANSWER {
            return Err("its answer is too long".into());
        }
        self.read()
    }

    /// What the output so far means.
    fn read(&mut self) -> Result<Option<Reply>, String> {
        let process = self.process.as_mut().ok_or("it is gone")?;
        if self.stage == Stage::Verdict {
            let Some(end) = self.received.find('\n') else { return Ok(None) };
            let line: String = self.received.drain(..=end).collect();
            match (line.trim(), &self.script.values) {
                ("", _) => return self.read(),
                ("sat", None) => return Ok(Some(Reply::Sat(Values::default()))),
                ("sat", Some(question)) => {
                    process.send(question);
                    self.stage = Stage::Model;
                }
                ("unsat", _) if self.script.assumptions == 0 => return Ok(Some(Reply::Unsat(Vec::new()))),
                ("unsat", _) => {
                    process.send("(get-unsat-assumptions)\n");
                    self.stage = Stage::Core;
                }
                ("unknown", _) => {
                    return Ok(Some(Reply::Unknown(format!("{} gave up", self.name))));
                }
                (other, _) => return Err(format!("said {:?}", other.chars().take(80).collect::<String>())),
            }
        }
        let Some(end) = complete_list(&self.received) else { return Ok(None) };
        let text: String = self.received.drain(..end).collect();
        let outcome = match self.stage {
            Stage::Model => Values::read(&text).map(Reply::Sat),
            _ => read_core(&text, self.script.assumptions).map(Reply::Unsat),
        };
        let head = || text.trim().chars().take(80).collect::<String>();
        outcome.map(Some).ok_or_else(|| format!("said {:?}", head()))
    }

    /// Ends the process, unless it has answered and can be used again.
    pub fn finish(&mut self) {
        if let Some(mut process) = self.process.take()
            && matches!(self.stage, Stage::Done | Stage::Idle)
        {
            if self.stage == Stage::Done {
                process.send("(reset)\n");
            }
            process.release();
        }
    }
}

impl Backend for Child<'_> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn work(&mut self, time: Option<Duration>, is_over: &mut (dyn FnMut() -> bool + Send)) -> Outcome {
        let end = time.map(|time| self.monitor.elapsed().saturating_add(time));
        let interval = self.monitor.tuning.smt.watch_interval;
        loop {
            let left = end.map_or(Duration::MAX, |end| end.saturating_sub(self.monitor.elapsed()));
            if let Some(reply) = self.poll(left.min(interval)) {
                return reply.into();
            }
            if left.is_zero() || self.has_ended() || is_over() {
                return Outcome::Unknown("timeout".into());
            }
        }
    }
}
