//! The configurations `value` and `value-full`: explicit values, with and without refinement (paper 000).

use super::engine::{Engine, Look, Task};
use super::hunters::hunters;
use super::options::CheckOptions;
use crate::algorithm::{Explorer, Hunting, NodePolicy, Proofs, Settings, cegar};
use crate::arg::Order;
use crate::cfa::{LocId, Scope};
use crate::cpa::control::Controlled;
use crate::cpa::value::Values;
use crate::cpa::value::cells::CellKey;
use crate::cpa::value::precision::ValuePrecision;
use crate::evidence::Verdict;
use crate::facts::Facts;
use crate::inspect::Built;
use crate::refine::value::ValueRefiner;

/// Explicit values.
pub(super) struct Value {
    /// Whether all variables are tracked from the start.
    pub full: bool,
}

impl Engine for Value {
    fn run(&self, task: &Task<'_>, policy: NodePolicy, look: &mut Look<'_>) -> Verdict {
        let Task { program, facts, options, monitor } = *task;
        let cpa = Controlled::new(program, options.recursion, values(facts, policy));
        let mut precision = initial_precision(&cpa.domain, options, self.full);
        // Short paths refine better. With all values there is no refinement, and depth first finds deep errors.
        let order = if self.full { Order::DepthFirst } else { Order::BreadthFirst };
        let settings = Settings { order: options.order.unwrap_or(order), policy, errors: task.errors() };
        let mut explorer = Explorer::new(&cpa, settings, facts, monitor);
        let mut refiner = ValueRefiner::new(&cpa.domain, &options.preferences(), monitor);
        // Paths that values cannot refute need predicates, so paths refuted by the solver are no proof here.
        let mut hunters = hunters(&explorer, self.full, Proofs::ByStates, monitor);
        let hunting = Hunting { hunter: &mut hunters, interval: monitor.tuning.hunt.value_interval };
        let verdict = cegar(&mut explorer, &mut precision, &mut refiner, Some(hunting), options.refinement, monitor);
        task.keep_proof(&verdict, |hint| hint.add_values(&cpa.domain, &precision));
        look(&Built { explorer: &explorer, precision: &precision });
        verdict
    }
}

/// The value domain. For inspection, dead variables keep their values, as in the papers.
pub(super) fn values<'p>(facts: &Facts<'p>, policy: NodePolicy) -> Values<'p> {
    match policy {
        NodePolicy::WhereNeeded => Values::new(facts),
        NodePolicy::Everywhere => Values::with_dead_variables(facts),
    }
}

/// The initial precision: everything, or the variables of `--track` and those of an earlier proof.
pub(super) fn initial_precision(values: &Values<'_>, options: &CheckOptions, full: bool) -> ValuePrecision {
    if full {
        return ValuePrecision::full();
    }
    let program = values.program();
    let mut precision = ValuePrecision::empty(program, options.value_sharing());
    let named = options.track.iter().flat_map(|name| super::variables(program, name)).map(CellKey::scalar);
    let known = options.hint.iter().flat_map(|hint| hint.cells(values));
    for key in named.chain(known) {
        let cell = values.cells.number(key);
        let locations = match program.vars.get(key.var.index()).map(|info| info.scope) {
            Some(Scope::Local(function)) => program.function(function).locations.clone(),
            // A sum may have variables of several functions.
            Some(Scope::Global) | None => 0..program.locations.len() as u32,
        };
        for location in locations {
            precision.add(LocId(location), cell);
        }
    }
    precision
}
