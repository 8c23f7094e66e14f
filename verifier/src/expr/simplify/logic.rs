//! Simplification of truth values and conditional expressions.

use crate::expr::{BinaryOp, Expr, Node, Pool, TernaryOp, UnaryOp, Value};

impl Pool {
    pub(super) fn simplify_not(&mut self, a: Expr) -> Option<Expr> {
        use BinaryOp::*;
        match self.node(a) {
            Node::Unary(UnaryOp::Not, x) => Some(x),
            Node::Binary(op, x, y) => {
                // Not valid for floats: with a NaN, neither comparison holds.
                let opposite = match op {
                    UnsignedLess => UnsignedLessEq,
                    UnsignedLessEq => UnsignedLess,
                    SignedLess => SignedLessEq,
                    SignedLessEq => SignedLess,
                    _ => return None,
                };
                Some(self.binary(opposite, y, x))
            }
            _ => None,
        }
    }

    /// Operands keep their order, because the first may guard the second.
    pub(super) fn simplify_and_or(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
        // `false` decides a conjunction and `true` a disjunction; the other value is neutral.
        let decisive = Value::Bool(op == BinaryOp::Or);
        match (self.as_const(a), self.as_const(b)) {
            (Some(value), _) => return Some(if value == decisive { a } else { b }),
            (None, Some(value)) if value == decisive => return self.instead_of(a, decisive),
            (None, Some(_)) => return Some(a),
            (None, None) => {}
        }
        if a == b {
            return Some(a);
        }
        if self.are_opposite(a, b) {
            return self.instead_of(a, decisive);
        }
        None
    }

    /// Whether one is syntactically the negation of the other.
    pub(super) fn are_opposite(&self, a: Expr, b: Expr) -> bool {
        use BinaryOp::*;
        match (self.node(a), self.node(b)) {
            (Node::Unary(UnaryOp::Not, x), _) if x == b => true,
            (_, Node::Unary(UnaryOp::Not, y)) if y == a => true,
            (Node::Binary(f, x, y), Node::Binary(g, v, w)) => {
                (x, y) == (w, v)
                    && matches!(
                        (f, g),
                        (UnsignedLess, UnsignedLessEq)
                            | (UnsignedLessEq, UnsignedLess)
                            | (SignedLess, SignedLessEq)
                            | (SignedLessEq, SignedLess)
                    )
            }
            _ => false,
        }
    }

    pub(super) fn simplify_ite(&mut self, condition: Expr, then: Expr, otherwise: Expr) -> Option<Expr> {
        if let Some(value) = self.as_const(condition) {
            return Some(if value.is_true() { then } else { otherwise });
        }
        if then == otherwise {
            return if self.may_trap(condition) { None } else { Some(then) };
        }
        if let Node::Unary(UnaryOp::Not, opposite) = self.node(condition) {
            return Some(self.ite(opposite, otherwise, then));
        }
        if self.is_bool(then)
            && let Some(result) = self.simplify_bool_ite(condition, then, otherwise)
        {
            return Some(result);
        }
        // The condition is known inside a branch.
        if let Node::Ternary(TernaryOp::Ite, inner, x, _) = self.node(then)
            && inner == condition
        {
            return Some(self.ite(condition, x, otherwise));
        }
        if let Node::Ternary(TernaryOp::Ite, inner, _, y) = self.node(otherwise)
            && inner == condition
        {
            return Some(self.ite(condition, then, y));
        }
        None
    }

    fn simplify_bool_ite(&mut self, condition: Expr, then: Expr, otherwise: Expr) -> Option<Expr> {
        match (self.as_const(then), self.as_const(otherwise)) {
            (Some(Value::Bool(true)), _) => Some(self.or(condition, otherwise)),
            (Some(_), _) => {
                let opposite = self.not(condition);
                Some(self.and(opposite, otherwise))
            }
            (_, Some(Value::Bool(false))) => Some(self.and(condition, then)),
            (_, Some(_)) => {
                let opposite = self.not(condition);
                Some(self.or(opposite, then))
            }
            _ => None,
        }
    }
}
