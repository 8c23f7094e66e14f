//! Regions: sets of truth assignments to numbered predicates, as decision diagrams.
//!
//! A diagram is kept once for all regions that are equal, so that these are compared and hashed by a number.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use biodivine_lib_bdd::{Bdd, BddNode, BddPointer, BddVariable, op_function};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cfa::expr::{Expr, Pool};

/// How many predicates there may be: diagrams number them with 16 bits, and their leaves take one number.
const PREDICATES: u16 = u16::MAX - 1;
/// How many results of operations are kept.
const CACHE: usize = 1 << 16;

/// A conjunction of predicates and negated predicates, in order of their numbers.
pub type Cube = Vec<(u32, bool)>;

/// A set of truth assignments to the predicates of one [`Regions`].
#[derive(Clone, Debug)]
pub struct Region(Rc<Diagram>);

#[derive(Debug)]
struct Diagram {
    id: u64,
    nodes: Bdd,
}

impl PartialEq for Region {
    fn eq(&self, other: &Region) -> bool {
        self.0.id == other.0.id
    }
}

impl Eq for Region {}

impl Hash for Region {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

/// A diagram in the table of all, found by its structure.
struct Entry(Rc<Diagram>);

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.0.nodes == other.0.nodes
    }
}

impl Eq for Entry {}

impl Hash for Entry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.nodes.hash(state);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    And,
    Or,
}

/// All regions over one set of predicates. A predicate exists as soon as it is used.
pub struct Regions {
    all: Region,
    none: Region,
    /// The number of the next new diagram. None is used twice, so that a number stays that of its diagram.
    next: Cell<u64>,
    diagrams: RefCell<FxHashSet<Entry>>,
    results: RefCell<FxHashMap<(Operation, u64, u64), Region>>,
    coverage: RefCell<FxHashMap<(u64, u64), bool>>,
}

impl Default for Regions {
    fn default() -> Regions {
        Regions::new()
    }
}

impl Regions {
    /// How many predicates there may be.
    pub const PREDICATES: u32 = PREDICATES as u32;

    /// No predicates yet.
    pub fn new() -> Regions {
        let leaves = [BddNode::mk_zero(PREDICATES), BddNode::mk_one(PREDICATES)];
        let none = Region(Rc::new(Diagram { id: 0, nodes: diagram(&leaves[..1]) }));
        let all = Region(Rc::new(Diagram { id: 1, nodes: diagram(&leaves) }));
        let diagrams = [&none, &all].map(|region| Entry(Rc::clone(&region.0))).into_iter().collect();
        Regions {
            all,
            none,
            next: Cell::new(2),
            diagrams: RefCell::new(diagrams),
            results: RefCell::default(),
            coverage: RefCell::default(),
        }
    }

    /// All assignments.
    pub fn all(&self) -> Region {
        self.all.clone()
    }

    /// No assignment.
    pub fn none(&self) -> Region {
        self.none.clone()
    }

    /// The assignments that make the predicate `index` true, or false.
    ///
    /// # Panics
    /// If `index` is not below [`Regions::PREDICATES`]: whoever numbers predicates has to stop there.
    pub fn literal(&self, index: u32, value: bool) -> Region {
        assert!(index < Regions::PREDICATES, "no more than {PREDICATES} predicates");
        let (low, high) = (BddPointer::from_bool(!value), BddPointer::from_bool(value));
        let root = BddNode::mk_node(BddVariable::from_index(index as usize), low, high);
        self.unique(diagram(&[BddNode::mk_zero(PREDICATES), BddNode::mk_one(PREDICATES), root]))
    }

    /// The assignments that make all literals of `cube` true; their order does not matter.
    ///
    /// # Panics
    /// As [`Regions::literal`].
    pub fn cube(&self, cube: &[(u32, bool)]) -> Region {
        cube.iter().fold(self.all(), |region, &(index, value)| self.and(&region, &self.literal(index, value)))
    }

    /// The assignments in both.
    pub fn and(&self, a: &Region, b: &Region) -> Region {
        if a == b || *b == self.all || *a == self.none {
            return a.clone();
        }
        if *a == self.all || *b == self.none {
            return b.clone();
        }
        self.operation(Operation::And, a, b)
    }

    /// The assignments in one or both.
    pub fn or(&self, a: &Region, b: &Region) -> Region {
        if a == b || *b == self.none || *a == self.all {
            return a.clone();
        }
        if *a == self.none || *b == self.all {
            return b.clone();
        }
        self.operation(Operation::Or, a, b)
    }

    /// All other assignments.
    pub fn not(&self, a: &Region) -> Region {
        self.unique(a.0.nodes.not())
    }

    /// Are all assignments of `a` in `b`? Then a state with `b` covers one with `a`.
    pub fn implies(&self, a: &Region, b: &Region) -> bool {
        if a == b || *a == self.none || *b == self.all {
            return true;
        }
        if *a == self.all || *b == self.none {
            return false;
        }
        let key = (a.0.id, b.0.id);
        if let Some(&known) = self.coverage.borrow().get(&key) {
            return known;
        }
        // The empty diagram has one node; once it is known that there are more, the rest does not matter.
        let difference = Bdd::binary_op_with_limit(1, &a.0.nodes, &b.0.nodes, op_function::and_not);
        let covered = difference.is_some_and(|difference| difference.is_false());
        self.tidy();
        self.coverage.borrow_mut().insert(key, covered);
        covered
    }

    fn operation(&self, operation: Operation, a: &Region, b: &Region) -> Region {
        let key = (operation, a.0.id.min(b.0.id), a.0.id.max(b.0.id));
        if let Some(known) = self.results.borrow().get(&key) {
            return known.clone();
        }
        let result = self.unique(match operation {
            Operation::And => a.0.nodes.and(&b.0.nodes),
            Operation::Or => a.0.nodes.or(&b.0.nodes),
        });
        self.results.borrow_mut().insert(key, result.clone());
        result
    }

    /// The one region with these nodes. Their order is that of a depth-first search, which makes equal diagrams alike.
    fn unique(&self, nodes: Bdd) -> Region {
        self.tidy();
        let entry = Entry(Rc::new(Diagram { id: self.next.get(), nodes }));
        if let Some(known) = self.diagrams.borrow().get(&entry) {
            return Region(Rc::clone(&known.0));
        }
        self.next.set(entry.0.id + 1);
        let region = Region(Rc::clone(&entry.0));
        self.diagrams.borrow_mut().insert(entry);
        region
    }

    /// Forgets old results, and the diagrams that nobody but them has used, when there are many.
    fn tidy(&self) {
        if self.results.borrow().len() + self.coverage.borrow().len() < CACHE {
            return;
        }
        self.results.borrow_mut().clear();
        self.coverage.borrow_mut().clear();
        self.diagrams.borrow_mut().retain(|entry| Rc::strong_count(&entry.0) > 1);
    }

    /// The region as an expression, in which the predicate `index` is `predicate(index)`. What the diagram shares, the
    /// expression shares.
    pub fn to_expr(&self, region: &Region, pool: &mut Pool, mut predicate: impl FnMut(&mut Pool, u32) -> Expr) -> Expr {
        let nodes = &region.0.nodes;
        let mut predicates: FxHashMap<u32, Expr> = FxHashMap::default();
        let mut exprs = vec![pool.bool(false), pool.bool(true)];
        // Children come before their parents.
        for node in nodes.pointers().skip(2) {
            let index = nodes.var_of(node).to_index() as u32;
            let condition = *predicates.entry(index).or_insert_with(|| predicate(pool, index));
            let (low, high) = (exprs[nodes.low_link_of(node).to_index()], exprs[nodes.high_link_of(node).to_index()]);
            exprs.push(pool.ite(condition, high, low));
        }
        exprs[nodes.root_pointer().to_index()]
    }

    /// The predicates that the region depends on, in order.
    pub fn support(&self, region: &Region) -> Vec<u32> {
        let nodes = &region.0.nodes;
        let set: BTreeSet<u32> = nodes.pointers().skip(2).map(|node| nodes.var_of(node).to_index() as u32).collect();
        set.into_iter().collect()
    }

    /// The predicates that have the same value everywhere in the region, in order.
    pub fn forced(&self, region: &Region) -> Cube {
        let holds = |&index: &u32| {
            let is_forced = |value| self.implies(region, &self.literal(index, value)).then_some((index, value));
            is_forced(true).or_else(|| is_forced(false))
        };
        self.support(region).iter().filter_map(holds).collect()
    }

    /// The region as a disjunction of at most `limit` cubes that exclude each other; nothing if it takes more.
    pub fn cubes(&self, region: &Region, limit: usize) -> Option<Vec<Cube>> {
        let cubes: Vec<Cube> = Cubes::new(region).take(limit.saturating_add(1)).collect();
        (cubes.len() <= limit).then_some(cubes)
    }

    /// Some cube of the region, always the same; nothing if it is empty.
    pub fn some_cube(&self, region: &Region) -> Option<Cube> {
        Cubes::new(region).next()
    }

    /// The size of the region's diagram, leaves included.
    pub fn nodes(&self, region: &Region) -> usize {
        region.0.nodes.size()
    }

    /// How many different regions there are now, and how many nodes their diagrams have together.
    pub fn size(&self) -> (usize, usize) {
        let diagrams = self.diagrams.borrow();
        (diagrams.len(), diagrams.iter().map(|entry| entry.0.nodes.size()).sum())
    }
}

fn diagram(nodes: &[BddNode]) -> Bdd {
    Bdd::from_nodes(nodes).expect("leaves and one node above them are a diagram")
}

/// The ways through a diagram to the leaf `true`, those on which predicates hold first.
struct Cubes<'a> {
    nodes: &'a Bdd,
    waiting: Vec<(BddPointer, Cube)>,
}

impl<'a> Cubes<'a> {
    fn new(region: &'a Region) -> Cubes<'a> {
        let nodes = &region.0.nodes;
        Cubes { nodes, waiting: vec![(nodes.root_pointer(), Cube::new())] }
    }
}

impl Iterator for Cubes<'_> {
    type Item = Cube;

    fn next(&mut self) -> Option<Cube> {
        while let Some((node, cube)) = self.waiting.pop() {
            if node.is_terminal() {
                if node.is_one() {
                    return Some(cube);
                }
                continue;
            }
            let index = self.nodes.var_of(node).to_index() as u32;
            for (next, value) in [(self.nodes.low_link_of(node), false), (self.nodes.high_link_of(node), true)] {
                let mut longer = cube.clone();
                longer.push((index, value));
                self.waiting.push((next, longer));
            }
        }
        None
    }
}
