//! Counterexample-guided abstraction refinement (paper 000, Algorithm 2).

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::explore::{Exploration, Explorer, Path};
use super::hunt::{Hunted, Hunter};
use crate::arg::NodeId;
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
pub trait Refine<C: Cpa> {
    /// What shows that a path is feasible.
    type Evidence;
    /// Why it is not known whether a path is feasible, or how to exclude it.
    type Reason;

    /// Looks at a path that ends in `event`, with this abstract state, and refines the precision if it is infeasible.
    fn refine(
        &mut self,
        path: &[Step],
        event: Event,
        state: &C::State,
        precision: &mut C::Precision,
    ) -> Refined<Self::Evidence, Self::Reason>;

    /// Does the abstract state after so many steps of the path that was excluded last hold what excludes it? There is no
    /// such state behind the step that cannot be taken.
    fn holds(&self, position: usize, state: &C::State) -> bool;
}

/// What came of a path.
#[derive(Clone, Debug)]
pub enum Refined<E, R> {
    /// It is feasible.
    Feasible(E),
    /// It is not, and the precision excludes it now.
    Excluded,
    /// No run reaches it, and the precision is good enough to see that.
    Unreachable,
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

/// Who hunts for errors, and when.
pub struct Hunting<'h, E> {
    /// Who.
    pub hunter: &'h mut dyn Hunter<E>,
    /// After so much work, in transfers, exploration has taken long; then after twice as much, and so on.
    pub after: u64,
}

/// An error is looked for then, for this part of the time that all has taken so far.
const HUNTED_PART: u32 = 4;

/// Algorithm 2: explores, and refines whenever a target is reached that cannot really be.
///
/// After a path that can neither be confirmed nor excluded there is no proof any more, but another path may be an error: so
/// one is hunted for then, and from time to time where exploration takes long.
pub fn cegar<'p, D, X, R>(
    explorer: &mut Explorer<'_, 'p, D, X>,
    precision: &mut <Pair<ControlCpa<'p>, D, X> as Cpa>::Precision,
    refiner: &mut R,
    mut hunting: Option<Hunting<'_, R::Evidence>>,
    laziness: Laziness,
    monitor: &Monitor,
) -> Answer<R::Evidence, R::Reason>
where
    D: Cpa,
    X: Exchange<ControlCpa<'p>, D>,
    R: Refine<Pair<ControlCpa<'p>, D, X>>,
{
    let mut reason = None;
    let mut long = hunting.as_ref().map_or(u64::MAX, |hunting| hunting.after);
    explorer.pause_after(long);
    loop {
        monitor.enter(Phase::Exploring);
        let hunted = match explorer.explore(precision) {
            Exploration::Complete => return reason.map_or(Answer::Safe, Answer::Unknown),
            Exploration::Stopped(stop) => return Answer::Stopped(stop, reason),
            Exploration::Paused => {
                long = long.saturating_mul(2);
                monitor.elapsed() / HUNTED_PART
            }
            Exploration::Target(target) => {
                monitor.enter(Phase::Refining);
                let path = explorer.path_to(target.node);
                let state = explorer.reached.graph.state(target.node);
                match refiner.refine(&path.steps, target.event, state, precision) {
                    Refined::Feasible(evidence) => return Answer::Unsafe(evidence),
                    Refined::Stopped(stop) => return Answer::Stopped(stop, reason),
                    Refined::Unreachable => Duration::ZERO,
                    Refined::GivenUp(why) => {
                        reason.get_or_insert(why);
                        if target.event == Event::Error { Duration::MAX } else { Duration::ZERO }
                    }
                    Refined::Excluded => {
                        monitor.refinements.fetch_add(1, Relaxed);
                        match laziness {
                            Laziness::Restart => explorer.restart(),
                            Laziness::Lazy => explorer.prune_below(pivot(explorer, &path, refiner)),
                        }
                        Duration::ZERO
                    }
                }
            }
        };
        match hunting.as_mut().map(|hunting| hunting.hunter.run(hunted, monitor)) {
            Some(Hunted::Error(evidence)) => return Answer::Unsafe(evidence),
            Some(Hunted::Safe) => return Answer::Safe,
            Some(Hunted::Stopped(stop)) => return Answer::Stopped(stop, reason),
            Some(Hunted::Exhausted) => hunting = None,
            Some(Hunted::Paused) | None => {}
        }
        // What the hunt has done is not exploration.
        if !hunted.is_zero() {
            explorer.pause_after(long);
        }
    }
}

/// The last node of a path up to which all states hold what excludes it: from there on, states change.
///
/// Some states may be less precise than the precision of today would make them, as they are from before it was refined
/// on another path. So states are compared, not precisions.
fn pivot<'p, D, X, R>(explorer: &Explorer<'_, 'p, D, X>, path: &Path, refiner: &R) -> NodeId
where
    D: Cpa,
    X: Exchange<ControlCpa<'p>, D>,
    R: Refine<Pair<ControlCpa<'p>, D, X>>,
{
    let graph = &explorer.reached.graph;
    let inner = &path.nodes[..path.nodes.len() - 1];
    let first_weak = inner.iter().position(|&(node, before)| !refiner.holds(before, graph.state(node)));
    inner[first_weak.unwrap_or(inner.len()).saturating_sub(1)].0
}
