//! Memories in symbolic execution.
//!
//! Cells at constant addresses are kept in a table on top of an expression for everything else, so that paths with
//! thousands of accesses find each cell directly. A write to a symbolic address merges the table into the expression.
//!
//! An unknown cell is a symbol. The interpreter draws its value at the first read of the cell or of a copy of it, so that
//! all of them have the value of the symbol.

use imbl::OrdMap;

use super::execution::Execution;
use super::symbols::Symbol;
use crate::expr::eval::cell_address;
use crate::expr::{BinaryOp, Cell, Expr, MemorySort, Node, Sort, Var};

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Contents {
    pub(super) value: Expr,
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
}

impl Memory {
    /// The memory with the contents of an expression.
    pub(super) fn new(base: Expr) -> Memory {
        Memory { base, cells: OrdMap::new(), whole: None }
    }

    pub(super) fn table(&self) -> &OrdMap<u64, Contents> {
        &self.cells
    }

    pub(super) fn put(&mut self, address: u64, contents: Contents) {
        self.whole = None;
        self.cells.insert(address, contents);
    }

    /// Replaces what the table lies on.
    pub(super) fn replace_base(&mut self, base: Expr) {
        (self.base, self.whole) = (base, None);
    }

    pub(super) fn base(&self) -> Expr {
        self.base
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = (u64, Contents)> {
        self.cells.iter().map(|(&address, &contents)| (address, contents))
    }

    pub(super) fn write(&mut self, address: u64, value: Expr) {
        self.whole = None;
        self.cells.insert(address, Contents { value, written: true });
    }
}

impl Execution<'_> {
    /// The contents of cells of a memory variable at a constant address, concatenated.
    pub(super) fn read_cells(&mut self, memory: Var, address: u64, cells: u16) -> Expr {
        let sort = self.memory_sort(memory);
        let mut all = self.contents(memory, address).value;
        for cell in 1..cells {
            let next = self.contents(memory, cell_address(sort, address.into(), cell) as u64).value;
            all = self.pool.binary(BinaryOp::Concat, next, all);
        }
        all
    }

    /// The same, without keeping what is found in the table.
    pub(super) fn peek_cells(&mut self, memory: Var, address: u64, cells: u16) -> Expr {
        let sort = self.memory_sort(memory);
        let mut all = None;
        for cell in 0..cells {
            let at = cell_address(sort, address.into(), cell) as u64;
            let table = self.memory(memory);
            let (known, base) = (table.cells.get(&at).map(|contents| contents.value), table.base);
            let value = known.unwrap_or_else(|| self.base_cell(base, at));
            all = Some(all.map_or(value, |low| self.pool.binary(BinaryOp::Concat, value, low)));
        }
        all.expect("a read concerns at least one cell")
    }

    /// One cell of a memory variable.
    pub(super) fn contents(&mut self, memory: Var, address: u64) -> Contents {
        if let Some(&contents) = self.memory(memory).cells.get(&address) {
            return contents;
        }
        let base = self.memory(memory).base;
        let value = self.base_cell(base, address);
        let contents = Contents { value, written: false };
        self.memory(memory).cells.insert(address, contents);
        contents
    }

    /// The cells of a memory variable at a symbolic address.
    pub(super) fn search(&mut self, memory: Var, address: Expr, cells: u16) -> Expr {
        if let Some(value) = self.choose(memory, address, cells) {
            return value;
        }
        let whole = self.whole(memory);
        self.read_at(whole, address, cells)
    }

    /// A memory variable as one expression.
    pub(super) fn whole(&mut self, memory: Var) -> Expr {
        let (copy, sort) = (self.memory(memory).clone(), self.memory_sort(memory));
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
            let parts = self.split(sort, value);
            if self.write_places(memory, address, &parts, value) {
                return;
            }
            let whole = self.whole(memory);
            let base = self.pool.write(whole, address, value);
            self.set_memory(memory, Memory::new(base));
            return;
        };
        for (cell, part) in self.split(sort, value).into_iter().enumerate() {
            let at = cell_address(sort, at.raw(), cell as u16) as u64;
            self.memory(memory).write(at, part);
        }
    }

    /// Splits a value into cells.
    pub(super) fn split(&mut self, sort: MemorySort, value: Expr) -> Vec<Expr> {
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
        self.memory(memory).write(address, value);
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
