//! The solver: incremental and single queries, limits, and a cache of answers.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use z3::Params;
use z3::ast::Bool;

use super::backend::Outcome;
use super::encode::Encoder;
use super::model::Model;
use super::{race, text};
use crate::expr::{Expr, Node, Pool, UnaryOp};
use crate::monitor::{Monitor, Solvers};
use crate::tuning::Smt;

/// Limits of a query.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The time limit; the remaining time of the run is a limit too.
    pub time: Option<Duration>,
    /// The memory limit of Z3 in megabytes.
    pub memory: Option<u32>,
}

/// The answer to a query.
#[derive(Clone)]
pub enum Answer {
    /// Satisfiable, with a model that was checked by evaluation.
    Sat(Rc<Model>),
    /// Unsatisfiable, with the positions of an unsatisfiable core of the assumptions.
    Unsat(Vec<usize>),
    /// Unknown, with a reason.
    Unknown(String),
}

/// As in SMT-LIB.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Sat(_) => f.write_str("sat"),
            Answer::Unsat(_) => f.write_str("unsat"),
            Answer::Unknown(why) => write!(f, "unknown: {why}"),
        }
    }
}

/// The key of the cache: sorted assertions, and assumptions.
type Query = (Box<[Expr]>, Box<[Expr]>);

/// A Z3 solver.
struct Engine {
    z3: z3::Solver,
    theories: Theories,
    /// Whether its limits are set. Setting them takes longer than many queries.
    is_limited: Cell<bool>,
}

/// The theories that a Z3 solver supports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Theories {
    /// Truth values and bit-vectors, for which Z3 has a much faster solver.
    Bits,
    /// Memories and floats as well.
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

/// A solver for the expressions of one pool, which may grow.
///
/// It maintains a stack of assertions for incremental queries, and answers single queries, for which Z3 has faster
/// tactics.
pub struct Solver<'a> {
    monitor: &'a Monitor,
    tuning: Smt,
    options: Options,
    encoder: Encoder,
    /// Holds the stack of assertions.
    stack: Rc<Engine>,
    /// Solvers without assertions that held the stack before, for reuse.
    spare: [Option<Rc<Engine>>; 2],
    /// Solvers for single queries, by theories; empty between queries. Creating a Z3 solver takes longer than most
    /// queries.
    single: [Rc<Engine>; 2],
    /// The number of single queries answered by the current solvers.
    singles: u32,
    asserted: Vec<Expr>,
    /// Named truth values, for which the stack has a definition.
    named: Vec<Expr>,
    /// The numbers of assertions and names at each `push`.
    levels: Vec<(usize, usize)>,
    cache: FxHashMap<Query, Answer>,
    /// Whether Z3 is asked before other solvers, by kind of hard query: it is if it has won the last race.
    is_local_first: [bool; race::KINDS],
}

impl<'a> Solver<'a> {
    /// A solver without assertions.
    pub fn new(monitor: &'a Monitor, options: Options) -> Solver<'a> {
        Solver {
            monitor,
            tuning: monitor.tuning.smt,
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
            is_local_first: [false; race::KINDS],
        }
    }

    /// The monitor of the run.
    pub fn monitor(&self) -> &'a Monitor {
        self.monitor
    }

    /// Whether there are assertions on the stack.
    pub fn has_assertions(&self) -> bool {
        !self.asserted.is_empty()
    }

    /// Sets the time limit of queries.
    pub fn set_time(&mut self, time: Option<Duration>) {
        self.options.time = time;
    }

    /// Asserts a truth value.
    pub fn assert(&mut self, pool: &Pool, expr: Expr) {
        self.ensure_theories(pool, &[expr]);
        self.stack.z3.assert(self.encoder.condition(pool, expr));
        self.asserted.push(expr);
    }

    /// Defines a name for a truth value on the stack until the next `pop`. This pays off if the value or its negation
    /// is assumed repeatedly.
    pub fn name(&mut self, pool: &Pool, expr: Expr) {
        self.ensure_theories(pool, &[expr]);
        self.stack.z3.assert(name_of(expr).iff(self.encoder.condition(pool, expr)));
        self.named.push(expr);
    }

    /// Begins a level of assertions.
    pub fn push(&mut self) {
        self.stack.z3.push();
        self.levels.push((self.asserted.len(), self.named.len()));
    }

    /// Removes the assertions of the innermost levels.
    ///
    /// # Panics
    /// If there are fewer levels.
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

    /// Checks whether the assertions are satisfiable.
    pub fn check(&mut self, pool: &Pool) -> Answer {
        self.check_assuming(pool, &[])
    }

    /// Checks whether the assertions and assumptions are satisfiable.
    pub fn check_assuming(&mut self, pool: &Pool, assumptions: &[Expr]) -> Answer {
        self.ensure_theories(pool, assumptions);
        let (stack, asserted) = (Rc::clone(&self.stack), std::mem::take(&mut self.asserted));
        let answer = self.ask(pool, &stack, &asserted, assumptions);
        self.asserted = asserted;
        if let Answer::Unknown(_) = answer {
            self.rebuild(pool, Rc::new(Engine::new(self.stack.theories)));
        }
        answer
    }

    /// Checks whether `conditions` are satisfiable, independently of the stack of assertions.
    pub fn check_once(&mut self, pool: &Pool, conditions: &[Expr]) -> Answer {
        self.ask_single(pool, conditions, &[])
    }

    /// The same, with an unsatisfiable core as positions in `conditions`.
    pub fn core(&mut self, pool: &Pool, conditions: &[Expr]) -> Answer {
        self.ask_single(pool, &[], conditions)
    }

    fn ask_single(&mut self, pool: &Pool, conditions: &[Expr], assumptions: &[Expr]) -> Answer {
        // Lemmas and names that Z3 has learned outlive a query.
        if self.singles == self.tuning.max_single_queries {
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

    /// Switches the stack to a solver that supports the theories of `exprs`.
    fn ensure_theories(&mut self, pool: &Pool, exprs: &[Expr]) {
        if self.stack.theories == Theories::Bits && self.theories_of(pool, exprs.iter()) == Theories::All {
            let before = Rc::clone(&self.stack);
            let engine = self.empty_engine(Theories::All);
            self.rebuild(pool, engine);
            // Assertions below the first level cannot be popped.
            if self.levels.first() == Some(&(0, 0)) {
                before.z3.pop(self.levels.len() as u32);
                self.spare[Theories::Bits as usize] = Some(before);
            }
        }
    }

    fn empty_engine(&mut self, theories: Theories) -> Rc<Engine> {
        self.spare[theories as usize].take().unwrap_or_else(|| Rc::new(Engine::new(theories)))
    }

    /// Rebuilds the stack of assertions in an empty solver. A solver that gave up may not be in a good state.
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
        // Z3 omits constant false assumptions from cores.
        if let Some(at) = assumptions.iter().position(|&a| pool.as_const(a).is_some_and(|value| !value.is_true())) {
            return Answer::Unsat(vec![at]);
        }
        let mut set = asserted.to_vec();
        set.sort_unstable();
        set.dedup();
        let query = (set.into_boxed_slice(), Box::from(assumptions));
        if let Some(answer) = self.cache.get(&query) {
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
        if self.cache.len() >= self.tuning.max_cached {
            self.cache.clear();
        }
        self.cache.insert(query, answer.clone());
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

    /// Queries Z3 with a small resource limit first; what exceeds it is hard.
    fn find(&mut self, pool: &Pool, engine: &Engine, asserted: &[Expr], assumptions: (&[Expr], &[Bool])) -> Answer {
        if !engine.is_limited.replace(true) {
            let mut params = params(self.options.memory);
            params.set_u32("rlimit", self.tuning.unwatched_rlimit);
            engine.z3.set_params(&params);
        }
        let start = self.monitor.elapsed();
        let result = engine.z3.check_assumptions(assumptions.1);
        let outcome = race::outcome(&engine.z3, result, assumptions.1);
        let answer = self.accept(pool, asserted, assumptions.0, (race::LOCAL, outcome));
        let limit = [self.options.time, self.monitor.remaining()].into_iter().flatten().min();
        let rest = limit.map(|limit| start.saturating_add(limit).saturating_sub(self.monitor.elapsed()));
        let is_over = rest.is_some_and(|rest| rest.is_zero()) || self.monitor.check().is_err();
        match answer {
            Ok(answer) => answer,
            Err(why) if is_over => Answer::Unknown(why),
            Err(_) => self.find_hard(pool, engine, asserted, assumptions, rest),
        }
    }

    /// Has a new Z3 solver, which uses other tactics, and other solvers answer.
    fn find_hard(
        &mut self,
        pool: &Pool,
        engine: &Engine,
        asserted: &[Expr],
        (assumptions, terms): (&[Expr], &[Bool]),
        rest: Option<Duration>,
    ) -> Answer {
        let monitor = self.monitor;
        let all = self.terms(pool, engine, asserted);
        let solvers = monitor.solvers().filter(|solvers| !solvers.programs().is_empty());
        let script = solvers.map(|_| text::script(&all, terms));
        let children = match (solvers, &script) {
            (Some(solvers), Some(script)) => race::start(monitor, solvers, script),
            _ => Vec::new(),
        };
        let fresh = Engine::new(Theories::All);
        let is_local = children.is_empty() || solvers.is_none_or(Solvers::includes_z3);
        let local = is_local.then(|| {
            all.iter().for_each(|term| fresh.z3.assert(term));
            race::Local { z3: &fresh.z3, assumptions: terms, monitor, memory: self.options.memory }
        });
        let kind = script.as_ref().map_or(0, race::kind);
        let mut accept = |name: &'static str, outcome| self.accept(pool, asserted, assumptions, (name, outcome));
        let (winner, answer) = race::race(monitor, (local, children), self.is_local_first[kind], rest, &mut accept);
        if let Some(name) = winner {
            self.is_local_first[kind] = name == race::LOCAL;
            if let Some(counters) = monitor.solver(name) {
                counters.wins.fetch_add(1, Ordering::Relaxed);
            }
        }
        answer
    }

    /// The answer of a solver. A model is checked by evaluation: an invalid one must not become a counterexample.
    fn accept(
        &self,
        pool: &Pool,
        asserted: &[Expr],
        assumptions: &[Expr],
        (name, outcome): (&'static str, Outcome),
    ) -> Result<Answer, String> {
        let model = match outcome {
            Outcome::Sat(claim) => Model::new(claim),
            Outcome::Unsat(core) => return Ok(Answer::Unsat(core)),
            Outcome::Unknown(why) => return Err(why),
        };
        if asserted.iter().chain(assumptions).all(|&expr| model.satisfies(pool, expr)) {
            return Ok(Answer::Sat(Rc::new(model)));
        }
        if let Some(counters) = self.monitor.solver(name) {
            counters.wrong_models.fetch_add(1, Ordering::Relaxed);
        }
        Err("the solver's model does not satisfy the query".into())
    }

    /// The terms of all assertions and names.
    fn terms(&mut self, pool: &Pool, engine: &Engine, asserted: &[Expr]) -> Vec<Bool> {
        let mut terms: Vec<Bool> = asserted.iter().map(|&expr| self.encoder.condition(pool, expr)).collect();
        if std::ptr::eq(engine, &*self.stack) {
            terms.extend(self.named.iter().map(|&named| name_of(named).iff(self.encoder.condition(pool, named))));
        }
        terms
    }

    /// The SMT-LIB text of a query with all assertions. Assumptions are written as assertions.
    fn text(&mut self, pool: &Pool, engine: &Engine, asserted: &[Expr], assumptions: &[Bool]) -> String {
        // Not taken from Z3, which may have rewritten its assertions.
        let whole = z3::Solver::new();
        self.terms(pool, engine, asserted).iter().for_each(|term| whole.assert(term));
        assumptions.iter().for_each(|assumption| whole.assert(assumption));
        format!("; asked while {}\n{}", self.monitor.phase().name(), whole.to_smt2())
    }
}

/// Parameters for each Z3 solver; `memory` in megabytes.
pub(super) fn params(memory: Option<u32>) -> Params {
    let mut params = Params::new();
    // Z3 would otherwise replace the signal handlers of the process during a query.
    params.set_bool("ctrl_c", false);
    if let Some(megabytes) = memory {
        params.set_u32("max_memory", megabytes);
    }
    params
}

/// The name of a truth value; it differs from all names of variables.
fn name_of(expr: Expr) -> Bool {
    Bool::new_const(format!("{expr:?}"))
}

fn singles() -> [Rc<Engine>; 2] {
    [Theories::Bits, Theories::All].map(|theories| Rc::new(Engine::new(theories)))
}
