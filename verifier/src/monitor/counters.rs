//! The counters of a worker process, as it sends them to the process that started it.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::{InterpolatorCounters, Monitor, NativeRuns, PHASES, SolverCounters};

/// What a run has counted.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Counters {
    numbers: Vec<u64>,
    phases: [u64; PHASES],
    interpolators: Vec<(String, [u64; 3])>,
    solvers: Vec<(String, [u64; 5])>,
    native_runs: u64,
    moved: Vec<String>,
    unconfirmed: Vec<String>,
}

/// What a worker must not send as its own, since lists only grow.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Inherited {
    moved: usize,
    unconfirmed: usize,
    native_runs: u64,
}

impl Monitor {
    /// Makes this the monitor of a worker, which counts from zero. Its time is that on the processors, since it is paused
    /// now and then.
    pub fn become_worker(&self) {
        self.children_micros.store(0, Ordering::Relaxed);
        self.worker_start.store(self.start.elapsed().as_micros() as u64, Ordering::Relaxed);
        let interpolators = self.interpolators().flat_map(|one| [&one.given, &one.refused, &one.refuted]);
        let solvers = self.solver_counters().flat_map(SolverCounters::numbers);
        let counters = self.numbers().into_iter().chain(&self.phase_micros).chain(interpolators).chain(solvers);
        counters.for_each(|counter| counter.store(0, Ordering::Relaxed));
        self.phase_start.store(self.micros(), Ordering::Relaxed);
        let native_runs = self.native_runs().map_or(0, NativeRuns::count);
        let inherited = Inherited { moved: self.moved.len(), unconfirmed: self.unconfirmed.len(), native_runs };
        let _ = self.inherited.set(inherited);
    }

    /// All plain counters, in a fixed order.
    fn numbers(&self) -> [&AtomicU64; 17] {
        let abstraction = &self.abstraction;
        [
            &self.states,
            &self.transfers,
            &self.covered,
            &self.refinements,
            &self.precision,
            &self.bound,
            &self.solver_calls,
            &self.solver_cached,
            &self.solver_micros,
            &abstraction.computed,
            &abstraction.cached,
            &abstraction.queries,
            &abstraction.models,
            &abstraction.predicates,
            &abstraction.locations,
            &abstraction.tracked,
            &abstraction.most_tracked,
        ]
    }

    /// The counters now.
    pub fn counters(&self) -> Counters {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let of = |counters: &InterpolatorCounters| {
            let InterpolatorCounters { name, given, refused, refuted } = counters;
            ((*name).to_owned(), [given, refused, refuted].map(load))
        };
        let inherited = self.inherited.get().copied().unwrap_or_default();
        Counters {
            numbers: self.numbers().map(load).to_vec(),
            phases: super::Phase::ALL.map(|phase| self.time_in(phase).as_micros() as u64),
            interpolators: self.interpolators().map(of).collect(),
            solvers: self.solver_counters().map(|one| (one.name.to_owned(), one.numbers().map(load))).collect(),
            native_runs: self.native_runs().map_or(0, NativeRuns::count) - inherited.native_runs,
            moved: self.moved.iter().skip(inherited.moved).cloned().collect(),
            unconfirmed: self.unconfirmed.iter().skip(inherited.unconfirmed).cloned().collect(),
        }
    }

    /// Adds what a worker has counted.
    pub fn add_counters(&self, counters: Counters) {
        for (counter, number) in self.numbers().into_iter().zip(counters.numbers) {
            counter.fetch_add(number, Ordering::Relaxed);
        }
        for (phase, micros) in self.phase_micros.iter().zip(counters.phases).skip(1) {
            phase.fetch_add(micros, Ordering::Relaxed);
        }
        for (name, numbers) in counters.interpolators {
            // There are few names, each of a few bytes.
            let Some(known) = self.interpolator(Box::leak(name.into_boxed_str())) else { continue };
            for (counter, number) in [&known.given, &known.refused, &known.refuted].into_iter().zip(numbers) {
                counter.fetch_add(number, Ordering::Relaxed);
            }
        }
        for (name, numbers) in counters.solvers {
            let Some(known) = self.solver(Box::leak(name.into_boxed_str())) else { continue };
            for (counter, number) in known.numbers().into_iter().zip(numbers) {
                counter.fetch_add(number, Ordering::Relaxed);
            }
        }
        self.worker_runs.fetch_add(counters.native_runs, Ordering::Relaxed);
        counters.moved.into_iter().for_each(|name| self.moved.push(name));
        counters.unconfirmed.into_iter().for_each(|text| self.unconfirmed.push(text));
    }
}
