//! Loads and stores: every access covers whole pieces of the node that its pointer points to.

use clew_verifier::cfa::{AddressSpace, Havoc, Op};
use clew_verifier::expr::{BinaryOp, Cell as CellSort, Expr, Sort, UnaryOp, Value as Concrete, Var};

use super::Val;
use super::function::{FunctionLifter, Written};
use crate::ir::{Constant, Opcode, Type, TypeKind, Value};
use crate::pointsto::{Cell, NodeId, Object, Part};

/// A pointer: its points-to cell and its address.
#[derive(Clone, Copy)]
pub(super) struct Pointer {
    pub cell: Cell,
    base: Base,
    /// The offset from the base, in bytes.
    distance: i64,
}

/// The base of an address.
#[derive(Clone, Copy)]
enum Base {
    /// A pointer of the program.
    Value(Value),
    /// An address computed by the model.
    Address(Expr),
}

/// The target of a pointer.
enum Target {
    Object(Pointer),
    /// Null, or never set.
    Nothing,
    Unsupported(&'static str),
}

/// The result of resolving a pointer for a read.
pub enum Readable {
    /// An object.
    Object(Pointer),
    /// An arbitrary value.
    Anything,
    /// Nothing: the path has ended.
    Nothing,
}

impl Pointer {
    /// A pointer that is a value of the program.
    pub fn of(pointer: Value, cell: Cell) -> Pointer {
        Pointer { cell, base: Base::Value(pointer), distance: 0 }
    }

    /// Whether it is statically known to be to a variable of the program.
    pub fn is_to_variable(self) -> bool {
        let Base::Value(mut pointer) = self.base else { return true };
        loop {
            pointer = match pointer.constant() {
                Some(Constant::Expression(Opcode::LLVMGetElementPtr)) => pointer.operand(0),
                Some(constant) => return constant == Constant::Global && !pointer.is_constant_global(),
                None if !pointer.is_instruction() => return false,
                None if pointer.opcode() == Opcode::LLVMGetElementPtr => pointer.operand(0),
                None => return pointer.opcode() == Opcode::LLVMAlloca,
            }
        }
    }
}

impl FunctionLifter<'_> {
    /// Resolves a pointer operand. An access through null crashes and ends the path; other accesses without an object
    /// are unsupported.
    pub fn pointer(&mut self, base: Value) -> Option<Pointer> {
        match self.target(base) {
            Target::Object(pointer) => {
                self.check_foreseen(base);
                return Some(pointer);
            }
            Target::Nothing if is_null(base) => self.halt(),
            Target::Nothing => {
                self.assume_not_null(base);
                self.unsupported("an access through a pointer that was never set");
            }
            Target::Unsupported(what) => self.unsupported(what),
        }
        None
    }

    /// The same for a read: through a pointer that was never set, it yields an arbitrary value.
    pub fn readable(&mut self, base: Value) -> Readable {
        match self.target(base) {
            Target::Nothing if !is_null(base) => {
                self.assume_not_null(base);
                Readable::Anything
            }
            _ => self.pointer(base).map_or(Readable::Nothing, Readable::Object),
        }
    }

    fn target(&self, base: Value) -> Target {
        match self.l.points_to.cell(base) {
            Some(cell) if self.l.is_known(cell) => {
                Target::Object(Pointer { cell, base: Base::Value(base), distance: 0 })
            }
            Some(cell) if self.l.points_to.node(cell.node).numeric => {
                Target::Unsupported("an access at an address that is computed from numbers")
            }
            None if !is_null(base) => Target::Unsupported("an access at a fixed address"),
            _ => Target::Nothing,
        }
    }

    /// Ends the path if the pointer is in the null page: the access crashes.
    fn assume_not_null(&mut self, pointer: Value) {
        let address = self.scalar(pointer);
        let end = self.address(AddressSpace::NULL_PAGE);
        let is_null = self.l.builder.pool.binary(BinaryOp::UnsignedLess, address, end);
        let valid = self.l.builder.pool.not(is_null);
        self.assume(valid);
    }

    /// The pointer `bytes` bytes further on.
    pub fn further(&self, pointer: Pointer, bytes: u64) -> Pointer {
        let cell = self.l.points_to.shifted(pointer.cell, bytes as i64);
        Pointer { cell, distance: pointer.distance + bytes as i64, ..pointer }
    }

    /// The address of a pointer.
    pub(super) fn address_of(&mut self, pointer: Pointer) -> Expr {
        let base = match pointer.base {
            Base::Value(value) => self.scalar(value),
            Base::Address(address) => address,
        };
        self.moved(base, pointer.distance)
    }

    /// Requires that a pointer to a plain variable equals its address. Anything else is undefined behaviour, which ends
    /// the path.
    pub(super) fn check_plain(&mut self, pointer: Pointer, object: (Object, i64)) {
        if matches!(pointer.base, Base::Value(value) if is_based_on(value, object.0)) {
            return;
        }
        let start = self.l.fixed_address(object.0).wrapping_add_signed(pointer.cell.offset - object.1);
        let address = self.address_of(pointer);
        let expected = self.address(start);
        let valid = self.l.builder.pool.eq(address, expected);
        self.assume(valid);
    }

    /// Loads a value of type `ty`.
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

    /// The pieces of an access. They must cover it, since the points-to analysis has seen all accesses.
    fn whole_parts(&mut self, pointer: Pointer, bytes: u64) -> Option<Vec<Part>> {
        let parts = self.l.partition(pointer.cell.node).parts(pointer.cell.offset, bytes);
        if parts.iter().map(|p| p.bytes).sum::<u64>() == bytes {
            return Some(parts);
        }
        self.unsupported("an access that the points-to analysis has not seen");
        None
    }

    /// Loads a bit-vector.
    pub fn load_bits(&mut self, pointer: Pointer, width: u16) -> Expr {
        self.load_scalar(pointer, u64::from(width / 8), Sort::Bits(width))
    }

    fn load_scalar(&mut self, pointer: Pointer, bytes: u64, sort: Sort) -> Expr {
        let Some(parts) = self.whole_parts(pointer, bytes) else { return self.unknown(sort, Havoc::Undefined) };
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

    /// The current value of a piece that is a plain variable; constants are folded.
    pub(super) fn read_plain(&mut self, node: NodeId, piece: usize, object: (Object, i64)) -> Expr {
        if let Object::Global(global) = object.0
            && global.is_constant_global()
            && let Some(value) = self.l.constant_piece(node, piece, global, object.1)
        {
            return value;
        }
        let var = self.l.piece_var(node, piece);
        self.read_var(var)
    }

    /// Groups adjacent parts of the same memory, which are accessed together.
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

    /// Concatenates pieces, the first in the low bits, and converts them to `sort`.
    pub(super) fn join(&mut self, pieces: &[Expr], sort: Sort) -> Expr {
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

    /// Reinterprets the representation of a value as another sort of the same size.
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

    /// Stores a value of type `ty`.
    pub fn store(&mut self, pointer: Pointer, value: Val, ty: Type) {
        if ty.is_aggregate() {
            let written = self.vars_of_node(pointer.cell);
            let value = self.saved_value(value, &written);
            let pointer = self.saved_pointer(pointer, &written);
            return self.store_parts(pointer, value, ty);
        }
        if self.l.sort(ty).is_none() {
            return self.unsupported(&format!("a store of {}", super::function::describe(ty)));
        }
        let value = self.scalar_of(value, ty);
        self.store_scalar(pointer, value, self.l.layout.store_size(ty));
    }

    /// Stores an aggregate part by part; no part and no address may read what is written.
    fn store_parts(&mut self, pointer: Pointer, value: Val, ty: Type) {
        for (i, part) in self.parts_of(value, ty).into_iter().enumerate() {
            let at = self.further(pointer, self.l.layout.element_offset(ty, i as u64));
            let ty = ty.element(i as u64);
            if ty.is_aggregate() { self.store_parts(at, part, ty) } else { self.store(at, part, ty) }
        }
    }

    fn vars_of_node(&mut self, cell: Cell) -> Vec<Var> {
        let pieces = self.l.partition(cell.node).touched(0, None);
        pieces.into_iter().map(|piece| self.l.piece_var(cell.node, piece)).collect()
    }

    /// The value with all its parts saved that read one of these variables.
    fn saved_value(&mut self, value: Val, written: &[Var]) -> Val {
        match value {
            Val::Scalar(expr) => Val::Scalar(self.save_if_read(expr, written)),
            Val::Aggregate(parts) => {
                Val::Aggregate(parts.into_iter().map(|part| self.saved_value(part, written)).collect())
            }
            other => other,
        }
    }

    fn saved_pointer(&mut self, pointer: Pointer, written: &[Var]) -> Pointer {
        let Base::Value(value) = pointer.base else { return pointer };
        let address = self.scalar(value);
        let saved = self.save_if_read(address, written);
        if saved == address { pointer } else { Pointer { base: Base::Address(saved), ..pointer } }
    }

    fn save_if_read(&mut self, expr: Expr, written: &[Var]) -> Expr {
        if self.vars_of(expr).iter().any(|var| written.contains(var)) { self.save(expr) } else { expr }
    }

    /// Stores a value of `bytes` bytes.
    pub fn store_scalar(&mut self, pointer: Pointer, value: Expr, bytes: u64) {
        let Some(parts) = self.whole_parts(pointer, bytes) else { return };
        let length = self.address(bytes);
        if !self.check_writable(pointer, length) {
            return;
        }
        if let Some(object) = self.l.plain_object(pointer.cell.node) {
            self.check_plain(pointer, object);
            let value = if parts.len() > 1 { self.save_if_overwritten(value, &parts, pointer.cell) } else { value };
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

    /// Saves a value that reads one of the parts to which it is written one by one.
    fn save_if_overwritten(&mut self, value: Expr, parts: &[Part], cell: Cell) -> Expr {
        let written: Vec<Var> = parts.iter().map(|p| self.l.piece_var(cell.node, p.piece)).collect();
        self.save_if_read(value, &written)
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

    /// The cell type of a memory.
    pub(super) fn cell_sort(&self, memory: Var) -> CellSort {
        match self.l.builder.var(memory).sort {
            Sort::Memory(sort) => sort.cell,
            sort => unreachable!("a memory is expected, not {sort}"),
        }
    }

    /// Writes a memory. Unsaved values that read it are saved first.
    pub(super) fn write_memory(&mut self, memory: Var, op: Op) {
        self.save_readers(Written::Variable(memory));
        self.emit(op);
    }

    /// A pointer to an object without an LLVM value.
    pub fn pointer_at(&self, address: Expr, cell: Cell) -> Pointer {
        Pointer { cell, base: Base::Address(address), distance: 0 }
    }

    /// The value of a constant bit-vector expression.
    pub fn as_number(&self, expr: Expr) -> Option<u128> {
        match self.l.builder.pool.as_const(expr) {
            Some(Concrete::Bits { bits, .. }) => Some(bits),
            _ => None,
        }
    }
}

fn is_null(pointer: Value) -> bool {
    matches!(pointer.constant(), Some(Constant::Null | Constant::Undefined))
}

/// Whether a pointer is compared with others than null in its function, as far as it is read from the same variable or
/// member.
pub(super) fn is_compared(pointer: Value) -> bool {
    let is_alike = |other: Value| {
        let slots = [pointer, other].map(|value| (value.opcode() == Opcode::LLVMLoad).then(|| value.operand(0)));
        other == pointer || matches!(slots, [Some(one), Some(two)] if is_same_member(one, two))
    };
    let is_comparison = |i: &Value| i.opcode() == Opcode::LLVMICmp && !is_null(i.operand(0)) && !is_null(i.operand(1));
    let compares = |i: Value| [i.operand(0), i.operand(1)].into_iter().any(|o| o.is_instruction() && is_alike(o));
    pointer.is_instruction() && pointer.function().body().filter(is_comparison).any(compares)
}

fn is_same_member(a: Value, b: Value) -> bool {
    let is_member = |value: Value| value.is_instruction() && value.opcode() == Opcode::LLVMGetElementPtr;
    let count = a.operand_count();
    a == b
        || is_member(a)
            && is_member(b)
            && b.operand_count() == count
            && (1..count).all(|at| a.operand(at) == b.operand(at))
}

/// Whether the pointer is the address of that object, possibly with offsets.
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
