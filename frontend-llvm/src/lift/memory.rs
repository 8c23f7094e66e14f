//! Loads, stores, copies: every access goes to the pieces of the node that its pointer points to.

use clew_verifier::cfa::{
    BinaryOp, Cell as CellSort, Expr, Havoc, Op, Scope, Sort, UnaryOp, Value as Concrete, Var, VarKind,
};

use super::function::{FunctionLifter, Written};
use super::{Lifter, Val};
use crate::ir::{Constant, Opcode, Type, TypeKind, Value};
use crate::pointsto::{Cell, NodeId, Object, Part, constant_length};

/// Copies and fills of up to this many pieces are written out one by one.
const MAX_PIECEWISE: usize = 32;

/// The largest stack slot of variable size.
const MAX_STACK_SLOT: u64 = 0x1000_0000;

/// A place in memory: what the points-to analysis knows, and the address.
#[derive(Clone, Copy)]
pub(super) struct Pointer {
    pub cell: Cell,
    base: Base,
    /// How far it is moved from the base.
    distance: i64,
}

/// What an address starts from.
#[derive(Clone, Copy)]
enum Base {
    /// A pointer of the program.
    Value(Value),
    /// An address that the model made.
    Address(Expr),
}

impl FunctionLifter<'_> {
    /// What a pointer operand points to. A pointer to nothing ends the path: if it is null or was never set, as a crash.
    pub fn pointer(&mut self, base: Value) -> Option<Pointer> {
        match self.l.points_to.cell(base) {
            Some(cell) if self.l.is_known(cell) => Some(Pointer { cell, base: Base::Value(base), distance: 0 }),
            Some(cell) if self.l.points_to.node(cell.node).numeric => {
                self.unsupported("an access at an address that is computed from numbers");
                None
            }
            None if !is_null(base) => {
                self.unsupported("an access at a fixed address");
                None
            }
            _ => {
                self.halt();
                None
            }
        }
    }

    /// The place `bytes` further on.
    pub fn further(&self, pointer: Pointer, bytes: u64) -> Pointer {
        let cell = self.l.points_to.shifted(pointer.cell, bytes as i64);
        Pointer { cell, distance: pointer.distance + bytes as i64, ..pointer }
    }

    fn address_of(&mut self, pointer: Pointer) -> Expr {
        let base = match pointer.base {
            Base::Value(value) => self.scalar(value),
            Base::Address(address) => address,
        };
        self.moved(base, pointer.distance)
    }

    /// A pointer to a plain variable must be its address: all else is undefined behaviour, which ends the path as a crash.
    fn check_plain(&mut self, pointer: Pointer, object: (Object, i64)) {
        if matches!(pointer.base, Base::Value(value) if is_based_on(value, object.0)) {
            return;
        }
        let start = self.l.fixed_address(object.0).wrapping_add_signed(pointer.cell.offset - object.1);
        let address = self.address_of(pointer);
        let expected = self.address(start);
        let valid = self.l.builder.pool.eq(address, expected);
        self.assume(valid);
    }

    /// Reads a value of type `ty`.
    pub fn load(&mut self, pointer: Pointer, ty: Type) -> Val {
        if ty.is_aggregate() {
            let parts = (0..ty.element_count())
                .map(|i| {
                    let at = self.further(pointer, self.l.layout.element_offset(ty, i));
                    self.load(at, ty.element(i))
                })
                .collect();
            return Val::Aggregate(parts);
        }
        let Some(sort) = self.l.sort(ty) else {
            self.unsupported(&format!("a load of {}", super::function::describe(ty)));
            return Val::Undefined;
        };
        Val::Scalar(self.load_scalar(pointer, self.l.layout.store_size(ty), sort))
    }

    /// Reads a bit-vector.
    pub fn load_bits(&mut self, pointer: Pointer, width: u16) -> Expr {
        self.load_scalar(pointer, u64::from(width / 8), Sort::Bits(width))
    }

    fn load_scalar(&mut self, pointer: Pointer, bytes: u64, sort: Sort) -> Expr {
        let parts = self.l.partition(pointer.cell.node).parts(pointer.cell.offset, bytes);
        if let Some(object) = self.l.plain_object(pointer.cell.node) {
            self.check_plain(pointer, object);
            let pieces: Vec<Expr> =
                parts.iter().map(|part| self.read_plain(pointer.cell.node, part.piece, object)).collect();
            return self.join(&pieces, sort);
        }
        let address = self.address_of(pointer);
        let pieces: Vec<Expr> = self
            .runs(&parts)
            .into_iter()
            .map(|(part, cells)| {
                let var = self.l.piece_var(pointer.cell.node, part.piece);
                let memory = self.read_var(var);
                let at = self.moved(address, part.distance as i64);
                self.l.builder.pool.read(memory, at, cells)
            })
            .collect();
        self.join(&pieces, sort)
    }

    /// The present value of a piece that is a variable of its own; that of a constant is known.
    fn read_plain(&mut self, node: NodeId, piece: usize, object: (Object, i64)) -> Expr {
        if let Object::Global(global) = object.0
            && global.is_constant_global()
            && let Some(value) = self.l.constant_piece(node, piece, global, object.1)
        {
            return value;
        }
        let var = self.l.piece_var(node, piece);
        self.read_var(var)
    }

    /// Parts that follow each other in one memory are read and written together.
    fn runs(&self, parts: &[Part]) -> Vec<(Part, u16)> {
        let mut runs: Vec<(Part, u16)> = Vec::new();
        for &part in parts {
            match runs.last_mut() {
                Some((first, cells)) if first.piece == part.piece => *cells += 1,
                _ => runs.push((part, 1)),
            }
        }
        runs
    }

    /// Puts pieces together, the first one in the low bits, as a value of `sort`.
    fn join(&mut self, pieces: &[Expr], sort: Sort) -> Expr {
        let whole = match pieces {
            [] => {
                self.unsupported("an access of no bytes");
                return self.unknown(sort, Havoc::Undefined);
            }
            [one] => *one,
            _ => {
                let bits: Vec<Expr> = pieces.iter().map(|&p| self.as_bits(p)).collect();
                let pool = &mut self.l.builder.pool;
                bits.into_iter().reduce(|low, high| pool.binary(BinaryOp::Concat, high, low)).expect("not empty")
            }
        };
        self.convert(whole, sort)
    }

    fn as_bits(&mut self, value: Expr) -> Expr {
        match self.l.builder.pool.sort(value) {
            Sort::Float(_) => self.l.builder.pool.unary(UnaryOp::FloatToBits, value),
            Sort::Bool => self.l.builder.pool.bool_to_bits(value, 8),
            _ => value,
        }
    }

    /// A value as it is in memory, read as another sort of the same size.
    pub fn convert(&mut self, value: Expr, sort: Sort) -> Expr {
        if self.l.builder.pool.sort(value) == sort {
            return value;
        }
        let bits = self.as_bits(value);
        match sort {
            Sort::Float(format) => {
                let bits = self.l.builder.pool.zero_extend(bits, format.bits());
                self.l.builder.pool.unary(UnaryOp::BitsToFloat(format), bits)
            }
            Sort::Bool => {
                let bit = self.l.builder.pool.extract(bits, 0, 1);
                let one = self.bits(1, 1);
                self.l.builder.pool.eq(bit, one)
            }
            Sort::Bits(width) => self.l.builder.pool.zero_extend(bits, width),
            Sort::Memory(_) => value,
        }
    }

    /// Writes a value of type `ty`.
    pub fn store(&mut self, pointer: Pointer, value: Val, ty: Type) {
        if ty.is_aggregate() {
            for (i, part) in self.parts_of(value, ty).into_iter().enumerate() {
                let at = self.further(pointer, self.l.layout.element_offset(ty, i as u64));
                self.store(at, part, ty.element(i as u64));
            }
            return;
        }
        if self.l.sort(ty).is_none() {
            return self.unsupported(&format!("a store of {}", super::function::describe(ty)));
        }
        let value = self.scalar_of(value, ty);
        self.store_scalar(pointer, value, self.l.layout.store_size(ty));
    }

    /// Writes a value that takes `bytes` bytes.
    pub fn store_scalar(&mut self, pointer: Pointer, value: Expr, bytes: u64) {
        let parts = self.l.partition(pointer.cell.node).parts(pointer.cell.offset, bytes);
        if let Some(object) = self.l.plain_object(pointer.cell.node) {
            self.check_plain(pointer, object);
            let value = if parts.len() > 1 { self.keep_still(value, &parts, pointer.cell) } else { value };
            for part in &parts {
                let var = self.l.piece_var(pointer.cell.node, part.piece);
                let sort = self.l.builder.var(var).sort;
                let piece = self.piece_of(value, part, bytes, sort);
                self.assign(var, piece);
            }
            return;
        }
        let address = self.address_of(pointer);
        let runs = self.runs(&parts);
        let (value, address) = if runs.len() > 1 { (self.save(value), self.save(address)) } else { (value, address) };
        for (part, cells) in runs {
            let memory = self.l.piece_var(pointer.cell.node, part.piece);
            let cell = self.cell_sort(memory);
            let sort = match cell {
                CellSort::Bits(width) => Sort::Bits(width * cells),
                CellSort::Float(format) => Sort::Float(format),
            };
            let whole = Part { bytes: part.bytes * u64::from(cells), ..part };
            let piece = self.piece_of(value, &whole, bytes, sort);
            let at = self.moved(address, part.distance as i64);
            self.write_memory(memory, Op::Store { memory, address: at, value: piece });
        }
    }

    /// A value whose parts are written one after the other must not read what is being written.
    fn keep_still(&mut self, value: Expr, parts: &[Part], cell: Cell) -> Expr {
        let written: Vec<Var> = parts.iter().map(|p| self.l.piece_var(cell.node, p.piece)).collect();
        if self.vars_of(value).iter().any(|v| written.contains(v)) { self.save(value) } else { value }
    }

    /// The bytes of `value` that belong to a part, as `sort`.
    fn piece_of(&mut self, value: Expr, part: &Part, bytes: u64, sort: Sort) -> Expr {
        if part.distance == 0 && part.bytes == bytes {
            return match (self.l.builder.pool.sort(value), sort) {
                (Sort::Bits(from), Sort::Bits(to)) if from <= to => self.l.builder.pool.zero_extend(value, to),
                _ => self.convert(value, sort),
            };
        }
        let bits = self.as_bits(value);
        let bits = self.l.builder.pool.zero_extend(bits, (bytes * 8) as u16);
        let piece = self.l.builder.pool.extract(bits, (part.distance * 8) as u16, (part.bytes * 8) as u16);
        self.convert(piece, sort)
    }

    fn cell_sort(&self, memory: Var) -> CellSort {
        match self.l.builder.var(memory).sort {
            Sort::Memory(sort) => sort.cell,
            sort => unreachable!("a memory is expected, not {sort}"),
        }
    }

    fn write_memory(&mut self, memory: Var, op: Op) {
        self.save_readers(Written::Variable(memory));
        self.emit(op);
    }

    /// The contents of `bytes` bytes become unknown.
    pub fn forget(&mut self, pointer: Pointer, bytes: Option<u64>, why: Havoc) {
        let node = pointer.cell.node;
        let pieces = self.l.partition(node).touched(pointer.cell.offset, bytes);
        if self.l.plain_object(node).is_some() {
            for piece in pieces {
                let var = self.l.piece_var(node, piece);
                self.havoc(var, why);
            }
            return;
        }
        let address = self.address_of(pointer);
        let address = self.stable(address, pieces.len());
        let bits = self.l.layout.pointer_bits();
        let length = self.bits(bits, u128::from(bytes.unwrap_or(0)));
        for piece in pieces {
            let memory = self.l.piece_var(node, piece);
            match bytes {
                Some(_) => self.write_memory(memory, Op::Forget { memory, address, bytes: length }),
                None => self.havoc(memory, why),
            }
        }
    }

    /// `memset`.
    pub fn fill(&mut self, to: Value, byte: Expr, length: Value) {
        if constant_length(length) == Some(0) {
            return;
        }
        let Some(pointer) = self.pointer(to) else { return };
        let node = pointer.cell.node;
        let pieces = self.l.partition(node).touched(pointer.cell.offset, constant_length(length));
        if let Some(object) = self.l.plain_object(node) {
            self.check_plain(pointer, object);
            for piece in pieces {
                let var = self.l.piece_var(node, piece);
                let bytes = self.l.partition(node).bytes(piece);
                let value = self.repeated(byte, bytes);
                let sort = self.l.builder.var(var).sort;
                let value = self.convert(value, sort);
                self.assign(var, value);
            }
            return;
        }
        let address = self.address_of(pointer);
        let bytes = self.length(length);
        let (address, bytes) = (self.stable(address, pieces.len()), self.stable(bytes, pieces.len()));
        let byte = self.stable(byte, pieces.len());
        for piece in pieces {
            let memory = self.l.piece_var(node, piece);
            self.write_memory(memory, Op::Fill { memory, address, byte, bytes });
        }
    }

    fn length(&mut self, length: Value) -> Expr {
        let length = self.scalar(length);
        let bits = self.l.layout.pointer_bits();
        self.l.builder.pool.zero_extend(length, bits)
    }

    fn repeated(&mut self, byte: Expr, times: u64) -> Expr {
        let mut value = byte;
        for _ in 1..times {
            value = self.l.builder.pool.binary(BinaryOp::Concat, value, byte);
        }
        value
    }

    /// `memcpy` and `memmove`: what is copied is read before anything is written.
    pub fn copy(&mut self, to: Value, from: Value, length: Value) {
        let bytes = constant_length(length);
        if bytes == Some(0) {
            return;
        }
        let (Some(target), Some(source)) = (self.pointer(to), self.pointer(from)) else { return };
        let bytes_expr = self.length(length);
        self.copy_range(target, source, bytes, bytes_expr);
    }

    /// Copies a range whose two sides fall into pieces alike.
    pub fn copy_range(&mut self, to: Pointer, from: Pointer, bytes: Option<u64>, length: Expr) {
        let (target, source) = (to.cell.node, from.cell.node);
        let pieces = self.l.partition(target).touched(to.cell.offset, bytes);
        let plain_target = self.l.plain_object(target);
        let plain_source = self.l.plain_object(source);
        let piecewise = plain_target.is_some() || plain_source.is_some();
        if !piecewise && (target == source || pieces.len() > MAX_PIECEWISE || bytes.is_none()) {
            return self.copy_memories(to, from, bytes, length);
        }
        if let Some(object) = plain_target {
            self.check_plain(to, object);
        }
        if let Some(object) = plain_source {
            self.check_plain(from, object);
        }
        let strided = self.l.points_to.node(target).stride != 0;
        if strided || bytes.is_none() {
            return self.copy_memories(to, from, bytes, length);
        }
        // read all, then write all: source and target may be the same
        let mut values = Vec::new();
        for &piece in &pieces {
            let partition = self.l.partition(target);
            let (start, size) = (partition.start(piece), partition.bytes(piece));
            let distance = (start - to.cell.offset) as u64;
            let read_at = self.further(from, distance);
            let parts = self.l.partition(source).parts(read_at.cell.offset, size);
            if parts.is_empty() {
                continue;
            }
            let var = self.l.piece_var(target, piece);
            let sort = match self.l.builder.var(var).sort {
                Sort::Memory(memory) => memory.cell.sort(),
                sort => sort,
            };
            let value = self.read_pieces(read_at, &parts, sort, plain_source);
            values.push((piece, distance, size, value));
        }
        let overlap = target == source;
        for entry in &mut values {
            if overlap {
                entry.3 = self.save(entry.3);
            }
        }
        for (piece, distance, size, value) in values {
            let at = self.further(to, distance);
            if plain_target.is_some() {
                let var = self.l.piece_var(target, piece);
                self.assign(var, value);
            } else {
                self.store_scalar(at, value, size);
            }
        }
    }

    fn read_pieces(&mut self, at: Pointer, parts: &[Part], sort: Sort, plain: Option<(Object, i64)>) -> Expr {
        let address = if plain.is_some() { None } else { Some(self.address_of(at)) };
        let pieces: Vec<Expr> = parts
            .iter()
            .map(|part| match (address, plain) {
                (Some(address), _) => {
                    let var = self.l.piece_var(at.cell.node, part.piece);
                    let memory = self.read_var(var);
                    let address = self.moved(address, part.distance as i64);
                    self.l.builder.pool.read(memory, address, 1)
                }
                (None, Some(object)) => self.read_plain(at.cell.node, part.piece, object),
                (None, None) => unreachable!("a place without address is a variable"),
            })
            .collect();
        self.join(&pieces, sort)
    }

    fn copy_memories(&mut self, to: Pointer, from: Pointer, bytes: Option<u64>, length: Expr) {
        let (target, source) = (to.cell.node, from.cell.node);
        let (to_address, from_address) = (self.address_of(to), self.address_of(from));
        let pieces = self.l.partition(target).touched(to.cell.offset, bytes);
        let (to_address, from_address) =
            (self.stable(to_address, pieces.len()), self.stable(from_address, pieces.len()));
        let length = self.stable(length, pieces.len());
        for piece in pieces {
            let memory = self.l.piece_var(target, piece);
            let twin = if target == source {
                Some(piece)
            } else {
                let partition = self.l.partition(target);
                let (start, size) = (partition.start(piece), partition.bytes(piece));
                let offset = self.l.points_to.shifted(from.cell, start - to.cell.offset).offset;
                self.l.partition(source).parts(offset, size).first().map(|p| p.piece)
            };
            let Some(twin) = twin else { continue };
            let twin = self.l.piece_var(source, twin);
            if self.cell_sort(memory) != self.cell_sort(twin) {
                self.unsupported("a copy between differently typed objects");
                return;
            }
            self.write_memory(
                memory,
                Op::Copy { target: memory, to: to_address, source: twin, from: from_address, bytes: length },
            );
        }
    }

    /// A pointer to an object that has no LLVM value of its own.
    pub fn pointer_at(&self, address: Expr, cell: Cell) -> Pointer {
        Pointer { cell, base: Base::Address(address), distance: 0 }
    }

    /// An `alloca`: its address is fixed, or taken from the dynamic stack.
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
                // a slot that outlives the activation in the model, but not in the program
                let pointer = Pointer { cell, base: Base::Value(alloca), distance: 0 };
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
        let address = self.push_stack(bytes, alloca.alignment());
        self.set_value(alloca, Val::Scalar(address));
        if let Some(cell) = self.l.points_to.cell(alloca) {
            let pieces = self.l.partition(cell.node).touched(cell.offset, None);
            for piece in pieces {
                let memory = self.l.piece_var(cell.node, piece);
                self.write_memory(memory, Op::Forget { memory, address, bytes });
            }
        }
    }

    /// Do all objects of the node belong to the activation at hand?
    fn is_own_frame(&mut self, cell: Cell) -> bool {
        match self.l.partition(cell.node).touched(0, None).first() {
            Some(&piece) => {
                let var = self.l.piece_var(cell.node, piece);
                self.l.builder.var(var).scope != Scope::Global
            }
            None => true,
        }
    }

    /// New space on the dynamic stack.
    pub fn push_stack(&mut self, bytes: Expr, alignment: u64) -> Expr {
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
            // a stack of that size does not exist: the program crashes
            let limit = self.bits(bits, u128::from(MAX_STACK_SLOT));
            let fits = self.l.builder.pool.binary(BinaryOp::UnsignedLessEq, bytes, limit);
            self.assume(fits);
        }
        let gap = self.bits(bits, 64);
        let end = self.l.builder.pool.add(address, bytes);
        let end = self.l.builder.pool.add(end, gap);
        self.assign(top_var, end);
        address
    }

    /// What every function that uses the dynamic stack does first.
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

    /// Gives back what the function took from the dynamic stack.
    pub fn epilogue(&mut self) {
        if let Some(saved) = self.stack_at_entry {
            let saved = self.read_var(saved);
            let top = self.l.stack_top();
            self.assign(top, saved);
        }
    }

    /// A declaration in a loop starts a new lifetime, also where no marker says so.
    pub fn declaration(&mut self, call: Value) {
        if let Some((slot, _)) = crate::ir::declared_variable(call)
            && self.in_loop.contains(&call.block())
            && slot.is_instruction()
            && !slot.users().any(is_lifetime_start)
        {
            self.lifetime_start(call, slot);
        }
    }

    /// The contents of a slot are unknown from `call` on.
    pub fn lifetime_start(&mut self, call: Value, slot: Value) {
        if !slot.is_instruction() || slot.opcode() != Opcode::LLVMAlloca {
            return;
        }
        let Some(cell) = self.l.points_to.cell(slot) else { return };
        if !self.l.has_fixed_address(Object::Alloca(slot)) {
            return; // forgotten when it was allocated
        }
        // the slots of a new activation are unknown anyway
        let fresh = self.is_own_frame(cell) && !self.in_loop.contains(&call.block());
        if fresh || self.is_overwritten_next(call, slot) {
            return;
        }
        let bytes = self.l.object_bytes(Object::Alloca(slot));
        self.forget(Pointer { cell, base: Base::Value(slot), distance: 0 }, bytes, Havoc::Uninitialized);
    }

    /// Is the whole slot written before anything could read it?
    fn is_overwritten_next(&mut self, start: Value, slot: Value) -> bool {
        let later = start.block().instructions().skip_while(|&i| i != start).skip(1);
        for i in later {
            let is_marker = Lifter::is_call(i) && is_direct_access(i, slot);
            if i.opcode() == Opcode::LLVMStore && i.operand(1) == slot && i.operand(0) != slot {
                let bytes = self.l.layout.store_size(i.operand(0).ty());
                return self.l.object_bytes(Object::Alloca(slot)) == Some(bytes);
            }
            // a callee, or a load through a pointer, could see what is in the slot
            let may_see = (Lifter::is_call(i) || i.opcode() == Opcode::LLVMLoad) && !only_direct(slot);
            if !is_marker && (may_see || i.operands().any(|o| o == slot)) {
                return false;
            }
        }
        false
    }

    /// The concrete value of an expression that is constant.
    pub fn as_number(&self, expr: Expr) -> Option<u128> {
        match self.l.builder.pool.as_const(expr) {
            Some(Concrete::Bits { bits, .. }) => Some(bits),
            _ => None,
        }
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

fn is_null(pointer: Value) -> bool {
    matches!(pointer.constant(), Some(Constant::Null | Constant::Undefined))
}

/// Is it a slot of the compiler's own that nobody reads?
pub(super) fn is_write_only(slot: Value) -> bool {
    slot.is_instruction()
        && slot.opcode() == Opcode::LLVMAlloca
        && slot.users().all(|u| u.opcode() == Opcode::LLVMStore && u.operand(0) != slot)
}

fn is_lifetime_start(user: Value) -> bool {
    user.opcode() == Opcode::LLVMCall && user.callee().name().starts_with("llvm.lifetime.start")
}

/// Is the slot only read and written as a whole, by its own name?
pub(super) fn only_direct(slot: Value) -> bool {
    slot.users().all(|u| is_direct_access(u, slot))
}

/// Does the instruction only read or write the slot, at a constant offset at most?
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

/// Is the pointer the address of that object, perhaps moved by a constant?
fn is_based_on(pointer: Value, object: Object) -> bool {
    let mut pointer = pointer;
    loop {
        match object {
            Object::Global(g) if g == pointer => return true,
            Object::Alloca(a) if a == pointer => return true,
            _ => {}
        }
        let is_gep = match pointer.constant() {
            Some(Constant::Expression(op)) => op == Opcode::LLVMGetElementPtr,
            Some(_) => false,
            None => pointer.is_instruction() && pointer.opcode() == Opcode::LLVMGetElementPtr,
        };
        if !is_gep || pointer.ty().kind() != TypeKind::Pointer {
            return false;
        }
        pointer = pointer.operand(0);
    }
}
