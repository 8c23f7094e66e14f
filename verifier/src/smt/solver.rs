//! The solver: questions, answers, limits.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use z3::ast::Bool;
use z3::{Params, SatResult};

use super::encode::Encoder;
use super::model::Model;
use crate::cfa::expr::{Expr, Node, Pool, UnaryOp};
use crate::monitor::Monitor;

/// How much Z3 may do, in its own measure, before somebody is set to watch whether the run has been stopped meanwhile:
/// some tenths of a second. A limit of time would cost a thread for each query, and a run would not be the same twice.
const UNWATCHED: u32 = 2_000_000;
/// How often the watcher looks.
const WATCH: Duration = Duration::from_millis(20);
/// After so many single queries they are asked of a new solver.
const MOST_SINGLES: u32 = 1 << 12;
/// How many answers are kept.
const CACHE: usize = 1 << 16;

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

/// As SMT-LIB says it.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Sat(_) => f.write_str("sat"),
            Answer::Unsat(_) => f.write_str("unsat"),
            Answer::Unknown(why) => write!(f, "unknown: {why}"),
        }
    }
}

/// What an answer answers: the assertions in order of their ids, and the assumptions.
type Question = (Box<[Expr]>, Box<[Expr]>);

/// A solver of Z3.
struct Engine {
    z3: z3::Solver,
    theories: Theories,
    /// Are the limits for a query set? To set them again takes longer than many queries.
    is_limited: Cell<bool>,
}

/// What a solver of Z3 must understand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Theories {
    /// Truth values and bit-vectors, for which there is a much faster solver.
    Bits,
    /// Memories and floats too.
    All,
}

impl Engine {
    fn new(theories: Theories) -> Engine {
        let z3 = match theories {
            Theories::Bits => z3::Solver::new_for_logic("QF_BV").unwrap_or_default(),
            Theories::All => z3::Solver::new(),
        };
        Engine { z3, theories, is_limited: Cell::new(false) }
    }
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
    /// Solvers without assertions that had the stack before, and may again.
    spare: [Option<Rc<Engine>>; 2],
    /// For single queries, with and without memories and floats: they have no assertions between them. To make a solver of Z3 takes longer than most queries.
    single: [Rc<Engine>; 2],
    /// How many single queries were answered.
    singles: u32,
    asserted: Vec<Expr>,
    /// What has a name: a truth value for which the stack has a definition.
    named: Vec<Expr>,
    /// How many assertions and names there were at each `push`.
    levels: Vec<(usize, usize)>,
    cache: FxHashMap<Question, Answer>,
}

impl<'a> Solver<'a> {
    /// A solver without assertions.
    pub fn new(monitor: &'a Monitor, options: Options) -> Solver<'a> {
        Solver {
            monitor,
            options,
            encoder: Encoder::default(),
            stack: Rc::new(Engine::new(Theories::Bits)),
            spare: [None, None],
            single: singles(),
            singles: 0,
            asserted: Vec::new(),
            named: Vec::new(),
            levels: Vec::new(),
            cache: FxHashMap::default(),
        }
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
        self.understand(pool, &[expr]);
        self.stack.z3.assert(self.encoder.condition(pool, expr));
        self.asserted.push(expr);
    }

    /// Gives a truth value a name on the stack, up to the next `pop`: it pays if the value, or its negation, is assumed again
    /// and again.
    pub fn name(&mut self, pool: &Pool, expr: Expr) {
        self.understand(pool, &[expr]);
        self.stack.z3.assert(name_of(expr).iff(self.encoder.condition(pool, expr)));
        self.named.push(expr);
    }

    /// Begins a level of assertions.
    pub fn push(&mut self) {
        self.stack.z3.push();
        self.levels.push((self.asserted.len(), self.named.len()));
    }

    /// Takes back all assertions of the last levels.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn pop(&mut self, levels: usize) {
        if levels == 0 {
            return;
        }
        let left = self.levels.len().checked_sub(levels).expect("every pop has its push");
        let (asserted, named) = self.levels[left];
        self.levels.truncate(left);
        self.stack.z3.pop(levels as u32);
        self.asserted.truncate(asserted);
        self.named.truncate(named);
        if (asserted, named) == (0, 0) && self.levels.is_empty() && self.stack.theories == Theories::All {
            let bits = self.empty_engine(Theories::Bits);
            self.spare[Theories::All as usize] = Some(std::mem::replace(&mut self.stack, bits));
        }
    }

    /// Can all assertions hold?
    pub fn check(&mut self, pool: &Pool) -> Answer {
        self.check_assuming(pool, &[])
    }

    /// Can all assertions and assumptions hold?
    pub fn check_assuming(&mut self, pool: &Pool, assumptions: &[Expr]) -> Answer {
        self.understand(pool, assumptions);
        let (stack, asserted) = (Rc::clone(&self.stack), std::mem::take(&mut self.asserted));
        let answer = self.ask(pool, &stack, &asserted, assumptions);
        self.asserted = asserted;
        if let Answer::Unknown(_) = answer {
            self.rebuild(pool, Rc::new(Engine::new(self.stack.theories)));
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
            (self.single, self.singles) = (singles(), 0);
        }
        self.singles += 1;
        let theories = self.theories_of(pool, conditions.iter().chain(assumptions));
        let engine = Rc::clone(&self.single[theories as usize]);
        engine.z3.push();
        for &condition in conditions {
            engine.z3.assert(self.encoder.condition(pool, condition));
        }
        let answer = self.ask(pool, &engine, conditions, assumptions);
        match answer {
            Answer::Unknown(_) => self.single[theories as usize] = Rc::new(Engine::new(theories)),
            _ => engine.z3.pop(1),
        }
        answer
    }

    fn theories_of<'e>(&mut self, pool: &Pool, mut exprs: impl Iterator<Item = &'e Expr>) -> Theories {
        if exprs.all(|&expr| self.encoder.is_plain(pool, expr)) { Theories::Bits } else { Theories::All }
    }

    /// Makes the stack understand `exprs`.
    fn understand(&mut self, pool: &Pool, exprs: &[Expr]) {
        if self.stack.theories == Theories::Bits && self.theories_of(pool, exprs.iter()) == Theories::All {
            let before = Rc::clone(&self.stack);
            let engine = self.empty_engine(Theories::All);
            self.rebuild(pool, engine);
            // What is asserted below all levels stays.
            if self.levels.first() == Some(&(0, 0)) {
                before.z3.pop(self.levels.len() as u32);
                self.spare[Theories::Bits as usize] = Some(before);
            }
        }
    }

    fn empty_engine(&mut self, theories: Theories) -> Rc<Engine> {
        self.spare[theories as usize].take().unwrap_or_else(|| Rc::new(Engine::new(theories)))
    }

    /// Makes the stack of assertions anew, in a solver without assertions. Z3 4.8.12 may crash when one whose time was up is
    /// asked again.
    fn rebuild(&mut self, pool: &Pool, engine: Rc<Engine>) {
        let z3 = &engine.z3;
        let ends = self.levels.iter().copied().chain([(self.asserted.len(), self.named.len())]);
        let mut start = (0, 0);
        for (level, end) in ends.enumerate() {
            if level > 0 {
                z3.push();
            }
            for &condition in &self.asserted[start.0..end.0] {
                z3.assert(self.encoder.condition(pool, condition));
            }
            for &named in &self.named[start.1..end.1] {
                z3.assert(name_of(named).iff(self.encoder.condition(pool, named)));
            }
            start = end;
        }
        self.stack = engine;
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
            self.monitor.solver_cached.fetch_add(1, Ordering::Relaxed);
            return answer.clone();
        }
        let terms: Vec<Bool> = assumptions.iter().map(|&a| self.assumption(pool, engine, a)).collect();
        let queries = self.monitor.queries();
        let number = queries.map(|queries| queries.asked(&self.text(pool, engine, asserted, &terms)));
        let start = Instant::now();
        let answer = self.find(pool, engine, asserted, (assumptions, &terms));
        self.monitor.solver_calls.fetch_add(1, Ordering::Relaxed);
        self.monitor.solver_micros.fetch_add(start.elapsed().as_micros() as u64, Ordering::Relaxed);
        if let (Some(queries), Some(number)) = (queries, number) {
            queries.answered(number, &answer.to_string());
        }
        if let Answer::Unknown(_) = answer {
            return answer;
        }
        if self.cache.len() >= CACHE {
            self.cache.clear();
        }
        self.cache.insert(question, answer.clone());
        answer
    }

    /// The term of an assumption: its name, if it has one.
    fn assumption(&mut self, pool: &Pool, engine: &Engine, expr: Expr) -> Bool {
        let is_named = |expr| std::ptr::eq(engine, &*self.stack) && self.named.contains(&expr);
        match pool.node(expr) {
            _ if is_named(expr) => name_of(expr),
            Node::Unary(UnaryOp::Not, negated) if is_named(negated) => name_of(negated).not(),
            _ => self.encoder.condition(pool, expr),
        }
    }

    /// Asks Z3: for a moment as it is, then, if that was not enough, anew and watched. A new solver knows other tactics.
    fn find(&mut self, pool: &Pool, engine: &Engine, asserted: &[Expr], assumptions: (&[Expr], &[Bool])) -> Answer {
        if !engine.is_limited.replace(true) {
            engine.z3.set_params(&self.limits(|params| params.set_u32("rlimit", UNWATCHED)));
        }
        let start = Instant::now();
        let result = engine.z3.check_assumptions(assumptions.1);
        let limit = [self.options.time, self.monitor.remaining()].into_iter().flatten().min();
        let rest = limit.map_or(Duration::MAX, |limit| limit.saturating_sub(start.elapsed()));
        let is_over = rest.is_zero() || self.monitor.check().is_err();
        if result != SatResult::Unknown || is_over {
            return answer(pool, &engine.z3, result, asserted, assumptions);
        }
        let anew = Engine::new(Theories::All);
        self.repeat(pool, engine, asserted, &anew.z3);
        let millis = u32::try_from(rest.as_millis()).unwrap_or(u32::MAX).max(1);
        anew.z3.set_params(&self.limits(|params| params.set_u32("timeout", millis)));
        let result = self.check_watched(&anew.z3, assumptions.1);
        answer(pool, &anew.z3, result, asserted, assumptions)
    }

    /// Asserts in `anew` what is asserted in `engine`, names included.
    fn repeat(&mut self, pool: &Pool, engine: &Engine, asserted: &[Expr], anew: &z3::Solver) {
        for &condition in asserted {
            anew.assert(self.encoder.condition(pool, condition));
        }
        if std::ptr::eq(engine, &*self.stack) {
            for &named in &self.named {
                anew.assert(name_of(named).iff(self.encoder.condition(pool, named)));
            }
        }
    }

    /// A query as text of SMT-LIB, with all that is asserted. Assumptions are written as assertions.
    fn text(&mut self, pool: &Pool, engine: &Engine, asserted: &[Expr], assumptions: &[Bool]) -> String {
        // Not what Z3 says it has: it may have rewritten that.
        let whole = z3::Solver::new();
        self.repeat(pool, engine, asserted, &whole);
        assumptions.iter().for_each(|assumption| whole.assert(assumption));
        format!("; asked while {}\n{}", self.monitor.phase().name(), whole.to_smt2())
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

    fn limits(&self, set: impl FnOnce(&mut Params)) -> Params {
        let mut params = Params::new();
        // Signals are for whoever started the run; Z3 would take them away during a query.
        params.set_bool("ctrl_c", false);
        if let Some(megabytes) = self.options.memory {
            params.set_u32("max_memory", megabytes);
        }
        set(&mut params);
        params
    }
}

/// The name of a truth value: no variable is called so.
fn name_of(expr: Expr) -> Bool {
    Bool::new_const(format!("{expr:?}"))
}

fn singles() -> [Rc<Engine>; 2] {
    [Theories::Bits, Theories::All].map(|theories| Rc::new(Engine::new(theories)))
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
