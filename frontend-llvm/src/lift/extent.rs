//! The object that a pointer points into, for the predicates of CBMC: where it starts, how long it is, whether it is freed.
//!
//! Objects with fixed addresses are found by comparison, those of the heap by their slots. Large objects have several
//! slots, each of which has the number of the object; `large.start` says where it starts. Objects of which neither is
//! known are `Unsupported`.

use clew_verifier::cfa::{AddressSpace, Assumption, LocationKind, Op};
use clew_verifier::expr::{BinaryOp, Cell as CellSort, Expr, MemorySort, Sort, Var};

use super::function::FunctionLifter;
use super::{Lifter, Val};
use crate::ir::Value;
use crate::names::Primitive;
use crate::pointsto::Object;

/// The model variables about large objects.
#[derive(Clone, Copy)]
pub(super) struct LargeObjects {
    /// How many there are.
    pub count: Var,
    /// For each slot of the heap, the number of its object, or 0.
    numbers: Var,
    /// For each number, the first address.
    starts: Var,
}

/// The largest number of a large object.
const MAX_NUMBER: u128 = 255;

impl Lifter {
    /// Whether the program asks about the objects of pointers.
    pub(super) fn asks_for_extents(&self) -> bool {
        ["__clew_object_offset", "__clew_object_bytes"].iter().any(|name| self.module.function(name).is_some())
    }

    /// Whether a function is active as long as the program runs.
    fn is_always_active(&self, function: Value) -> bool {
        let name = function.name();
        let is_made_for = self.made.as_ref().is_some_and(|made| made.function == name);
        (name == self.entry || is_made_for) && !self.recursive.contains(&function)
    }

    fn large_objects(&mut self) -> LargeObjects {
        if let Some(known) = self.model.large_objects {
            return known;
        }
        let bits = self.layout.pointer_bits();
        let memory = |cell| Sort::Memory(MemorySort { address: bits, cell: CellSort::Bits(cell) });
        let new = LargeObjects {
            count: self.model_var("large.count", Sort::Bits(8)),
            numbers: self.model_var("large.number", memory(8)),
            starts: self.model_var("large.start", memory(bits)),
        };
        self.model.large_objects = Some(new);
        new
    }
}

impl FunctionLifter<'_> {
    /// `__clew_object_offset` and `__clew_object_bytes`.
    pub(super) fn extent_primitive(&mut self, call: Value, primitive: Primitive) {
        let (offset, bytes) = self.extent(call.operand(0));
        let result = if primitive == Primitive::ObjectOffset { offset } else { bytes };
        self.define(call, Val::Scalar(result));
    }

    /// `__clew_free`: the size of a freed object is the largest number.
    pub(super) fn record_free(&mut self, call: Value) {
        if !self.l.asks_for_extents() {
            return;
        }
        let pointer = call.operand(0);
        let (offset, bytes) = self.extent(pointer);
        let address = self.scalar(pointer);
        let start = self.l.builder.pool.binary(BinaryOp::Sub, address, offset);
        let start = self.save(start);
        let is_on_heap = self.is_allocated(start, true);
        let zero = self.address(0);
        // Nothing has this size, so that it also excludes null and what points to no object.
        let is_empty = self.l.builder.pool.eq(bytes, zero);
        let is_object = self.l.builder.pool.not(is_empty);
        let freed = self.l.builder.pool.and(is_on_heap, is_object);
        let (begin, end) = (self.at, self.l.builder.add_location(self.id, LocationKind::Normal));
        let kept = self.l.builder.pool.not(freed);
        self.assume(kept);
        self.emit_to(Op::Skip, end);
        self.at = begin;
        self.assume(freed);
        let memory = self.object_sizes();
        let value = self.freed_size();
        self.write_memory(memory, Op::Store { memory, address: start, value });
        self.emit_to(Op::Skip, end);
        self.at = end;
    }

    /// Records that a new object has one slot.
    pub(super) fn record_small(&mut self, start: Expr) {
        let memory = self.l.large_objects().numbers;
        let (address, value) = (self.slot_of(start, true), self.bits(8, 0));
        self.write_memory(memory, Op::Store { memory, address, value });
    }

    /// Records the slots of a new object from `start` to before `end`. The top of the heap is above them already.
    pub(super) fn record_large(&mut self, start: Expr, end: Expr) {
        if !self.l.asks_for_extents() {
            return;
        }
        let LargeObjects { count, numbers, starts } = self.l.large_objects();
        let last = self.bits(8, MAX_NUMBER);
        let before = self.read_var(count);
        let has_number = self.l.builder.pool.binary(BinaryOp::UnsignedLess, before, last);
        self.unsupported_unless(has_number, "more than 255 large objects, of whose sizes the program asks");
        let one = self.bits(8, 1);
        let next = self.l.builder.pool.add(before, one);
        self.assign(count, next);
        let number = self.read_var(count);
        let (first, last) = (self.slot_of(start, true), self.slot_of(end, true));
        let bytes = self.l.builder.pool.binary(BinaryOp::Sub, last, first);
        self.write_memory(numbers, Op::Fill { memory: numbers, address: first, byte: number, bytes });
        let address = self.numbered(number);
        self.write_memory(starts, Op::Store { memory: starts, address, value: start });
    }

    /// Where the start of the large object with a number is kept: an address below the top of the heap.
    fn numbered(&mut self, number: Expr) -> Expr {
        let bits = self.l.layout.pointer_bits();
        let base = self.address(self.l.objects.heap_base);
        let number = self.l.builder.pool.zero_extend(number, bits);
        self.l.builder.pool.add(base, number)
    }

    /// How far a pointer is from the start of its object, and the size of that object. If there is no object, they are the
    /// address and 0; if it was freed, the size is the largest number.
    fn extent(&mut self, pointer: Value) -> (Expr, Expr) {
        self.check_foreseen(pointer);
        let address = self.scalar(pointer);
        let address = self.save(address);
        let (mut offset, mut bytes) = (address, self.address(0));
        let Some(cell) = self.l.points_to.cell(pointer) else { return (offset, bytes) };
        let info = self.l.points_to.node(cell.node);
        let (external, has_functions) = (info.external, !info.functions.is_empty());
        let mut objects: Vec<Object> = info.objects.iter().map(|o| o.0).collect();
        objects.sort_by_key(|&object| self.l.order_of(object));
        objects.dedup();
        let (mut on_heap, mut on_stack) = (false, false);
        for object in objects {
            if let Object::Alloca(slot) = object
                && slot.function() != self.function
                && !self.l.is_always_active(slot.function())
            {
                self.rests_on(Assumption::LocalsLive);
            }
            if !self.l.has_fixed_address(object) {
                *(if matches!(object, Object::Heap(_)) { &mut on_heap } else { &mut on_stack }) = true;
                continue;
            }
            let start = self.l.fixed_address(object);
            let (start, length) = (self.address(start), self.address(self.l.object_bytes(object).unwrap_or(0)));
            (offset, bytes) = self.if_inside(address, (start, length), (offset, bytes));
        }
        if on_heap {
            let inside = self.is_allocated(address, true);
            let nowhere = self.l.objects.reserve();
            let nowhere = self.address(nowhere);
            let valid = self.l.builder.pool.ite(inside, address, nowhere);
            let start = self.slot_start(valid, inside);
            let sizes = self.object_sizes();
            let sizes = self.read_var(sizes);
            let size = self.l.builder.pool.read(sizes, start, 1);
            let found = self.if_inside(address, (start, size), (offset, bytes));
            offset = self.l.builder.pool.ite(inside, found.0, offset);
            bytes = self.l.builder.pool.ite(inside, found.1, bytes);
        }
        if on_stack {
            let dynamic = self.is_allocated(address, false);
            let fixed = self.l.builder.pool.not(dynamic);
            self.unsupported_unless(fixed, "the size of an object of a recursive function, or of variable size");
        }
        if has_functions {
            let (first, last) = self.l.objects.code();
            let (first, length) = (self.address(first), self.address(last - first));
            let distance = self.l.builder.pool.binary(BinaryOp::Sub, address, first);
            let is_data = self.l.builder.pool.binary(BinaryOp::UnsignedLess, length, distance);
            self.unsupported_unless(is_data, "the size of a function");
        }
        if external {
            let null_page = self.address(AddressSpace::NULL_PAGE);
            let is_null = self.l.builder.pool.binary(BinaryOp::UnsignedLess, address, null_page);
            let outside = self.is_outside(address);
            let inside = self.l.builder.pool.not(outside);
            let known = self.l.builder.pool.or(is_null, inside);
            self.unsupported_unless(known, "the size of an object that the program does not define");
        }
        (self.save(offset), self.save(bytes))
    }

    /// The distance and the length if `address` is in an object, its end included; otherwise what was found before.
    fn if_inside(&mut self, address: Expr, (start, length): (Expr, Expr), other: (Expr, Expr)) -> (Expr, Expr) {
        let pool = &mut self.l.builder.pool;
        let distance = pool.binary(BinaryOp::Sub, address, start);
        let inside = pool.binary(BinaryOp::UnsignedLessEq, distance, length);
        (pool.ite(inside, distance, other.0), pool.ite(inside, length, other.1))
    }

    /// The start of the heap object with the slot at `address`, which is no address of the heap unless `inside`.
    fn slot_start(&mut self, address: Expr, inside: Expr) -> Expr {
        let mask = self.freed_size();
        let inner = self.address(self.l.objects.heap_slot - 1);
        let mask = self.l.builder.pool.binary(BinaryOp::Sub, mask, inner);
        let small = self.l.builder.pool.binary(BinaryOp::BitAnd, address, mask);
        let LargeObjects { numbers, starts, .. } = self.l.large_objects();
        let slot = self.slot_of(address, true);
        let slot = self.l.builder.pool.ite(inside, slot, address);
        let numbers = self.read_var(numbers);
        let number = self.l.builder.pool.read(numbers, slot, 1);
        let at = self.numbered(number);
        let at = self.l.builder.pool.ite(inside, at, address);
        let starts = self.read_var(starts);
        let large = self.l.builder.pool.read(starts, at, 1);
        let zero = self.bits(8, 0);
        let is_small = self.l.builder.pool.eq(number, zero);
        let start = self.l.builder.pool.ite(is_small, small, large);
        self.l.builder.pool.ite(inside, start, address)
    }

    fn freed_size(&mut self) -> Expr {
        let bits = self.l.layout.pointer_bits();
        self.bits(bits, u128::MAX >> (128 - bits))
    }
}
