//! Statistics of a run: as a table, in one line, and as JSON. Nothing here allocates or locks.

use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytesize::ByteSize;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::monitor::{AbstractionCounters, AppendList, INTERPOLATORS, Monitor, PHASES, Phase, SOLVERS, StageRecord};

/// Resource usage of the process so far.
#[derive(Clone, Copy, Default, Debug)]
pub struct Usage {
    /// Time on the processors, with that of the compiler.
    pub cpu: Duration,
    /// Peak resident memory, in bytes.
    pub peak_memory: u64,
}

/// The counters of a run at one moment.
#[derive(serde::Serialize, Debug)]
pub struct Statistics<'m> {
    /// The current phase.
    phase: &'static str,
    stages: Stages<'m>,
    /// The time since the start.
    seconds: Seconds,
    /// Time on the processors, with that of the compiler.
    cpu_seconds: Seconds,
    states: u64,
    transfers: u64,
    transfers_per_second: u64,
    covered: u64,
    refinements: u64,
    precision: u64,
    moved: Moved<'m>,
    bound: u64,
    abstraction: Abstraction,
    interpolators: Interpolators,
    hard_queries: HardQueries,
    solver_calls: u64,
    solver_cached: u64,
    solver_seconds: Seconds,
    native_runs: u64,
    unconfirmed: Unconfirmed<'m>,
    peak_memory_bytes: u64,
    seconds_by_phase: PhaseTimes,
}

impl<'m> Statistics<'m> {
    /// The current values of `monitor`, with the resource usage of the process.
    pub fn of(monitor: &'m Monitor, usage: Usage) -> Statistics<'m> {
        let exploring = monitor.time_in(Phase::Exploring).as_secs_f64();
        let transfers = count(&monitor.transfers);
        let rate = if exploring > 0.0 { (transfers as f64 / exploring) as u64 } else { 0 };
        Statistics {
            phase: monitor.phase().name(),
            stages: Stages(&monitor.stages),
            seconds: Seconds(monitor.elapsed()),
            cpu_seconds: Seconds(usage.cpu),
            states: count(&monitor.states),
            transfers,
            transfers_per_second: rate,
            covered: count(&monitor.covered),
            refinements: count(&monitor.refinements),
            precision: count(&monitor.precision),
            moved: Moved(&monitor.moved),
            bound: count(&monitor.bound),
            abstraction: Abstraction::of(&monitor.abstraction),
            interpolators: Interpolators::of(monitor),
            hard_queries: HardQueries::of(monitor),
            solver_calls: count(&monitor.solver_calls),
            solver_cached: count(&monitor.solver_cached),
            solver_seconds: Seconds(Duration::from_micros(count(&monitor.solver_micros))),
            unconfirmed: Unconfirmed(&monitor.unconfirmed),
            native_runs: monitor.native_run_count(),
            peak_memory_bytes: usage.peak_memory,
            seconds_by_phase: PhaseTimes(Phase::ALL.map(|phase| Seconds(monitor.time_in(phase)))),
        }
    }

    /// Writes the analyses that were tried, if there are several.
    pub(super) fn tried(&self, out: &mut dyn Write) -> io::Result<()> {
        for (i, StageRecord { name, end, .. }) in self.stages.0.iter().enumerate() {
            write!(out, "{} {name} ({end})", if i == 0 { "tried:" } else { "," })?;
        }
        if self.stages.0.iter().next().is_some() { writeln!(out) } else { Ok(()) }
    }

    /// Writes the violations that no run of the compiled program confirms.
    pub(super) fn unconfirmed(&self, out: &mut dyn Write) -> io::Result<()> {
        self.unconfirmed.0.iter().try_for_each(|text| writeln!(out, "unconfirmed: {text}"))
    }

    /// Writes one line for each entry.
    pub(super) fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        for StageRecord { name, cpu_seconds, end } in self.stages.0.iter() {
            writeln!(out, "{name:20} {cpu_seconds:>7.2} s   {end}")?;
        }
        writeln!(out, "states            {:>12}", self.states)?;
        writeln!(out, "transfers         {:>12}   {} per second", self.transfers, self.transfers_per_second)?;
        writeln!(out, "covered           {:>12}", self.covered)?;
        writeln!(out, "refinements       {:>12}", self.refinements)?;
        writeln!(out, "precision         {:>12}", self.precision)?;
        self.moved.table(out)?;
        if self.bound > 0 {
            writeln!(out, "bound             {:>12}", self.bound)?;
        }
        self.abstraction.table(out)?;
        self.interpolators.table(out)?;
        let Statistics { solver_calls, solver_cached, solver_seconds, .. } = self;
        writeln!(out, "solver calls      {solver_calls:>12}   {solver_seconds} s; {solver_cached} more were known")?;
        self.hard_queries.table(out)?;
        if self.native_runs > 0 {
            let time = self.seconds_by_phase.0[Phase::Running as usize];
            writeln!(out, "native runs       {:>12}   {time} s, compiling included", self.native_runs)?;
        }
        writeln!(out, "time              {:>10} s   {} s on the processors", self.seconds, self.cpu_seconds)?;
        for (phase, time) in Phase::ALL.iter().zip(&self.seconds_by_phase.0) {
            writeln!(out, "  {:15} {:>10} s", phase.name(), time)?;
        }
        writeln!(out, "peak memory       {:>12}", bytes(self.peak_memory_bytes))
    }
}

fn count(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

/// What the stages of the run did.
#[derive(Debug)]
struct Stages<'m>(&'m AppendList<StageRecord>);

impl Serialize for Stages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter())
    }
}

/// Variables and cells dropped from the value domain.
#[derive(Debug)]
struct Moved<'m>(&'m AppendList<String>);

impl Moved<'_> {
    /// Writes nothing without any.
    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        // The run may append meanwhile, so only the counted items are listed.
        let count = self.0.len();
        for (i, name) in self.0.iter().take(count).enumerate() {
            match i {
                0 => write!(out, "left to predicates{count:>12}   {name}")?,
                _ => write!(out, ", {name}")?,
            }
        }
        if count > 0 { writeln!(out) } else { Ok(()) }
    }
}

/// Violations that no run of the compiled program confirms.
#[derive(Debug)]
struct Unconfirmed<'m>(&'m AppendList<String>);

impl Serialize for Unconfirmed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter())
    }
}

impl Serialize for Moved<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter())
    }
}

/// Counters of predicate abstraction.
#[derive(serde::Serialize, Debug)]
struct Abstraction {
    computed: u64,
    cached: u64,
    queries: u64,
    models: u64,
    predicates: u64,
    locations: u64,
    /// Per location.
    average_predicates: f64,
    most_predicates: u64,
}

impl Abstraction {
    fn of(counters: &AbstractionCounters) -> Abstraction {
        let (locations, tracked) = (count(&counters.locations), count(&counters.tracked));
        Abstraction {
            computed: count(&counters.computed),
            cached: count(&counters.cached),
            queries: count(&counters.queries),
            models: count(&counters.models),
            predicates: count(&counters.predicates),
            locations,
            average_predicates: (tracked as f64 * 100.0 / locations.max(1) as f64).round() / 100.0,
            most_predicates: count(&counters.most_tracked),
        }
    }

    /// Writes nothing without an abstraction.
    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let Abstraction { computed, cached, queries, models, .. } = self;
        if computed + cached == 0 {
            return Ok(());
        }
        writeln!(
            out,
            "abstractions      {computed:>12}   {queries} queries, {models} models; {cached} more were known"
        )?;
        let Abstraction { predicates, locations, average_predicates: average, most_predicates: most, .. } = self;
        writeln!(
            out,
            "predicates        {predicates:>12}   {average} on average, {most} at most at {locations} locations"
        )
    }
}

/// Counters of interpolators.
#[derive(Debug)]
struct Interpolators([Option<Interpolator>; INTERPOLATORS]);

#[derive(serde::Serialize, Debug)]
struct Interpolator {
    name: &'static str,
    asked: u64,
    given: u64,
    refused: u64,
    refuted: u64,
}

impl Interpolators {
    fn of(monitor: &Monitor) -> Interpolators {
        let mut all = monitor.interpolators().map(|counters| {
            let [given, refused, refuted] = [&counters.given, &counters.refused, &counters.refuted].map(count);
            Interpolator { name: counters.name, asked: given + refused + refuted, given, refused, refuted }
        });
        Interpolators(std::array::from_fn(|_| all.next()))
    }

    /// Writes nothing without an interpolator.
    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let all = || self.0.iter().flatten();
        if all().next().is_some() {
            writeln!(out, "interpolants      {:>12}", all().map(|one| one.given).sum::<u64>())?;
        }
        for Interpolator { name, asked, given, refused, refuted } in all() {
            writeln!(out, "  asked {name:9} {asked:>12}   {given} right, {refuted} wrong, {refused} none")?;
        }
        Ok(())
    }
}

impl Serialize for Interpolators {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().flatten())
    }
}

/// Counters of solvers, for hard queries.
#[derive(Debug)]
struct HardQueries([Option<HardQuery>; SOLVERS]);

#[derive(serde::Serialize, Debug)]
struct HardQuery {
    solver: &'static str,
    asked: u64,
    first: u64,
    seconds: Seconds,
    failures: u64,
    wrong_models: u64,
}

impl HardQueries {
    fn of(monitor: &Monitor) -> HardQueries {
        let mut all = monitor.solver_counters().map(|counters| HardQuery {
            solver: counters.name,
            asked: count(&counters.calls),
            first: count(&counters.wins),
            seconds: Seconds(Duration::from_micros(count(&counters.micros))),
            failures: count(&counters.failures),
            wrong_models: count(&counters.wrong_models),
        });
        HardQueries(std::array::from_fn(|_| all.next()))
    }

    /// Writes nothing without a hard query.
    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        for HardQuery { solver, asked, first, seconds, failures, wrong_models } in self.0.iter().flatten() {
            writeln!(
                out,
                "  hard, {solver:9} {asked:>12}   {seconds} s; {first} answered first, {failures} failures, \
                 {wrong_models} wrong models"
            )?;
        }
        Ok(())
    }
}

impl Serialize for HardQueries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().flatten())
    }
}

/// The statistics in one line.
impl fmt::Display for Statistics<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Statistics { states, transfers, refinements, seconds, .. } = self;
        let memory = bytes(self.peak_memory_bytes);
        write!(f, "{states} states, {transfers} transfers, {refinements} refinements in {seconds} s, {memory}")
    }
}

/// A number of bytes with a unit.
pub fn bytes(count: u64) -> impl fmt::Display {
    ByteSize::b(count).display().si()
}

/// A time in seconds, with three decimals.
#[derive(Clone, Copy, Debug)]
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = f.width().unwrap_or(0);
        write!(f, "{:width$.3}", self.0.as_secs_f64())
    }
}

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64((self.0.as_secs_f64() * 1000.0).round() / 1000.0)
    }
}

/// The time in each phase, by its name.
#[derive(Debug)]
struct PhaseTimes([Seconds; PHASES]);

impl Serialize for PhaseTimes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(PHASES))?;
        for (phase, time) in Phase::ALL.iter().zip(&self.0) {
            map.serialize_entry(phase.name(), time)?;
        }
        map.end()
    }
}
