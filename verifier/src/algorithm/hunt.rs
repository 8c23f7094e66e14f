//! The hunt for errors where a proof takes long or is out of reach: symbolic execution along the graph.

use std::time::Duration;

use rustc_hash::FxHashSet;

use super::explore::{Exploration, Explorer};
use crate::arg::{NodeId, Status};
use crate::cpa::Index;
use crate::cpa::control::Event;
use crate::evidence::{Checker, Counterexample, PathCheck};
use crate::monitor::{Monitor, Phase, StopReason};

/// A hunt, which can be paused and resumed.
///
/// At a branch, the search first follows a run whose model is known. When that run ends, the solver decides whether
/// another node is reachable. An unreachable node is cut off; its ancestors then cover nothing, as runs from the nodes
/// they covered may go where those from the cut node cannot. The oldest and the newest nodes are chosen in turn: many
/// errors are found soon in any direction, others only near the start.
///
/// A hunt that has been everywhere without finding an error is a proof: everything below a node that covers another was
/// explored, and nothing there was cut off.
pub struct Hunt<'a, 'p, D: Index> {
    explorer: Explorer<'a, 'p, D>,
    precision: D::Precision,
    checker: Checker<'a>,
    choice: Choice,
    proofs: Proofs,
    /// Whether some path to an error, or to an unsupported step, is undecided.
    is_doubtful: bool,
}

/// How the next node is chosen.
#[derive(Default)]
struct Choice {
    /// The node that was expanded last.
    last: Option<NodeId>,
    /// Nodes that cover nothing any more.
    released: FxHashSet<NodeId>,
}

/// What counts as a proof when the hunt is exhausted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proofs {
    /// Only abstract states: no path was cut off.
    ByStates,
    /// Also paths that the solver has refuted.
    ByPaths,
}

/// A search for errors.
pub trait Hunter {
    /// Searches for a feasible path to an error, for the given time.
    fn run(&mut self, time: Duration, monitor: &Monitor) -> Hunted;
}

/// How a hunt ended.
#[derive(Debug)]
pub enum Hunted {
    /// An error was found.
    Error(Box<Counterexample>),
    /// The search is exhausted, and no run reaches an error.
    Safe,
    /// The search is exhausted, but that is no proof.
    Exhausted,
    /// The time is over.
    Paused,
    /// The run was cancelled or has reached a limit.
    Stopped(StopReason),
}

impl<'a, 'p, D: Index> Hunt<'a, 'p, D> {
    /// A hunt along the graph that `explorer` builds with `precision`: the finest one, since nothing is to be proved.
    pub fn new(explorer: Explorer<'a, 'p, D>, precision: D::Precision, checker: Checker<'a>, proofs: Proofs) -> Self {
        Hunt { explorer, precision, checker, choice: Choice::default(), proofs, is_doubtful: false }
    }

    /// Whether the exhausted search is a proof.
    fn end(&self) -> Hunted {
        let is_proof = self.proofs == Proofs::ByPaths || self.choice.released.is_empty();
        if is_proof && !self.is_doubtful { Hunted::Safe } else { Hunted::Exhausted }
    }
}

impl Choice {
    /// A child of the last node that a known run reaches, or a waiting node that the solver does not refute.
    fn next<D: Index>(&mut self, explorer: &mut Explorer<'_, '_, D>, checker: &mut Checker<'_>) -> Option<NodeId> {
        if let Some(last) = self.last.take() {
            let graph = &explorer.reached.graph;
            let mut waiting = graph.children(last).into_iter().filter(|&child| graph.status(child) == Status::Waiting);
            self.last = waiting.find(|&child| checker.is_known(&explorer.path_to(child).steps));
        }
        while self.last.is_none() {
            let node = explorer.next_waiting()?;
            if !explorer.has_siblings(node) || checker.is_possible(&explorer.path_to(node).steps) {
                self.last = Some(node);
            } else {
                explorer.cut(node, &mut self.released);
            }
        }
        self.last
    }
}

impl<D: Index> Hunter for Hunt<'_, '_, D> {
    fn run(&mut self, time: Duration, monitor: &Monitor) -> Hunted {
        let end = monitor.elapsed().saturating_add(time);
        loop {
            monitor.enter(Phase::Exploring);
            let (choice, checker) = (&mut self.choice, &mut self.checker);
            let explored = self.explorer.explore_choosing(&self.precision, |explorer| {
                if monitor.elapsed() < end { choice.next(explorer, checker) } else { None }
            });
            match explored {
                Exploration::Stopped(stop) => return Hunted::Stopped(stop),
                Exploration::Target(target) if target.event == Event::Error => {
                    match self.checker.confirm(&self.explorer.path_to(target.node).steps) {
                        PathCheck::Feasible(counterexample) => return Hunted::Error(counterexample),
                        PathCheck::Infeasible { .. } => {}
                        PathCheck::Undecided(_) => self.is_doubtful = true,
                    }
                    self.explorer.cut(target.node, &mut self.choice.released);
                }
                // What cannot be followed may lead to an error.
                Exploration::Target(_) => self.is_doubtful = true,
                Exploration::Complete | Exploration::Paused if monitor.elapsed() >= end => return Hunted::Paused,
                Exploration::Complete | Exploration::Paused => return self.end(),
            }
        }
    }
}
