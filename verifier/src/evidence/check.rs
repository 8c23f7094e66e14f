//! Feasibility of error paths.

use std::hash::BuildHasher;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::confirm::confirm;
use super::counterexample::Counterexample;
use super::replay::replay;
use super::verdict::Reason;
use crate::cfa::path::Step;
use crate::cfa::program::{Op, Program};
use crate::expr::{Expr, Value};
use crate::formula::{Constraint, Execution, Mark, PathFormula, Symbol};
use crate::monitor::{Monitor, Phase};
use crate::smt::{Answer, Model, Options, Solver};
use crate::tuning::Feasibility;

/// The result of checking an error path.
#[derive(Debug)]
pub enum PathCheck {
    /// The interpreter has replayed it, and a native run has not refuted it.
    Feasible(Box<Counterexample>),
    /// No run takes it.
    Infeasible {
        /// The positions of steps whose conditions contradict each other.
        core: Vec<usize>,
    },
    /// The solver gave up, the replay failed, or the run was stopped.
    Undecided(Reason),
}

/// Checks whether a run can take `path`, which leads from the start of the program to an error location.
pub fn check_path(program: &Program, path: &[Step], monitor: &Monitor) -> PathCheck {
    Checker::new(program, monitor).check(path)
}

/// The same, where values are known that some of the steps, by position, give to the variables that they havoc. They are
/// tried first, and need not be right.
pub fn check_path_with(program: &Program, path: &[Step], inputs: &[(usize, Value)], monitor: &Monitor) -> PathCheck {
    let mut checker = Checker::new(program, monitor);
    checker.inputs = inputs.to_vec();
    checker.check(path)
}

/// Checks paths of a program incrementally: the common prefix with the previous path is reused.
pub struct Checker<'a> {
    program: &'a Program,
    monitor: &'a Monitor,
    tuning: Feasibility,
    /// The symbolic execution of the last path.
    execution: Execution<'a>,
    /// The executed steps; if the condition of the last one is constant, that step is infeasible.
    steps: Vec<Step>,
    /// Positions to backtrack to: the numbers of steps and constraints, and the mark.
    marks: Vec<(usize, usize, Mark)>,
    /// The conditions of the steps, without repetitions.
    constraints: Vec<Constraint>,
    held: FxHashSet<Expr>,
    /// Holds the conditions of a path as assertions.
    solver: Solver<'a>,
    asserted: Vec<Expr>,
    /// The number of asserted conditions at the end of each level.
    levels: Vec<usize>,
    /// Models, by the hash of the conditions that they satisfy.
    models: FxHashMap<u64, Rc<Model>>,
    /// Values that steps of the path may give to the variables that they havoc.
    inputs: Vec<(usize, Value)>,
}

impl<'a> Checker<'a> {
    /// A checker without a path.
    pub fn new(program: &'a Program, monitor: &'a Monitor) -> Checker<'a> {
        let tuning = monitor.tuning.feasibility;
        Checker {
            program,
            monitor,
            tuning,
            execution: Execution::new(program, monitor.tuning.formula),
            steps: Vec::new(),
            marks: Vec::new(),
            constraints: Vec::new(),
            held: FxHashSet::default(),
            solver: Solver::new(monitor, Options { time: Some(tuning.time), ..Options::default() }),
            asserted: Vec::new(),
            levels: Vec::new(),
            models: FxHashMap::default(),
            inputs: Vec::new(),
        }
    }

    /// Checks whether a run can take `path`, which leads from the start of the program to an error location.
    pub fn check(&mut self, path: &[Step]) -> PathCheck {
        let before = self.monitor.enter(Phase::Checking);
        let result = self.answer(path);
        self.monitor.enter(before);
        match (&result, self.monitor.check()) {
            (PathCheck::Feasible(_), _) | (_, Ok(())) => result,
            (_, Err(stop)) => PathCheck::Undecided(Reason::Stopped(stop)),
        }
    }

    /// Like [`check`](Checker::check), but first refutes `path` incrementally, without a core.
    pub fn confirm(&mut self, path: &[Step]) -> PathCheck {
        if self.is_possible(path) { self.check(path) } else { PathCheck::Infeasible { core: Vec::new() } }
    }

    /// Whether a run may take `path`, from the start of the program to any location. Undecided counts as yes.
    pub fn is_possible(&mut self, path: &[Step]) -> bool {
        let before = self.monitor.enter(Phase::Checking);
        let result = self.follow(path).is_err() || !self.is_refuted() && self.is_satisfiable();
        self.monitor.enter(before);
        result
    }

    /// Whether `path` is known to be feasible without the solver, because the model of a prefix satisfies all of it.
    pub fn is_known(&mut self, path: &[Step]) -> bool {
        let before = self.monitor.enter(Phase::Checking);
        let result = self.follow(path).is_ok() && !self.is_refuted() && self.has_model();
        self.monitor.enter(before);
        result
    }

    /// Executes `path` up to the first step that is refuted. An error names an operation that cannot be expressed.
    fn follow(&mut self, path: &[Step]) -> Result<(), String> {
        if self.execution.pool.len() > self.program.pool.len() + self.tuning.max_expressions {
            *self = Checker::new(self.program, self.monitor);
        }
        let common = path.iter().zip(&self.steps).take_while(|(new, old)| new == old).count();
        if common < self.steps.len() {
            self.go_back(common);
        }
        while !self.is_refuted()
            && let Some(&step) = path.get(self.steps.len())
        {
            if self.steps.len().is_multiple_of(self.tuning.mark_interval) {
                self.marks.push((self.steps.len(), self.constraints.len(), self.execution.mark()));
            }
            match self.execution.step(step) {
                Ok(condition) => {
                    let new = condition.filter(|&condition| self.held.insert(condition));
                    let constraint = new.map(|condition| Constraint { step: self.steps.len(), condition });
                    self.constraints.extend(constraint);
                }
                Err(why) => {
                    self.go_back(0);
                    return Err(why);
                }
            }
            self.steps.push(step);
        }
        Ok(())
    }

    /// Backtracks to the last mark within the first `steps` steps. Expressions and symbols are kept, so that equal paths
    /// have equal conditions.
    fn go_back(&mut self, steps: usize) {
        let kept = self.marks.partition_point(|mark| mark.0 <= steps);
        self.marks.truncate(kept);
        let (steps, constraints, mark) = self.marks.pop().expect("the start is marked");
        self.execution.return_to(&mark);
        self.steps.truncate(steps);
        for constraint in self.constraints.drain(constraints..) {
            self.held.remove(&constraint.condition);
        }
    }

    /// Whether the condition of the last step is constant, and so false.
    fn is_refuted(&self) -> bool {
        self.constraints.last().is_some_and(|last| self.execution.pool.as_const(last.condition).is_some())
    }

    /// Whether the conditions are satisfiable. Undecided counts as yes.
    fn is_satisfiable(&mut self) -> bool {
        if self.has_model() {
            return true;
        }
        let pool = &self.execution.pool;
        let conditions = self.constraints.iter().map(|constraint| constraint.condition);
        let common = conditions.clone().zip(&self.asserted).take_while(|(new, old)| new == *old).count();
        // Levels end where paths diverge: one level for each condition costs more than asserting some conditions again.
        let kept = self.levels.partition_point(|&end| end <= common);
        self.solver.pop(self.levels.len() - kept);
        self.levels.truncate(kept);
        self.asserted.truncate(self.levels.last().copied().unwrap_or(0));
        let conditions: Vec<Expr> = conditions.collect();
        for end in [common, conditions.len()] {
            if end > self.asserted.len() {
                self.solver.push();
                for &condition in &conditions[self.asserted.len()..end] {
                    self.solver.assert(pool, condition);
                    self.asserted.push(condition);
                }
                self.levels.push(end);
            }
        }
        let answer = self.solver.check(pool);
        if let Answer::Sat(model) = &answer {
            self.keep(Rc::clone(model));
        }
        !matches!(answer, Answer::Unsat(_))
    }

    /// Whether the model of the longest prefix that has one satisfies all conditions.
    fn has_model(&mut self) -> bool {
        let mut hash = 0;
        let mut known = self.models.get(&hash).map(|model| (0, model));
        for (i, constraint) in self.constraints.iter().enumerate() {
            hash = chain(hash, constraint);
            known = self.models.get(&hash).map(|model| (i + 1, model)).or(known);
        }
        let Some((length, model)) = known else { return false };
        let rest = &self.constraints[length..];
        let holds = rest.iter().all(|constraint| model.satisfies(&self.execution.pool, constraint.condition));
        if holds && !rest.is_empty() {
            let model = Rc::clone(model);
            self.keep(model);
        }
        holds
    }

    /// Caches a model of the current conditions.
    fn keep(&mut self, model: Rc<Model>) {
        if self.models.len() >= self.tuning.max_models {
            self.models.clear();
        }
        self.models.insert(self.constraints.iter().fold(0, chain), model);
    }

    fn answer(&mut self, path: &[Step]) -> PathCheck {
        if let Err(why) = self.follow(path) {
            return unsolved(why, path);
        }
        if let Some(last) = self.constraints.last()
            && self.is_refuted()
        {
            return PathCheck::Infeasible { core: vec![last.step] };
        }
        let conditions: Vec<_> = self.constraints.iter().map(|constraint| constraint.condition).collect();
        let mut solver = Solver::new(self.monitor, Options::default());
        let known = self.known_inputs(path);
        if !known.is_empty() {
            let query: Vec<Expr> = known.into_iter().chain(conditions.iter().copied()).collect();
            if let Answer::Sat(model) = solver.check_once(&self.execution.pool, &query) {
                return self.replay(path, &model);
            }
        }
        let pool = &self.execution.pool;
        match solver.check_once(pool, &conditions) {
            Answer::Unknown(why) => unsolved(format!("the solver gave up: {why}"), path),
            Answer::Unsat(_) => {
                // Without a core, all conditions together are one.
                let core = match solver.core(pool, &conditions) {
                    Answer::Unsat(core) => core,
                    Answer::Sat(_) | Answer::Unknown(_) => (0..conditions.len()).collect(),
                };
                PathCheck::Infeasible { core: core.into_iter().map(|i| self.constraints[i].step).collect() }
            }
            Answer::Sat(model) => self.replay(path, &model),
        }
    }

    /// The conditions that havocked variables have the values that are tried first.
    fn known_inputs(&mut self, path: &[Step]) -> Vec<Expr> {
        let Execution { pool, symbols, .. } = &mut self.execution;
        let mut conditions = Vec::new();
        for &(position, value) in &self.inputs {
            let Op::Havoc(var, _) = self.program.edge(path[position].edge).op else { continue };
            let symbol = symbols.expr(pool, Symbol::After { step: position as u32, var }, value.sort());
            let value = pool.constant(value);
            conditions.push(pool.eq(symbol, value));
        }
        conditions
    }

    fn replay(&mut self, path: &[Step], model: &Model) -> PathCheck {
        self.monitor.enter(Phase::Replaying);
        // The replay consumes the expressions, so the checker starts anew.
        let used = std::mem::replace(self, Checker::new(self.program, self.monitor));
        let Execution { pool, symbols, inexact, .. } = used.execution;
        let formula = PathFormula { pool, symbols, constraints: used.constraints, inexact: inexact.clone() };
        let original = self.program.original();
        let replayed = replay(self.program, path, formula, model, &self.monitor.tuning, original.as_ref());
        match (replayed, inexact) {
            (Ok(found), _) => match confirm(original.as_ref().unwrap_or(self.program), found, self.monitor) {
                Ok(counterexample) => PathCheck::Feasible(Box::new(counterexample)),
                Err(reason) => PathCheck::Undecided(reason),
            },
            (Err(why), None) => PathCheck::Undecided(Reason::Replay { why, path: path.to_vec() }),
            (Err(failed), Some(why)) => unsolved(format!("the path was approximated, {why}: {failed}"), path),
        }
    }
}

fn unsolved(why: String, path: &[Step]) -> PathCheck {
    PathCheck::Undecided(Reason::Solver { why, path: path.to_vec() })
}

/// Extends the hash of a sequence of conditions.
fn chain(hash: u64, constraint: &Constraint) -> u64 {
    FxBuildHasher.hash_one((hash, constraint.condition))
}
