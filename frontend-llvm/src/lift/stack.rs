//! Stack slots: their addresses, their lifetimes, and the dynamic stack.

use clew_verifier::cfa::{Havoc, Op, Scope, VarKind};
use clew_verifier::expr::{BinaryOp, Expr, Sort, Var};

use super::function::FunctionLifter;
use super::memory::Pointer;
use super::{Lifter, Val};
use crate::ir::{Opcode, Value};
use crate::pointsto::{Cell, Object};

/// The maximum size of a variable-sized stack slot.
const MAX_STACK_SLOT: u64 = 0x1000_0000;

impl FunctionLifter<'_> {
    /// An `alloca`: its address is fixed, or allocated on the dynamic stack.
    pub fn alloca(&mut self, alloca: Value) {
        let object = Object::Alloca(alloca);
        if self.l.has_fixed_address(object) {
            let cell = self.l.points_to.cell(alloca);
            let needs_address = cell.is_none_or(|cell| {
                self.l.plain_object(cell.node).is_none() || alloca.users().any(|u| !is_direct_access(u, alloca))
            });
            let value = if needs_address {
                let address = self.l.fixed_address(object);
                Val::Scalar(self.address(address))
            } else {
                Val::Undefined
            };
            self.set_value(alloca, value);
            let marked = alloca.users().any(is_lifetime_start);
            let shared = cell.is_some_and(|cell| !self.is_own_frame(cell));
            if shared
                && !marked
                && let Some(cell) = cell
            {
                // In the model the slot outlives the activation, but not in the program.
                let pointer = Pointer::of(alloca, cell);
                let bytes = self.l.object_bytes(object);
                self.forget(pointer, bytes, Havoc::Uninitialized);
            }
            return;
        }
        let bits = self.l.layout.pointer_bits();
        let count = self.scalar(alloca.operand(0));
        let count = self.l.builder.pool.zero_extend(count, bits);
        let size = self.l.layout.alloc_size(alloca.allocated_type());
        let size = self.bits(bits, u128::from(size));
        let bytes = self.l.builder.pool.binary(BinaryOp::Mul, count, size);
        let cell = self.l.points_to.cell(alloca);
        let address = self.push_stack(bytes, alloca.alignment(), cell);
        self.set_value(alloca, Val::Scalar(address));
        if let Some(cell) = cell {
            let pieces = self.l.partition(cell.node).touched(cell.offset, None);
            for piece in pieces {
                let memory = self.l.piece_var(cell.node, piece);
                self.write_memory(memory, Op::Forget { memory, address, bytes });
            }
        }
    }

    /// Whether all objects of the node belong to the current activation.
    fn is_own_frame(&mut self, cell: Cell) -> bool {
        match self.l.partition(cell.node).touched(0, None).first() {
            Some(&piece) => {
                let var = self.l.piece_var(cell.node, piece);
                self.l.builder.var(var).scope != Scope::Global
            }
            None => true,
        }
    }

    /// Allocates space on the dynamic stack for an object at `cell`.
    pub fn push_stack(&mut self, bytes: Expr, alignment: u64, cell: Option<Cell>) -> Expr {
        let top_var = self.l.stack_top();
        let top = self.read_var(top_var);
        let bits = self.l.layout.pointer_bits();
        let var = self.local("stack.slot", Sort::Bits(bits), VarKind::Model);
        let unit = u128::from(alignment.max(16));
        let aligned = {
            let up = self.bits(bits, unit - 1);
            let mask = self.bits(bits, !(unit - 1));
            let sum = self.l.builder.pool.add(top, up);
            self.l.builder.pool.binary(BinaryOp::BitAnd, sum, mask)
        };
        self.emit(Op::Assign(var, aligned));
        let address = self.read_var(var);
        if self.as_number(bytes).is_none() {
            // No stack is that large: the program crashes.
            let limit = self.bits(bits, u128::from(MAX_STACK_SLOT));
            let fits = self.l.builder.pool.binary(BinaryOp::UnsignedLessEq, bytes, limit);
            self.assume(fits);
        }
        let gap = self.bits(bits, 64);
        let end = self.l.builder.pool.add(address, bytes);
        let end = self.l.builder.pool.add(end, gap);
        self.assign(top_var, end);
        self.record_inner_owner(cell, address, end, false);
        address
    }

    /// Saves the top of the dynamic stack on entry, if the function uses it.
    pub fn prologue(&mut self) {
        let uses_stack = self.function.body().any(|i| match i.opcode() {
            Opcode::LLVMAlloca => !self.l.has_fixed_address(Object::Alloca(i)),
            Opcode::LLVMCall | Opcode::LLVMInvoke => self.passes_on_stack(i),
            _ => false,
        });
        if uses_stack {
            let sort = self.l.pointer_sort();
            let saved = self.local("stack.entry", sort, VarKind::Model);
            let top = self.l.stack_top();
            let top = self.read_var(top);
            self.emit(Op::Assign(saved, top));
            self.stack_at_entry = Some(saved);
        }
    }

    /// Releases the function's space on the dynamic stack.
    pub fn epilogue(&mut self) {
        if let Some(saved) = self.stack_at_entry {
            let saved = self.read_var(saved);
            let top = self.l.stack_top();
            self.assign(top, saved);
        }
    }

    /// A declaration in a loop starts a new lifetime, even without a marker.
    pub fn declaration(&mut self, call: Value) {
        if let Some((slot, _)) = crate::ir::declared_variable(call)
            && self.is_repeated(call)
            && slot.is_instruction()
            && !slot.users().any(is_lifetime_start)
        {
            self.lifetime_start(call, slot);
        }
    }

    /// Starts the lifetime of a slot: its contents become unknown.
    pub fn lifetime_start(&mut self, call: Value, slot: Value) {
        if !slot.is_instruction() || slot.opcode() != Opcode::LLVMAlloca {
            return;
        }
        let Some(cell) = self.l.points_to.cell(slot) else { return };
        if !self.l.has_fixed_address(Object::Alloca(slot)) {
            return; // made unknown when it was allocated
        }
        // The slots of a new activation are unknown already.
        let fresh = self.is_own_frame(cell) && !self.is_repeated(call);
        if fresh || self.is_overwritten_next(call, slot) {
            return;
        }
        let bytes = self.l.object_bytes(Object::Alloca(slot));
        self.forget(Pointer::of(slot, cell), bytes, Havoc::Uninitialized);
    }

    /// Whether the whole slot is written before anything can read it.
    fn is_overwritten_next(&mut self, start: Value, slot: Value) -> bool {
        let later = start.block().instructions().skip_while(|&i| i != start).skip(1);
        for i in later {
            let is_marker = Lifter::is_call(i) && is_direct_access(i, slot);
            if i.opcode() == Opcode::LLVMStore && i.operand(1) == slot && i.operand(0) != slot {
                let bytes = self.l.layout.store_size(i.operand(0).ty());
                return self.l.object_bytes(Object::Alloca(slot)) == Some(bytes);
            }
            // A callee, or a load through a pointer, may read the slot.
            let may_see = (Lifter::is_call(i) || i.opcode() == Opcode::LLVMLoad) && !only_direct(slot);
            if !is_marker && (may_see || i.operands().any(|o| o == slot)) {
                return false;
            }
        }
        false
    }
}

impl Lifter {
    /// The end of the dynamic stack.
    pub(super) fn stack_top(&mut self) -> Var {
        if let Some(var) = self.model.stack_top {
            return var;
        }
        let sort = self.pointer_sort();
        let var = self.model_var("stack.top", sort);
        self.model.stack_top = Some(var);
        var
    }

    /// The end of the heap.
    pub(super) fn heap_top(&mut self) -> Var {
        if let Some(var) = self.model.heap_top {
            return var;
        }
        let sort = self.pointer_sort();
        let var = self.model_var("heap.top", sort);
        self.model.heap_top = Some(var);
        var
    }
}

fn is_lifetime_start(user: Value) -> bool {
    user.opcode() == Opcode::LLVMCall && user.callee().name().starts_with("llvm.lifetime.start")
}

/// Whether the slot is only accessed directly and as a whole.
pub(super) fn only_direct(slot: Value) -> bool {
    slot.users().all(|u| is_direct_access(u, slot))
}

/// Whether the instruction only accesses the slot directly.
fn is_direct_access(user: Value, slot: Value) -> bool {
    match user.opcode() {
        Opcode::LLVMLoad => true,
        Opcode::LLVMStore => user.operand(0) != slot,
        Opcode::LLVMCall => {
            let name = user.callee().name();
            name.starts_with("llvm.lifetime") || name.starts_with("llvm.dbg")
        }
        _ => false,
    }
}

/// Whether it is a compiler-generated slot that is never read.
pub(super) fn is_write_only(slot: Value) -> bool {
    slot.is_instruction()
        && slot.opcode() == Opcode::LLVMAlloca
        && slot.users().all(|u| u.opcode() == Opcode::LLVMStore && u.operand(0) != slot)
}
