//! The configurations `value+predicate` and `value-full+predicate`: both domains in lock step on one graph (paper 000, §3).

mod ahead;

use std::sync::atomic::Ordering::Relaxed;

use super::inspect::combined::Built;
use super::inspect::{self, View};
use super::options::{CheckOptions, Config};
use super::predicate::PredicateRefiner;
use super::report::{Reason, Verdict};
use super::value::EASY;
use super::value_side::{self, ByValues, ValueSide};
use crate::algorithm::{Explorer, Hunting, Proofs, Refine, Refined, Settings, Stops, cegar};
use crate::arg::Order;
use crate::cfa::print::Printer;
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
use crate::refine::value::Facts;

/// Both domains.
pub(super) type Both<'m, 'p> = Pair<LimitedValues<'p>, Predicates<'m, 'p>, Pinning>;
/// Their precisions.
pub(super) type BothPrecisions = ((ValuePrecision, ()), PredicatePrecision);
type BothStates = ((ValueState, History), PredicateState);

/// After so many transfers an error is hunted for: formulas make them slow.
const LONG: u64 = 1 << 12;

/// Runs the analysis and lets `look` see what it has built. Where states are kept only where needed, values go ahead alone,
/// and there is nothing to see if they decide.
pub(super) fn run(
    program: &Program,
    options: &CheckOptions,
    stops: Stops,
    monitor: &Monitor,
    look: impl FnOnce(&dyn View),
) -> Verdict {
    let errors = super::selected_errors(program, &options.properties);
    let values = match stops {
        Stops::WhereNeeded => Values::new(program),
        Stops::Everywhere => Values::with_dead_variables(program),
    };
    let tracked = match options.config {
        Config::ValueFullPredicate => ValuePrecision::full(),
        _ => super::value::initial_precision(&values, options),
    };
    // Errors are hunted for with values alone, as nothing is to be proved on the way.
    let alone = Pair { first: control(program, options.recursion), second: Values::new(program), exchange: Apart };
    let settings = Settings { stops: Stops::WhereNeeded, errors: errors.clone(), ..Settings::default() };
    let explorer = Explorer::new(&alone, settings, monitor);
    let mut hunt = super::value::hunters(&explorer, options, Proofs::ByPaths, monitor);

    let cpa = Pair { first: control(program, options.recursion), second: values, exchange: Apart };
    let mut tracked = (((), ()), tracked);
    if stops == Stops::WhereNeeded {
        let answer = ahead::check(&cpa, options, errors.clone(), &mut tracked, &mut hunt, monitor);
        if let Some(answer) = answer {
            return answer.into();
        }
    }
    let mut tracked = tracked.1;
    let values = cpa.second;
    tracked.retain(|cell| values.type_of(values.cells.place(cell).0.var) != DomainType::Counter);
    let limited = Pair { first: values, second: Histories, exchange: Turnover::new(options.value_threshold) };
    let settings = predicate::Settings { blocks: options.blocks, method: options.abstraction };
    let predicates = Predicates::new(program, settings, &errors, monitor);
    let both = Pair { first: limited, second: predicates, exchange: Pinning };
    let cpa = Pair { first: control(program, options.recursion), second: both, exchange: Apart };
    // Ways meet before they go on.
    let settings = Settings { order: options.order.unwrap_or(Order::ReversePostorder), stops, errors };
    let mut explorer = Explorer::new(&cpa, settings, monitor);
    // Both domains prefer the same, so that what they propose can be compared.
    let select = options.select.clone().unwrap_or_else(|| EASY.to_vec());
    let options = &CheckOptions { select: Some(select), ..options.clone() };
    let mut refiner = CombinedRefiner {
        values: &cpa.second.first,
        side: ValueSide::new(&cpa.second.first.first, options),
        predicates: PredicateRefiner::new(&cpa.second.second, options, monitor),
        monitor,
        excluded_by: Domain::Predicates,
    };
    let precision = ((tracked, ()), PredicatePrecision::empty(program, super::predicate::sharing(options)));
    let mut precision = (((), ()), precision);
    let hunting = Hunting { hunter: &mut hunt, after: LONG };
    let answer = cegar(&mut explorer, &mut precision, &mut refiner, Some(hunting), options.refinement, monitor);
    refiner.tell_moved();
    look(&Built { explorer: &explorer, precision: &precision.1, options });
    answer.into()
}

/// Refines values or predicates, whichever the heuristics prefer (paper 003, Section 6), or values wherever they can.
struct CombinedRefiner<'a, 'm, 'p> {
    values: &'a LimitedValues<'p>,
    side: ValueSide<'a, 'p>,
    predicates: PredicateRefiner<'a, 'm, 'p>,
    monitor: &'a Monitor,
    /// What excludes the last path.
    excluded_by: Domain,
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
        self.tell_moved();
        refined
    }

    fn holds(&self, position: usize, (_, ((values, _), state)): &(Control, BothStates)) -> bool {
        match &self.excluded_by {
            Domain::Values(facts) => value_side::hold(facts.get(position), values),
            Domain::Predicates => self.predicates.is_strong(state),
        }
    }
}

impl CombinedRefiner<'_, '_, '_> {
    /// Tells the monitor what has been left to predicates.
    fn tell_moved(&self) {
        let (values, moved) = (&self.values.first, self.values.exchange.moved());
        if let Ok(mut told) = self.monitor.moved.lock()
            && told.len() < moved.len()
        {
            let printer = Printer::new(values.program());
            *told = moved.iter().map(|&(cell, _)| inspect::value::name(values, cell, &printer)).collect();
        }
    }

    /// Refines one of the domains.
    fn refine_either(
        &mut self,
        path: &[Step],
        event: Event,
        state: &PredicateState,
        (tracked, predicates): (&mut ValuePrecision, &mut PredicatePrecision),
    ) -> Refined<Box<Counterexample>, Reason> {
        let (cells, turnover) = (&self.values.first.cells, &self.values.exchange);
        let has_moved = |place| cells.get(place).is_some_and(|cell| turnover.has_moved(cell));
        let values = self.side.propose(path, event, tracked, |place| !has_moved(place));
        let mut by_values = |refiner: &mut Self, way: &ByValues| {
            refiner.excluded_by = Domain::Values(refiner.side.commit(way, path, event, tracked));
            Refined::Excluded
        };
        if let Some(way) = &values
            && self.side.is_taken_at_once(way)
        {
            return by_values(self, way);
        }
        let proposal = match self.predicates.propose(path, event, state, predicates) {
            Ok(proposal) => proposal,
            Err(Refined::GivenUp(_)) if let Some(way) = &values => return by_values(self, way),
            Err(found) => return found,
        };
        if let Some(way) = &values
            && self.side.selection.select(&[way.choices.candidates[way.chosen], proposal.candidate]) == Some(0)
        {
            return by_values(self, way);
        }
        match (self.predicates.commit(proposal, predicates), &values) {
            (Refined::GivenUp(_), Some(way)) => by_values(self, way),
            (refined, _) => {
                self.excluded_by = Domain::Predicates;
                self.track_pinned(tracked);
                refined
            }
        }
    }

    /// What predicates compare with constants is tracked by value too, so that it decides branches on the way.
    fn track_pinned(&self, tracked: &mut ValuePrecision) {
        let (values, turnover) = (&self.values.first, &self.values.exchange);
        for &(location, place) in &self.predicates.pinned {
            let cell = values.cells.number(place);
            if !turnover.has_moved(cell) && values.type_of(place.var) != DomainType::Counter {
                tracked.add(location, cell);
            }
        }
    }
}
