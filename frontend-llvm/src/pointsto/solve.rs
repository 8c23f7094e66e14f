//! The fixpoint of interdependent constraints: indirect calls, copies of ranges, and pointer arithmetic.

use rustc_hash::FxHashMap;

use super::constraints::{CopyRange, Solver};
use super::graph::{AccessKind, Cell};
use crate::ir::{Constant, Module, Opcode, Type, TypeKind, Value};
use crate::names::{self, Callee};

/// Nodes with more cuts are treated as arrays.
const MAX_CUTS: usize = 512;

impl Solver {
    /// Applies all constraints until the graph is stable.
    pub(super) fn solve(&mut self, module: Module) {
        let order: FxHashMap<Value, usize> = module.functions().enumerate().map(|(i, f)| (f, i)).collect();
        loop {
            let before = self.graph.version;
            self.bind_indirect_calls(&order);
            self.apply_copies();
            self.apply_arithmetic();
            self.apply_moves();
            self.apply_casts();
            self.unify_overlapping_links();
            self.mark_numbers();
            self.expose();
            self.widen_large_nodes();
            if self.graph.version == before {
                break;
            }
        }
    }

    fn bind_indirect_calls(&mut self, order: &FxHashMap<Value, usize>) {
        for call in self.indirect.clone() {
            let Some(target) = self.cell(call.callee()) else { continue };
            let target = self.graph.find(target);
            let node = self.graph.node(target.node);
            let count = call.args().count();
            let ty = call.called_type();
            let mut callees: Vec<Value> =
                node.functions.iter().copied().filter(|f| is_compatible(f.value_type(), ty, count)).collect();
            callees.sort_by_key(|f| order.get(f).copied());
            for &callee in &callees {
                if self.bound.insert((call, callee)) {
                    match names::classify(callee) {
                        Callee::Defined => self.bind(call, callee),
                        Callee::Primitive(primitive) => self.primitive(call, primitive),
                        _ => self.external(call, callee),
                    }
                    self.graph.version += 1;
                }
            }
            self.calls.insert(call, callees);
        }
    }

    fn apply_copies(&mut self) {
        for i in 0..self.copies.len() {
            let CopyRange { to, from, bytes } = self.copies[i];
            let (to, from) = (self.graph.find(to), self.graph.find(from));
            if to == from {
                continue;
            }
            let strided = self.graph.node(to.node).stride != 0 || self.graph.node(from.node).stride != 0;
            match bytes {
                Some(bytes) if !strided => {
                    self.mirror(to, from, bytes);
                    self.mirror(from, to, bytes);
                }
                _ => self.graph.unify(to, from),
            }
        }
    }

    /// Transfers accesses, cuts and links in the range at `from` to `to`.
    fn mirror(&mut self, to: Cell, from: Cell, bytes: u64) {
        let shift = to.offset - from.offset;
        let inside = |offset: i64| offset >= from.offset && offset < from.offset.saturating_add_unsigned(bytes);
        let node = self.graph.node(from.node);
        let accesses: Vec<_> = node.accesses.iter().copied().filter(|a| inside(a.0)).collect();
        let cuts: Vec<_> = node.cuts.iter().copied().filter(|&c| inside(c)).collect();
        let links: Vec<_> = self.graph.links(from.node).filter(|l| inside(l.0)).collect();
        let at = |offset: i64| Cell { node: to.node, offset: offset + shift };
        for (offset, width, kind) in accesses {
            self.graph.access(at(offset), width, kind);
        }
        for offset in cuts {
            self.graph.cut(at(offset));
        }
        for (offset, target) in links {
            let link = self.graph.link(at(offset));
            self.graph.unify(link, target);
        }
    }

    fn apply_arithmetic(&mut self) {
        use Opcode::*;
        for i in self.arithmetic.clone() {
            let operands: Vec<Value> = match i.opcode() {
                LLVMShl | LLVMLShr | LLVMAShr => vec![i.operand(0)],
                LLVMCall | LLVMInvoke => i.args().collect(),
                _ => vec![i.operand(0), i.operand(1)],
            };
            let result = self.variable(i);
            let mut pointers = Vec::new();
            let mut differences = Vec::new();
            for value in operands {
                if let Some(cell) = self.cell(value) {
                    differences.extend(self.graph.differences(cell));
                    if self.graph.has_target(cell) {
                        pointers.push(cell);
                    }
                }
            }
            if matches!(i.opcode(), LLVMMul | LLVMSDiv | LLVMUDiv) {
                // No pointer survives this, but the distance of two elements is a quotient.
                self.graph.add_differences(result, &differences);
                continue;
            }
            if i.opcode() == LLVMSub && pointers.len() == 2 {
                // The difference of two pointers is a number, until it is added to a pointer.
                differences.extend(pointers);
                self.graph.add_differences(result, &differences);
                continue;
            }
            if pointers.is_empty() {
                self.graph.add_differences(result, &differences);
                continue;
            }
            let constant = match i.operand(1).constant() {
                Some(Constant::Integer(n)) if matches!(i.opcode(), LLVMAdd | LLVMSub) => {
                    let TypeKind::Integer(width) = i.ty().kind() else { continue };
                    let n = clew_verifier::expr::value::signed(width.min(128) as u16, n) as i64;
                    Some(if i.opcode() == LLVMSub { n.wrapping_neg() } else { n })
                }
                _ => None,
            };
            for pointer in pointers {
                match constant {
                    Some(distance) => {
                        let moved = self.graph.shifted(pointer, distance);
                        self.graph.unify(result, moved);
                    }
                    None => {
                        self.graph.blur(pointer, 1);
                        self.graph.unify(result, pointer);
                    }
                }
            }
            self.add_back(result, &differences);
        }
    }

    /// A pointer moved by the difference of two others may be one of them: `p + (q - p)`.
    fn apply_moves(&mut self) {
        for i in self.moves.clone() {
            let Some(base) = self.cell(i.operand(0)).filter(|&base| self.graph.has_target(base)) else { continue };
            let distances: Vec<Value> = i.operands().skip(1).filter(|index| index.constant().is_none()).collect();
            let cells: Vec<Cell> = distances.into_iter().filter_map(|index| self.cell(index)).collect();
            let differences: Vec<Cell> = cells.into_iter().flat_map(|cell| self.graph.differences(cell)).collect();
            self.add_back(base, &differences);
        }
    }

    /// Pointers to `cell` may be moved to what `differences` point to.
    fn add_back(&mut self, cell: Cell, differences: &[Cell]) {
        for &target in differences {
            // Within a node, the move itself has blurred the offsets.
            if self.graph.find(target).node != self.graph.find(cell).node {
                self.graph.blur(target, 1);
                self.graph.unify(cell, target);
            }
        }
    }

    /// A difference that is used as a pointer was no difference: one of its operands was a number.
    fn apply_casts(&mut self) {
        for i in self.casts.clone() {
            let cell = self.variable(i);
            for target in self.graph.differences(cell) {
                self.graph.blur(target, 1);
                self.graph.unify(cell, target);
            }
        }
    }

    /// Unifies the links of overlapping accesses: they may read and write parts of the same pointer.
    fn unify_overlapping_links(&mut self) {
        let roots: Vec<_> = self.graph.roots().collect();
        for root in roots {
            let node = self.graph.node(root);
            let stride = node.stride as i64;
            let accesses: Vec<(i64, i64)> = {
                let mut list: Vec<_> = node.accesses.iter().map(|a| (a.0, a.0 + a.1 as i64)).collect();
                list.sort_unstable();
                list
            };
            let mut overlapping = Vec::new();
            let mut reach = i64::MIN;
            let mut leader = 0;
            for &(start, end) in &accesses {
                if start < reach && start != leader {
                    overlapping.push((leader, start));
                }
                if end > reach {
                    (reach, leader) = (end, start);
                }
                if stride != 0 && end > stride {
                    // An access that wraps around may overlap the first ones.
                    overlapping.extend(accesses.iter().filter(|a| a.0 < end - stride).map(|a| (start, a.0)));
                }
            }
            for (a, b) in overlapping {
                if self.graph.find(Cell { node: root, offset: 0 }).node != root {
                    break; // merged into another root, which is processed itself
                }
                let a = self.graph.link(Cell { node: root, offset: a });
                let b = self.graph.link(Cell { node: root, offset: b });
                self.graph.unify(a, b);
            }
        }
    }

    /// Marks links as numeric where numbers are stored.
    fn mark_numbers(&mut self) {
        let mut numbers = std::mem::take(&mut self.numbers);
        for (cell, _) in &mut numbers {
            *cell = self.graph.find(*cell);
        }
        numbers.sort_unstable();
        numbers.dedup();
        for &(start, bytes) in &numbers {
            let node = self.graph.node(start.node);
            let stride = node.stride as i64;
            let width =
                |at: i64| node.accesses.range((at, 0, AccessKind::Bits)..).take_while(|a| a.0 == at).map(|a| a.1).max();
            let overlaps = |at: i64| {
                let distance = at.wrapping_sub(start.offset);
                let distance = if stride == 0 { distance } else { distance.rem_euclid(stride) };
                let reach = |from: i64| from.saturating_add_unsigned(width(at).unwrap_or(1));
                let starts_inside = distance >= 0 && distance.unsigned_abs() < bytes;
                starts_inside || (distance < 0 && reach(distance) > 0) || (stride != 0 && reach(distance) > stride)
            };
            let targets: Vec<Cell> =
                self.graph.links(start.node).filter(|&(at, _)| overlaps(at)).map(|l| l.1).collect();
            for target in targets {
                self.graph.set_numeric(target);
            }
        }
        self.numbers = numbers;
    }

    /// Treats objects with very many separately accessed parts, such as initialised tables, as arrays.
    fn widen_large_nodes(&mut self) {
        let roots: Vec<_> = self.graph.roots().collect();
        for root in roots {
            let node = self.graph.node(root);
            if node.stride != 0 || node.accesses.len() + node.cuts.len() <= MAX_CUTS {
                continue;
            }
            let starts: Vec<i64> = node.accesses.iter().map(|a| a.0).collect();
            for start in starts.iter().skip(1) {
                self.graph.blur(Cell { node: root, offset: 0 }, start.abs_diff(starts[0]));
            }
        }
    }
}

/// Whether a call of type `call` with `args` arguments may reach a function of type `function`. A mismatch is undefined
/// behaviour, but harmless ones are common in old C: a different number of arguments, or other integer and pointer
/// types.
fn is_compatible(function: Type, call: Type, args: usize) -> bool {
    let params = function.params();
    if function == call {
        return true;
    }
    let is_unprototyped = params.is_empty() || call.params().is_empty();
    let count = params.len() == args || (function.is_variadic() && params.len() <= args) || is_unprototyped;
    let same = |a: Type, b: Type| {
        let float = |t: Type| matches!(t.kind(), TypeKind::Float(_) | TypeKind::Vector(..));
        float(a) == float(b)
    };
    count && params.iter().zip(call.params()).all(|(&p, a)| same(p, a))
}
