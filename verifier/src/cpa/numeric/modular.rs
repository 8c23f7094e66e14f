//! Programs over affine equations modulo powers of two: one system for all variables of the same width.

use std::rc::Rc;

use super::Numbers;
use crate::cfa::{Function, Op, Program, Step};
use crate::expr::{BinaryOp, Expr, Node, Sort, UnaryOp, Var};
use crate::numeric::congruences::{Affine, Congruences};

/// The largest number of variables of one width that are tracked.
const MAX_VARS: usize = 60;
/// The number of nodes up to which expressions are read.
const MAX_NODES: u32 = 64;

/// The variables whose equations are tracked.
#[derive(Debug)]
pub struct Tracked {
    /// For each variable the number of its system, and its number there.
    places: Vec<Option<(usize, usize)>>,
    /// The width and the variables of each system.
    pub systems: Vec<(u16, Vec<Var>)>,
}

/// The equations that hold; `None` for systems that are not tracked.
pub type Equations = Rc<[Congruences]>;

/// `Σ factor · variable + constant == 0` modulo 2^width.
#[derive(Clone, Debug)]
pub struct Equation {
    /// The width of its variables.
    pub width: u16,
    /// Variables with their factors, which are not zero.
    pub parts: Vec<(Var, u64)>,
    /// The constant.
    pub constant: u64,
}

impl Tracked {
    /// The variables of a program, without widths that have too many.
    pub fn new(program: &Program) -> Tracked {
        let mut systems: Vec<(u16, Vec<Var>)> = Vec::new();
        for var in (0..program.vars.len() as u32).map(Var) {
            let Sort::Bits(width @ 2..=64) = program.var(var).sort else { continue };
            match systems.iter_mut().find(|(other, _)| *other == width) {
                Some((_, vars)) => vars.push(var),
                None => systems.push((width, vec![var])),
            }
        }
        systems.retain(|(_, vars)| vars.len() <= MAX_VARS);
        let mut places = vec![None; program.vars.len()];
        for (system, (_, vars)) in systems.iter().enumerate() {
            vars.iter().enumerate().for_each(|(at, var)| places[var.index()] = Some((system, at)));
        }
        Tracked { places, systems }
    }

    /// All states.
    pub fn top(&self) -> Equations {
        self.systems.iter().map(|(width, vars)| Congruences::top((*width).into(), vars.len())).collect()
    }

    /// Whether all states of `a` are in `b`.
    pub fn leq(&self, a: &Equations, b: &Equations) -> bool {
        Rc::ptr_eq(a, b) || a.iter().zip(&**b).all(|(a, b)| a.leq(b))
    }

    /// The smallest value that includes both.
    pub fn join(&self, a: &Equations, b: &Equations) -> Equations {
        if Rc::ptr_eq(a, b) { Rc::clone(a) } else { a.iter().zip(&**b).map(|(a, b)| a.join(b)).collect() }
    }

    /// The equations that hold, without those that others imply.
    pub fn equations(&self, equations: &Equations) -> Vec<Equation> {
        let of_system = |((width, vars), found): (&(u16, Vec<Var>), &Congruences)| {
            let written = |row: Affine| {
                let parts = vars.iter().zip(&row[1..]).filter(|(_, factor)| **factor != 0);
                Equation {
                    width: *width,
                    parts: parts.map(|(&var, &factor)| (var, factor)).collect(),
                    constant: row[0],
                }
            };
            found.equations().into_iter().map(written).collect::<Vec<_>>()
        };
        self.systems.iter().zip(&**equations).flat_map(of_system).collect()
    }

    /// A measure of the work of an operation.
    pub fn size(&self) -> usize {
        self.systems.iter().map(|(_, vars)| vars.len() * vars.len()).sum()
    }

    /// Forgets a variable.
    pub fn forget(&self, equations: &mut Equations, var: Var) {
        if let Some((system, at)) = self.places[var.index()] {
            Rc::make_mut(equations)[system].forget(at);
        }
    }

    fn assign(&self, program: &Program, equations: &mut Equations, var: Var, value: Expr) {
        let Some((system, at)) = self.places[var.index()] else { return };
        match self.affine(program, system, value, &mut { MAX_NODES }) {
            Some(value) => Rc::make_mut(equations)[system].assign(at, &value),
            None => self.forget(equations, var),
        }
    }

    /// An expression as an affine one over the variables of a system.
    fn affine(&self, program: &Program, system: usize, expr: Expr, nodes: &mut u32) -> Option<Affine> {
        *nodes = nodes.checked_sub(1)?;
        let pool = &program.pool;
        let (width, vars) = &self.systems[system];
        (pool.sort(expr) == Sort::Bits(*width)).then_some(())?;
        let constant = |number: u64| {
            let mut value = vec![0; vars.len() + 1];
            value[0] = number;
            value
        };
        let scaled = |value: Affine, factor: u64| value.into_iter().map(|x| x.wrapping_mul(factor)).collect::<Affine>();
        let sum = |a: Affine, b: Affine| a.into_iter().zip(b).map(|(a, b)| a.wrapping_add(b)).collect::<Affine>();
        let mut read = |expr| self.affine(program, system, expr, nodes);
        Some(match pool.node(expr) {
            Node::Const(value) => constant(value.raw() as u64),
            Node::Var(var) => {
                let (_, at) = self.places[var.index()].filter(|place| place.0 == system)?;
                let mut value = constant(0);
                value[at + 1] = 1;
                value
            }
            Node::Unary(UnaryOp::Neg, a) => scaled(read(a)?, u64::MAX),
            Node::Unary(UnaryOp::BitNot, a) => sum(scaled(read(a)?, u64::MAX), constant(u64::MAX)),
            Node::Binary(BinaryOp::Add, a, b) => sum(read(a)?, read(b)?),
            Node::Binary(BinaryOp::Sub, a, b) => sum(read(a)?, scaled(read(b)?, u64::MAX)),
            Node::Binary(BinaryOp::Mul, a, b) => match (pool.as_const(a), pool.as_const(b)) {
                (_, Some(factor)) => scaled(read(a)?, factor.raw() as u64),
                (Some(factor), _) => scaled(read(b)?, factor.raw() as u64),
                _ => return None,
            },
            Node::Binary(BinaryOp::ShiftLeft, a, b) => {
                let distance = pool.as_const(b)?.raw();
                (distance < u128::from(*width)).then_some(())?;
                scaled(read(a)?, 1 << distance)
            }
            _ => return None,
        })
    }

    /// Restricts to states in which a condition is `holds`: only equations say anything.
    fn assume(&self, program: &Program, equations: &mut Equations, condition: Expr, holds: bool) {
        match program.pool.node(condition) {
            Node::Unary(UnaryOp::Not, a) => self.assume(program, equations, a, !holds),
            Node::Binary(BinaryOp::And, a, b) if holds => {
                self.assume(program, equations, a, true);
                self.assume(program, equations, b, true);
            }
            Node::Binary(BinaryOp::Eq, a, b) if holds => {
                for (system, (width, _)) in self.systems.iter().enumerate() {
                    if program.pool.sort(a) != Sort::Bits(*width) {
                        continue;
                    }
                    let [a, b] = [a, b].map(|side| self.affine(program, system, side, &mut { MAX_NODES }));
                    if let Some((a, b)) = a.zip(b) {
                        let difference = a.into_iter().zip(b).map(|(a, b)| a.wrapping_sub(b)).collect();
                        Rc::make_mut(equations)[system].assume_zero(&difference);
                    }
                }
            }
            _ => {}
        }
    }

    /// The effect of a step, see [`Numbers::transfer`].
    pub fn transfer(&self, numbers: &Numbers<'_>, equations: &mut Equations, step: Step) {
        let program = numbers.program;
        match &program.edge(step.edge).op {
            Op::Assume(condition) => self.assume(program, equations, *condition, true),
            Op::Assign(var, value) => self.assign(program, equations, *var, *value),
            Op::Call { callee, args, .. } => {
                let Function { locals, params, .. } = program.function(*callee);
                locals.iter().for_each(|&var| self.forget(equations, var));
                params.iter().zip(args).for_each(|(&param, &arg)| self.assign(program, equations, param, arg));
            }
            Op::Return(value) => {
                let called = step.call.map(|call| &program.edge(call).op);
                if let Some(Op::Call { result: Some(result), .. }) = called {
                    match *value {
                        Some(value) => self.assign(program, equations, *result, value),
                        None => self.forget(equations, *result),
                    }
                }
                let function = program.location(program.edge(step.edge).from).function;
                let Function { locals, params, .. } = program.function(function);
                locals.iter().chain(params).for_each(|&var| self.forget(equations, var));
            }
            op => op.written().into_iter().for_each(|var| self.forget(equations, var)),
        }
    }
}
