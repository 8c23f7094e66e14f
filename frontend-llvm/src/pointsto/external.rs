//! Constraints of calls of functions without a body.

use rustc_hash::FxHashSet;

use super::constraints::Solver;
use super::graph::{Cell, NodeId, Object};
use crate::externals::{self, Returns};
use crate::ir::{Type, TypeKind, Value};

impl Solver {
    /// A known function returns what the table says; an unknown one memory of its own, or a pointer into what its
    /// arguments point to.
    pub(super) fn external(&mut self, call: Value, callee: Value) {
        let result = self.variable(call);
        let args: Vec<Value> = call.args().collect();
        let known = externals::known(callee);
        for (n, &arg) in args.iter().enumerate() {
            if known.is_none_or(|row| row.writes_deeply.contains(n))
                && let Some(cell) = self.cell(arg)
            {
                self.exposed.push(cell);
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
            None => {
                let shared = self.result(callee);
                self.graph.unify(result, shared);
                self.graph.set_external(result);
                for arg in args.into_iter().filter(|arg| carries_pointer(arg.ty())) {
                    self.flow(result, arg);
                    self.graph.blur(result, 1);
                }
            }
        }
    }

    /// Memory outside of the program, or written from there, contains pointers to memory outside of the program.
    pub(super) fn expose(&mut self) {
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut stack: Vec<NodeId> = self.exposed.iter().map(|&cell| self.graph.find(cell).node).collect();
        stack.extend(self.graph.roots().filter(|&root| self.graph.node(root).external));
        while let Some(node) = stack.pop() {
            if !seen.insert(node) || self.is_constant(node) {
                continue;
            }
            let targets: Vec<Cell> = self.graph.links(node).map(|(_, target)| target).collect();
            for target in targets {
                self.graph.set_external(target);
                stack.push(target.node);
            }
        }
    }

    /// Whether nobody can write the objects of a node.
    fn is_constant(&self, node: NodeId) -> bool {
        let node = self.graph.node(node);
        let constant = |o: &(Object, i64)| matches!(o.0, Object::Global(g) if g.is_constant_global());
        !node.external && !node.objects.is_empty() && node.objects.iter().all(constant)
    }
}

/// Whether values of this type contain pointers.
fn carries_pointer(ty: Type) -> bool {
    match ty.kind() {
        TypeKind::Pointer => true,
        _ if ty.is_aggregate() => (0..ty.element_count().min(16)).any(|i| carries_pointer(ty.element(i))),
        _ => false,
    }
}
