//! Memory symbols with a definition: initial contents, and ranges that were forgotten or filled.
//!
//! Ranges can be large, or of unknown length. So nothing is written: what a definition says of a cell is stated where
//! that cell is read. Formulas do not compare memories, so no other cell matters.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::execution::Execution;
use super::memory::{Memory, Status};
use super::symbols::Symbol;
use crate::cfa::eval::{cell_address, written_cells};
use crate::cfa::expr::{BinaryOp, Expr, Node};
use crate::cfa::program::Var;
use crate::cfa::sort::{Cell, MemorySort, Sort};
use crate::cfa::value::{Value, mask};

/// How many cells of initial data are stated for a read at an unknown address.
const MAX_DATA: u64 = 1 << 13;
/// How many runs of initial data are told apart by the question which cells have a value.
const MAX_SEGMENTS: usize = 64;

/// What is known of the cells of a memory symbol.
#[derive(Clone, Copy, Debug)]
pub(super) enum Definition {
    /// They are those of the program's initial contents at this position, where these say something.
    Initial(u32),
    /// Outside of a range they are those of another memory. Inside they are bytes of one value, if it is given, else
    /// unknown.
    Range { below: Expr, address: Expr, bytes: Expr, byte: Option<Expr> },
}

/// Where a cell lies to a range, as conditions: neither holds if it overlaps the range in part.
struct Position {
    inside: Expr,
    outside: Expr,
}

impl Execution<'_> {
    /// Gives a memory variable a new symbol with a definition.
    pub(super) fn define(&mut self, memory: Var, definition: Option<Definition>) {
        let base = self.after(memory);
        let Node::Var(symbol) = self.pool.node(base) else { unreachable!("a symbol is a variable") };
        // On another path, it may have had another one.
        match definition {
            Some(definition) => self.definitions.insert(symbol, definition),
            None => self.definitions.remove(&symbol),
        };
        self.set_memory(memory, Memory::new(base));
    }

    /// The cell of a memory expression at a constant address.
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
                // Where execution began in the middle of the program, it is not known whether cells have a value yet: copies
                // of them are any value, then.
                None => return (value, Status::Unknown),
                Some(Definition::Initial(contents)) => {
                    return match self.initial_cell(contents, sort, address) {
                        Some(known) => (self.pool.constant(known), Status::Known),
                        None => (value, Status::Unknown),
                    };
                }
                Some(Definition::Range { below, address: start, bytes, byte }) => {
                    let Position { inside, outside } = self.place(sort, at, start, bytes);
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

    /// The condition that the cell of a memory expression at `address` has been given a value. Reads do not count, so it
    /// may have one even if not.
    pub(super) fn is_known(&mut self, memory: Expr, address: Expr) -> Expr {
        let sort = self.sort_of(memory);
        // Layers from the top: where the cell is in one, what that says of it.
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
                        let Position { inside, outside } = self.place(sort, address, start, bytes);
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

    /// Do the initial contents say something of the cell at `address`?
    fn is_initialized(&mut self, contents: u32, sort: MemorySort, address: Expr) -> Expr {
        let mut known = self.pool.bool(false);
        if let Some(at) = self.pool.as_const(address) {
            return self.pool.bool(self.initial_cell(contents, sort, at.raw() as u64).is_some());
        }
        let segments = &self.program.initial_cells(contents).segments;
        // Too many cases help nobody.
        for segment in segments.iter().take(MAX_SEGMENTS) {
            let (start, bytes) = (
                self.pool.bits(sort.address, segment.address.into()),
                self.pool.bits(sort.address, segment.bytes.into()),
            );
            let Position { inside, .. } = self.place(sort, address, start, bytes);
            known = self.pool.or(known, inside);
        }
        known
    }

    /// Is this the value of a cell that was made unknown, or copied from one, and may still be unknown?
    fn is_unknown_cell(&self, value: Expr) -> bool {
        match self.pool.node(value) {
            Node::Var(var) => {
                matches!(self.symbols.symbol(var), Some((Symbol::Cell { .. } | Symbol::Copy { .. }, _)))
            }
            // Only one choice deep: what is copied is an unknown cell, or the choice between one and a value.
            Node::Ternary(_, _, a, b) => {
                [a, b].iter().any(|&e| matches!(self.pool.node(e), Node::Var(_)) && self.is_unknown_cell(e))
            }
            _ => false,
        }
    }

    /// States what the definitions of all symbols in `memory` say of the `cells` cells at `address`.
    pub(super) fn spell_out(&mut self, memory: Expr, address: Expr, cells: u16) {
        let sort = self.sort_of(memory);
        let mut open: Vec<(Expr, Expr)> = Vec::new();
        for cell in 0..cells {
            let address = self.nth_address(sort, address, cell);
            open.extend(self.symbols_in(memory).iter().map(|&symbol| (symbol, address)));
        }
        while let Some((memory, address)) = open.pop() {
            let Node::Var(symbol) = self.pool.node(memory) else { continue };
            let Some(&definition) = self.definitions.get(&symbol) else { continue };
            if !self.first_time(symbol, Some(address)) {
                continue;
            }
            match definition {
                Definition::Initial(contents) => self.state_initial(symbol, memory, sort, contents, address),
                Definition::Range { below, address: start, bytes, byte } => {
                    self.state_range(sort, memory, address, below, (start, bytes), byte);
                    open.extend(self.symbols_in(below).iter().map(|&symbol| (symbol, address)));
                }
            }
        }
    }

    /// The memory symbols at the bottom of a memory expression, each once, in order. Where ways have met, many lead to
    /// the same one: so what was found is kept for each expression.
    pub(super) fn symbols_in(&mut self, root: Expr) -> Rc<[Expr]> {
        let mut open = vec![root];
        while let Some(&memory) = open.last() {
            if self.bottoms.contains_key(&memory) {
                open.pop();
                continue;
            }
            let found: Rc<[Expr]> = match self.pool.node(memory) {
                Node::Write { memory: below, .. } => match self.bottoms.get(&below) {
                    Some(found) => Rc::clone(found),
                    None => {
                        open.push(below);
                        continue;
                    }
                },
                Node::Ternary(_, _, a, b) => match (self.bottoms.get(&a), self.bottoms.get(&b)) {
                    (Some(a), Some(b)) if a == b => Rc::clone(a),
                    (Some(a), Some(b)) => {
                        a.iter().chain(b.iter()).copied().collect::<BTreeSet<_>>().into_iter().collect()
                    }
                    (None, _) => {
                        open.push(a);
                        continue;
                    }
                    (_, None) => {
                        open.push(b);
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
        let Position { inside, outside } = self.place(sort, address, start, bytes);
        let (cell, before) = (self.pool.read(memory, address, 1), self.pool.read(below, address, 1));
        self.state(outside, cell, before);
        if let Some(byte) = byte {
            let filled = self.repeated(sort, byte);
            self.state(inside, cell, filled);
        }
    }

    fn state_initial(&mut self, symbol: Var, memory: Expr, sort: MemorySort, contents: u32, address: Expr) {
        let cell = self.pool.read(memory, address, 1);
        let always = self.pool.bool(true);
        if let Some(at) = self.pool.as_const(address) {
            if let Some(value) = self.initial_cell(contents, sort, at.raw() as u64) {
                let value = self.pool.constant(value);
                self.state(always, cell, value);
            }
            return;
        }
        let (program, size) = (self.program, sort.cell.bytes());
        let segments = &program.initial_cells(contents).segments;
        let data_cells = |bytes: usize| (bytes as u64).div_ceil(size);
        if segments.iter().map(|s| 1 + data_cells(s.data.len())).sum::<u64>() > MAX_DATA {
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
                        self.state(always, cell, value);
                    }
                }
            }
            // All that follows the data is zero.
            let zeros = segment.bytes.saturating_sub(data * size);
            if zeros >= size {
                let first = self.pool.bits(sort.address, (segment.address + data * size).into());
                let last = self.pool.bits(sort.address, (segment.address + segment.bytes - size).into());
                let from = self.pool.binary(BinaryOp::UnsignedLessEq, first, address);
                let to = self.pool.binary(BinaryOp::UnsignedLessEq, address, last);
                let inside = self.pool.and(from, to);
                self.state(inside, cell, zero);
            }
        }
    }

    /// A cell of the initial contents, if all its bytes are known.
    fn initial_cell(&self, contents: u32, sort: MemorySort, address: u64) -> Option<Value> {
        let raw = self.program.initial_cells(contents).read(address, sort.cell.bytes())?;
        Value::from_raw(sort.cell.sort(), raw)
    }

    /// `if condition then a == b` must hold.
    fn state(&mut self, condition: Expr, a: Expr, b: Expr) {
        let otherwise = self.pool.not(condition);
        let equal = self.pool.eq(a, b);
        let fact = self.pool.or(otherwise, equal);
        self.pending.push(fact);
    }

    /// Is this the first time on the path that a definition is spelled out there?
    fn first_time(&mut self, symbol: Var, address: Option<Expr>) -> bool {
        self.state.spelled_out.insert((symbol, address)).is_none()
    }

    /// Where the cell at `address` lies to the `bytes` bytes at `start`.
    fn place(&mut self, sort: MemorySort, address: Expr, start: Expr, bytes: Expr) -> Position {
        let pool = &mut self.pool;
        let size = pool.bits(sort.address, sort.cell.bytes().into());
        let bytes = pool.zero_extend(bytes, sort.address);
        let distance = pool.binary(BinaryOp::Sub, address, start);
        let long_enough = pool.binary(BinaryOp::UnsignedLessEq, size, bytes);
        let last = pool.binary(BinaryOp::Sub, bytes, size);
        let within = pool.binary(BinaryOp::UnsignedLessEq, distance, last);
        let inside = pool.and(long_enough, within);
        let behind = pool.binary(BinaryOp::UnsignedLessEq, bytes, distance);
        // Just before the range, a cell reaches into it, unless the range is empty.
        let before = pool.bits(sort.address, 0u128.wrapping_sub(sort.cell.bytes().into()) & mask(sort.address));
        let apart = pool.binary(BinaryOp::UnsignedLessEq, distance, before);
        let outside = pool.and(behind, apart);
        Position { inside, outside }
    }

    /// A cell all of whose bytes are `byte`.
    pub(super) fn repeated(&mut self, sort: MemorySort, byte: Expr) -> Expr {
        let mut all = byte;
        for _ in 1..sort.cell.bytes() {
            all = self.pool.binary(BinaryOp::Concat, byte, all);
        }
        match sort.cell {
            Cell::Bits(_) => all,
            Cell::Float(format) => self.pool.unary(crate::cfa::expr::UnaryOp::BitsToFloat(format), all),
        }
    }

    /// The address of a cell, counted from the one at `address`.
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
