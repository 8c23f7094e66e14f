//! Regions: sets of truth assignments to numbered predicates, as binary decision diagrams.
//!
//! Diagrams are interned, so that regions are compared and hashed by id.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use biodivine_lib_bdd::{Bdd, BddNode, BddPointer, BddVariable, op_function};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{Expr, Pool};

/// The maximum number of predicates: diagrams number variables with 16 bits, and terminals use one of the numbers.
const MAX_PREDICATES: u16 = u16::MAX - 1;

/// A conjunction of literals, ordered by predicate.
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

/// An interned diagram, hashed by structure.
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

/// All regions over one set of predicates. Predicates need not be declared.
pub struct Regions {
    all: Region,
    none: Region,
    /// The id of the next diagram. Ids are never reused, since caches refer to them.
    next: Cell<u64>,
    diagrams: RefCell<FxHashSet<Entry>>,
    results: RefCell<FxHashMap<(Operation, u64, u64), Region>>,
    coverage: RefCell<FxHashMap<(u64, u64), bool>>,
    /// The maximum number of cached results.
    max_cached: usize,
}

impl Regions {
    /// The maximum number of predicates.
    pub const PREDICATES: u32 = MAX_PREDICATES as u32;

    /// Only the trivial regions. `max_cached` results of operations are kept.
    pub fn new(max_cached: usize) -> Regions {
        let leaves = [BddNode::mk_zero(MAX_PREDICATES), BddNode::mk_one(MAX_PREDICATES)];
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
            max_cached,
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

    /// The assignments that give predicate `index` the truth value `value`.
    ///
    /// # Panics
    /// If `index` is not below [`Regions::PREDICATES`].
    pub fn literal(&self, index: u32, value: bool) -> Region {
        assert!(index < Regions::PREDICATES, "no more than {MAX_PREDICATES} predicates");
        let (low, high) = (BddPointer::from_bool(!value), BddPointer::from_bool(value));
        let root = BddNode::mk_node(BddVariable::from_index(index as usize), low, high);
        self.intern(diagram(&[BddNode::mk_zero(MAX_PREDICATES), BddNode::mk_one(MAX_PREDICATES), root]))
    }

    /// The assignments that satisfy all literals of `cube`, in any order.
    ///
    /// # Panics
    /// As [`Regions::literal`].
    pub fn cube(&self, cube: &[(u32, bool)]) -> Region {
        cube.iter().fold(self.all(), |region, &(index, value)| self.and(&region, &self.literal(index, value)))
    }

    /// The intersection.
    pub fn and(&self, a: &Region, b: &Region) -> Region {
        if a == b || *b == self.all || *a == self.none {
            return a.clone();
        }
        if *a == self.all || *b == self.none {
            return b.clone();
        }
        self.operation(Operation::And, a, b)
    }

    /// The union.
    pub fn or(&self, a: &Region, b: &Region) -> Region {
        if a == b || *b == self.none || *a == self.all {
            return a.clone();
        }
        if *a == self.none || *b == self.all {
            return b.clone();
        }
        self.operation(Operation::Or, a, b)
    }

    /// The complement.
    pub fn not(&self, a: &Region) -> Region {
        self.intern(a.0.nodes.not())
    }

    /// Whether `a` is a subset of `b`: a state with `b` covers one with `a`.
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
        // The empty diagram has one node; the operation is aborted as soon as the result has more.
        let difference = Bdd::binary_op_with_limit(1, &a.0.nodes, &b.0.nodes, op_function::and_not);
        let covered = difference.is_some_and(|difference| difference.is_false());
        self.collect_garbage();
        self.coverage.borrow_mut().insert(key, covered);
        covered
    }

    fn operation(&self, operation: Operation, a: &Region, b: &Region) -> Region {
        let key = (operation, a.0.id.min(b.0.id), a.0.id.max(b.0.id));
        if let Some(known) = self.results.borrow().get(&key) {
            return known.clone();
        }
        let result = self.intern(match operation {
            Operation::And => a.0.nodes.and(&b.0.nodes),
            Operation::Or => a.0.nodes.or(&b.0.nodes),
        });
        self.results.borrow_mut().insert(key, result.clone());
        result
    }

    /// Interns a diagram. Nodes are in depth-first order, so equal diagrams have equal nodes.
    fn intern(&self, nodes: Bdd) -> Region {
        self.collect_garbage();
        let entry = Entry(Rc::new(Diagram { id: self.next.get(), nodes }));
        if let Some(known) = self.diagrams.borrow().get(&entry) {
            return Region(Rc::clone(&known.0));
        }
        self.next.set(entry.0.id + 1);
        let region = Region(Rc::clone(&entry.0));
        self.diagrams.borrow_mut().insert(entry);
        region
    }

    /// Drops cached results and the diagrams that only they use, once there are many.
    fn collect_garbage(&self) {
        if self.results.borrow().len() + self.coverage.borrow().len() < self.max_cached {
            return;
        }
        self.results.borrow_mut().clear();
        self.coverage.borrow_mut().clear();
        self.diagrams.borrow_mut().retain(|entry| Rc::strong_count(&entry.0) > 1);
    }

    /// The region as an expression, with predicate `index` replaced by `predicate(index)`. Sharing is preserved.
    pub fn to_expr(&self, region: &Region, pool: &mut Pool, mut predicate: impl FnMut(&mut Pool, u32) -> Expr) -> Expr {
        let nodes = &region.0.nodes;
        let mut predicates: FxHashMap<u32, Expr> = FxHashMap::default();
        let mut exprs = vec![pool.bool(false), pool.bool(true)];
        // Children precede their parents.
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

    /// The literals that the region implies, ordered by predicate.
    pub fn forced(&self, region: &Region) -> Cube {
        let holds = |&index: &u32| {
            let is_forced = |value| self.implies(region, &self.literal(index, value)).then_some((index, value));
            is_forced(true).or_else(|| is_forced(false))
        };
        self.support(region).iter().filter_map(holds).collect()
    }

    /// The region as a disjunction of at most `limit` disjoint cubes; `None` if it needs more.
    pub fn cubes(&self, region: &Region, limit: usize) -> Option<Vec<Cube>> {
        let cubes: Vec<Cube> = Cubes::new(region).take(limit.saturating_add(1)).collect();
        (cubes.len() <= limit).then_some(cubes)
    }

    /// A cube of the region, deterministically chosen; `None` if the region is empty.
    pub fn some_cube(&self, region: &Region) -> Option<Cube> {
        Cubes::new(region).next()
    }

    /// The number of nodes of the region's diagram, including terminals.
    pub fn nodes(&self, region: &Region) -> usize {
        region.0.nodes.size()
    }

    /// The number of live regions and of their nodes.
    pub fn size(&self) -> (usize, usize) {
        let diagrams = self.diagrams.borrow();
        (diagrams.len(), diagrams.iter().map(|entry| entry.0.nodes.size()).sum())
    }
}

fn diagram(nodes: &[BddNode]) -> Bdd {
    Bdd::from_nodes(nodes).expect("leaves and one node above them are a diagram")
}

/// Enumerates the paths to the terminal `true`, with positive literals first.
struct Cubes<'a> {
    nodes: &'a Bdd,
    stack: Vec<(BddPointer, Cube)>,
}

impl<'a> Cubes<'a> {
    fn new(region: &'a Region) -> Cubes<'a> {
        let nodes = &region.0.nodes;
        Cubes { nodes, stack: vec![(nodes.root_pointer(), Cube::new())] }
    }
}

impl Iterator for Cubes<'_> {
    type Item = Cube;

    fn next(&mut self) -> Option<Cube> {
        while let Some((node, cube)) = self.stack.pop() {
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
                self.stack.push((next, longer));
            }
        }
        None
    }
}
