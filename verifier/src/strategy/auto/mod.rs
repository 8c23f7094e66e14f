//! The configuration `auto`: several analyses, each in a worker process, until one of them decides.
//!
//! `plan` lists the analyses, and `schedule` shares the processors among them. A worker that crashes or runs out of memory
//! costs the others nothing.

mod message;
mod plan;
mod schedule;

use super::engine::{Engine, Look, Task};
use super::table::Config;
use crate::algorithm::NodePolicy;
use crate::evidence::{Reason, Verdict};
use crate::monitor::StopReason;
use plan::{STAGES, Stage};

/// The analysis whose graph is shown: the simplest one.
const INSPECTED: &str = "value";

/// Runs the stages of the plan.
pub(super) struct Auto;

impl Engine for Auto {
    fn run(&self, task: &Task<'_>, policy: NodePolicy, look: &mut Look<'_>) -> Verdict {
        let stages: Vec<Stage> = STAGES.iter().filter(|stage| (stage.when)(task)).copied().collect();
        let stages = plan::known_first(stages, task.options.hint.as_ref().and_then(|hint| hint.engine.as_deref()));
        // For inspection, only one analysis runs: the output is one graph.
        if policy == NodePolicy::Everywhere {
            return engine(INSPECTED).run(task, policy, look);
        }
        match task.monitor.workers() {
            Some(workers) => schedule::run(task, &stages, workers),
            None => in_turn(task, &stages),
        }
    }
}

fn engine(config: &str) -> &'static dyn Engine {
    Config::named(config).expect("the plan names rows of the table").engine()
}

/// Runs a stage, which is named by what its proof rests on.
fn run_stage(task: &Task<'_>, config: &str) -> Verdict {
    let verdict = engine(config).run(task, NodePolicy::WhereNeeded, &mut |_| {});
    super::name_proof(task, &verdict, config);
    verdict
}

/// Runs the stages one after the other in this process, each for its share of the time.
fn in_turn(task: &Task<'_>, stages: &[Stage]) -> Verdict {
    let monitor = task.monitor;
    let time = monitor.budget().unwrap_or(monitor.tuning.auto.unlimited_time);
    let shares: u32 = stages.iter().map(|stage| stage.share).sum();
    let mut open = None;
    for (at, stage) in stages.iter().enumerate() {
        let is_last = at + 1 == stages.len();
        monitor.begin_turn((!is_last).then(|| time * stage.share / shares));
        let verdict = run_stage(task, stage.config);
        monitor.begin_turn(None);
        match verdict {
            Verdict::Safe | Verdict::Unsafe(_) => return verdict,
            Verdict::Unknown(Reason::Stopped(stop)) if stop != StopReason::Turn => {
                return Verdict::Unknown(Reason::Stopped(stop));
            }
            Verdict::Unknown(reason) => open = clearer(open, reason),
        }
    }
    Verdict::Unknown(open.unwrap_or(Reason::Stopped(StopReason::Time)))
}

/// The reason that says more: that of a stage that has ended by itself, and of the later one among these.
fn clearer(open: Option<Reason>, reason: Reason) -> Option<Reason> {
    match reason {
        Reason::Stopped(_) => open,
        // Whatever stopped an analysis that looks for errors says more.
        Reason::NoSummary | Reason::NoCells | Reason::NoViolation if open.is_some() => open,
        _ => Some(reason),
    }
}
