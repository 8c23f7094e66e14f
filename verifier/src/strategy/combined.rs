//! The configurations `value+predicate` and `value-full+predicate`: both domains in lock step on one graph (paper 000, §3).

use std::hash::BuildHasher;
use std::sync::atomic::Ordering::Relaxed;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::inspect::View;
use super::inspect::combined::Built;
use super::options::{CheckOptions, Config, RefinedFirst};
use super::predicate::PredicateRefiner;
use super::report::{Reason, Verdict};
use super::value::EASY;
use crate::algorithm::{Explorer, Refine, Refined, Settings, Stops, cegar};
use crate::arg::Order;
use crate::cfa::{DomainType, Program, Step};
use crate::cpa::composite::{Apart, Pair};
use crate::cpa::control::{Control, ControlCpa, Event, control};
use crate::cpa::pinning::Pinning;
use crate::cpa::predicate::precision::PredicatePrecision;
use crate::cpa::predicate::state::PredicateState;
use crate::cpa::predicate::{self, Predicates};
use crate::cpa::value::precision::ValuePrecision;
use crate::cpa::value::turnover::{Histories, History, LimitedValues, Turnover};
use crate::cpa::value::{ValueState, Values};
use crate::evidence::Counterexample;
use crate::monitor::Monitor;
use crate::refine::select::Selection;
use crate::refine::value::{Choices, Facts};

/// Both domains.
pub(super) type Both<'m, 'p> = Pair<LimitedValues<'p>, Predicates<'m, 'p>, Pinning>;
/// Their precisions.
pub(super) type BothPrecisions = ((ValuePrecision, ()), PredicatePrecision);
type BothStates = ((ValueState, History), PredicateState);

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
        look(&Built { explorer, precision, options })
    })
}

fn run<'m, 'p, T>(
    program: &'p Program,
    options: &CheckOptions,
    stops: Stops,
    monitor: &'m Monitor,
    look: impl for<'a> FnOnce(&'a Explorer<'a, 'p, Both<'m, 'p>>, &'a BothPrecisions) -> T,
) -> (Verdict, T) {
    let errors = super::selected_errors(program, &options.properties);
    let values = match stops {
        Stops::WhereNeeded => Values::new(program),
        Stops::Everywhere => Values::with_dead_variables(program),
    };
    let tracked = match options.config {
        Config::ValueFullPredicate => ValuePrecision::full(),
        _ => super::value::initial_precision(&values, options),
    };
    let limited = Pair { first: values, second: Histories, exchange: Turnover::new(options.value_threshold) };
    let settings = predicate::Settings { blocks: options.blocks, method: options.abstraction };
    let predicates = Predicates::new(program, settings, &errors, monitor);
    let both = Pair { first: limited, second: predicates, exchange: Pinning };
    let cpa = Pair { first: control(program, options.recursion), second: both, exchange: Apart };
    // Ways meet before they go on.
    let settings = Settings { order: options.order.unwrap_or(Order::ReversePostorder), stops, errors };
    let mut explorer = Explorer::new(&cpa, settings, monitor);
    let mut refiner = CombinedRefiner {
        values: &cpa.second.first,
        predicates: PredicateRefiner::new(&cpa.second.second, options, monitor),
        monitor,
        selection: Selection::new(options.select.as_deref().unwrap_or(&EASY)),
        first: options.refined_first,
        excluded_by: Domain::Predicates,
        refined: FxHashSet::default(),
    };
    let precision = ((tracked, ()), PredicatePrecision::empty(program, super::predicate::sharing(options)));
    let mut precision = (((), ()), precision);
    let answer = cegar(&mut explorer, &mut precision, &mut refiner, options.refinement, monitor);
    let seen = look(&explorer, &precision.1);
    (answer.into(), seen)
}

/// Refines values or predicates, whichever the heuristics prefer (paper 003, Section 6), or values wherever they can.
struct CombinedRefiner<'a, 'm, 'p> {
    values: &'a LimitedValues<'p>,
    predicates: PredicateRefiner<'a, 'm, 'p>,
    monitor: &'a Monitor,
    selection: Selection,
    first: RefinedFirst,
    /// What excludes the last path.
    excluded_by: Domain,
    /// The paths that were refined by values, by their hashes.
    refined: FxHashSet<u64>,
}

/// The domain that was refined, with what states must hold.
enum Domain {
    Values(Vec<Facts>),
    Predicates,
}

impl<'m, 'p> Refine<Pair<ControlCpa<'p>, Both<'m, 'p>>> for CombinedRefiner<'_, 'm, 'p> {
    type Evidence = Box<Counterexample>;
    type Reason = Reason;

    fn refine(
        &mut self,
        path: &[Step],
        event: Event,
        (_, (_, state)): &(Control, BothStates),
        (_, ((tracked, ()), predicates)): &mut (((), ()), BothPrecisions),
    ) -> Refined<Box<Counterexample>, Reason> {
        let refined = self.refine_either(path, event, state, (tracked, predicates));
        self.monitor.precision.store((tracked.len() + predicates.len()) as u64, Relaxed);
        refined
    }

    fn holds(&self, position: usize, (_, ((values, _), state)): &(Control, BothStates)) -> bool {
        match &self.excluded_by {
            Domain::Values(facts) => {
                let facts = facts.get(position);
                facts.is_some_and(|facts| facts.iter().all(|&(cell, word)| values.get(cell) == Some(word)))
            }
            Domain::Predicates => self.predicates.is_strong(state),
        }
    }
}

impl CombinedRefiner<'_, '_, '_> {
    /// Refines one of the domains.
    fn refine_either(
        &mut self,
        path: &[Step],
        event: Event,
        state: &PredicateState,
        (tracked, predicates): (&mut ValuePrecision, &mut PredicatePrecision),
    ) -> Refined<Box<Counterexample>, Reason> {
        // A step that blocks a path is not taken.
        let taken = if event == Event::Error { path } else { &path[..path.len() - 1] };
        let values = self.by_values(path, event, taken, tracked);
        if let Some(way) = &values
            && self.is_taken_at_once(way)
        {
            return self.refine_values(way, taken, tracked);
        }
        let proposal = match self.predicates.propose(path, event, state, predicates) {
            Ok(proposal) => proposal,
            Err(Refined::GivenUp(_)) if let Some(way) = &values => return self.refine_values(way, taken, tracked),
            Err(found) => return found,
        };
        if let Some(way) = &values
            && self.selection.select(&[way.choices.candidates[way.chosen], proposal.candidate]) == Some(0)
        {
            return self.refine_values(way, taken, tracked);
        }
        self.excluded_by = Domain::Predicates;
        match (self.predicates.commit(proposal, predicates), &values) {
            (Refined::GivenUp(_), Some(way)) => self.refine_values(way, taken, tracked),
            (refined, _) => refined,
        }
    }

    /// The best way to exclude a path by values that are not left to predicates, if that has not been tried yet.
    fn by_values(&mut self, path: &[Step], event: Event, taken: &[Step], tracked: &ValuePrecision) -> Option<ByValues> {
        if tracked.is_full() || self.refined.contains(&hash(path, event)) {
            return None;
        }
        let (values, turnover) = (&self.values.first, &self.values.exchange);
        let has_moved = |place| values.cells.get(place).is_some_and(|cell| turnover.has_moved(cell));
        let choices = Choices::find(values, taken, |place| !has_moved(place));
        let chosen = self.selection.select(&choices.candidates)?;
        Some(ByValues { choices, chosen, path: hash(path, event) })
    }

    /// Is a way to refine values taken without looking at what predicates would need? So it is with values that are easy to
    /// track, if it is these that are wanted: no predicate is cheaper.
    fn is_taken_at_once(&self, way: &ByValues) -> bool {
        let is_easy = || way.choices.candidates[way.chosen].score < DomainType::Counter.weight();
        self.first == RefinedFirst::Values || self.selection.is_by_domain() && is_easy()
    }

    fn refine_values(
        &mut self,
        way: &ByValues,
        taken: &[Step],
        tracked: &mut ValuePrecision,
    ) -> Refined<Box<Counterexample>, Reason> {
        self.refined.insert(way.path);
        self.excluded_by = Domain::Values(way.choices.commit(way.chosen, &self.values.first, taken, tracked));
        Refined::Excluded
    }
}

/// A way to exclude a path by values.
struct ByValues {
    choices: Choices,
    chosen: usize,
    path: u64,
}

fn hash(path: &[Step], event: Event) -> u64 {
    FxBuildHasher.hash_one((path, event))
}
