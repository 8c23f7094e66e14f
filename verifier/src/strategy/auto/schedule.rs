//! Shares the processors among the workers of the stages.

use std::time::Duration;

use super::super::engine::Task;
use super::message::Message;
use super::plan::Stage;
use super::{clearer, run_stage};
use crate::evidence::{Reason, Verdict};
use crate::monitor::{Phase, StageRecord, StopReason, WorkerEnd, WorkerId, Workers};

/// How long a wait for workers takes at most: slices and limits are looked at in between.
const INTERVAL: Duration = Duration::from_millis(20);

/// How often a worker that crashed is started again. Whoever killed it may have meant another process.
const MAX_RESTARTS: u32 = 2;

/// A stage and its worker.
struct Runner {
    stage: Stage,
    state: State,
    /// The time of earlier workers on the processors.
    spent: Duration,
    restarts: u32,
    /// How it ended, in a few words.
    end: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum State {
    /// Not started yet.
    New,
    /// Runs until it has used this much time.
    Running(WorkerId, Duration),
    Paused(WorkerId),
    Ended,
}

impl Runner {
    fn worker(&self) -> Option<WorkerId> {
        match self.state {
            State::Running(worker, _) | State::Paused(worker) => Some(worker),
            State::New | State::Ended => None,
        }
    }

    fn is_running(&self) -> bool {
        matches!(self.state, State::Running(..))
    }

    /// The time on the processors so far.
    fn used(&self, workers: &dyn Workers) -> Duration {
        self.spent + self.worker().map_or(Duration::ZERO, |worker| workers.cpu(worker))
    }
}

/// Decides the task by the first worker that does.
pub(super) fn run(task: &Task<'_>, stages: &[Stage], workers: &dyn Workers) -> Verdict {
    let runners =
        stages.iter().map(|&stage| Runner { stage, state: State::New, spent: Duration::ZERO, restarts: 0, end: None });
    let mut schedule = Schedule { task, workers, runners: runners.collect(), open: None };
    let before = task.monitor.enter(Phase::Analysing);
    let verdict = schedule.run();
    schedule.finish(&verdict);
    task.monitor.enter(before);
    verdict
}

struct Schedule<'a> {
    task: &'a Task<'a>,
    workers: &'a dyn Workers,
    runners: Vec<Runner>,
    /// Why the stages that have ended did not decide.
    open: Option<Reason>,
}

impl Schedule<'_> {
    fn run(&mut self) -> Verdict {
        loop {
            if let Err(stop) = self.task.monitor.check() {
                return Verdict::Unknown(Reason::Stopped(stop));
            }
            self.pause_expired();
            self.spare_memory();
            self.fill();
            if self.runners.iter().all(|runner| runner.state == State::Ended) {
                return Verdict::Unknown(self.open.take().unwrap_or(Reason::Stopped(StopReason::Memory)));
            }
            if let Some((worker, end)) = self.workers.wait(INTERVAL)
                && let Some(verdict) = self.ended(worker, end)
            {
                return verdict;
            }
        }
    }

    /// Pauses workers whose slice has ended, if another stage waits for its turn.
    fn pause_expired(&mut self) {
        let others_wait = self.runners.iter().any(|runner| matches!(runner.state, State::New | State::Paused(_)));
        for runner in &mut self.runners {
            if let State::Running(worker, until) = runner.state
                && others_wait
                && self.workers.cpu(worker) >= until
            {
                self.workers.pause(worker);
                runner.state = State::Paused(worker);
            }
        }
    }

    /// Gives free processors to the stages that have had the least for their share.
    fn fill(&mut self) {
        while self.runners.iter().filter(|runner| runner.is_running()).count() < self.jobs() {
            let waiting = self.runners.iter().enumerate();
            let waiting = waiting.filter(|(_, runner)| matches!(runner.state, State::New | State::Paused(_)));
            let next = waiting.min_by_key(|(at, runner)| (runner.used(self.workers) / runner.stage.share, *at));
            let Some((at, _)) = next else { break };
            self.give_slice(at);
        }
        let running = self.runners.iter().filter(|runner| runner.is_running()).map(|runner| runner.stage.config);
        self.task.monitor.set_active(running.collect::<Vec<_>>().join(", "));
    }

    /// How many workers may run now. The first stage has its first slice alone: what it decides in that time, it decides
    /// in the same way on every machine.
    fn jobs(&self) -> usize {
        let first = &self.runners[0];
        let is_alone = first.state == State::New || first.is_running() && first.used(self.workers) < first.stage.first;
        if is_alone { 1 } else { self.workers.jobs() }
    }

    fn give_slice(&mut self, at: usize) {
        let used = self.runners[at].used(self.workers);
        let runner = &mut self.runners[at];
        let slice = used.max(runner.stage.first);
        match runner.state {
            State::Paused(worker) => {
                runner.state = State::Running(worker, self.workers.cpu(worker) + slice);
                self.workers.resume(worker);
            }
            _ => match self.workers.start(&mut || work(self.task, &self.runners[at].stage)) {
                Ok(worker) => self.runners[at].state = State::Running(worker, slice),
                Err(why) => self.end(at, &format!("not started: {why}")),
            },
        }
    }

    /// Kills the largest worker while all of them together exceed the limit.
    fn spare_memory(&mut self) {
        let sizes = self.runners.iter().enumerate();
        let sizes = sizes.filter_map(|(at, runner)| Some((self.workers.memory(runner.worker()?), at)));
        let sizes: Vec<(u64, usize)> = sizes.collect();
        if sizes.iter().map(|(size, _)| size).sum::<u64>() <= self.workers.memory_limit() {
            return;
        }
        if let Some(&(_, at)) = sizes.iter().max()
            && let Some(worker) = self.runners[at].worker()
        {
            self.workers.kill(worker);
            // Its end is reported as a crash, after which it must not start again.
            self.runners[at].restarts = MAX_RESTARTS;
        }
    }

    /// Handles the end of a worker. Returns the verdict if it decides.
    fn ended(&mut self, worker: WorkerId, end: WorkerEnd) -> Option<Verdict> {
        let at = self.runners.iter().position(|runner| runner.worker() == Some(worker))?;
        let message = match end {
            WorkerEnd::Sent(bytes) => Message::from_bytes(&bytes).ok_or("sent damaged data".to_owned()),
            WorkerEnd::OutOfMemory => {
                self.end(at, "out of memory");
                return None;
            }
            WorkerEnd::Crashed(how) => Err(how),
        };
        match message {
            Ok(Message { verdict, counters, proof }) => {
                self.task.monitor.add_counters(counters);
                if let Some(proof) = proof.filter(|_| matches!(verdict, Verdict::Safe)) {
                    self.task.monitor.set_proof(proof);
                }
                self.end(at, describe(&verdict));
                match verdict {
                    Verdict::Unknown(reason) => {
                        self.open = clearer(self.open.take(), reason);
                        None
                    }
                    decided => Some(decided),
                }
            }
            Err(how) => {
                let runner = &mut self.runners[at];
                if runner.restarts < MAX_RESTARTS {
                    runner.restarts += 1;
                    runner.spent += self.workers.cpu(worker);
                    runner.state = State::New;
                } else {
                    self.end(at, &how);
                }
                None
            }
        }
    }

    /// Records the end of a stage.
    fn end(&mut self, at: usize, how: &str) {
        let used = self.runners[at].used(self.workers);
        let runner = &mut self.runners[at];
        (runner.spent, runner.state, runner.end) = (used, State::Ended, Some(how.to_owned()));
    }

    /// Ends what still runs, and tells what each stage did.
    fn finish(&mut self, verdict: &Verdict) {
        let monitor = self.task.monitor;
        let undecided = match verdict {
            Verdict::Unknown(Reason::Stopped(stop)) => Reason::Stopped(*stop).kind(),
            _ => "stopped",
        };
        for at in 0..self.runners.len() {
            if let Some(worker) = self.runners[at].worker() {
                self.end(at, undecided);
                self.workers.kill(worker);
            }
            let runner = &mut self.runners[at];
            if let Some(end) = runner.end.take() {
                let cpu_seconds = runner.spent.as_secs_f64();
                monitor.stages.push(StageRecord { name: runner.stage.config, cpu_seconds, end });
            }
        }
        monitor.set_active(String::new());
    }
}

/// What a worker does.
fn work(task: &Task<'_>, stage: &Stage) -> Vec<u8> {
    task.monitor.become_worker();
    task.monitor.enter(Phase::Exploring);
    let verdict = run_stage(task, stage.config);
    Message { verdict, counters: task.monitor.counters(), proof: task.monitor.proof() }.to_bytes()
}

fn describe(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Safe => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(reason) => reason.kind(),
    }
}
