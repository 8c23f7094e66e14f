//! Overflow with one constant operand is a comparison: `x + 1` overflows if `x` is the largest number.

use crate::expr::value::{mask, signed};
use crate::expr::{BinaryOp, Expr, Pool, Value};

impl Pool {
    /// Whether `a op b` overflows, if one of both is a constant.
    pub(super) fn simplify_overflow(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
        use BinaryOp::*;
        let width = self.width(a);
        let (largest, smallest) = (signed(width, mask(width) >> 1), signed(width, mask(width) ^ mask(width) >> 1));
        match (op, self.as_bits(a), self.as_bits(b)) {
            (SignedAddOverflows, None, Some(k)) => match signed(width, k) {
                0 => self.instead_of(a, Value::Bool(false)),
                k if k > 0 => Some(self.is_above(width, a, largest - k)),
                k => Some(self.is_below(width, a, smallest - k)),
            },
            (SignedSubOverflows, None, Some(k)) => match signed(width, k) {
                0 => self.instead_of(a, Value::Bool(false)),
                k if k > 0 => Some(self.is_below(width, a, smallest + k)),
                k => Some(self.is_above(width, a, largest + k)),
            },
            (SignedSubOverflows, Some(k), None) => match signed(width, k) {
                k if k >= 0 => Some(self.is_below(width, b, k - largest)),
                k => Some(self.is_above(width, b, k - smallest)),
            },
            (SignedMulOverflows, None, Some(k)) => match signed(width, k) {
                0 | 1 => self.instead_of(a, Value::Bool(false)),
                -1 => {
                    let smallest = self.bits(width, smallest as u128);
                    Some(self.eq(a, smallest))
                }
                k => {
                    // quotients are rounded towards zero, so that these are the last numbers that fit
                    let (x, y) = (largest / k, smallest / k);
                    let (above, below) = (self.is_above(width, a, x.max(y)), self.is_below(width, a, x.min(y)));
                    Some(self.or(above, below))
                }
            },
            (UnsignedAddOverflows, None, Some(k)) => {
                let limit = self.bits(width, mask(width) - k);
                Some(self.binary(UnsignedLess, limit, a))
            }
            (UnsignedSubOverflows, ..) => Some(self.binary(UnsignedLess, a, b)),
            (UnsignedMulOverflows, None, Some(k)) => match mask(width).checked_div(k) {
                None => self.instead_of(a, Value::Bool(false)),
                Some(limit) => {
                    let limit = self.bits(width, limit);
                    Some(self.binary(UnsignedLess, limit, a))
                }
            },
            _ => None,
        }
    }

    fn is_above(&mut self, width: u16, x: Expr, limit: i128) -> Expr {
        let limit = self.bits(width, limit as u128);
        self.binary(BinaryOp::SignedLess, limit, x)
    }

    fn is_below(&mut self, width: u16, x: Expr, limit: i128) -> Expr {
        let limit = self.bits(width, limit as u128);
        self.binary(BinaryOp::SignedLess, x, limit)
    }
}
