//! The configuration `predicate`: predicate abstraction of blocks, refined by interpolation (paper 000, CPA-PRED).

use super::engine::{Engine, Look, Task};
use crate::algorithm::{Explorer, NodePolicy, Settings, cegar};
use crate::arg::Order;
use crate::cpa::control::Controlled;
use crate::cpa::predicate::precision::PredicatePrecision;
use crate::cpa::predicate::{self, Predicates};
use crate::evidence::Verdict;
use crate::inspect::Built;
use crate::refine::predicate::PredicateRefiner;
use crate::reuse::Hint;

/// Predicate abstraction.
pub(super) struct Predicate;

impl Engine for Predicate {
    fn run(&self, task: &Task<'_>, policy: NodePolicy, look: &mut Look<'_>) -> Verdict {
        let Task { program, facts, options, monitor } = *task;
        let errors = task.errors();
        let settings = predicate::Settings { blocks: options.blocks, method: options.abstraction };
        let predicates = Predicates::new(facts, settings, &errors, monitor);
        let cpa = Controlled::new(program, options.recursion, predicates);
        // Paths join before they continue.
        let settings = Settings { order: options.order.unwrap_or(Order::ReversePostorder), policy, errors };
        let mut explorer = Explorer::new(&cpa, settings, facts, monitor);
        let mut refiner = PredicateRefiner::new(&cpa.domain, facts, &options.preferences(), monitor);
        let mut precision = PredicatePrecision::empty(program, options.predicate_sharing());
        if let Some(hint) = &options.hint {
            hint.track_predicates(facts, &mut cpa.domain.tools().execution.pool, &mut precision);
        }
        let verdict = cegar(&mut explorer, &mut precision, &mut refiner, None, options.refinement, monitor);
        let pool = |hint: &mut Hint| hint.add_predicates(program, &cpa.domain.tools().execution.pool, &precision);
        task.keep_proof(&verdict, pool);
        look(&Built { explorer: &explorer, precision: &precision });
        verdict
    }
}
