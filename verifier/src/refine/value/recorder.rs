//! Execution of a path with all values tracked, recording the dependencies of each value.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use rustc_hash::FxHashMap;

use crate::cfa::{FuncId, InitialCells, Op, Scope, Step};
use crate::cpa::value::cells::CellKey;
use crate::cpa::value::eval::{Known, Semantics};
use crate::cpa::value::transfer::{EVERYWHERE, Store, transfer};
use crate::expr::{MemorySort, Sort, Var};

/// A cell of one activation of a function; global cells belong to activation 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key {
    /// The variable, or the cell of a memory.
    pub cell: CellKey,
    /// The activation, in order of creation.
    pub activation: u32,
}

/// A change of known values in a step.
#[derive(Clone, Debug)]
pub(super) enum ValueEvent {
    /// A cell got a known value that depends on `reads`.
    Set { key: Key, reads: Range<u32> },
    /// A memory was written at addresses that depend on `reads`. Its other cells are unchanged.
    Located { memory: Var, activation: u32, reads: Range<u32> },
    /// A memory got its initial contents.
    Initialized { memory: Var, activation: u32 },
}

/// The result of recording a path.
#[derive(Debug)]
pub struct Recording {
    pub(super) events: Vec<ValueEvent>,
    /// The ends of the events of each step.
    pub(super) ends: Vec<u32>,
    /// Whether each step is an assumption, whose events depend on each other in order. Those of other steps only depend
    /// on the state before.
    pub(super) assumptions: Vec<bool>,
    /// The cells read by evaluations, with their values.
    pub(super) reads: Vec<(Key, u64)>,
    /// The infeasible steps, with the reads that contradict them. All but the last are assumptions, which the recording
    /// then skipped.
    pub(super) contradictions: Vec<Contradiction>,
    activations: Vec<(FuncId, u32)>,
    /// The innermost activation after each step.
    innermost: Vec<u32>,
}

/// An infeasible step.
#[derive(Clone, Debug)]
pub(super) struct Contradiction {
    pub(super) step: usize,
    pub(super) reads: Range<u32>,
}

impl Recording {
    /// The number of steps that contradict the facts known there.
    pub fn contradictions(&self) -> usize {
        self.contradictions.len()
    }

    /// The number of activations of the same function that were started after that of `key` and are active after
    /// `position` steps.
    pub fn activations_since(&self, position: usize, key: Key) -> u32 {
        if key.activation == 0 {
            return 0;
        }
        let (function, _) = self.activations[key.activation as usize];
        let mut at = if position == 0 { 1 } else { self.innermost[position - 1] };
        let mut count = 0;
        while at != key.activation && at != 0 {
            let (other, caller) = self.activations[at as usize];
            count += u32::from(other == function);
            at = caller;
        }
        count
    }
}

/// Executes `path` with all values tracked. Infeasible assumptions are skipped, so that later contradictions are found
/// as well (the infeasible sliced prefixes of paper 003).
pub fn record(semantics: &Semantics<'_>, path: &[Step]) -> Recording {
    let (start, max_contradictions) = (semantics.program.start, semantics.tuning.max_contradictions);
    let recording = Recording {
        events: Vec::new(),
        ends: Vec::with_capacity(path.len()),
        assumptions: Vec::with_capacity(path.len()),
        reads: Vec::new(),
        contradictions: Vec::new(),
        activations: vec![(start, 0), (start, 0)],
        innermost: Vec::with_capacity(path.len()),
    };
    let mut recorder = Recorder {
        semantics,
        recording,
        scalars: FxHashMap::default(),
        memories: FxHashMap::default(),
        activation: 1,
        begin: 0,
        recalled: None,
    };
    for (position, &step) in path.iter().enumerate() {
        let events = recorder.recording.events.len();
        let possible = transfer(semantics, &mut recorder, step);
        let reads = recorder.reads();
        let is_untouched = recorder.recording.events.len() == events;
        let is_assumption = matches!(semantics.program.edge(step.edge).op, Op::Assume(_));
        recorder.recording.ends.push(recorder.recording.events.len() as u32);
        recorder.recording.assumptions.push(is_assumption);
        recorder.recording.innermost.push(recorder.activation);
        if !possible {
            recorder.recording.contradictions.push(Contradiction { step: position, reads });
            if !is_assumption || !is_untouched || recorder.recording.contradictions() == max_contradictions {
                break;
            }
        }
    }
    recorder.recording
}

struct Recorder<'a, 'p> {
    semantics: &'a Semantics<'p>,
    recording: Recording,
    scalars: FxHashMap<(Var, u32), u64>,
    memories: FxHashMap<(Var, u32), Memory<'p>>,
    /// The innermost activation.
    activation: u32,
    /// The start of the reads of the current evaluation.
    begin: u32,
    /// Reads of an earlier evaluation whose result is being written.
    recalled: Option<Range<u32>>,
}

/// The known contents of a memory.
#[derive(Clone, Default)]
struct Memory<'p> {
    cells: BTreeMap<u64, u64>,
    /// Initial contents apply where no cell is known, except in the holes.
    initial: Option<(&'p InitialCells, MemorySort)>,
    holes: Vec<RangeInclusive<u64>>,
}

/// The addresses of cells that overlap the one at `address`.
fn overlapping(address: u64, bytes: u64) -> RangeInclusive<u64> {
    address.saturating_sub(bytes - 1)..=address.saturating_add(bytes - 1)
}

impl Recorder<'_, '_> {
    fn owner(&self, var: Var) -> u32 {
        // A function whose variables occur in sums has at most one activation, and its sums are dropped when it
        // returns.
        if self.semantics.sums.parts(var).is_some() {
            return 0;
        }
        match self.semantics.program.var(var).scope {
            Scope::Global => 0,
            Scope::Local(_) => self.activation,
        }
    }

    fn key(&self, cell: CellKey) -> Key {
        Key { cell, activation: self.owner(cell.var) }
    }

    /// The reads of the current evaluation.
    fn reads(&self) -> Range<u32> {
        self.recalled.clone().unwrap_or(self.begin..self.recording.reads.len() as u32)
    }

    fn record_read(&mut self, cell: CellKey, word: u64) {
        let key = self.key(cell);
        self.recording.reads.push((key, word));
    }

    fn record_set(&mut self, cell: CellKey) {
        let event = ValueEvent::Set { key: self.key(cell), reads: self.reads() };
        self.recording.events.push(event);
    }
}

impl Known for Recorder<'_, '_> {
    fn scalar(&mut self, var: Var) -> Option<u64> {
        let word = *self.scalars.get(&(var, self.owner(var)))?;
        self.record_read(CellKey::scalar(var), word);
        Some(word)
    }

    fn cell(&mut self, memory: Var, address: u64) -> Option<u64> {
        let contents = self.memories.get(&(memory, self.owner(memory)))?;
        let word = contents.cells.get(&address).copied().or_else(|| {
            let (initial, sort) = contents.initial?;
            let is_hidden = contents.cells.range(overlapping(address, sort.cell.bytes())).next().is_some();
            if is_hidden || contents.holes.iter().any(|hole| hole.contains(&address)) {
                return None;
            }
            let raw = initial.read(address, sort.cell.bytes())?;
            Some(self.semantics.words.word(sort.cell.sort(), raw))
        })?;
        self.record_read(CellKey::cell(memory, address), word);
        Some(word)
    }

    fn reads(&self) -> u32 {
        self.recording.reads.len() as u32
    }

    fn discard(&mut self, reads: Range<u32>) {
        self.recording.reads.drain(reads.start as usize..reads.end as usize);
    }
}

impl Store for Recorder<'_, '_> {
    fn begin(&mut self) {
        self.begin = self.recording.reads.len() as u32;
        self.recalled = None;
    }

    fn evaluated(&self) -> Range<u32> {
        self.reads()
    }

    fn recall(&mut self, reads: Range<u32>) {
        self.recalled = Some(reads);
    }

    fn located(&mut self, memory: Var) {
        let event = ValueEvent::Located { memory, activation: self.owner(memory), reads: self.reads() };
        self.recording.events.push(event);
    }

    fn set_scalar(&mut self, var: Var, word: Option<u64>) {
        let owner = self.owner(var);
        match word {
            Some(word) => {
                self.scalars.insert((var, owner), word);
                self.record_set(CellKey::scalar(var));
            }
            None => {
                self.scalars.remove(&(var, owner));
            }
        }
    }

    fn set_cell(&mut self, memory: Var, address: u64, word: Option<u64>) {
        let bytes = match self.semantics.program.var(memory).sort {
            Sort::Memory(sort) => sort.cell.bytes(),
            _ => 1,
        };
        let owner = self.owner(memory);
        let contents = self.memories.entry((memory, owner)).or_default();
        let overwritten: Vec<u64> = contents.cells.range(overlapping(address, bytes)).map(|(&a, _)| a).collect();
        for other in overwritten {
            contents.cells.remove(&other);
            if other != address {
                // The initial contents of the remaining bytes must not reappear.
                contents.holes.push(overlapping(other, bytes));
            }
        }
        match word {
            Some(word) => {
                contents.cells.insert(address, word);
                self.record_set(CellKey::cell(memory, address));
            }
            None => contents.holes.push(overlapping(address, bytes)),
        }
    }

    fn forget(&mut self, memory: Var, range: RangeInclusive<u64>) {
        let owner = self.owner(memory);
        let contents = self.memories.entry((memory, owner)).or_default();
        if range == EVERYWHERE {
            *contents = Memory::default();
            return;
        }
        let forgotten: Vec<u64> = contents.cells.range(range.clone()).map(|(&a, _)| a).collect();
        forgotten.iter().for_each(|a| {
            contents.cells.remove(a);
        });
        if contents.initial.is_some() {
            contents.holes.push(range);
        }
    }

    fn initialize(&mut self, memory: Var, sort: MemorySort, contents: u32) {
        let owner = self.owner(memory);
        let initial = self.semantics.program.initial_cells(contents);
        let fresh = Memory { initial: Some((initial, sort)), ..Memory::default() };
        self.memories.insert((memory, owner), fresh);
        self.recording.events.push(ValueEvent::Initialized { memory, activation: owner });
    }

    /// Each known cell of the target depends on that of the source; initial contents are not copied.
    fn copy_all(&mut self, target: Var, source: Var) {
        let known = self.memories.get(&(source, self.owner(source)));
        let cells: Vec<(u64, u64)> = known.map_or_else(Vec::new, |m| m.cells.iter().map(|(&a, &w)| (a, w)).collect());
        self.forget(target, EVERYWHERE);
        for (address, word) in cells {
            self.begin();
            self.record_read(CellKey::cell(source, address), word);
            self.set_cell(target, address, Some(word));
        }
    }

    fn enter(&mut self, callee: FuncId) {
        self.recording.activations.push((callee, self.activation));
        self.activation = self.recording.activations.len() as u32 - 1;
    }

    fn leave(&mut self, callee: FuncId) {
        for &sum in self.semantics.sums.of_function(callee) {
            self.scalars.remove(&(sum, 0));
        }
        self.activation = self.recording.activations[self.activation as usize].1;
    }
}
