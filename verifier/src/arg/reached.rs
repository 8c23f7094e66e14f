//! The reached set: the graph, with its states indexed by partition, shape and digest (see [`Index`]).
//!
//! States cover or merge each other only within a partition. Within one, a state is compared only with those that have
//! the digest of a covering state, for each shape. The cost does not grow with the number of states.

use std::hash::Hash;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::trail::Draft;
use super::{Graph, NodeId, Status, Trail, Trails};
use crate::cpa::Index;

/// All reached states: pairs of a partition and a state within it.
#[derive(Debug)]
pub struct Reached<P, T> {
    /// The graph that they form.
    pub graph: Graph<(P, T)>,
    /// The paths from parents to nodes.
    pub trails: Trails,
    /// The first node of each bucket. Buckets may collide, so states of one are still compared.
    buckets: FxHashMap<u32, NodeId>,
    /// The shapes that occur in a partition.
    shapes: FxHashMap<P, Shapes<(P, T)>>,
    /// Number of shapes, besides its own, in which a cover for a state is looked up.
    max_shapes: usize,
}

/// The result of removing a subtree.
#[derive(Debug, Default)]
pub struct Removed {
    /// Number of removed nodes.
    pub gone: usize,
    /// Remaining nodes that have lost their cover.
    pub orphans: Vec<NodeId>,
}

/// Some shapes of a partition, each with a sample state; the most recently useful ones first.
#[derive(Debug)]
struct Shapes<S> {
    list: SmallVec<[(u64, S); 1]>,
    /// Number of replacements since the list is full.
    replaced: usize,
}

impl<S> Default for Shapes<S> {
    fn default() -> Shapes<S> {
        Shapes { list: SmallVec::new(), replaced: 0 }
    }
}

impl<S> Shapes<S> {
    fn add(&mut self, shape: u64, max_shapes: usize, state: impl FnOnce() -> S) {
        if self.list.iter().any(|(other, _)| *other == shape) {
            return;
        }
        if self.list.len() < max_shapes {
            self.list.push((shape, state()));
            return;
        }
        // The first half is for shapes that have covered something.
        let at = max_shapes / 2 + self.replaced % (max_shapes / 2);
        self.replaced += 1;
        self.list[at] = (shape, state());
    }
}

impl<P, T> Reached<P, T> {
    /// The empty set. A cover for a state is looked up in its own shape and `max_shapes` others, at least two.
    pub fn new(max_shapes: usize) -> Reached<P, T> {
        Reached {
            graph: Graph::default(),
            trails: Trails::default(),
            buckets: FxHashMap::default(),
            shapes: FxHashMap::default(),
            max_shapes,
        }
    }
}

fn bucket<P: Hash>(partition: P, shape: u64, digest: u64) -> u32 {
    use std::hash::BuildHasher;
    let hash = rustc_hash::FxBuildHasher.hash_one((partition, shape, digest));
    (hash ^ hash >> 32) as u32
}

/// The bucket that a state is kept in.
fn bucket_of<P: Copy + Hash, T, C: Index<State = (P, T)>>(cpa: &C, state: &(P, T)) -> u32 {
    let (shape, digest) = cpa.group(state);
    bucket(state.0, shape, digest)
}

impl<P: Copy + Eq + Hash, T: Clone + Eq> Reached<P, T> {
    /// Adds a node that never covers another.
    pub fn add_leaf(&mut self, parent: NodeId, trail: &Draft, state: (P, T)) -> NodeId {
        let trail = self.trails.keep(trail);
        self.graph.add(Some(parent), trail, state, Status::Leaf)
    }

    /// Adds a node that waits to be expanded, and may cover others.
    pub fn add<C>(&mut self, cpa: &C, parent: Option<(NodeId, &Draft)>, state: (P, T)) -> NodeId
    where
        C: Index<State = (P, T)>,
    {
        let trail = parent.map_or(Trail::default(), |(_, draft)| self.trails.keep(draft));
        let node = self.graph.add(parent.map(|(p, _)| p), trail, state, Status::Waiting);
        self.link(cpa, node);
        node
    }

    /// Adds a node that `by` covers.
    pub fn add_covered(&mut self, parent: NodeId, trail: &Draft, state: (P, T), by: NodeId) -> NodeId {
        let trail = self.trails.keep(trail);
        let node = self.graph.add(Some(parent), trail, state, Status::Covered);
        self.graph.cover(node, by);
        node
    }

    /// Puts a node of the graph into the index, so that it may cover others.
    pub fn link<C: Index<State = (P, T)>>(&mut self, cpa: &C, node: NodeId) {
        let state = self.graph.state(node);
        let (shape, digest) = cpa.group(state);
        self.shapes.entry(state.0).or_default().add(shape, self.max_shapes, || state.clone());
        let first = self.buckets.entry(bucket(state.0, shape, digest)).or_insert(NodeId::NONE);
        self.graph.nodes[node.index()].next_in_bucket = std::mem::replace(first, node);
    }

    /// Merges `state`, a successor of `parent`, into the reached states of its group.
    /// Returns the nodes whose states have changed.
    pub fn merge<C: Index<State = (P, T)>>(
        &mut self,
        cpa: &C,
        precision: &C::Precision,
        state: &(P, T),
        (parent, draft): (NodeId, &Draft),
    ) -> SmallVec<[NodeId; 1]> {
        if !C::MERGES {
            return SmallVec::new();
        }
        let key = bucket_of(cpa, state);
        let Some(&first) = self.buckets.get(&key) else { return SmallVec::new() };
        let merged = self.in_bucket(first).filter(|(_, old)| old.0 == state.0).filter_map(|(node, old)| {
            let new = cpa.merge(state, old, precision)?;
            (new != *old).then_some((node, new))
        });
        let merged: SmallVec<[(NodeId, (P, T)); 1]> = merged.collect();
        let changed = merged.iter().map(|(node, _)| *node).collect();
        for (node, new) in merged {
            let trail = self.trails.keep(draft);
            self.unlink(key, node);
            self.graph.replace(node, new, parent, trail);
            self.link(cpa, node);
        }
        changed
    }

    /// A reached state that covers `state`.
    pub fn stop<C: Index<State = (P, T)>>(&mut self, cpa: &C, state: &(P, T)) -> Option<NodeId> {
        let (own, digest) = cpa.group(state);
        if let Some(node) = self.look_up(cpa, state, own, digest) {
            return Some(node);
        }
        let shapes = self.shapes.get(&state.0)?;
        let (at, node) =
            shapes.list.iter().enumerate().filter(|(_, (shape, _))| *shape != own).find_map(|(i, like)| {
                let (shape, like) = like;
                Some((i, self.look_up(cpa, state, *shape, cpa.digest_as(state, like)?)?))
            })?;
        if let Some(shapes) = self.shapes.get_mut(&state.0) {
            shapes.list[..=at].rotate_right(1);
        }
        Some(node)
    }

    fn look_up<C: Index<State = (P, T)>>(&self, cpa: &C, state: &(P, T), shape: u64, digest: u64) -> Option<NodeId> {
        let first = *self.buckets.get(&bucket(state.0, shape, digest))?;
        cpa.stop(state, self.in_bucket(first))
    }

    fn in_bucket(&self, first: NodeId) -> impl Iterator<Item = (NodeId, &(P, T))> {
        std::iter::successors(first.some(), |n| self.graph.nodes[n.index()].next_in_bucket.some())
            .map(|node| (node, self.graph.state(node)))
    }

    /// Removes all nodes below `node`.
    pub fn prune_below<C: Index<State = (P, T)>>(&mut self, cpa: &C, node: NodeId) -> Removed {
        let (gone, orphans) = self.graph.prune_below(node);
        for (id, state) in &gone {
            self.unlink(bucket_of(cpa, state), *id);
        }
        Removed { gone: gone.len(), orphans }
    }

    /// Removes `node` from the index: it covers nothing from now on. Returns the nodes that it covered.
    pub fn release<C: Index<State = (P, T)>>(&mut self, cpa: &C, node: NodeId) -> Vec<NodeId> {
        self.unlink(bucket_of(cpa, self.graph.state(node)), node);
        let covered = self.graph.covered_by(node);
        covered.iter().for_each(|&other| self.graph.uncover(other));
        covered
    }

    fn unlink(&mut self, key: u32, node: NodeId) {
        let Some(first) = self.buckets.get_mut(&key) else { return };
        let next = self.graph.nodes[node.index()].next_in_bucket;
        if *first == node {
            match next.some() {
                Some(next) => *first = next,
                None => {
                    self.buckets.remove(&key);
                }
            }
            return;
        }
        let mut at = *first;
        while let Some(other) = at.some() {
            let following = self.graph.nodes[other.index()].next_in_bucket;
            if following == node {
                self.graph.nodes[other.index()].next_in_bucket = next;
                return;
            }
            at = following;
        }
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        *self = Reached::new(self.max_shapes);
    }
}
