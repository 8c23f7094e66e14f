//! The abstract reachability graph independent of its domain, with states as text.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::algorithm::Explorer;
use crate::arg::{NodeId, Status};
use crate::cfa::{EdgeId, LocId, Step};
use crate::cpa::Index;
use crate::cpa::control::Event;
use crate::print::{Names, Printer};

/// An abstract reachability graph. Its nodes are in breadth-first order from the root, which is the first.
#[derive(Debug)]
pub struct Graph {
    /// The abstract states.
    pub nodes: Vec<Node>,
}

/// An abstract state.
#[derive(Debug)]
pub struct Node {
    /// The location.
    pub location: LocId,
    /// The call stack, the outermost call first.
    pub calls: Vec<EdgeId>,
    /// The facts of the state, in terms of the source.
    pub facts: Vec<String>,
    /// How the node was processed.
    pub fate: Fate,
    /// The edges to its successors, in the order of the program.
    pub edges: Vec<Edge>,
}

/// An edge from one abstract state to another.
#[derive(Debug)]
pub struct Edge {
    /// The position of the target node.
    pub to: usize,
    /// The steps of the program: one, except where endless loops or very long paths are cut.
    pub steps: Vec<Step>,
}

/// How an abstract state was processed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Still on the waitlist when the analysis ended.
    Waiting,
    /// Its successors were computed; without any, no step is feasible.
    Expanded,
    /// Covered by the node at this position.
    Covered(usize),
    /// The program ends.
    End,
    /// An error, or an event that prevents a proof.
    Target(Event),
}

impl Graph {
    /// The graph of `explorer`. `facts` describes a state of the domain.
    pub(super) fn of<D: Index>(
        explorer: &Explorer<'_, '_, D>,
        names: &Names<'_>,
        facts: impl Fn(&D::State, &Printer<'_>) -> Vec<String>,
    ) -> Graph {
        let graph = &explorer.reached.graph;
        let order = breadth_first(explorer);
        let positions: FxHashMap<NodeId, usize> = order.iter().enumerate().map(|(at, &node)| (node, at)).collect();
        let mut nodes: Vec<Node> = order
            .iter()
            .map(|&node| {
                let ((location, stack), state) = graph.state(node);
                let mut calls = explorer.cpa.control.second.calls(*stack);
                calls.reverse();
                let facts = facts(state, names.inside(*location));
                let fate = match graph.status(node) {
                    Status::Covered => {
                        graph.coverer(node).map_or(Fate::Waiting, |coverer| Fate::Covered(positions[&coverer]))
                    }
                    Status::Expanded if graph.children(node).iter().any(|&child| ends_at_parent(explorer, child)) => {
                        Fate::End
                    }
                    Status::Expanded => Fate::Expanded,
                    Status::Waiting | Status::Gone => Fate::Waiting,
                    Status::Leaf => leaf(explorer, node),
                };
                Node { location: *location, calls, facts, fate, edges: Vec::new() }
            })
            .collect();
        for (to, &node) in order.iter().enumerate() {
            for (parent, trail) in graph.parents(node) {
                let mut steps = Vec::with_capacity(trail.steps());
                explorer.follow_trail(graph.state(parent).0, trail, |_, step| steps.push(step));
                nodes[positions[&parent]].edges.push(Edge { to, steps });
            }
        }
        for node in &mut nodes {
            node.edges.sort_by_key(|edge| edge.to);
        }
        Graph { nodes }
    }
}

/// All nodes in breadth-first order.
fn breadth_first<D: Index>(explorer: &Explorer<'_, '_, D>) -> Vec<NodeId> {
    let graph = &explorer.reached.graph;
    let mut order = Vec::with_capacity(graph.len());
    let mut queue: VecDeque<NodeId> = graph.nodes().filter(|&node| graph.parent(node).is_none()).collect();
    while let Some(node) = queue.pop_front() {
        order.push(node);
        // Children are stored newest first.
        queue.extend(graph.children(node).into_iter().rev().filter(|&child| !ends_at_parent(explorer, child)));
    }
    order
}

/// Whether this leaf only marks program exit at its parent.
fn ends_at_parent<D: Index>(explorer: &Explorer<'_, '_, D>, node: NodeId) -> bool {
    explorer.reached.graph.parent(node).is_some_and(|(_, trail)| trail.steps() == 0)
}

/// Why the path to a leaf ends there.
fn leaf<D: Index>(explorer: &Explorer<'_, '_, D>, node: NodeId) -> Fate {
    let graph = &explorer.reached.graph;
    let ((location, _), _) = graph.state(node);
    if explorer.is_error(*location) {
        return Fate::Target(Event::Error);
    }
    let blocked = graph.parent(node).and_then(|(parent, trail)| {
        let mut last = None;
        explorer.follow_trail(graph.state(parent).0, trail, |control, step| last = Some((control, step)));
        last.and_then(|(control, step)| explorer.cpa.control.event_of_step(control, step))
    });
    blocked.map_or(Fate::End, Fate::Target)
}
