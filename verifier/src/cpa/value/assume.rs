//! Assumptions: feasibility, and the values that they pin.

use super::cells::CellKey;
use super::eval::{Evaluator, Semantics};
use super::transfer::Store;
use crate::expr::eval::{self, cell_address};
use crate::expr::value::mask;
use crate::expr::{BinaryOp, Cell, Expr, Node, Pool, Sort, TernaryOp, UnaryOp, Value};
use crate::facts::sums::Told;

/// Assumes `condition`. Returns false if it cannot hold. A cell for which only one value satisfies it takes that value.
pub fn assume<S: Store>(semantics: &Semantics<'_>, store: &mut S, condition: Expr) -> bool {
    let mut evaluator = Evaluator::new(semantics, store);
    let result = evaluator.truth(condition);
    if evaluator.crashed {
        return false;
    }
    match result {
        Some(holds) => holds,
        None => Pin { semantics, pool: &semantics.program.pool, store }.truth(condition, true),
    }
}

/// Searches for cells that a condition leaves a single value. Each method returns false on a contradiction.
struct Pin<'a, 'p, S> {
    semantics: &'a Semantics<'p>,
    pool: &'p Pool,
    store: &'a mut S,
}

impl<S: Store> Pin<'_, '_, S> {
    fn eval(&mut self, expr: Expr) -> Option<u128> {
        Evaluator::new(self.semantics, self.store).maybe(expr)
    }

    /// Assumes that `expr` has the truth value `holds`.
    fn truth(&mut self, expr: Expr, holds: bool) -> bool {
        use BinaryOp::*;
        match self.pool.node(expr) {
            Node::Unary(UnaryOp::Not, a) => self.truth(a, !holds),
            Node::Binary(op @ (And | Or), a, b) => {
                if holds == (op == And) {
                    // Both operands are determined.
                    self.decided(a, holds) && self.decided(b, holds)
                } else if self.eval(a) == Some((!holds).into()) {
                    self.truth(b, holds)
                } else if self.eval(b) == Some((!holds).into()) {
                    self.truth(a, holds)
                } else {
                    true
                }
            }
            Node::Binary(Eq, a, b) if holds => self.equal(expr, a, b),
            // For sorts with two values, inequality determines the other.
            Node::Binary(Eq, a, b) if matches!(self.pool.sort(a), Sort::Bool | Sort::Bits(1)) => {
                match (self.eval(a), self.eval(b)) {
                    (Some(value), None) => self.value(b, value ^ 1),
                    (None, Some(value)) => self.value(a, value ^ 1),
                    _ => true,
                }
            }
            Node::Binary(FloatEq, a, b) if holds => self.equal_floats(a, b),
            Node::Binary(op @ (UnsignedLess | UnsignedLessEq | SignedLess | SignedLessEq), a, b) => {
                if holds {
                    self.order(op, a, b)
                } else {
                    self.order(opposite(op), b, a)
                }
            }
            _ => self.scalar(expr, holds.into()),
        }
    }

    /// The same, but `expr` may already be known.
    fn decided(&mut self, expr: Expr, holds: bool) -> bool {
        match self.eval(expr) {
            Some(known) => known == holds.into(),
            None => self.truth(expr, holds),
        }
    }

    /// Assumes `expr`, which is `a == b`.
    fn equal(&mut self, expr: Expr, a: Expr, b: Expr) -> bool {
        match (self.eval(a), self.eval(b)) {
            (Some(value), None) => self.value(b, value),
            (None, Some(value)) => self.value(a, value),
            (Some(x), Some(y)) => x == y,
            (None, None) => self.sum(expr, 0),
        }
    }

    /// Assumes that the sum behind `expr` yields `word`: its value, or the difference of the operands that it compares.
    fn sum(&mut self, expr: Expr, word: u64) -> bool {
        let Some(told) = self.semantics.sums.told(expr).map(Told::shifted) else { return true };
        let Some(sum) = told.of else { return told.constant == word };
        let needed = told.inverse(word);
        match self.store.scalar(sum) {
            Some(known) => known == needed,
            None => {
                self.store.pin(CellKey::scalar(sum), needed);
                true
            }
        }
    }

    /// Equal floats have equal representations, except for zeros and in the 80-bit format.
    fn equal_floats(&mut self, a: Expr, b: Expr) -> bool {
        let Sort::Float(format) = self.pool.sort(a) else { return true };
        let pins = |raw: u128| {
            let value = Value::float(format, raw);
            let zero = Value::float(format, 0);
            let is_zero = eval::binary(BinaryOp::FloatEq, value, zero) == Ok(Value::Bool(true));
            !is_zero && format != crate::expr::FloatFormat::X87
        };
        match (self.eval(a), self.eval(b)) {
            (Some(value), None) if pins(value) => self.value(b, value),
            (None, Some(value)) if pins(value) => self.value(a, value),
            _ => true,
        }
    }

    /// Assumes `a op b`, which determines a value if the bound is next to the end of the range.
    fn order(&mut self, op: BinaryOp, a: Expr, b: Expr) -> bool {
        use BinaryOp::*;
        let Sort::Bits(width) = self.pool.sort(a) else { return true };
        let sign = 1 << (width - 1);
        let (least, most) = match op {
            UnsignedLess | UnsignedLessEq => (0, mask(width)),
            _ => (sign, sign - 1),
        };
        let step = u128::from(matches!(op, UnsignedLess | SignedLess));
        match (self.eval(a), self.eval(b)) {
            (None, Some(bound)) if step == 1 && bound == least => false,
            (None, Some(bound)) if bound == least.wrapping_add(step) & mask(width) => self.value(a, least),
            (Some(bound), None) if step == 1 && bound == most => false,
            (Some(bound), None) if bound == most.wrapping_sub(step) & mask(width) => self.value(b, most),
            _ => true,
        }
    }

    /// Assumes that `expr`, whose value is unknown, is `raw`.
    fn value(&mut self, expr: Expr, raw: u128) -> bool {
        let sort = self.pool.sort(expr);
        match (self.pool.node(expr), sort) {
            (_, Sort::Bool) => self.truth(expr, raw == 1),
            (Node::Unary(op, a), _) => self.unary(op, a, raw),
            (Node::Binary(op, a, b), Sort::Bits(width)) => self.binary(expr, op, (a, b), width, raw),
            _ => self.scalar(expr, raw),
        }
    }

    /// The same for variables, reads and conditionals. Other expressions are left open.
    fn scalar(&mut self, expr: Expr, raw: u128) -> bool {
        match self.pool.node(expr) {
            Node::Const(value) => value.raw() == raw,
            Node::Var(var) => {
                let word = self.semantics.words.word(self.pool.sort(expr), raw);
                self.store.pin(CellKey::scalar(var), word);
                true
            }
            Node::Read { memory, address, cells } => self.cells(memory, address, cells, raw),
            Node::Ternary(TernaryOp::Ite, condition, a, b) => self.choice(condition, a, b, raw),
            _ => true,
        }
    }

    fn cells(&mut self, memory: Expr, address: Expr, cells: u16, raw: u128) -> bool {
        let (Node::Var(var), Sort::Memory(sort)) = (self.pool.node(memory), self.pool.sort(memory)) else {
            return true;
        };
        let Some(address) = self.eval(address) else { return true };
        let cell_sort = sort.cell.sort();
        for i in 0..cells {
            let part = match sort.cell {
                Cell::Bits(width) => raw >> (i * width) & mask(width),
                Cell::Float(_) => raw,
            };
            let place = cell_address(sort, address, i) as u64;
            self.store.pin(CellKey::cell(var, place), self.semantics.words.word(cell_sort, part));
        }
        true
    }

    fn unary(&mut self, op: UnaryOp, a: Expr, raw: u128) -> bool {
        use UnaryOp::*;
        let from = self.pool.sort(a);
        // Involutions, and conversions that keep the representation.
        let back = match (op, from) {
            (BitNot | Neg | ByteSwap | BitReverse | FloatNeg, _) => {
                Value::from_raw(from, raw).and_then(|value| eval::unary(op, value).ok()).map(Value::raw)
            }
            (BitsToFloat(_) | FloatToBits, _) => Some(raw),
            (ZeroExtend(_) | SignExtend(_), Sort::Bits(width)) => {
                // Only some values of the target width are extensions.
                let narrow = raw & mask(width);
                if eval::unary(op, Value::bits(width, narrow)).map(Value::raw) != Ok(raw) {
                    return false;
                }
                Some(narrow)
            }
            _ => None,
        };
        back.is_none_or(|inner| self.value(a, inner))
    }

    /// Assumes that `expr`, which is `a op b`, is `raw`.
    fn binary(&mut self, expr: Expr, op: BinaryOp, (a, b): (Expr, Expr), width: u16, raw: u128) -> bool {
        use BinaryOp::*;
        if op == Concat {
            let low = self.pool.width(b);
            return self.part(a, raw >> low) && self.part(b, raw & mask(low));
        }
        let (first, second) = (self.eval(a), self.eval(b));
        let cut = |x: u128| x & mask(width);
        match (op, first, second) {
            (Add, Some(x), None) => self.value(b, cut(raw.wrapping_sub(x))),
            (Add, None, Some(y)) => self.value(a, cut(raw.wrapping_sub(y))),
            (Sub, Some(x), None) => self.value(b, cut(x.wrapping_sub(raw))),
            (Sub, None, Some(y)) => self.value(a, cut(raw.wrapping_add(y))),
            (BitXor, Some(x), None) => self.value(b, raw ^ x),
            (BitXor, None, Some(y)) => self.value(a, raw ^ y),
            (Add | Sub, None, None) => self.sum(expr, raw as u64),
            _ => true,
        }
    }

    /// Assumes that `expr`, which may be known, is `raw`.
    fn part(&mut self, expr: Expr, raw: u128) -> bool {
        match self.eval(expr) {
            Some(known) => known == raw,
            None => self.value(expr, raw),
        }
    }

    /// Assumes that `condition ? a : b` is `raw`.
    fn choice(&mut self, condition: Expr, a: Expr, b: Expr, raw: u128) -> bool {
        let holds = self.eval(condition).map(|c| c == 1);
        let (first, second) = (self.eval(a), self.eval(b));
        match holds {
            Some(true) => first.map_or_else(|| self.value(a, raw), |x| x == raw),
            Some(false) => second.map_or_else(|| self.value(b, raw), |y| y == raw),
            None if first.is_some_and(|x| x != raw) => self.truth(condition, false) && self.part(b, raw),
            None if second.is_some_and(|y| y != raw) => self.truth(condition, true) && self.part(a, raw),
            None => true,
        }
    }
}

/// The negation of `op`, for swapped operands.
fn opposite(op: BinaryOp) -> BinaryOp {
    use BinaryOp::*;
    match op {
        UnsignedLess => UnsignedLessEq,
        UnsignedLessEq => UnsignedLess,
        SignedLess => SignedLessEq,
        _ => SignedLess,
    }
}
