//! Symbolic execution along a path, step by step.

use rustc_hash::{FxHashMap, FxHashSet};

use super::lazy::Definition;
use super::memory::Memory;
use super::symbols::{Symbol, Symbols};
use crate::cfa::expr::{Expr, Pool};
use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, LocId, Program, Scope, Var};
use crate::cfa::sort::{MemorySort, Sort};

/// A run with symbols in place of values.
pub struct Execution<'p> {
    pub(super) program: &'p Program,
    /// The expressions: those of the program, and more.
    pub pool: Pool,
    /// What the variables stand for.
    pub symbols: Symbols,
    /// Why the conditions may hold where no run goes on, if they may.
    pub inexact: Option<String>,
    pub(super) location: LocId,
    /// How many steps have been taken.
    pub(super) steps: u32,
    pub(super) globals: Frame,
    pub(super) frames: Vec<Frame>,
    pub(super) activations: u32,
    /// What is known of memory symbols.
    pub(super) definitions: FxHashMap<Var, Definition>,
    /// Where definitions have been spelled out already.
    pub(super) spelled_out: FxHashSet<(Var, Option<Expr>)>,
    /// What must hold for the current step to be taken.
    pub(super) conditions: Vec<Expr>,
    /// The values of the program's expressions in the current step, and when they have one.
    pub(super) translated: FxHashMap<Expr, (Expr, Expr)>,
}

/// The variables of one activation, or the global ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// Which activation it is; 0 for global variables.
    pub(super) activation: u32,
    /// The call that began it.
    pub(super) call: Option<EdgeId>,
    pub(super) scalars: FxHashMap<Var, Expr>,
    pub(super) memories: FxHashMap<Var, Memory>,
}

impl<'p> Execution<'p> {
    /// At the start of the program.
    pub fn new(program: &'p Program) -> Execution<'p> {
        Execution::with_symbols(program, program.pool.clone(), Symbols::new(program.vars.len()))
    }

    /// At the start of the program, with the symbols of an earlier run.
    pub fn with_symbols(program: &'p Program, pool: Pool, symbols: Symbols) -> Execution<'p> {
        Execution {
            program,
            pool,
            symbols,
            inexact: None,
            location: program.function(program.start).entry,
            steps: 0,
            globals: Frame::default(),
            frames: vec![Frame { activation: 1, ..Frame::default() }],
            activations: 1,
            definitions: FxHashMap::default(),
            spelled_out: FxHashSet::default(),
            conditions: Vec::new(),
            translated: FxHashMap::default(),
        }
    }

    /// Takes a step. What must hold for that, if anything must; an error says what cannot be expressed.
    pub fn step(&mut self, step: Step) -> Result<Option<Expr>, String> {
        self.translated.clear();
        self.take(step)?;
        self.steps += 1;
        let mut all = self.pool.bool(true);
        for condition in std::mem::take(&mut self.conditions) {
            all = self.pool.and(all, condition);
        }
        Ok(match self.pool.as_const(all) {
            Some(value) if value.is_true() => None,
            _ => Some(all),
        })
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
        let symbol = Symbol::Initial { activation: frame.activation, var };
        let value = self.symbols.expr(&mut self.pool, symbol, info.sort);
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

    pub(super) fn set(&mut self, var: Var, value: Expr) {
        let scope = self.program.var(var).scope;
        self.frame_mut(scope).scalars.insert(var, value);
    }

    /// A memory variable, which is a symbol if nothing was done to it yet.
    pub(super) fn memory(&mut self, var: Var) -> &mut Memory {
        let scope = self.program.var(var).scope;
        if !self.frame(scope).memories.contains_key(&var) {
            let symbol = Symbol::Initial { activation: self.frame(scope).activation, var };
            let base = self.symbols.expr(&mut self.pool, symbol, self.program.var(var).sort);
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
            Scope::Global => &self.globals,
            Scope::Local(_) => self.frames.last().expect("the start function is always under way"),
        }
    }

    fn frame_mut(&mut self, scope: Scope) -> &mut Frame {
        match scope {
            Scope::Global => &mut self.globals,
            Scope::Local(_) => self.frames.last_mut().expect("the start function is always under way"),
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
            let place = self.program.leaving(self.location).next().map(|(_, edge)| edge.source);
            let place = self.program.sources.describe(place.unwrap_or(crate::cfa::source::SourceId::NONE));
            self.inexact = Some(format!("{why} ({place})"));
        }
    }
}
