//! What conditions tell about numbers.

use smallvec::SmallVec;

use super::read::{Case, Reader, width};
use super::views::View;
use super::{MachineState, Numbers};
use crate::expr::{BinaryOp, Expr, Node, Sort, TernaryOp, UnaryOp, Var, eval};
use crate::numeric::{Linear, NumericDomain};

/// Depth up to which conditions are read, to spare the call stack.
const MAX_DEPTH: u32 = 32;
/// Depth up to which both ways through a condition are followed.
const MAX_SPLITS: u32 = 4;

/// The limits of one assumption.
#[derive(Clone, Copy)]
struct Limits {
    depth: u32,
    splits: u32,
}

/// One side of a comparison.
#[derive(Clone, Copy)]
enum Side {
    Expr(Expr),
    Number { width: u16, bits: u128 },
}

/// A comparison of integers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Less { is_signed: bool },
    LessEq { is_signed: bool },
    Equal,
    Different,
}

/// Restricts `state` to concrete states in which a condition is `holds`.
pub(super) fn assume<D: NumericDomain>(
    numbers: &Numbers<'_>,
    state: &mut MachineState<D>,
    condition: Expr,
    holds: bool,
) {
    restrict(numbers, state, condition, holds, Limits { depth: MAX_DEPTH, splits: MAX_SPLITS });
}

fn restrict<D: NumericDomain>(
    numbers: &Numbers<'_>,
    state: &mut MachineState<D>,
    condition: Expr,
    holds: bool,
    limits: Limits,
) {
    use BinaryOp::*;
    let pool = &numbers.program.pool;
    if state.numbers.is_bottom() || limits.depth == 0 {
        return;
    }
    let limits = Limits { depth: limits.depth - 1, ..limits };
    match pool.node(condition) {
        Node::Const(value) if value.is_true() != holds => state.numbers.set_bottom(),
        Node::Var(var) => {
            if let Some(&definition) = state.definitions.get(&var) {
                restrict(numbers, state, definition, holds, limits);
            }
            numbers.know_range(&mut state.numbers, var);
            equate(&mut state.numbers, &Linear::var(var).offset(-i128::from(holds)));
        }
        Node::Unary(UnaryOp::Not, a) => restrict(numbers, state, a, !holds, limits),
        Node::Binary(op @ (And | Or), a, b) if (op == And) == holds => {
            restrict(numbers, state, a, holds, limits);
            restrict(numbers, state, b, holds, limits);
        }
        Node::Binary(And | Or, a, b) => {
            let Some(splits) = limits.splits.checked_sub(1) else { return };
            let limits = Limits { splits, ..limits };
            either(
                state,
                |state| restrict(numbers, state, a, holds, limits),
                |state| {
                    restrict(numbers, state, a, !holds, limits);
                    restrict(numbers, state, b, holds, limits);
                },
            );
        }
        Node::Ternary(TernaryOp::Ite, choice, a, b) => {
            let Some(splits) = limits.splits.checked_sub(1) else { return };
            let limits = Limits { splits, ..limits };
            let branch = |state: &mut MachineState<D>, taken, value| {
                restrict(numbers, state, choice, taken, limits);
                restrict(numbers, state, value, holds, limits);
            };
            either(state, |state| branch(state, true, a), |state| branch(state, false, b));
        }
        Node::Binary(op, a, b) => {
            let relation = match (op, holds) {
                (Eq, true) => Relation::Equal,
                (Eq, false) => Relation::Different,
                (UnsignedLess, true) | (UnsignedLessEq, false) => Relation::Less { is_signed: false },
                (UnsignedLessEq, true) | (UnsignedLess, false) => Relation::LessEq { is_signed: false },
                (SignedLess, true) | (SignedLessEq, false) => Relation::Less { is_signed: true },
                (SignedLessEq, true) | (SignedLess, false) => Relation::LessEq { is_signed: true },
                (SignedAddOverflows | SignedSubOverflows | UnsignedAddOverflows | UnsignedSubOverflows, _) => {
                    return overflow(numbers, state, (op, a, b), holds);
                }
                _ => return,
            };
            if width(pool.sort(a)).is_none() {
                return;
            }
            let is_swapped = !holds && op != Eq;
            let (a, b) = if is_swapped { (b, a) } else { (a, b) };
            compare(numbers, state, relation, Side::Expr(a), Side::Expr(b), limits);
        }
        _ => {}
    }
}

/// The states after one of two restrictions.
fn either<D: NumericDomain>(
    state: &mut MachineState<D>,
    one: impl FnOnce(&mut MachineState<D>),
    two: impl FnOnce(&mut MachineState<D>),
) {
    let mut other = state.clone();
    one(state);
    two(&mut other);
    state.numbers = state.numbers.join(&other.numbers);
}

/// Assumes that a form is 0.
fn equate<D: NumericDomain>(numbers: &mut D, form: &Linear) {
    numbers.assume(form);
    numbers.assume(&form.negated());
}

/// Assumes that a form lies in a range.
fn bound<D: NumericDomain>(numbers: &mut D, form: &Linear, low: i128, high: i128) {
    numbers.assume(&form.negated().offset(low));
    numbers.assume(&form.offset(-high));
}

fn compare<D: NumericDomain>(
    numbers: &Numbers<'_>,
    state: &mut MachineState<D>,
    relation: Relation,
    a: Side,
    b: Side,
    limits: Limits,
) {
    if limits.depth == 0 || state.numbers.is_bottom() {
        return;
    }
    let limits = Limits { depth: limits.depth - 1, ..limits };
    // A side that depends on a condition is compared for both of its values.
    for (side, is_left) in [(a, true), (b, false)] {
        if let Some((choice, yes, no)) = alternatives(numbers, state, side)
            && let Some(splits) = limits.splits.checked_sub(1)
        {
            let limits = Limits { splits, ..limits };
            let branch = |state: &mut MachineState<D>, taken, value| {
                restrict(numbers, state, choice, taken, limits);
                let (a, b) = if is_left { (value, b) } else { (a, value) };
                compare(numbers, state, relation, a, b, limits);
            };
            // What holds of the variables themselves holds in both cases.
            relate(numbers, state, relation, a, b);
            return either(state, |state| branch(state, true, yes), |state| branch(state, false, no));
        }
    }
    relate(numbers, state, relation, a, b);
}

/// The condition that a side depends on, and its two values.
fn alternatives<D: NumericDomain>(
    numbers: &Numbers<'_>,
    state: &MachineState<D>,
    side: Side,
) -> Option<(Expr, Side, Side)> {
    let Side::Expr(expr) = side else { return None };
    let pool = &numbers.program.pool;
    let resolve = |expr: Expr| match pool.node(expr) {
        Node::Var(var) => state.definitions.get(&var).copied().unwrap_or(expr),
        _ => expr,
    };
    let expr = resolve(expr);
    match pool.node(expr) {
        Node::Ternary(TernaryOp::Ite, choice, a, b) => Some((choice, Side::Expr(a), Side::Expr(b))),
        Node::Unary(op @ (UnaryOp::ZeroExtend(_) | UnaryOp::SignExtend(_) | UnaryOp::Extract { .. }), a) => {
            let Node::Ternary(TernaryOp::Ite, choice, a, b) = pool.node(resolve(a)) else { return None };
            let number = |expr: Expr| {
                let value = eval::unary(op, pool.as_const(expr)?).ok()?;
                Some(Side::Number { width: width(value.sort())?, bits: value.raw() })
            };
            Some((choice, number(a)?, number(b)?))
        }
        // A truth value that is compared for equality.
        _ if pool.sort(expr) == Sort::Bool && !matches!(pool.node(expr), Node::Const(_) | Node::Var(_)) => {
            let number = |bits| Side::Number { width: 1, bits };
            Some((expr, number(1), number(0)))
        }
        _ => None,
    }
}

/// Assumes a relation between numbers, as far as they have forms.
fn relate<D: NumericDomain>(numbers: &Numbers<'_>, state: &mut MachineState<D>, relation: Relation, a: Side, b: Side) {
    for side in [a, b] {
        if let Side::Expr(expr) = side {
            numbers.know_ranges(&mut state.numbers, expr);
        }
    }
    let reader = Reader::new(numbers, state);
    match relation {
        Relation::Less { is_signed } | Relation::LessEq { is_signed } => {
            let gap = i128::from(matches!(relation, Relation::Less { .. }));
            let [a, b] = [a, b].map(|side| cases(&reader, side, is_signed));
            let mut joined: Option<D> = None;
            for (a, b) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
                let mut restricted = state.numbers.clone();
                for (form, low, high) in [&a.within, &b.within].into_iter().flatten() {
                    bound(&mut restricted, form, *low, *high);
                }
                restricted.assume(&a.value.minus(&b.value).offset(gap));
                joined = Some(joined.map_or_else(|| restricted.clone(), |joined| joined.join(&restricted)));
            }
            if let Some(joined) = joined {
                state.numbers = joined;
            }
        }
        Relation::Equal | Relation::Different => {
            let (Some((one, width)), Some((two, _))) = (congruent(numbers, &reader, a), congruent(numbers, &reader, b))
            else {
                return;
            };
            let difference = one.minus(&two);
            if !difference.is_small() {
                return;
            }
            let Some((low, high)) = state.numbers.bounds(&difference).both() else { return };
            // The sides are equal if their difference is a multiple of the number of values.
            let size = 1_i128 << width;
            let (first, last) = (-(-low).div_euclid(size), high.div_euclid(size));
            if relation == Relation::Equal {
                match last - first {
                    ..0 => state.numbers.set_bottom(),
                    0 => equate(&mut state.numbers, &difference.offset(-first * size)),
                    1 => either(
                        state,
                        |state| equate(&mut state.numbers, &difference.offset(-first * size)),
                        |state| equate(&mut state.numbers, &difference.offset(-last * size)),
                    ),
                    _ => {}
                }
            } else if difference.low == difference.high && first <= last {
                // A bound that is a multiple is excluded.
                if low == first * size {
                    state.numbers.assume(&difference.negated().offset(low + 1));
                }
                if high == last * size {
                    state.numbers.assume(&difference.offset(1 - high));
                }
            }
        }
    }
}

fn cases<D: NumericDomain>(reader: &Reader<'_, D>, side: Side, is_signed: bool) -> SmallVec<[Case; 2]> {
    match side {
        Side::Expr(expr) => reader.cases(expr, is_signed).into(),
        Side::Number { width, bits } => {
            let value = Linear::constant(View { width, is_signed }.number(bits));
            SmallVec::from_iter([Case { within: None, value }])
        }
    }
}

/// A form that is congruent to a side modulo 2^width, and the width.
fn congruent<D: NumericDomain>(numbers: &Numbers<'_>, reader: &Reader<'_, D>, side: Side) -> Option<(Linear, u16)> {
    match side {
        Side::Expr(expr) => Some((reader.congruent(expr)?, width(numbers.program.pool.sort(expr))?)),
        Side::Number { width, bits } => {
            Some((Linear::constant(View { width, is_signed: width > 1 }.number(bits)), width))
        }
    }
}

/// Assumes whether a sum or a difference overflows.
fn overflow<D: NumericDomain>(
    numbers: &Numbers<'_>,
    state: &mut MachineState<D>,
    (op, a, b): (BinaryOp, Expr, Expr),
    holds: bool,
) {
    let Some(width) = width(numbers.program.pool.sort(a)) else { return };
    let is_signed = matches!(op, BinaryOp::SignedAddOverflows | BinaryOp::SignedSubOverflows);
    [a, b].into_iter().for_each(|expr| numbers.know_ranges(&mut state.numbers, expr));
    let reader = Reader::new(numbers, state);
    let Some((a, b)) = reader.exact(a, is_signed).zip(reader.exact(b, is_signed)) else { return };
    let is_sum = matches!(op, BinaryOp::SignedAddOverflows | BinaryOp::UnsignedAddOverflows);
    let result = if is_sum { a.plus(&b) } else { a.minus(&b) };
    let (low, high) = View { width, is_signed }.range();
    if !result.is_small() {
        return;
    }
    if !holds {
        return bound(&mut state.numbers, &result, low, high);
    }
    either(
        state,
        |state| state.numbers.assume(&result.offset(1 - low)),
        |state| state.numbers.assume(&result.negated().offset(high + 1)),
    );
}

/// The variables of a definition that is worth keeping: one that a comparison can look into.
pub(super) fn is_definition(numbers: &Numbers<'_>, var: Var, expr: Expr) -> bool {
    let pool = &numbers.program.pool;
    let is_choice = match pool.node(expr) {
        Node::Ternary(TernaryOp::Ite, ..) => true,
        Node::Unary(UnaryOp::ZeroExtend(_) | UnaryOp::SignExtend(_) | UnaryOp::Extract { .. }, a) => {
            matches!(pool.node(a), Node::Ternary(TernaryOp::Ite, ..))
        }
        Node::Unary(..) | Node::Binary(..) => pool.sort(expr) == Sort::Bool,
        _ => false,
    };
    is_choice && !numbers.vars_of(expr).contains(&var)
}
