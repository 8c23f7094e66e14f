//! Which kept location comes next, wherever control goes.

use std::ops::Range;

use crate::cfa::program::{FuncId, LocId, Op, Program};
use crate::expr::{BinaryOp, Expr, Node, Pool, UnaryOp};
use crate::facts::Ways;

/// No kept location is known to come next.
const NONE: u32 = u32::MAX;
/// Several may come next.
const SEVERAL: u32 = u32::MAX - 1;
/// No error can be reached any more.
pub(super) const END: u32 = u32::MAX - 2;
/// The function returns.
pub(super) const EXIT: u32 = u32::MAX - 3;

/// For each location of a function the kept location that comes next, the location itself included.
pub(super) struct Observed {
    locations: Range<u32>,
    next: Vec<u32>,
    /// The number of locations that were looked at.
    pub work: u64,
}

/// Computes what comes next in `function`, for locations in `kept` and others.
pub(super) fn observe(program: &Program, function: FuncId, kept: &[bool], useful: &[bool]) -> Observed {
    let locations = program.function(function).locations.clone();
    let mut observed = Observed { next: vec![NONE; locations.len()], locations, work: 0 };
    loop {
        let mut changed = false;
        observed.work += observed.locations.len() as u64;
        for location in observed.locations.clone().rev().map(LocId) {
            let next = observed.compute(program, location, kept, useful);
            let slot = &mut observed.next[(location.0 - observed.locations.start) as usize];
            changed |= *slot != next;
            *slot = next;
        }
        if !changed {
            return observed;
        }
    }
}

impl Observed {
    /// What comes next at `location`.
    pub fn at(&self, location: LocId) -> u32 {
        self.next[(location.0 - self.locations.start) as usize]
    }

    fn compute(&self, program: &Program, location: LocId, kept: &[bool], useful: &[bool]) -> u32 {
        if !useful[location.index()] {
            return END;
        }
        if kept[location.index()] {
            return location.0;
        }
        let mut next = NONE;
        self.for_each_successor(program, location, |after| next = join(next, after));
        next
    }

    fn for_each_successor(&self, program: &Program, location: LocId, mut visit: impl FnMut(u32)) {
        for (_, edge) in program.leaving(location) {
            visit(if let Op::Return(_) = edge.op { EXIT } else { self.at(edge.to) });
        }
    }

    /// Locations that decide which kept location comes next.
    pub fn deciding(&self, program: &Program, kept: &[bool], useful: &[bool]) -> Vec<LocId> {
        let open = |l: &LocId| useful[l.index()] && !kept[l.index()] && self.at(*l) == SEVERAL;
        let open: Vec<LocId> = self.locations.clone().map(LocId).filter(open).collect();
        let differs = |location: &&LocId, counts: fn(u32) -> bool| {
            let (mut first, mut differs) = (NONE, false);
            self.for_each_successor(program, **location, |after| {
                if counts(after) {
                    differs |= first != NONE && first != after;
                    first = after;
                }
            });
            differs
        };
        let clear: Vec<LocId> =
            open.iter().filter(|l| differs(l, |after| after != NONE && after != SEVERAL)).copied().collect();
        if !clear.is_empty() {
            return clear;
        }
        // Only around loops: each branch decides in one of its iterations.
        open.iter().filter(|l| differs(l, |after| after != NONE)).copied().collect()
    }
}

fn join(a: u32, b: u32) -> u32 {
    match (a, b) {
        (NONE, x) | (x, NONE) => x,
        (x, y) if x == y => x,
        _ => SEVERAL,
    }
}

/// Whether a run may have no edge to take at `location`, because its assumptions are not exhaustive.
pub(super) fn may_stick(program: &Program, location: LocId) -> bool {
    let is_assumption = |op: &Op| matches!(op, Op::Assume(_));
    if program.leaving(location).any(|(_, edge)| !is_assumption(&edge.op)) {
        return false;
    }
    match Ways::new(program, location) {
        Ways::Branch { .. } => false,
        Ways::Switch { subject, cases, otherwise: Some(edge) } => {
            let Op::Assume(condition) = program.edge(edge).op else { return true };
            let is_case = |expr: Expr| match program.pool.as_comparison_with_constant(expr) {
                Some((term, value)) => {
                    term == subject && program.pool.as_const(value).is_some_and(|v| cases.contains_key(&v.raw()))
                }
                None => false,
            };
            !excludes_only(&program.pool, condition, &is_case)
        }
        _ => true,
    }
}

/// Whether a condition holds wherever none of the cases does.
fn excludes_only(pool: &Pool, condition: Expr, is_case: &impl Fn(Expr) -> bool) -> bool {
    let (mut stack, mut denied) = (vec![condition], Vec::new());
    while let Some(expr) = stack.pop() {
        match pool.node(expr) {
            Node::Binary(BinaryOp::And, a, b) => stack.extend([a, b]),
            Node::Unary(UnaryOp::Not, inner) => denied.push(inner),
            _ => return false,
        }
    }
    while let Some(expr) = denied.pop() {
        match pool.node(expr) {
            Node::Binary(BinaryOp::Or, a, b) => denied.extend([a, b]),
            _ if is_case(expr) => {}
            _ => return false,
        }
    }
    true
}
