//! The hunt for an error where a proof takes long or is out of reach: symbolic execution along the abstract reachability graph.

use std::time::Duration;

use rustc_hash::FxHashSet;

use super::cegar::Refine;
use super::explore::Explorer;
use crate::arg::{NodeId, Order, Status};
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
pub(super) struct Hunt<'a, 'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>> {
    explorer: Explorer<'a, 'p, D, X>,
    precision: <Pair<ControlCpa<'p>, D, X> as Cpa>::Precision,
    /// Nodes that cover no others any more.
    released: FxHashSet<NodeId>,
    /// Where a run is known to go.
    next: Option<NodeId>,
}

/// How a hunt ended.
pub(super) enum Hunted<E> {
    /// An error was found.
    Error(E),
    /// There is nowhere else to look. That is no proof.
    Exhausted,
    /// The time is over.
    Paused,
    /// Somebody wanted it to stop.
    Stopped(Stop),
}

impl<'a, 'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>> Hunt<'a, 'p, D, X> {
    /// A hunt through the program of `explorer`, with a graph of its own.
    pub(super) fn new(
        explorer: &Explorer<'a, 'p, D, X>,
        precision: <Pair<ControlCpa<'p>, D, X> as Cpa>::Precision,
    ) -> Self {
        let explorer = explorer.another(Order::Alternating);
        Hunt { explorer, precision, released: FxHashSet::default(), next: None }
    }

    /// Looks for a path to an error that can be confirmed, for so long.
    pub(super) fn run<R>(&mut self, refiner: &mut R, time: Duration, monitor: &Monitor) -> Hunted<R::Evidence>
    where
        R: Refine<Pair<ControlCpa<'p>, D, X>>,
    {
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
                    if explorer.has_siblings(node) && !refiner.is_possible(&explorer.path_to(node).steps) {
                        explorer.cut(node, &mut self.released);
                        continue;
                    }
                    node
                }
            };
            explorer.expand(node, &self.precision);
            while let Some(target) = explorer.next_target(|event| event == Event::Error) {
                if let Some(evidence) = refiner.confirm(&explorer.path_to(target.node).steps) {
                    return Hunted::Error(evidence);
                }
                explorer.cut(target.node, &mut self.released);
            }
            let graph = &explorer.reached.graph;
            let mut waiting = graph.children(node).into_iter().filter(|&child| graph.status(child) == Status::Waiting);
            self.next = waiting.find(|&child| refiner.is_known(&explorer.path_to(child).steps));
        }
        Hunted::Paused
    }
}
