//! Cells: the units whose values are tracked, variables and single cells of memories, numbered as they come up.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::cfa::{FuncId, Program, Scope, Sums, Var};

/// A cell, by its number in [`Cells`]; only those that some state tracks have one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CellId(pub u32);

/// What a cell is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// A scalar variable, a memory, or a sum of variables.
    pub var: Var,
    /// The address of the cell, if the variable is a memory.
    pub address: Option<u64>,
}

impl Place {
    /// A scalar variable, or a sum.
    pub const fn scalar(var: Var) -> Place {
        Place { var, address: None }
    }

    /// A cell of a memory.
    pub const fn cell(memory: Var, address: u64) -> Place {
        Place { var: memory, address: Some(address) }
    }
}

/// The numbers of cells.
///
/// Local variables of functions that are under way several times at once have one cell for each activation: the
/// innermost one has the number of the place itself, the others are *outer* cells of it.
#[derive(Debug)]
pub struct Cells {
    scalars: Box<[Cell<u32>]>,
    /// The functions that a variable or sum belongs to, if any.
    owners: Box<[SmallVec<[FuncId; 2]>]>,
    /// Where the cells of a memory start, modulo their size, or that there are several answers.
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
    places: Vec<(Place, u32)>,
    memories: FxHashMap<Var, BTreeMap<u64, CellId>>,
    outer: FxHashMap<(Place, u32), CellId>,
    locals: FxHashMap<FuncId, Vec<CellId>>,
}

impl Cells {
    /// No cell has a number yet.
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

    /// The number of a scalar variable's cell, if it has one.
    #[inline]
    pub fn scalar(&self, var: Var) -> Option<CellId> {
        let id = self.scalars[var.index()].get();
        (id != NO_CELL).then_some(CellId(id))
    }

    /// The number of a place, if it has one.
    pub fn get(&self, place: Place) -> Option<CellId> {
        match place.address {
            None => self.scalar(place.var),
            Some(address) => self.table.borrow().memories.get(&place.var)?.get(&address).copied(),
        }
    }

    /// The number of a place; a new one if it has none yet.
    pub fn number(&self, place: Place) -> CellId {
        match self.get(place) {
            Some(id) => id,
            None => self.add(place, 0),
        }
    }

    /// The cell of the same place `outer` activations further out.
    pub fn outer(&self, place: Place, outer: u32) -> CellId {
        if outer == 0 {
            return self.number(place);
        }
        let known = self.table.borrow().outer.get(&(place, outer)).copied();
        known.unwrap_or_else(|| self.add(place, outer))
    }

    #[cold]
    fn add(&self, place: Place, outer: u32) -> CellId {
        let mut table = self.table.borrow_mut();
        let id = CellId(u32::try_from(table.places.len()).expect("fewer than 2^32 cells"));
        table.places.push((place, outer));
        match (place.address, outer) {
            (None, 0) => self.scalars[place.var.index()].set(id.0),
            (Some(address), 0) => {
                table.memories.entry(place.var).or_default().insert(address, id);
            }
            _ => {
                table.outer.insert((place, outer), id);
            }
        }
        for &function in &self.owners[place.var.index()] {
            table.locals.entry(function).or_default().push(id);
        }
        id
    }

    /// Do all accesses to `memory` so far, with that at `address`, touch cells that do not overlap? They do not in
    /// programs that keep to the types of their objects. Every address that a state gets to know must be told, or a write
    /// would leave what it overlaps.
    pub fn is_on_grid(&self, memory: Var, address: u64, bytes: u64) -> bool {
        let (grid, offset) = (&self.grids[memory.index()], address % bytes);
        match grid.get() {
            Grid::Unknown => grid.set(Grid::Offset(offset)),
            Grid::Offset(other) if other != offset => grid.set(Grid::Several),
            Grid::Offset(_) | Grid::Several => {}
        }
        grid.get() != Grid::Several
    }

    /// What a cell is, and how many activations further out.
    pub fn place(&self, cell: CellId) -> (Place, u32) {
        self.table.borrow().places[cell.0 as usize]
    }

    /// The numbered cells of a memory whose addresses are in `range`.
    pub fn in_memory(&self, memory: Var, range: RangeInclusive<u64>) -> Vec<(u64, CellId)> {
        if range.is_empty() {
            return Vec::new();
        }
        let table = self.table.borrow();
        table.memories.get(&memory).map_or_else(Vec::new, |cells| cells.range(range).map(|(&a, &id)| (a, id)).collect())
    }

    /// Visits the numbered cells of the local variables of a function, of all activations.
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
    /// Is the cell in the set?
    #[inline]
    pub fn contains(&self, cell: CellId) -> bool {
        self.words.get(cell.0 as usize / 64).is_some_and(|word| word >> (cell.0 % 64) & 1 == 1)
    }

    /// Adds a cell. Was it missing?
    pub fn insert(&mut self, cell: CellId) -> bool {
        let (word, bit) = (cell.0 as usize / 64, 1 << (cell.0 % 64));
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let missing = self.words[word] & bit == 0;
        self.words[word] |= bit;
        missing
    }

    /// One bit for each of the 64 cells from `first` on, a multiple of 64.
    #[inline]
    pub fn word(&self, first: u32) -> u64 {
        self.words.get(first as usize / 64).copied().unwrap_or(0)
    }

    /// All cells, in order.
    pub fn iter(&self) -> impl Iterator<Item = CellId> + '_ {
        let words = self.words.iter().enumerate();
        words.flat_map(|(i, &word)| (0..64).filter(move |b| word >> b & 1 == 1).map(move |b| CellId(i as u32 * 64 + b)))
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Is there none?
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
