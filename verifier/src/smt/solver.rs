//! The solver: questions, answers, limits.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use z3::ast::Bool;
use z3::{Params, SatResult};

use super::encode::Encoder;
use super::model::Model;
use crate::cfa::expr::{Expr, Pool};
use crate::monitor::Monitor;

/// How long Z3 may think before somebody is set to watch whether the run has been stopped meanwhile.
const UNWATCHED: Duration = Duration::from_millis(300);
/// How often the watcher looks.
const WATCH: Duration = Duration::from_millis(20);
/// After so many single queries they are asked of a new solver.
const MOST_SINGLES: u32 = 1 << 12;
/// How many answers are kept.
const CACHE: usize = 1 << 16;

/// Takes the text of a query, in SMT-LIB's language.
pub type Dump<'a> = Box<dyn FnMut(&str) + 'a>;

/// Bounds for a query.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How long it may take; what is left of the run's time is a bound too.
    pub time: Option<Duration>,
    /// How many megabytes Z3 may use.
    pub memory: Option<u32>,
}

/// What the solver says.
#[derive(Clone)]
pub enum Answer {
    /// There is a model. It was checked by evaluation.
    Sat(Rc<Model>),
    /// There is none; under assumptions, already these, by position, exclude each other.
    Unsat(Vec<usize>),
    /// It does not know, for this reason.
    Unknown(String),
}

/// What an answer answers: the assertions in order of their ids, and the assumptions.
type Question = (Box<[Expr]>, Box<[Expr]>);

/// A solver of Z3.
#[derive(Default)]
struct Engine {
    z3: z3::Solver,
    /// The time in milliseconds that a query may take, if it was set: to set it again takes longer than many queries.
    limit: Cell<Option<u32>>,
}

/// A solver for the expressions of one pool, which may grow meanwhile.
///
/// It has a stack of assertions, for queries that share most of what they assert, and answers single queries, for which
/// Z3 knows faster ways.
pub struct Solver<'a> {
    monitor: &'a Monitor,
    options: Options,
    encoder: Encoder,
    /// Has the stack of assertions.
    stack: Rc<Engine>,
    /// For single queries: it has no assertions between them. To make a solver of Z3 takes longer than most queries.
    single: Rc<Engine>,
    /// How many queries it has answered.
    singles: u32,
    asserted: Vec<Expr>,
    /// How many assertions there were at each `push`.
    levels: Vec<usize>,
    cache: FxHashMap<Question, Answer>,
    dump: Option<Dump<'a>>,
}

impl<'a> Solver<'a> {
    /// A solver without assertions.
    pub fn new(monitor: &'a Monitor, options: Options) -> Solver<'a> {
        Solver {
            monitor,
            options,
            encoder: Encoder::default(),
            stack: Rc::default(),
            single: Rc::default(),
            singles: 0,
            asserted: Vec::new(),
            levels: Vec::new(),
            cache: FxHashMap::default(),
            dump: None,
        }
    }

    /// Shows every query that reaches Z3.
    pub fn set_dump(&mut self, dump: Dump<'a>) {
        self.dump = Some(dump);
    }

    /// What watches over the run.
    pub fn monitor(&self) -> &'a Monitor {
        self.monitor
    }

    /// Are there assertions on the stack?
    pub fn has_assertions(&self) -> bool {
        !self.asserted.is_empty()
    }

    /// Changes how long a query may take.
    pub fn set_time(&mut self, time: Option<Duration>) {
        self.options.time = time;
    }

    /// Asserts a truth value.
    pub fn assert(&mut self, pool: &Pool, expr: Expr) {
        self.stack.z3.assert(self.encoder.condition(pool, expr));
        self.asserted.push(expr);
    }

    /// Begins a level of assertions.
    pub fn push(&mut self) {
        self.stack.z3.push();
        self.levels.push(self.asserted.len());
    }

    /// Takes back all assertions of the last level.
    ///
    /// # Panics
    /// If there is none.
    pub fn pop(&mut self) {
        let kept = self.levels.pop().expect("every pop has its push");
        self.stack.z3.pop(1);
        self.asserted.truncate(kept);
    }

    /// Can all assertions hold?
    pub fn check(&mut self, pool: &Pool) -> Answer {
        self.check_assuming(pool, &[])
    }

    /// Can all assertions and assumptions hold?
    pub fn check_assuming(&mut self, pool: &Pool, assumptions: &[Expr]) -> Answer {
        let (stack, asserted) = (Rc::clone(&self.stack), std::mem::take(&mut self.asserted));
        let answer = self.ask(pool, &stack, &asserted, assumptions);
        self.asserted = asserted;
        if let Answer::Unknown(_) = answer {
            self.rebuild(pool);
        }
        answer
    }

    /// Can all of `conditions` hold? The stack of assertions plays no part.
    pub fn check_once(&mut self, pool: &Pool, conditions: &[Expr]) -> Answer {
        self.ask_single(pool, conditions, &[])
    }

    /// The same, with a core: the positions of conditions that already exclude each other.
    pub fn core(&mut self, pool: &Pool, conditions: &[Expr]) -> Answer {
        self.ask_single(pool, &[], conditions)
    }

    fn ask_single(&mut self, pool: &Pool, conditions: &[Expr], assumptions: &[Expr]) -> Answer {
        // What Z3 has learned and named does not go away with the query.
        if self.singles == MOST_SINGLES {
            (self.single, self.singles) = (Rc::default(), 0);
        }
        self.singles += 1;
        let engine = Rc::clone(&self.single);
        engine.z3.push();
        for &condition in conditions {
            engine.z3.assert(self.encoder.condition(pool, condition));
        }
        let answer = self.ask(pool, &engine, conditions, assumptions);
        match answer {
            Answer::Unknown(_) => self.single = Rc::default(),
            _ => engine.z3.pop(1),
        }
        answer
    }

    /// Makes the stack of assertions anew: Z3 4.8.12 may crash when a solver whose time was up is asked again.
    fn rebuild(&mut self, pool: &Pool) {
        let z3 = z3::Solver::new();
        let mut levels = self.levels.iter().peekable();
        for (i, &condition) in self.asserted.iter().enumerate() {
            while levels.next_if(|&&start| start == i).is_some() {
                z3.push();
            }
            z3.assert(self.encoder.condition(pool, condition));
        }
        levels.for_each(|_| z3.push());
        self.stack = Rc::new(Engine { z3, limit: Cell::new(None) });
    }

    fn ask(&mut self, pool: &Pool, engine: &Engine, asserted: &[Expr], assumptions: &[Expr]) -> Answer {
        // Z3 leaves what is false by itself out of cores.
        if let Some(at) = assumptions.iter().position(|&a| pool.as_const(a).is_some_and(|value| !value.is_true())) {
            return Answer::Unsat(vec![at]);
        }
        let mut set = asserted.to_vec();
        set.sort_unstable();
        set.dedup();
        let question = (set.into_boxed_slice(), Box::from(assumptions));
        if let Some(answer) = self.cache.get(&question) {
            return answer.clone();
        }
        let terms: Vec<Bool> = assumptions.iter().map(|&a| self.encoder.condition(pool, a)).collect();
        if let Some(dump) = &mut self.dump {
            dump(&text(&engine.z3, &terms));
        }
        let start = Instant::now();
        let answer = self.find(pool, engine, asserted, (assumptions, &terms));
        self.monitor.solver_calls.fetch_add(1, Ordering::Relaxed);
        self.monitor.solver_micros.fetch_add(start.elapsed().as_micros() as u64, Ordering::Relaxed);
        if let Answer::Unknown(_) = answer {
            return answer;
        }
        if self.cache.len() >= CACHE {
            self.cache.clear();
        }
        self.cache.insert(question, answer.clone());
        answer
    }

    /// Asks Z3: for a moment as it is, then, if that was not enough, anew and watched. A new solver knows other tactics.
    fn find(&mut self, pool: &Pool, engine: &Engine, asserted: &[Expr], assumptions: (&[Expr], &[Bool])) -> Answer {
        let limit = [self.options.time, self.monitor.remaining()].into_iter().flatten().min();
        self.set_limits(engine, limit.map_or(UNWATCHED, |limit| limit.min(UNWATCHED)));
        let result = engine.z3.check_assumptions(assumptions.1);
        let rest = limit.map(|limit| limit.saturating_sub(UNWATCHED));
        let is_over = rest.is_some_and(|rest| rest.is_zero()) || self.monitor.check().is_err();
        if result != SatResult::Unknown || is_over {
            return answer(pool, &engine.z3, result, asserted, assumptions);
        }
        let anew = Engine::default();
        for &condition in asserted {
            anew.z3.assert(self.encoder.condition(pool, condition));
        }
        self.set_limits(&anew, rest.unwrap_or(Duration::MAX));
        let result = self.check_watched(&anew.z3, assumptions.1);
        answer(pool, &anew.z3, result, asserted, assumptions)
    }

    /// Asks Z3, and interrupts it when the run is stopped.
    fn check_watched(&self, z3: &z3::Solver, assumptions: &[Bool]) -> SatResult {
        std::thread::scope(|scope| {
            let (done, waits) = std::sync::mpsc::channel::<()>();
            let (monitor, handle) = (self.monitor, z3.get_context().handle());
            scope.spawn(move || {
                while let Err(std::sync::mpsc::RecvTimeoutError::Timeout) = waits.recv_timeout(WATCH) {
                    if monitor.check().is_err() {
                        handle.interrupt();
                    }
                }
            });
            let result = z3.check_assumptions(assumptions);
            drop(done);
            result
        })
    }

    fn set_limits(&self, engine: &Engine, time: Duration) {
        let millis = u32::try_from(time.as_millis()).unwrap_or(u32::MAX).max(1);
        if engine.limit.replace(Some(millis)) == Some(millis) {
            return;
        }
        let mut params = Params::new();
        // Signals are for whoever started the run; Z3 would take them away during a query.
        params.set_bool("ctrl_c", false);
        params.set_u32("timeout", millis);
        if let Some(megabytes) = self.options.memory {
            params.set_u32("max_memory", megabytes);
        }
        engine.z3.set_params(&params);
    }
}

/// What Z3's result means, with its model, which is checked, or core.
fn answer(
    pool: &Pool,
    z3: &z3::Solver,
    result: SatResult,
    asserted: &[Expr],
    (assumptions, terms): (&[Expr], &[Bool]),
) -> Answer {
    match result {
        SatResult::Unknown => Answer::Unknown(z3.get_reason_unknown().unwrap_or_else(|| "no reason given".into())),
        SatResult::Unsat => {
            let core = z3.get_unsat_core();
            Answer::Unsat((0..terms.len()).filter(|&i| core.iter().any(|c| c.ast_eq(&terms[i]))).collect())
        }
        SatResult::Sat => match z3.get_model().map(Model::new) {
            None => Answer::Unknown("no model".into()),
            Some(model) if asserted.iter().chain(assumptions).all(|&e| model.satisfies(pool, e)) => {
                Answer::Sat(Rc::new(model))
            }
            // A model that is none must not become a counterexample.
            Some(_) => Answer::Unknown("the solver's model does not satisfy the query".into()),
        },
    }
}

/// A query as text. Assumptions are written as assertions.
fn text(z3: &z3::Solver, assumptions: &[Bool]) -> String {
    if assumptions.is_empty() {
        return z3.to_smt2();
    }
    let whole = z3::Solver::new();
    for assertion in z3.get_assertions().iter().chain(assumptions) {
        whole.assert(assertion);
    }
    whole.to_smt2()
}
