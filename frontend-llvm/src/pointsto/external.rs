//! Constraints of calls of functions without a body.
//!
//! An unknown function may keep what it is given, and return it from any other one. So there is one cell, the world, for
//! all pointers that come from unknown functions; if the program accesses their targets, the objects that escaped to
//! unknown functions are among them.

use rustc_hash::FxHashSet;

use super::constraints::Solver;
use super::graph::{AccessKind, Cell, NodeId, Object};
use crate::externals::{self, Returns};
use crate::ir::{Type, TypeKind, Value};

/// The memory that the outside reads and writes.
#[derive(Default)]
pub(super) struct Outside {
    /// What pointers from unknown functions point to.
    world: Option<Cell>,
    /// What unknown functions are given.
    escaping: Vec<Cell>,
    /// What numbers as large as pointers may point to, where they are stored.
    stored: Vec<Cell>,
    /// What known functions write, including all that is reachable from there.
    exposed: Vec<Cell>,
}

impl Solver {
    fn world(&mut self) -> Cell {
        if let Some(cell) = self.outside.world {
            return self.graph.find(cell);
        }
        let cell = self.graph.fresh();
        self.graph.set_external(cell);
        self.outside.world = Some(cell);
        cell
    }

    /// Records that `cell` is what a pointer from an unknown source points to.
    pub(super) fn set_unknown(&mut self, cell: Cell) {
        let world = self.world();
        self.graph.unify(cell, world);
    }

    /// A variable that the program declares but does not define. Unknown functions may change it.
    pub(super) fn declared(&mut self, global: Value, cell: Cell) {
        self.graph.set_external(cell);
        if !global.is_constant_global() && !externals::is_known_variable(global) {
            self.outside.escaping.push(cell);
        }
    }

    /// An argument of the entry function. Those of `main` are strings of their own; others may point to the same memory.
    pub(super) fn entry_argument(&mut self, param: Value, is_main: bool) {
        let cell = self.variable(param);
        match carries_pointer(param.ty()) {
            true if is_main => self.graph.set_external(cell),
            true => self.set_unknown(cell),
            false => self.graph.set_numeric(cell),
        }
    }

    /// A known function returns what the table says; an unknown one anything that it may have been given.
    pub(super) fn external(&mut self, call: Value, callee: Value) {
        let result = self.variable(call);
        let args: Vec<Value> = call.args().collect();
        let known = externals::known(callee);
        for (n, &arg) in args.iter().enumerate() {
            let Some(cell) = self.cell(arg) else { continue };
            match known {
                None => self.outside.escaping.push(cell),
                Some(row) if row.writes_deeply.contains(n) => self.outside.exposed.push(cell),
                Some(row) if row.writes.contains(n) => self.numbers.push((cell, u64::MAX)),
                Some(_) => {}
            }
        }
        if !carries_pointer(call.ty()) {
            return self.graph.set_numeric(result);
        }
        match known.map(|row| row.returns) {
            Some(Returns::Argument(n)) if usize::from(n) < args.len() => self.flow(result, args[usize::from(n)]),
            Some(Returns::Into(n)) if usize::from(n) < args.len() => {
                self.flow(result, args[usize::from(n)]);
                self.graph.blur(result, 1);
            }
            Some(Returns::Fresh) => self.graph.set_external(result),
            Some(_) => {
                let shared = self.result(callee);
                self.graph.unify(result, shared);
                self.graph.set_external(result);
            }
            None => self.set_unknown(result),
        }
    }

    /// Memory outside of the program, or written from there, contains pointers to memory outside of the program.
    pub(super) fn expose(&mut self) {
        let exposed: Vec<NodeId> = self.outside.exposed.iter().map(|&cell| self.graph.find(cell).node).collect();
        let external = self.graph.roots().filter(|&root| self.graph.node(root).external);
        let roots: Vec<NodeId> = exposed.into_iter().chain(external).collect();
        for node in self.writable_from(roots) {
            for (target, is_pointer) in self.targets(node) {
                match is_pointer {
                    true => self.graph.set_external(target),
                    false => self.graph.set_numeric(target),
                }
            }
        }
        let escaping: Vec<NodeId> = self.outside.escaping.iter().map(|&cell| self.graph.find(cell).node).collect();
        let world = self.outside.world.map(|world| self.graph.find(world).node);
        for node in self.writable_from(escaping.into_iter().chain(world).collect()) {
            for (target, is_pointer) in self.targets(node) {
                match is_pointer {
                    true => self.set_unknown(target),
                    false => self.graph.set_numeric(target),
                }
            }
            if self.is_world_accessed() {
                let cell = self.graph.find(Cell { node, offset: 0 });
                self.set_unknown(cell);
                self.graph.blur(cell, 1);
            }
        }
    }

    /// The node of what pointers from unknown sources point to.
    pub(super) fn world_node(&self) -> Option<NodeId> {
        self.outside.world.map(|world| self.graph.find(world).node)
    }

    /// Whether the program reads or writes through pointers from unknown sources.
    fn is_world_accessed(&self) -> bool {
        self.outside.world.is_some_and(|world| {
            let node = self.graph.node(self.graph.find(world).node);
            !node.accesses.is_empty() || !node.cuts.is_empty() || node.dynamic_ranges
        })
    }

    /// The nodes whose contents may come from outside of the program.
    pub(super) fn written_outside(&self) -> FxHashSet<NodeId> {
        let given = self.outside.exposed.iter().chain(&self.outside.escaping);
        let given = given.map(|&cell| self.graph.find(cell).node);
        let external = self.graph.roots().filter(|&root| self.graph.node(root).external);
        self.writable_from(given.chain(external).collect()).into_iter().collect()
    }

    /// Records that a value of this type is stored at `pointer`.
    pub(super) fn stored_number(&mut self, pointer: Value, ty: Type) {
        if ty.kind() != TypeKind::Pointer
            && self.layout.store_size(ty) >= self.pointer_bytes
            && let Some(cell) = self.cell(pointer)
        {
            let target = self.graph.link(cell);
            self.outside.stored.push(target);
        }
    }

    /// The nodes to which numbers as large as pointers may point. Smaller ones are at most parts of pointers.
    pub(super) fn whole_numbers(&mut self) -> FxHashSet<NodeId> {
        let mut cells = self.outside.stored.clone();
        for i in 0..self.casts.len() {
            let cast = self.casts[i];
            cells.push(self.variable(cast));
        }
        let whole = self.numbers.iter().filter(|number| number.1 >= self.pointer_bytes);
        for node in whole.map(|number| self.graph.find(number.0).node) {
            cells.extend(self.graph.links(node).map(|(_, target)| target));
        }
        cells.into_iter().map(|cell| self.graph.find(cell).node).collect()
    }

    /// The nodes that can be written by whoever knows these.
    fn writable_from(&self, roots: Vec<NodeId>) -> Vec<NodeId> {
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut found = Vec::new();
        let mut stack = roots;
        while let Some(node) = stack.pop() {
            if seen.insert(node) && !self.is_constant(node) {
                found.push(node);
                stack.extend(self.graph.links(node).map(|(_, target)| target.node));
            }
        }
        found
    }

    /// What the contents of a node point to, and whether they are read or written as whole pointers; others are numbers.
    fn targets(&self, node: NodeId) -> Vec<(Cell, bool)> {
        let root = self.graph.find(Cell { node, offset: 0 }).node;
        let accesses = &self.graph.node(root).accesses;
        let is_pointer = |at: i64| {
            let mut here = accesses.range((at, 0, AccessKind::Bits)..).take_while(|access| access.0 == at);
            here.any(|&(_, bytes, kind)| kind == AccessKind::Bits && bytes >= self.pointer_bytes)
        };
        self.graph.links(root).map(|(at, target)| (target, is_pointer(at))).collect()
    }

    /// Whether nobody can write the objects of a node.
    fn is_constant(&self, node: NodeId) -> bool {
        let node = self.graph.node(node);
        let constant = |o: &(Object, i64)| matches!(o.0, Object::Global(g) if g.is_constant_global());
        !node.external && !node.objects.is_empty() && node.objects.iter().all(constant)
    }
}

/// Whether values of this type contain pointers.
pub(super) fn carries_pointer(ty: Type) -> bool {
    match ty.kind() {
        TypeKind::Pointer => true,
        _ if ty.is_aggregate() => (0..ty.element_count().min(16)).any(|i| carries_pointer(ty.element(i))),
        _ => false,
    }
}
