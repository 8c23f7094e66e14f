//! Which objects a pointer may point to, and how they fall apart into memory regions.
//!
//! Unification-based, field-sensitive and context-insensitive. Integers are followed as well, since they may carry pointers.

mod constraints;
mod graph;
mod partition;
mod solve;
mod truth;

use rustc_hash::FxHashMap;

use crate::ir::{Constant, Layout, Module, Opcode, Value};
use graph::Graph;

pub use constraints::{constant_length, gep_offset, resolve_alias, va_list_bytes};
pub use graph::{AccessKind, Cell, Node, NodeId, Object};
pub use partition::{Part, Partition, PieceKind};

/// The solved analysis.
pub struct PointsTo {
    layout: Layout,
    graph: Graph,
    values: FxHashMap<Value, Cell>,
    varargs: FxHashMap<Value, Cell>,
    calls: FxHashMap<Value, Vec<Value>>,
}

impl PointsTo {
    /// Analyses a module. Pointers that reach `entry` as arguments may point anywhere outside of the program.
    pub fn analyze(module: Module, entry: Value) -> PointsTo {
        constraints::Solver::analyze(module, entry)
    }

    /// What a pointer (or an integer that carries one) points to.
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

    /// The cell `bytes` further on.
    pub fn shifted(&self, cell: Cell, bytes: i64) -> Cell {
        self.graph.shifted(cell, bytes)
    }

    /// What is known of a node.
    pub fn node(&self, node: NodeId) -> &Node {
        self.graph.node(node)
    }

    /// Where the pointers in a node lead.
    pub fn links(&self, node: NodeId) -> impl Iterator<Item = Cell> {
        self.graph.links(node).map(|(_, cell)| cell)
    }

    /// Where a pointer that is stored at `cell` leads.
    pub fn link(&self, cell: Cell) -> Option<Cell> {
        let cell = self.graph.find(cell);
        self.graph.links(cell.node).find(|l| l.0 == cell.offset).map(|l| l.1)
    }

    /// The functions that a call through a pointer may reach, in the order of the module.
    pub fn callees(&self, call: Value) -> &[Value] {
        self.calls.get(&call).map_or(&[], Vec::as_slice)
    }

    /// Where a function finds its variadic arguments.
    pub fn varargs(&self, function: Value) -> Option<Cell> {
        self.varargs.get(&function).map(|&cell| self.graph.find(cell))
    }
}
