//! Simplification of bit-vectors, and of the operators on representations of floats.

use crate::expr::value::mask;
use crate::expr::{BinaryOp, Expr, Node, Pool, UnaryOp, Value};

impl Pool {
    pub(super) fn simplify_unary_bits(&mut self, op: UnaryOp, a: Expr) -> Option<Expr> {
        use UnaryOp::*;
        match (op, self.node(a)) {
            (Extract { low, width }, _) => self.simplify_extract(a, low, width),
            (ZeroExtend(wide) | SignExtend(wide), _) if self.width(a) == wide => Some(a),
            (ZeroExtend(wide) | SignExtend(wide), Node::Unary(ZeroExtend(_), x)) => Some(self.zero_extend(x, wide)),
            (SignExtend(wide), Node::Unary(SignExtend(_), x)) => Some(self.sign_extend(x, wide)),
            // Involutions and inverse conversions.
            (Neg, Node::Unary(Neg, x))
            | (BitNot, Node::Unary(BitNot, x))
            | (ByteSwap, Node::Unary(ByteSwap, x))
            | (BitReverse, Node::Unary(BitReverse, x))
            | (FloatNeg, Node::Unary(FloatNeg, x))
            | (BitsToFloat(_), Node::Unary(FloatToBits, x))
            | (FloatToBits, Node::Unary(BitsToFloat(_), x)) => {
                // The conversions may be between different formats of the same width.
                (self.sort(x) == self.unary_sort(op, a)).then_some(x)
            }
            (FloatAbs, Node::Unary(FloatNeg | FloatAbs, x)) => Some(self.unary(FloatAbs, x)),
            _ => None,
        }
    }

    fn simplify_extract(&mut self, a: Expr, low: u16, width: u16) -> Option<Expr> {
        let end = low + width;
        if width == self.width(a) {
            return Some(a);
        }
        match self.node(a) {
            Node::Unary(UnaryOp::Extract { low: inner, .. }, x) => Some(self.extract(x, inner + low, width)),
            Node::Unary(extension @ (UnaryOp::ZeroExtend(_) | UnaryOp::SignExtend(_)), x) => {
                let narrow = self.width(x);
                if end <= narrow {
                    return Some(self.extract(x, low, width));
                }
                let zeros = matches!(extension, UnaryOp::ZeroExtend(_));
                if zeros && low >= narrow {
                    return self.instead_of(x, Value::bits(width, 0));
                }
                // The remaining bits of `x`, or its sign bit alone, extended again.
                let first = low.min(narrow - 1);
                let rest = self.extract(x, first, narrow - first);
                Some(if zeros { self.zero_extend(rest, width) } else { self.sign_extend(rest, width) })
            }
            Node::Binary(BinaryOp::Concat, high, rest) => {
                let split = self.width(rest);
                if end <= split && !self.may_trap(high) {
                    Some(self.extract(rest, low, width))
                } else if low >= split && !self.may_trap(rest) {
                    Some(self.extract(high, low - split, width))
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    pub(super) fn simplify_binary_bits(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
        use BinaryOp::*;
        match op {
            Concat => return self.simplify_concat(a, b),
            Sub => {
                if let Some(result) = self.simplify_difference(a, b) {
                    return Some(result);
                }
            }
            BitAnd | BitOr if a == b => return Some(a),
            BitXor if a == b => return self.instead_of(a, Value::bits(self.width(a), 0)),
            BitAnd | BitOr | BitXor => {
                if let Some(result) = self.simplify_truth_bits(op, a, b) {
                    return Some(result);
                }
            }
            _ => {}
        }
        self.as_bits(b).and_then(|k| self.simplify_with_constant(op, a, b, k))
    }

    /// `a op b`, where `b` is the constant `k`.
    fn simplify_with_constant(&mut self, op: BinaryOp, a: Expr, b: Expr, k: u128) -> Option<Expr> {
        use BinaryOp::*;
        let width = self.width(a);
        let ones = mask(width);
        match op {
            Add | BitOr | BitXor | ShiftLeft | ShiftRight | ShiftRightSigned if k == 0 => Some(a),
            Mul | UnsignedDiv if k == 1 => Some(a),
            // At width 1, the constant 1 is -1, whose quotient may overflow.
            SignedDiv if k == 1 && width > 1 => Some(a),
            UnsignedRem if k == 1 => self.instead_of(a, Value::bits(width, 0)),
            SignedRem if k == 1 && width > 1 => self.instead_of(a, Value::bits(width, 0)),
            Mul | BitAnd if k == 0 => self.instead_of(a, Value::bits(width, 0)),
            BitAnd if k == ones => Some(a),
            BitOr if k == ones => self.instead_of(a, Value::bits(width, ones)),
            BitXor if k == ones => Some(self.unary(UnaryOp::BitNot, a)),
            Add | Mul | BitAnd | BitOr | BitXor => self.reassociate(op, a, b),
            Sub => {
                let opposite = self.bits(width, k.wrapping_neg());
                Some(self.add(a, opposite))
            }
            _ => None,
        }
    }

    /// `(x op j) op k` is `x op (j op k)`.
    fn reassociate(&mut self, op: BinaryOp, a: Expr, k: Expr) -> Option<Expr> {
        match self.node(a) {
            Node::Binary(inner, x, j) if inner == op && self.as_const(j).is_some() => {
                let both = self.binary(op, j, k);
                Some(self.binary(op, x, both))
            }
            _ => None,
        }
    }

    fn simplify_difference(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        if self.as_bits(a) == Some(0) {
            return Some(self.unary(UnaryOp::Neg, b));
        }
        match (self.base_and_offset(a), self.base_and_offset(b)) {
            ((Some(x), j), (Some(y), k)) if x == y => self.instead_of(x, Value::bits(self.width(a), j.wrapping_sub(k))),
            _ => None,
        }
    }

    /// C's bitwise operators on 0 and 1, as in `!a & !b`, are logical operators.
    fn simplify_truth_bits(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
        // `and` and `or` may skip the second operand.
        if self.may_trap(b) {
            return None;
        }
        let (x, y) = (self.as_truth(a)?, self.as_truth(b)?);
        let (x, y) = (self.truth(x), self.truth(y));
        let condition = match op {
            BinaryOp::BitAnd => self.and(x, y),
            BinaryOp::BitOr => self.or(x, y),
            _ => {
                let same = self.eq(x, y);
                self.not(same)
            }
        };
        Some(self.bool_to_bits(condition, self.width(a)))
    }

    /// The condition of a choice between 1 and 0, and whether it selects 1 when it holds.
    fn as_truth(&self, expr: Expr) -> Option<(Expr, bool)> {
        let choice = self.as_choice(expr)?;
        match (choice.then.raw(), choice.otherwise.raw()) {
            (1, 0) => Some((choice.condition, true)),
            (0, 1) => Some((choice.condition, false)),
            _ => None,
        }
    }

    fn truth(&mut self, (condition, positive): (Expr, bool)) -> Expr {
        if positive { condition } else { self.not(condition) }
    }

    fn simplify_concat(&mut self, high: Expr, low: Expr) -> Option<Expr> {
        if self.as_bits(high) == Some(0) {
            let width = self.width(high) + self.width(low);
            return Some(self.zero_extend(low, width));
        }
        if let Some(whole) = self.merge_parts(high, low) {
            return Some(whole);
        }
        // Adjacent parts may be separated by another concatenation.
        if let Node::Binary(BinaryOp::Concat, middle, rest) = self.node(low)
            && let Some(upper) = self.merge_parts(high, middle)
        {
            return Some(self.binary(BinaryOp::Concat, upper, rest));
        }
        if let Node::Binary(BinaryOp::Concat, top, middle) = self.node(high)
            && let Some(lower) = self.merge_parts(middle, low)
        {
            return Some(self.binary(BinaryOp::Concat, top, lower));
        }
        None
    }

    /// Merges adjacent extracts of one expression, or two constants.
    fn merge_parts(&mut self, high: Expr, low: Expr) -> Option<Expr> {
        match (self.node(high), self.node(low)) {
            (
                Node::Unary(UnaryOp::Extract { low: middle, width: upper }, x),
                Node::Unary(UnaryOp::Extract { low: first, width: lower }, y),
            ) if x == y && first + lower == middle => Some(self.extract(x, first, upper + lower)),
            (Node::Const(_), Node::Const(_)) => Some(self.binary(BinaryOp::Concat, high, low)),
            _ => None,
        }
    }
}
