//! Loads, stores, copies: every access goes to the pieces of the node that its pointer points to.

use clew_verifier::cfa::{BinaryOp, Cell as CellSort, Expr, Havoc, Op, Sort, UnaryOp, Value as Concrete, Var};

use super::Val;
use super::function::{FunctionLifter, Written};
use crate::ir::{Constant, Opcode, Type, TypeKind, Value};
use crate::pointsto::{Cell, NodeId, Object, Part};

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

/// What a pointer may point to.
enum Target {
    Object(Pointer),
    /// It is null, or was never set.
    Nothing,
    Unsupported(&'static str),
}

/// What can be read through a pointer.
pub enum Readable {
    /// What is there.
    Object(Pointer),
    /// Any value.
    Anything,
    /// Nothing: the path has ended.
    Nothing,
}

impl Pointer {
    /// What a pointer of the program points to.
    pub fn of(pointer: Value, cell: Cell) -> Pointer {
        Pointer { cell, base: Base::Value(pointer), distance: 0 }
    }
}

impl FunctionLifter<'_> {
    /// What a pointer operand points to. If it is null, the access crashes and ends the path; what else it does without
    /// an object is not modelled.
    pub fn pointer(&mut self, base: Value) -> Option<Pointer> {
        match self.target(base) {
            Target::Object(pointer) => return Some(pointer),
            Target::Nothing if is_null(base) => self.halt(),
            Target::Nothing => {
                self.assume_not_null(base);
                self.unsupported("an access through a pointer that was never set");
            }
            Target::Unsupported(what) => self.unsupported(what),
        }
        None
    }

    /// The same for a read. What a pointer points to that was never set has any value.
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

    /// An access to the page of null crashes.
    fn assume_not_null(&mut self, pointer: Value) {
        const NULL_PAGE: u64 = 4096;
        let address = self.scalar(pointer);
        let end = self.address(NULL_PAGE);
        let is_null = self.l.builder.pool.binary(BinaryOp::UnsignedLess, address, end);
        let valid = self.l.builder.pool.not(is_null);
        self.assume(valid);
    }

    /// The place `bytes` further on.
    pub fn further(&self, pointer: Pointer, bytes: u64) -> Pointer {
        let cell = self.l.points_to.shifted(pointer.cell, bytes as i64);
        Pointer { cell, distance: pointer.distance + bytes as i64, ..pointer }
    }

    /// The address itself.
    pub(super) fn address_of(&mut self, pointer: Pointer) -> Expr {
        let base = match pointer.base {
            Base::Value(value) => self.scalar(value),
            Base::Address(address) => address,
        };
        self.moved(base, pointer.distance)
    }

    /// A pointer to a plain variable must be its address: all else is undefined behaviour, which ends the path as a crash.
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

    /// The pieces of an access, which must cover it: the points-to analysis has seen all accesses.
    fn whole_parts(&mut self, pointer: Pointer, bytes: u64) -> Option<Vec<Part>> {
        let parts = self.l.partition(pointer.cell.node).parts(pointer.cell.offset, bytes);
        if parts.iter().map(|p| p.bytes).sum::<u64>() == bytes {
            return Some(parts);
        }
        self.unsupported("an access that the points-to analysis has not seen");
        None
    }

    /// Reads a bit-vector.
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

    /// The present value of a piece that is a variable of its own; that of a constant is known.
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
        let Some(parts) = self.whole_parts(pointer, bytes) else { return };
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

    /// The type of the cells of a memory.
    pub(super) fn cell_sort(&self, memory: Var) -> CellSort {
        match self.l.builder.var(memory).sort {
            Sort::Memory(sort) => sort.cell,
            sort => unreachable!("a memory is expected, not {sort}"),
        }
    }

    /// Writes a memory: values that read it are saved first.
    pub(super) fn write_memory(&mut self, memory: Var, op: Op) {
        self.save_readers(Written::Variable(memory));
        self.emit(op);
    }

    /// A pointer to an object that has no LLVM value of its own.
    pub fn pointer_at(&self, address: Expr, cell: Cell) -> Pointer {
        Pointer { cell, base: Base::Address(address), distance: 0 }
    }

    /// The concrete value of an expression that is constant.
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
