//! Simplification of expressions as they are built.
//!
//! Folds constants and removes the detours of C's integer promotions, such as a comparison that is widened and compared
//! with zero. Every rule is exact: where the original expression has a value, the simplified one has the same. It may
//! have a value where the original has none, but a division that may crash is never dropped ([`Pool::may_trap`]).

mod bits;
mod compare;
mod logic;
mod memory;
mod overflow;

use super::{BinaryOp, Expr, Node, Pool, Sort, TernaryOp, UnaryOp, Value, eval};

/// A conditional between two constants.
#[derive(Clone, Copy)]
struct Choice {
    condition: Expr,
    then: Value,
    otherwise: Value,
}

impl Pool {
    pub(super) fn simplify_unary(&mut self, op: UnaryOp, a: Expr) -> Option<Expr> {
        if let Some(value) = self.as_const(a) {
            return eval::unary(op, value).ok().map(|result| self.constant(result));
        }
        if let Some(Choice { condition, then, otherwise }) = self.as_choice(a)
            && let (Ok(then), Ok(otherwise)) = (eval::unary(op, then), eval::unary(op, otherwise))
        {
            return Some(self.choice(condition, then, otherwise));
        }
        match op {
            UnaryOp::Not => self.simplify_not(a),
            _ => self.simplify_unary_bits(op, a),
        }
    }

    pub(super) fn simplify_binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
        use BinaryOp::*;
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            return eval::binary(op, x, y).ok().map(|result| self.constant(result));
        }
        if matches!(op, And | Or) {
            return self.simplify_and_or(op, a, b);
        }
        if self.is_misordered(op, a, b) {
            return Some(self.binary(op, b, a));
        }
        if let Some(result) = self.fold_choices(op, a, b) {
            return Some(result);
        }
        match op {
            Eq => self.simplify_eq(a, b),
            UnsignedLess | UnsignedLessEq | SignedLess | SignedLessEq => self.simplify_less(op, a, b),
            SignedAddOverflows | SignedSubOverflows | SignedMulOverflows | UnsignedAddOverflows
            | UnsignedSubOverflows | UnsignedMulOverflows => self.simplify_overflow(op, a, b),
            _ => self.simplify_binary_bits(op, a, b),
        }
    }

    pub(super) fn simplify_ternary(&mut self, op: TernaryOp, a: Expr, b: Expr, c: Expr) -> Option<Expr> {
        match op {
            TernaryOp::Ite => self.simplify_ite(a, b, c),
            TernaryOp::FloatFma => {
                let result = eval::ternary(op, self.as_const(a)?, self.as_const(b)?, self.as_const(c)?).ok()?;
                Some(self.constant(result))
            }
        }
    }

    /// Normal form: constants on the right of commutative operators, sides of equalities ordered.
    fn is_misordered(&self, op: BinaryOp, a: Expr, b: Expr) -> bool {
        use BinaryOp::*;
        match op {
            Eq if self.as_const(b).is_none() => self.as_const(a).is_some() || a > b,
            Add | Mul | BitAnd | BitOr | BitXor | SignedAddOverflows | SignedMulOverflows | UnsignedAddOverflows
            | UnsignedMulOverflows => self.as_const(a).is_some() && self.as_const(b).is_none(),
            _ => false,
        }
    }

    /// An operator applied to choices on the same condition, or to a choice and a constant, is again a choice.
    fn fold_choices(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
        let (x, y) = match (self.as_choice(a), self.as_choice(b)) {
            (Some(x), Some(y)) if x.condition == y.condition => (x, y),
            (Some(x), None) => (x, self.constant_choice(x.condition, b)?),
            (None, Some(y)) => (self.constant_choice(y.condition, a)?, y),
            _ => return None,
        };
        let then = eval::binary(op, x.then, y.then).ok()?;
        let otherwise = eval::binary(op, x.otherwise, y.otherwise).ok()?;
        Some(self.choice(x.condition, then, otherwise))
    }

    fn constant_choice(&self, condition: Expr, constant: Expr) -> Option<Choice> {
        self.as_const(constant).map(|value| Choice { condition, then: value, otherwise: value })
    }

    fn as_choice(&self, expr: Expr) -> Option<Choice> {
        match self.node(expr) {
            Node::Ternary(TernaryOp::Ite, condition, then, otherwise) => {
                Some(Choice { condition, then: self.as_const(then)?, otherwise: self.as_const(otherwise)? })
            }
            _ => None,
        }
    }

    fn choice(&mut self, condition: Expr, then: Value, otherwise: Value) -> Expr {
        let (then, otherwise) = (self.constant(then), self.constant(otherwise));
        self.ite(condition, then, otherwise)
    }

    /// `replacement`, unless that would drop a possible crash in `dropped`.
    fn instead_of(&mut self, dropped: Expr, replacement: Value) -> Option<Expr> {
        if self.may_trap(dropped) { None } else { Some(self.constant(replacement)) }
    }

    /// The bits of a constant bit-vector.
    fn as_bits(&self, expr: Expr) -> Option<u128> {
        match self.node(expr) {
            Node::Const(Value::Bits { bits, .. }) => Some(bits),
            _ => None,
        }
    }

    /// Splits `x + k` into `x` and `k`; any other expression is its own base with offset 0.
    fn base_and_offset(&self, expr: Expr) -> (Option<Expr>, u128) {
        match self.node(expr) {
            Node::Const(value) => (None, value.raw()),
            Node::Binary(BinaryOp::Add, x, k) => match self.as_bits(k) {
                Some(offset) => (Some(x), offset),
                None => (Some(expr), 0),
            },
            _ => (Some(expr), 0),
        }
    }

    fn is_bool(&self, expr: Expr) -> bool {
        self.sort(expr) == Sort::Bool
    }
}
