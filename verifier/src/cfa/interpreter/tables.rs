//! What is computed once for a program so that its steps are fast: slots of variables, kinds of branches.

use rustc_hash::{FxHashMap, FxHashSet};

use super::narrow::narrow_trees;
use crate::cfa::expr::{BinaryOp, Expr, Node, Pool, UnaryOp};
use crate::cfa::program::{EdgeId, FuncId, LocId, LocationKind, Op, Program, Scope, Var};
use crate::cfa::sort::Sort;
use crate::cfa::value::Value;

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

/// How control leaves a location.
#[derive(Debug)]
pub(super) enum Step {
    Exit,
    Halt,
    Error,
    /// There is one edge.
    One(EdgeId),
    /// Two assumptions, one the negation of the other.
    Branch {
        condition: Expr,
        yes: EdgeId,
        no: EdgeId,
    },
    /// Assumptions that `subject` is one of some constants, and at most one that it is none of them.
    Switch {
        subject: Expr,
        cases: FxHashMap<u128, EdgeId>,
        otherwise: Option<EdgeId>,
    },
    /// Anything else: all edges must be tried.
    Any,
}

/// The tables of a program.
pub(super) struct Tables<'p> {
    pub(super) program: &'p Program,
    pub(super) globals: Room,
    pub(super) checks_accesses: bool,
    places: Vec<Place>,
    locals: Vec<Room>,
    steps: Vec<Step>,
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
        let steps = (0..program.locations.len()).map(|l| step(program, LocId(l as u32))).collect();
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

    pub(super) fn step(&self, location: LocId) -> &Step {
        &self.steps[location.index()]
    }

    /// Is this an expression that can be evaluated fast?
    pub(super) fn is_narrow(&self, expr: Expr) -> bool {
        self.narrow[expr.index()]
    }
}

fn step(program: &Program, location: LocId) -> Step {
    let leaving = program.location(location).leaving.clone();
    match program.location(location).kind {
        LocationKind::Exit => return Step::Exit,
        LocationKind::Halt => return Step::Halt,
        LocationKind::Error(_) => return Step::Error,
        LocationKind::Normal => {}
    }
    if leaving.len() == 1 {
        return Step::One(EdgeId(leaving.start));
    }
    let assumption = |(id, edge): (EdgeId, &crate::cfa::program::Edge)| match edge.op {
        Op::Assume(condition) => Some((id, condition)),
        _ => None,
    };
    let Some(assumptions) = program.leaving(location).map(assumption).collect::<Option<Vec<_>>>() else {
        return Step::Any;
    };
    let pool = &program.pool;
    match *assumptions {
        [(yes, a), (no, b)] if negates(pool, a, b) => Step::Branch { condition: a, yes, no },
        _ => switch(pool, &assumptions).unwrap_or(Step::Any),
    }
}

/// Is one the negation of the other, by its form?
fn negates(pool: &Pool, a: Expr, b: Expr) -> bool {
    use BinaryOp::*;
    match (pool.node(a), pool.node(b)) {
        (Node::Unary(UnaryOp::Not, inner), _) if inner == b => true,
        (_, Node::Unary(UnaryOp::Not, inner)) if inner == a => true,
        (Node::Binary(p, a1, a2), Node::Binary(q, b1, b2)) => {
            let opposite = [(SignedLess, SignedLessEq), (UnsignedLess, UnsignedLessEq)];
            (a1, a2) == (b2, b1) && (opposite.contains(&(p, q)) || opposite.contains(&(q, p)))
        }
        _ => false,
    }
}

fn switch(pool: &Pool, assumptions: &[(EdgeId, Expr)]) -> Option<Step> {
    let (subject, _) = alternatives(pool, assumptions.first()?.1).first().and_then(|&e| equation(pool, e))?;
    let (mut cases, mut tests, mut otherwise) = (FxHashMap::default(), Vec::new(), None);
    for &(edge, condition) in assumptions {
        let alternatives = alternatives(pool, condition);
        let constant = |&e: &Expr| equation(pool, e).filter(|&(s, _)| s == subject).map(|(_, value)| value);
        match alternatives.iter().map(constant).collect::<Option<Vec<_>>>() {
            Some(constants) => {
                for value in constants {
                    if cases.insert(value.raw(), edge).is_some_and(|other| other != edge) {
                        return None;
                    }
                }
                tests.extend(alternatives);
            }
            None if otherwise.is_none() => otherwise = Some((edge, condition)),
            None => return None,
        }
    }
    if let Some((_, condition)) = otherwise {
        let excluded: FxHashSet<Expr> = excluded(pool, condition).into_iter().collect();
        if !tests.iter().all(|test| excluded.contains(test)) {
            return None;
        }
    }
    Some(Step::Switch { subject, cases, otherwise: otherwise.map(|(edge, _)| edge) })
}

/// `subject` and `constant` of `subject == constant`.
fn equation(pool: &Pool, expr: Expr) -> Option<(Expr, Value)> {
    match pool.node(expr) {
        Node::Binary(BinaryOp::Eq, a, b) => match (pool.as_const(a), pool.as_const(b)) {
            (None, Some(value)) => Some((a, value)),
            (Some(value), None) => Some((b, value)),
            _ => None,
        },
        _ => None,
    }
}

/// The expressions whose disjunction this is.
fn alternatives(pool: &Pool, expr: Expr) -> Vec<Expr> {
    flatten(pool, expr, BinaryOp::Or)
}

/// Expressions that cannot hold if this one does.
fn excluded(pool: &Pool, expr: Expr) -> Vec<Expr> {
    let conjuncts = flatten(pool, expr, BinaryOp::And).into_iter();
    let negated = conjuncts.filter_map(|e| match pool.node(e) {
        Node::Unary(UnaryOp::Not, inner) => Some(alternatives(pool, inner)),
        _ => None,
    });
    negated.flatten().collect()
}

fn flatten(pool: &Pool, expr: Expr, by: BinaryOp) -> Vec<Expr> {
    let (mut stack, mut flat) = (vec![expr], Vec::new());
    while let Some(expr) = stack.pop() {
        match pool.node(expr) {
            Node::Binary(op, a, b) if op == by => stack.extend([b, a]),
            _ => flat.push(expr),
        }
    }
    flat
}
