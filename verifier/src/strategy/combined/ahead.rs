//! Values go ahead alone until predicates are needed: formulas cost time at every step, and many programs need none.

use std::time::Duration;

use super::super::options::CheckOptions;
use super::super::report::Reason;
use super::super::value_side::{self, ByValues, ValueSide};
use crate::algorithm::hunt::Hunted;
use crate::algorithm::{Answer, Explorer, Hunter, Hunting, Refine, Refined, Settings, Stops, cegar};
use crate::arg::Order;
use crate::cfa::{DomainType, LocId, Step};
use crate::cpa::composite::Pair;
use crate::cpa::control::{Control, ControlCpa, Event};
use crate::cpa::value::precision::ValuePrecision;
use crate::cpa::value::{ValueState, Values};
use crate::evidence::{Checker, Counterexample, PathCheck};
use crate::monitor::{Monitor, Stop};
use crate::refine::value::Facts;

/// For so many transfers, counters are tracked by their values: small loops are unrolled before predicates have begun.
const BRIEFLY: u64 = 1 << 21;

type Found = Box<Counterexample>;

/// Runs the analysis of values; `None` if predicates are needed.
pub(super) fn check<'p>(
    cpa: &Pair<ControlCpa<'p>, Values<'p>>,
    options: &CheckOptions,
    errors: Vec<LocId>,
    tracked: &mut (((), ()), ValuePrecision),
    hunt: &mut dyn Hunter<Found>,
    monitor: &Monitor,
) -> Option<Answer<Found, Reason>> {
    let settings = Settings { order: options.order.unwrap_or(Order::BreadthFirst), stops: Stops::WhereNeeded, errors };
    let mut explorer = Explorer::new(cpa, settings, monitor);
    let has_counters = std::cell::Cell::new(false);
    let mut refiner = ValuesAlone {
        side: ValueSide::new(&cpa.second, options),
        checker: Checker::new(cpa.second.program(), monitor),
        // Who says what he prefers gets that.
        takes_counters: options.select.is_none(),
        has_counters: &has_counters,
        values: &cpa.second,
        facts: Vec::new(),
    };
    let mut hunter = Impatient { hunt, has_counters: &has_counters };
    let hunting = Hunting { hunter: &mut hunter, after: BRIEFLY };
    let answer = cegar(&mut explorer, tracked, &mut refiner, Some(hunting), options.refinement, monitor);
    let is_over = !matches!(answer, Answer::Stopped(Stop::Turn, _)) || monitor.check().is_err();
    is_over.then_some(answer)
}

/// Refines values as long as nobody needs predicates.
struct ValuesAlone<'a, 'p> {
    side: ValueSide<'a, 'p>,
    checker: Checker<'a>,
    takes_counters: bool,
    /// Is a counter tracked?
    has_counters: &'a std::cell::Cell<bool>,
    values: &'a Values<'p>,
    /// What excludes the last path.
    facts: Vec<Facts>,
}

impl<'p> Refine<Pair<ControlCpa<'p>, Values<'p>>> for ValuesAlone<'_, 'p> {
    type Evidence = Found;
    type Reason = Reason;

    fn refine(
        &mut self,
        path: &[Step],
        event: Event,
        _: &(Control, ValueState),
        (_, tracked): &mut (((), ()), ValuePrecision),
    ) -> Refined<Found, Reason> {
        let way = self.side.propose(path, event, tracked, |_| true);
        if let Some(way) = &way
            && (self.takes_counters || self.side.is_taken_at_once(way))
        {
            return self.exclude(way, path, event, tracked);
        }
        if way.is_none()
            && event == Event::Error
            && let PathCheck::Feasible(counterexample) = self.checker.check(path)
        {
            return Refined::Feasible(counterexample);
        }
        // It is the turn of both.
        Refined::Stopped(Stop::Turn)
    }

    fn holds(&self, position: usize, (_, values): &(Control, ValueState)) -> bool {
        value_side::hold(self.facts.get(position), values)
    }
}

impl ValuesAlone<'_, '_> {
    fn exclude(
        &mut self,
        way: &ByValues,
        path: &[Step],
        event: Event,
        tracked: &mut ValuePrecision,
    ) -> Refined<Found, Reason> {
        self.facts = self.side.commit(way, path, event, tracked);
        let type_of = |cell| self.values.type_of(self.values.cells.place(cell).0.var);
        let has_counter = self.facts.iter().flatten().any(|&(cell, _)| type_of(cell) == DomainType::Counter);
        self.has_counters.set(self.has_counters.get() || has_counter);
        Refined::Excluded
    }
}

/// A hunt that gives way to predicates where loops are unrolled for long.
struct Impatient<'h> {
    hunt: &'h mut dyn Hunter<Found>,
    has_counters: &'h std::cell::Cell<bool>,
}

impl Hunter<Found> for Impatient<'_> {
    fn run(&mut self, time: Duration, monitor: &Monitor) -> Hunted<Found> {
        // Without any time, nobody has paused.
        if time.is_zero() {
            return Hunted::Paused;
        }
        if self.has_counters.get() {
            return Hunted::Stopped(Stop::Turn);
        }
        match self.hunt.run(time, monitor) {
            // Whether loops are unrolled for long is still to be seen.
            Hunted::Exhausted => Hunted::Paused,
            hunted => hunted,
        }
    }
}
