//! The state of a run: its location and the values of variables.

use rustc_hash::FxHashMap;

use super::memory::{Memory, Origin};
use super::tables::{Tables, VarSlot};
use crate::cfa::program::{FuncId, LocId, Program};
use crate::expr::{Value, Var};

/// The state of a run.
pub struct State<'p> {
    pub(super) tables: &'p Tables<'p>,
    pub(super) location: LocId,
    pub(super) frames: Vec<Frame>,
    globals: Vec<Option<Value>>,
    /// The scalars of all frames. Those of the innermost frame start at `first_local`.
    locals: Vec<Option<Value>>,
    first_local: usize,
    global_memories: Vec<Memory<'p>>,
    local_memories: Vec<Memory<'p>>,
    first_memory: usize,
    /// The last origin given to an unknown byte, and the values of those that were drawn.
    last_origin: Origin,
    drawn: FxHashMap<Origin, u8>,
}

/// An activation of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) function: FuncId,
    /// The location after the call.
    pub(super) back: LocId,
    /// The caller's variable that takes the result.
    pub(super) result: Option<Var>,
    /// The first slots of the caller's variables.
    caller_local: usize,
    caller_memory: usize,
}

impl<'p> State<'p> {
    pub(super) fn new(tables: &'p Tables<'p>) -> State<'p> {
        let mut state = State {
            tables,
            location: LocId(0),
            frames: Vec::new(),
            globals: vec![None; tables.globals.scalars as usize],
            locals: Vec::new(),
            first_local: 0,
            global_memories: vec![Memory::default(); tables.globals.memories as usize],
            local_memories: Vec::new(),
            first_memory: 0,
            last_origin: 0,
            drawn: FxHashMap::default(),
        };
        state.enter(tables.program.start, LocId(0), None);
        state
    }

    /// The program that runs.
    pub fn program(&self) -> &'p Program {
        self.tables.program
    }

    /// The current location.
    pub fn location(&self) -> LocId {
        self.location
    }

    /// The active functions, innermost last.
    pub fn call_stack(&self) -> impl DoubleEndedIterator<Item = FuncId> + ExactSizeIterator {
        self.frames.iter().map(|f| f.function)
    }

    /// The value of a scalar variable, if it has one: a global one, or a local one of the innermost frame.
    pub fn value(&self, var: Var) -> Option<Value> {
        match self.tables.slot(var) {
            VarSlot::Global(slot) => self.globals[slot as usize],
            VarSlot::Local(slot) => self.locals.get(self.first_local + slot as usize).copied().flatten(),
            VarSlot::GlobalMemory(_) | VarSlot::LocalMemory(_) => None,
        }
    }

    /// A byte of a memory variable, if it is known.
    pub fn byte(&self, memory: Var, address: u64) -> Option<u8> {
        self.peek(memory, address).or_else(|origin| self.drawn.get(&origin).copied().ok_or(origin)).ok()
    }

    /// The identity of an unknown byte of a memory variable: copies of it, which will have the same value, share it.
    pub fn origin(&self, memory: Var, address: u64) -> Option<u32> {
        self.peek(memory, address).err().filter(|origin| *origin != 0 && !self.drawn.contains_key(origin))
    }

    fn peek(&self, memory: Var, address: u64) -> Result<u8, Origin> {
        match self.tables.slot(memory) {
            VarSlot::GlobalMemory(slot) => self.global_memories[slot as usize].peek(address),
            VarSlot::LocalMemory(slot) => match self.local_memories.get(self.first_memory + slot as usize) {
                Some(memory) => memory.peek(address),
                None => Err(0),
            },
            VarSlot::Global(_) | VarSlot::Local(_) => Err(0),
        }
    }

    /// Gives each unknown byte of a range an identity. False if too many bytes have one.
    pub(super) fn identify(&mut self, memory: Var, address: u64, bytes: u64) -> bool {
        let mut last = self.last_origin;
        let done = self.memory(memory).identify(address, bytes, &mut last);
        self.last_origin = last;
        done
    }

    /// Whether some unknown bytes were copied.
    pub(super) fn has_copies(&self) -> bool {
        self.last_origin != 0
    }

    /// Writes to the unknown bytes of a short range whose copies were drawn before.
    pub(super) fn settle(&mut self, memory: Var, address: u64, n: usize) {
        for address in (0..n as u64).map(|i| address.wrapping_add(i)) {
            if let Err(origin) = self.peek(memory, address)
                && let Some(&byte) = self.drawn.get(&origin)
            {
                self.memory(memory).write(address, 1, byte.into());
            }
        }
    }

    /// Writes drawn bytes. Their copies get the same values.
    pub(super) fn write_drawn(&mut self, memory: Var, address: u64, n: usize, raw: u128) {
        if self.has_copies() {
            for i in 0..n {
                if let Err(origin @ 1..) = self.peek(memory, address.wrapping_add(i as u64)) {
                    self.drawn.insert(origin, (raw >> (8 * i)) as u8);
                }
            }
        }
        self.memory(memory).write(address, n, raw);
    }

    #[inline]
    pub(super) fn set(&mut self, var: Var, value: Option<Value>) {
        match self.tables.slot(var) {
            VarSlot::Global(slot) => self.globals[slot as usize] = value,
            VarSlot::Local(slot) => self.locals[self.first_local + slot as usize] = value,
            VarSlot::GlobalMemory(_) | VarSlot::LocalMemory(_) => unreachable!("memories have no scalar value"),
        }
    }

    #[inline]
    pub(super) fn memory(&mut self, var: Var) -> &mut Memory<'p> {
        match self.tables.slot(var) {
            VarSlot::GlobalMemory(slot) => &mut self.global_memories[slot as usize],
            VarSlot::LocalMemory(slot) => &mut self.local_memories[self.first_memory + slot as usize],
            VarSlot::Global(_) | VarSlot::Local(_) => unreachable!("scalars are no memories"),
        }
    }

    /// Starts an activation of `function` with all local variables unknown.
    pub(super) fn enter(&mut self, function: FuncId, back: LocId, result: Option<Var>) {
        let (caller_local, caller_memory) = (self.first_local, self.first_memory);
        self.frames.push(Frame { function, back, result, caller_local, caller_memory });
        let counts = self.tables.counts(function);
        self.first_local = self.locals.len();
        self.first_memory = self.local_memories.len();
        self.locals.resize(self.first_local + counts.scalars as usize, None);
        self.local_memories.resize_with(self.first_memory + counts.memories as usize, Memory::default);
        self.location = self.tables.program.function(function).entry;
    }

    /// Ends the innermost activation, unless it is the outermost.
    pub(super) fn leave(&mut self) -> Option<Frame> {
        if self.frames.len() == 1 {
            return None;
        }
        let frame = self.frames.pop()?;
        self.locals.truncate(self.first_local);
        self.local_memories.truncate(self.first_memory);
        (self.first_local, self.first_memory) = (frame.caller_local, frame.caller_memory);
        self.location = frame.back;
        Some(frame)
    }
}
