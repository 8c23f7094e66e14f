//! Memory symbols with a definition: initial contents, and ranges that were havocked or filled.
//!
//! Ranges may be large or of unknown length, so definitions are expanded lazily: facts about a cell are stated when it
//! is read. Formulas never compare whole memories, so other cells are irrelevant.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::execution::Execution;
use super::memory::{Memory, Status};
use super::symbols::Symbol;
use crate::expr::eval::{cell_address, written_cells};
use crate::expr::value::mask;
use crate::expr::{BinaryOp, Cell, Expr, MemorySort, Node, Sort, Value, Var};

/// The definition of a memory symbol.
#[derive(Clone, Copy, Debug)]
pub(super) enum Definition {
    /// The initial contents with this index, where they are known.
    Initial(u32),
    /// The cells of `below` outside a range; inside it all bytes are `byte`, or unknown if that is `None`.
    Range { below: Expr, address: Expr, bytes: Expr, byte: Option<Expr> },
}

/// The position of a cell relative to a range, as conditions. Neither holds if it overlaps the range partially.
struct Position {
    inside: Expr,
    outside: Expr,
}

impl Execution<'_> {
    /// Assigns a fresh symbol to a memory variable, with or without a definition.
    pub(super) fn define(&mut self, memory: Var, definition: Option<Definition>) {
        let base = self.after(memory);
        let Node::Var(symbol) = self.pool.node(base) else { unreachable!("a symbol is a variable") };
        // The symbol may have had another definition on a previous path.
        match definition {
            Some(definition) => self.definitions.insert(symbol, definition),
            None => self.definitions.remove(&symbol),
        };
        self.set_memory(memory, Memory::new(base));
    }

    /// A cell of a memory expression at a constant address.
    pub(super) fn base_cell(&mut self, mut memory: Expr, address: u64) -> (Expr, Status) {
        let sort = self.sort_of(memory);
        let at = self.pool.bits(sort.address, address.into());
        loop {
            let value = self.pool.read(memory, at, 1);
            let Node::Read { memory: below, .. } = self.pool.node(value) else {
                let status = if self.is_unknown_cell(value) { Status::Perhaps } else { Status::Known };
                return (value, status);
            };
            let Node::Var(symbol) = self.pool.node(below) else {
                self.spell_out(below, at, 1);
                let known = self.is_known(below, at);
                return (value, if self.holds(known) { Status::Known } else { Status::Perhaps });
            };
            match self.definitions.get(&symbol).copied() {
                // If execution started in the middle of the program, the cell may or may not have a value; a copy of it
                // may be any value.
                None => return (value, Status::Unknown),
                Some(Definition::Initial(contents)) => {
                    return match self.initial_cell(contents, sort, address) {
                        Some(known) => (self.pool.constant(known), Status::Known),
                        None => (value, Status::Unknown),
                    };
                }
                Some(Definition::Range { below, address: start, bytes, byte }) => {
                    let Position { inside, outside } = self.relative_position(sort, at, start, bytes);
                    if self.holds(outside) {
                        memory = below;
                        continue;
                    }
                    if self.holds(inside) {
                        return match byte {
                            Some(byte) => (self.repeated(sort, byte), Status::Known),
                            None => (value, Status::Unknown),
                        };
                    }
                    self.spell_out(memory, at, 1);
                    return (value, Status::Perhaps);
                }
            }
        }
    }

    /// The condition that the cell of a memory expression at `address` has been written. Reads do not count, so the
    /// cell may have a value even if the condition is false.
    pub(super) fn is_known(&mut self, memory: Expr, address: Expr) -> Expr {
        let sort = self.sort_of(memory);
        // Layers from the top: the condition that a layer contains the cell, and whether it is known there.
        let (mut layers, mut current) = (Vec::new(), memory);
        let mut known = loop {
            match self.pool.node(current) {
                Node::Write { memory, address: written, value } => {
                    let known = self.pool.bool(!self.is_unknown_cell(value));
                    for cell in 0..written_cells(&self.pool, sort, value) {
                        let written = self.nth_address(sort, written, cell);
                        layers.push((self.pool.eq(address, written), known));
                    }
                    current = memory;
                }
                Node::Var(symbol) => match self.definitions.get(&symbol).copied() {
                    None => break self.pool.bool(false),
                    Some(Definition::Initial(contents)) => break self.is_initialized(contents, sort, address),
                    Some(Definition::Range { below, address: start, bytes, byte }) => {
                        let Position { inside, outside } = self.relative_position(sort, address, start, bytes);
                        let (touched, filled) = (self.pool.not(outside), self.pool.bool(byte.is_some()));
                        layers.push((touched, self.pool.and(inside, filled)));
                        current = below;
                    }
                },
                _ => break self.pool.bool(false),
            }
        };
        for (here, value) in layers.into_iter().rev() {
            known = self.pool.ite(here, value, known);
        }
        known
    }

    /// The condition that the cell at `address` is part of the initial contents.
    fn is_initialized(&mut self, contents: u32, sort: MemorySort, address: Expr) -> Expr {
        let mut known = self.pool.bool(false);
        if let Some(at) = self.pool.as_const(address) {
            return self.pool.bool(self.initial_cell(contents, sort, at.raw() as u64).is_some());
        }
        let segments = &self.program.initial_cells(contents).segments;
        // Further segments are ignored: more cases would not help the solver.
        for segment in segments.iter().take(self.tuning.max_segments) {
            let (start, bytes) = (
                self.pool.bits(sort.address, segment.address.into()),
                self.pool.bits(sort.address, segment.bytes.into()),
            );
            let Position { inside, .. } = self.relative_position(sort, address, start, bytes);
            known = self.pool.or(known, inside);
        }
        known
    }

    /// Whether this is the value of a havocked cell, or of a copy of one, that may still be unknown.
    fn is_unknown_cell(&self, value: Expr) -> bool {
        match self.pool.node(value) {
            Node::Var(var) => {
                matches!(self.symbols.symbol(var), Some((Symbol::Cell { .. } | Symbol::Copy { .. }, _)))
            }
            // Depth one suffices: a copied value is an unknown cell, or a choice between one and a known value.
            Node::Ternary(_, _, a, b) => {
                [a, b].iter().any(|&e| matches!(self.pool.node(e), Node::Var(_)) && self.is_unknown_cell(e))
            }
            _ => false,
        }
    }

    /// States the facts that the definitions of all symbols in `memory` imply for `cells` cells at `address`.
    pub(super) fn spell_out(&mut self, memory: Expr, address: Expr, cells: u16) {
        let sort = self.sort_of(memory);
        let mut worklist: Vec<(Expr, Expr)> = Vec::new();
        for cell in 0..cells {
            let address = self.nth_address(sort, address, cell);
            worklist.extend(self.symbols_in(memory).iter().map(|&symbol| (symbol, address)));
        }
        while let Some((memory, address)) = worklist.pop() {
            let Node::Var(symbol) = self.pool.node(memory) else { continue };
            let Some(&definition) = self.definitions.get(&symbol) else { continue };
            if !self.first_time(symbol, Some(address)) {
                continue;
            }
            match definition {
                Definition::Initial(contents) => self.state_initial(symbol, memory, sort, contents, address),
                Definition::Range { below, address: start, bytes, byte } => {
                    self.state_range(sort, memory, address, below, (start, bytes), byte);
                    worklist.extend(self.symbols_in(below).iter().map(|&symbol| (symbol, address)));
                }
            }
        }
    }

    /// The memory symbols at the bottom of a memory expression, sorted and without duplicates. Results are cached,
    /// since joined memories share subexpressions.
    pub(super) fn symbols_in(&mut self, root: Expr) -> Rc<[Expr]> {
        let mut worklist = vec![root];
        while let Some(&memory) = worklist.last() {
            if self.bottoms.contains_key(&memory) {
                worklist.pop();
                continue;
            }
            let found: Rc<[Expr]> = match self.pool.node(memory) {
                Node::Write { memory: below, .. } => match self.bottoms.get(&below) {
                    Some(found) => Rc::clone(found),
                    None => {
                        worklist.push(below);
                        continue;
                    }
                },
                Node::Ternary(_, _, a, b) => match (self.bottoms.get(&a), self.bottoms.get(&b)) {
                    (Some(a), Some(b)) if a == b => Rc::clone(a),
                    (Some(a), Some(b)) => {
                        a.iter().chain(b.iter()).copied().collect::<BTreeSet<_>>().into_iter().collect()
                    }
                    (None, _) => {
                        worklist.push(a);
                        continue;
                    }
                    (_, None) => {
                        worklist.push(b);
                        continue;
                    }
                },
                _ => Rc::from([memory]),
            };
            self.bottoms.insert(memory, found);
        }
        Rc::clone(&self.bottoms[&root])
    }

    fn state_range(
        &mut self,
        sort: MemorySort,
        memory: Expr,
        address: Expr,
        below: Expr,
        (start, bytes): (Expr, Expr),
        byte: Option<Expr>,
    ) {
        let Position { inside, outside } = self.relative_position(sort, address, start, bytes);
        let (cell, before) = (self.pool.read(memory, address, 1), self.pool.read(below, address, 1));
        self.state_equality(outside, cell, before);
        if let Some(byte) = byte {
            let filled = self.repeated(sort, byte);
            self.state_equality(inside, cell, filled);
        }
    }

    fn state_initial(&mut self, symbol: Var, memory: Expr, sort: MemorySort, contents: u32, address: Expr) {
        let cell = self.pool.read(memory, address, 1);
        let always = self.pool.bool(true);
        if let Some(at) = self.pool.as_const(address) {
            if let Some(value) = self.initial_cell(contents, sort, at.raw() as u64) {
                let value = self.pool.constant(value);
                self.state_equality(always, cell, value);
            }
            return;
        }
        let (program, size) = (self.program, sort.cell.bytes());
        let segments = &program.initial_cells(contents).segments;
        let data_cells = |bytes: usize| (bytes as u64).div_ceil(size);
        if segments.iter().map(|s| 1 + data_cells(s.data.len())).sum::<u64>() > self.tuning.max_initial_cells {
            return self.approximate("a large table is read at an unknown address");
        }
        let first_time = self.first_time(symbol, None);
        let zero = self.pool.constant(Value::from_raw(sort.cell.sort(), 0).expect("cells are scalars"));
        for segment in segments {
            let data = data_cells(segment.data.len());
            if first_time {
                for at in (0..data).map(|n| segment.address + n * size) {
                    if let Some(value) = self.initial_cell(contents, sort, at) {
                        let (at, value) = (self.pool.bits(sort.address, at.into()), self.pool.constant(value));
                        let cell = self.pool.read(memory, at, 1);
                        self.state_equality(always, cell, value);
                    }
                }
            }
            // The bytes after the data are zero.
            let zeros = segment.bytes.saturating_sub(data * size);
            if zeros >= size {
                let first = self.pool.bits(sort.address, (segment.address + data * size).into());
                let last = self.pool.bits(sort.address, (segment.address + segment.bytes - size).into());
                let from = self.pool.binary(BinaryOp::UnsignedLessEq, first, address);
                let to = self.pool.binary(BinaryOp::UnsignedLessEq, address, last);
                let inside = self.pool.and(from, to);
                self.state_equality(inside, cell, zero);
            }
        }
    }

    /// A cell of the initial contents, if all its bytes are known.
    fn initial_cell(&self, contents: u32, sort: MemorySort, address: u64) -> Option<Value> {
        let raw = self.program.initial_cells(contents).read(address, sort.cell.bytes())?;
        Value::from_raw(sort.cell.sort(), raw)
    }

    /// Adds the condition `condition => a == b`.
    fn state_equality(&mut self, condition: Expr, a: Expr, b: Expr) {
        let otherwise = self.pool.not(condition);
        let equal = self.pool.eq(a, b);
        let fact = self.pool.or(otherwise, equal);
        self.pending.push(fact);
    }

    /// Whether a definition is expanded at `address` for the first time on this path.
    fn first_time(&mut self, symbol: Var, address: Option<Expr>) -> bool {
        self.state.spelled_out.insert((symbol, address)).is_none()
    }

    /// The position of the cell at `address` relative to the `bytes` bytes at `start`.
    fn relative_position(&mut self, sort: MemorySort, address: Expr, start: Expr, bytes: Expr) -> Position {
        let pool = &mut self.pool;
        let size = pool.bits(sort.address, sort.cell.bytes().into());
        let bytes = pool.zero_extend(bytes, sort.address);
        let distance = pool.binary(BinaryOp::Sub, address, start);
        let long_enough = pool.binary(BinaryOp::UnsignedLessEq, size, bytes);
        let last = pool.binary(BinaryOp::Sub, bytes, size);
        let within = pool.binary(BinaryOp::UnsignedLessEq, distance, last);
        let inside = pool.and(long_enough, within);
        let behind = pool.binary(BinaryOp::UnsignedLessEq, bytes, distance);
        // A cell that starts just before the range overlaps it, unless the range is empty.
        let before = pool.bits(sort.address, 0u128.wrapping_sub(sort.cell.bytes().into()) & mask(sort.address));
        let apart = pool.binary(BinaryOp::UnsignedLessEq, distance, before);
        let outside = pool.and(behind, apart);
        Position { inside, outside }
    }

    /// A cell with all bytes equal to `byte`.
    pub(super) fn repeated(&mut self, sort: MemorySort, byte: Expr) -> Expr {
        let mut all = byte;
        for _ in 1..sort.cell.bytes() {
            all = self.pool.binary(BinaryOp::Concat, byte, all);
        }
        match sort.cell {
            Cell::Bits(_) => all,
            Cell::Float(format) => self.pool.unary(crate::expr::UnaryOp::BitsToFloat(format), all),
        }
    }

    /// The address of the cell at index `cell`, counting from `address`.
    pub(super) fn nth_address(&mut self, sort: MemorySort, address: Expr, cell: u16) -> Expr {
        let offset = self.pool.bits(sort.address, cell_address(sort, 0, cell));
        self.pool.add(address, offset)
    }

    pub(super) fn sort_of(&self, memory: Expr) -> MemorySort {
        match self.pool.sort(memory) {
            Sort::Memory(sort) => sort,
            sort => panic!("a memory is expected, this is of sort {sort}"),
        }
    }

    pub(super) fn holds(&self, condition: Expr) -> bool {
        self.pool.as_const(condition).is_some_and(Value::is_true)
    }
}
