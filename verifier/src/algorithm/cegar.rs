//! Counterexample-guided abstraction refinement (paper 000, Algorithm 2).

use std::sync::atomic::Ordering::Relaxed;

use super::explore::{Exploration, Explorer, Path};
use super::hunt::{Hunted, Hunter};
use crate::arg::NodeId;
use crate::cpa::Index;
use crate::cpa::control::Event;
use crate::evidence::{Reason, Verdict};
use crate::monitor::{Monitor, Phase, StopReason};
use crate::refine::{ErrorPath, Feasibility, Refine};

/// Where exploration resumes after a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Laziness {
    /// At the first node of the path that does not imply its interpolant; the rest of the graph is kept.
    #[default]
    Lazy,
    /// From the initial state, as Algorithm 2 has it.
    Restart,
}

/// Searches for errors beside the analysis.
pub struct Hunting<'h> {
    /// The search.
    pub hunter: &'h mut dyn Hunter,
    /// Work, in transfers, before the first hunt; the interval doubles each time.
    pub interval: u64,
}

/// Algorithm 2: explores, and refines whenever an infeasible error path is found.
///
/// A path that can be neither confirmed nor excluded rules out a proof, but another path may be an error. So the hunter
/// runs then, and at growing intervals while exploration takes long.
pub fn cegar<D: Index, R: Refine<D>>(
    explorer: &mut Explorer<'_, '_, D>,
    precision: &mut D::Precision,
    refiner: &mut R,
    hunting: Option<Hunting<'_>>,
    laziness: Laziness,
    monitor: &Monitor,
) -> Verdict {
    let mut search = Search { hunting, open: None, monitor };
    explorer.pause_after(search.interval());
    loop {
        monitor.enter(Phase::Exploring);
        let hunted = match explorer.explore(precision) {
            Exploration::Complete => return search.open.map_or(Verdict::Safe, Verdict::Unknown),
            Exploration::Stopped(stop) => return search.stopped(stop),
            Exploration::Paused => search.hunt_for_a_while(),
            Exploration::Target(target) => {
                monitor.enter(Phase::Refining);
                let path = explorer.path_to(target.node);
                let error = ErrorPath { steps: &path.steps, event: target.event };
                let state = &explorer.reached.graph.state(target.node).1;
                let undecided = match refiner.check(error, state, precision) {
                    Feasibility::Feasible(counterexample) => return Verdict::Unsafe(counterexample),
                    Feasibility::Infeasible => refiner.refine(error, precision).err(),
                    Feasibility::Excluded => continue,
                    Feasibility::Undecided(reason) => Some(reason),
                };
                match undecided {
                    None => {
                        monitor.refinements.fetch_add(1, Relaxed);
                        match laziness {
                            Laziness::Restart => explorer.restart(),
                            Laziness::Lazy => explorer.prune_below(pivot(explorer, &path, refiner)),
                        }
                        continue;
                    }
                    Some(Reason::Stopped(stop)) => return search.stopped(stop),
                    Some(reason) => {
                        search.open.get_or_insert(reason);
                        if target.event != Event::Error {
                            continue;
                        }
                        search.hunt_to_the_end()
                    }
                }
            }
        };
        if let Some(verdict) = hunted {
            return verdict;
        }
        // The work of the hunt does not count as exploration.
        explorer.pause_after(search.interval());
    }
}

/// What Algorithm 2 keeps beside the reached set: the hunter, and why there is no proof.
struct Search<'h, 'm> {
    hunting: Option<Hunting<'h>>,
    /// The first path that was neither confirmed nor excluded.
    open: Option<Reason>,
    monitor: &'m Monitor,
}

impl Search<'_, '_> {
    /// Work until the next hunt.
    fn interval(&self) -> u64 {
        self.hunting.as_ref().map_or(u64::MAX, |hunting| hunting.interval)
    }

    /// Runs the hunter for a share of the elapsed time, and less often from now on.
    fn hunt_for_a_while(&mut self) -> Option<Verdict> {
        let hunting = self.hunting.as_mut()?;
        hunting.interval = hunting.interval.saturating_mul(2);
        let hunted = hunting.hunter.run(self.monitor.elapsed() / self.monitor.tuning.hunt.share, self.monitor);
        self.conclude(hunted)
    }

    /// Runs the hunter until it has found an error or has nowhere else to look. Several hunters still take turns.
    fn hunt_to_the_end(&mut self) -> Option<Verdict> {
        loop {
            let hunting = self.hunting.as_mut()?;
            let hunted = hunting.hunter.run(self.monitor.elapsed() / self.monitor.tuning.hunt.share, self.monitor);
            if !matches!(hunted, Hunted::Paused) {
                return self.conclude(hunted);
            }
        }
    }

    /// The verdict of a hunt, if it has one.
    fn conclude(&mut self, hunted: Hunted) -> Option<Verdict> {
        match hunted {
            Hunted::Error(counterexample) => Some(Verdict::Unsafe(counterexample)),
            Hunted::Safe => Some(Verdict::Safe),
            Hunted::Stopped(stop) => Some(self.stopped(stop)),
            Hunted::Exhausted => {
                self.hunting = None;
                None
            }
            Hunted::Paused => None,
        }
    }

    /// The verdict of a run that was stopped. More time would not have helped if a proof was already out of reach.
    fn stopped(&mut self, stop: StopReason) -> Verdict {
        let is_time = matches!(stop, StopReason::Time | StopReason::Turn);
        let open = self.open.take().filter(|_| is_time);
        Verdict::Unknown(open.unwrap_or(Reason::Stopped(stop)))
    }
}

/// The last node of a path up to which all states imply their interpolants: exploration resumes there.
///
/// States are compared, not precisions: some are older than the last refinement and weaker than the precision of today.
fn pivot<D: Index, R: Refine<D>>(explorer: &Explorer<'_, '_, D>, path: &Path, refiner: &R) -> NodeId {
    let graph = &explorer.reached.graph;
    let inner = &path.nodes[..path.nodes.len() - 1];
    let first_weak =
        inner.iter().position(|&(node, position)| !refiner.implies_interpolant(position, &graph.state(node).1));
    inner[first_weak.unwrap_or(inner.len()).saturating_sub(1)].0
}
