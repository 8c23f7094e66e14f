//! A persistent map from cells to words: cheap to copy, hash and compare.
//!
//! A tree whose leaves hold up to 64 words. Copies share all nodes; a change copies the path to the root, except for
//! unshared nodes. Hash sums over the entries are maintained, so that most comparisons need no traversal.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::cells::{CellId, CellSet};
use super::leaf::{Leaf, PLACES};

/// A map from cells to words.
#[derive(Clone, Default)]
pub struct WordMap {
    root: Root,
    len: u32,
    digest: u64,
    shape: u64,
}

/// The cells of small programs fit a single leaf.
#[derive(Clone)]
enum Root {
    Leaf(Option<Leaf>),
    /// The root node and the height of the tree above the leaves.
    Tree(Rc<Inner>, u32),
}

#[derive(Clone)]
enum Inner {
    Leaves([Option<Leaf>; WAYS]),
    Inners([Option<Rc<Inner>>; WAYS]),
}

const BITS: u32 = 3;
const WAYS: usize = 1 << BITS;

impl Default for Root {
    fn default() -> Root {
        Root::Leaf(None)
    }
}

impl Inner {
    /// An empty node at a height, counting from 1 above the leaves.
    fn new(height: u32) -> Inner {
        match height {
            1 => Inner::Leaves([const { None }; WAYS]),
            _ => Inner::Inners([const { None }; WAYS]),
        }
    }

    /// The index of the child that contains `cell`.
    #[inline]
    fn slot(cell: u32, height: u32) -> usize {
        ((cell / PLACES) >> (BITS * (height - 1))) as usize % WAYS
    }

    /// The leaf of a cell.
    #[inline]
    fn leaf(&self, cell: u32, height: u32) -> Option<&Leaf> {
        match self {
            Inner::Leaves(children) => children[Inner::slot(cell, height)].as_ref(),
            Inner::Inners(children) => children[Inner::slot(cell, height)].as_ref()?.leaf(cell, height - 1),
        }
    }

    /// The slot for the leaf of a cell; missing inner nodes are created.
    fn leaf_slot(&mut self, cell: u32, height: u32) -> &mut Option<Leaf> {
        match self {
            Inner::Leaves(children) => &mut children[Inner::slot(cell, height)],
            Inner::Inners(children) => {
                let child = children[Inner::slot(cell, height)].get_or_insert_with(|| Rc::new(Inner::new(height - 1)));
                Rc::make_mut(child).leaf_slot(cell, height - 1)
            }
        }
    }

    /// Visits all leaves in order, with their first cells.
    fn leaves<'a>(&'a self, first: u32, height: u32, visit: &mut impl FnMut(u32, &'a Leaf)) {
        let first_of = |child: usize| first + PLACES * ((child as u32) << (BITS * (height - 1)));
        match self {
            Inner::Leaves(children) => {
                for (i, leaf) in children.iter().enumerate() {
                    if let Some(leaf) = leaf {
                        visit(first_of(i), leaf);
                    }
                }
            }
            Inner::Inners(children) => {
                for (i, child) in children.iter().enumerate() {
                    if let Some(child) = child {
                        child.leaves(first_of(i), height - 1, visit);
                    }
                }
            }
        }
    }

    /// Removes empty nodes on the path to a cell. Returns whether this node is empty.
    fn prune(&mut self, cell: u32, height: u32) -> bool {
        match self {
            Inner::Leaves(children) => children.iter().all(Option::is_none),
            Inner::Inners(children) => {
                let child = &mut children[Inner::slot(cell, height)];
                if child.as_mut().is_some_and(|child| Rc::make_mut(child).prune(cell, height - 1)) {
                    *child = None;
                }
                children.iter().all(Option::is_none)
            }
        }
    }

    fn is_within(&self, other: &Inner) -> bool {
        fn all<T>(a: &[Option<T>], b: &[Option<T>], is_within: impl Fn(&T, &T) -> bool) -> bool {
            a.iter().zip(b).all(|pair| match pair {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(a), Some(b)) => is_within(a, b),
            })
        }
        match (self, other) {
            (Inner::Leaves(a), Inner::Leaves(b)) => all(a, b, Leaf::is_within),
            (Inner::Inners(a), Inner::Inners(b)) => all(a, b, |a, b| Rc::ptr_eq(a, b) || a.is_within(b)),
            _ => unreachable!("the trees are equally high"),
        }
    }
}

#[inline]
fn scramble(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (x ^ x >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The contribution of an entry to the digest.
#[inline]
fn entry_hash(cell: u32, word: u64) -> u64 {
    scramble(word.wrapping_add(scramble(u64::from(cell) + 1)))
}

/// The contribution of a cell to the shape.
#[inline]
fn cell_hash(cell: u32) -> u64 {
    scramble(!u64::from(cell))
}

impl WordMap {
    /// The number of entries.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A hash of the set of cells with an entry.
    pub fn shape(&self) -> u64 {
        self.shape
    }

    /// A hash of the entries.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The height of the tree above the leaves.
    fn height(&self) -> u32 {
        match self.root {
            Root::Leaf(_) => 0,
            Root::Tree(_, height) => height,
        }
    }

    /// Whether the tree is high enough for `cell`.
    #[inline]
    fn has_room(&self, cell: u32) -> bool {
        (cell / PLACES) >> (BITS * self.height()) == 0
    }

    /// The word of a cell.
    #[inline]
    pub fn get(&self, cell: CellId) -> Option<u64> {
        self.leaf(cell.0)?.get(cell.0 % PLACES)
    }

    /// Sets the word of a cell.
    pub fn set(&mut self, cell: CellId, word: u64) {
        let cell = cell.0;
        while !self.has_room(cell) {
            self.grow();
        }
        let slot = self.leaf_slot(cell);
        let old = slot.as_ref().and_then(|leaf| leaf.get(cell % PLACES));
        if old == Some(word) {
            return;
        }
        match slot {
            Some(leaf) => leaf.set(cell % PLACES, word),
            None => *slot = Some(Leaf::new(cell % PLACES, word)),
        }
        self.digest = self.digest.wrapping_add(entry_hash(cell, word));
        match old {
            Some(old) => self.digest = self.digest.wrapping_sub(entry_hash(cell, old)),
            None => {
                self.len += 1;
                self.shape = self.shape.wrapping_add(cell_hash(cell));
            }
        }
    }

    /// Adds a level at the root.
    fn grow(&mut self) {
        self.root = match std::mem::take(&mut self.root) {
            Root::Leaf(leaf) => {
                let mut children = [const { None }; WAYS];
                children[0] = leaf;
                Root::Tree(Rc::new(Inner::Leaves(children)), 1)
            }
            Root::Tree(root, height) => {
                let mut children = [const { None }; WAYS];
                children[0] = Some(root);
                Root::Tree(Rc::new(Inner::Inners(children)), height + 1)
            }
        };
    }

    /// The slot for the leaf of a cell.
    fn leaf_slot(&mut self, cell: u32) -> &mut Option<Leaf> {
        match &mut self.root {
            Root::Leaf(leaf) => leaf,
            Root::Tree(root, height) => Rc::make_mut(root).leaf_slot(cell, *height),
        }
    }

    /// Removes the entry of a cell.
    pub fn remove(&mut self, cell: CellId) {
        let Some(leaf) = self.leaf(cell.0) else { return };
        let removed = leaf.present() & 1 << (cell.0 % PLACES);
        if removed != 0 {
            self.clear(cell.0 / PLACES * PLACES, removed);
        }
    }

    /// Keeps only the cells of `set`.
    pub fn retain(&mut self, set: &CellSet) {
        let mut removed: smallvec::SmallVec<[(u32, u64); 4]> = smallvec::SmallVec::new();
        self.leaves(|first, leaf| {
            let of_leaf = leaf.present() & !set.word(first);
            if of_leaf != 0 {
                removed.push((first, of_leaf));
            }
        });
        for (first, of_leaf) in removed {
            self.clear(first, of_leaf);
        }
    }

    /// Removes the cells of one leaf that are in `removed`, all of which must be present.
    fn clear(&mut self, first: u32, removed: u64) {
        self.len -= removed.count_ones();
        if self.len == 0 {
            *self = WordMap::default();
            return;
        }
        let (mut digest, mut shape) = (self.digest, self.shape);
        let slot = self.leaf_slot(first);
        let Some(leaf) = slot else { unreachable!("its words are there") };
        for (at, word) in leaf.words().filter(|(at, _)| removed >> at & 1 == 1) {
            digest = digest.wrapping_sub(entry_hash(first + at, word));
            shape = shape.wrapping_sub(cell_hash(first + at));
        }
        let kept = leaf.present() & !removed;
        if kept != 0 {
            leaf.retain(kept);
        } else {
            *slot = None;
            self.shrink(first);
        }
        (self.digest, self.shape) = (digest, shape);
    }

    /// Removes empty nodes above the leaf of a cell, and superfluous levels at the root.
    fn shrink(&mut self, cell: u32) {
        if let Root::Tree(root, height) = &mut self.root {
            Rc::make_mut(root).prune(cell, *height);
        }
        while let Root::Tree(root, height) = &mut self.root {
            let below = match Rc::make_mut(root) {
                Inner::Leaves(children) if children[1..].iter().all(Option::is_none) => Root::Leaf(children[0].take()),
                Inner::Inners(children) if children[1..].iter().all(Option::is_none) => match children[0].take() {
                    Some(child) => Root::Tree(child, *height - 1),
                    None => Root::Leaf(None),
                },
                _ => break,
            };
            self.root = below;
        }
    }

    /// The leaf of a cell.
    #[inline]
    fn leaf(&self, cell: u32) -> Option<&Leaf> {
        if !self.has_room(cell) {
            return None;
        }
        match &self.root {
            Root::Leaf(leaf) => leaf.as_ref(),
            Root::Tree(root, height) => root.leaf(cell, *height),
        }
    }

    /// Visits all leaves in order, with their first cells.
    fn leaves<'a>(&'a self, mut visit: impl FnMut(u32, &'a Leaf)) {
        match &self.root {
            Root::Leaf(None) => {}
            Root::Leaf(Some(leaf)) => visit(0, leaf),
            Root::Tree(root, height) => root.leaves(0, *height, &mut visit),
        }
    }

    /// All entries, ordered by cell.
    pub fn entries(&self) -> Vec<(CellId, u64)> {
        let mut entries = Vec::with_capacity(self.len());
        self.leaves(|first, leaf| entries.extend(leaf.words().map(|(at, word)| (CellId(first + at), word))));
        entries
    }

    /// Whether every entry of this map is also in `other`.
    pub fn is_within(&self, other: &WordMap) -> bool {
        if self.len > other.len {
            return false;
        }
        if self.len == other.len && (self.digest != other.digest || self.shape != other.shape) {
            return false;
        }
        match (&self.root, &other.root) {
            (Root::Leaf(None), _) => true,
            (Root::Leaf(Some(a)), Root::Leaf(Some(b))) => a.is_within(b),
            (Root::Tree(a, height), Root::Tree(b, other)) if height == other => Rc::ptr_eq(a, b) || a.is_within(b),
            _ => self.entries().into_iter().all(|(cell, word)| other.get(cell) == Some(word)),
        }
    }

    /// The digest of the entries for the cells of `like`; `None` if one of them is missing.
    pub fn digest_as(&self, like: &WordMap) -> Option<u64> {
        if self.shape == like.shape {
            return Some(self.digest);
        }
        if self.len < like.len {
            return None;
        }
        let mut digest = 0_u64;
        for (cell, _) in like.entries() {
            digest = digest.wrapping_add(entry_hash(cell.0, self.get(cell)?));
        }
        Some(digest)
    }
}

impl PartialEq for WordMap {
    fn eq(&self, other: &WordMap) -> bool {
        self.len == other.len && self.is_within(other)
    }
}

impl Eq for WordMap {}

impl Hash for WordMap {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.digest);
    }
}

impl std::fmt::Debug for WordMap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.entries()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    enum Change {
        Set(u32, u64),
        Remove(u32),
        Retain(Vec<u32>),
    }

    fn changes() -> impl Strategy<Value = Vec<Change>> {
        let cell = prop_oneof![6 => 0..20_u32, 2 => 0..100_u32, 1 => 0..700_u32, 1 => 0..6000_u32];
        let word = prop_oneof![6 => 0..4_u64, 2 => 250..260_u64, 1 => 65_530..65_540_u64, 1 => u64::from(u32::MAX)..1 << 33, 1 => any::<u64>()];
        let change = prop_oneof![
            6 => (cell.clone(), word).prop_map(|(c, w)| Change::Set(c, w)),
            2 => cell.clone().prop_map(Change::Remove),
            1 => prop::collection::vec(cell, 0..30).prop_map(Change::Retain),
        ];
        prop::collection::vec(change, 0..60)
    }

    fn build(changes: &[Change]) -> (WordMap, BTreeMap<u32, u64>) {
        let (mut map, mut model) = (WordMap::default(), BTreeMap::new());
        for change in changes {
            match change {
                Change::Set(cell, word) => {
                    map.set(CellId(*cell), *word);
                    model.insert(*cell, *word);
                }
                Change::Remove(cell) => {
                    map.remove(CellId(*cell));
                    model.remove(cell);
                }
                Change::Retain(cells) => {
                    map.retain(&cells.iter().map(|&c| CellId(c)).collect());
                    model.retain(|cell, _| cells.contains(cell));
                }
            }
        }
        (map, model)
    }

    proptest! {
        #[test]
        fn behaves_like_a_map(a in changes(), b in changes()) {
            let (map, model) = build(&a);
            let copy = map.clone();
            let (other, other_model) = build(&b);
            for (m, expected) in [(&map, &model), (&other, &other_model)] {
                let entries: Vec<_> = expected.iter().map(|(&c, &w)| (CellId(c), w)).collect();
                prop_assert_eq!(m.entries(), entries);
                prop_assert_eq!(m.len(), expected.len());
            }
            prop_assert_eq!(map == other, model == other_model);
            let within = model.iter().all(|(c, w)| other_model.get(c) == Some(w));
            prop_assert_eq!(map.is_within(&other), within);
            prop_assert_eq!(other.digest_as(&map).is_some(), model.keys().all(|c| other_model.contains_key(c)));
            prop_assert_eq!(other.digest_as(&map) == Some(map.digest()), within);
            let mut changed = map.clone();
            changed.set(CellId(3), 99);
            prop_assert_eq!(&map, &copy);
        }
    }
}
