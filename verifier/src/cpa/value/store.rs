//! The store of exploration: a state whose changes are restricted to the tracked cells.

use std::ops::RangeInclusive;

use smallvec::SmallVec;

use super::Values;
use super::cells::{CellId, CellSet, Place};
use super::eval::Known;
use super::map::WordMap;
use super::transfer::{EVERYWHERE, MANY_CELLS, Store};
use crate::cfa::{EdgeId, FuncId, MemorySort, Sort, Var};

/// A state under change.
pub struct Tracked<'a, 'p> {
    /// The analysis.
    pub values: &'a Values<'p>,
    /// The state.
    pub map: WordMap,
    /// The cells that may be known afterwards; all if there is no set.
    pub tracked: Option<&'a CellSet>,
    /// Values that an assumption leaves to cells that are not tracked: they are known until the step ends, as one part of
    /// a condition may contradict another.
    pub pinned: SmallVec<[(Place, u64); 2]>,
}

/// A state that stays as it is.
pub struct Frozen<'a, 'p> {
    /// The analysis.
    pub values: &'a Values<'p>,
    /// The state.
    pub map: &'a WordMap,
}

impl Known for Frozen<'_, '_> {
    #[inline]
    fn scalar(&mut self, var: Var) -> Option<u64> {
        self.map.get(self.values.cells.scalar(var)?)
    }

    #[inline]
    fn cell(&mut self, memory: Var, address: u64) -> Option<u64> {
        self.map.get(self.values.cells.get(Place::cell(memory, address))?)
    }
}

impl Tracked<'_, '_> {
    #[inline]
    fn put(&mut self, place: Place, word: Option<u64>) {
        let cells = &self.values.cells;
        let (cell, is_tracked) = match self.tracked {
            None if word.is_some() => (cells.number(place), true),
            _ => match cells.get(place) {
                Some(cell) => (cell, self.tracked.is_none_or(|set| set.contains(cell))),
                None => return,
            },
        };
        match word {
            Some(word) if is_tracked => self.map.set(cell, word),
            _ => self.map.remove(cell),
        }
    }

    #[inline]
    fn pinned(&self, place: Place) -> Option<u64> {
        self.pinned.iter().find(|(pinned, _)| *pinned == place).map(|&(_, word)| word)
    }

    fn is_tracked(&self, place: Place) -> bool {
        self.tracked.is_none_or(|set| self.values.cells.get(place).is_some_and(|cell| set.contains(cell)))
    }

    fn cell_bytes(&self, memory: Var) -> u64 {
        match self.values.program().var(memory).sort {
            Sort::Memory(sort) => sort.cell.bytes(),
            _ => 1,
        }
    }

    /// The known local cells of a function, which are taken out.
    fn take_locals(&mut self, function: FuncId) -> Vec<(Place, u32, u64)> {
        let mut known = Vec::new();
        self.values.cells.for_locals(function, |cell| known.extend(self.map.get(cell).map(|word| (cell, word))));
        let taken = known.iter().map(|&(cell, word)| {
            let (place, outer) = self.values.cells.place(cell);
            (place, outer, word)
        });
        let taken = taken.collect();
        known.iter().for_each(|&(cell, _): &(CellId, u64)| self.map.remove(cell));
        taken
    }
}

impl Known for Tracked<'_, '_> {
    #[inline]
    fn scalar(&mut self, var: Var) -> Option<u64> {
        let known = self.values.cells.scalar(var).and_then(|cell| self.map.get(cell));
        known.or_else(|| self.pinned(Place::scalar(var)))
    }

    #[inline]
    fn cell(&mut self, memory: Var, address: u64) -> Option<u64> {
        let place = Place::cell(memory, address);
        let known = self.values.cells.get(place).and_then(|cell| self.map.get(cell));
        known.or_else(|| self.pinned(place))
    }
}

impl Store for Tracked<'_, '_> {
    #[inline]
    fn set_scalar(&mut self, var: Var, word: Option<u64>) {
        self.put(Place::scalar(var), word);
    }

    fn set_cell(&mut self, memory: Var, address: u64, word: Option<u64>) {
        let bytes = self.cell_bytes(memory);
        if !self.values.cells.is_on_grid(memory, address, bytes) {
            self.forget(memory, address.saturating_sub(bytes - 1)..=address.saturating_add(bytes - 1));
        }
        self.put(Place::cell(memory, address), word);
    }

    fn pin(&mut self, place: Place, word: u64) {
        if !self.is_tracked(place) {
            self.pinned.push((place, word));
            return;
        }
        match place.address {
            None => self.set_scalar(place.var, Some(word)),
            Some(address) => self.set_cell(place.var, address, Some(word)),
        }
    }

    fn forget(&mut self, memory: Var, range: RangeInclusive<u64>) {
        if self.map.is_empty() {
            return;
        }
        for (_, cell) in self.values.cells.in_memory(memory, range) {
            self.map.remove(cell);
        }
    }

    fn initialize(&mut self, memory: Var, sort: MemorySort, contents: u32) {
        self.forget(memory, EVERYWHERE);
        let values = self.values;
        let contents = values.program().initial_cells(contents);
        let bytes = sort.cell.bytes();
        let word = |address| Some(values.semantics.words.word(sort.cell.sort(), contents.read(address, bytes)?));
        if self.tracked.is_some() {
            for (address, _) in values.cells.in_memory(memory, EVERYWHERE) {
                values.cells.is_on_grid(memory, address, bytes);
                self.put(Place::cell(memory, address), word(address));
            }
            return;
        }
        let cells = contents.segments.iter().flat_map(|s| (0..s.bytes / bytes).map(move |i| s.address + i * bytes));
        for address in cells.take(MANY_CELLS as usize) {
            self.set_cell(memory, address, word(address));
        }
    }

    fn copy_all(&mut self, target: Var, source: Var) {
        self.forget(target, EVERYWHERE);
        for (address, cell) in self.values.cells.in_memory(source, EVERYWHERE) {
            if let Some(word) = self.map.get(cell) {
                self.values.cells.is_on_grid(target, address, self.cell_bytes(target));
                self.put(Place::cell(target, address), Some(word));
            }
        }
    }

    fn wants(&self, var: Var) -> bool {
        self.is_tracked(Place::scalar(var))
    }

    fn bury(&mut self, call: EdgeId) {
        for &var in self.values.liveness.iter().flat_map(|liveness| liveness.dead_during(call)) {
            self.values.remove(&mut self.map, var);
        }
    }

    /// Only functions that are recursive have variables when they start: those of other activations, which move out.
    fn enter(&mut self, callee: FuncId) {
        if self.values.flow.is_recursive(callee) {
            for (place, outer, word) in self.take_locals(callee) {
                self.put_outer(place, outer + 1, word);
            }
        }
    }

    fn leave(&mut self, callee: FuncId) {
        if !self.values.flow.is_recursive(callee) {
            let map = &mut self.map;
            self.values.cells.for_locals(callee, |cell| map.remove(cell));
            return;
        }
        for (place, outer, word) in self.take_locals(callee) {
            if let Some(outer) = outer.checked_sub(1) {
                self.put_outer(place, outer, word);
            }
        }
    }
}

impl Tracked<'_, '_> {
    fn put_outer(&mut self, place: Place, outer: u32, word: u64) {
        let cell = self.values.cells.outer(place, outer);
        if self.tracked.is_none_or(|set| set.contains(cell)) {
            self.map.set(cell, word);
        }
    }
}
