//! The graph of a unification-based, field-sensitive points-to analysis.
//!
//! A node represents objects that some pointer may not distinguish; a cell is a node with an offset. If a pointer is
//! moved by a variable distance, offsets are taken modulo a stride, the size of the array element. A stride of one
//! corresponds to a collapsed node. Nodes are merged by union-find, and a merged node records its shift, so that
//! `container_of` and interior pointers stay exact.

use std::collections::{BTreeMap, BTreeSet};

use clew_verifier::expr::FloatFormat;

use crate::ir::Value;

/// A node. Only roots carry information.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

/// A position within the objects of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// The node.
    pub node: NodeId,
    /// The offset in bytes, below the stride if there is one.
    pub offset: i64,
}

/// A memory object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Object {
    /// A global variable.
    Global(Value),
    /// A stack slot.
    Alloca(Value),
    /// The object that a call allocates.
    Heap(Value),
    /// The variadic arguments of a function.
    VarArgs(Value),
    /// The copy of an argument passed by value in memory: call and position.
    ByValue(Value, u32),
}

/// The kind of a scalar access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum AccessKind {
    /// As a bit-vector.
    Bits,
    /// As a byte of which only the lowest bit is used.
    Truth,
    /// As a float.
    Float(FloatFormat),
}

/// The objects that a pointer may point to, and the accesses to them.
#[derive(Clone, Default, Debug)]
pub struct Node {
    forwarded: Option<Cell>,
    /// The modulus of offsets; 0 for none.
    pub stride: u64,
    /// Scalar accesses: offset, width in bytes, kind.
    pub accesses: BTreeSet<(i64, u64, AccessKind)>,
    /// The start and end offsets of ranges.
    pub cuts: BTreeSet<i64>,
    links: BTreeMap<i64, Cell>,
    /// The objects, with the offsets of their first bytes in the node.
    pub objects: BTreeSet<(Object, i64)>,
    /// The functions that a pointer may point to.
    pub functions: BTreeSet<Value>,
    /// Whether it may contain objects that the program does not define.
    pub external: bool,
    /// Whether a range of unknown length is accessed.
    pub dynamic_ranges: bool,
    /// Whether numbers are among the pointers, so that they may point anywhere.
    pub numeric: bool,
    /// The targets of pointers whose difference is among these numbers.
    differences: BTreeSet<Cell>,
}

/// A random choice of constraints that are left out, to show that mistakes of the analysis are noticed.
#[derive(Clone, Copy, Debug)]
pub struct Gaps {
    /// The state of the random generator.
    pub seed: u64,
    /// One in so many constraints is left out.
    pub one_in: u64,
}

impl Gaps {
    /// Whether the next constraint is left out.
    fn next(&mut self) -> bool {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33).is_multiple_of(self.one_in)
    }
}

/// The graph of all nodes.
#[derive(Default, Debug)]
pub struct Graph {
    gaps: Option<Gaps>,
    nodes: Vec<Node>,
    pending: Vec<(Cell, Cell)>,
    /// Incremented by every change, to detect a fixpoint.
    pub version: u64,
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn wrap(offset: i64, stride: u64) -> i64 {
    if stride == 0 { offset } else { offset.rem_euclid(stride as i64) }
}

impl Graph {
    /// An empty graph that ignores what is in the gaps.
    pub fn new(gaps: Option<Gaps>) -> Graph {
        Graph { gaps, ..Graph::default() }
    }

    fn is_left_out(&mut self) -> bool {
        self.gaps.as_mut().is_some_and(Gaps::next)
    }

    /// A cell of a new node.
    pub fn fresh(&mut self) -> Cell {
        self.nodes.push(Node::default());
        Cell { node: NodeId(self.nodes.len() as u32 - 1), offset: 0 }
    }

    /// The cell with its current root and offset.
    pub fn find(&self, cell: Cell) -> Cell {
        let mut cell = cell;
        loop {
            let node = &self.nodes[cell.node.0 as usize];
            match node.forwarded {
                Some(to) => cell = Cell { node: to.node, offset: cell.offset + to.offset },
                None => return Cell { node: cell.node, offset: wrap(cell.offset, node.stride) },
            }
        }
    }

    /// The information of a root.
    pub fn node(&self, root: NodeId) -> &Node {
        &self.nodes[root.0 as usize]
    }

    /// All roots.
    pub fn roots(&self) -> impl Iterator<Item = NodeId> {
        let is_root = |n: &(usize, &Node)| n.1.forwarded.is_none();
        self.nodes.iter().enumerate().filter(is_root).map(|(i, _)| NodeId(i as u32))
    }

    fn node_mut(&mut self, root: NodeId) -> &mut Node {
        &mut self.nodes[root.0 as usize]
    }

    /// Unifies two cells, and recursively all cells that they link to.
    pub fn unify(&mut self, a: Cell, b: Cell) {
        if self.is_left_out() {
            return;
        }
        self.pending.push((a, b));
        self.unify_pending();
    }

    fn unify_pending(&mut self) {
        while let Some((a, b)) = self.pending.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a.node == b.node {
                if a.offset != b.offset {
                    self.restride(a.node, a.offset.abs_diff(b.offset));
                }
            } else if self.node(a.node).weight() >= self.node(b.node).weight() {
                self.absorb(a.node, b.node, a.offset - b.offset);
            } else {
                self.absorb(b.node, a.node, b.offset - a.offset);
            }
        }
    }

    /// Merges `from`, shifted by `shift`, into `into`.
    fn absorb(&mut self, into: NodeId, from: NodeId, shift: i64) {
        self.version += 1;
        let old = std::mem::take(self.node_mut(from));
        self.node_mut(from).forwarded = Some(Cell { node: into, offset: shift });
        self.restride(into, old.stride);
        let stride = self.node(into).stride;
        let at = |offset: i64| wrap(offset + shift, stride);
        let node = self.node_mut(into);
        node.accesses.extend(old.accesses.iter().map(|&(o, w, k)| (at(o), w, k)));
        node.cuts.extend(old.cuts.iter().map(|&o| at(o)));
        node.objects.extend(old.objects.iter().map(|&(object, o)| (object, at(o))));
        node.functions.extend(&old.functions);
        node.external |= old.external;
        node.dynamic_ranges |= old.dynamic_ranges;
        node.numeric |= old.numeric;
        node.differences.extend(old.differences);
        for (offset, target) in old.links {
            self.add_link(into, at(offset), target);
        }
    }

    fn add_link(&mut self, node: NodeId, offset: i64, target: Cell) {
        match self.node_mut(node).links.entry(offset) {
            std::collections::btree_map::Entry::Vacant(slot) => {
                slot.insert(target);
            }
            std::collections::btree_map::Entry::Occupied(slot) => {
                let known = *slot.get();
                self.pending.push((known, target));
            }
        }
    }

    /// Allows the pointer to move by any multiple of `distance`.
    fn restride(&mut self, root: NodeId, distance: u64) {
        let node = self.node_mut(root);
        let stride = gcd(node.stride, distance);
        if stride == node.stride {
            return;
        }
        node.stride = stride;
        node.accesses = node.accesses.iter().map(|&(o, w, k)| (wrap(o, stride), w, k)).collect();
        node.cuts = node.cuts.iter().map(|&o| wrap(o, stride)).collect();
        node.objects = node.objects.iter().map(|&(object, o)| (object, wrap(o, stride))).collect();
        let links = std::mem::take(&mut node.links);
        self.version += 1;
        for (offset, target) in links {
            self.add_link(root, wrap(offset, stride), target);
        }
    }

    /// The cell `distance` bytes further on.
    pub fn shifted(&self, cell: Cell, distance: i64) -> Cell {
        self.find(Cell { node: cell.node, offset: cell.offset.wrapping_add(distance) })
    }

    /// Allows pointers to `cell` to move by any multiple of `distance` bytes.
    pub fn blur(&mut self, cell: Cell, distance: u64) {
        if self.is_left_out() {
            return;
        }
        let root = self.find(cell).node;
        self.restride(root, distance);
        self.unify_pending();
    }

    /// The cell that a pointer stored at `cell` points to.
    pub fn link(&mut self, cell: Cell) -> Cell {
        let cell = self.find(cell);
        if let Some(&target) = self.node(cell.node).links.get(&cell.offset) {
            return self.find(target);
        }
        let target = self.fresh();
        self.version += 1;
        self.node_mut(cell.node).links.insert(cell.offset, target);
        target
    }

    /// The same, if it is known already.
    pub fn known_link(&self, cell: Cell) -> Option<Cell> {
        let cell = self.find(cell);
        self.node(cell.node).links.get(&cell.offset).map(|&target| self.find(target))
    }

    /// The links of a root: offset and target.
    pub fn links(&self, root: NodeId) -> impl Iterator<Item = (i64, Cell)> {
        self.node(root).links.iter().map(|(&offset, &target)| (offset, self.find(target)))
    }

    /// Records a scalar access of `bytes` bytes at `cell`.
    pub fn access(&mut self, cell: Cell, bytes: u64, kind: AccessKind) {
        if self.is_left_out() {
            return;
        }
        let cell = self.find(cell);
        if self.node_mut(cell.node).accesses.insert((cell.offset, bytes, kind)) {
            self.version += 1;
        }
    }

    /// Records that a range starts or ends at `cell`.
    pub fn cut(&mut self, cell: Cell) {
        if self.is_left_out() {
            return;
        }
        let cell = self.find(cell);
        if self.node_mut(cell.node).cuts.insert(cell.offset) {
            self.version += 1;
        }
    }

    /// Records that `object` starts at `cell`.
    pub fn add_object(&mut self, cell: Cell, object: Object) {
        if self.is_left_out() {
            return;
        }
        let cell = self.find(cell);
        if self.node_mut(cell.node).objects.insert((object, cell.offset)) {
            self.version += 1;
        }
    }

    /// Records that `function` is at `cell`.
    pub fn add_function(&mut self, cell: Cell, function: Value) {
        if self.is_left_out() {
            return;
        }
        let cell = self.find(cell);
        if self.node_mut(cell.node).functions.insert(function) {
            self.version += 1;
        }
    }

    /// Records that `cell` may contain objects that the program does not define.
    pub fn set_external(&mut self, cell: Cell) {
        if self.is_left_out() {
            return;
        }
        let root = self.find(cell).node;
        if !std::mem::replace(&mut self.node_mut(root).external, true) {
            self.version += 1;
        }
    }

    /// Records that a number is among the pointers to `cell`.
    pub fn set_numeric(&mut self, cell: Cell) {
        if self.is_left_out() {
            return;
        }
        let root = self.find(cell).node;
        if !std::mem::replace(&mut self.node_mut(root).numeric, true) {
            self.version += 1;
        }
    }

    /// The targets of pointers whose difference is among the numbers at `cell`.
    pub fn differences(&self, cell: Cell) -> Vec<Cell> {
        let targets = self.node(self.find(cell).node).differences.iter();
        targets.map(|&target| self.find(target)).collect()
    }

    /// Records that differences of pointers to `targets` are among the numbers at `cell`.
    pub fn add_differences(&mut self, cell: Cell, targets: &[Cell]) {
        if self.is_left_out() {
            return;
        }
        let root = self.find(cell).node;
        for &target in targets {
            // One target for each node is enough: its offsets are blurred when it is used.
            let known =
                self.node(root).differences.iter().any(|&known| self.find(known).node == self.find(target).node);
            if !known {
                self.node_mut(root).differences.insert(target);
                self.version += 1;
            }
        }
    }

    /// Records that a range of unknown length starting at `cell` is accessed.
    pub fn set_dynamic_range(&mut self, cell: Cell) {
        if self.is_left_out() {
            return;
        }
        let root = self.find(cell).node;
        if !std::mem::replace(&mut self.node_mut(root).dynamic_ranges, true) {
            self.version += 1;
        }
    }

    /// Whether a pointer to `cell` has any target.
    pub fn has_target(&self, cell: Cell) -> bool {
        let node = self.node(self.find(cell).node);
        !node.objects.is_empty() || !node.functions.is_empty() || node.external
    }
}

impl Node {
    fn weight(&self) -> usize {
        self.accesses.len() + self.links.len() + self.objects.len() + self.functions.len() + self.cuts.len()
    }
}
