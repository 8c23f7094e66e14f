//! Symbolic execution along a path, step by step.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::lazy::Definition;
use super::memory::Memory;
use super::past::{ConditionId, PastId, Pasts, all};
use super::state::{Frame, Origin, State};
use super::symbols::{Symbol, Symbols};
use crate::cfa::constants::Constants;
use crate::cfa::expr::{Expr, Pool};
use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, LocId, Op, Program, Scope, Var};
use crate::cfa::sort::{MemorySort, Sort};

/// Tables with more bytes that are not zero are not known in the middle of the program: each read at an unknown address
/// would state all of them.
const MAX_TABLE: usize = 1 << 10;

/// A run with symbols in place of values.
pub struct Execution<'p> {
    pub(super) program: &'p Program,
    /// The expressions: those of the program, and more.
    pub pool: Pool,
    /// What the variables stand for.
    pub symbols: Symbols,
    /// Why the conditions may hold where no run goes on, if they may.
    pub inexact: Option<String>,
    /// Where it is now.
    pub state: State,
    /// How many steps have been taken.
    pub(super) steps: u32,
    pub(super) activations: u32,
    pub(super) choices: u32,
    pub(super) pasts: Pasts,
    /// What is the same wherever execution begins in the middle of the program, once it has.
    constants: Option<Constants>,
    /// What is known of memory symbols.
    pub(super) definitions: FxHashMap<Var, Definition>,
    /// The memory symbols at the bottom of memory expressions.
    pub(super) bottoms: FxHashMap<Expr, Rc<[Expr]>>,
    /// What must hold for the current step to be taken.
    pub(super) pending: Vec<Expr>,
    /// The values of the program's expressions in the current step, and when they have one.
    pub(super) translated: FxHashMap<Expr, (Expr, Expr)>,
}

/// A place on a path, to come back to.
#[derive(Clone)]
pub struct Mark {
    state: State,
    inexact: Option<String>,
    steps: u32,
    activations: u32,
    choices: u32,
    /// How much of the past there was.
    past: (usize, usize),
}

impl<'p> Execution<'p> {
    /// At the start of the program.
    pub fn new(program: &'p Program) -> Execution<'p> {
        Execution::with_symbols(program, program.pool.clone(), Symbols::new(program.vars.len()))
    }

    /// At the start of the program, with the symbols of an earlier run.
    pub fn with_symbols(program: &'p Program, pool: Pool, symbols: Symbols) -> Execution<'p> {
        let start = Frame { origin: Origin::Activation(1), ..Frame::default() };
        let state = State {
            location: program.function(program.start).entry,
            globals: Frame::default(),
            frames: vec![start],
            spelled_out: imbl::HashSet::new(),
            condition: ConditionId::default(),
            past: PastId::default(),
        };
        Execution {
            program,
            pool,
            symbols,
            inexact: None,
            state,
            steps: 0,
            activations: 1,
            choices: 0,
            pasts: Pasts::default(),
            constants: None,
            definitions: FxHashMap::default(),
            bottoms: FxHashMap::default(),
            pending: Vec::new(),
            translated: FxHashMap::default(),
        }
    }

    /// Remembers where it is.
    pub fn mark(&self) -> Mark {
        Mark {
            state: self.state.clone(),
            inexact: self.inexact.clone(),
            steps: self.steps,
            activations: self.activations,
            choices: self.choices,
            past: self.pasts.len(),
        }
    }

    /// Goes back to where it was; no state from behind the mark may be used any more. Symbols have the same names on every
    /// path; what one that comes behind the mark stands for is defined anew before it is used.
    pub fn return_to(&mut self, mark: &Mark) {
        let Mark { state, inexact, steps, activations, choices, past } = mark.clone();
        (self.state, self.inexact) = (state, inexact);
        (self.steps, self.activations, self.choices) = (steps, activations, choices);
        self.pasts.truncate(past);
        self.pending.clear();
    }

    /// A state in the middle of the program, at `location` with some calls under way, where variables hold what they
    /// hold: each stands for itself, but for what never changes.
    pub fn state_at(&mut self, location: LocId, calls: impl IntoIterator<Item = EdgeId>) -> State {
        self.know_constants();
        let frame = |origin, call| Frame { origin, call, ..Frame::default() };
        let mut functions = vec![self.program.start];
        let mut frames = vec![frame(Origin::Before(0), None)];
        for call in calls {
            let Op::Call { callee, .. } = self.program.edge(call).op else { unreachable!("calls begin activations") };
            let below = functions.iter().filter(|&&function| function == callee).count();
            frames.push(frame(Origin::Before(below as u32), Some(call)));
            functions.push(callee);
        }
        State {
            location,
            globals: frame(Origin::Before(0), None),
            frames,
            spelled_out: imbl::HashSet::new(),
            condition: ConditionId::default(),
            past: PastId::default(),
        }
    }

    /// Makes constants of what never changes, and defines the memories that are tables.
    fn know_constants(&mut self) {
        if self.constants.is_some() {
            return;
        }
        let constants = Constants::new(self.program);
        let is_small = |&(_, contents): &(Var, u32)| {
            let segments = &self.program.initial_cells(contents).segments;
            segments.iter().map(|segment| segment.data.len()).sum::<usize>() <= MAX_TABLE
        };
        let tables = constants.memories.iter().map(|(&memory, &contents)| (memory, contents)).filter(is_small);
        self.definitions.extend(tables.map(|(memory, contents)| (memory, Definition::Initial(contents))));
        self.constants = Some(constants);
    }

    /// Takes a step. What must hold for that, if anything must; an error says what cannot be expressed.
    pub fn step(&mut self, step: Step) -> Result<Option<Expr>, String> {
        self.translated.clear();
        self.take(step)?;
        self.steps += 1;
        self.state.past = self.pasts.step(self.state.past, step);
        let condition = self.settle();
        Ok(if self.holds(condition) { None } else { Some(condition) })
    }

    /// Makes what has come up a condition of the state, and gives it.
    pub(super) fn settle(&mut self) -> Expr {
        let pending = std::mem::take(&mut self.pending);
        let condition = all(&mut self.pool, &pending);
        self.require(condition);
        condition
    }

    /// Some variables take any value, those of functions in the last activation.
    pub fn make_unknown(&mut self, vars: &[Var]) {
        for &var in vars {
            match self.program.var(var).sort {
                Sort::Memory(_) => self.define(var, None),
                _ => {
                    let value = self.after(var);
                    self.set(var, value);
                }
            }
        }
        // What is made unknown next is another value.
        self.steps += 1;
    }

    /// `condition`, which is about symbols, must hold from here on.
    pub fn assume(&mut self, condition: Expr) {
        self.require(condition);
    }

    /// The program that is executed.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// How many steps have been taken.
    pub fn position(&self) -> usize {
        self.steps as usize
    }

    /// The value of a scalar variable, as it is before the next step.
    pub fn variable(&mut self, var: Var) -> Expr {
        let info = self.program.var(var);
        let frame = self.frame(info.scope);
        if let Some(&value) = frame.scalars.get(&var) {
            return value;
        }
        let origin = frame.origin;
        let value = self.original(origin, var);
        self.frame_mut(info.scope).scalars.insert(var, value);
        value
    }

    /// What a memory variable holds in `cells` cells at a fixed address, as it is before the next step.
    pub fn memory_cells(&mut self, memory: Var, address: u64, cells: u16) -> Expr {
        self.peek_cells(memory, address, cells)
    }

    /// The value of a scalar expression of the program, as it is before the next step, if it has one.
    pub fn expression(&mut self, expr: Expr) -> Expr {
        self.translated.clear();
        self.translate(expr).0
    }

    /// What a variable holds that nothing was assigned to yet.
    pub(super) fn original(&mut self, origin: Origin, var: Var) -> Expr {
        let sort = self.program.var(var).sort;
        let symbol = match origin {
            Origin::Before(0) => {
                let constant = self.constants.as_ref().and_then(|constants| constants.scalars.get(&var).copied());
                return match constant {
                    Some(value) => self.pool.constant(value),
                    None => self.pool.var(var, sort),
                };
            }
            Origin::Before(below) => Symbol::Outer { below, var },
            Origin::Activation(activation) => Symbol::Initial { activation, var },
        };
        self.symbols.expr(&mut self.pool, symbol, sort)
    }

    pub(super) fn set(&mut self, var: Var, value: Expr) {
        let scope = self.program.var(var).scope;
        self.frame_mut(scope).scalars.insert(var, value);
    }

    /// A memory variable, which is a symbol if nothing was done to it yet.
    pub(super) fn memory(&mut self, var: Var) -> &mut Memory {
        let scope = self.program.var(var).scope;
        if !self.frame(scope).memories.contains_key(&var) {
            let origin = self.frame(scope).origin;
            let base = self.original(origin, var);
            self.frame_mut(scope).memories.insert(var, Memory::new(base));
        }
        self.frame_mut(scope).memories.get_mut(&var).expect("it has just been made")
    }

    pub(super) fn set_memory(&mut self, var: Var, memory: Memory) {
        let scope = self.program.var(var).scope;
        self.frame_mut(scope).memories.insert(var, memory);
    }

    pub(super) fn memory_sort(&self, var: Var) -> MemorySort {
        match self.program.var(var).sort {
            Sort::Memory(sort) => sort,
            sort => panic!("a memory is expected, this is of sort {sort}"),
        }
    }

    pub(super) fn frame(&self, scope: Scope) -> &Frame {
        match scope {
            Scope::Global => &self.state.globals,
            Scope::Local(_) => self.state.frames.last().expect("the start function is always under way"),
        }
    }

    fn frame_mut(&mut self, scope: Scope) -> &mut Frame {
        match scope {
            Scope::Global => &mut self.state.globals,
            Scope::Local(_) => self.state.frames.last_mut().expect("the start function is always under way"),
        }
    }

    /// A symbol for what a step makes of a variable.
    pub(super) fn after(&mut self, var: Var) -> Expr {
        let symbol = Symbol::After { step: self.steps, var };
        self.symbols.expr(&mut self.pool, symbol, self.program.var(var).sort)
    }

    /// Remembers that models need not be runs.
    pub(super) fn approximate(&mut self, why: &str) {
        if self.inexact.is_none() {
            let place = self.program.leaving(self.state.location).next().map(|(_, edge)| edge.source);
            let place = self.program.sources.describe(place.unwrap_or(crate::cfa::source::SourceId::NONE));
            self.inexact = Some(format!("{why} ({place})"));
        }
    }
}
