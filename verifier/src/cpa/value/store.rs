//! The store of the exploration: a state restricted to the tracked cells.

use std::ops::RangeInclusive;

use smallvec::SmallVec;

use super::Values;
use super::cells::{CellId, CellKey, CellSet};
use super::eval::Known;
use super::map::WordMap;
use super::transfer::{EVERYWHERE, Store};
use crate::cfa::{EdgeId, FuncId};
use crate::expr::{MemorySort, Sort, Var};

/// A state under modification.
pub struct Tracked<'a, 'p> {
    /// The analysis.
    pub values: &'a Values<'p>,
    /// The state.
    pub map: WordMap,
    /// The cells that may be known after the step; `None` for all.
    pub tracked: Option<&'a CellSet>,
    /// Values that an assumption gives to untracked cells. They are kept until the end of the step, because one part of
    /// a condition may contradict another.
    pub pinned: SmallVec<[(CellKey, u64); 2]>,
}

/// An immutable state.
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
        self.map.get(self.values.cells.get(CellKey::cell(memory, address))?)
    }
}

impl Tracked<'_, '_> {
    #[inline]
    fn put(&mut self, key: CellKey, word: Option<u64>) {
        let cells = &self.values.cells;
        let (cell, is_tracked) = match self.tracked {
            None if word.is_some() => (cells.number(key), true),
            _ => match cells.get(key) {
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
    fn pinned(&self, key: CellKey) -> Option<u64> {
        self.pinned.iter().find(|(pinned, _)| *pinned == key).map(|&(_, word)| word)
    }

    fn is_tracked(&self, key: CellKey) -> bool {
        self.tracked.is_none_or(|set| self.values.cells.get(key).is_some_and(|cell| set.contains(cell)))
    }

    fn cell_bytes(&self, memory: Var) -> u64 {
        match self.values.program().var(memory).sort {
            Sort::Memory(sort) => sort.cell.bytes(),
            _ => 1,
        }
    }

    /// Removes the known local cells of a function, and returns them.
    fn take_locals(&mut self, function: FuncId) -> Vec<(CellKey, u32, u64)> {
        let mut known = Vec::new();
        self.values.cells.for_locals(function, |cell| known.extend(self.map.get(cell).map(|word| (cell, word))));
        let taken = known.iter().map(|&(cell, word)| {
            let (key, outer) = self.values.cells.key(cell);
            (key, outer, word)
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
        known.or_else(|| self.pinned(CellKey::scalar(var)))
    }

    #[inline]
    fn cell(&mut self, memory: Var, address: u64) -> Option<u64> {
        let key = CellKey::cell(memory, address);
        let known = self.values.cells.get(key).and_then(|cell| self.map.get(cell));
        known.or_else(|| self.pinned(key))
    }
}

impl Store for Tracked<'_, '_> {
    #[inline]
    fn set_scalar(&mut self, var: Var, word: Option<u64>) {
        self.put(CellKey::scalar(var), word);
    }

    fn set_cell(&mut self, memory: Var, address: u64, word: Option<u64>) {
        let bytes = self.cell_bytes(memory);
        if !self.values.cells.is_on_grid(memory, address, bytes) {
            self.forget(memory, address.saturating_sub(bytes - 1)..=address.saturating_add(bytes - 1));
        }
        self.put(CellKey::cell(memory, address), word);
    }

    fn pin(&mut self, key: CellKey, word: u64) {
        if !self.is_tracked(key) {
            self.pinned.push((key, word));
            return;
        }
        match key.address {
            None => self.set_scalar(key.var, Some(word)),
            Some(address) => self.set_cell(key.var, address, Some(word)),
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
                self.put(CellKey::cell(memory, address), word(address));
            }
            return;
        }
        let cells = contents.segments.iter().flat_map(|s| (0..s.bytes / bytes).map(move |i| s.address + i * bytes));
        for address in cells.take(values.semantics.tuning.max_cells as usize) {
            self.set_cell(memory, address, word(address));
        }
    }

    fn copy_all(&mut self, target: Var, source: Var) {
        self.forget(target, EVERYWHERE);
        for (address, cell) in self.values.cells.in_memory(source, EVERYWHERE) {
            if let Some(word) = self.map.get(cell) {
                self.values.cells.is_on_grid(target, address, self.cell_bytes(target));
                self.put(CellKey::cell(target, address), Some(word));
            }
        }
    }

    fn tracks(&self, var: Var) -> bool {
        self.is_tracked(CellKey::scalar(var))
    }

    fn forget_dead(&mut self, call: EdgeId) {
        for &var in self.values.liveness.iter().flat_map(|liveness| liveness.dead_during(call)) {
            self.values.remove(&mut self.map, var);
        }
    }

    /// Only recursive functions have local values on entry: those of other activations, which become outer cells.
    fn enter(&mut self, callee: FuncId) {
        if self.values.flow.is_recursive(callee) {
            for (key, outer, word) in self.take_locals(callee) {
                self.put_outer(key, outer + 1, word);
            }
        }
    }

    fn leave(&mut self, callee: FuncId) {
        if !self.values.flow.is_recursive(callee) {
            let map = &mut self.map;
            self.values.cells.for_locals(callee, |cell| map.remove(cell));
            return;
        }
        for (key, outer, word) in self.take_locals(callee) {
            if let Some(outer) = outer.checked_sub(1) {
                self.put_outer(key, outer, word);
            }
        }
    }
}

impl Tracked<'_, '_> {
    fn put_outer(&mut self, key: CellKey, outer: u32, word: u64) {
        let cell = self.values.cells.outer(key, outer);
        if self.tracked.is_none_or(|set| set.contains(cell)) {
            self.map.set(cell, word);
        }
    }
}
