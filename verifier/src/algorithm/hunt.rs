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
///
/// A hunt that has been everywhere and has found nothing is a proof: what is below a node that covers another was all looked
/// at, and nothing there was cut off.
pub struct Hunt<'a, 'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>, W> {
    explorer: Explorer<'a, 'p, D, X>,
    precision: <Pair<ControlCpa<'p>, D, X> as Cpa>::Precision,
    witness: W,
    /// Nodes that cover no others any more.
    released: FxHashSet<NodeId>,
    /// Where a run is known to go.
    next: Option<NodeId>,
    proofs: Proofs,
    /// Is there a path of which it is not known whether it can be taken, to an error or to what nobody can follow?
    is_doubtful: bool,
}

/// What counts as a proof when there is nowhere else to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proofs {
    /// Only abstract states: no path was cut off.
    ByStates,
    /// Also that paths cannot be taken.
    ByPaths,
}

/// Knows which paths runs can take.
pub trait Witness {
    /// What shows that a path is feasible.
    type Evidence;

    /// May a run take this path, which leads anywhere?
    fn is_possible(&mut self, path: &[Step]) -> bool;

    /// Is it known already that a run can take this path, without long thinking?
    fn is_known(&mut self, path: &[Step]) -> bool;

    /// Can a run take this path to an error?
    fn confirm(&mut self, path: &[Step]) -> Confirmed<Self::Evidence>;
}

/// What is known of a path to an error.
pub enum Confirmed<E> {
    /// A run takes it.
    Yes(E),
    /// No run does.
    No,
    /// It is not known.
    Perhaps,
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
    /// There is nowhere else to look, and no run reaches an error.
    Safe,
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
        proofs: Proofs,
    ) -> Self {
        let released = FxHashSet::default();
        Hunt { explorer, precision, witness, released, next: None, proofs, is_doubtful: false }
    }
}

impl<'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>, W: Witness> Hunt<'_, 'p, D, X, W> {
    /// A node to go on from: where a run is known to go, or one that waits and that a run may reach.
    fn next(&mut self) -> Option<NodeId> {
        if let Some(node) = self.next.take() {
            return Some(node);
        }
        let explorer = &mut self.explorer;
        loop {
            let node = explorer.next_waiting()?;
            if !explorer.has_siblings(node) || self.witness.is_possible(&explorer.path_to(node).steps) {
                return Some(node);
            }
            explorer.cut(node, &mut self.released);
        }
    }

    /// Looks at the errors that were reached.
    fn confirm_errors(&mut self) -> Option<W::Evidence> {
        while let Some(target) = self.explorer.next_target(|event| event == Event::Error) {
            match self.witness.confirm(&self.explorer.path_to(target.node).steps) {
                Confirmed::Yes(evidence) => return Some(evidence),
                Confirmed::No => {}
                Confirmed::Perhaps => self.is_doubtful = true,
            }
            self.explorer.cut(target.node, &mut self.released);
        }
        None
    }

    /// There is nowhere else to look: is that a proof?
    fn end<E>(&mut self) -> Hunted<E> {
        // What nobody can follow may lead to an error.
        let is_doubtful = self.is_doubtful || self.explorer.next_target(|_| true).is_some();
        let is_proof = self.proofs == Proofs::ByPaths || self.released.is_empty();
        if is_proof && !is_doubtful { Hunted::Safe } else { Hunted::Exhausted }
    }
}

impl<'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>, W: Witness> Hunter<W::Evidence> for Hunt<'_, 'p, D, X, W> {
    fn run(&mut self, time: Duration, monitor: &Monitor) -> Hunted<W::Evidence> {
        let start = monitor.elapsed();
        while monitor.elapsed() - start < time {
            monitor.enter(Phase::Exploring);
            if let Err(stop) = monitor.check() {
                return Hunted::Stopped(stop);
            }
            let Some(node) = self.next() else { return self.end() };
            self.explorer.expand(node, &self.precision);
            if let Some(evidence) = self.confirm_errors() {
                return Hunted::Error(evidence);
            }
            let explorer = &self.explorer;
            let graph = &explorer.reached.graph;
            let mut waiting = graph.children(node).into_iter().filter(|&child| graph.status(child) == Status::Waiting);
            self.next = waiting.find(|&child| self.witness.is_known(&explorer.path_to(child).steps));
        }
        Hunted::Paused
    }
}
