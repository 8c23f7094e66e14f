//! What a run tells the outside while it is under way, and how the outside stops it.
//!
//! Analyses read no clock and no memory usage to decide anything: whoever starts a run watches over it from another
//! thread, reads the counters for a progress line, and asks it to stop by setting the reason. Only where several analyses
//! take turns, the time of each is measured here.

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Why a run was asked to stop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Stop {
    /// The time is up.
    Time = 1,
    /// It uses more memory than it may.
    Memory = 2,
    /// The user does not want to wait.
    Interrupted = 3,
    /// Another analysis has its turn.
    Turn = 4,
}

/// What a run is doing.
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
}

/// How many phases there are.
pub const PHASES: usize = 5;

impl Phase {
    /// All phases, in order.
    pub const ALL: [Phase; PHASES] =
        [Phase::Loading, Phase::Exploring, Phase::Checking, Phase::Refining, Phase::Replaying];

    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Loading => "loading",
            Phase::Exploring => "exploring",
            Phase::Checking => "checking",
            Phase::Refining => "refining",
            Phase::Replaying => "replaying",
        }
    }
}

/// Sees what the solver is asked. The core writes no files: whoever starts a run may.
pub trait Queries: fmt::Debug + Send + Sync {
    /// This is asked now: a text of SMT-LIB that is complete by itself. Gives it a number.
    fn asked(&self, text: &str) -> u64;

    /// What was asked under this number has this answer: `sat`, `unsat`, or `unknown` with the reason.
    fn answered(&self, number: u64, answer: &str);
}

/// What predicate abstraction did.
#[derive(Debug, Default)]
pub struct AbstractionCounters {
    /// Abstractions that were computed.
    pub computed: AtomicU64,
    /// Abstractions that were known from before.
    pub cached: AtomicU64,
    /// Questions to the solver that they took.
    pub queries: AtomicU64,
    /// Of these, answered by a model.
    pub models: AtomicU64,
    /// Different predicates.
    pub predicates: AtomicU64,
    /// Locations where something was abstracted.
    pub locations: AtomicU64,
    /// Predicates that were tracked at these, summed over them.
    pub tracked: AtomicU64,
    /// Predicates that were tracked at one of these, at most.
    pub most_tracked: AtomicU64,
}

/// How an interpolator fared.
#[derive(Debug)]
pub struct InterpolatorCounters {
    /// Its name.
    pub name: &'static str,
    /// How often its interpolants were right.
    pub given: AtomicU64,
    /// How often it gave none.
    pub refused: AtomicU64,
    /// How often they were wrong, or could not be checked.
    pub refuted: AtomicU64,
}

/// How many interpolators are counted at most.
pub const INTERPOLATORS: usize = 8;

/// The counters of a run and the request to stop it. Shared between the run and whoever watches it.
#[derive(Debug)]
pub struct Monitor {
    stop: AtomicU8,
    phase: AtomicU8,
    start: Instant,
    /// When the time is up, if it ever is: for parts that cannot be interrupted but take a limit, such as a solver.
    deadline: Option<Instant>,
    /// How long the run may take about, if that is known: for plans.
    budget: Option<Duration>,
    /// When the turn of the analysis that runs is over, in microseconds after the start.
    turn_end: AtomicU64,
    phase_start: AtomicU64,
    phase_micros: [AtomicU64; PHASES],
    queries: Option<Box<dyn Queries>>,
    /// Abstract states that were stored.
    pub states: AtomicU64,
    /// Transfers that were computed: abstract successors along one edge.
    pub transfers: AtomicU64,
    /// Abstract states that others cover.
    pub covered: AtomicU64,
    /// Refinements that were made.
    pub refinements: AtomicU64,
    /// What the precision holds: tracked variables, cells or predicates, summed over locations.
    pub precision: AtomicU64,
    /// The bound for loops, in bounded analyses.
    pub bound: AtomicU64,
    /// The variables and cells that were left to predicates, as they have too many values.
    pub moved: Mutex<Vec<String>>,
    /// What predicate abstraction did.
    pub abstraction: AbstractionCounters,
    /// How interpolators fared, in the order in which they were first named.
    interpolators: [OnceLock<InterpolatorCounters>; INTERPOLATORS],
    /// Questions to the solver.
    pub solver_calls: AtomicU64,
    /// Questions that were not asked, since the answer was known from before.
    pub solver_cached: AtomicU64,
    /// Time in the solver, in microseconds.
    pub solver_micros: AtomicU64,
}

impl Monitor {
    /// A run that starts now, in the phase `Loading`, and may take until `deadline`.
    pub fn new(deadline: Option<Instant>) -> Monitor {
        Monitor {
            stop: AtomicU8::new(0),
            phase: AtomicU8::new(Phase::Loading as u8),
            start: Instant::now(),
            deadline,
            budget: deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())),
            turn_end: AtomicU64::new(u64::MAX),
            phase_start: AtomicU64::new(0),
            phase_micros: [const { AtomicU64::new(0) }; PHASES],
            queries: None,
            states: AtomicU64::new(0),
            transfers: AtomicU64::new(0),
            covered: AtomicU64::new(0),
            refinements: AtomicU64::new(0),
            precision: AtomicU64::new(0),
            bound: AtomicU64::new(0),
            moved: Mutex::default(),
            abstraction: AbstractionCounters::default(),
            interpolators: [const { OnceLock::new() }; INTERPOLATORS],
            solver_calls: AtomicU64::new(0),
            solver_cached: AtomicU64::new(0),
            solver_micros: AtomicU64::new(0),
        }
    }

    /// The same, where plans are made for so much time.
    pub fn with_budget(self, budget: Option<Duration>) -> Monitor {
        Monitor { budget, ..self }
    }

    /// The same, where somebody sees what the solver is asked.
    pub fn with_queries(self, queries: Option<Box<dyn Queries>>) -> Monitor {
        Monitor { queries, ..self }
    }

    /// Who sees what the solver is asked.
    pub fn queries(&self) -> Option<&dyn Queries> {
        self.queries.as_deref()
    }

    /// How the interpolator of this name fares; `None` if there are too many.
    pub fn interpolator(&self, name: &'static str) -> Option<&InterpolatorCounters> {
        let [given, refused, refuted] = [const { AtomicU64::new(0) }; 3];
        let mut new = Some(InterpolatorCounters { name, given, refused, refuted });
        self.interpolators.iter().find_map(|slot| {
            let counters = slot.get_or_init(|| new.take().expect("only one slot takes it"));
            (counters.name == name).then_some(counters)
        })
    }

    /// How interpolators fared, in the order in which they were first named.
    pub fn interpolators(&self) -> impl Iterator<Item = &InterpolatorCounters> {
        self.interpolators.iter().map_while(OnceLock::get)
    }

    /// How much time there is about for the rest of the run, if that is known.
    pub fn budget(&self) -> Option<Duration> {
        self.budget.map(|budget| budget.saturating_sub(self.elapsed()))
    }

    /// Asks the run to stop. The first reason stays.
    pub fn request_stop(&self, why: Stop) {
        let _ = self.stop.compare_exchange(0, why as u8, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Has somebody asked the run to stop? Cheap enough for inner loops.
    #[inline]
    pub fn check(&self) -> Result<(), Stop> {
        match self.stop.load(Ordering::Relaxed) {
            0 => match self.turn_end.load(Ordering::Relaxed) {
                u64::MAX => Ok(()),
                end if (self.start.elapsed().as_micros() as u64) < end => Ok(()),
                _ => Err(Stop::Turn),
            },
            1 => Err(Stop::Time),
            2 => Err(Stop::Memory),
            _ => Err(Stop::Interrupted),
        }
    }

    /// From now on an analysis runs that may take so long; without a time, as long as the run may.
    pub fn begin_turn(&self, time: Option<Duration>) {
        let end = time.map_or(u64::MAX, |time| (self.start.elapsed() + time).as_micros() as u64);
        self.turn_end.store(end, Ordering::Relaxed);
    }

    /// How much time is left, if there is a limit.
    pub fn remaining(&self) -> Option<Duration> {
        let turn = match self.turn_end.load(Ordering::Relaxed) {
            u64::MAX => None,
            end => Some(Duration::from_micros(end).saturating_sub(self.start.elapsed())),
        };
        let run = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        [turn, run].into_iter().flatten().min()
    }

    /// How long the run has been under way.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The phase that the run is in.
    pub fn phase(&self) -> Phase {
        Phase::ALL[usize::from(self.phase.load(Ordering::Relaxed))]
    }

    /// A new phase begins; its time counts from now. Gives the one that ends.
    pub fn enter(&self, phase: Phase) -> Phase {
        let now = self.start.elapsed().as_micros() as u64;
        let since = self.phase_start.swap(now, Ordering::Relaxed);
        let before = self.phase();
        self.phase_micros[before as usize].fetch_add(now.saturating_sub(since), Ordering::Relaxed);
        self.phase.store(phase as u8, Ordering::Relaxed);
        before
    }

    /// The time that was spent in `phase` so far.
    pub fn time_in(&self, phase: Phase) -> Duration {
        let mut micros = self.phase_micros[phase as usize].load(Ordering::Relaxed);
        if self.phase() == phase {
            let now = self.start.elapsed().as_micros() as u64;
            micros += now.saturating_sub(self.phase_start.load(Ordering::Relaxed));
        }
        Duration::from_micros(micros)
    }
}
