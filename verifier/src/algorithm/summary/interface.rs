//! The interface of a function: the values that a contract can speak about, and the variables that it may modify.

use std::collections::BTreeSet;

use crate::cfa::{EdgeId, FuncId, Op, Program, Scope, VarKind};
use crate::expr::{Expr, Node, Sort, Var};
use crate::facts::Constants;

/// The maximum number of global variables in an interface.
const MAX_GLOBALS: usize = 6;

/// The maximum number of memory cells in an interface.
const MAX_CELLS: usize = 4;

/// The width of truth values in contracts, which are 0 or 1 there.
const TRUTH_WIDTH: u16 = 32;

/// What a slot holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A scalar variable: a parameter or a global variable.
    Variable(Var),
    /// The result.
    Result,
    /// The cell of a memory to which a parameter points when the function is entered.
    Cell {
        /// The memory.
        memory: Var,
        /// The parameter.
        param: Var,
    },
}

/// When the value is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// When the function is entered.
    Entry,
    /// When it returns.
    Exit,
}

/// A value that the contract of a function can speak about.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// What it holds.
    pub place: Place,
    /// When it is taken.
    pub when: When,
    /// Its width in bits.
    pub width: u16,
    /// The variable for it in contracts.
    pub var: Var,
}

/// The interface of a recursive function.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The function.
    pub function: FuncId,
    /// Its slots, those at its entry first.
    pub slots: Vec<Slot>,
    /// All global variables that it or its callees may write.
    pub modified: Vec<Var>,
    /// A call of it, one that uses the result if there is any.
    pub call: EdgeId,
}

impl Interface {
    /// The interface of `function`; `None` if it is never called. Variables for slots are numbered from `first`.
    pub fn new(program: &Program, constants: &Constants, function: FuncId, first: u32) -> Option<Interface> {
        let calls = program.edges.iter().enumerate().filter_map(|(i, edge)| match edge.op {
            Op::Call { callee, result, .. } if callee == function => Some((EdgeId(i as u32), result)),
            _ => None,
        });
        let (call, result) = calls.max_by_key(|(_, result)| result.is_some())?;
        let use_ = Use::of(program, function);
        let mut slots = Slots { program, list: Vec::new(), first };
        let params = &program.function(function).params;
        params.iter().for_each(|&param| slots.add(Place::Variable(param), When::Entry, program.var(param).sort));
        let is_slot = |var: &&Var| width(program.var(**var).sort).is_some() && !constants.scalars.contains_key(*var);
        // Variables of the source are more telling than those of the model.
        let mut globals: Vec<Var> = use_.read.union(&use_.written).filter(is_slot).copied().collect();
        globals.sort_by_key(|var| (program.var(*var).kind != VarKind::Source, !use_.written.contains(var), *var));
        globals.truncate(MAX_GLOBALS);
        globals.iter().for_each(|&var| slots.add(Place::Variable(var), When::Entry, program.var(var).sort));
        let cells: Vec<(Var, Var)> = use_.cells.into_iter().take(MAX_CELLS).collect();
        for (when, is_there) in [(When::Entry, &use_.read), (When::Exit, &use_.written)] {
            if when == When::Exit {
                if let (Some(_), Some(sort)) = (result, program.function(function).result) {
                    slots.add(Place::Result, when, sort);
                }
                let written = globals.iter().filter(|var| use_.written.contains(var));
                written.for_each(|&var| slots.add(Place::Variable(var), when, program.var(var).sort));
            }
            for &(memory, param) in cells.iter().filter(|(memory, _)| is_there.contains(memory)) {
                let Sort::Memory(sort) = program.var(memory).sort else { continue };
                slots.add(Place::Cell { memory, param }, when, sort.cell.sort());
            }
        }
        Some(Interface { function, slots: slots.list, modified: use_.written.into_iter().collect(), call })
    }

    /// The number of slots at the entry.
    pub fn entries(&self) -> usize {
        self.slots.iter().filter(|slot| slot.when == When::Entry).count()
    }

    /// The position of the slot of a variable at the entry.
    pub fn entry_of(&self, var: Var) -> Option<usize> {
        self.slots.iter().position(|slot| slot.when == When::Entry && slot.place == Place::Variable(var))
    }
}

/// The width of the slot for a value of a sort; `None` if there is no slot for it.
fn width(sort: Sort) -> Option<u16> {
    match sort {
        Sort::Bool => Some(TRUTH_WIDTH),
        Sort::Bits(width @ 1..=64) => Some(width),
        _ => None,
    }
}

struct Slots<'p> {
    program: &'p Program,
    list: Vec<Slot>,
    first: u32,
}

impl Slots<'_> {
    fn add(&mut self, place: Place, when: When, sort: Sort) {
        debug_assert!(!matches!(place, Place::Variable(var) if self.program.var(var).sort != sort));
        if let Some(width) = width(sort) {
            let var = Var(self.first + self.list.len() as u32);
            self.list.push(Slot { place, when, width, var });
        }
    }
}

/// The global variables that a function and its callees use.
struct Use {
    read: BTreeSet<Var>,
    written: BTreeSet<Var>,
    /// Memories that the function itself accesses through a parameter that it never writes, with that parameter.
    cells: BTreeSet<(Var, Var)>,
}

impl Use {
    fn of(program: &Program, function: FuncId) -> Use {
        let is_global = |var: &Var| program.var(*var).scope == Scope::Global;
        let mut all = Use { read: BTreeSet::new(), written: BTreeSet::new(), cells: BTreeSet::new() };
        let mut seen = vec![false; program.functions.len()];
        let mut worklist = vec![function];
        while let Some(at) = worklist.pop() {
            if std::mem::replace(&mut seen[at.index()], true) {
                continue;
            }
            for (_, edge) in program.edges_of(at) {
                all.written.extend(edge.op.written().filter(is_global));
                let mut reads = BTreeSet::new();
                edge.op.for_each_expr(|expr| variables(program, expr, &mut reads));
                if let Op::Copy { source, .. } = edge.op {
                    reads.insert(source);
                }
                all.read.extend(reads.into_iter().filter(is_global));
                if let Op::Call { callee, .. } = edge.op {
                    worklist.push(callee);
                }
            }
        }
        let fixed = unwritten_params(program, function);
        let param = |expr: Expr| match program.pool.node(expr) {
            Node::Var(var) if fixed.contains(&var) => Some(var),
            _ => None,
        };
        for (_, edge) in program.edges_of(function) {
            let mut accesses = Vec::new();
            if let Op::Store { memory, address, .. } = edge.op {
                accesses.push((memory, address));
            }
            edge.op.for_each_expr(|expr| reads_of(program, expr, &mut accesses));
            let through = accesses.into_iter().filter_map(|(memory, address)| Some((memory, param(address)?)));
            all.cells.extend(through.filter(|(memory, _)| is_global(memory)));
        }
        all
    }
}

/// The parameters that the function never writes, so that they keep their values.
pub fn unwritten_params(program: &Program, function: FuncId) -> Vec<Var> {
    let written: BTreeSet<Var> = program.edges_of(function).filter_map(|(_, edge)| edge.op.written()).collect();
    program.function(function).params.iter().copied().filter(|param| !written.contains(param)).collect()
}

/// Adds the variables that occur in `expr`.
pub fn variables(program: &Program, expr: Expr, found: &mut BTreeSet<Var>) {
    for expr in subexpressions(program, expr) {
        if let Node::Var(var) = program.pool.node(expr) {
            found.insert(var);
        }
    }
}

/// Adds the reads of memory variables in `expr`, each with its address.
fn reads_of(program: &Program, expr: Expr, found: &mut Vec<(Var, Expr)>) {
    for expr in subexpressions(program, expr) {
        if let Node::Read { memory, address, .. } = program.pool.node(expr)
            && let Node::Var(memory) = program.pool.node(memory)
        {
            found.push((memory, address));
        }
    }
}

/// All subexpressions, each once.
fn subexpressions(program: &Program, expr: Expr) -> BTreeSet<Expr> {
    let mut seen = BTreeSet::new();
    let mut worklist = vec![expr];
    while let Some(expr) = worklist.pop() {
        if seen.insert(expr) {
            worklist.extend(program.pool.children(expr));
        }
    }
    seen
}
