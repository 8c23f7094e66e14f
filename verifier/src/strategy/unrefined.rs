//! Configurations that run one domain without refinement: any [`Domain`] is an engine.

use super::engine::{Engine, Look, Task};
use crate::algorithm::{Explorer, NodePolicy, Settings, cegar};
use crate::arg::Order;
use crate::cpa::Domain;
use crate::cpa::control::Controlled;
use crate::evidence::Verdict;
use crate::inspect::Built;
use crate::refine::none::NoRefinement;

/// Explores once with the precision of the domain.
pub(super) struct Unrefined<D>(pub D);

impl<D: Domain> Engine for Unrefined<D> {
    fn run(&self, task: &Task<'_>, policy: NodePolicy, look: &mut Look<'_>) -> Verdict {
        let Task { program, facts, options, monitor } = *task;
        let (domain, mut precision) = self.0.instantiate(facts);
        let cpa = Controlled::new(program, options.recursion, domain);
        // States merge before they are expanded, which saves work.
        let settings =
            Settings { order: options.order.unwrap_or(Order::ReversePostorder), policy, errors: task.errors() };
        let mut explorer = Explorer::new(&cpa, settings, facts, monitor);
        let mut refiner = NoRefinement::new(program, options.recursion, monitor);
        let verdict = cegar(&mut explorer, &mut precision, &mut refiner, None, options.refinement, monitor);
        look(&Built { explorer: &explorer, precision: &precision });
        verdict
    }
}
