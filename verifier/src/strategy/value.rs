//! The configurations `value` and `value-full`: explicit values, with and without refinement (paper 000).

use std::hash::BuildHasher;
use std::sync::atomic::Ordering::Relaxed;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::inspect::View;
use super::inspect::value::Built;
use super::options::{CheckOptions, Config, Heuristic};
use super::report::{Reason, Verdict};
use crate::algorithm::{Explorer, Hunt, Hunting, Refine, Refined, Settings, Stops, Witness, cegar};
use crate::arg::Order;
use crate::cfa::{LocId, Program, Scope, Step};
use crate::cpa::composite::{Apart, Pair};
use crate::cpa::control::{Control, ControlCpa, Event, control};
use crate::cpa::sharing::Sharing;
use crate::cpa::value::cells::Place;
use crate::cpa::value::precision::ValuePrecision;
use crate::cpa::value::{ValueState, Values};
use crate::evidence::{Checker, Counterexample, PathCheck};
use crate::monitor::Monitor;
use crate::refine::select::Selection;
use crate::refine::value::{Facts, refine};

/// What is preferred where nothing is said: values that are easy to track, as those of counters unroll loops.
pub(super) const EASY: [Heuristic; 2] = [Heuristic::GoodDomain, Heuristic::Narrow];

/// After so many transfers an error is hunted for.
pub(super) const LONG: u64 = 1 << 23;

/// Runs the analysis.
pub(super) fn check(program: &Program, options: &CheckOptions, monitor: &Monitor) -> Verdict {
    run(program, options, Stops::default(), monitor, |_, _| ()).0
}

/// Runs the analysis, with a state at every location, and lets `look` see what it has built.
pub(super) fn inspect<T>(
    program: &Program,
    options: &CheckOptions,
    monitor: &Monitor,
    look: impl FnOnce(&dyn View) -> T,
) -> (Verdict, T) {
    run(program, options, Stops::Everywhere, monitor, |explorer, precision| {
        look(&Built { explorer, precision, sharing: sharing(options) })
    })
}

/// Runs the analysis and lets somebody look at what it has built.
fn run<'p, T>(
    program: &'p Program,
    options: &CheckOptions,
    stops: Stops,
    monitor: &Monitor,
    look: impl for<'a> FnOnce(&'a Explorer<'a, 'p, Values<'p>>, &'a ValuePrecision) -> T,
) -> (Verdict, T) {
    let values = match stops {
        Stops::WhereNeeded => Values::new(program),
        Stops::Everywhere => Values::with_dead_variables(program),
    };
    let cpa = Pair { first: control(program, options.recursion), second: values, exchange: Apart };
    let precision = match options.config {
        Config::ValueFull => ValuePrecision::full(),
        _ => initial_precision(&cpa.second, options),
    };
    // Short paths refine better; with all values there is nothing to refine, and errors lie deep.
    let order = if options.config == Config::ValueFull { Order::DepthFirst } else { Order::BreadthFirst };
    let settings = Settings {
        order: options.order.unwrap_or(order),
        stops,
        errors: super::selected_errors(program, &options.properties),
    };
    let mut explorer = Explorer::new(&cpa, settings, monitor);
    let mut refiner = ValueRefiner {
        values: &cpa.second,
        options,
        monitor,
        facts: Vec::new(),
        selection: Selection::new(options.select.as_deref().unwrap_or(&EASY)),
        checker: Checker::new(program, monitor),
        refined: FxHashSet::default(),
    };
    let mut precision = (((), ()), precision);
    let mut hunt = hunt(explorer.another(Order::Alternating), program, monitor);
    let hunting = Hunting { hunter: &mut hunt, after: LONG };
    let answer = cegar(&mut explorer, &mut precision, &mut refiner, Some(hunting), options.refinement, monitor);
    let seen = look(&explorer, &precision.1);
    (answer.into(), seen)
}

/// A hunt for errors with all values.
pub(super) fn hunt<'a, 'p>(
    explorer: Explorer<'a, 'p, Values<'p>>,
    program: &'a Program,
    monitor: &'a Monitor,
) -> Hunt<'a, 'p, Values<'p>, Apart, Runs<'a>> {
    Hunt::new(explorer, (((), ()), ValuePrecision::full()), Runs { checker: Checker::new(program, monitor) })
}

/// Runs of the program, as the solver finds them.
pub(super) struct Runs<'a> {
    checker: Checker<'a>,
}

impl Witness for Runs<'_> {
    type Evidence = Box<Counterexample>;

    fn is_possible(&mut self, path: &[Step]) -> bool {
        self.checker.is_possible(path)
    }

    fn is_known(&mut self, path: &[Step]) -> bool {
        self.checker.is_known(path)
    }

    fn confirm(&mut self, path: &[Step]) -> Option<Box<Counterexample>> {
        if !self.checker.is_possible(path) {
            return None;
        }
        match self.checker.check(path) {
            PathCheck::Feasible(counterexample) => Some(counterexample),
            _ => None,
        }
    }
}

/// How far the precision is shared: what matters at one place mostly matters at many, and finding it place by place takes
/// hundreds of refinements.
pub(super) fn sharing(options: &CheckOptions) -> Sharing {
    options.scope.unwrap_or(Sharing::Global)
}

/// Tracks what the user asks for.
pub(super) fn initial_precision(values: &Values<'_>, options: &CheckOptions) -> ValuePrecision {
    let program = values.program();
    let mut precision = ValuePrecision::empty(program, sharing(options));
    for var in options.track.iter().flat_map(|name| super::variables(program, name)) {
        let cell = values.cells.number(Place::scalar(var));
        let locations = match program.var(var).scope {
            Scope::Local(function) => program.function(function).locations.clone(),
            Scope::Global => 0..program.locations.len() as u32,
        };
        for location in locations {
            precision.add(LocId(location), cell);
        }
    }
    precision
}

/// Refines values; what values cannot refute is asked of the solver.
struct ValueRefiner<'a, 'p> {
    values: &'a Values<'p>,
    options: &'a CheckOptions,
    monitor: &'a Monitor,
    /// What excludes the last path.
    facts: Vec<Facts>,
    selection: Selection,
    checker: Checker<'a>,
    /// The paths that were refined, by their hashes.
    refined: FxHashSet<u64>,
}

impl<'p> Refine<Pair<ControlCpa<'p>, Values<'p>>> for ValueRefiner<'_, 'p> {
    type Evidence = Box<Counterexample>;
    type Reason = Reason;

    fn refine(
        &mut self,
        path: &[Step],
        event: Event,
        _: &(Control, ValueState),
        (_, precision): &mut (((), ()), ValuePrecision),
    ) -> Refined<Box<Counterexample>, Reason> {
        // A path that was refined before is there again: refining it once more would change nothing.
        if !self.refined.insert(FxBuildHasher.hash_one((path, event))) {
            return Refined::GivenUp(Reason::NoProgress(path.to_vec()));
        }
        // A step that blocks a path is not taken.
        let taken = if event == Event::Error { path } else { &path[..path.len() - 1] };
        match refine(self.values, taken, precision, &mut self.selection) {
            Some(facts) => {
                self.monitor.precision.store(precision.len() as u64, Relaxed);
                self.facts = facts;
                Refined::Excluded
            }
            None => self.check(path, event),
        }
    }

    fn holds(&self, position: usize, (_, state): &(Control, ValueState)) -> bool {
        let facts = self.facts.get(position);
        facts.is_some_and(|facts| facts.iter().all(|&(cell, word)| state.get(cell) == Some(word)))
    }
}

impl ValueRefiner<'_, '_> {
    /// Is a path feasible that values do not refute?
    fn check(&mut self, path: &[Step], event: Event) -> Refined<Box<Counterexample>, Reason> {
        let given_up = |reason| Refined::GivenUp(reason);
        if event != Event::Error {
            return given_up(super::blocked(self.values.program(), path, self.options));
        }
        match self.checker.check(path) {
            PathCheck::Feasible(counterexample) => Refined::Feasible(counterexample),
            _ if let Err(stop) = self.monitor.check() => Refined::Stopped(stop),
            PathCheck::Infeasible { .. } => given_up(Reason::NeedsPredicates(path.to_vec())),
            PathCheck::Unknown(why) => given_up(Reason::Solver { why, path: path.to_vec() }),
            PathCheck::ReplayFailed(why) => given_up(Reason::Replay { why, path: path.to_vec() }),
        }
    }
}
