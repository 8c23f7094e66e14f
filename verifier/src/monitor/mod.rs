//! Counters of a run, and its cancellation.
//!
//! Analyses read neither the clock nor the memory usage. Another thread reads the counters for progress output, and
//! cancels the run by setting a stop reason. Only the turns of analyses that alternate are measured here.

mod append_list;
mod counters;
mod native;
mod solvers;
mod workers;

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

pub use append_list::AppendList;
pub use counters::Counters;
use counters::Inherited;
pub use native::{NativeInput, NativeRun, NativeRuns, RunResult};
pub use solvers::{Capabilities, SolverCounters, SolverProcess, SolverProgram, Solvers};
pub use workers::{WorkerEnd, WorkerId, Workers};

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use crate::tuning::Tuning;

/// Why a run was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum StopReason {
    /// The time limit was reached.
    Time = 1,
    /// The memory limit was reached.
    Memory = 2,
    /// Cancelled by the user.
    Interrupted = 3,
    /// The turn of the analysis has ended.
    Turn = 4,
}

/// The phases of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Phase {
    /// Reading and lifting the program.
    Loading = 0,
    /// Exploring abstract states.
    Exploring = 1,
    /// Checking whether an error path is feasible.
    Checking = 2,
    /// Refining the abstraction.
    Refining = 3,
    /// Replaying a counterexample.
    Replaying = 4,
    /// Compiling and running the program with the inputs of a counterexample.
    Running = 5,
    /// Waiting for worker processes.
    Analysing = 6,
}

/// The number of phases.
pub const PHASES: usize = 7;

impl Phase {
    /// All phases, in order.
    pub const ALL: [Phase; PHASES] = [
        Phase::Loading,
        Phase::Exploring,
        Phase::Checking,
        Phase::Refining,
        Phase::Replaying,
        Phase::Running,
        Phase::Analysing,
    ];

    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Loading => "loading",
            Phase::Exploring => "exploring",
            Phase::Checking => "checking",
            Phase::Refining => "refining",
            Phase::Replaying => "replaying",
            Phase::Running => "running",
            Phase::Analysing => "analysing",
        }
    }
}

/// Receives solver queries. The verifier does no I/O, so the command implements this.
pub trait Queries: fmt::Debug + Send + Sync {
    /// Called before a query, with a self-contained SMT-LIB script. Returns the number of the query.
    fn asked(&self, text: &str) -> u64;

    /// Called after query `number`, with `sat`, `unsat`, or `unknown` and the reason.
    fn answered(&self, number: u64, answer: &str);
}

/// Counters of predicate abstraction.
#[derive(Debug, Default)]
pub struct AbstractionCounters {
    /// Computed abstractions.
    pub computed: AtomicU64,
    /// Cache hits.
    pub cached: AtomicU64,
    /// Solver queries of computed abstractions.
    pub queries: AtomicU64,
    /// Satisfiable ones among these queries.
    pub models: AtomicU64,
    /// Distinct predicates.
    pub predicates: AtomicU64,
    /// Locations with an abstraction.
    pub locations: AtomicU64,
    /// Tracked predicates, summed over these locations.
    pub tracked: AtomicU64,
    /// The maximum number of tracked predicates at one location.
    pub most_tracked: AtomicU64,
}

/// Counters of an interpolator.
#[derive(Debug)]
pub struct InterpolatorCounters {
    /// Its name.
    pub name: &'static str,
    /// Valid sequences of interpolants.
    pub given: AtomicU64,
    /// Failures to give interpolants.
    pub refused: AtomicU64,
    /// Interpolants that were invalid, or could not be checked.
    pub refuted: AtomicU64,
}

/// What one of several analyses of a run did.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StageRecord {
    /// The name of its configuration.
    pub name: &'static str,
    /// Its time on the processors, in seconds.
    pub cpu_seconds: f64,
    /// How it ended, in a few words.
    pub end: String,
}

/// The number of slots for counters of interpolators.
pub const INTERPOLATORS: usize = 8;

/// The number of slots for counters of solvers.
pub const SOLVERS: usize = 8;

/// The counters of a run and its stop request, shared between threads.
///
/// Reading counters neither locks nor allocates, since signal handlers and a failing allocator do it.
#[derive(Debug)]
pub struct Monitor {
    stop: AtomicU8,
    phase: AtomicU8,
    start: Instant,
    /// The deadline, for components that cannot be cancelled but take a time limit, such as the solver.
    deadline: Option<Instant>,
    /// The approximate time for the run, if known, for planning.
    budget: Option<Duration>,
    /// The limit on work, in transfers; `u64::MAX` for none.
    work_limit: u64,
    /// The end of the current turn, in microseconds after the start.
    turn_end: AtomicU64,
    phase_start: AtomicU64,
    phase_micros: [AtomicU64; PHASES],
    queries: Option<Box<dyn Queries>>,
    native: OnceLock<Box<dyn NativeRuns>>,
    workers: OnceLock<Box<dyn Workers>>,
    solvers: OnceLock<Box<dyn Solvers>>,
    /// The time on the clock of the processor when this process became a worker, in microseconds; `u64::MAX` if it is none.
    worker_start: AtomicU64,
    /// What a worker has from the process that started it.
    inherited: OnceLock<Inherited>,
    /// Runs of the compiled program by workers that have ended.
    worker_runs: AtomicU64,
    /// What the stages of the run did.
    pub stages: AppendList<StageRecord>,
    /// The stages that run now.
    active: Mutex<String>,
    /// What the proof rests on, as text.
    proof: Mutex<Option<String>>,
    /// The numbers that steer the search.
    pub tuning: Tuning,
    /// Stored abstract states.
    pub states: AtomicU64,
    /// Computed transfers, each along one edge.
    pub transfers: AtomicU64,
    /// Covered abstract states.
    pub covered: AtomicU64,
    /// Refinements.
    pub refinements: AtomicU64,
    /// The size of the precision: tracked variables, cells or predicates, summed over locations.
    pub precision: AtomicU64,
    /// The current bound on loop iterations, in bounded analyses.
    pub bound: AtomicU64,
    /// Variables and cells dropped from the value domain, because they exceed the value threshold.
    pub moved: AppendList<String>,
    /// Violations that no run of the compiled program confirms, each with the reason.
    pub unconfirmed: AppendList<String>,
    /// Counters of predicate abstraction.
    pub abstraction: AbstractionCounters,
    /// Counters of interpolators, in the order of their first use.
    interpolators: [OnceLock<InterpolatorCounters>; INTERPOLATORS],
    /// Counters of solvers, in the order of their first use.
    solver_counters: [OnceLock<SolverCounters>; SOLVERS],
    /// Time of solver processes on the processors, in microseconds.
    pub children_micros: AtomicU64,
    /// Solver queries.
    pub solver_calls: AtomicU64,
    /// Queries answered from a cache.
    pub solver_cached: AtomicU64,
    /// Time in the solver, in microseconds.
    pub solver_micros: AtomicU64,
}

impl Monitor {
    /// Starts a run in the phase `Loading`.
    pub fn new(deadline: Option<Instant>) -> Monitor {
        Monitor {
            stop: AtomicU8::new(0),
            phase: AtomicU8::new(Phase::Loading as u8),
            start: Instant::now(),
            deadline,
            budget: deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())),
            work_limit: u64::MAX,
            turn_end: AtomicU64::new(u64::MAX),
            phase_start: AtomicU64::new(0),
            phase_micros: [const { AtomicU64::new(0) }; PHASES],
            queries: None,
            native: OnceLock::new(),
            workers: OnceLock::new(),
            solvers: OnceLock::new(),
            worker_start: AtomicU64::new(u64::MAX),
            inherited: OnceLock::new(),
            worker_runs: AtomicU64::new(0),
            stages: AppendList::default(),
            active: Mutex::new(String::new()),
            proof: Mutex::new(None),
            tuning: Tuning::default(),
            states: AtomicU64::new(0),
            transfers: AtomicU64::new(0),
            covered: AtomicU64::new(0),
            refinements: AtomicU64::new(0),
            precision: AtomicU64::new(0),
            bound: AtomicU64::new(0),
            moved: AppendList::default(),
            unconfirmed: AppendList::default(),
            abstraction: AbstractionCounters::default(),
            interpolators: [const { OnceLock::new() }; INTERPOLATORS],
            solver_counters: [const { OnceLock::new() }; SOLVERS],
            children_micros: AtomicU64::new(0),
            solver_calls: AtomicU64::new(0),
            solver_cached: AtomicU64::new(0),
            solver_micros: AtomicU64::new(0),
        }
    }

    /// Sets the approximate time for the run, which plans are based on.
    pub fn with_budget(self, budget: Option<Duration>) -> Monitor {
        Monitor { budget, ..self }
    }

    /// Limits the work, in transfers. Unlike a time limit, it stops a run at the same point on every machine.
    pub fn with_work_limit(self, work_limit: u64) -> Monitor {
        Monitor { work_limit, ..self }
    }

    /// The work so far, in transfers. A solver query counts as several.
    pub fn work(&self) -> u64 {
        let query_cost = self.tuning.explore.query_cost;
        self.transfers.load(Ordering::Relaxed) + query_cost * self.solver_calls.load(Ordering::Relaxed)
    }

    /// Sets the tuning.
    pub fn with_tuning(self, tuning: Tuning) -> Monitor {
        Monitor { tuning, ..self }
    }

    /// Sets the receiver of solver queries.
    pub fn with_queries(self, queries: Option<Box<dyn Queries>>) -> Monitor {
        Monitor { queries, ..self }
    }

    /// The receiver of solver queries.
    pub fn queries(&self) -> Option<&dyn Queries> {
        self.queries.as_deref()
    }

    /// Sets what runs the compiled program. Only the first call has an effect.
    pub fn set_native_runs(&self, native: Box<dyn NativeRuns>) {
        let _ = self.native.set(native);
    }

    /// What runs the compiled program; `None` if it is not run.
    pub fn native_runs(&self) -> Option<&dyn NativeRuns> {
        self.native.get().map(|native| &**native)
    }

    /// How often the compiled program was run.
    pub fn native_run_count(&self) -> u64 {
        self.native_runs().map_or(0, NativeRuns::count) + self.worker_runs.load(Ordering::Relaxed)
    }

    /// Sets what starts worker processes. Only the first call has an effect.
    pub fn set_workers(&self, workers: Box<dyn Workers>) {
        let _ = self.workers.set(workers);
    }

    /// What starts worker processes; `None` in a worker, and where there are none.
    pub fn workers(&self) -> Option<&dyn Workers> {
        let is_worker = self.worker_start.load(Ordering::Relaxed) != u64::MAX;
        self.workers.get().filter(|_| !is_worker).map(|workers| &**workers)
    }

    /// Sets the solvers for hard queries. Only the first call has an effect; without one, there is Z3 alone.
    pub fn set_solvers(&self, solvers: Box<dyn Solvers>) {
        let _ = self.solvers.set(solvers);
    }

    /// The solvers for hard queries.
    pub fn solvers(&self) -> Option<&dyn Solvers> {
        self.solvers.get().map(|solvers| &**solvers)
    }

    /// The counters of the solver `name`; `None` if all slots are taken.
    pub fn solver(&self, name: &'static str) -> Option<&SolverCounters> {
        self.solver_counters.iter().find_map(|slot| {
            let counters = slot.get_or_init(|| SolverCounters::new(name));
            (counters.name == name).then_some(counters)
        })
    }

    /// Counters of solvers, in the order of their first use.
    pub fn solver_counters(&self) -> impl Iterator<Item = &SolverCounters> {
        self.solver_counters.iter().map_while(OnceLock::get)
    }

    /// Names the stages that run now, for progress output.
    pub fn set_active(&self, stages: String) {
        *self.active.lock().unwrap_or_else(PoisonError::into_inner) = stages;
    }

    /// The stages that run now; empty if there are none, or if they are just changing.
    pub fn active(&self) -> String {
        self.active.try_lock().map_or_else(|_| String::new(), |active| active.clone())
    }

    /// Keeps what a proof rests on, for the next run.
    pub fn set_proof(&self, proof: String) {
        *self.proof.lock().unwrap_or_else(PoisonError::into_inner) = Some(proof);
    }

    /// What the proof rests on, if it was kept.
    pub fn proof(&self) -> Option<String> {
        self.proof.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Microseconds since the start of the run.
    fn micros(&self) -> u64 {
        match self.worker_start.load(Ordering::Relaxed) {
            u64::MAX => self.start.elapsed().as_micros() as u64,
            start => {
                let cpu = clock_gettime(ClockId::ProcessCPUTime);
                // What its solvers do is its work.
                let children = self.children_micros.load(Ordering::Relaxed);
                start + (cpu.tv_sec * 1_000_000 + cpu.tv_nsec / 1000) as u64 + children
            }
        }
    }

    /// The counters of the interpolator `name`; `None` if all slots are taken.
    pub fn interpolator(&self, name: &'static str) -> Option<&InterpolatorCounters> {
        let [given, refused, refuted] = [const { AtomicU64::new(0) }; 3];
        let mut new = Some(InterpolatorCounters { name, given, refused, refuted });
        self.interpolators.iter().find_map(|slot| {
            let counters = slot.get_or_init(|| new.take().expect("only one slot takes it"));
            (counters.name == name).then_some(counters)
        })
    }

    /// Counters of interpolators, in the order of their first use.
    pub fn interpolators(&self) -> impl Iterator<Item = &InterpolatorCounters> {
        self.interpolators.iter().map_while(OnceLock::get)
    }

    /// The approximate time for the rest of the run, if known.
    pub fn budget(&self) -> Option<Duration> {
        self.budget.map(|budget| budget.saturating_sub(self.elapsed()))
    }

    /// Requests the run to stop. The first reason is kept.
    pub fn request_stop(&self, why: StopReason) {
        let _ = self.stop.compare_exchange(0, why as u8, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// An error with the reason if the run is to stop. Cheap enough for inner loops.
    #[inline]
    pub fn check(&self) -> Result<(), StopReason> {
        match self.stop.load(Ordering::Relaxed) {
            0 if self.work_limit != u64::MAX && self.work() > self.work_limit => Err(StopReason::Time),
            0 => match self.turn_end.load(Ordering::Relaxed) {
                u64::MAX => Ok(()),
                end if self.micros() < end => Ok(()),
                _ => Err(StopReason::Turn),
            },
            1 => Err(StopReason::Time),
            2 => Err(StopReason::Memory),
            _ => Err(StopReason::Interrupted),
        }
    }

    /// Starts the turn of an analysis, of length `time` or without a limit of its own.
    pub fn begin_turn(&self, time: Option<Duration>) {
        let end = time.map_or(u64::MAX, |time| (self.elapsed() + time).as_micros() as u64);
        self.turn_end.store(end, Ordering::Relaxed);
    }

    /// The time left to the deadline of the run, whoever's turn it is.
    pub fn until_deadline(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The time left, if there is a limit.
    pub fn remaining(&self) -> Option<Duration> {
        let turn = match self.turn_end.load(Ordering::Relaxed) {
            u64::MAX => None,
            end => Some(Duration::from_micros(end).saturating_sub(self.elapsed())),
        };
        let run = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        [turn, run].into_iter().flatten().min()
    }

    /// The time since the start of the run.
    pub fn elapsed(&self) -> Duration {
        Duration::from_micros(self.micros())
    }

    /// The current phase.
    pub fn phase(&self) -> Phase {
        Phase::ALL[usize::from(self.phase.load(Ordering::Relaxed))]
    }

    /// Enters a phase. Returns the previous one.
    pub fn enter(&self, phase: Phase) -> Phase {
        let now = self.micros();
        let since = self.phase_start.swap(now, Ordering::Relaxed);
        let before = self.phase();
        self.phase_micros[before as usize].fetch_add(now.saturating_sub(since), Ordering::Relaxed);
        self.phase.store(phase as u8, Ordering::Relaxed);
        before
    }

    /// The time spent in `phase` so far.
    pub fn time_in(&self, phase: Phase) -> Duration {
        let mut micros = self.phase_micros[phase as usize].load(Ordering::Relaxed);
        if self.phase() == phase {
            let now = self.micros();
            micros += now.saturating_sub(self.phase_start.load(Ordering::Relaxed));
        }
        Duration::from_micros(micros)
    }
}
