//! Models: values of all variables that satisfy the assertions.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use z3::ast::{Ast, BV};

use super::backend::Claim;
use super::bits::constant;
use super::encode::{Term, cell_at, variable, width};
use crate::expr::eval::{self, Env, Undefined};
use crate::expr::value::mask;
use crate::expr::{Cell, Expr, MemorySort, Pool, Sort, Value, Var};

/// Values of all variables. Those irrelevant to the solver are zero or arbitrary.
pub struct Model {
    model: Claim,
    variables: RefCell<FxHashMap<Var, Value>>,
    cells: RefCell<FxHashMap<(Var, u128), Value>>,
}

impl Model {
    pub(super) fn new(model: Claim) -> Model {
        Model { model, variables: RefCell::default(), cells: RefCell::default() }
    }

    /// The value of a scalar variable of sort `sort`.
    ///
    /// # Panics
    /// If it is a memory; use [`Model::cell`] instead.
    pub fn variable(&self, var: Var, sort: Sort) -> Value {
        if let Some(&value) = self.variables.borrow().get(&var) {
            return value;
        }
        assert!(!matches!(sort, Sort::Memory(_)), "a scalar is expected, this is of sort {sort}");
        let raw = match &self.model {
            Claim::Values(values) => values.variable(var) & mask(width(sort)),
            Claim::Z3(model) => match variable(var, sort) {
                Term::Bool(term) => {
                    let value = model.eval(&term, true).and_then(|value| value.as_bool());
                    u128::from(value.unwrap_or(false))
                }
                Term::Bits(term) => bits(model, &term, width(sort)),
                Term::Number(_) | Term::Memory(_) => unreachable!("it is a scalar"),
            },
        };
        let value = Value::from_raw(sort, raw).expect("scalars have values");
        self.variables.borrow_mut().insert(var, value);
        value
    }

    /// The contents of the memory variable `memory` at `address`.
    pub fn cell(&self, memory: Var, sort: MemorySort, address: u128) -> Value {
        if let Some(&value) = self.cells.borrow().get(&(memory, address)) {
            return value;
        }
        let cell = sort.cell.sort();
        let raw = match &self.model {
            Claim::Values(values) => values.cell(memory, address) & mask(width(cell)),
            Claim::Z3(model) => {
                let Term::Memory(array) = variable(memory, Sort::Memory(sort)) else {
                    unreachable!("memories are arrays")
                };
                bits(model, &cell_at(&array, &constant(sort.address, address)), width(cell))
            }
        };
        let value = Value::from_raw(cell, raw).expect("cells are scalars");
        self.cells.borrow_mut().insert((memory, address), value);
        value
    }

    /// The value of a scalar expression; an error if an operator in it is undefined.
    pub fn value(&self, pool: &Pool, expr: Expr) -> Result<Value, Undefined> {
        eval::evaluate(pool, expr, &mut Values { model: self, pool })
    }

    /// Whether `expr` is defined and holds.
    pub fn satisfies(&self, pool: &Pool, expr: Expr) -> bool {
        self.value(pool, expr) == Ok(Value::Bool(true))
    }
}

fn bits(model: &z3::Model, term: &BV, width: u16) -> u128 {
    let part = |term: &BV| {
        let value = model.eval(term, true).map(|value| value.simplify());
        u128::from(value.and_then(|value| value.as_u64()).unwrap_or(0))
    };
    if width <= 64 {
        part(term)
    } else {
        part(&term.extract(u32::from(width) - 1, 64)) << 64 | part(&term.extract(63, 0))
    }
}

struct Values<'a> {
    model: &'a Model,
    pool: &'a Pool,
}

impl Env for Values<'_> {
    type Stop = Undefined;

    fn var(&mut self, var: Var) -> Result<Value, Undefined> {
        // The variable is being evaluated, so the pool has a node for it.
        let sort = self.pool.var_sort(var).expect("the variable occurs in the pool");
        Ok(self.model.variable(var, sort))
    }

    fn read(&mut self, memory: Var, sort: MemorySort, address: u128, cells: u16) -> Result<Value, Undefined> {
        let Cell::Bits(width) = sort.cell else { return Ok(self.model.cell(memory, sort, address)) };
        let bits = (0..cells).fold(0, |bits, cell| {
            bits | self.model.cell(memory, sort, eval::cell_address(sort, address, cell)).raw() << (cell * width)
        });
        Ok(Value::bits(cells * width, bits))
    }
}
