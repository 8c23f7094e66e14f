//! The configurations `value+predicate` and `value-full+predicate`: both domains in lock step on one graph (paper 000, §3).

use std::cell::Cell;

use super::engine::{Engine, Look, Task};
use super::hunters::{UnrollLimit, hunters};
use super::value::{initial_precision, values};
use crate::algorithm::{Explorer, Hunter, Hunting, NodePolicy, Proofs, Settings, cegar};
use crate::arg::Order;
use crate::cpa::composite::Pair;
use crate::cpa::control::Controlled;
use crate::cpa::pinning::Pinning;
use crate::cpa::predicate::precision::PredicatePrecision;
use crate::cpa::predicate::{self, Predicates};
use crate::cpa::value::Values;
use crate::cpa::value::precision::ValuePrecision;
use crate::cpa::value::threshold::{Histories, ValueThreshold};
use crate::evidence::{Reason, Verdict};
use crate::facts::DomainType;
use crate::inspect::Built;
use crate::monitor::StopReason;
use crate::refine::combined::{CombinedRefiner, ValuesFirst};

/// Values and predicates.
pub(super) struct ValueAndPredicate {
    /// Whether the values of all variables are tracked from the start.
    pub full: bool,
}

impl Engine for ValueAndPredicate {
    /// Runs values alone first, unless the graph is to be inspected: a verdict of values alone has no common graph.
    fn run(&self, task: &Task<'_>, policy: NodePolicy, look: &mut Look<'_>) -> Verdict {
        let Task { program, facts, options, monitor } = *task;
        // Hunts use values alone: an error needs no proof about other paths.
        let alone = Controlled::new(program, options.recursion, Values::new(facts));
        let explorer = Explorer::new(&alone, Settings { errors: task.errors(), ..Settings::default() }, facts, monitor);
        let mut hunters = hunters(&explorer, self.full, Proofs::ByPaths, monitor);

        let cpa = Controlled::new(program, options.recursion, values(facts, policy));
        let mut tracked = initial_precision(&cpa.domain, options, self.full);
        let needs_predicates = options.hint.as_ref().is_some_and(|hint| hint.has_predicates());
        if policy == NodePolicy::WhereNeeded
            && !needs_predicates
            && let Some(verdict) = values_alone(task, &cpa, &mut tracked, &mut hunters)
        {
            task.keep_proof(&verdict, |hint| hint.add_values(&cpa.domain, &tracked));
            return verdict;
        }
        let values = cpa.domain;
        tracked.retain(|cell| values.type_of(values.cells.key(cell).0.var) != DomainType::Counter);
        let threshold = ValueThreshold::new(options.value_threshold);
        let limited = Pair { first: values, second: Histories, exchange: threshold };
        let settings = predicate::Settings { blocks: options.blocks, method: options.abstraction };
        let predicates = Predicates::new(facts, settings, &task.errors(), monitor);
        let both = Pair { first: limited, second: predicates, exchange: Pinning };
        let cpa = Controlled::new(program, options.recursion, both);
        // Paths join before they continue.
        let order = options.order.unwrap_or(Order::ReversePostorder);
        let mut explorer = Explorer::new(&cpa, Settings { order, policy, errors: task.errors() }, facts, monitor);
        let mut refiner = CombinedRefiner::new(&cpa.domain, facts, &options.preferences(), monitor);
        let mut predicates = PredicatePrecision::empty(program, options.predicate_sharing());
        if let Some(hint) = &options.hint {
            hint.track_predicates(facts, &mut cpa.domain.second.tools().execution.pool, &mut predicates);
        }
        let mut precision = ((tracked, ()), predicates);
        let hunting = Hunting { hunter: &mut hunters, interval: monitor.tuning.hunt.combined_interval };
        let verdict = cegar(&mut explorer, &mut precision, &mut refiner, Some(hunting), options.refinement, monitor);
        refiner.tell_dropped();
        task.keep_proof(&verdict, |hint| {
            let ((tracked, ()), predicates) = &precision;
            hint.add_values(&cpa.domain.first.first, tracked);
            hint.add_predicates(program, &cpa.domain.second.tools().execution.pool, predicates);
        });
        look(&Built { explorer: &explorer, precision: &precision });
        verdict
    }
}

/// Runs the value analysis alone; `None` if predicates are needed. Its precision remains in `tracked`.
fn values_alone<'p>(
    task: &Task<'p>,
    cpa: &Controlled<'p, Values<'p>>,
    tracked: &mut ValuePrecision,
    hunter: &mut dyn Hunter,
) -> Option<Verdict> {
    let Task { facts, options, monitor, .. } = *task;
    let order = options.order.unwrap_or(Order::BreadthFirst);
    let settings = Settings { order, errors: task.errors(), ..Settings::default() };
    let mut explorer = Explorer::new(cpa, settings, facts, monitor);
    let tracks_counter = Cell::new(false);
    let mut refiner = ValuesFirst::new(&cpa.domain, &options.preferences(), &tracks_counter, monitor);
    let mut hunter = UnrollLimit { hunter, tracks_counter: &tracks_counter };
    let hunting = Hunting { hunter: &mut hunter, interval: monitor.tuning.hunt.unroll_budget };
    let verdict = cegar(&mut explorer, tracked, &mut refiner, Some(hunting), options.refinement, monitor);
    let needs_predicates =
        matches!(verdict, Verdict::Unknown(Reason::Stopped(StopReason::Turn))) && monitor.check().is_ok();
    (!needs_predicates).then_some(verdict)
}
