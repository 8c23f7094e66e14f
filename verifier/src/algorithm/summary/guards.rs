//! Guards: the cases that a function distinguishes by its arguments. Guessed clauses hold under them.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::interface::{Interface, unwritten_params, variables};
use crate::algorithm::guess::terms::rebuild;
use crate::cfa::{LocId, Op, Program, Scope};
use crate::expr::{Expr, Pool, Sort, Var};
use crate::facts::Flow;

/// The maximum number of paths whose conditions are guards.
const MAX_PATHS: usize = 16;

/// The maximum number of edges of such a path.
const MAX_LENGTH: usize = 60;

/// The conditions on the arguments of a function: of single branches, and of paths up to the first call of a recursive
/// function.
pub fn guards(program: &Program, flow: &Flow, interface: &Interface, pool: &mut Pool) -> Vec<Expr> {
    let mut fixed = FxHashMap::default();
    let is_fixed = |var: &Var| !interface.modified.contains(var) && program.var(*var).scope == Scope::Global;
    let globals = (0..program.vars.len() as u32).map(Var).filter(is_fixed);
    for var in unwritten_params(program, interface.function).into_iter().chain(globals) {
        if let Some(at) = interface.entry_of(var)
            && let sort @ Sort::Bits(_) = program.var(var).sort
        {
            fixed.insert(var, pool.var(interface.slots[at].var, sort));
        }
    }
    let mut search = Search { program, flow, fixed: &fixed, pool, found: Vec::new(), paths: Vec::new() };
    let always = search.pool.bool(true);
    let entry = program.function(interface.function).entry;
    search.follow(entry, always, 0);
    let Search { mut found, paths, .. } = search;
    for path in paths {
        if !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

struct Search<'a> {
    program: &'a Program,
    flow: &'a Flow,
    /// Variables that keep their values, with those of their slots.
    fixed: &'a FxHashMap<Var, Expr>,
    pool: &'a mut Pool,
    found: Vec<Expr>,
    paths: Vec<Expr>,
}

impl Search<'_> {
    fn follow(&mut self, location: LocId, condition: Expr, length: usize) {
        if self.paths.len() >= MAX_PATHS {
            return;
        }
        let mut is_end = length >= MAX_LENGTH;
        for (_, edge) in self.program.leaving(location) {
            match edge.op {
                Op::Return(_) | Op::Unsupported(_) => is_end = true,
                Op::Call { callee, .. } if self.flow.is_recursive(callee) => is_end = true,
                Op::Assume(assumed) if !is_end => {
                    let mut condition = condition;
                    if let Some(atom) = self.translate(assumed) {
                        if !self.found.contains(&atom) {
                            self.found.push(atom);
                        }
                        condition = self.pool.and(condition, atom);
                    }
                    self.follow(edge.to, condition, length + 1);
                }
                _ if !is_end => self.follow(edge.to, condition, length + 1),
                _ => {}
            }
        }
        if is_end {
            self.paths.push(condition);
        }
    }

    /// A condition over slots; `None` if it depends on anything else.
    fn translate(&mut self, condition: Expr) -> Option<Expr> {
        let mut used = BTreeSet::new();
        variables(self.program, condition, &mut used);
        let is_plain = !used.is_empty() && used.iter().all(|var| self.fixed.contains_key(var));
        if !is_plain || self.program.pool.may_trap(condition) {
            return None;
        }
        Some(rebuild(&self.program.pool, condition, self.fixed, &mut FxHashMap::default(), self.pool))
    }
}
