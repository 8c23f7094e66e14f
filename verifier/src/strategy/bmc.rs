//! The configurations `bmc` and `k-induction`: all paths up to a bound that grows, and induction beyond it.

use std::cell::{OnceCell, RefCell};

use super::engine::{Engine, Look, Task};
use super::options::InvariantDomain;
use crate::algorithm::NodePolicy;
use crate::algorithm::bmc::{self, Guesses, Invariants, Settings};
use crate::algorithm::guess::Ghosts;
use crate::algorithm::invariants::LoopInvariants;
use crate::cfa::LocId;
use crate::evidence::Verdict;
use crate::expr::{Expr, Pool};
use crate::numeric::{Boxes, Octagon};

/// Bounded model checking.
pub(super) struct Bounded {
    /// Whether induction is tried after each bound.
    pub induction: bool,
    /// Whether it is helped by guessed invariants.
    pub guesses: bool,
}

impl Engine for Bounded {
    fn run(&self, task: &Task<'_>, _: NodePolicy, _: &mut Look<'_>) -> Verdict {
        let found = OnceCell::new();
        // Programs that unrolling decides need no invariants.
        let invariants = |head: LocId, pool: &mut Pool| -> Vec<Expr> {
            found.get_or_init(|| invariants(task)).expressions(task.program, pool, head)
        };
        let (ghosts, time) = (Ghosts::default(), task.monitor.tuning.guess.time);
        let known = task.options.hint.as_ref().and_then(|hint| hint.candidates(task.facts));
        let proved = RefCell::default();
        let guesses =
            Guesses { runs: task.program, ghosts: &ghosts, time, known: known.as_ref(), proved: Some(&proved) };
        let settings = Settings {
            errors: task.errors(),
            bound: task.options.bound,
            recursion: task.options.recursion,
            guesses: self.guesses.then_some(guesses),
            induction: self.induction.then_some(&invariants as Invariants<'_>),
        };
        let verdict = bmc::check(task.facts, settings, task.monitor);
        task.keep_proof(&verdict, |hint| hint.add_invariants(task.program, &proved.borrow()));
        verdict
    }

    fn builds_graph(&self) -> bool {
        false
    }
}

/// The invariants that the options ask for; none if the monitor stops their computation, which then stops the run.
fn invariants(task: &Task<'_>) -> LoopInvariants {
    let Task { facts, monitor, .. } = *task;
    let found = match task.options.invariants {
        InvariantDomain::None => return LoopInvariants::default(),
        InvariantDomain::Interval => LoopInvariants::new::<Boxes>(facts, monitor),
        InvariantDomain::Octagon => LoopInvariants::new::<Octagon>(facts, monitor),
    };
    found.unwrap_or_default()
}
