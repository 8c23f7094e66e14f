//! Points-to analysis, and the partition of objects into memory regions.
//!
//! Unification-based, field-sensitive and context-insensitive. Integers are followed too, since they may carry
//! pointers.

mod calls;
mod check;
mod check_external;
mod constraints;
mod external;
mod graph;
mod partition;
mod solve;
mod truth;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Constant, Layout, Module, Opcode, Value};
use graph::Graph;

pub use constraints::{constant_length, gep_offset, resolve_alias, va_list_bytes};
pub use graph::{AccessKind, Cell, Gaps, Node, NodeId, Object};
pub use partition::{Part, Partition, PieceKind};

/// The solution of the analysis.
pub struct PointsTo {
    layout: Layout,
    graph: Graph,
    values: FxHashMap<Value, Cell>,
    varargs: FxHashMap<Value, Cell>,
    calls: FxHashMap<Value, Vec<Value>>,
    results: FxHashMap<Value, Cell>,
    exception: Cell,
    unforeseen: FxHashSet<Value>,
    written_outside: FxHashSet<NodeId>,
    whole_numbers: FxHashSet<NodeId>,
    world: Option<NodeId>,
}

impl PointsTo {
    /// Analyses a module. Pointer arguments of `entry` may point to any memory outside the program.
    pub fn analyze(module: Module, entry: Value, gaps: Option<Gaps>) -> PointsTo {
        let mut points_to = constraints::Solver::analyze(module, entry, gaps);
        points_to.unforeseen = check::Check::violations(&points_to, module, entry);
        points_to
    }

    /// Whether the solution is wrong about an instruction or a global.
    pub fn is_unforeseen(&self, value: Value) -> bool {
        self.unforeseen.contains(&value)
    }

    /// The cell that a pointer, or an integer that carries one, points to.
    pub fn cell(&self, value: Value) -> Option<Cell> {
        let cell = match value.constant() {
            Some(Constant::Expression(Opcode::LLVMGetElementPtr)) => {
                self.graph.shifted(self.cell(value.operand(0))?, gep_offset(value, self.layout).0)
            }
            Some(Constant::Expression(_)) => value.operands().find_map(|v| self.cell(v))?,
            Some(Constant::Alias) => self.cell(value.aliasee())?,
            _ => *self.values.get(&value)?,
        };
        Some(self.graph.find(cell))
    }

    /// The cell `bytes` bytes further on.
    pub fn shifted(&self, cell: Cell, bytes: i64) -> Cell {
        self.graph.shifted(cell, bytes)
    }

    /// All nodes.
    pub fn nodes(&self) -> Vec<NodeId> {
        self.graph.roots().collect()
    }

    /// The information of a node.
    pub fn node(&self, node: NodeId) -> &Node {
        self.graph.node(node)
    }

    /// The targets of the pointers stored in a node.
    pub fn links(&self, node: NodeId) -> impl Iterator<Item = Cell> {
        self.graph.links(node).map(|(_, cell)| cell)
    }

    /// Whether the contents of a node may come from outside of the program.
    pub fn is_written_outside(&self, node: NodeId) -> bool {
        self.written_outside.contains(&node)
    }

    /// Whether a node is what pointers from unknown functions point to.
    pub fn is_world(&self, node: NodeId) -> bool {
        self.world == Some(node)
    }

    /// Whether numbers as large as pointers are among the pointers to a node, so that these may point anywhere.
    pub fn has_whole_numbers(&self, node: NodeId) -> bool {
        self.node(node).numeric && self.whole_numbers.contains(&node)
    }

    /// The target of a pointer stored at `cell`.
    pub fn link(&self, cell: Cell) -> Option<Cell> {
        self.graph.known_link(cell)
    }

    /// The possible callees of an indirect call, in module order.
    pub fn callees(&self, call: Value) -> &[Value] {
        self.calls.get(&call).map_or(&[], Vec::as_slice)
    }

    /// What the result of a function points to.
    fn result(&self, function: Value) -> Option<Cell> {
        self.results.get(&function).map(|&cell| self.graph.find(cell))
    }

    /// The cell of thrown exceptions.
    fn exception(&self) -> Cell {
        self.graph.find(self.exception)
    }

    /// The variadic arguments of a function.
    pub fn varargs(&self, function: Value) -> Option<Cell> {
        self.varargs.get(&function).map(|&cell| self.graph.find(cell))
    }
}
