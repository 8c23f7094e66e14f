//! The abstract reachability graph: abstract states, how they were reached, and which of them cover others.

mod reached;
mod trail;
mod waitlist;

pub use reached::{Reached, Removed};
pub use trail::{Draft, Trail, Trails};
pub use waitlist::{Order, Waitlist};

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

impl NodeId {
    const NONE: NodeId = NodeId(u32::MAX);

    const fn index(self) -> usize {
        self.0 as usize
    }

    fn some(self) -> Option<NodeId> {
        (self != NodeId::NONE).then_some(self)
    }
}

/// The status of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// On the waitlist.
    Waiting,
    /// Its successors were computed.
    Expanded,
    /// Another node covers it.
    Covered,
    /// Its path ends: the program exits, or the node is a target.
    Leaf,
    /// Removed; its id may be reused.
    Gone,
}

#[derive(Debug)]
struct Node<S> {
    state: Option<S>,
    trail: Trail,
    parent: NodeId,
    first_child: NodeId,
    next_sibling: NodeId,
    /// The node that covers this one.
    coverer: NodeId,
    /// The first node that this one covers.
    first_covered: NodeId,
    /// Neighbours in the list of nodes with the same coverer.
    next_covered: NodeId,
    prev_covered: NodeId,
    /// The next node in the same bucket of the reached set.
    next_in_bucket: NodeId,
    /// Incremented when the id is reused, so that stale references are recognised.
    stamp: u32,
    status: Status,
}

/// The graph: a tree of nodes by their first parents, with further parents where states were merged.
#[derive(Debug)]
pub struct Graph<S> {
    nodes: Vec<Node<S>>,
    free: Vec<NodeId>,
    /// Parents beyond the first, of merged nodes.
    more_parents: rustc_hash::FxHashMap<NodeId, Vec<(NodeId, Trail)>>,
    alive: usize,
}

impl<S> Default for Graph<S> {
    fn default() -> Graph<S> {
        Graph { nodes: Vec::new(), free: Vec::new(), more_parents: Default::default(), alive: 0 }
    }
}

impl<S> Graph<S> {
    /// Adds a node; the root has no parent.
    pub fn add(&mut self, parent: Option<NodeId>, trail: Trail, state: S, status: Status) -> NodeId {
        let stamp = match self.free.last() {
            Some(id) => self.nodes[id.index()].stamp + 1,
            None => 0,
        };
        let next_sibling = parent.map_or(NodeId::NONE, |p| self.nodes[p.index()].first_child);
        let node = Node {
            state: Some(state),
            trail,
            parent: parent.unwrap_or(NodeId::NONE),
            first_child: NodeId::NONE,
            next_sibling,
            coverer: NodeId::NONE,
            first_covered: NodeId::NONE,
            next_covered: NodeId::NONE,
            prev_covered: NodeId::NONE,
            next_in_bucket: NodeId::NONE,
            stamp,
            status,
        };
        self.alive += 1;
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id.index()] = node;
                id
            }
            None => {
                let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
                self.nodes.push(node);
                id
            }
        };
        if let Some(parent) = parent {
            self.nodes[parent.index()].first_child = id;
        }
        id
    }

    /// The state of a node.
    #[inline]
    pub fn state(&self, node: NodeId) -> &S {
        self.nodes[node.index()].state.as_ref().expect("only removed nodes have no state")
    }

    /// The status of a node.
    pub fn status(&self, node: NodeId) -> Status {
        self.nodes[node.index()].status
    }

    /// Sets the status of a node.
    pub fn set_status(&mut self, node: NodeId, status: Status) {
        self.nodes[node.index()].status = status;
    }

    /// The first parent of a node, and the trail from there.
    pub fn parent(&self, node: NodeId) -> Option<(NodeId, Trail)> {
        let node = &self.nodes[node.index()];
        node.parent.some().map(|parent| (parent, node.trail))
    }

    /// All parents of a node; several after merging.
    pub fn parents(&self, node: NodeId) -> Vec<(NodeId, Trail)> {
        let more = self.more_parents.get(&node).into_iter().flatten().copied();
        self.parent(node).into_iter().chain(more).collect()
    }

    /// The nodes whose first parent is `node`, the newest first.
    pub fn children(&self, node: NodeId) -> Vec<NodeId> {
        let first = self.nodes[node.index()].first_child.some();
        std::iter::successors(first, |child| self.nodes[child.index()].next_sibling.some()).collect()
    }

    /// The node that covers `node`.
    pub fn coverer(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].coverer.some()
    }

    /// The nodes that `node` covers, the newest first.
    pub fn covered_by(&self, node: NodeId) -> Vec<NodeId> {
        let first = self.nodes[node.index()].first_covered.some();
        std::iter::successors(first, |n| self.nodes[n.index()].next_covered.some()).collect()
    }

    /// Marks `node` as covered by `by`.
    pub fn cover(&mut self, node: NodeId, by: NodeId) {
        let next = std::mem::replace(&mut self.nodes[by.index()].first_covered, node);
        if let Some(next) = next.some() {
            self.nodes[next.index()].prev_covered = node;
        }
        let node = &mut self.nodes[node.index()];
        (node.coverer, node.next_covered, node.prev_covered) = (by, next, NodeId::NONE);
        node.status = Status::Covered;
    }

    /// Removes the cover of `node`.
    fn uncover(&mut self, node: NodeId) {
        let Some(coverer) = self.nodes[node.index()].coverer.some() else { return };
        let (prev, next) = (self.nodes[node.index()].prev_covered, self.nodes[node.index()].next_covered);
        match prev.some() {
            Some(prev) => self.nodes[prev.index()].next_covered = next,
            None => self.nodes[coverer.index()].first_covered = next,
        }
        if let Some(next) = next.some() {
            self.nodes[next.index()].prev_covered = prev;
        }
        let node = &mut self.nodes[node.index()];
        (node.coverer, node.next_covered, node.prev_covered) = (NodeId::NONE, NodeId::NONE, NodeId::NONE);
    }

    /// Changes when the id of the node is reused.
    pub fn stamp(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].stamp
    }

    /// Replaces the state of a merged node and adds a parent.
    fn replace(&mut self, node: NodeId, state: S, parent: NodeId, trail: Trail) {
        self.nodes[node.index()].state = Some(state);
        self.more_parents.entry(node).or_default().push((parent, trail));
    }

    /// All nodes that were not removed, in the order of their ids.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.nodes.len() as u32).map(NodeId).filter(|n| self.status(*n) != Status::Gone)
    }

    /// Number of nodes that were not removed.
    pub fn len(&self) -> usize {
        self.alive
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.alive == 0
    }

    /// The nodes from the root to `node`.
    pub fn path_to(&self, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<_> = std::iter::successors(Some(node), |n| self.nodes[n.index()].parent.some()).collect();
        path.reverse();
        path
    }

    /// Removes all nodes below `node`. Returns them with their states, and the remaining nodes that have lost their cover.
    fn prune_below(&mut self, node: NodeId) -> (Vec<(NodeId, S)>, Vec<NodeId>) {
        let mut doomed = self.children(node);
        let mut next = 0;
        while next < doomed.len() {
            let children = self.children(doomed[next]);
            doomed.extend(children);
            next += 1;
        }
        self.nodes[node.index()].first_child = NodeId::NONE;
        for &id in &doomed {
            self.nodes[id.index()].status = Status::Gone;
        }
        let mut orphans = Vec::new();
        let mut gone = Vec::with_capacity(doomed.len());
        for &id in &doomed {
            self.uncover(id);
            while let Some(other) = self.nodes[id.index()].first_covered.some() {
                self.uncover(other);
                if self.status(other) != Status::Gone {
                    orphans.push(other);
                }
            }
            self.more_parents.remove(&id);
            let state = self.nodes[id.index()].state.take().expect("only removed nodes have no state");
            gone.push((id, state));
        }
        for parents in self.more_parents.values_mut() {
            parents.retain(|(parent, _)| self.nodes[parent.index()].status != Status::Gone);
        }
        self.alive -= doomed.len();
        self.free.extend(doomed);
        (gone, orphans)
    }
}
