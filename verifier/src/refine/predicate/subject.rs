//! The subject of an infeasible trace.

use rustc_hash::{FxHashMap, FxHashSet};

use super::core::Core;
use super::rewrite::walk;
use super::trace::{Trace, program_variable};
use crate::expr::Node;
use crate::facts::{DomainType, DomainTypes};
use crate::formula::Execution;

/// Properties of a trace that guide the order of interpolators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subject {
    /// The domain type of the relevant variable that is hardest to track.
    pub hardest: DomainType,
    /// The maximum number of times that a cut location is passed in the relevant part of the trace.
    pub rounds: usize,
}

impl Subject {
    pub(super) fn of(execution: &Execution<'_>, types: &DomainTypes, trace: &Trace, core: &Core) -> Subject {
        let mut subject = Subject { hardest: DomainType::Boolean, rounds: 0 };
        let mut seen = FxHashSet::default();
        let mut passed = FxHashMap::default();
        for (cut, conditions) in core.rest.iter().enumerate() {
            if conditions.is_empty() {
                continue;
            }
            let times = passed.entry(trace.place(cut)).or_insert(0);
            *times += 1;
            subject.rounds = subject.rounds.max(*times);
            for &condition in conditions {
                walk(&execution.pool, condition, |expr| {
                    if let Node::Var(var) = execution.pool.node(expr)
                        && let Some(var) = program_variable(&execution.symbols, var)
                    {
                        subject.hardest = subject.hardest.max(types.of(var));
                    }
                    seen.insert(expr)
                });
            }
        }
        subject
    }
}
