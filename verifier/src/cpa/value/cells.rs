//! Cells: the units of tracking, which are variables and single cells of memories, numbered on demand.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::cfa::{FuncId, Program, Scope};
use crate::expr::Var;
use crate::facts::Sums;

/// A cell, by its number in [`Cells`]. Only cells that some state tracks have one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CellId(pub u32);

/// The identity of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CellKey {
    /// A scalar variable, a memory, or a sum of variables.
    pub var: Var,
    /// The address of the cell, if the variable is a memory.
    pub address: Option<u64>,
}

impl CellKey {
    /// A scalar variable, or a sum.
    pub const fn scalar(var: Var) -> CellKey {
        CellKey { var, address: None }
    }

    /// A cell of a memory.
    pub const fn cell(memory: Var, address: u64) -> CellKey {
        CellKey { var: memory, address: Some(address) }
    }
}

/// The numbering of cells.
///
/// A local variable of a recursive function has one cell for each activation. The innermost one has the number of the
/// key itself; the others are its *outer* cells.
#[derive(Debug)]
pub struct Cells {
    scalars: Box<[Cell<u32>]>,
    /// The functions that own a variable or sum.
    owners: Box<[SmallVec<[FuncId; 2]>]>,
    /// The alignment of the cells of each memory: their addresses modulo the cell size, if it is unique.
    grids: Box<[Cell<Grid>]>,
    table: RefCell<Table>,
}

const NO_CELL: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Grid {
    Unknown,
    Offset(u64),
    Several,
}

#[derive(Debug, Default)]
struct Table {
    keys: Vec<(CellKey, u32)>,
    memories: FxHashMap<Var, BTreeMap<u64, CellId>>,
    outer: FxHashMap<(CellKey, u32), CellId>,
    locals: FxHashMap<FuncId, Vec<CellId>>,
}

impl Cells {
    /// No cell is numbered.
    pub fn new(program: &Program, sums: &Sums) -> Cells {
        let owner = |scope| match scope {
            Scope::Global => SmallVec::new(),
            Scope::Local(function) => smallvec![function],
        };
        let owners = program.vars.iter().map(|v| owner(v.scope));
        Cells {
            scalars: vec![Cell::new(NO_CELL); program.vars.len() + sums.len()].into(),
            owners: owners.chain(sums.iter().map(|sum| sums.functions(sum).into())).collect(),
            grids: vec![Cell::new(Grid::Unknown); program.vars.len()].into(),
            table: RefCell::default(),
        }
    }

    /// The cell of a scalar variable, if it is numbered.
    #[inline]
    pub fn scalar(&self, var: Var) -> Option<CellId> {
        let id = self.scalars[var.index()].get();
        (id != NO_CELL).then_some(CellId(id))
    }

    /// The cell of a key, if it is numbered.
    pub fn get(&self, key: CellKey) -> Option<CellId> {
        match key.address {
            None => self.scalar(key.var),
            Some(address) => self.table.borrow().memories.get(&key.var)?.get(&address).copied(),
        }
    }

    /// The cell of a key, numbered if necessary.
    pub fn number(&self, key: CellKey) -> CellId {
        match self.get(key) {
            Some(id) => id,
            None => self.add(key, 0),
        }
    }

    /// The cell with the same key, `outer` activations further out.
    pub fn outer(&self, key: CellKey, outer: u32) -> CellId {
        if outer == 0 {
            return self.number(key);
        }
        let known = self.table.borrow().outer.get(&(key, outer)).copied();
        known.unwrap_or_else(|| self.add(key, outer))
    }

    #[cold]
    fn add(&self, key: CellKey, outer: u32) -> CellId {
        let mut table = self.table.borrow_mut();
        let id = CellId(u32::try_from(table.keys.len()).expect("fewer than 2^32 cells"));
        table.keys.push((key, outer));
        match (key.address, outer) {
            (None, 0) => self.scalars[key.var.index()].set(id.0),
            (Some(address), 0) => {
                table.memories.entry(key.var).or_default().insert(address, id);
            }
            _ => {
                table.outer.insert((key, outer), id);
            }
        }
        for &function in &self.owners[key.var.index()] {
            table.locals.entry(function).or_default().push(id);
        }
        id
    }

    /// Whether all accesses to `memory` so far, including the one at `address`, use non-overlapping cells. This holds
    /// for programs that respect the types of their objects. Every address with a known value must be reported, since a
    /// write that overlaps other cells must invalidate them.
    pub fn is_on_grid(&self, memory: Var, address: u64, bytes: u64) -> bool {
        let (grid, offset) = (&self.grids[memory.index()], address % bytes);
        match grid.get() {
            Grid::Unknown => grid.set(Grid::Offset(offset)),
            Grid::Offset(other) if other != offset => grid.set(Grid::Several),
            Grid::Offset(_) | Grid::Several => {}
        }
        grid.get() != Grid::Several
    }

    /// The key of a cell, and how many activations further out it is.
    pub fn key(&self, cell: CellId) -> (CellKey, u32) {
        self.table.borrow().keys[cell.0 as usize]
    }

    /// The numbered cells of a memory with addresses in `range`.
    pub fn in_memory(&self, memory: Var, range: RangeInclusive<u64>) -> Vec<(u64, CellId)> {
        if range.is_empty() {
            return Vec::new();
        }
        let table = self.table.borrow();
        table.memories.get(&memory).map_or_else(Vec::new, |cells| cells.range(range).map(|(&a, &id)| (a, id)).collect())
    }

    /// Visits the numbered cells of a function's local variables in all activations.
    pub fn for_locals(&self, function: FuncId, mut visit: impl FnMut(CellId)) {
        if let Some(cells) = self.table.borrow().locals.get(&function) {
            cells.iter().for_each(|&cell| visit(cell));
        }
    }
}

/// A set of cells.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct CellSet {
    words: Vec<u64>,
}

impl CellSet {
    /// Whether the cell is in the set.
    #[inline]
    pub fn contains(&self, cell: CellId) -> bool {
        self.words.get(cell.0 as usize / 64).is_some_and(|word| word >> (cell.0 % 64) & 1 == 1)
    }

    /// Adds a cell. Returns whether it was absent.
    pub fn insert(&mut self, cell: CellId) -> bool {
        let (word, bit) = (cell.0 as usize / 64, 1 << (cell.0 % 64));
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let absent = self.words[word] & bit == 0;
        self.words[word] |= bit;
        absent
    }

    /// The bits of the 64 cells starting at `first`, a multiple of 64.
    #[inline]
    pub fn word(&self, first: u32) -> u64 {
        self.words.get(first as usize / 64).copied().unwrap_or(0)
    }

    /// All cells, in order.
    pub fn iter(&self) -> impl Iterator<Item = CellId> + '_ {
        let words = self.words.iter().enumerate();
        words.flat_map(|(i, &word)| (0..64).filter(move |b| word >> b & 1 == 1).map(move |b| CellId(i as u32 * 64 + b)))
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }
}

impl FromIterator<CellId> for CellSet {
    fn from_iter<I: IntoIterator<Item = CellId>>(cells: I) -> CellSet {
        let mut set = CellSet::default();
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
