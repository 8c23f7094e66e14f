//! The reached set: the graph, with its states found by partition, shape and digest.
//!
//! States can cover or be merged with each other only within a partition. Within one, a state is compared only with those
//! that have the digest which a covering state of their shape must have, so that the cost does not grow with the number
//! of states.

use std::hash::Hash;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::trail::Draft;
use super::{Graph, NodeId, Status, Trail, Trails};
use crate::cpa::Cpa;

/// All reached states.
#[derive(Debug)]
pub struct Reached<P, S> {
    /// The graph that they form.
    pub graph: Graph<S>,
    /// How nodes were reached from their parents.
    pub trails: Trails,
    /// The first node of each bucket. States whose numbers agree by chance share one, which costs a comparison.
    buckets: FxHashMap<u32, NodeId>,
    /// The shapes that occur in a partition.
    shapes: FxHashMap<P, Shapes<S>>,
}

/// What the removal of a subtree changed.
#[derive(Debug, Default)]
pub struct Removed {
    /// How many nodes are gone.
    pub gone: usize,
    /// Nodes that stay but have lost the one that covered them.
    pub orphans: Vec<NodeId>,
}

/// Some shapes of a partition, each with one state of it; those first that covered a state last.
#[derive(Debug)]
struct Shapes<S> {
    list: SmallVec<[(u64, S); 1]>,
    /// Where the next one goes when the list is full.
    next: usize,
}

impl<S> Default for Shapes<S> {
    fn default() -> Shapes<S> {
        Shapes { list: SmallVec::new(), next: 0 }
    }
}

impl<S> Shapes<S> {
    fn add(&mut self, shape: u64, state: impl FnOnce() -> S) {
        if self.list.iter().any(|(other, _)| *other == shape) {
            return;
        }
        if self.list.len() < MOST_SHAPES {
            self.list.push((shape, state()));
            return;
        }
        // The first half is for those that have proved useful.
        let at = MOST_SHAPES / 2 + self.next % (MOST_SHAPES / 2);
        self.next += 1;
        self.list[at] = (shape, state());
    }
}

/// Besides the states of its own shape, a state is compared with those of so many others.
const MOST_SHAPES: usize = 8;

impl<P, S> Default for Reached<P, S> {
    fn default() -> Reached<P, S> {
        Reached {
            graph: Graph::default(),
            trails: Trails::default(),
            buckets: FxHashMap::default(),
            shapes: FxHashMap::default(),
        }
    }
}

fn bucket<P: Hash>(partition: P, shape: u64, digest: u64) -> u32 {
    use std::hash::BuildHasher;
    let hash = rustc_hash::FxBuildHasher.hash_one((partition, shape, digest));
    (hash ^ hash >> 32) as u32
}

impl<P: Copy + Eq + Hash, S: Clone + Eq> Reached<P, S> {
    /// Adds a node to the graph alone: one that never covers another.
    pub fn add_leaf(&mut self, parent: NodeId, trail: &Draft, state: S) -> NodeId {
        let trail = self.trails.keep(trail);
        self.graph.add(Some(parent), trail, state, Status::Leaf)
    }

    /// Adds a node that waits to be expanded, and may cover others.
    pub fn add<C: Cpa<State = S>>(
        &mut self,
        cpa: &C,
        partition: P,
        parent: Option<(NodeId, &Draft)>,
        state: S,
    ) -> NodeId {
        let trail = parent.map_or(Trail::default(), |(_, draft)| self.trails.keep(draft));
        let node = self.graph.add(parent.map(|(p, _)| p), trail, state, Status::Waiting);
        self.link(cpa, partition, node);
        node
    }

    /// Makes a node of the graph one that may cover others.
    pub fn link<C: Cpa<State = S>>(&mut self, cpa: &C, partition: P, node: NodeId) {
        let state = self.graph.state(node);
        let (shape, digest) = (cpa.shape(state), cpa.digest(state));
        self.shapes.entry(partition).or_default().add(shape, || state.clone());
        let first = self.buckets.entry(bucket(partition, shape, digest)).or_insert(NodeId::NONE);
        self.graph.nodes[node.index()].next_in_bucket = std::mem::replace(first, node);
    }

    /// Merges `state`, which comes from `parent`, into the reached states that the analysis wants to merge with it. Only
    /// states of the same shape and digest are looked at. Gives the nodes whose states have changed.
    pub fn merge<C: Cpa<State = S>>(
        &mut self,
        cpa: &C,
        precision: &C::Precision,
        partition: P,
        state: &S,
        (parent, draft): (NodeId, &Draft),
    ) -> SmallVec<[NodeId; 1]> {
        let key = bucket(partition, cpa.shape(state), cpa.digest(state));
        let Some(&first) = self.buckets.get(&key) else { return SmallVec::new() };
        let merged = self.in_bucket(first).filter_map(|(node, old)| {
            let new = cpa.merge(state, old, precision)?;
            (new != *old).then_some((node, new))
        });
        let merged: SmallVec<[(NodeId, S); 1]> = merged.collect();
        let changed = merged.iter().map(|(node, _)| *node).collect();
        for (node, new) in merged {
            let trail = self.trails.keep(draft);
            self.unlink(key, node);
            self.graph.replace(node, new, parent, trail);
            self.link(cpa, partition, node);
        }
        changed
    }

    /// Adds a node that `by` covers.
    pub fn add_covered(&mut self, parent: NodeId, trail: &Draft, state: S, by: NodeId) -> NodeId {
        let trail = self.trails.keep(trail);
        let node = self.graph.add(Some(parent), trail, state, Status::Covered);
        self.graph.cover(node, by);
        node
    }

    /// A reached state that covers `state`.
    pub fn coverer<C: Cpa<State = S>>(&mut self, cpa: &C, partition: P, state: &S) -> Option<NodeId> {
        let own = cpa.shape(state);
        if let Some(node) = self.look_up(cpa, partition, state, own, cpa.digest(state)) {
            return Some(node);
        }
        let shapes = self.shapes.get(&partition)?;
        let (at, node) =
            shapes.list.iter().enumerate().filter(|(_, (shape, _))| *shape != own).find_map(|(i, like)| {
                let (shape, like) = like;
                Some((i, self.look_up(cpa, partition, state, *shape, cpa.digest_as(state, like)?)?))
            })?;
        if let Some(shapes) = self.shapes.get_mut(&partition) {
            shapes.list[..=at].rotate_right(1);
        }
        Some(node)
    }

    fn look_up<C: Cpa<State = S>>(&self, cpa: &C, partition: P, state: &S, shape: u64, digest: u64) -> Option<NodeId> {
        let first = *self.buckets.get(&bucket(partition, shape, digest))?;
        cpa.stop(state, self.in_bucket(first))
    }

    fn in_bucket(&self, first: NodeId) -> impl Iterator<Item = (NodeId, &S)> {
        std::iter::successors(first.some(), |n| self.graph.nodes[n.index()].next_in_bucket.some())
            .map(|node| (node, self.graph.state(node)))
    }

    /// Removes all nodes below `node`.
    pub fn prune_below<C: Cpa<State = S>>(&mut self, cpa: &C, node: NodeId, partition: impl Fn(&S) -> P) -> Removed {
        let (gone, orphans) = self.graph.prune_below(node);
        for (id, state) in &gone {
            let key = bucket(partition(state), cpa.shape(state), cpa.digest(state));
            self.unlink(key, *id);
        }
        Removed { gone: gone.len(), orphans }
    }

    /// `node` covers no other node from now on. Gives those that it has covered until now.
    pub fn release<C: Cpa<State = S>>(&mut self, cpa: &C, node: NodeId, partition: impl Fn(&S) -> P) -> Vec<NodeId> {
        let state = self.graph.state(node);
        let key = bucket(partition(state), cpa.shape(state), cpa.digest(state));
        self.unlink(key, node);
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
        *self = Reached::default();
    }
}
