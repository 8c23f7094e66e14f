//! Symbols: the variables of formulas, which stand for what the program does not determine.

use rustc_hash::FxHashMap;

use crate::cfa::expr::{Expr, Pool};
use crate::cfa::program::Var;
use crate::cfa::sort::Sort;

/// What a symbol stands for.
///
/// Two runs along the same path name the same things alike, whatever else they look at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// What a variable holds before anything is assigned to it: a global one (activation 0), or one of an activation.
    Initial {
        /// Which one; they are counted as they begin.
        activation: u32,
        /// The variable.
        var: Var,
    },
    /// What a variable of an activation holds where execution began in the middle of the program, if the same function
    /// is under way so often below it. Without any below, the variable stands for itself.
    Outer {
        /// How often.
        below: u32,
        /// The variable.
        var: Var,
    },
    /// Which of two ways was taken, where they meet.
    Choice {
        /// How many steps had been taken before they met.
        step: u32,
        /// Which one of the joins since then.
        number: u32,
    },
    /// What a variable holds that nobody reads any more.
    Dead {
        /// The variable.
        var: Var,
    },
    /// What a variable holds after a step that makes it unknown, or a memory that a step changes as a whole.
    After {
        /// The position of the step.
        step: u32,
        /// The variable.
        var: Var,
    },
    /// An unknown cell of a memory, after a step.
    Cell {
        /// The position of the step.
        step: u32,
        /// The memory variable.
        memory: Var,
        /// Its address.
        address: u64,
    },
    /// The copy of an unknown cell.
    Copy {
        /// The position of the step.
        step: u32,
        /// The memory variable that it is copied to.
        memory: Var,
        /// Which one of the cells that the step copies.
        number: u16,
    },
    /// The value, in a step, of an expression whose operator has none.
    Undefined {
        /// The position of the step.
        step: u32,
        /// The program's expression.
        expr: Expr,
    },
    /// A name for a value that a step computes.
    Name {
        /// The position of the step.
        step: u32,
        /// The value.
        value: Expr,
    },
}

/// All symbols of a formula: variables of its pool that follow those of the program.
#[derive(Clone, Debug)]
pub struct Symbols {
    first: u32,
    list: Vec<(Symbol, Sort)>,
    ids: FxHashMap<Symbol, Var>,
}

impl Symbols {
    /// No symbols yet; the program has `variables` variables.
    pub fn new(variables: usize) -> Symbols {
        let first = u32::try_from(variables).expect("variables have 32-bit ids");
        Symbols { first, list: Vec::new(), ids: FxHashMap::default() }
    }

    /// The expression of a symbol, which is made if it is new.
    pub fn expr(&mut self, pool: &mut Pool, symbol: Symbol, sort: Sort) -> Expr {
        let var = *self.ids.entry(symbol).or_insert_with(|| {
            self.list.push((symbol, sort));
            Var(self.first + self.list.len() as u32 - 1)
        });
        pool.var(var, sort)
    }

    /// What a variable of the formula stands for; nothing if it is one of the program.
    pub fn symbol(&self, var: Var) -> Option<(Symbol, Sort)> {
        var.0.checked_sub(self.first).and_then(|index| self.list.get(index as usize)).copied()
    }

    /// The variable of a symbol, if there is one.
    pub fn var(&self, symbol: Symbol) -> Option<Var> {
        self.ids.get(&symbol).copied()
    }

    /// All symbols with their variables, in the order in which they were made.
    pub fn iter(&self) -> impl Iterator<Item = (Var, Symbol, Sort)> {
        self.list.iter().zip(self.first..).map(|(&(symbol, sort), var)| (Var(var), symbol, sort))
    }
}
