//! Memory symbols with a definition: initial contents, and ranges that were havocked, filled or copied.
//!
//! Ranges may be large or of unknown length, so definitions are expanded lazily: facts about a cell are stated when it
//! is read. Formulas never compare whole memories, so other cells are irrelevant.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::execution::Execution;
use super::memory::Memory;
use crate::expr::eval::cell_address;
use crate::expr::value::mask;
use crate::expr::{BinaryOp, Cell, Expr, MemorySort, Node, Sort, Value, Var};

/// The definition of a memory symbol.
#[derive(Clone, Copy, Debug)]
pub(super) enum Definition {
    /// The initial contents with this index, where they are known.
    Initial(u32),
    /// The cells of `below` outside of `range`, and others inside it.
    Range { below: Expr, range: Range, inside: Inside },
}

/// The `bytes` bytes at `address`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) address: Expr,
    pub(super) bytes: Expr,
}

/// The cells of a range.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inside {
    Unknown,
    /// All bytes are equal to this one.
    Filled(Expr),
    /// The cells of a memory expression, from this address on.
    Copied {
        memory: Expr,
        from: Expr,
    },
}

/// The number of nested writes and joins through which a cell is followed.
const MAX_CASES: u32 = 8;

/// The position of a cell relative to a range, as conditions. Neither holds if it overlaps the range partially.
pub(super) struct Position {
    pub(super) inside: Expr,
    pub(super) outside: Expr,
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
    pub(super) fn base_cell(&mut self, mut memory: Expr, address: u64) -> Expr {
        let sort = self.sort_of(memory);
        let mut at = self.pool.bits(sort.address, address.into());
        if let Some(value) = self.base_cell_by_case(memory, at, MAX_CASES) {
            return value;
        }
        loop {
            let value = self.pool.read(memory, at, 1);
            let Node::Read { memory: below, .. } = self.pool.node(value) else { return value };
            let Node::Var(symbol) = self.pool.node(below) else {
                self.spell_out(below, at, 1);
                return value;
            };
            match self.definitions.get(&symbol).copied() {
                None => return self.original_cell(symbol, sort, at).unwrap_or(value),
                Some(Definition::Initial(contents)) => {
                    let address = self.pool.as_const(at).map_or(0, |at| at.raw() as u64);
                    let known = self.initial_cell(contents, sort, address);
                    return match known {
                        Some(known) => self.pool.constant(known),
                        None => self.original_cell(symbol, sort, at).unwrap_or(value),
                    };
                }
                Some(Definition::Range { below: outer, range, inside }) => {
                    let position = self.relative_position(sort, at, range);
                    if self.holds(position.outside) {
                        memory = outer;
                        continue;
                    }
                    if self.holds(position.inside) {
                        match inside {
                            Inside::Unknown => return value,
                            Inside::Filled(byte) => return self.repeated(sort, byte),
                            Inside::Copied { memory: source, from } => {
                                let twin = self.twin(at, range, from);
                                if self.pool.as_const(twin).is_none() {
                                    return self.read_at(source, twin, 1);
                                }
                                (memory, at) = (source, twin);
                                continue;
                            }
                        }
                    }
                    self.spell_out(below, at, 1);
                    return value;
                }
            }
        }
    }

    /// A cell at a constant address below writes to symbolic ones and joins, without arrays. `None` if there are none or
    /// too many.
    fn base_cell_by_case(&mut self, memory: Expr, at: Expr, depth: u32) -> Option<Expr> {
        if !self.tracks_cells || depth == 0 {
            return None;
        }
        let cell = |execution: &mut Self, below: Expr| match execution.pool.node(below) {
            Node::Var(_) => {
                let at = execution.pool.as_const(at)?.raw() as u64;
                Some(execution.base_cell(below, at))
            }
            _ => execution.base_cell_by_case(below, at, depth - 1),
        };
        match self.pool.node(memory) {
            Node::Ternary(_, choice, a, b) => {
                let (a, b) = (cell(self, a)?, cell(self, b)?);
                Some(self.pool.ite(choice, a, b))
            }
            Node::Write { memory: below, address, value } => {
                let sort = self.sort_of(memory);
                let mut found = cell(self, below)?;
                for (index, part) in self.split(sort, value).into_iter().enumerate() {
                    let written = self.nth_address(sort, address, index as u16);
                    let is_here = self.pool.eq(written, at);
                    found = self.pool.ite(is_here, part, found);
                }
                Some(found)
            }
            _ => None,
        }
    }

    /// The address that a cell of a range was copied from.
    pub(super) fn twin(&mut self, address: Expr, range: Range, from: Expr) -> Expr {
        let distance = self.pool.binary(BinaryOp::Sub, address, range.address);
        self.pool.add(from, distance)
    }

    /// States the facts that the definitions of all symbols in `memory` imply for `cells` cells at `address`.
    pub(super) fn spell_out(&mut self, memory: Expr, address: Expr, cells: u16) {
        let sort = self.sort_of(memory);
        let (mut worklist, mut stated): (Vec<(Expr, Expr)>, usize) = (Vec::new(), 0);
        for cell in 0..cells {
            let address = self.nth_address(sort, address, cell);
            worklist.extend(self.symbols_in(memory).iter().map(|&symbol| (symbol, address)));
        }
        while let Some((memory, address)) = worklist.pop() {
            let Node::Var(symbol) = self.pool.node(memory) else { continue };
            self.link_originals(memory, symbol);
            let Some(&definition) = self.definitions.get(&symbol) else { continue };
            if !self.first_time(symbol, Some(address)) {
                continue;
            }
            match definition {
                Definition::Initial(contents) => self.state_initial(symbol, memory, sort, contents, address),
                Definition::Range { below, range, inside } => {
                    stated += 1;
                    if stated > self.tuning.max_ranges {
                        return self.approximate("a read of what many copies may have written");
                    }
                    for (memory, address) in self.state_range(sort, memory, address, below, range, inside) {
                        worklist.extend(self.symbols_in(memory).iter().map(|&symbol| (symbol, address)));
                    }
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

    /// States what a range says about the cell at `address`. Returns the memories and addresses that it refers to.
    fn state_range(
        &mut self,
        sort: MemorySort,
        memory: Expr,
        address: Expr,
        below: Expr,
        range: Range,
        inside: Inside,
    ) -> Vec<(Expr, Expr)> {
        let position = self.relative_position(sort, address, range);
        let cell = self.pool.read(memory, address, 1);
        let mut used = Vec::new();
        if !self.holds(position.inside) {
            let before = self.pool.read(below, address, 1);
            self.state_equality(position.outside, cell, before);
            used.push((below, address));
        }
        if self.holds(position.outside) {
            return used;
        }
        match inside {
            Inside::Unknown => {}
            Inside::Filled(byte) => {
                let filled = self.repeated(sort, byte);
                self.state_equality(position.inside, cell, filled);
            }
            Inside::Copied { memory: source, from } => {
                let twin = self.twin(address, range, from);
                let copied = self.pool.read(source, twin, 1);
                self.state_equality(position.inside, cell, copied);
                used.push((source, twin));
            }
        }
        used
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

    /// The position of the cell at `address` relative to a range.
    pub(super) fn relative_position(&mut self, sort: MemorySort, address: Expr, range: Range) -> Position {
        let Range { address: start, bytes } = range;
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
