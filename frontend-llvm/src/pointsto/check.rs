//! Checks a solution of the points-to analysis against the program.
//!
//! Written apart from the solver: for each instruction it says what must hold of the finished graph, not how to get
//! there. Where that does not hold the instruction is recorded, and its function is unsupported in the lifted program.
//! With the run-time checks of pointers that are computed from numbers, a mistake of the solver costs the verdict, but
//! never makes it wrong.

use rustc_hash::FxHashSet;

use super::PointsTo;
use super::constraints::{constant_length, gep_offset, is_number, resolve_alias, va_list_bytes, va_list_fields};
use super::graph::{AccessKind, Cell, NodeId, Object};
use super::truth::{reads_truth, writes_truth};
use crate::handlers::{self, Fit};
use crate::ir::{Constant, Module, Opcode, Type, TypeKind, Value};
use crate::names::{self, Callee, Primitive};

pub(super) struct Check<'p> {
    pub(super) points_to: &'p PointsTo,
    module: Module,
    pub(super) pointer_bytes: u64,
    /// Nodes with overlapping accesses that do not share their links.
    torn: FxHashSet<NodeId>,
}

impl<'p> Check<'p> {
    /// The instructions and globals about which the solution is wrong.
    pub(super) fn violations(points_to: &'p PointsTo, module: Module, entry: Value) -> FxHashSet<Value> {
        let pointer_bytes = u64::from(points_to.layout.pointer_bits() / 8);
        let mut check = Check { points_to, module, pointer_bytes, torn: FxHashSet::default() };
        check.torn = points_to.nodes().into_iter().filter(|&node| check.is_torn(node)).collect();
        let globals = module.globals().filter(|&global| !check.global(global));
        let instructions = module.functions().flat_map(|f| f.body().collect::<Vec<_>>());
        let mut wrong: FxHashSet<Value> = globals.chain(instructions.filter(|&i| !check.instruction(i))).collect();
        if !check.is_given(entry) || !check.is_closed() {
            wrong.extend(entry.body().next());
        }
        wrong
    }

    pub(super) fn cell(&self, value: Value) -> Option<Cell> {
        self.points_to.cell(value)
    }

    pub(super) fn is_numeric(&self, cell: Cell) -> bool {
        self.points_to.node(cell.node).numeric
    }

    fn has_target(&self, cell: Cell) -> bool {
        self.points_to.graph.has_target(cell)
    }

    fn shifted(&self, cell: Cell, bytes: i64) -> Cell {
        self.points_to.shifted(cell, bytes)
    }

    pub(super) fn may_move_by(&self, cell: Cell, distance: u64) -> bool {
        let stride = self.points_to.node(cell.node).stride;
        distance == 0 || (stride != 0 && distance.is_multiple_of(stride))
    }

    fn holds(&self, cell: Cell, object: Object) -> bool {
        self.points_to.node(cell.node).objects.contains(&(object, cell.offset))
    }

    /// Whether `value` has a cell of its own.
    fn is_followed(value: Value) -> bool {
        value.constant().is_none() && !value.is_metadata() && !value.is_inline_assembly()
    }

    /// Whether what `from` points to, `to` points to.
    pub(super) fn flows(&self, from: Value, to: Option<Cell>) -> bool {
        let Some(to) = to else { return !self.is_pointer_or_number(from) };
        if !self.is_consistent(from) {
            return false;
        }
        match self.cell(from) {
            Some(cell) => cell == to,
            None => !Self::is_followed(from) && (!is_number(from) || self.is_numeric(to)),
        }
    }

    fn is_pointer_or_number(&self, value: Value) -> bool {
        Self::is_followed(value) || self.cell(value).is_some() || is_number(value)
    }

    /// Whether the cell of a constant stands for all objects in it.
    fn is_consistent(&self, value: Value) -> bool {
        match value.constant() {
            Some(Constant::Function) => {
                self.cell(value).is_some_and(|cell| self.points_to.node(cell.node).functions.contains(&value))
            }
            Some(Constant::Expression(Opcode::LLVMGetElementPtr)) => self.is_consistent(value.operand(0)),
            Some(Constant::Expression(_) | Constant::Aggregate) => {
                let cells: FxHashSet<Cell> = value.operands().filter_map(|v| self.cell(v)).collect();
                cells.len() <= 1 && value.operands().all(|v| self.is_consistent(v))
            }
            Some(Constant::Alias) => self.is_consistent(value.aliasee()),
            _ => true,
        }
    }

    /// Whether two accesses of the node overlap, but their links differ.
    fn is_torn(&self, node: NodeId) -> bool {
        let info = self.points_to.node(node);
        let stride = info.stride as i64;
        let link = |offset: i64| self.points_to.link(Cell { node, offset });
        let overlap = |(a, b): (i64, i64), (c, d): (i64, i64)| a < d && c < b;
        let spans: Vec<(i64, i64)> = info.accesses.iter().map(|a| (a.0, a.0.saturating_add_unsigned(a.1))).collect();
        let widest = spans.iter().map(|s| s.1 - s.0).max().unwrap_or(0);
        spans.iter().enumerate().any(|(i, &one)| {
            // Accesses are sorted by their offsets.
            let near = spans[i + 1..].iter().take_while(|other| other.0 < one.1);
            let around = spans.iter().take_while(|other| stride != 0 && other.0 + stride < one.0 + widest);
            let around = around.filter(|other| overlap(one, (other.0 + stride, other.1 + stride)));
            near.chain(around).any(|other| other.0 != one.0 && link(other.0) != link(one.0))
        })
    }

    /// Whether an access of type `ty` at `cell` is known, and reads or writes what `value` points to.
    fn access(&self, cell: Cell, ty: Type, value: Option<Cell>) -> bool {
        if ty.is_aggregate() {
            let layout = self.points_to.layout;
            return (0..ty.element_count()).all(|i| {
                let at = self.shifted(cell, layout.element_offset(ty, i) as i64);
                self.access(at, ty.element(i), value)
            });
        }
        let kind = match ty.kind() {
            TypeKind::Float(Some(format)) => AccessKind::Float(format),
            _ => AccessKind::Bits,
        };
        self.access_as(cell, self.points_to.layout.store_size(ty), kind, value)
    }

    fn access_as(&self, cell: Cell, bytes: u64, kind: AccessKind, value: Option<Cell>) -> bool {
        let known = self.points_to.node(cell.node).accesses.contains(&(cell.offset, bytes, kind));
        known && !self.torn.contains(&cell.node) && (value.is_none() || self.points_to.link(cell) == value)
    }

    /// Whether numbers may be among the pointers stored in a range.
    fn stores_numbers(&self, start: Cell, bytes: u64) -> bool {
        let info = self.points_to.node(start.node);
        let stride = info.stride as i64;
        let end = start.offset.saturating_add_unsigned(bytes);
        self.points_to.graph.links(start.node).all(|(at, target)| {
            let width = info.accesses.range((at, 0, AccessKind::Bits)..).take_while(|a| a.0 == at).map(|a| a.1).max();
            let reach = |at: i64| at.saturating_add_unsigned(width.unwrap_or(1));
            let overlaps = |at: i64| at < end && start.offset < reach(at);
            let touched = overlaps(at)
                || (stride != 0 && (bytes >= info.stride || overlaps(at + stride) || overlaps(at - stride)));
            !touched || self.is_numeric(target)
        })
    }

    fn global(&self, global: Value) -> bool {
        let Some(cell) = self.cell(global) else { return false };
        self.holds(cell, Object::Global(global))
            && match global.initializer() {
                Some(initial) if !global.is_declaration() => self.initial(cell, 0, initial),
                _ => self.points_to.node(cell.node).external && self.declared(global, cell.node),
            }
    }

    fn initial(&self, object: Cell, offset: i64, value: Value) -> bool {
        let layout = self.points_to.layout;
        let at = self.shifted(object, offset);
        match value.constant() {
            Some(Constant::Aggregate) => (0..value.operand_count()).all(|i| {
                let inner = layout.element_offset(value.ty(), u64::from(i)) as i64;
                self.initial(object, offset + inner, value.operand(i))
            }),
            Some(Constant::Integer(_) | Constant::WideInteger | Constant::Data) => {
                !is_number(value) || self.stores_numbers(at, layout.alloc_size(value.ty()))
            }
            Some(Constant::Function | Constant::Global | Constant::Alias | Constant::Expression(_)) => {
                self.cell(value).is_none() || self.flows(value, self.points_to.link(at))
            }
            _ => true,
        }
    }

    fn instruction(&self, i: Value) -> bool {
        use Opcode::*;
        let result = self.cell(i);
        match i.opcode() {
            LLVMAlloca => result.is_some_and(|cell| self.holds(cell, Object::Alloca(i))),
            LLVMLoad => self.through(i.operand(0), |at| {
                result.is_some()
                    && if reads_truth(i) {
                        self.access_as(at, 1, AccessKind::Truth, result)
                    } else {
                        self.access(at, i.ty(), result)
                    }
            }),
            LLVMStore => self.store(i),
            LLVMAtomicRMW => {
                let may_compute =
                    i.ty().kind() == TypeKind::Pointer || result.is_some_and(|cell| self.is_numeric(cell));
                may_compute
                    && self.flows(i.operand(1), result)
                    && self.through(i.operand(0), |at| self.access(at, i.ty(), result))
            }
            LLVMAtomicCmpXchg => {
                self.flows(i.operand(1), result)
                    && self.flows(i.operand(2), result)
                    && self.through(i.operand(0), |at| self.access(at, i.operand(1).ty(), result))
            }
            LLVMGetElementPtr => self.through(i.operand(0), |base| self.moved(i, base, result)),
            LLVMPHI => i.incoming().all(|(value, _)| self.flows(value, result)),
            LLVMSelect => self.flows(i.operand(1), result) && self.flows(i.operand(2), result),
            LLVMBitCast | LLVMAddrSpaceCast | LLVMPtrToInt | LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFreeze
            | LLVMExtractValue | LLVMExtractElement => self.flows(i.operand(0), result),
            LLVMIntToPtr => {
                self.flows(i.operand(0), result)
                    && result.is_none_or(|cell| self.differences(cell).all(|target| target.node == cell.node))
            }
            LLVMInsertValue | LLVMInsertElement | LLVMShuffleVector => {
                self.flows(i.operand(0), result) && self.flows(i.operand(1), result)
            }
            LLVMCall | LLVMInvoke => self.call(i, result),
            LLVMRet if i.operand_count() == 1 => self.flows(i.operand(0), self.points_to.result(i.function())),
            LLVMLandingPad => result == Some(self.points_to.exception()),
            LLVMResume => self.flows(i.operand(0), Some(self.points_to.exception())),
            _ if i.ty().kind() == TypeKind::Void => true,
            _ => result.is_some_and(|cell| self.is_numeric(cell) && self.keeps_differences(i, cell)),
        }
    }

    /// Whether something holds of the target of a pointer. Constants that point nowhere have none.
    fn through(&self, pointer: Value, holds: impl Fn(Cell) -> bool) -> bool {
        match self.cell(pointer) {
            Some(cell) => self.is_consistent(pointer) && holds(cell),
            None => !Self::is_followed(pointer),
        }
    }

    fn store(&self, i: Value) -> bool {
        let (stored, pointer) = (i.operand(0), i.operand(1));
        self.through(pointer, |at| {
            let known = if writes_truth(i) {
                self.access_as(at, 1, AccessKind::Truth, None)
            } else {
                self.access(at, stored.ty(), None)
            };
            known && self.stored(at, stored, stored.ty())
        })
    }

    /// Whether what `value` points to can be read from `at`.
    fn stored(&self, at: Cell, value: Value, ty: Type) -> bool {
        if ty.is_aggregate() {
            let layout = self.points_to.layout;
            return (0..ty.element_count())
                .all(|i| self.stored(self.shifted(at, layout.element_offset(ty, i) as i64), value, ty.element(i)));
        }
        self.flows(value, self.points_to.link(at))
    }

    fn moved(&self, gep: Value, base: Cell, result: Option<Cell>) -> bool {
        let (offset, mut strides) = gep_offset(gep, self.points_to.layout);
        if gep.ty().is_aggregate() {
            strides.push(1);
        }
        let mut distances = gep.operands().skip(1).filter_map(|index| self.cell(index));
        result == Some(self.shifted(base, offset))
            && strides.into_iter().all(|stride| self.may_move_by(base, stride))
            // A pointer moved by the difference of two others may be one of them.
            && (!self.has_target(base)
                || distances.all(|index| self.differences(index).all(|target| target.node == base.node)))
    }

    fn differences(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        self.points_to.graph.differences(cell).into_iter()
    }

    /// Whether a number that is computed from pointers or from their differences is known to be one.
    fn keeps_differences(&self, i: Value, result: Cell) -> bool {
        use Opcode::*;
        let known =
            |cell: Cell| cell.node == result.node || self.differences(result).any(|target| target.node == cell.node);
        let operands: Vec<Cell> = match i.opcode() {
            LLVMCall | LLVMInvoke => i.args().filter_map(|v| self.cell(v)).collect(),
            LLVMShl | LLVMLShr | LLVMAShr => self.cell(i.operand(0)).into_iter().collect(),
            LLVMAdd | LLVMSub | LLVMMul | LLVMSDiv | LLVMUDiv | LLVMAnd | LLVMOr | LLVMXor => {
                i.operands().filter_map(|v| self.cell(v)).collect()
            }
            _ => return true,
        };
        let is_product = matches!(i.opcode(), LLVMMul | LLVMSDiv | LLVMUDiv);
        operands
            .into_iter()
            .all(|cell| self.differences(cell).all(known) && (is_product || !self.has_target(cell) || known(cell)))
    }

    fn call(&self, call: Value, result: Option<Cell>) -> bool {
        let callee = resolve_alias(call.callee());
        if callee.is_inline_assembly() {
            return call.ty().kind() == TypeKind::Void || result.is_some_and(|cell| self.is_numeric(cell));
        }
        if !callee.is_function() {
            return self.is_consistent(callee)
                && self.points_to.callees(call).iter().all(|&callee| self.called(call, callee, result));
        }
        self.called(call, callee, result)
    }

    fn called(&self, call: Value, callee: Value, result: Option<Cell>) -> bool {
        match names::classify(callee) {
            Callee::Defined if names::prints_only(call).is_some() => true,
            Callee::Defined => self.bound(call, callee, result),
            Callee::Intrinsic(name) => self.intrinsic(call, names::intrinsic_stem(name), result),
            Callee::Primitive(primitive) => self.primitive(call, primitive, result),
            Callee::External => self.external(call, callee, result),
        }
    }

    fn bound(&self, call: Value, callee: Value, result: Option<Cell>) -> bool {
        let params: Vec<Value> = callee.params().collect();
        let passed = call.args().enumerate().all(|(i, arg)| {
            let by_value = call.call_type_attribute(i as u32, "byval");
            match (params.get(i), by_value) {
                (Some(&param), None) => self.flows(arg, self.cell(param)),
                (Some(&param), Some(ty)) => self.cell(param).is_some_and(|to| {
                    let bytes = Some(self.points_to.layout.alloc_size(ty));
                    self.holds(to, Object::ByValue(call, i as u32))
                        && self.through(arg, |from| self.copied(to, from, bytes))
                }),
                (None, by_value) => self.points_to.varargs(callee).is_some_and(|area| {
                    self.may_move_by(area, self.pointer_bytes)
                        && self.holds(area, Object::VarArgs(callee))
                        && match by_value {
                            Some(_) => self.flows(arg, Some(area)),
                            None => self.access(area, arg.ty(), None) && self.stored(area, arg, arg.ty()),
                        }
                }),
            }
        });
        passed && (call.ty().kind() == TypeKind::Void || (result.is_some() && result == self.points_to.result(callee)))
    }

    fn primitive(&self, call: Value, primitive: Primitive, result: Option<Cell>) -> bool {
        match primitive {
            Primitive::NewObject { .. } => result.is_some_and(|cell| self.holds(cell, Object::Heap(call))),
            Primitive::Unknown { .. } => result.is_some_and(|cell| {
                let node = self.points_to.node(cell.node);
                if call.ty().kind() == TypeKind::Pointer { self.is_unknown(cell) } else { node.numeric }
            }),
            Primitive::Throw => self.flows(call.operand(0), Some(self.points_to.exception())),
            Primitive::Caught => call.users().next().is_none() || self.caught(call, result),
            _ => true,
        }
    }

    fn caught(&self, call: Value, result: Option<Cell>) -> bool {
        self.through(call.operand(0), |object| {
            let handled = handlers::handled(call);
            (!handled.is_empty() || result == Some(object))
                && handled.into_iter().all(|wanted| {
                    let seen = if handlers::is_pointer(wanted) { self.points_to.link(object) } else { Some(object) };
                    let bases = handlers::caught_types(self.module, wanted);
                    seen.is_some()
                        && result == seen
                        && bases.into_iter().all(|(_, fit)| match fit {
                            Fit::At(distance) => result == seen.map(|cell| self.shifted(cell, distance)),
                            _ => true,
                        })
                })
        })
    }

    fn intrinsic(&self, call: Value, stem: &str, result: Option<Cell>) -> bool {
        match stem {
            "memcpy" | "memmove" | "memcpy.inline" => {
                let bytes = constant_length(call.operand(2));
                self.through(call.operand(0), |to| {
                    self.is_range(to, bytes)
                        && self
                            .through(call.operand(1), |from| self.is_range(from, bytes) && self.copied(to, from, bytes))
                })
            }
            "memset" | "memset.inline" => self.through(call.operand(0), |to| {
                let bytes = constant_length(call.operand(2));
                let is_zero = matches!(call.operand(1).constant(), Some(Constant::Integer(0)));
                self.is_range(to, bytes) && (is_zero || self.stores_numbers(to, bytes.unwrap_or(u64::MAX)))
            }),
            "masked.load" => {
                self.flows(call.operand(3), result)
                    && self.through(call.operand(0), |at| self.access(at, call.ty(), result))
            }
            "masked.store" => self.through(call.operand(1), |at| {
                let value = call.operand(0);
                self.access(at, value.ty(), None) && self.stored(at, value, value.ty())
            }),
            "va_start" => self.through(call.operand(0), |list| {
                let area = self.points_to.varargs(call.function());
                va_list_fields(self.pointer_bytes).into_iter().all(|(offset, bytes, is_pointer)| {
                    let field = self.shifted(list, offset);
                    let target = if is_pointer { area } else { None };
                    self.access_as(field, bytes, AccessKind::Bits, target)
                })
            }),
            "va_copy" => self.through(call.operand(0), |to| {
                let bytes = Some(va_list_bytes(self.pointer_bytes));
                self.through(call.operand(1), |from| self.copied(to, from, bytes))
            }),
            "launder.invariant.group"
            | "strip.invariant.group"
            | "ptr.annotation"
            | "ssa.copy"
            | "expect"
            | "expect.with.probability"
            | "threadlocal.address" => self.flows(call.operand(0), result),
            _ if call.ty().kind() == TypeKind::Void => true,
            "load.relative" => result.is_none_or(|cell| self.is_numeric(cell)),
            _ => result.is_some_and(|cell| self.is_numeric(cell) && self.keeps_differences(call, cell)),
        }
    }

    /// Whether objects can be cut at both ends of a range.
    fn is_range(&self, start: Cell, bytes: Option<u64>) -> bool {
        let Some(bytes) = bytes else { return self.points_to.node(start.node).dynamic_ranges };
        let is_cut = |cell: Cell| self.points_to.node(cell.node).cuts.contains(&cell.offset);
        is_cut(start) && is_cut(self.shifted(start, bytes as i64))
    }

    /// Whether what is stored in the range at `from` can be read from the range at `to`.
    fn copied(&self, to: Cell, from: Cell, bytes: Option<u64>) -> bool {
        if to == from {
            return true;
        }
        let (source, target) = (self.points_to.node(from.node), self.points_to.node(to.node));
        let Some(bytes) = bytes.filter(|_| source.stride == 0 && target.stride == 0) else { return false };
        let inside = |start: Cell, at: i64| at >= start.offset && at < start.offset.saturating_add_unsigned(bytes);
        let shift = to.offset - from.offset;
        let links = self.points_to.graph.links(from.node).filter(|l| inside(from, l.0));
        let links = links.map(|(at, target)| (self.shifted(to, at - from.offset), target)).collect::<Vec<_>>();
        // The parts of both must be the same: a copy moves whole parts.
        let parts = |start: Cell| self.points_to.node(start.node).accesses.iter().filter(move |a| inside(start, a.0));
        let same_parts = parts(from).map(|a| (a.0 + shift, a.1, a.2)).eq(parts(to).copied());
        same_parts && links.into_iter().all(|(at, target)| self.points_to.link(at) == Some(target))
    }
}
