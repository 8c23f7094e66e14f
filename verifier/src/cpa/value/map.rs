//! A persistent map from cells to words: cheap to copy, hash and compare.
//!
//! It is a tree with eight children or words a node. Copies share all nodes; a change copies the nodes above it, or none
//! if nobody else holds them. Sums of hashes over the entries are kept up to date, so that equality is decided at once
//! nearly always.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::cells::{CellId, CellSet};

/// A map from cells to words.
#[derive(Clone, Default)]
pub struct WordMap {
    root: Option<Rc<Node>>,
    /// How many levels there are below the root.
    height: u32,
    len: u32,
    digest: u64,
    shape: u64,
}

const BITS: u32 = 3;
const WAYS: usize = 1 << BITS;

#[derive(Clone)]
enum Node {
    Leaf { present: u8, words: [u64; WAYS] },
    Inner([Option<Rc<Node>>; WAYS]),
}

/// The position of `cell` in a node whose level is `height`.
#[inline]
fn slot(cell: u32, height: u32) -> usize {
    (cell >> (BITS * height)) as usize % WAYS
}

#[inline]
fn scramble(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (x ^ x >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// What an entry adds to the digest.
#[inline]
fn entry_hash(cell: u32, word: u64) -> u64 {
    scramble(word.wrapping_add(scramble(u64::from(cell) + 1)))
}

/// What the presence of a cell adds to the shape.
#[inline]
fn cell_hash(cell: u32) -> u64 {
    scramble(!u64::from(cell))
}

impl WordMap {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Is there no entry?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A number for the set of cells that have an entry.
    pub fn shape(&self) -> u64 {
        self.shape
    }

    /// A number for the entries.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The word of a cell.
    #[inline]
    pub fn get(&self, cell: CellId) -> Option<u64> {
        let cell = cell.0;
        if cell >> (BITS * self.height) >= WAYS as u32 {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut height = self.height;
        loop {
            match node {
                Node::Leaf { present, words } => {
                    let at = slot(cell, 0);
                    return (present >> at & 1 == 1).then(|| words[at]);
                }
                Node::Inner(children) => {
                    node = children[slot(cell, height)].as_deref()?;
                    height -= 1;
                }
            }
        }
    }

    /// Sets the word of a cell.
    pub fn set(&mut self, cell: CellId, word: u64) {
        let cell = cell.0;
        while cell >> (BITS * self.height) >= WAYS as u32 {
            if let Some(root) = self.root.take() {
                let mut children = [const { None }; WAYS];
                children[0] = Some(root);
                self.root = Some(Rc::new(Node::Inner(children)));
            }
            self.height += 1;
        }
        let mut place = &mut self.root;
        let mut height = self.height;
        loop {
            let fresh = || {
                Rc::new(match height {
                    0 => Node::Leaf { present: 0, words: [0; WAYS] },
                    _ => Node::Inner([const { None }; WAYS]),
                })
            };
            match Rc::make_mut(place.get_or_insert_with(fresh)) {
                Node::Leaf { present, words } => {
                    let at = slot(cell, 0);
                    if *present >> at & 1 == 1 {
                        self.digest = self.digest.wrapping_sub(entry_hash(cell, words[at]));
                    } else {
                        *present |= 1 << at;
                        self.len += 1;
                        self.shape = self.shape.wrapping_add(cell_hash(cell));
                    }
                    words[at] = word;
                    self.digest = self.digest.wrapping_add(entry_hash(cell, word));
                    return;
                }
                Node::Inner(children) => {
                    place = &mut children[slot(cell, height)];
                    height -= 1;
                }
            }
        }
    }

    /// Removes the entry of a cell.
    pub fn remove(&mut self, cell: CellId) {
        let Some(word) = self.get(cell) else { return };
        let cell = cell.0;
        self.len -= 1;
        self.digest = self.digest.wrapping_sub(entry_hash(cell, word));
        self.shape = self.shape.wrapping_sub(cell_hash(cell));
        if self.len == 0 {
            *self = WordMap::default();
            return;
        }
        clear(&mut self.root, cell, self.height);
    }

    /// Keeps only the cells of `set`.
    pub fn retain(&mut self, set: &CellSet) {
        let mut gone = Vec::new();
        if let Some(root) = &self.root {
            leaves(root, 0, self.height, &mut |first, present, _| {
                let mut rest = present & !set.eight(first);
                while rest != 0 {
                    gone.push(CellId(first + rest.trailing_zeros()));
                    rest &= rest - 1;
                }
            });
        }
        for cell in gone {
            self.remove(cell);
        }
    }

    /// All entries, in the order of the cells.
    pub fn entries(&self) -> Vec<(CellId, u64)> {
        let mut entries = Vec::with_capacity(self.len());
        if let Some(root) = &self.root {
            leaves(root, 0, self.height, &mut |first, present, words| {
                for (i, word) in words.iter().enumerate().filter(|(i, _)| present >> i & 1 == 1) {
                    entries.push((CellId(first + i as u32), *word));
                }
            });
        }
        entries
    }

    /// Is every entry of this map also one of `other`?
    pub fn is_within(&self, other: &WordMap) -> bool {
        if self.len > other.len {
            return false;
        }
        if self.len == other.len && (self.digest != other.digest || self.shape != other.shape) {
            return false;
        }
        match (&self.root, &other.root) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) if self.height == other.height => is_within(a, b),
            _ => self.entries().into_iter().all(|(cell, word)| other.get(cell) == Some(word)),
        }
    }

    /// The digest that the entries for the cells of `like` have; `None` if one of them is missing.
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

/// Removes a cell that is there. Nodes that become empty go.
fn clear(place: &mut Option<Rc<Node>>, cell: u32, height: u32) {
    let Some(node) = place else { return };
    let is_empty = match Rc::make_mut(node) {
        Node::Leaf { present, words } => {
            let at = slot(cell, 0);
            *present &= !(1 << at);
            words[at] = 0;
            *present == 0
        }
        Node::Inner(children) => {
            clear(&mut children[slot(cell, height)], cell, height - 1);
            children.iter().all(Option::is_none)
        }
    };
    if is_empty {
        *place = None;
    }
}

/// Visits all leaves in order: the number of the first cell, a bit for each that is present, and the words.
fn leaves(node: &Node, first: u32, height: u32, visit: &mut impl FnMut(u32, u8, &[u64; WAYS])) {
    match node {
        Node::Leaf { present, words } => visit(first, *present, words),
        Node::Inner(children) => {
            for (i, child) in children.iter().enumerate() {
                if let Some(child) = child {
                    leaves(child, first + ((i as u32) << (BITS * height)), height - 1, visit);
                }
            }
        }
    }
}

fn is_within(a: &Rc<Node>, b: &Rc<Node>) -> bool {
    if Rc::ptr_eq(a, b) {
        return true;
    }
    match (&**a, &**b) {
        (Node::Leaf { present: p, words: v }, Node::Leaf { present: q, words: w }) => {
            p & !q == 0 && (0..WAYS).all(|i| p >> i & 1 == 0 || v[i] == w[i])
        }
        (Node::Inner(v), Node::Inner(w)) => v.iter().zip(w).all(|pair| match pair {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => is_within(a, b),
        }),
        _ => unreachable!("the trees are equally high"),
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
        let cell = prop_oneof![4 => 0..20_u32, 1 => 0..700_u32];
        let change = prop_oneof![
            6 => (cell.clone(), 0..4_u64).prop_map(|(c, w)| Change::Set(c, w)),
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
