//! The configuration `auto`: one analysis after the other, each for its share of the time.
//!
//! Values come first, since they decide many programs within a second. Bounded unrolling with induction follows, which
//! finds most errors, and then predicates, which prove what needs relations between variables. Recursive programs are
//! first given a short time for proofs by contracts, since the other analyses follow calls only to a bound.

use super::engine::{Engine, Look, Task};
use super::table::Config;
use crate::algorithm::NodePolicy;
use crate::cfa::FuncId;
use crate::evidence::{Reason, Verdict};
use crate::monitor::StopReason;

/// Runs configurations in turn.
pub(super) struct Auto;

impl Engine for Auto {
    fn run(&self, task: &Task<'_>, policy: NodePolicy, look: &mut Look<'_>) -> Verdict {
        let tuning = &task.monitor.tuning.auto;
        // Shares of the time in percent. The last analysis has the rest.
        let turns = [("value", tuning.value_share), ("k-induction", tuning.induction_share), ("predicate", 100)];
        let mut turns = turns.iter().filter_map(|&(name, percent)| Some((Config::named(name)?, percent))).peekable();
        if let Some(config) = Config::named("summaries")
            && policy == NodePolicy::WhereNeeded
            && is_recursive(task)
        {
            let share = task.monitor.budget().unwrap_or(tuning.unlimited_time) * tuning.summary_share / 100;
            task.monitor.begin_turn(Some(share.min(tuning.summary_time)));
            let verdict = config.engine().run(task, policy, look);
            task.monitor.begin_turn(None);
            match verdict {
                Verdict::Unknown(Reason::Stopped(stop)) if stop != StopReason::Turn => return verdict,
                Verdict::Unknown(_) => {}
                Verdict::Safe | Verdict::Unsafe(_) => return verdict,
            }
        }
        // For inspection, only the first analysis runs: the output is one graph.
        if policy == NodePolicy::Everywhere
            && let Some((config, _)) = turns.peek()
        {
            return config.engine().run(task, policy, look);
        }
        let mut open = None;
        while let Some((config, percent)) = turns.next() {
            let time = task.monitor.budget().unwrap_or(tuning.unlimited_time) * percent / 100;
            task.monitor.begin_turn(turns.peek().is_some().then_some(time));
            let verdict = config.engine().run(task, policy, look);
            task.monitor.begin_turn(None);
            match verdict {
                Verdict::Safe | Verdict::Unsafe(_) => return verdict,
                Verdict::Unknown(Reason::Stopped(stop)) if stop != StopReason::Turn => {
                    return Verdict::Unknown(Reason::Stopped(stop));
                }
                // The reason of a later analysis is the better hint.
                Verdict::Unknown(reason) if !matches!(reason, Reason::Stopped(_)) => open = Some(reason),
                Verdict::Unknown(_) => {}
            }
        }
        Verdict::Unknown(open.unwrap_or(Reason::Stopped(StopReason::Time)))
    }
}

/// Whether a function of the program can be under way more than once.
fn is_recursive(task: &Task<'_>) -> bool {
    let flow = task.facts.flow();
    (0..task.program.functions.len() as u32).any(|function| flow.is_recursive(FuncId(function)))
}
