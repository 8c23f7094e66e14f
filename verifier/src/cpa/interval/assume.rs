//! Evaluation of expressions over intervals, and what assumptions tell about their variables.

use super::IntervalState;
use super::bounds::{Interval, MAX_WIDTH, binary, truth, unary};
use crate::expr::value::mask;
use crate::expr::{BinaryOp, Expr, Node, Pool, Sort, TernaryOp, UnaryOp};

/// Depth up to which expressions are evaluated, to spare the call stack; what lies deeper may have any value.
const MAX_DEPTH: u32 = 64;

/// The width of the intervals of a sort; `None` if it has none.
pub fn width(sort: Sort) -> Option<u16> {
    match sort {
        Sort::Bool => Some(1),
        Sort::Bits(width) => (width <= MAX_WIDTH).then_some(width),
        Sort::Float(_) | Sort::Memory(_) => None,
    }
}

/// All values of an expression in the concrete states of `state`; `None` if its sort has no intervals.
pub fn evaluate(pool: &Pool, state: &IntervalState, expr: Expr) -> Option<Interval> {
    value(pool, state, expr, MAX_DEPTH)
}

fn value(pool: &Pool, state: &IntervalState, expr: Expr, depth: u32) -> Option<Interval> {
    let width = width(pool.sort(expr))?;
    let full = Interval::full(width);
    if depth == 0 {
        return Some(full);
    }
    let of = |expr| value(pool, state, expr, depth - 1);
    let known = match pool.node(expr) {
        Node::Const(value) => Some(Interval::constant(width, value.raw())),
        Node::Var(var) => state.get(var),
        Node::Unary(op, a) => of(a).map(|a| unary(op, a, width)),
        Node::Binary(op, a, b) => of(a).zip(of(b)).map(|(a, b)| binary(op, a, b, width)),
        Node::Ternary(TernaryOp::Ite, condition, a, b) => match of(condition).and_then(|c| c.as_constant()) {
            Some(1) => of(a),
            Some(_) => of(b),
            None => of(a).zip(of(b)).map(|(a, b)| a.join(&b)),
        },
        _ => None,
    };
    Some(known.unwrap_or(full))
}

/// Restricts `state` to concrete states in which a condition is `holds`. False if there are none.
pub fn assume(pool: &Pool, state: &mut IntervalState, condition: Expr, holds: bool) -> bool {
    match pool.node(condition) {
        Node::Unary(UnaryOp::Not, a) => assume(pool, state, a, !holds),
        Node::Binary(BinaryOp::And, a, b) if holds => assume(pool, state, a, true) && assume(pool, state, b, true),
        Node::Binary(BinaryOp::Or, a, b) if !holds => assume(pool, state, a, false) && assume(pool, state, b, false),
        Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            // Where one side does not decide the result, the other one must.
            let neutral = u128::from(op == BinaryOp::And);
            let is_neutral = |state: &IntervalState, side| {
                evaluate(pool, state, side).and_then(|v| v.as_constant()) == Some(neutral)
            };
            match (is_neutral(state, a), is_neutral(state, b)) {
                (true, _) => assume(pool, state, b, holds),
                (_, true) => assume(pool, state, a, holds),
                _ => true,
            }
        }
        Node::Binary(op, a, b) if let Some((x, y)) = evaluate(pool, state, a).zip(evaluate(pool, state, b)) => {
            match compare(op, x, y, holds) {
                Some(Some((x, y))) => restrict(pool, state, a, x) && restrict(pool, state, b, y),
                Some(None) => false,
                None => restrict(pool, state, condition, truth(Some(holds))),
            }
        }
        _ => restrict(pool, state, condition, truth(Some(holds))),
    }
}

/// The values of both sides for which a comparison is `holds`. `None` if `op` is no comparison of integers, `Some(None)`
/// if there are no such values.
fn compare(op: BinaryOp, a: Interval, b: Interval, holds: bool) -> Option<Option<(Interval, Interval)>> {
    use BinaryOp::*;
    Some(match (op, holds) {
        (Eq, true) => a.meet(&b).map(|both| (both, both)),
        (Eq, false) => without(a, b).zip(without(b, a)),
        (UnsignedLess, true) | (UnsignedLessEq, true) => unsigned_less(a, b, op == UnsignedLess),
        (UnsignedLess, false) | (UnsignedLessEq, false) => {
            unsigned_less(b, a, op == UnsignedLessEq).map(|(b, a)| (a, b))
        }
        (SignedLess, true) | (SignedLessEq, true) => signed_less(a, b, op == SignedLess),
        (SignedLess, false) | (SignedLessEq, false) => signed_less(b, a, op == SignedLessEq).map(|(b, a)| (a, b)),
        _ => return None,
    })
}

/// `a` without the only value of `b`, where that is one of its bounds.
fn without(a: Interval, b: Interval) -> Option<Interval> {
    let Some(bits) = b.as_constant() else { return Some(a) };
    let (low, high) = a.unsigned_bounds();
    let a = a.meet(&match bits {
        _ if bits == low && bits == high => return None,
        _ if bits == low => Interval::unsigned(a.width(), low + 1, high)?,
        _ if bits == high => Interval::unsigned(a.width(), low, high - 1)?,
        _ => a,
    })?;
    let number = b.signed_bounds().0;
    let (low, high) = a.signed_bounds();
    let low = if number == low { low + 1 } else { low };
    let high = if number == high { high - 1 } else { high };
    a.meet(&Interval::signed(a.width(), low, high)?)
}

fn unsigned_less(a: Interval, b: Interval, is_strict: bool) -> Option<(Interval, Interval)> {
    let gap = u128::from(is_strict);
    let (low, high) = (a.unsigned_bounds().0, b.unsigned_bounds().1);
    let below = a.meet(&Interval::unsigned(a.width(), 0, high.checked_sub(gap)?)?)?;
    let above = b.meet(&Interval::unsigned(b.width(), low + gap, mask(b.width()))?)?;
    Some((below, above))
}

fn signed_less(a: Interval, b: Interval, is_strict: bool) -> Option<(Interval, Interval)> {
    let gap = i128::from(is_strict);
    let (low, high) = (a.signed_bounds().0, b.signed_bounds().1);
    let below = a.meet(&Interval::signed(a.width(), i128::MIN, high - gap)?)?;
    let above = b.meet(&Interval::signed(b.width(), low + gap, i128::MAX)?)?;
    Some((below, above))
}

/// Restricts `state` to concrete states in which `expr` lies in `bounds`. False if there are none.
fn restrict(pool: &Pool, state: &mut IntervalState, expr: Expr, bounds: Interval) -> bool {
    let Some(before) = evaluate(pool, state, expr) else { return true };
    let Some(now) = before.meet(&bounds) else { return false };
    match pool.node(expr) {
        Node::Var(var) => state.set(var, Some(now)),
        Node::Unary(UnaryOp::ZeroExtend(_), a) => {
            let (low, high) = now.unsigned_bounds();
            let Some(inner) = Interval::unsigned(pool.width(a), low, high) else { return false };
            return restrict(pool, state, a, inner);
        }
        Node::Unary(UnaryOp::SignExtend(_), a) => {
            let (low, high) = now.signed_bounds();
            let Some(inner) = Interval::signed(pool.width(a), low, high) else { return false };
            return restrict(pool, state, a, inner);
        }
        Node::Binary(BinaryOp::Add, a, b) => {
            let Some((x, y)) = evaluate(pool, state, a).zip(evaluate(pool, state, b)) else { return true };
            if let Some(bits) = y.as_constant() {
                return restrict(pool, state, a, shifted(now, x, y.signed_bounds().0, bits));
            }
        }
        _ => {}
    }
    true
}

/// The values of a summand, one of `summand`, for which adding a constant gives a value in `sum`.
fn shifted(sum: Interval, summand: Interval, number: i128, bits: u128) -> Interval {
    let width = sum.width();
    let constant = Interval::constant(width, bits);
    let wraps = |op| binary(op, summand, constant, 1).as_constant() != Some(0);
    let mut result = summand;
    if !wraps(BinaryOp::SignedAddOverflows) {
        let (low, high) = sum.signed_bounds();
        let inner = Interval::signed(width, low - number, high - number);
        result = inner.and_then(|inner| inner.meet(&result)).unwrap_or(result);
    }
    if !wraps(BinaryOp::UnsignedAddOverflows) {
        let (low, high) = sum.unsigned_bounds();
        let inner = Interval::unsigned(width, low.saturating_sub(bits), high.saturating_sub(bits));
        result = inner.and_then(|inner| inner.meet(&result)).unwrap_or(result);
    }
    result
}
