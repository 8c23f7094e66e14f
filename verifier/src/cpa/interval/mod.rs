//! Intervals: the smallest and the largest value of each integer variable, joined where paths meet and widened at loop
//! heads.

mod assume;
pub mod bounds;
mod show;

use std::rc::Rc;

use imbl::OrdMap;

use super::{Cpa, Domain, Index, Successors};
use crate::cfa::{FuncId, Function, LocId, Op, Program, Step};
use crate::expr::{Expr, Node, Var};
use crate::facts::{Facts, Flow, Liveness};
use assume::{assume, evaluate, width};
use bounds::Interval;

/// The interval domain of any program, which tracks all integer variables.
pub struct IntervalDomain;

impl Domain for IntervalDomain {
    type For<'p> = Intervals<'p>;

    fn instantiate<'p>(&self, facts: &Facts<'p>) -> (Intervals<'p>, ()) {
        (Intervals::new(facts), ())
    }
}

/// The interval domain of a program.
#[derive(Debug)]
pub struct Intervals<'p> {
    program: &'p Program,
    flow: Rc<Flow>,
    liveness: Rc<Liveness>,
    /// The constants of the program and their neighbours, sorted: bounds widen to the next of them.
    thresholds: Vec<i128>,
}

/// The intervals of variables; a variable without one has any value. Memories are not tracked.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct IntervalState {
    intervals: OrdMap<Var, Interval>,
    /// Whether merging widens: the state is at a loop head, or where recursion starts.
    widens: bool,
}

impl IntervalState {
    /// The interval of a variable, if it restricts its values.
    pub fn get(&self, var: Var) -> Option<Interval> {
        self.intervals.get(&var).copied()
    }

    /// All intervals that restrict something.
    pub fn iter(&self) -> impl Iterator<Item = (Var, Interval)> {
        self.intervals.iter().map(|(&var, &interval)| (var, interval))
    }

    fn set(&mut self, var: Var, interval: Option<Interval>) {
        match interval.filter(|interval| !interval.is_full()) {
            Some(interval) => self.intervals.insert(var, interval),
            None => self.intervals.remove(&var),
        };
    }

    /// Forgets a variable.
    pub fn forget(&mut self, var: Var) {
        self.intervals.remove(&var);
    }
}

impl<'p> Intervals<'p> {
    /// The interval domain of the program of `facts`.
    pub fn new(facts: &Facts<'p>) -> Intervals<'p> {
        let program = facts.program;
        let pool = &program.pool;
        let constants = pool.exprs().filter_map(|expr| match pool.node(expr) {
            Node::Const(value) => Some(Interval::constant(width(value.sort())?, value.raw())),
            _ => None,
        });
        let numbers = constants.flat_map(|c| [c.signed_bounds().0, c.unsigned_bounds().0 as i128]);
        let mut thresholds: Vec<i128> = numbers.flat_map(|n| [n - 1, n, n + 1]).collect();
        thresholds.sort_unstable();
        thresholds.dedup();
        Intervals { program, flow: facts.flow(), liveness: facts.liveness(), thresholds }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// All values of an expression in the concrete states of `state`; `None` if its sort has no intervals.
    pub fn evaluate(&self, state: &IntervalState, expr: Expr) -> Option<Interval> {
        evaluate(&self.program.pool, state, expr)
    }

    /// Enters a function. Of a recursive one, the variables of outer activations are forgotten.
    fn call(&self, state: &mut IntervalState, callee: FuncId, args: &[Expr]) {
        let function = self.program.function(callee);
        let values: Vec<Option<Interval>> = args.iter().map(|&arg| self.evaluate(state, arg)).collect();
        function.locals.iter().for_each(|&var| state.forget(var));
        function.params.iter().zip(values).for_each(|(&param, value)| state.set(param, value));
    }

    /// Leaves a function. It is not known which activation of its variables is meant from now on.
    fn leave(&self, state: &mut IntervalState, value: Option<Expr>, step: Step) {
        let value = value.and_then(|value| self.evaluate(state, value));
        let function = self.program.location(self.program.edge(step.edge).from).function;
        let Function { locals, params, .. } = self.program.function(function);
        locals.iter().chain(params).for_each(|&var| state.forget(var));
        if let Some(Op::Call { result: Some(var), .. }) = step.call.map(|call| &self.program.edge(call).op) {
            state.set(*var, value);
        }
    }
}

impl Cpa for Intervals<'_> {
    type State = IntervalState;
    type Precision = ();

    fn initial(&self) -> IntervalState {
        IntervalState::default()
    }

    fn transfer(&self, mut state: IntervalState, (): &(), step: Step) -> Successors<IntervalState> {
        let op = &self.program.edge(step.edge).op;
        match op {
            Op::Assume(condition) if !assume(&self.program.pool, &mut state, *condition, true) => {
                return Successors::new();
            }
            Op::Assign(var, expr) => {
                let value = self.evaluate(&state, *expr);
                state.set(*var, value);
            }
            Op::Call { callee, args, .. } => self.call(&mut state, *callee, args),
            Op::Return(value) => self.leave(&mut state, *value, step),
            _ => op.written().into_iter().for_each(|var| state.forget(var)),
        }
        Successors::from_buf([state])
    }

    /// Joins states; at loop heads, bounds that still grow are widened.
    fn merge(&self, new: &IntervalState, old: &IntervalState, (): &()) -> Option<IntervalState> {
        let mut merged = IntervalState { intervals: OrdMap::new(), widens: old.widens };
        for (&var, interval) in &old.intervals {
            let Some(newer) = new.intervals.get(&var) else { continue };
            let joined = interval.join(newer);
            let bounds = if old.widens { interval.widen(&joined, &self.thresholds) } else { joined };
            merged.set(var, Some(bounds));
        }
        Some(merged)
    }

    fn covers(&self, old: &IntervalState, new: &IntervalState) -> bool {
        let includes =
            |(var, interval): (&Var, &Interval)| new.get(*var).is_some_and(|newer| interval.includes(&newer));
        old.intervals.iter().all(includes)
    }

    /// Forgets dead variables.
    fn adjust(&self, mut state: IntervalState, (): &(), location: LocId) -> IntervalState {
        self.liveness.dead_at(location).iter().for_each(|&var| state.forget(var));
        state.widens = self.program.location(location).loop_head || self.flow.starts_recursion(location);
        state
    }
}

impl Index for Intervals<'_> {}
