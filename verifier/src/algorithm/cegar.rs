//! Counterexample-guided abstraction refinement (paper 000, Algorithm 2).

use std::hash::BuildHasher;
use std::sync::atomic::Ordering::Relaxed;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::explore::{Exploration, Explorer};
use crate::cfa::Step;
use crate::cpa::Cpa;
use crate::cpa::composite::{Exchange, Pair};
use crate::cpa::control::{ControlCpa, Event};
use crate::monitor::{Monitor, Phase, Stop};

/// Where exploration goes on after a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Laziness {
    /// At the first state on the path that changes; all else is kept (lazy abstraction).
    #[default]
    Lazy,
    /// From the start, as Algorithm 2 has it.
    Restart,
}

/// The feasibility check and the refinement procedure for a domain.
pub trait Refine<P> {
    /// What shows that a path is feasible.
    type Evidence;
    /// Why it is not known whether a path is feasible, or how to exclude it.
    type Reason;

    /// Looks at a path that ends in `event`, and refines the precision if the path is infeasible.
    fn refine(&mut self, path: &[Step], event: Event, precision: &mut P) -> Refined<Self::Evidence, Self::Reason>;

    /// Why a path that was refined before is not looked at again.
    fn no_progress(&mut self, path: &[Step]) -> Self::Reason;
}

/// What came of a path.
#[derive(Clone, Debug)]
pub enum Refined<E, R> {
    /// It is feasible.
    Feasible(E),
    /// It is not, and the precision excludes it now. The states after so many steps are the first to change.
    From(usize),
    /// It is left as it is: no proof is possible any more.
    GivenUp(R),
    /// Somebody wanted it to stop.
    Stopped(Stop),
}

/// What is known in the end.
#[derive(Clone, Debug)]
pub enum Answer<E, R> {
    /// No target can be reached.
    Safe,
    /// A target is reached.
    Unsafe(E),
    /// Neither is known.
    Unknown(R),
    /// Somebody wanted it to stop. If a proof was out of reach already, this is why.
    Stopped(Stop, Option<R>),
}

/// Algorithm 2: explores, and refines whenever a target is reached that cannot really be.
///
/// After a path that can neither be confirmed nor excluded the search goes on, as another path may be an error.
pub fn cegar<'p, D, X, R>(
    explorer: &mut Explorer<'_, 'p, D, X>,
    precision: &mut <Pair<ControlCpa<'p>, D, X> as Cpa>::Precision,
    refiner: &mut R,
    laziness: Laziness,
    monitor: &Monitor,
) -> Answer<R::Evidence, R::Reason>
where
    D: Cpa,
    X: Exchange<ControlCpa<'p>, D>,
    R: Refine<<Pair<ControlCpa<'p>, D, X> as Cpa>::Precision>,
{
    let mut reason = None;
    let mut refined = FxHashSet::default();
    loop {
        monitor.enter(Phase::Exploring);
        let target = match explorer.explore(precision) {
            Exploration::Target(target) => target,
            Exploration::Stopped(stop) => return Answer::Stopped(stop, reason),
            Exploration::Complete => return reason.map_or(Answer::Safe, Answer::Unknown),
        };
        monitor.enter(Phase::Refining);
        let path = explorer.path_to(target.node);
        let result = if refined.insert(FxBuildHasher.hash_one((&path.steps, target.event))) {
            refiner.refine(&path.steps, target.event, precision)
        } else {
            Refined::GivenUp(refiner.no_progress(&path.steps))
        };
        match result {
            Refined::Feasible(evidence) => return Answer::Unsafe(evidence),
            Refined::GivenUp(why) => {
                reason.get_or_insert(why);
            }
            Refined::Stopped(stop) => return Answer::Stopped(stop, reason),
            Refined::From(position) => {
                monitor.refinements.fetch_add(1, Relaxed);
                match laziness {
                    Laziness::Restart => explorer.restart(),
                    Laziness::Lazy => {
                        // The last node from which the step was taken whose result changes.
                        let root = path.nodes.iter().rev().find(|&&(_, before)| before < position);
                        match root {
                            Some(&(node, before)) if before > 0 => explorer.prune_below(node),
                            _ => explorer.restart(),
                        }
                    }
                }
            }
        }
    }
}
