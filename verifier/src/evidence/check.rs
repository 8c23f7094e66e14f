//! Is an error path feasible?

use std::hash::BuildHasher;
use std::rc::Rc;
use std::time::Duration;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::counterexample::Counterexample;
use super::replay::replay;
use crate::cfa::expr::Expr;
use crate::cfa::path::Step;
use crate::cfa::program::Program;
use crate::formula::{Constraint, Execution, Mark, PathFormula};
use crate::monitor::{Monitor, Phase};
use crate::smt::{Answer, Model, Options, Solver};

/// What became of an error path.
#[derive(Debug)]
pub enum PathCheck {
    /// It can be taken, and the interpreter has taken it.
    Feasible(Box<Counterexample>),
    /// No run takes it.
    Infeasible {
        /// The positions of steps whose conditions exclude each other already.
        core: Vec<usize>,
    },
    /// It is not known whether it can be taken, for this reason.
    Unknown(String),
    /// It can be taken, but the interpreter ended elsewhere: a mistake of Clew.
    ReplayFailed(String),
}

/// Checks whether a run can take `path`, which leads from the start of the program to an error location.
pub fn check_path(program: &Program, path: &[Step], monitor: &Monitor) -> PathCheck {
    Checker::new(program, monitor).check(path)
}

/// Checks paths of a program, one after the other. What they have in common is looked at once.
pub struct Checker<'a> {
    program: &'a Program,
    monitor: &'a Monitor,
    /// The run along the last path.
    execution: Execution<'a>,
    /// The steps that it took; the last one cannot be taken if its condition is constant.
    steps: Vec<Step>,
    /// Places along them to go back to, with how many steps and constraints there were.
    marks: Vec<(usize, usize, Mark)>,
    /// The conditions of the steps, each the first time that it occurs.
    constraints: Vec<Constraint>,
    held: FxHashSet<Expr>,
    /// Asserts the conditions of a path.
    solver: Solver<'a>,
    asserted: Vec<Expr>,
    /// How many conditions are asserted up to the end of each level.
    levels: Vec<usize>,
    /// Models, by the conditions that they are models of.
    models: FxHashMap<u64, Rc<Model>>,
}

/// How long to think about whether a path can be taken before the search goes on as if it can.
const PATIENCE: Duration = Duration::from_millis(200);

/// After each so many steps, there is a mark to go back to.
const MARKED: usize = 64;

/// How many models are kept.
const MOST_MODELS: usize = 1 << 14;

/// All begins anew when there are so many expressions.
const MOST_EXPRESSIONS: usize = 1 << 22;

impl<'a> Checker<'a> {
    /// Has checked nothing yet.
    pub fn new(program: &'a Program, monitor: &'a Monitor) -> Checker<'a> {
        Checker {
            program,
            monitor,
            execution: Execution::new(program),
            steps: Vec::new(),
            marks: Vec::new(),
            constraints: Vec::new(),
            held: FxHashSet::default(),
            solver: Solver::new(monitor, Options { time: Some(PATIENCE), ..Options::default() }),
            asserted: Vec::new(),
            levels: Vec::new(),
            models: FxHashMap::default(),
        }
    }

    /// Checks whether a run can take `path`, which leads from the start of the program to an error location.
    pub fn check(&mut self, path: &[Step]) -> PathCheck {
        let before = self.monitor.enter(Phase::Checking);
        let result = self.answer(path);
        self.monitor.enter(before);
        result
    }

    /// May a run take `path`, which leads from the start of the program to anywhere? If that is hard to tell, it may.
    pub fn is_possible(&mut self, path: &[Step]) -> bool {
        let before = self.monitor.enter(Phase::Checking);
        let result = self.follow(path).is_err() || !self.is_refuted() && self.is_satisfiable();
        self.monitor.enter(before);
        result
    }

    /// Is it known already that a run can take `path`? The solver is not asked: the run that showed that its beginning can
    /// be taken may go on this way.
    pub fn is_known(&mut self, path: &[Step]) -> bool {
        let before = self.monitor.enter(Phase::Checking);
        let result = self.follow(path).is_ok() && !self.is_refuted() && self.has_model();
        self.monitor.enter(before);
        result
    }

    /// Executes `path`, up to the first step that surely cannot be taken; an error says what cannot be expressed.
    fn follow(&mut self, path: &[Step]) -> Result<(), String> {
        if self.execution.pool.len() > self.program.pool.len() + MOST_EXPRESSIONS {
            *self = Checker::new(self.program, self.monitor);
        }
        let common = path.iter().zip(&self.steps).take_while(|(new, old)| new == old).count();
        if common < self.steps.len() {
            self.go_back(common);
        }
        while !self.is_refuted()
            && let Some(&step) = path.get(self.steps.len())
        {
            if self.steps.len().is_multiple_of(MARKED) {
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

    /// Goes back to the last mark within the first `steps` steps. Expressions and symbols stay, so that equal paths have
    /// equal conditions.
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

    /// Is the condition of the last step false?
    fn is_refuted(&self) -> bool {
        self.constraints.last().is_some_and(|last| self.execution.pool.as_const(last.condition).is_some())
    }

    /// May the conditions hold together?
    fn is_satisfiable(&mut self) -> bool {
        if self.has_model() {
            return true;
        }
        let pool = &self.execution.pool;
        let conditions = self.constraints.iter().map(|constraint| constraint.condition);
        let common = conditions.clone().zip(&self.asserted).take_while(|(new, old)| new == *old).count();
        // Levels are where paths have parted: one for each condition would cost more than asserting some of them again.
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

    /// Does the model of the longest beginning that has one hold for all of the path?
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

    /// Keeps a model of the conditions.
    fn keep(&mut self, model: Rc<Model>) {
        if self.models.len() >= MOST_MODELS {
            self.models.clear();
        }
        self.models.insert(self.constraints.iter().fold(0, chain), model);
    }

    fn answer(&mut self, path: &[Step]) -> PathCheck {
        if let Err(why) = self.follow(path) {
            return PathCheck::Unknown(why);
        }
        let pool = &self.execution.pool;
        if let Some(last) = self.constraints.last()
            && self.is_refuted()
        {
            return PathCheck::Infeasible { core: vec![last.step] };
        }
        let conditions: Vec<_> = self.constraints.iter().map(|constraint| constraint.condition).collect();
        let mut solver = Solver::new(self.monitor, Options::default());
        match solver.check_once(pool, &conditions) {
            Answer::Unknown(why) => PathCheck::Unknown(format!("the solver gave up: {why}")),
            Answer::Unsat(_) => {
                // All conditions exclude each other; fewer would be better, but are not needed.
                let core = match solver.core(pool, &conditions) {
                    Answer::Unsat(core) => core,
                    Answer::Sat(_) | Answer::Unknown(_) => (0..conditions.len()).collect(),
                };
                PathCheck::Infeasible { core: core.into_iter().map(|i| self.constraints[i].step).collect() }
            }
            Answer::Sat(model) => self.replay(path, &model),
        }
    }

    fn replay(&mut self, path: &[Step], model: &Model) -> PathCheck {
        self.monitor.enter(Phase::Replaying);
        // The expressions are used up: nothing can be checked after it that has something in common with this path.
        let used = std::mem::replace(self, Checker::new(self.program, self.monitor));
        let Execution { pool, symbols, inexact, .. } = used.execution;
        let formula = PathFormula { pool, symbols, constraints: used.constraints, inexact: inexact.clone() };
        match (replay(self.program, path, formula, model), inexact) {
            (Ok(counterexample), _) => PathCheck::Feasible(Box::new(counterexample)),
            (Err(failed), None) => PathCheck::ReplayFailed(failed),
            (Err(failed), Some(why)) => PathCheck::Unknown(format!("the path was approximated, {why}: {failed}")),
        }
    }
}

/// A number for a sequence of conditions.
fn chain(hash: u64, constraint: &Constraint) -> u64 {
    FxBuildHasher.hash_one((hash, constraint.condition))
}
