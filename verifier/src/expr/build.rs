//! Constructors of expressions: they check sorts and simplify (see `simplify`).

use super::{BinaryOp, Cell, Expr, Node, Pool, Sort, TernaryOp, UnaryOp, Value, Var, eval};

impl Pool {
    /// A constant.
    pub fn constant(&mut self, value: Value) -> Expr {
        self.intern(Node::Const(value), value.sort())
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Expr {
        self.constant(Value::Bool(value))
    }

    /// A bit-vector constant from the low bits of `bits`.
    pub fn bits(&mut self, width: u16, bits: u128) -> Expr {
        self.constant(Value::bits(width, bits))
    }

    /// The current value of `var`, whose sort is `sort`.
    pub fn var(&mut self, var: Var, sort: Sort) -> Expr {
        self.intern(Node::Var(var), sort)
    }

    /// `op a`.
    pub fn unary(&mut self, op: UnaryOp, a: Expr) -> Expr {
        let sort = self.unary_sort(op, a);
        self.simplify_unary(op, a).unwrap_or_else(|| self.intern(Node::Unary(op, a), sort))
    }

    /// `a op b`.
    pub fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let sort = self.binary_sort(op, a, b);
        self.simplify_binary(op, a, b).unwrap_or_else(|| self.intern(Node::Binary(op, a, b), sort))
    }

    /// `op(a, b, c)`.
    pub fn ternary(&mut self, op: TernaryOp, a: Expr, b: Expr, c: Expr) -> Expr {
        let sort = self.sort(b);
        debug_assert!(self.sort(c) == sort && (op != TernaryOp::Ite || self.sort(a) == Sort::Bool));
        self.simplify_ternary(op, a, b, c).unwrap_or_else(|| self.intern(Node::Ternary(op, a, b, c), sort))
    }

    /// `if condition { then } else { otherwise }`.
    pub fn ite(&mut self, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        self.ternary(TernaryOp::Ite, condition, then, otherwise)
    }

    /// `!a` of a truth value.
    pub fn not(&mut self, a: Expr) -> Expr {
        self.unary(UnaryOp::Not, a)
    }

    /// `a && b`.
    pub fn and(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::And, a, b)
    }

    /// `a || b`.
    pub fn or(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Or, a, b)
    }

    /// `a == b`.
    pub fn eq(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Eq, a, b)
    }

    /// `a + b` of bit-vectors.
    pub fn add(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Add, a, b)
    }

    /// The bits `low .. low + width` of `a`.
    pub fn extract(&mut self, a: Expr, low: u16, width: u16) -> Expr {
        self.unary(UnaryOp::Extract { low, width }, a)
    }

    /// `a` zero-extended or truncated to `width` bits.
    pub fn zero_extend(&mut self, a: Expr, width: u16) -> Expr {
        match self.width(a) {
            w if w < width => self.unary(UnaryOp::ZeroExtend(width), a),
            w if w > width => self.extract(a, 0, width),
            _ => a,
        }
    }

    /// `a` sign-extended or truncated to `width` bits.
    pub fn sign_extend(&mut self, a: Expr, width: u16) -> Expr {
        match self.width(a) {
            w if w < width => self.unary(UnaryOp::SignExtend(width), a),
            w if w > width => self.extract(a, 0, width),
            _ => a,
        }
    }

    /// A truth value as a bit-vector of `width` bits, 0 or 1.
    pub fn bool_to_bits(&mut self, a: Expr, width: u16) -> Expr {
        let (one, zero) = (self.bits(width, 1), self.bits(width, 0));
        self.ite(a, one, zero)
    }

    /// The `cells` cells of `memory` at `address`.
    pub fn read(&mut self, memory: Expr, address: Expr, cells: u16) -> Expr {
        let Sort::Memory(region) = self.sort(memory) else { panic!("a memory is expected") };
        debug_assert_eq!(self.sort(address), Sort::Bits(region.address));
        let sort = eval::read_sort(region, cells);
        debug_assert!(cells == 1 || matches!(region.cell, Cell::Bits(w) if w % 8 == 0));
        self.simplify_read(memory, address, cells)
            .unwrap_or_else(|| self.intern(Node::Read { memory, address, cells }, sort))
    }

    /// `memory` with `value` at `address`.
    pub fn write(&mut self, memory: Expr, address: Expr, value: Expr) -> Expr {
        let sort = self.sort(memory);
        self.simplify_write(memory, address, value)
            .unwrap_or_else(|| self.intern(Node::Write { memory, address, value }, sort))
    }

    pub(super) fn unary_sort(&self, op: UnaryOp, a: Expr) -> Sort {
        use UnaryOp::*;
        match op {
            Not | FloatIsNan | FloatIsInfinite | FloatSignBit | FloatIsSubnormal => Sort::Bool,
            BitNot | Neg | PopCount | LeadingZeros | TrailingZeros | ByteSwap | BitReverse | FloatNeg | FloatAbs
            | FloatSqrt | FloatRound(_) | FloatMath(_) => self.sort(a),
            Extract { width, .. } | ZeroExtend(width) | SignExtend(width) => Sort::Bits(width),
            FloatToSigned(width) | FloatToUnsigned(width) => Sort::Bits(width),
            FloatToFloat(format) | SignedToFloat(format) | UnsignedToFloat(format) | BitsToFloat(format) => {
                Sort::Float(format)
            }
            FloatToBits => match self.sort(a) {
                Sort::Float(format) => Sort::Bits(format.bits()),
                sort => panic!("a float is expected, this is of sort {sort}"),
            },
        }
    }

    fn binary_sort(&self, op: BinaryOp, a: Expr, b: Expr) -> Sort {
        use BinaryOp::*;
        debug_assert!(op == Concat || self.sort(a) == self.sort(b), "{op:?} of {} and {}", self.sort(a), self.sort(b));
        match op {
            Eq | And | Or | UnsignedLess | UnsignedLessEq | SignedLess | SignedLessEq | SignedAddOverflows
            | SignedSubOverflows | SignedMulOverflows | UnsignedAddOverflows | UnsignedSubOverflows
            | UnsignedMulOverflows | FloatEq | FloatLess | FloatLessEq => Sort::Bool,
            Add | Sub | Mul | UnsignedDiv | SignedDiv | UnsignedRem | SignedRem | ShiftLeft | ShiftRight
            | ShiftRightSigned | BitAnd | BitOr | BitXor | FloatAdd | FloatSub | FloatMul | FloatDiv | FloatRem
            | FloatMin | FloatMax | FloatMath(_) => self.sort(a),
            Concat => Sort::Bits(self.width(a) + self.width(b)),
        }
    }
}
