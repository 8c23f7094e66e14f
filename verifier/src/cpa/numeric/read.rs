//! Expressions as linear forms, where arithmetic of machine integers allows it.

use std::cell::Cell;

use super::super::interval::bounds::{Interval, binary, truth, unary};
use super::views::{MAX_WIDTH, View};
use super::{MachineState, Numbers};
use crate::expr::{BinaryOp, Expr, Node, Sort, TernaryOp, UnaryOp};
use crate::numeric::{Linear, NumericDomain};

/// The number of nodes of an expression that are looked at; the others may have any value.
const MAX_NODES: u32 = 400;
/// Depth up to which expressions are read, to spare the call stack.
const MAX_DEPTH: u32 = 48;

/// Reads expressions in a state. The domain must know the ranges of the types of their variables.
pub(super) struct Reader<'a, D> {
    numbers: &'a Numbers<'a>,
    state: &'a MachineState<D>,
    nodes: Cell<u32>,
}

/// A form that equals a value in all states in which another form lies in a range.
pub(super) struct Case {
    /// The form and its range; `None` for all states.
    pub(super) within: Option<(Linear, i128, i128)>,
    pub(super) value: Linear,
}

impl<'a, D: NumericDomain> Reader<'a, D> {
    pub(super) fn new(numbers: &'a Numbers<'a>, state: &'a MachineState<D>) -> Reader<'a, D> {
        Reader { numbers, state, nodes: Cell::new(MAX_NODES) }
    }

    /// A form that is congruent to the value of a bit-vector of at most 64 bits modulo 2^width.
    pub(super) fn congruent(&self, expr: Expr) -> Option<Linear> {
        self.form(expr, MAX_DEPTH)
    }

    /// A form that equals the number that an expression is in this view.
    pub(super) fn exact(&self, expr: Expr, is_signed: bool) -> Option<Linear> {
        self.unwrapped(expr, is_signed, MAX_DEPTH)
    }

    /// All values of an expression.
    pub(super) fn interval(&self, expr: Expr) -> Option<Interval> {
        self.values(expr, MAX_DEPTH)
    }

    /// Forms for the number that an expression is in this view, which together cover all states. If the value may wrap
    /// around once there are two, else one; a constant range in the end.
    pub(super) fn cases(&self, expr: Expr, is_signed: bool) -> Vec<Case> {
        let Some(width) = width(self.numbers.program.pool.sort(expr)) else { return Vec::new() };
        let view = View { width, is_signed };
        if let Some(form) = self.congruent(expr)
            && let Some((low, high)) = self.state.numbers.bounds(&form).both()
        {
            let (first, last) = (period(view, low), period(view, high));
            let (min, max) = view.range();
            let case = |period: i128| {
                let shift = period << width;
                let within = (first != last).then(|| (form.clone(), min + shift, max + shift));
                Case { within, value: form.offset(-shift) }
            };
            if last - first <= 1 {
                return (first..=last).map(case).collect();
            }
        }
        let (low, high) = self.number_range(expr, view, MAX_DEPTH);
        vec![Case { within: None, value: Linear::range(low, high) }]
    }

    fn unwrapped(&self, expr: Expr, is_signed: bool, depth: u32) -> Option<Linear> {
        let view = View { width: width(self.numbers.program.pool.sort(expr))?, is_signed };
        let form = self.form(expr, depth)?;
        let (low, high) = self.state.numbers.bounds(&form).both()?;
        let period = period(view, low);
        (period == self::period(view, high)).then(|| form.offset(-(period << view.width)))
    }

    fn number_range(&self, expr: Expr, view: View, depth: u32) -> (i128, i128) {
        match self.values(expr, depth) {
            Some(values) if view.is_signed => values.signed_bounds(),
            Some(values) => (values.unsigned_bounds().0 as i128, values.unsigned_bounds().1 as i128),
            None => view.range(),
        }
    }

    fn form(&self, expr: Expr, depth: u32) -> Option<Linear> {
        use BinaryOp::*;
        let pool = &self.numbers.program.pool;
        let width = width(pool.sort(expr))?;
        let depth = self.descend(depth)?;
        let form = |expr| self.form(expr, depth);
        let exact = match pool.node(expr) {
            Node::Const(value) => Some(Linear::constant(View { width, is_signed: width > 1 }.number(value.raw()))),
            Node::Var(var) if self.numbers.view(var).is_some() => Some(Linear::var(var)),
            Node::Unary(UnaryOp::Neg, a) => form(a).map(|a| a.negated()),
            Node::Unary(UnaryOp::BitNot, a) => form(a).map(|a| a.negated().offset(-1)),
            Node::Unary(UnaryOp::ZeroExtend(_), a) => self.unwrapped(a, false, depth),
            Node::Unary(UnaryOp::SignExtend(_), a) => self.unwrapped(a, true, depth),
            Node::Unary(UnaryOp::Extract { low: 0, .. }, a) if pool.width(a) <= MAX_WIDTH => form(a),
            Node::Binary(Add, a, b) => form(a).zip(form(b)).map(|(a, b)| a.plus(&b)),
            Node::Binary(Sub, a, b) => form(a).zip(form(b)).map(|(a, b)| a.minus(&b)),
            Node::Binary(Mul, a, b) => match (pool.as_const(a), pool.as_const(b)) {
                (_, Some(factor)) => form(a)?.times(View { width, is_signed: true }.number(factor.raw())),
                (Some(factor), _) => form(b)?.times(View { width, is_signed: true }.number(factor.raw())),
                _ => None,
            },
            Node::Binary(ShiftLeft, a, b) => match pool.as_const(b) {
                Some(distance) if distance.raw() < u128::from(width) => form(a)?.times(1 << distance.raw()),
                _ => None,
            },
            Node::Ternary(TernaryOp::Ite, condition, a, b) => {
                match self.values(condition, depth).and_then(|c| c.as_constant()) {
                    Some(1) => form(a),
                    Some(_) => form(b),
                    None => form(a).zip(form(b)).filter(|(a, b)| a.parts == b.parts).map(|(a, b)| Linear {
                        low: a.low.min(b.low),
                        high: a.high.max(b.high),
                        ..a
                    }),
                }
            }
            _ => None,
        };
        if let Some(form) = exact.filter(Linear::is_small) {
            return Some(form);
        }
        let values = self.evaluate(expr, depth)?;
        let (low, high) = values.unsigned_bounds();
        let (unsigned, signed) = ((low as i128, high as i128), values.signed_bounds());
        let (low, high) = if signed.1 - signed.0 < unsigned.1 - unsigned.0 { signed } else { unsigned };
        Some(Linear::range(low, high))
    }

    /// All values of an expression, through its form if it has one.
    fn values(&self, expr: Expr, depth: u32) -> Option<Interval> {
        use BinaryOp::{Add, Mul, ShiftLeft, Sub};
        use UnaryOp::{BitNot, Extract, Neg, SignExtend, ZeroExtend};
        let pool = &self.numbers.program.pool;
        let width = width(pool.sort(expr))?;
        let is_linear = match pool.node(expr) {
            Node::Var(_) | Node::Unary(Neg | BitNot | ZeroExtend(_) | SignExtend(_), _) => true,
            Node::Unary(Extract { low, .. }, _) => low == 0,
            Node::Binary(Add | Sub | Mul | ShiftLeft, ..) => true,
            _ => false,
        };
        if !is_linear {
            return self.evaluate(expr, depth);
        }
        let bounds = self.form(expr, depth).and_then(|form| self.state.numbers.bounds(&form).both());
        Some(bounds.map_or(Interval::full(width), |(low, high)| modulo(width, low, high)))
    }

    /// All values of an expression by those of its operands.
    fn evaluate(&self, expr: Expr, depth: u32) -> Option<Interval> {
        let pool = &self.numbers.program.pool;
        let width = width(pool.sort(expr))?;
        let full = Interval::full(width);
        let Some(depth) = self.descend(depth) else { return Some(full) };
        let of = |expr| self.values(expr, depth);
        let known = match pool.node(expr) {
            Node::Const(value) => Some(Interval::constant(width, value.raw())),
            Node::Unary(op, a) => of(a).map(|a| unary(op, a, width)),
            Node::Binary(op, a, b) => of(a).zip(of(b)).map(|(a, b)| binary(op, a, b, width)),
            Node::Ternary(TernaryOp::Ite, condition, a, b) => match of(condition).and_then(|c| c.as_constant()) {
                Some(1) => of(a),
                Some(_) => of(b),
                None => of(a).zip(of(b)).map(|(a, b)| a.join(&b)),
            },
            _ => None,
        };
        Some(known.unwrap_or(if pool.sort(expr) == Sort::Bool { truth(None) } else { full }))
    }

    /// Counts a node; `None` if there were too many, or it is too deep.
    fn descend(&self, depth: u32) -> Option<u32> {
        self.nodes.set(self.nodes.get().checked_sub(1)?);
        depth.checked_sub(1)
    }
}

/// The width of a sort that has numbers.
pub(super) fn width(sort: Sort) -> Option<u16> {
    match sort {
        Sort::Bool => Some(1),
        Sort::Bits(width) => (width <= MAX_WIDTH).then_some(width),
        Sort::Float(_) | Sort::Memory(_) => None,
    }
}

/// How often a number wraps around in a view.
fn period(view: View, number: i128) -> i128 {
    (number - view.range().0).div_euclid(1 << view.width)
}

/// The bit-vectors that are congruent to a number of the range.
fn modulo(width: u16, low: i128, high: i128) -> Interval {
    if high - low >= 1 << width { Interval::full(width) } else { Interval::modulo(width, low, high) }
}
