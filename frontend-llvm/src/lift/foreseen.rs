//! Checks that pointers point where the points-to analysis says.
//!
//! The analysis follows pointers, not numbers: a pointer that was computed from numbers may point anywhere. Before such
//! a pointer is used, its address is compared with the objects of its node; any other address leads to an `Unsupported`
//! edge. All else that the analysis says has been checked against the program when it was done, and functions about
//! which it is wrong are `Unsupported`. So what the analysis has missed costs the verdict, but never makes it wrong.

use rustc_hash::FxHashMap;

use clew_verifier::cfa::{AddressSpace, Op};
use clew_verifier::expr::{BinaryOp, Cell as CellSort, Expr, MemorySort, Sort, Var};

use super::Lifter;
use super::function::FunctionLifter;
use super::objects::GAP;
use crate::ir::{Constant, Opcode, Value};
use crate::pointsto::{Cell, NodeId, Object};

pub(super) const UNFORESEEN: &str = "an access at an address that the points-to analysis did not foresee";

/// Granularity of the dynamic stack, in bits of the address.
const STACK_SHIFT: u32 = 4;

/// Which nodes own the heap and the dynamic stack, slot by slot.
#[derive(Default)]
pub(super) struct Owners {
    /// Numbers of the nodes that are checked; all others have number 0.
    numbers: FxHashMap<NodeId, u8>,
    heap: Option<Var>,
    stack: Option<Var>,
    /// A valid address that no object has.
    nowhere: u64,
}

impl Owners {
    /// Added to the number of a node for all slots of an object but the first.
    const INNER: u8 = 128;
}

impl Lifter {
    /// Prepares the checks: numbers the nodes with dynamic objects, and places fixed objects of a node side by side.
    pub(super) fn prepare_checks(&mut self) {
        let mut nodes = self.points_to.nodes();
        nodes.retain(|&node| self.is_checked(node) || self.points_to.node(node).external);
        for node in nodes {
            let mut objects: Vec<(Object, i64)> = self.points_to.node(node).objects.iter().copied().collect();
            objects.sort_by_key(|&(object, offset)| (self.order_of(object), offset));
            let mut dynamic = false;
            for (object, _) in objects {
                if self.has_fixed_address(object) {
                    self.fixed_address(object);
                } else {
                    dynamic = true;
                }
            }
            // Nodes beyond the last number own nothing: accesses of their dynamic objects are not foreseen.
            let next = self.owners.numbers.len() as u8 + 1;
            if dynamic && next < Owners::INNER {
                self.owners.numbers.insert(node, next);
            }
        }
        if !self.owners.numbers.is_empty() {
            self.owners.nowhere = self.objects.reserve();
        }
    }

    fn is_checked(&self, node: NodeId) -> bool {
        let info = self.points_to.node(node);
        match info.external {
            // Objects of libraries, such as streams, are full of numbers that their own functions understand.
            true => self.points_to.is_world(node) && self.points_to.has_whole_numbers(node),
            false => info.numeric && !info.objects.is_empty(),
        }
    }

    fn owner_memory(&mut self, name: &str) -> Var {
        let sort = MemorySort { address: self.layout.pointer_bits(), cell: CellSort::Bits(8) };
        self.model_var(name, Sort::Memory(sort))
    }
}

impl FunctionLifter<'_> {
    /// Checks a pointer before it is accessed or moved.
    pub(super) fn check_foreseen(&mut self, pointer: Value) {
        if has_static_base(pointer) || self.checked.contains(&pointer) {
            return;
        }
        let Some(cell) = self.l.points_to.cell(pointer).filter(|cell| self.l.is_checked(cell.node)) else { return };
        self.checked.insert(pointer);
        let address = self.scalar(pointer);
        let null_page = self.address(AddressSpace::NULL_PAGE);
        // The access itself says what null means.
        let mut foreseen = self.l.builder.pool.binary(BinaryOp::UnsignedLess, address, null_page);
        for place in self.fixed_places(address, cell) {
            foreseen = self.l.builder.pool.or(foreseen, place);
        }
        for place in self.dynamic_places(address, cell) {
            foreseen = self.l.builder.pool.or(foreseen, place);
        }
        if self.l.points_to.node(cell.node).external {
            let outside = self.is_outside(address);
            foreseen = self.l.builder.pool.or(foreseen, outside);
        }
        self.unsupported_unless(foreseen, UNFORESEEN);
    }

    /// The condition that a pointer from outside is to an object of `cell`, or to a function. It may hold for other
    /// pointers too, but for no object that another node owns and the pointer could be compared with.
    pub(super) fn may_be_inside(&mut self, address: Expr, cell: Cell) -> Expr {
        let info = self.l.points_to.node(cell.node);
        let has_functions = !info.functions.is_empty();
        let objects: Vec<Object> = info.objects.iter().map(|o| o.0).collect();
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        let (mut on_heap, mut on_stack) = (false, false);
        for object in objects {
            if self.l.has_fixed_address(object) {
                let start = self.l.fixed_address(object);
                ranges.push((start, start + self.l.object_bytes(object).unwrap_or(0)));
            } else if matches!(object, Object::Heap(_)) {
                on_heap = true;
            } else {
                on_stack = true;
            }
        }
        ranges.sort_unstable();
        ranges.dedup_by(|next, last| {
            // Adjacent objects of a node form one range: no other object fits between them.
            let adjacent = next.0 < last.1 + 2 * GAP;
            if adjacent {
                last.1 = last.1.max(next.1);
            }
            adjacent
        });
        if has_functions {
            ranges.push(self.l.objects.code());
        }
        let mut inside = self.l.builder.pool.bool(false);
        for (start, end) in ranges {
            let (start, end) = (self.address(start), self.address(end));
            let above = self.l.builder.pool.binary(BinaryOp::UnsignedLessEq, start, address);
            let below = self.l.builder.pool.binary(BinaryOp::UnsignedLessEq, address, end);
            let within = self.l.builder.pool.and(above, below);
            inside = self.l.builder.pool.or(inside, within);
        }
        let number = self.l.owners.numbers.get(&cell.node).copied();
        for (_, on_heap) in [(on_heap, true), (on_stack, false)].into_iter().filter(|kind| kind.0) {
            let owned = self.is_in_use(address, on_heap, number);
            inside = self.l.builder.pool.or(inside, owned);
        }
        inside
    }

    /// The condition that `address` is on the heap or the dynamic stack, in an object of the node with this number.
    fn is_in_use(&mut self, address: Expr, on_heap: bool, number: Option<u8>) -> Expr {
        if let Some(number) = number.filter(|_| on_heap) {
            return self.is_owned(address, on_heap, number, true);
        }
        self.is_allocated(address, on_heap)
    }

    /// Continues if `condition` holds; otherwise the path ends at something that is not modelled.
    pub(super) fn unsupported_unless(&mut self, condition: Expr, why: &str) {
        if self.l.builder.pool.as_const(condition).is_some_and(|c| c.is_true()) {
            return;
        }
        let start = self.at;
        let not = self.l.builder.pool.not(condition);
        self.assume(not);
        self.unsupported(why);
        self.at = start;
        self.assume(condition);
    }

    /// For each object with a fixed address, the condition that `address` is at the offset of `cell` in it.
    fn fixed_places(&mut self, address: Expr, cell: Cell) -> Vec<Expr> {
        let info = self.l.points_to.node(cell.node);
        let (stride, objects) = (info.stride, info.objects.clone());
        let mut ranges: Vec<(u64, u64, i64)> = Vec::new();
        for (object, offset) in objects {
            if self.l.has_fixed_address(object) {
                let start = self.l.fixed_address(object);
                let bytes = self.l.object_bytes(object).unwrap_or(0);
                ranges.push((start, bytes, cell.offset - offset));
            }
        }
        ranges.sort_unstable();
        if stride == 1 {
            // Adjacent objects of a node form one range: no other object fits between them.
            ranges.dedup_by(|next, last| {
                let adjacent = next.0 < last.0 + last.1 + 2 * GAP;
                if adjacent {
                    last.1 = last.1.max(next.0 + next.1 - last.0);
                }
                adjacent
            });
        }
        let mut places = Vec::new();
        for (start, bytes, first) in ranges {
            let start = self.address(start);
            let first = self.offset(first);
            let distance = self.l.builder.pool.binary(BinaryOp::Sub, address, start);
            if stride == 0 {
                places.push(self.l.builder.pool.eq(distance, first));
                continue;
            }
            let length = self.address(bytes);
            let inside = self.l.builder.pool.binary(BinaryOp::UnsignedLessEq, distance, length);
            let distance = self.l.builder.pool.binary(BinaryOp::Sub, distance, first);
            let fits = self.is_multiple(distance, stride);
            places.push(self.l.builder.pool.and(inside, fits));
        }
        places
    }

    /// A distance within an object, which may be negative.
    fn offset(&mut self, bytes: i64) -> Expr {
        let bits = self.l.layout.pointer_bits();
        let mask = if bits < 64 { (1 << bits) - 1 } else { u64::MAX };
        self.address(bytes as u64 & mask)
    }

    fn is_multiple(&mut self, distance: Expr, stride: u64) -> Expr {
        if stride == 1 {
            return self.l.builder.pool.bool(true);
        }
        let zero = self.address(0);
        let rest = if stride.is_power_of_two() {
            let mask = self.address(stride - 1);
            self.l.builder.pool.binary(BinaryOp::BitAnd, distance, mask)
        } else {
            // One stride more: the distance of elements before the first is not negative then.
            let stride = self.address(stride);
            let distance = self.l.builder.pool.add(distance, stride);
            self.l.builder.pool.binary(BinaryOp::UnsignedRem, distance, stride)
        };
        self.l.builder.pool.eq(rest, zero)
    }

    /// The conditions that `address` is at the offset of `cell` in an object of the heap or the dynamic stack.
    fn dynamic_places(&mut self, address: Expr, cell: Cell) -> Vec<Expr> {
        let Some(&number) = self.l.owners.numbers.get(&cell.node) else { return Vec::new() };
        let info = self.l.points_to.node(cell.node);
        let (stride, objects) = (info.stride, info.objects.clone());
        let mut places = Vec::new();
        for (object, offset) in objects {
            if self.l.has_fixed_address(object) {
                continue;
            }
            let on_heap = matches!(object, Object::Heap(_));
            let unit = if on_heap { self.l.objects.heap_slot } else { 1 << STACK_SHIFT };
            // Only in the first slot of an object is the offset known, unless slots have whole numbers of elements.
            let uniform = stride != 0 && unit.is_multiple_of(stride);
            if !on_heap && !uniform {
                continue;
            }
            let owned = self.is_owned(address, on_heap, number, uniform);
            let mask = self.address(unit - 1);
            let low = self.l.builder.pool.binary(BinaryOp::BitAnd, address, mask);
            let first = self.offset(cell.offset - offset);
            let fits = if stride == 0 {
                self.l.builder.pool.eq(low, first)
            } else {
                let distance = self.l.builder.pool.binary(BinaryOp::Sub, low, first);
                self.is_multiple(distance, stride)
            };
            places.push(self.l.builder.pool.and(owned, fits));
        }
        places
    }

    /// The condition that the slot at `address` belongs to the node with this number.
    fn is_owned(&mut self, address: Expr, on_heap: bool, number: u8, inner_too: bool) -> Expr {
        let memory = self.owners_of(on_heap);
        let inside = self.is_allocated(address, on_heap);
        // Reads must be valid even where their result does not matter.
        let slot = self.slot_of(address, on_heap);
        let nowhere = self.address(self.l.owners.nowhere);
        let slot = self.l.builder.pool.ite(inside, slot, nowhere);
        let memory = self.read_var(memory);
        let owner = self.l.builder.pool.read(memory, slot, 1);
        let expected = self.bits(8, u128::from(number));
        let mut is_owner = self.l.builder.pool.eq(owner, expected);
        if inner_too {
            let inner = self.bits(8, u128::from(number | Owners::INNER));
            let is_inner = self.l.builder.pool.eq(owner, inner);
            is_owner = self.l.builder.pool.or(is_owner, is_inner);
        }
        self.l.builder.pool.and(inside, is_owner)
    }

    /// The condition that `address` is between the base and the top of the heap or the dynamic stack.
    pub(super) fn is_allocated(&mut self, address: Expr, on_heap: bool) -> Expr {
        let (base, top) = if on_heap {
            (self.l.objects.heap_base, self.l.heap_top())
        } else {
            (self.l.objects.stack_base, self.l.stack_top())
        };
        let base = self.address(base);
        let above = self.l.builder.pool.binary(BinaryOp::UnsignedLessEq, base, address);
        let top = self.read_var(top);
        let below = self.l.builder.pool.binary(BinaryOp::UnsignedLess, address, top);
        self.l.builder.pool.and(above, below)
    }

    fn owners_of(&mut self, on_heap: bool) -> Var {
        let known = if on_heap { self.l.owners.heap } else { self.l.owners.stack };
        if let Some(var) = known {
            return var;
        }
        let var = self.l.owner_memory(if on_heap { "heap.owner" } else { "stack.owner" });
        *(if on_heap { &mut self.l.owners.heap } else { &mut self.l.owners.stack }) = Some(var);
        var
    }

    /// Where the owner of the slot at `address` is kept: slots are numbered from the base, so that this is an address
    /// below the top as well.
    pub(super) fn slot_of(&mut self, address: Expr, on_heap: bool) -> Expr {
        let (base, shift) = if on_heap {
            (self.l.objects.heap_base, self.l.objects.heap_slot.trailing_zeros())
        } else {
            (self.l.objects.stack_base, STACK_SHIFT)
        };
        let (base, shift) = (self.address(base), self.address(u64::from(shift)));
        let distance = self.l.builder.pool.binary(BinaryOp::Sub, address, base);
        let number = self.l.builder.pool.binary(BinaryOp::ShiftRight, distance, shift);
        self.l.builder.pool.add(base, number)
    }

    /// Records the owner of the first slot of a new object.
    pub(super) fn record_owner(&mut self, cell: Option<Cell>, start: Expr, on_heap: bool) {
        if self.l.owners.numbers.is_empty() {
            return;
        }
        let value = self.bits(8, u128::from(self.number_of(cell)));
        let memory = self.owners_of(on_heap);
        let address = self.slot_of(start, on_heap);
        self.write_memory(memory, Op::Store { memory, address, value });
    }

    /// Records the owner of all slots from `start` to before `end`, for an object that may have several. The top of the
    /// heap or stack must be above them already.
    pub(super) fn record_inner_owner(&mut self, cell: Option<Cell>, start: Expr, end: Expr, on_heap: bool) {
        if self.l.owners.numbers.is_empty() {
            return;
        }
        let number = self.number_of(cell);
        let byte = self.bits(8, u128::from(if number == 0 { 0 } else { number | Owners::INNER }));
        let memory = self.owners_of(on_heap);
        let (first, last) = (self.slot_of(start, on_heap), self.slot_of(end, on_heap));
        let bytes = self.l.builder.pool.binary(BinaryOp::Sub, last, first);
        self.write_memory(memory, Op::Fill { memory, address: first, byte, bytes });
    }

    fn number_of(&self, cell: Option<Cell>) -> u8 {
        cell.and_then(|cell| self.l.owners.numbers.get(&cell.node).copied()).unwrap_or(0)
    }
}

/// Whether the pointer is an object of the program, possibly moved: moving it stays within the object.
fn has_static_base(pointer: Value) -> bool {
    let mut pointer = pointer;
    loop {
        match pointer.constant() {
            Some(Constant::Expression(Opcode::LLVMGetElementPtr)) => pointer = pointer.operand(0),
            Some(Constant::Global | Constant::Function | Constant::Alias | Constant::Null | Constant::Undefined) => {
                return true;
            }
            Some(_) => return false,
            None if !pointer.is_instruction() => return false,
            // The base was checked when the pointer was moved.
            None => return matches!(pointer.opcode(), Opcode::LLVMAlloca | Opcode::LLVMGetElementPtr),
        }
    }
}
