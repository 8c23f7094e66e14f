//! Simplification of comparisons, mainly of extended operands.

use super::Choice;
use crate::expr::value::{mask, signed};
use crate::expr::{BinaryOp, Expr, Node, Pool, UnaryOp, Value, eval};

/// How an operand was extended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extension {
    Zero,
    Sign,
}

impl Pool {
    pub(super) fn simplify_eq(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        if a == b {
            return self.instead_of(a, Value::Bool(true));
        }
        if self.is_bool(a) {
            return self.simplify_bool_eq(a, b);
        }
        if let Some(bits) = self.as_bits(b) {
            return self.simplify_eq_constant(a, bits);
        }
        if let (Some(x), Some(y)) = (self.as_choice(a), self.as_choice(b)) {
            return self.simplify_eq_choices(x, y);
        }
        // `x + 1` and `x + 2` differ.
        if let ((Some(x), j), (Some(y), k)) = (self.base_and_offset(a), self.base_and_offset(b))
            && x == y
        {
            return self.instead_of(a, Value::Bool(j == k));
        }
        let (x, y) = self.narrow_both(a, b)?.0;
        Some(self.eq(x, y))
    }

    fn simplify_bool_eq(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        if let Some(value) = self.as_const(b) {
            return Some(if value.is_true() { a } else { self.not(a) });
        }
        if self.are_opposite(a, b) {
            return self.instead_of(a, Value::Bool(false));
        }
        None
    }

    /// Choices between the same two constants are equal iff their conditions agree, or disagree if the constants are
    /// swapped.
    fn simplify_eq_choices(&mut self, x: Choice, y: Choice) -> Option<Expr> {
        let same = self.eq(x.condition, y.condition);
        if (x.then, x.otherwise) == (y.then, y.otherwise) {
            Some(same)
        } else if (x.then, x.otherwise) == (y.otherwise, y.then) {
            Some(self.not(same))
        } else {
            None
        }
    }

    /// `a == k`, solved for the inner expression of `a`.
    fn simplify_eq_constant(&mut self, a: Expr, k: u128) -> Option<Expr> {
        let (inner, solution) = match self.node(a) {
            Node::Binary(BinaryOp::Add, x, y) => (x, k.wrapping_sub(self.as_bits(y)?)),
            Node::Binary(BinaryOp::BitXor, x, y) => (x, k ^ self.as_bits(y)?),
            Node::Binary(BinaryOp::Sub, x, y) => match self.as_bits(x) {
                Some(minuend) => (y, minuend.wrapping_sub(k)),
                None if k == 0 => return Some(self.eq(x, y)),
                None => return None,
            },
            Node::Unary(UnaryOp::Neg, x) => (x, k.wrapping_neg()),
            Node::Unary(UnaryOp::BitNot, x) => (x, !k),
            _ => {
                let (extension, inner) = self.as_extension(a)?;
                if !self.fits(extension, inner, self.width(a), k) {
                    return self.instead_of(a, Value::Bool(false));
                }
                (inner, k)
            }
        };
        let solution = self.bits(self.width(inner), solution);
        Some(self.eq(inner, solution))
    }

    /// `a < b` and `a <= b`, signed or not.
    pub(super) fn simplify_less(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
        if a == b {
            let reflexive = matches!(op, BinaryOp::UnsignedLessEq | BinaryOp::SignedLessEq);
            return self.instead_of(a, Value::Bool(reflexive));
        }
        if let Some(((x, y), extension)) = self.narrow_both(a, b) {
            return Some(self.binary(narrow_order(op, extension), x, y));
        }
        match (self.as_bits(a), self.as_bits(b)) {
            (None, Some(k)) => self.simplify_less_constant(op, a, k, false),
            (Some(k), None) => self.simplify_less_constant(op, b, k, true),
            _ => None,
        }
    }

    /// A comparison of `a` with the constant `k`, on its right or on its left.
    fn simplify_less_constant(&mut self, op: BinaryOp, a: Expr, k: u128, constant_left: bool) -> Option<Expr> {
        let width = self.width(a);
        let holds_for = |a| {
            let (a, k) = (Value::bits(width, a), Value::bits(width, k));
            let (left, right) = if constant_left { (k, a) } else { (a, k) };
            eval::binary(op, left, right) == Ok(Value::Bool(true))
        };
        // A comparison with a constant that agrees at both ends of the range of `a` is constant.
        let extension = self.as_extension(a);
        let unsigned = matches!(op, BinaryOp::UnsignedLess | BinaryOp::UnsignedLessEq);
        let (least, greatest) = match extension {
            Some((Extension::Zero, inner)) => (0, mask(self.width(inner))),
            Some((Extension::Sign, inner)) if !unsigned => {
                let greatest = mask(self.width(inner) - 1);
                (!greatest, greatest)
            }
            _ if unsigned => (0, mask(width)),
            _ => (!mask(width - 1), mask(width - 1)),
        };
        if holds_for(least) == holds_for(greatest) {
            return self.instead_of(a, Value::Bool(holds_for(least)));
        }
        let (extension, inner) = extension?;
        if !self.fits(extension, inner, width, k) {
            return None;
        }
        let k = self.bits(self.width(inner), k);
        let (left, right) = if constant_left { (k, inner) } else { (inner, k) };
        Some(self.binary(narrow_order(op, extension), left, right))
    }

    /// Two operands extended in the same way, narrowed to the wider of the originals, with the kind of extension.
    fn narrow_both(&mut self, a: Expr, b: Expr) -> Option<((Expr, Expr), Extension)> {
        let ((extension, x), (other, y)) = (self.as_extension(a)?, self.as_extension(b)?);
        if extension != other {
            return None;
        }
        let width = self.width(x).max(self.width(y));
        let widened = match extension {
            Extension::Zero => (self.zero_extend(x, width), self.zero_extend(y, width)),
            Extension::Sign => (self.sign_extend(x, width), self.sign_extend(y, width)),
        };
        Some((widened, extension))
    }

    fn as_extension(&self, expr: Expr) -> Option<(Extension, Expr)> {
        match self.node(expr) {
            Node::Unary(UnaryOp::ZeroExtend(_), x) => Some((Extension::Zero, x)),
            Node::Unary(UnaryOp::SignExtend(_), x) => Some((Extension::Sign, x)),
            _ => None,
        }
    }

    /// Whether `k`, of `width` bits, is the extension of a value as wide as `inner`.
    fn fits(&self, extension: Extension, inner: Expr, width: u16, k: u128) -> bool {
        let narrow = self.width(inner);
        let restored = match extension {
            Extension::Zero => k & mask(narrow),
            Extension::Sign => signed(narrow, k) as u128 & mask(width),
        };
        restored == k
    }
}

/// The comparison on unextended operands that is equivalent to `op`: zero-extended values are never negative.
fn narrow_order(op: BinaryOp, extension: Extension) -> BinaryOp {
    match (op, extension) {
        (BinaryOp::SignedLess, Extension::Zero) => BinaryOp::UnsignedLess,
        (BinaryOp::SignedLessEq, Extension::Zero) => BinaryOp::UnsignedLessEq,
        _ => op,
    }
}
