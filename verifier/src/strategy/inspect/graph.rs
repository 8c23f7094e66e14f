//! The abstract reachability graph without its domain: what states hold is text.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::Names;
use crate::algorithm::Explorer;
use crate::arg::{NodeId, Status};
use crate::cfa::print::Printer;
use crate::cfa::{EdgeId, LocId, Step};
use crate::cpa::Cpa;
use crate::cpa::composite::Exchange;
use crate::cpa::control::{ControlCpa, Event};

/// An abstract reachability graph. Its nodes are in breadth-first order from the root, which is the first.
#[derive(Debug)]
pub struct Graph {
    /// The abstract states.
    pub nodes: Vec<Node>,
}

/// An abstract state.
#[derive(Debug)]
pub struct Node {
    /// Where control is.
    pub location: LocId,
    /// The calls that are under way, the outermost one first.
    pub calls: Vec<EdgeId>,
    /// What is known, in the terms of the source.
    pub facts: Vec<String>,
    /// What has become of it.
    pub fate: Fate,
    /// How it leads to others, in the order of the program.
    pub edges: Vec<Edge>,
}

/// A way from one abstract state to another.
#[derive(Debug)]
pub struct Edge {
    /// The position of the node that it leads to.
    pub to: usize,
    /// The steps of the program on the way; just one, unless loops without end or very long paths are cut.
    pub steps: Vec<Step>,
}

/// What has become of an abstract state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It was not looked at yet when the analysis ended.
    Waiting,
    /// Its successors are there; if there are none, no step can be taken.
    Expanded,
    /// The node at this position stands for it.
    Covered(usize),
    /// The program ends.
    End,
    /// What the analysis looks for, or what stands in the way of a proof.
    Target(Event),
}

impl Graph {
    /// The graph that `explorer` has built. `facts` says what a state of the domain holds.
    pub(in super::super) fn of<'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>>(
        explorer: &Explorer<'_, 'p, D, X>,
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
                let mut calls = explorer.cpa.first.second.calls(*stack);
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

/// All nodes, from the root on.
fn breadth_first<'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>>(explorer: &Explorer<'_, 'p, D, X>) -> Vec<NodeId> {
    let graph = &explorer.reached.graph;
    let mut order = Vec::with_capacity(graph.len());
    let mut queue: VecDeque<NodeId> = graph.nodes().filter(|&node| graph.parent(node).is_none()).collect();
    while let Some(node) = queue.pop_front() {
        order.push(node);
        // Children are there with the newest first.
        queue.extend(graph.children(node).into_iter().rev().filter(|&child| !ends_at_parent(explorer, child)));
    }
    order
}

/// Says a leaf just that the program ends where its parent is?
fn ends_at_parent<'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>>(explorer: &Explorer<'_, 'p, D, X>, node: NodeId) -> bool {
    explorer.reached.graph.parent(node).is_some_and(|(_, trail)| trail.steps() == 0)
}

/// Why the path to a leaf ends there.
fn leaf<'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>>(explorer: &Explorer<'_, 'p, D, X>, node: NodeId) -> Fate {
    let graph = &explorer.reached.graph;
    let ((location, _), _) = graph.state(node);
    if explorer.is_error(*location) {
        return Fate::Target(Event::Error);
    }
    let blocked = graph.parent(node).and_then(|(parent, trail)| {
        let mut last = None;
        explorer.follow_trail(graph.state(parent).0, trail, |control, step| last = Some((control, step)));
        last.and_then(|(control, step)| explorer.cpa.first.event_of_step(control, step))
    });
    blocked.map_or(Fate::End, Fate::Target)
}
