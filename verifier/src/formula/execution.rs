//! Symbolic execution along a path.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::lazy::Definition;
use super::memory::Memory;
use super::past::{ConditionId, PastId, Pasts, all};
use super::spans::{Facts, Known};
use super::state::{Frame, Origin, State};
use super::symbols::{Symbol, Symbols};
use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, LocId, Op, Program, Scope};
use crate::expr::{Expr, MemorySort, Pool, Sort, Var};
use crate::facts::Constants;
use crate::tuning::Formula;

/// A symbolic run.
pub struct Execution<'p> {
    pub(super) program: &'p Program,
    /// The program's expressions and those derived.
    pub pool: Pool,
    /// The meaning of the variables of formulas.
    pub symbols: Symbols,
    /// Why the conditions may be satisfiable without a concrete run, if so.
    pub inexact: Option<String>,
    /// The current state.
    pub state: State,
    /// The number of steps taken.
    pub(super) steps: u32,
    pub(super) activations: u32,
    pub(super) choices: u32,
    pub(super) pasts: Pasts,
    /// Constants of the program, computed when execution first starts in the middle of it.
    constants: Option<Constants>,
    /// Definitions of memory symbols.
    pub(super) definitions: FxHashMap<Var, Definition>,
    /// The memory symbols at the bottom of each memory expression.
    pub(super) bottoms: FxHashMap<Expr, Rc<[Expr]>>,
    /// Conditions of the current step.
    pub(super) pending: Vec<Expr>,
    /// The program's expressions translated in the current step: value and condition of definedness.
    pub(super) translated: FxHashMap<Expr, (Expr, Expr)>,
    pub(super) tuning: Formula,
    /// Whether cells of small objects are variables (see `cells`).
    pub(super) tracks_cells: bool,
    /// The spans of expressions.
    pub(super) known: Known,
    /// The symbols of unknown cells, by memory symbol and address.
    pub(super) originals: FxHashMap<Var, BTreeMap<u64, Expr>>,
    /// The memory symbols that some formula reads as arrays.
    pub(super) arrays: FxHashSet<Var>,
}

/// A position on a path to return to.
#[derive(Clone)]
pub struct Mark {
    state: State,
    inexact: Option<String>,
    steps: u32,
    activations: u32,
    choices: u32,
    /// The sizes of the histories of conditions and steps.
    past: (usize, usize),
}

impl<'p> Execution<'p> {
    /// An execution at the start of the program.
    pub fn new(program: &'p Program, tuning: Formula) -> Execution<'p> {
        Execution::with_symbols(program, program.pool.clone(), Symbols::new(program.vars.len()), tuning)
    }

    /// An execution at the start of the program that shares the symbols of an earlier one.
    pub fn with_symbols(program: &'p Program, pool: Pool, symbols: Symbols, tuning: Formula) -> Execution<'p> {
        Execution {
            program,
            pool,
            symbols,
            inexact: None,
            state: State::initial(program),
            steps: 0,
            activations: 1,
            choices: 0,
            pasts: Pasts::default(),
            constants: None,
            definitions: FxHashMap::default(),
            bottoms: FxHashMap::default(),
            pending: Vec::new(),
            translated: FxHashMap::default(),
            tuning,
            tracks_cells: false,
            known: Known::default(),
            originals: FxHashMap::default(),
            arrays: FxHashSet::default(),
        }
    }

    /// Saves the current position.
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

    /// Returns to a saved position; states reached after it become invalid. Symbols are named by position, so that
    /// another path reuses them; the definition of such a memory symbol is replaced before its first use.
    pub fn return_to(&mut self, mark: &Mark) {
        let Mark { state, inexact, steps, activations, choices, past } = mark.clone();
        (self.state, self.inexact) = (state, inexact);
        (self.steps, self.activations, self.choices) = (steps, activations, choices);
        self.pasts.truncate(past);
        self.pending.clear();
    }

    /// A state in the middle of the program, at `location` with the given active calls. Each variable stands for
    /// itself, except for constants of the program.
    pub fn state_at(&mut self, location: LocId, calls: impl IntoIterator<Item = EdgeId>) -> State {
        self.load_constants();
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
            linked: imbl::HashSet::new(),
            facts: Facts::new(),
            condition: ConditionId::default(),
            past: PastId::default(),
        }
    }

    /// Computes the constants of the program, and defines memories that are small constant tables. Larger ones are unknown:
    /// a read at a symbolic address would state all of their bytes.
    fn load_constants(&mut self) {
        if self.constants.is_some() {
            return;
        }
        let constants = Constants::new(self.program);
        let is_small = |&(_, contents): &(Var, u32)| {
            let segments = &self.program.initial_cells(contents).segments;
            segments.iter().map(|segment| segment.data.len()).sum::<usize>() <= self.tuning.max_table
        };
        let tables = constants.memories.iter().map(|(&memory, &contents)| (memory, contents)).filter(is_small);
        self.definitions.extend(tables.map(|(memory, contents)| (memory, Definition::Initial(contents))));
        self.constants = Some(constants);
    }

    /// Takes a step. Returns its condition, if it has one; an error says what cannot be expressed.
    pub fn step(&mut self, step: Step) -> Result<Option<Expr>, String> {
        self.translated.clear();
        self.take(step)?;
        self.steps += 1;
        self.state.past = self.pasts.step(self.state.past, step);
        let condition = self.commit_pending();
        Ok(if self.holds(condition) { None } else { Some(condition) })
    }

    /// Adds the pending conditions to the state, and returns their conjunction.
    pub(super) fn commit_pending(&mut self) -> Expr {
        let pending = std::mem::take(&mut self.pending);
        let condition = all(&mut self.pool, &pending);
        self.require(condition);
        condition
    }

    /// Havocs variables; local ones are those of the innermost activation.
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
        // Give the next havoc a different symbol.
        self.steps += 1;
    }

    /// Adds a condition over symbols to the current state.
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

    /// The value of a scalar variable in the current state.
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

    /// The contents of `cells` cells of a memory variable at a constant address in the current state.
    pub fn memory_cells(&mut self, memory: Var, address: u64, cells: u16) -> Expr {
        self.read_cells(memory, address, cells)
    }

    /// The value of a scalar expression of the program in the current state, assuming that it is defined.
    pub fn expression(&mut self, expr: Expr) -> Expr {
        self.translated.clear();
        self.translate(expr).0
    }

    /// The initial value of a variable of a frame with this origin.
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

    /// A memory variable; a fresh symbol if it was not accessed yet.
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

    /// The symbol for a variable after the current step.
    pub(super) fn after(&mut self, var: Var) -> Expr {
        let symbol = Symbol::After { step: self.steps, var };
        self.symbols.expr(&mut self.pool, symbol, self.program.var(var).sort)
    }

    /// Records that models may not correspond to runs.
    pub(super) fn approximate(&mut self, why: &str) {
        if self.inexact.is_none() {
            let place = self.program.leaving(self.state.location).next().map(|(_, edge)| edge.source);
            let place = self.program.sources.describe(place.unwrap_or(crate::cfa::source::SourceId::NONE));
            self.inexact = Some(format!("{why} ({place})"));
        }
    }
}
