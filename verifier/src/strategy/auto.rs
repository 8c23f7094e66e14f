//! The configuration `auto`: one analysis after the other, each for its share of the time.
//!
//! Values come first, since they decide many programs within a second. Bounded unrolling with induction follows, which
//! finds most errors, and then predicates, which prove what needs relations between variables.

use super::engine::{Engine, Look, Task};
use super::table::Config;
use crate::algorithm::NodePolicy;
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
