//! A run along a path with all values, which records where each of them came from.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use rustc_hash::FxHashMap;

use crate::cfa::{FuncId, InitialCells, MemorySort, Op, Scope, Sort, Step, Var};
use crate::cpa::value::cells::Place;
use crate::cpa::value::eval::{Known, Semantics};
use crate::cpa::value::transfer::{EVERYWHERE, Store, transfer};

/// A cell of one activation of a function; global cells belong to activation 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key {
    /// The variable, or the cell of a memory.
    pub place: Place,
    /// The activation, numbered as they start.
    pub activation: u32,
}

/// What happened to known values in a step.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A cell took a known value, because of those of `reads`.
    Set { key: Key, reads: Range<u32> },
    /// A memory was changed at known addresses, because of the values of `reads`. All else in it stays.
    Located { memory: Var, activation: u32, reads: Range<u32> },
    /// A memory took its initial contents.
    Initialized { memory: Var, activation: u32 },
}

/// What a run along a path found.
#[derive(Debug)]
pub struct Recording {
    pub(super) events: Vec<Event>,
    /// Where the events of each step end.
    pub(super) ends: Vec<u32>,
    /// The steps whose events rest on each other, one after the other; in all others, all rest on what was before.
    pub(super) assumptions: Vec<bool>,
    /// The cells that evaluations read, with their values.
    pub(super) reads: Vec<(Key, u64)>,
    /// The steps that cannot be taken, and the reads that show it. All but the last are assumptions, behind which the run
    /// went on as if they were not there.
    pub(super) contradictions: Vec<Contradiction>,
    activations: Vec<(FuncId, u32)>,
    /// The innermost activation after each step.
    innermost: Vec<u32>,
}

/// A step that cannot be taken.
#[derive(Clone, Debug)]
pub(super) struct Contradiction {
    pub(super) step: usize,
    pub(super) reads: Range<u32>,
}

/// A path is not followed behind more contradictions than this.
const MOST_CONTRADICTIONS: usize = 40;

impl Recording {
    /// How many steps of the path contradict what is known there.
    pub fn contradictions(&self) -> usize {
        self.contradictions.len()
    }

    /// How many activations of the same function were started since that of `key`, and are under way after `position`
    /// steps.
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

/// Runs along `path`, all values tracked. Assumptions that cannot hold are left out, so that what contradicts the path
/// further on is found as well (the infeasible sliced prefixes of paper 003).
pub fn record(semantics: &Semantics<'_>, path: &[Step]) -> Recording {
    let start = semantics.program.start;
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
            if !is_assumption || !is_untouched || recorder.recording.contradictions() == MOST_CONTRADICTIONS {
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
    /// Where the reads of the current evaluation begin.
    begin: u32,
    /// Those of an earlier evaluation whose result is put to use.
    recalled: Option<Range<u32>>,
}

/// What is known of a memory.
#[derive(Clone, Default)]
struct Memory<'p> {
    cells: BTreeMap<u64, u64>,
    /// The initial contents show through where no cell is known, except for the holes.
    initial: Option<(&'p InitialCells, MemorySort)>,
    holes: Vec<RangeInclusive<u64>>,
}

/// The addresses of cells that have a byte in common with that at `address`.
fn overlapping(address: u64, bytes: u64) -> RangeInclusive<u64> {
    address.saturating_sub(bytes - 1)..=address.saturating_add(bytes - 1)
}

impl Recorder<'_, '_> {
    fn owner(&self, var: Var) -> u32 {
        // Functions whose variables are in sums are under way once at most, and sums end with them.
        if self.semantics.sums.parts(var).is_some() {
            return 0;
        }
        match self.semantics.program.var(var).scope {
            Scope::Global => 0,
            Scope::Local(_) => self.activation,
        }
    }

    fn key(&self, place: Place) -> Key {
        Key { place, activation: self.owner(place.var) }
    }

    /// What the current evaluation has read.
    fn reads(&self) -> Range<u32> {
        self.recalled.clone().unwrap_or(self.begin..self.recording.reads.len() as u32)
    }

    fn record_read(&mut self, place: Place, word: u64) {
        let key = self.key(place);
        self.recording.reads.push((key, word));
    }

    fn record_set(&mut self, place: Place) {
        let event = Event::Set { key: self.key(place), reads: self.reads() };
        self.recording.events.push(event);
    }
}

impl Known for Recorder<'_, '_> {
    fn scalar(&mut self, var: Var) -> Option<u64> {
        let word = *self.scalars.get(&(var, self.owner(var)))?;
        self.record_read(Place::scalar(var), word);
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
        self.record_read(Place::cell(memory, address), word);
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
        let event = Event::Located { memory, activation: self.owner(memory), reads: self.reads() };
        self.recording.events.push(event);
    }

    fn set_scalar(&mut self, var: Var, word: Option<u64>) {
        let owner = self.owner(var);
        match word {
            Some(word) => {
                self.scalars.insert((var, owner), word);
                self.record_set(Place::scalar(var));
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
        let gone: Vec<u64> = contents.cells.range(overlapping(address, bytes)).map(|(&a, _)| a).collect();
        for other in gone {
            contents.cells.remove(&other);
            if other != address {
                // The initial contents below the part that is still there must not come back.
                contents.holes.push(overlapping(other, bytes));
            }
        }
        match word {
            Some(word) => {
                contents.cells.insert(address, word);
                self.record_set(Place::cell(memory, address));
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
        let gone: Vec<u64> = contents.cells.range(range.clone()).map(|(&a, _)| a).collect();
        gone.iter().for_each(|a| {
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
        self.recording.events.push(Event::Initialized { memory, activation: owner });
    }

    /// Each known cell of the target depends on the same one of the source; of initial contents, nothing is kept.
    fn copy_all(&mut self, target: Var, source: Var) {
        let known = self.memories.get(&(source, self.owner(source)));
        let cells: Vec<(u64, u64)> = known.map_or_else(Vec::new, |m| m.cells.iter().map(|(&a, &w)| (a, w)).collect());
        self.forget(target, EVERYWHERE);
        for (address, word) in cells {
            self.begin();
            self.record_read(Place::cell(source, address), word);
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
