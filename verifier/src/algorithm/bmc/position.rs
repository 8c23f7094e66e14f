//! Where an unrolling is: the calls that are under way, and how often each loop around has been gone through.
//!
//! Positions are ordered so that ways that meet do so before they go on: callees before what follows their call, a loop
//! before what follows the loop, all else in reverse postorder.

use crate::cfa::loops::Loops;
use crate::cfa::{EdgeId, FuncId, LocId, Program};

/// A position as a sequence of numbers that is compared lexicographically. For each activation: the head and the iteration
/// of each loop around, the location, and the call if it is not the last one.
pub(super) type Key = Box<[u32]>;

/// A loop that is under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) head: LocId,
    /// Which iteration it is.
    pub(super) iteration: u32,
    /// The same, without the iterations in which control had only one way to go.
    pub(super) counted: u32,
    /// The forks on the way to the head.
    forks: u32,
}

/// A function that is under way.
#[derive(Clone, Debug)]
struct Activation {
    function: FuncId,
    /// Where control is; where the call is, if it calls.
    location: LocId,
    /// The call that is under way.
    call: Option<EdgeId>,
    turns: Vec<Turn>,
    /// How often the function is under way; activations between which control had only one way to go count once.
    depth: u32,
    /// The forks on the way to its beginning.
    forks: u32,
}

/// Where an unrolling is.
#[derive(Clone, Debug)]
pub(super) struct Position {
    activations: Vec<Activation>,
    /// How often control had several ways to go.
    forks: u32,
}

impl Position {
    /// At the start of the program.
    pub(super) fn new(program: &Program, loops: &Loops) -> Position {
        let mut position = Position { activations: Vec::new(), forks: 0 };
        position.enter(program, loops, program.start);
        position
    }

    pub(super) fn key(&self) -> Key {
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

    pub(super) fn location(&self) -> LocId {
        self.top().location
    }

    /// The calls that are under way, the last one first.
    pub(super) fn calls(&self) -> impl Iterator<Item = EdgeId> {
        self.activations.iter().rev().filter_map(|activation| activation.call)
    }

    /// The loop whose head this is, if it is one.
    pub(super) fn at_head(&self) -> Option<Turn> {
        self.top().turns.last().copied().filter(|turn| turn.head == self.location())
    }

    /// How often the function is under way: all activations, and those that count.
    pub(super) fn depths(&self) -> (usize, u32) {
        let top = self.top();
        let all = self.activations.iter().filter(|activation| activation.function == top.function).count();
        (all, top.depth)
    }

    /// How often control had several ways to go.
    pub(super) fn forks(&self) -> u32 {
        self.forks
    }

    /// Control has several ways to go.
    pub(super) fn fork(&mut self) {
        self.forks += 1;
    }

    /// Control goes on in the same activation.
    pub(super) fn go(&mut self, loops: &Loops, to: LocId) {
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

    /// Control enters a function by a call.
    pub(super) fn call(&mut self, program: &Program, loops: &Loops, call: EdgeId, callee: FuncId) {
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

    /// Control leaves a function. Gives the call that it returns from; none if the program ends.
    pub(super) fn leave(&mut self, program: &Program, loops: &Loops) -> Option<EdgeId> {
        self.activations.pop();
        let call = self.activations.last_mut()?.call.take()?;
        self.go(loops, program.edge(call).to);
        Some(call)
    }

    /// Lets iterations count no longer, so that positions in different ones are the same.
    pub(super) fn forget_iterations(&mut self) {
        for turn in self.activations.iter_mut().flat_map(|activation| &mut activation.turns) {
            turn.iteration = 0;
        }
    }

    /// Takes in another position with the same key.
    pub(super) fn merge(&mut self, other: &Position) {
        for (mine, others) in self.activations.iter_mut().zip(&other.activations) {
            mine.depth = mine.depth.max(others.depth);
            mine.forks = mine.forks.max(others.forks);
            for (mine, others) in mine.turns.iter_mut().zip(&others.turns) {
                mine.counted = mine.counted.max(others.counted);
                mine.forks = mine.forks.max(others.forks);
            }
        }
        // That ways meet means that they have parted.
        self.forks = self.forks.max(other.forks) + 1;
    }
}
