//! The configurations `value` and `value-full`: explicit values, with and without refinement (paper 000).

use std::sync::atomic::Ordering::Relaxed;

use super::inspect::View;
use super::inspect::value::Built;
use super::options::{CheckOptions, Config, Heuristic};
use super::report::{Reason, Verdict};
use super::value_side::{self, ValueSide};
use crate::algorithm::{
    Confirmed, Explorer, Hunt, Hunter, Hunting, InTurn, Proofs, Refine, Refined, Settings, Stops, Survey, Witness,
    cegar,
};
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
use crate::refine::value::Facts;

/// What is preferred where nothing is said: values that are easy to track, as those of counters unroll loops.
pub(super) const EASY: [Heuristic; 2] = [Heuristic::GoodDomain, Heuristic::Narrow];

/// After so many transfers an error is hunted for.
pub(super) const LONG: u64 = 1 << 21;

/// Runs the analysis and lets `look` see what it has built.
pub(super) fn run(
    program: &Program,
    options: &CheckOptions,
    stops: Stops,
    monitor: &Monitor,
    look: impl FnOnce(&dyn View),
) -> Verdict {
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
        side: ValueSide::new(&cpa.second, options),
        program,
        options,
        monitor,
        facts: Vec::new(),
        checker: Checker::new(program, monitor),
    };
    let mut precision = (((), ()), precision);
    // A path that values do not refute needs predicates.
    let mut hunters = hunters(&explorer, options, Proofs::ByStates, monitor);
    let hunting = Hunting { hunter: &mut hunters, after: LONG };
    let answer = cegar(&mut explorer, &mut precision, &mut refiner, Some(hunting), options.refinement, monitor);
    look(&Built { explorer: &explorer, precision: &precision.1, sharing: sharing(options) });
    answer.into()
}

/// Looks for errors with all values; for a proof with all values too, unless that is what is done anyway.
pub(super) fn hunters<'a, 'p>(
    explorer: &Explorer<'a, 'p, Values<'p>>,
    options: &CheckOptions,
    proofs: Proofs,
    monitor: &'a Monitor,
) -> InTurn<'a, Box<Counterexample>> {
    let program = explorer.cpa.first.program();
    let runs = || Runs { checker: Checker::new(program, monitor) };
    let all = (((), ()), ValuePrecision::full());
    let hunt = Hunt::new(explorer.another(Order::Alternating), all.clone(), runs(), proofs);
    let mut hunters: Vec<Box<dyn Hunter<Box<Counterexample>> + 'a>> = vec![Box::new(hunt)];
    if !matches!(options.config, Config::ValueFull | Config::ValueFullPredicate) {
        hunters.push(Box::new(Survey::new(explorer.another(Order::DepthFirst), all, runs())));
    }
    InTurn { hunters }
}

/// Runs of the program, as the solver finds them.
struct Runs<'a> {
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

    fn confirm(&mut self, path: &[Step]) -> Confirmed<Box<Counterexample>> {
        if !self.checker.is_possible(path) {
            return Confirmed::No;
        }
        match self.checker.check(path) {
            PathCheck::Feasible(counterexample) => Confirmed::Yes(counterexample),
            PathCheck::Infeasible { .. } => Confirmed::No,
            PathCheck::Unknown(_) | PathCheck::ReplayFailed(_) => Confirmed::Perhaps,
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
    side: ValueSide<'a, 'p>,
    program: &'p Program,
    options: &'a CheckOptions,
    monitor: &'a Monitor,
    /// What excludes the last path.
    facts: Vec<Facts>,
    checker: Checker<'a>,
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
        if self.side.has_refined(path, event) {
            return Refined::GivenUp(Reason::NoProgress(path.to_vec()));
        }
        let Some(way) = self.side.propose(path, event, precision, |_| true) else { return self.check(path, event) };
        self.facts = self.side.commit(&way, path, event, precision);
        self.monitor.precision.store(precision.len() as u64, Relaxed);
        Refined::Excluded
    }

    fn holds(&self, position: usize, (_, state): &(Control, ValueState)) -> bool {
        value_side::hold(self.facts.get(position), state)
    }
}

impl ValueRefiner<'_, '_> {
    /// Is a path feasible that values do not refute?
    fn check(&mut self, path: &[Step], event: Event) -> Refined<Box<Counterexample>, Reason> {
        let given_up = |reason| Refined::GivenUp(reason);
        if event != Event::Error {
            return given_up(super::blocked(self.program, path, self.options));
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
