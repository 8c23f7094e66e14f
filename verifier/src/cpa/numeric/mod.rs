//! Programs over numeric domains: machine integers as mathematical integers in the ranges of their types.
//!
//! A linear form over the variables is congruent to a sum of machine integers. It equals the number that the sum is if its
//! bounds show how often it wraps around. Where they do not, the result has any value of its type.

mod assume;
pub mod modular;
mod read;
pub mod views;

use std::cell::RefCell;
use std::rc::Rc;

use imbl::OrdMap;
use rustc_hash::FxHashMap;

use crate::cfa::{Function, Op, Program, Step};
use crate::expr::{Expr, Node, Sort, TernaryOp, Var};
use crate::numeric::{Linear, NumericDomain, Range};
use read::Reader;
use views::{View, views};

/// The number of nodes of an expression up to which it is remembered as the definition of a variable.
const MAX_DEFINITION: usize = 64;
/// Depth up to which both values of a conditional are assigned.
const MAX_SPLITS: u32 = 2;

/// The integer variables of a program.
pub struct Numbers<'p> {
    /// The program.
    pub program: &'p Program,
    views: Vec<Option<View>>,
    /// The variables of expressions, memories included.
    vars: RefCell<FxHashMap<Expr, Rc<[Var]>>>,
}

/// The numbers of integer variables.
#[derive(Clone, Debug)]
pub struct MachineState<D> {
    /// The numbers that variables are, in their views. A variable may lack the bounds of its type.
    pub numbers: D,
    /// Truth values and conditionals that variables equal.
    definitions: OrdMap<Var, Expr>,
}

impl<D: NumericDomain> MachineState<D> {
    /// All states in which the variables are these numbers.
    pub fn new(numbers: D) -> MachineState<D> {
        MachineState { numbers, definitions: OrdMap::new() }
    }

    /// Whether all states of `self` are in `other`.
    pub fn leq(&self, other: &MachineState<D>) -> bool {
        self.numbers.is_bottom()
            || self.numbers.leq(&other.numbers)
                && other.definitions.iter().all(|(var, expr)| self.definitions.get(var) == Some(expr))
    }

    /// The smallest state that includes both.
    pub fn join(&self, other: &MachineState<D>) -> MachineState<D> {
        if self.numbers.is_bottom() {
            return other.clone();
        }
        if other.numbers.is_bottom() {
            return self.clone();
        }
        MachineState { numbers: self.numbers.join(&other.numbers), definitions: self.common(other) }
    }

    /// A state that includes both, see [`NumericDomain::widen`].
    pub fn widen(&self, newer: &MachineState<D>, thresholds: &[i128]) -> MachineState<D> {
        let numbers = self.numbers.widen(&newer.numbers, thresholds);
        MachineState { numbers, definitions: self.common(newer) }
    }

    /// The same states, see [`NumericDomain::closed`].
    pub fn closed(&self) -> MachineState<D> {
        MachineState { numbers: self.numbers.closed(), definitions: self.definitions.clone() }
    }

    fn common(&self, other: &MachineState<D>) -> OrdMap<Var, Expr> {
        let same = self.definitions.iter().filter(|(var, expr)| other.definitions.get(*var) == Some(*expr));
        same.map(|(&var, &expr)| (var, expr)).collect()
    }
}

impl<'p> Numbers<'p> {
    /// The integer variables of `program`.
    pub fn new(program: &'p Program) -> Numbers<'p> {
        Numbers { program, views: views(program), vars: RefCell::default() }
    }

    /// How the bits of a variable are read; `None` if it is not tracked.
    pub fn view(&self, var: Var) -> Option<View> {
        self.views.get(var.index()).copied().flatten()
    }

    /// The views of all variables.
    pub fn views(&self) -> &[Option<View>] {
        &self.views
    }

    /// The variables of an expression, memories included.
    fn vars_of(&self, expr: Expr) -> Rc<[Var]> {
        if let Some(vars) = self.vars.borrow().get(&expr) {
            return Rc::clone(vars);
        }
        let pool = &self.program.pool;
        let (mut vars, mut worklist, mut seen) = (Vec::new(), vec![expr], rustc_hash::FxHashSet::default());
        while let Some(expr) = worklist.pop() {
            if !seen.insert(expr) {
                continue;
            }
            if let Node::Var(var) = pool.node(expr) {
                vars.push(var);
            }
            worklist.extend(pool.children(expr));
        }
        vars.sort_unstable();
        let vars: Rc<[Var]> = vars.into();
        self.vars.borrow_mut().insert(expr, Rc::clone(&vars));
        vars
    }

    /// Adds the bounds of its type to what is known of a variable.
    fn know_range<D: NumericDomain>(&self, numbers: &mut D, var: Var) {
        let Some(view) = self.view(var) else { return };
        let (low, high) = view.range();
        let Range { low: known_low, high: known_high } = numbers.bounds(&Linear::var(var));
        if known_low.is_none_or(|known| known < low) {
            numbers.assume(&Linear::var(var).negated().offset(low));
        }
        if known_high.is_none_or(|known| known > high) {
            numbers.assume(&Linear::var(var).offset(-high));
        }
    }

    fn know_ranges<D: NumericDomain>(&self, numbers: &mut D, expr: Expr) {
        self.vars_of(expr).iter().for_each(|&var| self.know_range(numbers, var));
    }

    /// Forgets a variable.
    pub fn forget<D: NumericDomain>(&self, state: &mut MachineState<D>, var: Var) {
        state.numbers.forget(var);
        self.forget_definitions(state, var);
    }

    fn forget_definitions<D>(&self, state: &mut MachineState<D>, var: Var) {
        let uses = |(defined, expr): &(&Var, &Expr)| **defined == var || self.vars_of(**expr).contains(&var);
        let gone: Vec<Var> = state.definitions.iter().filter(uses).map(|(&defined, _)| defined).collect();
        for defined in gone {
            state.definitions.remove(&defined);
        }
    }

    /// Restricts `state` to concrete states in which the condition is `holds`.
    pub fn assume<D: NumericDomain>(&self, state: &mut MachineState<D>, condition: Expr, holds: bool) {
        self.know_ranges(&mut state.numbers, condition);
        assume::assume(self, state, condition, holds);
    }

    /// `var = value`.
    pub fn assign<D: NumericDomain>(&self, state: &mut MachineState<D>, var: Var, value: Expr) {
        self.know_ranges(&mut state.numbers, value);
        let copied = match self.program.pool.node(value) {
            Node::Var(other) => state.definitions.get(&other).copied(),
            _ => Some(value),
        };
        let definition =
            copied.filter(|&expr| assume::is_definition(self, var, expr) && self.vars_of(expr).len() <= MAX_DEFINITION);
        self.assign_number(state, var, value, MAX_SPLITS);
        self.forget_definitions(state, var);
        if let Some(definition) = definition {
            state.definitions.insert(var, definition);
        }
    }

    fn assign_number<D: NumericDomain>(&self, state: &mut MachineState<D>, var: Var, value: Expr, splits: u32) {
        let Some(view) = self.view(var) else { return };
        let pool = &self.program.pool;
        let reader = Reader::new(self, state);
        let values = reader.interval(value);
        let is_open = |condition| reader.interval(condition).is_none_or(|truth| truth.as_constant().is_none());
        if let Node::Ternary(TernaryOp::Ite, condition, a, b) = pool.node(value)
            && splits > 0
            && is_open(condition)
        {
            let mut other = state.clone();
            for (state, taken, value) in [(&mut *state, true, a), (&mut other, false, b)] {
                assume::assume(self, state, condition, taken);
                self.assign_number(state, var, value, splits - 1);
            }
            state.numbers = state.numbers.join(&other.numbers);
            return;
        }
        let form = reader.exact(value, view.is_signed).filter(|form| !form.parts.is_empty());
        let (low, high) = match values {
            Some(values) if view.is_signed => values.signed_bounds(),
            Some(values) => (values.unsigned_bounds().0 as i128, values.unsigned_bounds().1 as i128),
            None => view.range(),
        };
        match form {
            Some(form) => state.numbers.assign(var, &form),
            None => state.numbers.assign(var, &Linear::range(low, high)),
        }
    }

    /// The effect of a step on `state`; bottom if the step cannot be taken. Recursive functions are not supported: their
    /// variables would have several instances.
    pub fn transfer<D: NumericDomain>(&self, state: &mut MachineState<D>, step: Step) {
        match &self.program.edge(step.edge).op {
            Op::Assume(condition) => self.assume(state, *condition, true),
            Op::Assign(var, value) if !matches!(self.program.var(*var).sort, Sort::Memory(_)) => {
                self.assign(state, *var, *value);
            }
            Op::Call { callee, args, .. } => {
                let Function { locals, params, .. } = self.program.function(*callee);
                locals.iter().for_each(|&var| self.forget(state, var));
                params.iter().zip(args).for_each(|(&param, &arg)| self.assign(state, param, arg));
            }
            Op::Return(value) => {
                let called = step.call.map(|call| &self.program.edge(call).op);
                if let Some(Op::Call { result: Some(result), .. }) = called {
                    match *value {
                        Some(value) => self.assign(state, *result, value),
                        None => self.forget(state, *result),
                    }
                }
                let function = self.program.location(self.program.edge(step.edge).from).function;
                let Function { locals, params, .. } = self.program.function(function);
                locals.iter().chain(params).for_each(|&var| self.forget(state, var));
            }
            op => op.written().into_iter().for_each(|var| self.forget(state, var)),
        }
    }
}
