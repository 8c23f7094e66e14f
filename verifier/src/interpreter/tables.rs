//! Tables computed once for each program: slots of variables and classified branches.

use super::narrow::narrow_trees;
use crate::cfa::program::{FuncId, LocId, Program, Scope};
use crate::expr::{Expr, Sort, Var};
use crate::facts::ways::Ways;

/// The storage slot of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum VarSlot {
    Global(u32),
    Local(u32),
    GlobalMemory(u32),
    LocalMemory(u32),
}

/// The number of slots that a function, or the program, needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SlotCounts {
    pub(super) scalars: u32,
    pub(super) memories: u32,
}

/// The tables of a program.
pub(super) struct Tables<'p> {
    pub(super) program: &'p Program,
    pub(super) globals: SlotCounts,
    pub(super) checks_accesses: bool,
    slots: Vec<VarSlot>,
    locals: Vec<SlotCounts>,
    ways: Vec<Ways>,
    narrow: Vec<bool>,
}

impl<'p> Tables<'p> {
    pub(super) fn new(program: &'p Program) -> Tables<'p> {
        let mut globals = SlotCounts::default();
        let mut locals = vec![SlotCounts::default(); program.functions.len()];
        let slots = program.vars.iter().map(|var| {
            let counts = match var.scope {
                Scope::Global => &mut globals,
                Scope::Local(function) => &mut locals[function.index()],
            };
            let is_memory = matches!(var.sort, Sort::Memory(_));
            let count = if is_memory { &mut counts.memories } else { &mut counts.scalars };
            let slot = *count;
            *count += 1;
            match (var.scope, is_memory) {
                (Scope::Global, false) => VarSlot::Global(slot),
                (Scope::Global, true) => VarSlot::GlobalMemory(slot),
                (Scope::Local(_), false) => VarSlot::Local(slot),
                (Scope::Local(_), true) => VarSlot::LocalMemory(slot),
            }
        });
        let slots = slots.collect();
        let ways = (0..program.locations.len()).map(|l| Ways::new(program, LocId(l as u32))).collect();
        let checks_accesses = program.address_space.is_declared();
        Tables { program, globals, checks_accesses, slots, locals, ways, narrow: narrow_trees(&program.pool) }
    }

    pub(super) fn slot(&self, var: Var) -> VarSlot {
        self.slots[var.index()]
    }

    pub(super) fn counts(&self, function: FuncId) -> SlotCounts {
        self.locals[function.index()]
    }

    pub(super) fn ways(&self, location: LocId) -> &Ways {
        &self.ways[location.index()]
    }

    /// Whether an expression has a fast evaluation.
    pub(super) fn is_narrow(&self, expr: Expr) -> bool {
        self.narrow[expr.index()]
    }
}
