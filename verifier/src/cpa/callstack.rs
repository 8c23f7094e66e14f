//! The callstack analysis: which calls are under way. It matches returns with calls and bounds recursion.

use std::cell::RefCell;

use super::{Cpa, Successors};
use crate::cfa::{EdgeId, FuncId, Op, Program, Step};
use rustc_hash::FxHashMap;

/// A stack of calls, interned: equal stacks have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StackId(u32);

impl StackId {
    /// No call is under way but that of the start function.
    pub const EMPTY: StackId = StackId(0);
}

/// Follows calls and returns.
#[derive(Debug)]
pub struct Callstacks<'p> {
    program: &'p Program,
    bound: u32,
    table: RefCell<Table>,
}

#[derive(Debug, Default)]
struct Table {
    frames: Vec<Frame>,
    ids: FxHashMap<(StackId, EdgeId), StackId>,
}

/// The innermost call of a stack.
#[derive(Clone, Copy, Debug)]
struct Frame {
    below: StackId,
    call: Option<EdgeId>,
    depth: u32,
    /// How often the function of this frame is on the stack.
    activations: u32,
    /// How often some function is on the stack.
    recursion: u32,
}

impl<'p> Callstacks<'p> {
    /// The callstack analysis of `program`; no function may be under way more than `bound` times.
    pub fn new(program: &'p Program, bound: u32) -> Callstacks<'p> {
        let bottom = Frame { below: StackId::EMPTY, call: None, depth: 0, activations: 1, recursion: 1 };
        Callstacks { program, bound, table: RefCell::new(Table { frames: vec![bottom], ids: FxHashMap::default() }) }
    }

    /// The innermost call.
    #[inline]
    pub fn top(&self, stack: StackId) -> Option<EdgeId> {
        self.table.borrow().frames[stack.0 as usize].call
    }

    /// How many calls are under way.
    #[inline]
    pub fn depth(&self, stack: StackId) -> u32 {
        self.table.borrow().frames[stack.0 as usize].depth
    }

    /// How often the function that is under way most often is.
    #[inline]
    pub fn recursion(&self, stack: StackId) -> u32 {
        self.table.borrow().frames[stack.0 as usize].recursion
    }

    /// The calls that are under way, the innermost one first.
    pub fn calls(&self, mut stack: StackId) -> Vec<EdgeId> {
        let table = self.table.borrow();
        let mut calls = Vec::new();
        while let Frame { below, call: Some(call), .. } = table.frames[stack.0 as usize] {
            calls.push(call);
            stack = below;
        }
        calls
    }

    /// Would `step` exceed the bound on recursion? Then it has no successor here, which nobody may take for a proof.
    #[inline]
    pub fn exceeds(&self, stack: StackId, step: Step) -> bool {
        match self.program.edge(step.edge).op {
            Op::Call { callee, .. } => self.activations(stack, callee) >= self.bound,
            _ => false,
        }
    }

    fn callee(&self, frame: &Frame) -> FuncId {
        match frame.call.map(|call| &self.program.edge(call).op) {
            Some(Op::Call { callee, .. }) => *callee,
            _ => self.program.start,
        }
    }

    /// How often `function` is on the stack. Asked for the functions that can call themselves, it walks a few frames.
    fn activations(&self, mut stack: StackId, function: FuncId) -> u32 {
        let table = self.table.borrow();
        loop {
            let frame = &table.frames[stack.0 as usize];
            if self.callee(frame) == function {
                return frame.activations;
            }
            if frame.call.is_none() {
                return 0;
            }
            stack = frame.below;
        }
    }

    fn push(&self, stack: StackId, call: EdgeId, callee: FuncId) -> StackId {
        if let Some(&id) = self.table.borrow().ids.get(&(stack, call)) {
            return id;
        }
        let activations = self.activations(stack, callee) + 1;
        let frame = Frame {
            below: stack,
            call: Some(call),
            depth: self.depth(stack) + 1,
            activations,
            recursion: self.recursion(stack).max(activations),
        };
        let mut table = self.table.borrow_mut();
        let id = StackId(u32::try_from(table.frames.len()).expect("fewer than 2^32 stacks"));
        table.frames.push(frame);
        table.ids.insert((stack, call), id);
        id
    }
}

impl Cpa for Callstacks<'_> {
    type State = StackId;
    type Precision = ();

    fn initial(&self) -> StackId {
        StackId::EMPTY
    }

    #[inline]
    fn transfer(&self, state: StackId, _: &(), step: Step) -> Successors<StackId> {
        match (&self.program.edge(step.edge).op, step.call) {
            (Op::Call { .. }, _) if self.exceeds(state, step) => Successors::new(),
            (Op::Call { callee, .. }, _) => Successors::from_buf([self.push(state, step.edge, *callee)]),
            (_, Some(call)) => match self.table.borrow().frames[state.0 as usize] {
                Frame { below, call: Some(innermost), .. } if innermost == call => Successors::from_buf([below]),
                _ => Successors::new(),
            },
            _ => Successors::from_buf([state]),
        }
    }

    #[inline]
    fn covers(&self, old: &StackId, new: &StackId) -> bool {
        old == new
    }

    fn shape(&self, state: &StackId) -> u64 {
        state.0.into()
    }

    fn digest_as(&self, state: &StackId, like: &StackId) -> Option<u64> {
        (state == like).then_some(0)
    }
}
