//! Memories of random programs: declarations, addresses and operations.

use clew_verifier::cfa::{Havoc, InitialCells, LocId, Op, Scope, Segment};
use clew_verifier::expr::{BinaryOp, Cell, Expr, FloatFormat, MemorySort, Sort};

use super::world::{Frame, Maker, Memory};

impl Maker {
    /// Declares a memory and sets its initial contents.
    pub fn declare_memory(&mut self, frame: &mut Frame, at: LocId, scope: Scope) -> LocId {
        let cell = match self.random.below(6) {
            0 => Cell::Bits(16),
            1 if self.flavour.floats => Cell::Float(FloatFormat::Half),
            _ => Cell::Bits(8),
        };
        // Narrow addresses may be any number, and larger cells must not overlap.
        let cell = if self.flavour.checked { cell } else { Cell::Bits(8) };
        let cells = self.random.between(2, 5) as u64;
        let Some(base) = self.allocate(cell, cells) else { return at };
        let sort = Sort::Memory(MemorySort { address: self.b.pointer_bits, cell });
        let var = self.variable("m", sort, scope);
        let solid = self.flavour.checked && (cell != Cell::Bits(8) || !self.random.one_in(5));
        let mut memory = Memory { var, cell, base, cells, solid, pointers: Vec::new() };
        let mut at = self.first_contents(&memory, at);
        for _ in 0..self.random.below(3) {
            let pointer = self.variable("q", self.pointer_sort(), scope);
            if self.flavour.checked || !self.random.one_in(6) {
                let address = self.cell_address(&memory, 1);
                at = self.step(at, Op::Assign(pointer, address));
            }
            memory.pointers.push(pointer);
        }
        frame.memories.push(memory.clone());
        if scope == Scope::Global {
            self.memories.push(memory);
        }
        at
    }

    fn first_contents(&mut self, memory: &Memory, at: LocId) -> LocId {
        // A run may read next to the object, which must have a value if all cells must.
        let (from, bytes) = if memory.solid {
            (self.area.start, self.area.end - self.area.start)
        } else {
            (memory.base, memory.cells * memory.cell.bytes())
        };
        if memory.solid && self.random.coin() {
            let (address, length) = (self.pointer(from), self.pointer(bytes));
            let byte = self.constant(Sort::Bits(8));
            return self.step(at, Op::Fill { memory: memory.var, address, byte, bytes: length });
        }
        let data: Vec<u8> = (0..self.random.below(bytes as usize + 1)).map(|_| self.random.below(6) as u8).collect();
        // The last cell may be unknown.
        let bytes = if !memory.solid && self.random.coin() { bytes - 1 } else { bytes };
        let data = data[..data.len().min(bytes as usize)].into();
        self.b.initial.push(InitialCells { segments: vec![Segment { address: from, bytes, data }] });
        let contents = self.b.initial.len() as u32 - 1;
        self.step(at, Op::Initialize { memory: memory.var, contents })
    }

    pub fn pointer(&mut self, address: u64) -> Expr {
        self.b.pool.bits(self.b.pointer_bits, address.into())
    }

    /// A constant address of `cells` cells within the object.
    fn cell_address(&mut self, memory: &Memory, cells: u64) -> Expr {
        let index = self.random.below((memory.cells - cells + 1) as usize) as u64;
        self.pointer(memory.base + index * memory.cell.bytes())
    }

    /// An address of `cells` cells: constant, from a pointer, or with a computed index, which may be out of bounds.
    pub fn address(&mut self, frame: &Frame, memory: &Memory, cells: u64) -> Expr {
        let wide = self.b.pointer_bits;
        match self.random.below(10) {
            0..=3 if !memory.pointers.is_empty() && (self.flavour.checked || cells == 1) => {
                let pointer = self.random.pick(&memory.pointers);
                let pointer = self.b.read(pointer);
                let distance = self.random.below(2) as u64 * memory.cell.bytes();
                let distance = self.pointer(distance);
                self.b.pool.add(pointer, distance)
            }
            4..=6 if self.flavour.checked || cells == 1 => {
                let width = self.random.pick(&[1, 1, 2, 2, 2, 3]);
                let index = self.expr(frame, Sort::Bits(width), 1);
                let index = self.b.pool.zero_extend(index, wide);
                let (scale, base) = (self.pointer(memory.cell.bytes()), self.pointer(memory.base));
                let offset = self.b.pool.binary(BinaryOp::Mul, index, scale);
                self.b.pool.add(base, offset)
            }
            _ => self.cell_address(memory, cells),
        }
    }

    /// A memory, the memory after a write, or a choice between both.
    pub fn contents(&mut self, frame: &Frame, memory: &Memory) -> Expr {
        let plain = self.b.read(memory.var);
        if !self.random.one_in(12) {
            return plain;
        }
        let written = self.written(frame, memory);
        if self.random.coin() {
            return written;
        }
        let condition = self.safe_condition(frame, 1);
        self.b.pool.ite(condition, written, plain)
    }

    fn written(&mut self, frame: &Frame, memory: &Memory) -> Expr {
        let (plain, value) = (self.b.read(memory.var), self.cell_value(frame, memory, 1));
        let address = self.address(frame, memory, 1);
        self.b.pool.write(plain, address, value)
    }

    /// A value for `cells` cells.
    fn cell_value(&mut self, frame: &Frame, memory: &Memory, cells: u16) -> Expr {
        match memory.cell {
            Cell::Bits(width) => {
                let narrow = self.width();
                let value = self.expr(frame, Sort::Bits(narrow), 2);
                if self.random.coin() {
                    self.b.pool.zero_extend(value, width * cells)
                } else {
                    self.b.pool.sign_extend(value, width * cells)
                }
            }
            Cell::Float(_) => self.expr(frame, memory.cell.sort(), 2),
        }
    }

    /// One operation on a memory or on a pointer to it.
    pub fn memory_operation(&mut self, frame: &Frame, at: LocId) -> LocId {
        if frame.memories.is_empty() {
            return at;
        }
        let memory = self.random.pick(&frame.memories);
        let var = memory.var;
        match self.random.below(20) {
            0..=3 if !memory.pointers.is_empty() => {
                let pointer = self.random.pick(&memory.pointers);
                let address = self.address(frame, &memory, 1);
                self.step(at, Op::Assign(pointer, address))
            }
            4..=12 => {
                let several = memory.cell == Cell::Bits(8) && self.random.one_in(4);
                let cells = if several { 2 } else { 1 };
                let address = self.address(frame, &memory, cells);
                let value = self.cell_value(frame, &memory, cells as u16);
                self.step(at, Op::Store { memory: var, address, value })
            }
            13 | 14 => {
                let (address, bytes) = self.range(frame, &memory);
                let narrow = self.width();
                let byte = self.expr(frame, Sort::Bits(narrow), 1);
                let byte = self.b.pool.zero_extend(byte, 8);
                self.step(at, Op::Fill { memory: var, address, byte, bytes })
            }
            15 if !memory.solid => {
                let (address, bytes) = self.range(frame, &memory);
                self.step(at, Op::Forget { memory: var, address, bytes })
            }
            16 if !memory.solid => {
                let external = Havoc::External(self.b.external("outside", false));
                let kind = self.random.pick(&[external, Havoc::Uninitialized, Havoc::Undefined]);
                self.step(at, Op::Havoc(var, kind))
            }
            17 => self.first_contents(&memory, at),
            18 => {
                let value = self.contents(frame, &memory);
                let value = if value == self.b.read(var) { self.written(frame, &memory) } else { value };
                self.step(at, Op::Assign(var, value))
            }
            _ => self.copy(frame, &memory, at),
        }
    }

    /// Some cells of the object, starting at a constant or computed address.
    fn range(&mut self, frame: &Frame, memory: &Memory) -> (Expr, Expr) {
        let size = memory.cell.bytes();
        let cells = self.random.between(1, memory.cells as usize) as u64;
        let bytes = self.pointer(cells * size);
        if !self.flavour.checked || self.random.coin() {
            return (self.cell_address(memory, cells), bytes);
        }
        if self.random.coin() {
            return (self.address(frame, memory, cells), bytes);
        }
        let count = self.expr(frame, Sort::Bits(2), 1);
        let count = self.b.pool.zero_extend(count, self.b.pointer_bits);
        let size = self.pointer(size);
        (self.address(frame, memory, 1), self.b.pool.binary(BinaryOp::Mul, count, size))
    }

    /// A copy within a memory, or from another one of the same type.
    fn copy(&mut self, frame: &Frame, target: &Memory, at: LocId) -> LocId {
        let fits = |m: &&Memory| m.cell == target.cell && (m.solid || !target.solid);
        let sources: Vec<Memory> = frame.memories.iter().filter(fits).cloned().collect();
        let source = self.random.pick(&sources);
        let (from, bytes) = self.range(frame, &source);
        let cells = source.cells.min(target.cells);
        let to = if self.flavour.checked { self.address(frame, target, 1) } else { self.cell_address(target, 1) };
        // Narrow addresses must not wrap around.
        let bytes = if self.flavour.checked { bytes } else { self.pointer(cells.min(2)) };
        let from = if self.flavour.checked { from } else { self.cell_address(&source, cells.min(2)) };
        let op = Op::Copy { target: target.var, to, source: source.var, from, bytes };
        self.step(at, op)
    }
}
