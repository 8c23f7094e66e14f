//! Checks a solution of the points-to analysis against calls of functions without a body.

use super::check::Check;
use super::external::carries_pointer;
use super::graph::{AccessKind, Cell, NodeId, Object};
use crate::externals::{self, Effects, Returns};
use crate::ir::{TypeKind, Value};

impl Check<'_> {
    /// Whether the solution allows all that a function without a body may do.
    pub(super) fn external(&self, call: Value, callee: Value, result: Option<Cell>) -> bool {
        let known = externals::known(callee);
        let given = call.args().enumerate().all(|(n, arg)| {
            let Some(cell) = self.cell(arg) else { return true };
            match known {
                None => self.writable_from(cell.node).into_iter().all(|node| self.has_escaped(node)),
                Some(row) if row.writes_deeply.contains(n) => {
                    self.writable_from(cell.node).into_iter().all(|node| self.targets(node, |node| node.external))
                }
                Some(_) => true,
            }
        });
        given && (call.ty().kind() == TypeKind::Void || result.is_some_and(|cell| self.returned(call, known, cell)))
    }

    /// Whether the function may return what points to `cell`.
    fn returned(&self, call: Value, known: Option<&Effects>, cell: Cell) -> bool {
        if !carries_pointer(call.ty()) {
            return self.is_numeric(cell);
        }
        let arg = |n: u8| call.args().nth(usize::from(n));
        match known.map(|row| row.returns) {
            Some(Returns::Argument(n)) if arg(n).is_some() => arg(n).is_some_and(|arg| self.flows(arg, Some(cell))),
            Some(Returns::Into(n)) if arg(n).is_some() => {
                arg(n).is_some_and(|arg| self.flows(arg, Some(cell))) && self.may_move_by(cell, 1)
            }
            Some(_) => self.points_to.node(cell.node).external,
            None => self.is_unknown(cell),
        }
    }

    /// Whether pointers to `cell` may come from an unknown function.
    pub(super) fn is_unknown(&self, cell: Cell) -> bool {
        self.points_to.is_world(cell.node) && self.points_to.node(cell.node).external
    }

    /// Whether an object that unknown functions were given may be returned by them, and has pointers from them.
    pub(super) fn has_escaped(&self, node: NodeId) -> bool {
        let is_accessed = self.points_to.world.is_some_and(|world| {
            let world = self.points_to.node(world);
            !world.accesses.is_empty() || !world.cuts.is_empty() || world.dynamic_ranges
        });
        let info = self.points_to.node(node);
        let is_returned = !is_accessed || (self.points_to.is_world(node) && info.stride == 1);
        let links = self.points_to.graph.links(node).filter(|&(at, _)| self.is_pointer_at(node, at));
        is_returned && links.into_iter().all(|(_, target)| self.points_to.is_world(target.node))
    }

    /// Whether unknown functions may change a variable that the program does not define.
    pub(super) fn declared(&self, global: Value, node: NodeId) -> bool {
        let is_unknown = !global.is_constant_global() && !externals::is_known_variable(global);
        !is_unknown || self.writable_from(node).into_iter().all(|node| self.has_escaped(node))
    }

    /// Whether the arguments of the entry function may come from outside.
    pub(super) fn is_given(&self, entry: Value) -> bool {
        let is_main = entry.name() == "main";
        entry.params().all(|param| match self.cell(param) {
            Some(cell) if !carries_pointer(param.ty()) => self.is_numeric(cell),
            Some(cell) if is_main => self.points_to.node(cell.node).external,
            Some(cell) => self.is_unknown(cell),
            None => false,
        })
    }

    /// Whether pointers in memory from outside point there, and those in the world to the world.
    pub(super) fn is_closed(&self) -> bool {
        self.points_to.nodes().into_iter().all(|node| {
            let is_external = self.points_to.node(node).external;
            let is_world = self.points_to.is_world(node);
            (!is_external || self.targets(node, |target| target.external)) && (!is_world || self.has_escaped(node))
        })
    }

    fn targets(&self, node: NodeId, allowed: impl Fn(&super::Node) -> bool) -> bool {
        let mut links = self.points_to.graph.links(node).filter(|&(at, _)| self.is_pointer_at(node, at));
        links.all(|(_, target)| allowed(self.points_to.node(target.node)))
    }

    fn is_pointer_at(&self, node: NodeId, at: i64) -> bool {
        let accesses = &self.points_to.node(node).accesses;
        accesses.iter().any(|a| a.0 == at && a.1 >= self.pointer_bytes && a.2 == AccessKind::Bits)
    }

    /// The nodes that can be written by whoever has a pointer to `node`.
    pub(super) fn writable_from(&self, node: NodeId) -> Vec<NodeId> {
        let (mut found, mut stack) = (Vec::new(), vec![node]);
        while let Some(node) = stack.pop() {
            let info = self.points_to.node(node);
            let is_constant = |o: &(Object, i64)| matches!(o.0, Object::Global(g) if g.is_constant_global());
            let read_only = !info.external && !info.objects.is_empty() && info.objects.iter().all(is_constant);
            if !read_only && !found.contains(&node) {
                found.push(node);
                stack.extend(self.points_to.links(node).map(|cell| cell.node));
            }
        }
        found
    }
}
