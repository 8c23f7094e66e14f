//! The hunt for an error where a proof takes long or is out of reach: symbolic execution along the abstract reachability graph.

use std::time::Duration;

use rustc_hash::FxHashSet;

use super::explore::Explorer;
use crate::arg::{NodeId, Status};
use crate::cfa::Step;
use crate::cpa::Cpa;
use crate::cpa::composite::{Exchange, Pair};
use crate::cpa::control::{ControlCpa, Event};
use crate::monitor::{Monitor, Phase, Stop};

/// A hunt, which can be interrupted and taken up again.
///
/// Where paths part, the search first goes where a run is known to go: one that has shown that the way up to there can be
/// taken. When that has come to its end, the solver is asked whether another node can be reached. One that cannot be is
/// cut off; then those above it do not stand for other nodes any more, as runs may go on from these where they cannot from
/// it. The oldest and the newest nodes take turns: many errors are found soon in any direction, others only near the start.
pub struct Hunt<'a, 'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>, W> {
    explorer: Explorer<'a, 'p, D, X>,
    precision: <Pair<ControlCpa<'p>, D, X> as Cpa>::Precision,
    witness: W,
    /// Nodes that cover no others any more.
    released: FxHashSet<NodeId>,
    /// Where a run is known to go.
    next: Option<NodeId>,
}

/// Knows which paths runs can take.
pub trait Witness {
    /// What shows that a path is feasible.
    type Evidence;

    /// May a run take this path, which leads anywhere?
    fn is_possible(&mut self, path: &[Step]) -> bool;

    /// Is it known already that a run can take this path, without long thinking?
    fn is_known(&mut self, path: &[Step]) -> bool;

    /// What shows that this path to an error is feasible, if it is.
    fn confirm(&mut self, path: &[Step]) -> Option<Self::Evidence>;
}

/// Somebody who looks for errors.
pub trait Hunter<E> {
    /// Looks for a path to an error that can be confirmed, for so long.
    fn run(&mut self, time: Duration, monitor: &Monitor) -> Hunted<E>;
}

/// How a hunt ended.
pub enum Hunted<E> {
    /// An error was found.
    Error(E),
    /// There is nowhere else to look. That is no proof.
    Exhausted,
    /// The time is over.
    Paused,
    /// Somebody wanted it to stop.
    Stopped(Stop),
}

impl<'a, 'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>, W> Hunt<'a, 'p, D, X, W> {
    /// A hunt along the graph that `explorer` builds with this precision: the finest one, as nothing is to be proved.
    pub fn new(
        explorer: Explorer<'a, 'p, D, X>,
        precision: <Pair<ControlCpa<'p>, D, X> as Cpa>::Precision,
        witness: W,
    ) -> Self {
        Hunt { explorer, precision, witness, released: FxHashSet::default(), next: None }
    }
}

impl<'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>, W: Witness> Hunter<W::Evidence> for Hunt<'_, 'p, D, X, W> {
    fn run(&mut self, time: Duration, monitor: &Monitor) -> Hunted<W::Evidence> {
        let explorer = &mut self.explorer;
        let start = monitor.elapsed();
        while monitor.elapsed() - start < time {
            monitor.enter(Phase::Exploring);
            if let Err(stop) = monitor.check() {
                return Hunted::Stopped(stop);
            }
            let node = match self.next.take() {
                Some(node) => node,
                None => {
                    let Some(node) = explorer.next_waiting() else { return Hunted::Exhausted };
                    if explorer.has_siblings(node) && !self.witness.is_possible(&explorer.path_to(node).steps) {
                        explorer.cut(node, &mut self.released);
                        continue;
                    }
                    node
                }
            };
            explorer.expand(node, &self.precision);
            while let Some(target) = explorer.next_target(|event| event == Event::Error) {
                if let Some(evidence) = self.witness.confirm(&explorer.path_to(target.node).steps) {
                    return Hunted::Error(evidence);
                }
                explorer.cut(target.node, &mut self.released);
            }
            let graph = &explorer.reached.graph;
            let mut waiting = graph.children(node).into_iter().filter(|&child| graph.status(child) == Status::Waiting);
            self.next = waiting.find(|&child| self.witness.is_known(&explorer.path_to(child).steps));
        }
        Hunted::Paused
    }
}
