//! The configurations `value` and `value-full`: explicit values, with and without refinement (paper 000).

use std::sync::atomic::Ordering::Relaxed;

use super::options::{CheckOptions, Config};
use super::report::{Reason, Verdict};
use crate::algorithm::{Answer, Explorer, Refine, Refined, Settings, Stops, cegar};
use crate::cfa::{Op, Program, Step};
use crate::cpa::composite::{Apart, Pair};
use crate::cpa::control::{Control, ControlCpa, Event, control};
use crate::cpa::value::precision::ValuePrecision;
use crate::cpa::value::{ValueState, Values};
use crate::evidence::Counterexample;
use crate::monitor::Monitor;
use crate::refine::value::{Facts, refine};

/// Runs the analysis.
pub(super) fn check(program: &Program, options: &CheckOptions, monitor: &Monitor) -> Verdict {
    let cpa = Pair { first: control(program, options.recursion), second: Values::new(program), exchange: Apart };
    let precision = match options.config {
        Config::ValueFull => ValuePrecision::full(),
        Config::Value => ValuePrecision::empty(program, options.scope),
    };
    let settings = Settings {
        order: options.order,
        stops: Stops::default(),
        errors: super::selected_errors(program, &options.properties),
    };
    let mut explorer = Explorer::new(&cpa, settings, monitor);
    let mut refiner = ValueRefiner { values: &cpa.second, options, monitor, facts: Vec::new() };
    let mut precision = (((), ()), precision);
    match cegar(&mut explorer, &mut precision, &mut refiner, options.refinement, monitor) {
        Answer::Safe => Verdict::Safe,
        Answer::Unsafe(counterexample) => Verdict::Unsafe(Box::new(counterexample)),
        Answer::Unknown(reason) => Verdict::Unknown(reason),
        Answer::Stopped(stop, _) => Verdict::Unknown(Reason::Stopped(stop)),
    }
}

/// Refines values; what values cannot refute is asked of the solver.
struct ValueRefiner<'a, 'p> {
    values: &'a Values<'p>,
    options: &'a CheckOptions,
    monitor: &'a Monitor,
    /// What excludes the last path.
    facts: Vec<Facts>,
}

impl<'p> Refine<Pair<ControlCpa<'p>, Values<'p>>> for ValueRefiner<'_, 'p> {
    type Evidence = Counterexample;
    type Reason = Reason;

    fn refine(
        &mut self,
        path: &[Step],
        event: Event,
        (_, precision): &mut (((), ()), ValuePrecision),
    ) -> Refined<Counterexample, Reason> {
        // A step that blocks a path is not taken.
        let taken = if event == Event::Error { path } else { &path[..path.len() - 1] };
        match refine(self.values, taken, precision) {
            Some(facts) => {
                self.monitor.precision.store(precision.len() as u64, Relaxed);
                self.facts = facts;
                Refined::Excluded
            }
            None => self.check(path, taken, event),
        }
    }

    fn holds(&self, position: usize, (_, state): &(Control, ValueState)) -> bool {
        let facts = self.facts.get(position);
        facts.is_some_and(|facts| facts.iter().all(|&(cell, word)| state.get(cell) == Some(word)))
    }

    fn no_progress(&mut self, path: &[Step]) -> Reason {
        Reason::NoProgress(path.to_vec())
    }
}

impl ValueRefiner<'_, '_> {
    /// Is a path feasible that values do not refute?
    fn check(&mut self, path: &[Step], taken: &[Step], event: Event) -> Refined<Counterexample, Reason> {
        let _ = taken;
        let program = self.values.program();
        match (event, path.last().map(|step| program.edge(step.edge))) {
            (Event::Unsupported, Some(edge)) => Refined::GivenUp(Reason::Unsupported {
                what: match &edge.op {
                    Op::Unsupported(what) => what.to_string(),
                    _ => String::new(),
                },
                place: edge.source,
            }),
            (Event::Recursion, Some(edge)) => Refined::GivenUp(Reason::Recursion {
                function: match edge.op {
                    Op::Call { callee, .. } => program.function(callee).display_name.to_string(),
                    _ => String::new(),
                },
                bound: self.options.recursion,
            }),
            _ => Refined::Feasible(Counterexample { path: path.to_vec() }),
        }
    }
}
