//! The callstack analysis: tracks the active calls, matches returns with calls, and bounds recursion.

use std::cell::RefCell;

use super::{Cpa, Index, Successors};
use crate::cfa::{EdgeId, FuncId, Op, Program, Step};
use rustc_hash::FxHashMap;

/// A stack of calls, interned: equal stacks have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StackId(u32);

impl StackId {
    /// The stack of the start function, without calls.
    pub const EMPTY: StackId = StackId(0);
}

/// The callstack analysis.
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
    /// The number of activations of the function of this frame.
    activations: u32,
    /// The maximum number of activations of any function.
    recursion: u32,
}

impl<'p> Callstacks<'p> {
    /// The callstack analysis of `program`, with at most `bound` activations of each function.
    pub fn new(program: &'p Program, bound: u32) -> Callstacks<'p> {
        let bottom = Frame { below: StackId::EMPTY, call: None, depth: 0, activations: 1, recursion: 1 };
        Callstacks { program, bound, table: RefCell::new(Table { frames: vec![bottom], ids: FxHashMap::default() }) }
    }

    /// The innermost call.
    #[inline]
    pub fn top(&self, stack: StackId) -> Option<EdgeId> {
        self.table.borrow().frames[stack.0 as usize].call
    }

    /// The number of active calls.
    #[inline]
    pub fn depth(&self, stack: StackId) -> u32 {
        self.table.borrow().frames[stack.0 as usize].depth
    }

    /// The maximum number of activations of any function.
    #[inline]
    pub fn recursion(&self, stack: StackId) -> u32 {
        self.table.borrow().frames[stack.0 as usize].recursion
    }

    /// The active calls, the innermost first.
    pub fn calls(&self, mut stack: StackId) -> Vec<EdgeId> {
        let table = self.table.borrow();
        let mut calls = Vec::new();
        while let Frame { below, call: Some(call), .. } = table.frames[stack.0 as usize] {
            calls.push(call);
            stack = below;
        }
        calls
    }

    /// Whether `step` exceeds the bound on recursion. It then has no successor, so a proof must exclude it otherwise.
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

    /// The number of activations of `function`. For recursive functions, the walk ends after a few frames.
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
}

impl Index for Callstacks<'_> {
    const MERGES: bool = false;

    fn shape(&self, state: &StackId) -> u64 {
        state.0.into()
    }

    fn digest_as(&self, state: &StackId, like: &StackId) -> Option<u64> {
        (state == like).then_some(0)
    }
}
