//! What is computed once for a program so that its steps are fast: slots of variables, kinds of branches.

use super::narrow::narrow_trees;
use crate::cfa::expr::Expr;
use crate::cfa::program::{FuncId, LocId, Program, Scope, Var};
use crate::cfa::sort::Sort;
use crate::cfa::ways::Ways;

/// Where a variable is kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Global(u32),
    Local(u32),
    GlobalMemory(u32),
    LocalMemory(u32),
}

/// How many variables of each kind a function, or the program, has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Room {
    pub(super) scalars: u32,
    pub(super) memories: u32,
}

/// The tables of a program.
pub(super) struct Tables<'p> {
    pub(super) program: &'p Program,
    pub(super) globals: Room,
    pub(super) checks_accesses: bool,
    places: Vec<Place>,
    locals: Vec<Room>,
    steps: Vec<Ways>,
    narrow: Vec<bool>,
}

impl<'p> Tables<'p> {
    pub(super) fn new(program: &'p Program) -> Tables<'p> {
        let mut globals = Room::default();
        let mut locals = vec![Room::default(); program.functions.len()];
        let places = program.vars.iter().map(|var| {
            let room = match var.scope {
                Scope::Global => &mut globals,
                Scope::Local(function) => &mut locals[function.index()],
            };
            let is_memory = matches!(var.sort, Sort::Memory(_));
            let count = if is_memory { &mut room.memories } else { &mut room.scalars };
            let slot = *count;
            *count += 1;
            match (var.scope, is_memory) {
                (Scope::Global, false) => Place::Global(slot),
                (Scope::Global, true) => Place::GlobalMemory(slot),
                (Scope::Local(_), false) => Place::Local(slot),
                (Scope::Local(_), true) => Place::LocalMemory(slot),
            }
        });
        let places = places.collect();
        let steps = (0..program.locations.len()).map(|l| Ways::new(program, LocId(l as u32))).collect();
        let space = &program.address_space;
        let checks_accesses = !space.fixed.is_empty() || space.heap_top.is_some() || space.stack_top.is_some();
        Tables { program, globals, checks_accesses, places, locals, steps, narrow: narrow_trees(&program.pool) }
    }

    pub(super) fn place(&self, var: Var) -> Place {
        self.places[var.index()]
    }

    pub(super) fn room(&self, function: FuncId) -> Room {
        self.locals[function.index()]
    }

    pub(super) fn step(&self, location: LocId) -> &Ways {
        &self.steps[location.index()]
    }

    /// Is this an expression that can be evaluated fast?
    pub(super) fn is_narrow(&self, expr: Expr) -> bool {
        self.narrow[expr.index()]
    }
}
