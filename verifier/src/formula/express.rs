//! Statements over the variables of the program, such as predicates and invariants, evaluated in a state.

use rustc_hash::FxHashMap;

use super::execution::Execution;
use super::memory::Contents;
use super::past::{Past, PastId};
use super::state::State;
use super::symbols::Symbol;
use crate::cfa::program::Scope;
use crate::expr::{Expr, Node, Sort, UnaryOp, Var};

/// A variable or cell whose value a condition determines.
#[derive(Clone, Copy, Debug)]
pub struct Pinned {
    /// The variable, or the memory.
    pub var: Var,
    /// The number of activations of the same function below its own.
    pub below: u32,
    /// The address of the cell, if it is a memory.
    pub address: Option<u64>,
    /// The value.
    pub value: Expr,
}

impl Execution<'_> {
    /// The value of an expression over program variables in the current state. A variable denotes that of the outermost
    /// activation of its function, [`Symbol::Outer`] that of an inner one; other symbols denote themselves. `None` if
    /// such an activation does not exist. Facts from memory definitions become conditions of the state.
    pub fn express(&mut self, root: Expr) -> Option<Expr> {
        self.express_all(&[root]).map(|values| values[0])
    }

    /// The same for several expressions, which may share subexpressions.
    pub fn express_all(&mut self, roots: &[Expr]) -> Option<Vec<Expr>> {
        let mut done: FxHashMap<Expr, Expr> = FxHashMap::default();
        let mut worklist: Vec<(Expr, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
        while let Some((expr, ready)) = worklist.pop() {
            if done.contains_key(&expr) {
                continue;
            }
            let node = self.pool.node(expr);
            if !ready {
                worklist.push((expr, true));
                let of_table = |memory: Expr| matches!(self.pool.node(memory), Node::Var(_));
                match node {
                    // Memory variables are read cell by cell.
                    Node::Read { memory, address, .. } if of_table(memory) => worklist.push((address, false)),
                    _ => worklist.extend(self.pool.children(expr).map(|child| (child, false))),
                }
                continue;
            }
            let value = match node {
                Node::Const(_) => expr,
                Node::Var(var) => self.slot(var)?,
                Node::Unary(op, a) => self.pool.unary(op, done[&a]),
                Node::Binary(op, a, b) => self.pool.binary(op, done[&a], done[&b]),
                Node::Ternary(op, a, b, c) => self.pool.ternary(op, done[&a], done[&b], done[&c]),
                Node::Write { memory, address, value } => self.pool.write(done[&memory], done[&address], done[&value]),
                Node::Read { memory, address, cells } => match self.pool.node(memory) {
                    Node::Var(var) => self.slot_cells(var, done[&address], cells)?,
                    _ => self.read_at(done[&memory], done[&address], cells),
                },
            };
            done.insert(expr, value);
        }
        self.commit_pending();
        Some(roots.iter().map(|root| done[root]).collect())
    }

    /// The frame of the activation with `below` others of the same function below it.
    fn activation(&self, scope: Scope, below: u32) -> Option<usize> {
        let Scope::Local(function) = scope else { return None };
        let functions = self.state.frames.iter().map(|frame| frame.call.map_or(self.program.start, |c| self.callee(c)));
        let of_function = functions.enumerate().filter(|(_, other)| *other == function);
        of_function.map(|(index, _)| index).nth(below as usize)
    }

    /// The program variable that a variable of a statement denotes, with its activation.
    fn meaning(&self, var: Var) -> Option<(Var, u32)> {
        match self.symbols.symbol(var) {
            None => Some((var, 0)),
            Some((Symbol::Outer { below, var }, _)) => Some((var, below)),
            Some(_) => None,
        }
    }

    /// Whether there is exactly one instance of `var`: it is global, or its function is active once.
    pub fn is_under_way_once(&self, var: Var) -> bool {
        let scope = self.program.var(var).scope;
        scope == Scope::Global || self.activation(scope, 0).is_some() && self.activation(scope, 1).is_none()
    }

    /// Runs `look` with the frame of a variable temporarily on top.
    fn within<T>(&mut self, var: Var, below: u32, look: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let scope = self.program.var(var).scope;
        if scope == Scope::Global {
            return Some(look(self));
        }
        let index = self.activation(scope, below)?;
        let above = self.state.frames.split_off(index + 1);
        let result = look(self);
        self.state.frames.extend(above);
        Some(result)
    }

    fn slot(&mut self, var: Var) -> Option<Expr> {
        let Some((var, below)) = self.meaning(var) else {
            let sort = self.pool.var_sort(var).expect("it occurs in the pool");
            return Some(self.pool.var(var, sort));
        };
        self.within(var, below, |execution| match execution.program.var(var).sort {
            Sort::Memory(_) => execution.whole(var),
            _ => execution.variable(var),
        })
    }

    fn slot_cells(&mut self, memory: Var, address: Expr, cells: u16) -> Option<Expr> {
        let Some((memory, below)) = self.meaning(memory) else {
            let sort = self.pool.var_sort(memory).expect("it occurs in the pool");
            let memory = self.pool.var(memory, sort);
            return Some(self.read_at(memory, address, cells));
        };
        self.within(memory, below, |execution| match execution.pool.as_const(address) {
            Some(at) => execution.read_cells(memory, at.raw() as u64, cells),
            None => execution.search(memory, address, cells),
        })
    }

    /// The variable or cell that has a single value wherever `condition` holds, and that value.
    pub fn pinned_by(&mut self, condition: Expr) -> Option<Pinned> {
        let (place, value) = match self.pool.node(condition) {
            Node::Var(_) => (condition, self.pool.bool(true)),
            Node::Unary(UnaryOp::Not, place) => (place, self.pool.bool(false)),
            _ => self.pool.as_comparison_with_constant(condition)?,
        };
        let (holder, address) = match self.pool.node(place) {
            Node::Var(var) => (var, None),
            Node::Read { memory, address, cells: 1 } => match self.pool.node(memory) {
                Node::Var(memory) => (memory, Some(self.pool.as_const(address)?.raw() as u64)),
                _ => return None,
            },
            _ => return None,
        };
        let (var, below) = self.meaning(holder)?;
        Some(Pinned { var, below, address, value })
    }

    /// Assumes a condition over program variables: if it pins a variable or cell, the value is propagated as a
    /// constant. The condition is not added to the state; the caller must conjoin it.
    pub fn take_for_granted(&mut self, condition: Expr) {
        let Some(Pinned { var, below, address, value }) = self.pinned_by(condition) else { return };
        self.within(var, below, |execution| match address {
            None => execution.set(var, value),
            Some(address) => {
                let contents = Contents { value, written: false };
                execution.memory(var).put(address, contents);
            }
        });
    }

    /// Replays all paths that led to `state` from the current state. Returns false if none of them is feasible here; an
    /// error says what cannot be expressed.
    pub fn repeat(&mut self, state: &State) -> Result<bool, String> {
        let start = self.state.clone();
        let mut states: FxHashMap<PastId, Option<State>> = FxHashMap::default();
        states.insert(PastId::default(), Some(start));
        for past in self.pasts.all_before(state.past) {
            let after = match self.pasts.last(past) {
                Past::Step { before, step } => match &states[&before] {
                    Some(before) => {
                        self.state = before.clone();
                        let condition = self.step(step)?;
                        let never = self.pool.bool(false);
                        (condition != Some(never)).then(|| self.state.clone())
                    }
                    None => None,
                },
                Past::Join { yes, no, .. } => match (states[&yes].clone(), states[&no].clone()) {
                    (Some(yes), Some(no)) => {
                        self.join(&yes, &no);
                        Some(self.state.clone())
                    }
                    (one, other) => one.or(other),
                },
            };
            states.insert(past, after);
        }
        match states.remove(&state.past).flatten() {
            Some(state) => {
                self.state = state;
                Ok(true)
            }
            None => Ok(false),
        }
    }
}
