//! Symbols: the variables of formulas, for values that the program does not determine.

use rustc_hash::FxHashMap;

use crate::expr::{Expr, Pool, Sort, Var};

/// The meaning of a symbol.
///
/// Symbols are named by position, so that two executions of the same path use the same ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// The initial value of a variable: a global one (activation 0), or one of an activation.
    Initial {
        /// The activation, numbered in order of creation.
        activation: u32,
        /// The variable.
        var: Var,
    },
    /// The value of a local variable where execution started in the middle of the program, if its function has further
    /// activations below. Without any, the variable stands for itself.
    Outer {
        /// The number of those activations.
        below: u32,
        /// The variable.
        var: Var,
    },
    /// The choice of a path at a join.
    Choice {
        /// The number of steps before the join.
        step: u32,
        /// The number of the join.
        number: u32,
    },
    /// A variable that is no longer live.
    Dead {
        /// The variable.
        var: Var,
    },
    /// The value of a variable after a step that havocs it, or of a memory that the step changes as a whole.
    After {
        /// The position of the step.
        step: u32,
        /// The variable.
        var: Var,
    },
    /// An unknown cell of a memory after a step.
    Cell {
        /// The position of the step.
        step: u32,
        /// The memory variable.
        memory: Var,
        /// Its address.
        address: u64,
    },
    /// An unknown cell of a memory symbol.
    Original {
        /// The memory symbol.
        memory: Var,
        /// Its address.
        address: u64,
    },
    /// The value of an undefined expression in a step.
    Undefined {
        /// The position of the step.
        step: u32,
        /// The program's expression.
        expr: Expr,
    },
    /// Whether the statement with this number is assumed, where several may be.
    Claim {
        /// The number of the statement.
        number: u32,
    },
    /// A name for a value computed in a step.
    Name {
        /// The position of the step.
        step: u32,
        /// The value.
        value: Expr,
    },
}

/// All symbols of a formula: variables of its pool after those of the program.
#[derive(Clone, Debug)]
pub struct Symbols {
    first: u32,
    list: Vec<(Symbol, Sort)>,
    ids: FxHashMap<Symbol, Var>,
}

impl Symbols {
    /// No symbols; the program has `variables` variables.
    pub fn new(variables: usize) -> Symbols {
        let first = u32::try_from(variables).expect("variables have 32-bit ids");
        Symbols { first, list: Vec::new(), ids: FxHashMap::default() }
    }

    /// The expression of a symbol, created if necessary.
    pub fn expr(&mut self, pool: &mut Pool, symbol: Symbol, sort: Sort) -> Expr {
        let var = *self.ids.entry(symbol).or_insert_with(|| {
            self.list.push((symbol, sort));
            Var(self.first + self.list.len() as u32 - 1)
        });
        pool.var(var, sort)
    }

    /// The meaning of a variable of the formula; `None` for variables of the program.
    pub fn symbol(&self, var: Var) -> Option<(Symbol, Sort)> {
        var.0.checked_sub(self.first).and_then(|index| self.list.get(index as usize)).copied()
    }

    /// The variable of a symbol, if it exists.
    pub fn var(&self, symbol: Symbol) -> Option<Var> {
        self.ids.get(&symbol).copied()
    }

    /// All symbols with their variables, in order of creation.
    pub fn iter(&self) -> impl Iterator<Item = (Var, Symbol, Sort)> {
        self.list.iter().zip(self.first..).map(|(&(symbol, sort), var)| (Var(var), symbol, sort))
    }
}
