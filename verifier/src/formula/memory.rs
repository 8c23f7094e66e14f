//! Memories in symbolic execution.
//!
//! Cells at constant addresses are kept in a table on top of an expression for everything else, so that paths with
//! thousands of accesses find each cell directly. A write to a symbolic address merges the table into the expression.
//!
//! The interpreter draws the value of an unknown cell at its first read, and copies unknown cells as unknown, so source
//! and target may differ later. Therefore each cell records whether it has a value.

use imbl::OrdMap;

use super::execution::Execution;
use super::symbols::Symbol;
use crate::expr::eval::cell_address;
use crate::expr::{BinaryOp, Cell, Expr, MemorySort, Node, Sort, Var};

/// Whether a cell has a value in the interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    Known,
    /// No: it is drawn at the next read.
    Unknown,
    /// It depends on the values of symbols.
    Perhaps,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Contents {
    pub(super) value: Expr,
    pub(super) status: Status,
    /// Whether it may differ from the base.
    pub(super) written: bool,
}

/// The contents of a memory variable.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    base: Expr,
    cells: OrdMap<u64, Contents>,
    /// The base with all cells written, if computed.
    whole: Option<Expr>,
    /// Whether it was read at a symbolic address, so that any cell may have a value.
    pub(super) searched: bool,
}

impl Memory {
    /// The memory with the contents of an expression.
    pub(super) fn new(base: Expr) -> Memory {
        Memory { base, cells: OrdMap::new(), whole: None, searched: false }
    }

    /// The same, but any cell may have been read.
    pub(super) fn searched(base: Expr) -> Memory {
        Memory { searched: true, ..Memory::new(base) }
    }

    pub(super) fn table(&self) -> &OrdMap<u64, Contents> {
        &self.cells
    }

    pub(super) fn put(&mut self, address: u64, contents: Contents) {
        self.whole = None;
        self.cells.insert(address, contents);
    }

    pub(super) fn base(&self) -> Expr {
        self.base
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = (u64, Contents)> {
        self.cells.iter().map(|(&address, &contents)| (address, contents))
    }

    pub(super) fn write(&mut self, address: u64, value: Expr, status: Status) {
        self.whole = None;
        self.cells.insert(address, Contents { value, status, written: true });
    }
}

impl Execution<'_> {
    /// Reads cells of a memory variable at a constant address, which gives unknown cells a value. `surely`: the read
    /// happens in every run.
    pub(super) fn read_cells(&mut self, memory: Var, address: u64, cells: u16, surely: bool) -> Expr {
        let sort = self.memory_sort(memory);
        for cell in 0..cells {
            let at = cell_address(sort, address.into(), cell) as u64;
            let mut contents = self.contents(memory, at);
            contents.status = match contents.status {
                _ if surely => Status::Known,
                Status::Known => Status::Known,
                Status::Unknown | Status::Perhaps => Status::Perhaps,
            };
            self.memory(memory).cells.insert(at, contents);
        }
        self.peek_cells(memory, address, cells)
    }

    /// The contents of cells of a memory variable at a constant address, concatenated, without the effects of a read.
    pub(super) fn peek_cells(&mut self, memory: Var, address: u64, cells: u16) -> Expr {
        let sort = self.memory_sort(memory);
        let mut all = self.contents(memory, address).value;
        for cell in 1..cells {
            let next = self.contents(memory, cell_address(sort, address.into(), cell) as u64).value;
            all = self.pool.binary(BinaryOp::Concat, next, all);
        }
        all
    }

    /// One cell of a memory variable.
    pub(super) fn contents(&mut self, memory: Var, address: u64) -> Contents {
        if let Some(&contents) = self.memory(memory).cells.get(&address) {
            return contents;
        }
        let base = self.memory(memory).base;
        let (value, mut status) = self.base_cell(base, address);
        let memory = self.memory(memory);
        if memory.searched && status == Status::Unknown {
            status = Status::Perhaps;
        }
        let contents = Contents { value, status, written: false };
        memory.cells.insert(address, contents);
        contents
    }

    /// The cells of a memory variable at a symbolic address.
    pub(super) fn search(&mut self, memory: Var, address: Expr, cells: u16) -> Expr {
        let whole = self.whole(memory);
        self.read_at(whole, address, cells)
    }

    /// A memory variable as one expression, any cell of which may be read.
    pub(super) fn whole(&mut self, memory: Var) -> Expr {
        let state = self.memory(memory);
        state.searched = true;
        let unknown: Vec<_> = state.cells().filter(|(_, contents)| contents.status == Status::Unknown).collect();
        for (address, contents) in unknown {
            state.cells.insert(address, Contents { status: Status::Perhaps, ..contents });
        }
        let (copy, sort) = (state.clone(), self.memory_sort(memory));
        let whole = self.with_cells_written(&copy, sort);
        self.memory(memory).whole = Some(whole);
        whole
    }

    /// The base of a memory with all cells written.
    pub(super) fn with_cells_written(&mut self, memory: &Memory, sort: MemorySort) -> Expr {
        if let Some(whole) = memory.whole {
            return whole;
        }
        let mut whole = memory.base;
        for (address, contents) in memory.cells().filter(|(_, contents)| contents.written) {
            let address = self.pool.bits(sort.address, address.into());
            whole = self.pool.write(whole, address, contents.value);
        }
        whole
    }

    /// Writes a value to one or several cells.
    pub(super) fn write(&mut self, memory: Var, address: Expr, value: Expr) {
        let sort = self.memory_sort(memory);
        let Some(at) = self.pool.as_const(address) else {
            let whole = self.whole(memory);
            let base = self.pool.write(whole, address, value);
            let searched = self.memory(memory).searched;
            self.set_memory(memory, Memory { searched, ..Memory::new(base) });
            return;
        };
        for (cell, part) in self.split(sort, value).into_iter().enumerate() {
            let at = cell_address(sort, at.raw(), cell as u16) as u64;
            self.memory(memory).write(at, part, Status::Known);
        }
    }

    /// Splits a value into cells.
    fn split(&mut self, sort: MemorySort, value: Expr) -> Vec<Expr> {
        match (sort.cell, self.pool.sort(value)) {
            (Cell::Bits(cell), Sort::Bits(width)) => {
                (0..width / cell).map(|n| self.pool.extract(value, n * cell, cell)).collect()
            }
            _ => vec![value],
        }
    }

    /// Havocs one cell.
    pub(super) fn forget_cell(&mut self, memory: Var, address: u64) {
        let symbol = Symbol::Cell { step: self.steps, memory, address };
        let sort = self.memory_sort(memory).cell.sort();
        let value = self.symbols.expr(&mut self.pool, symbol, sort);
        self.memory(memory).write(address, value, Status::Unknown);
    }

    /// A fresh value for the copy of an unknown cell. Copies are numbered within a step.
    pub(super) fn unknown_cell(&mut self, memory: Var, number: u16) -> Expr {
        let symbol = Symbol::Copy { step: self.steps, memory, number };
        let sort = self.memory_sort(memory).cell.sort();
        self.symbols.expr(&mut self.pool, symbol, sort)
    }

    /// Reads `cells` cells of a memory expression at any address.
    pub(super) fn read_at(&mut self, memory: Expr, address: Expr, cells: u16) -> Expr {
        let value = self.pool.read(memory, address, cells);
        if let Node::Read { memory, address, cells } = self.pool.node(value) {
            self.spell_out(memory, address, cells);
        }
        value
    }
}
