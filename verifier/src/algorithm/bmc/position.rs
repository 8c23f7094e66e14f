//! Positions in an unrolling: the call stack, and the iteration of each enclosing loop.
//!
//! Positions are ordered so that paths join before they continue: a callee before the code after its call, a loop before
//! the code after it, everything else in reverse postorder.

use crate::cfa::{EdgeId, FuncId, LocId, Program};
use crate::facts::loops::Loops;

/// A position as a sequence of numbers, compared lexicographically. For each activation: the head and the iteration of
/// each enclosing loop, the location, and the call except for the innermost activation.
pub(in crate::algorithm) type Key = Box<[u32]>;

/// An active loop.
#[derive(Clone, Copy, Debug)]
pub(in crate::algorithm) struct Turn {
    pub(in crate::algorithm) head: LocId,
    /// The number of the iteration, from 1.
    pub(in crate::algorithm) iteration: u32,
    /// The number of iterations without those that had no fork.
    pub(in crate::algorithm) counted: u32,
    /// The number of forks on the path up to the head.
    forks: u32,
}

/// A function on the call stack.
#[derive(Clone, Debug)]
struct Activation {
    function: FuncId,
    /// The current location; that of the call, if it calls.
    location: LocId,
    /// The active call.
    call: Option<EdgeId>,
    turns: Vec<Turn>,
    /// The number of activations of the function; those without a fork in between count once.
    depth: u32,
    /// The number of forks on the path up to its entry.
    forks: u32,
}

/// A position in an unrolling.
#[derive(Clone, Debug)]
pub(in crate::algorithm) struct Position {
    activations: Vec<Activation>,
    /// The number of forks on the path so far.
    forks: u32,
}

impl Position {
    /// The start of the program.
    pub(in crate::algorithm) fn new(program: &Program, loops: &Loops) -> Position {
        Position::at_entry(program, loops, program.start)
    }

    /// The entry of a function, without callers.
    pub(in crate::algorithm) fn at_entry(program: &Program, loops: &Loops, function: FuncId) -> Position {
        let mut position = Position { activations: Vec::new(), forks: 0 };
        position.enter(program, loops, function);
        position
    }

    pub(in crate::algorithm) fn key(&self) -> Key {
        let mut key = Vec::new();
        for activation in &self.activations {
            key.extend(activation.turns.iter().flat_map(|turn| [turn.head.0, turn.iteration]));
            key.push(activation.location.0);
            key.extend(activation.call.map(|call| call.0));
        }
        key.into_boxed_slice()
    }

    fn top(&self) -> &Activation {
        self.activations.last().expect("the start function is always under way")
    }

    pub(in crate::algorithm) fn location(&self) -> LocId {
        self.top().location
    }

    /// The active calls, the innermost first.
    pub(in crate::algorithm) fn calls(&self) -> impl Iterator<Item = EdgeId> {
        self.activations.iter().rev().filter_map(|activation| activation.call)
    }

    /// The loop whose head the location is, if it is one.
    pub(in crate::algorithm) fn at_head(&self) -> Option<Turn> {
        self.top().turns.last().copied().filter(|turn| turn.head == self.location())
    }

    /// The number of activations of the current function: all of them, and those that count.
    pub(in crate::algorithm) fn depths(&self) -> (usize, u32) {
        let top = self.top();
        let all = self.activations.iter().filter(|activation| activation.function == top.function).count();
        (all, top.depth)
    }

    /// The number of forks on the path so far.
    pub(in crate::algorithm) fn forks(&self) -> u32 {
        self.forks
    }

    /// Counts a fork.
    pub(in crate::algorithm) fn fork(&mut self) {
        self.forks += 1;
    }

    /// Moves to a location of the same activation.
    pub(in crate::algorithm) fn go(&mut self, loops: &Loops, to: LocId) {
        let forks = self.forks;
        let top = self.activations.last_mut().expect("the start function is always under way");
        let turn = |&head: &LocId| match top.turns.iter().find(|turn| turn.head == head) {
            Some(turn) if head == to => Turn {
                head,
                iteration: turn.iteration + 1,
                counted: turn.counted + u32::from(forks > turn.forks),
                forks,
            },
            Some(&turn) => turn,
            None => Turn { head, iteration: 1, counted: 1, forks },
        };
        top.turns = loops.nest(to).iter().map(turn).collect();
        top.location = to;
    }

    /// Enters a function by a call.
    pub(in crate::algorithm) fn call(&mut self, program: &Program, loops: &Loops, call: EdgeId, callee: FuncId) {
        self.activations.last_mut().expect("the start function is always under way").call = Some(call);
        self.enter(program, loops, callee);
    }

    fn enter(&mut self, program: &Program, loops: &Loops, function: FuncId) {
        let outer = self.activations.iter().rev().find(|activation| activation.function == function);
        let depth = outer.map_or(1, |outer| outer.depth + u32::from(self.forks > outer.forks));
        let location = program.function(function).entry;
        let (turns, forks) = (Vec::new(), self.forks);
        self.activations.push(Activation { function, location, call: None, turns, depth, forks });
        self.go(loops, location);
    }

    /// Returns from a function. Returns its call; `None` if the program ends.
    pub(in crate::algorithm) fn leave(&mut self, program: &Program, loops: &Loops) -> Option<EdgeId> {
        self.activations.pop();
        let call = self.activations.last_mut()?.call.take()?;
        self.go(loops, program.edge(call).to);
        Some(call)
    }

    /// Resets the iterations, so that positions in different iterations have the same key.
    pub(in crate::algorithm) fn forget_iterations(&mut self) {
        for turn in self.activations.iter_mut().flat_map(|activation| &mut activation.turns) {
            turn.iteration = 0;
        }
    }

    /// Merges another position with the same key.
    pub(in crate::algorithm) fn merge(&mut self, other: &Position) {
        for (mine, others) in self.activations.iter_mut().zip(&other.activations) {
            mine.depth = mine.depth.max(others.depth);
            mine.forks = mine.forks.max(others.forks);
            for (mine, others) in mine.turns.iter_mut().zip(&others.turns) {
                mine.counted = mine.counted.max(others.counted);
                mine.forks = mine.forks.max(others.forks);
            }
        }
        // Paths that join have forked before.
        self.forks = self.forks.max(other.forks) + 1;
    }
}
