//! Contracts: what holds whenever a function is entered, and what holds when it returns.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::interface::Interface;
use crate::algorithm::guess::terms::rebuild;
use crate::cfa::FuncId;
use crate::expr::eval::{self, Env, Undefined};
use crate::expr::{Expr, MemorySort, Pool, Sort, Value, Var};

/// The contract of a function: conjunctions of clauses over the variables of its slots.
#[derive(Clone, Debug)]
pub struct Contract {
    /// What the clauses speak about.
    pub interface: Interface,
    /// Clauses over the slots at the entry. Every call satisfies them.
    pub requires: Vec<Expr>,
    /// Clauses over all slots. Every return satisfies them.
    pub ensures: Vec<Expr>,
}

/// A part of a contract.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Part {
    /// What holds at the entry.
    Requires,
    /// What holds at the exit.
    Ensures,
}

/// The contracts of all recursive functions.
#[derive(Clone, Debug, Default)]
pub struct Contracts {
    /// The clauses.
    pub pool: Pool,
    /// The contracts, by function.
    pub of: BTreeMap<FuncId, Contract>,
}

impl Contract {
    /// The clauses of a part.
    pub fn clauses(&self, part: Part) -> &[Expr] {
        match part {
            Part::Requires => &self.requires,
            Part::Ensures => &self.ensures,
        }
    }

    /// The clauses of a part, mutably.
    pub fn clauses_mut(&mut self, part: Part) -> &mut Vec<Expr> {
        match part {
            Part::Requires => &mut self.requires,
            Part::Ensures => &mut self.ensures,
        }
    }
}

impl Contracts {
    /// Adds a clause, unless the contract has it or it is trivial.
    pub fn add(&mut self, function: FuncId, part: Part, clause: Expr) {
        let contract = self.of.get_mut(&function).expect("recursive functions have contracts");
        let clauses = contract.clauses_mut(part);
        if self.pool.as_const(clause) != Some(Value::Bool(true)) && !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }

    /// The clauses of a part of a contract in another pool, where the slots have the given values.
    pub fn instantiate(&self, function: FuncId, part: Part, values: &[Expr], pool: &mut Pool) -> Vec<Expr> {
        let contract = &self.of[&function];
        let mut done = FxHashMap::default();
        for (slot, &value) in contract.interface.slots.iter().zip(values) {
            done.insert(slot.var, value);
        }
        let mut known = FxHashMap::default();
        let clauses = contract.clauses(part).iter();
        clauses.map(|&clause| rebuild(&self.pool, clause, &done, &mut known, pool)).collect()
    }
}

/// The values of the slots in one activation that returned. Unknown ones were never written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Sample {
    /// The values, in the order of the slots.
    pub values: Box<[Option<u128>]>,
}

impl Sample {
    /// Whether `clause` holds; `None` if it depends on an unknown value or is undefined.
    pub fn satisfies(&self, interface: &Interface, pool: &Pool, clause: Expr) -> Option<bool> {
        self.value(interface, pool, clause).map(Value::is_true)
    }

    /// The value of an expression over slots; `None` if it depends on an unknown value or is undefined.
    pub fn value(&self, interface: &Interface, pool: &Pool, expr: Expr) -> Option<Value> {
        eval::evaluate(pool, expr, &mut Values { sample: self, interface }).ok()
    }

    /// The value of a slot as a signed number.
    pub fn signed(&self, interface: &Interface, slot: usize) -> Option<i128> {
        Some(crate::expr::value::signed(interface.slots[slot].width, self.values[slot]?))
    }
}

struct Values<'a> {
    sample: &'a Sample,
    interface: &'a Interface,
}

/// A value that a sample lacks.
struct Missing;

impl From<Undefined> for Missing {
    fn from(_: Undefined) -> Missing {
        Missing
    }
}

impl Env for Values<'_> {
    type Stop = Missing;

    fn var(&mut self, var: Var) -> Result<Value, Missing> {
        let first = self.interface.slots.first().ok_or(Missing)?.var;
        let slot = var.0.checked_sub(first.0).ok_or(Missing)? as usize;
        let raw = self.sample.values.get(slot).copied().flatten().ok_or(Missing)?;
        Value::from_raw(Sort::Bits(self.interface.slots[slot].width), raw).ok_or(Missing)
    }

    fn read(&mut self, _: Var, _: MemorySort, _: u128, _: u16) -> Result<Value, Missing> {
        Err(Missing)
    }
}
