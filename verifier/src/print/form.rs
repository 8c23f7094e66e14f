//! The notation of expressions: C operators, and function calls where C has none.

use std::borrow::Cow;

use smallvec::{SmallVec, smallvec};

use super::Printer;
use crate::expr::value::signed;
use crate::expr::{BinaryOp, Expr, FloatFormat, Node, Rounding, Sort, TernaryOp, UnaryOp, Value, Var};

/// Precedence levels of C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    Ternary,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relational,
    Shift,
    Additive,
    Multiplicative,
    Unary,
    Postfix,
}

impl Level {
    /// The minimum level of a right operand: one higher, except for associative operators.
    pub(super) fn of_right_operand(self) -> Level {
        use Level::*;
        match self {
            Or | And => self,
            Ternary => Or,
            BitOr => BitXor,
            BitXor => BitAnd,
            BitAnd => Equality,
            Equality => Relational,
            Relational => Shift,
            Shift => Additive,
            Additive => Multiplicative,
            Multiplicative => Unary,
            Unary | Postfix => Postfix,
        }
    }
}

/// How the enclosing operator interprets the bits of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    Any,
    Signed,
    Unsigned,
}

/// The notation of one node.
pub(super) enum Form {
    /// A name or a constant.
    Text(Level, String),
    /// A prefix operator.
    Prefix(Cow<'static, str>, Expr, Reading),
    /// An infix operator. If `negated`, it includes the sign of the constant on the right.
    Infix { level: Level, left: Expr, op: &'static str, right: Expr, reading: Reading, negated: bool },
    /// A function call.
    Apply(Cow<'static, str>, SmallVec<[Expr; 3]>),
    /// A range of bits.
    Slice { of: Expr, high: u16, low: u16 },
    /// `a ? b : c`.
    Choice(Expr, Expr, Expr),
    /// Cells of a region, with the precedence of their notation.
    Region(Level, Var, Expr, u16),
    /// A test of one bit: set or clear.
    Bit { of: Expr, low: u16, set: bool },
    /// Cells of a memory that is not a variable.
    Access { memory: Expr, address: Expr, cells: u16 },
    /// A memory with some cells replaced.
    Update { memory: Expr, address: Expr, value: Expr },
}

impl Printer<'_> {
    /// The notation of `expr` if its bits are interpreted as `reading`.
    pub(super) fn form(&self, expr: Expr, reading: Reading) -> Form {
        match self.pool.node(expr) {
            Node::Const(value) => {
                let (level, text) = self.constant(value, reading);
                Form::Text(level, text)
            }
            Node::Var(var) => Form::Text(Level::Postfix, self.var(var)),
            Node::Unary(UnaryOp::Not, a) => {
                self.comparison(a, true).unwrap_or(Form::Prefix("!".into(), a, Reading::Any))
            }
            Node::Unary(op, a) => self.unary(op, a, reading),
            Node::Binary(op, a, b) => self.comparison(expr, false).unwrap_or_else(|| self.binary(op, a, b)),
            Node::Ternary(TernaryOp::Ite, a, b, c) => Form::Choice(a, b, c),
            Node::Ternary(TernaryOp::FloatFma, a, b, c) => Form::Apply("fma".into(), smallvec![a, b, c]),
            Node::Read { memory, address, cells } => match self.pool.node(memory) {
                Node::Var(var) => Form::Region(self.access_level(var, address, cells), var, address, cells),
                _ => Form::Access { memory, address, cells },
            },
            Node::Write { memory, address, value } => Form::Update { memory, address, value },
        }
    }

    fn unary(&self, op: UnaryOp, a: Expr, reading: Reading) -> Form {
        use UnaryOp::*;
        let apply = |name: &'static str| Form::Apply(name.into(), smallvec![a]);
        let cast = |to: String, reading| Form::Prefix(format!("({to})").into(), a, reading);
        match op {
            Not => Form::Prefix("!".into(), a, Reading::Any),
            BitNot => Form::Prefix("~".into(), a, Reading::Any),
            Neg | FloatNeg => Form::Prefix("-".into(), a, Reading::Any),
            // The enclosing operator interprets the truncated bits, so the type of the cast must agree.
            Extract { low: 0, width } if reading == Reading::Signed => cast(format!("i{width}"), Reading::Any),
            Extract { low: 0, width } => cast(format!("u{width}"), Reading::Any),
            Extract { low, width } => Form::Slice { of: a, high: low + width - 1, low },
            ZeroExtend(width) => cast(format!("u{width}"), Reading::Unsigned),
            SignExtend(width) => cast(format!("i{width}"), Reading::Signed),
            PopCount => apply("popcount"),
            LeadingZeros => apply("clz"),
            TrailingZeros => apply("ctz"),
            ByteSwap => apply("bswap"),
            BitReverse => apply("bitreverse"),
            FloatAbs => apply("fabs"),
            FloatSqrt => apply("sqrt"),
            FloatRound(rounding) => apply(match rounding {
                Rounding::NearestEven => "rint",
                Rounding::NearestAway => "round",
                Rounding::TowardZero => "trunc",
                Rounding::Up => "ceil",
                Rounding::Down => "floor",
            }),
            FloatIsNan => apply("isnan"),
            FloatIsInfinite => apply("isinf"),
            FloatSignBit => apply("signbit"),
            FloatIsSubnormal => apply("issubnormal"),
            FloatToFloat(format) => cast(format.to_string(), Reading::Any),
            SignedToFloat(format) => cast(format.to_string(), Reading::Signed),
            UnsignedToFloat(format) => cast(self.unsigned_to(format, a), Reading::Unsigned),
            FloatToSigned(width) => cast(format!("i{width}"), Reading::Any),
            FloatToUnsigned(width) => cast(format!("u{width}"), Reading::Any),
            BitsToFloat(format) => {
                Form::Apply(format!("as_{}", format.to_string().replace(' ', "_")).into(), smallvec![a])
            }
            FloatToBits => apply("as_bits"),
            FloatMath(function) => apply(function.name()),
        }
    }

    /// The cast of an unsigned number to a float: `double)(u32`, unless the operand is visibly unsigned.
    fn unsigned_to(&self, format: FloatFormat, a: Expr) -> String {
        match (self.pool.node(a), self.pool.sort(a)) {
            (Node::Unary(UnaryOp::ZeroExtend(_) | UnaryOp::Extract { low: 0, .. }, _) | Node::Const(_), _) => {
                format.to_string()
            }
            (_, Sort::Bits(width)) => format!("{format})(u{width}"),
            _ => format.to_string(),
        }
    }

    fn binary(&self, op: BinaryOp, a: Expr, b: Expr) -> Form {
        use BinaryOp::*;
        use Reading::{Any, Signed, Unsigned};
        let apply = |name: &'static str| Form::Apply(name.into(), smallvec![a, b]);
        let infix = |level, op, reading| Form::Infix { level, left: a, op, right: b, reading, negated: false };
        match op {
            Add | Sub => self.sum(op, a, b),
            And => infix(Level::And, "&&", Any),
            Or => infix(Level::Or, "||", Any),
            Mul | FloatMul => infix(Level::Multiplicative, "*", Any),
            SignedDiv => infix(Level::Multiplicative, "/", Signed),
            UnsignedDiv => infix(Level::Multiplicative, "/u", Unsigned),
            SignedRem => infix(Level::Multiplicative, "%", Signed),
            UnsignedRem => infix(Level::Multiplicative, "%u", Unsigned),
            ShiftLeft => infix(Level::Shift, "<<", Any),
            ShiftRight => infix(Level::Shift, ">>u", Unsigned),
            ShiftRightSigned => infix(Level::Shift, ">>", Signed),
            BitAnd => infix(Level::BitAnd, "&", Any),
            BitOr => infix(Level::BitOr, "|", Any),
            BitXor => infix(Level::BitXor, "^", Any),
            FloatAdd => infix(Level::Additive, "+", Any),
            FloatSub => infix(Level::Additive, "-", Any),
            FloatDiv => infix(Level::Multiplicative, "/", Any),
            FloatRem => apply("fmod"),
            FloatMin => apply("fmin"),
            FloatMax => apply("fmax"),
            FloatMath(function) => apply(function.name()),
            Concat => apply("concat"),
            SignedAddOverflows => apply("add_overflows"),
            SignedSubOverflows => apply("sub_overflows"),
            SignedMulOverflows => apply("mul_overflows"),
            UnsignedAddOverflows => apply("add_overflows_u"),
            UnsignedSubOverflows => apply("sub_overflows_u"),
            UnsignedMulOverflows => apply("mul_overflows_u"),
            // Only floats get here; for other sorts, `==` means the same.
            Eq => apply("same"),
            UnsignedLess | UnsignedLessEq | SignedLess | SignedLessEq | FloatEq | FloatLess | FloatLessEq => {
                unreachable!("comparisons have a form of their own")
            }
        }
    }

    /// `a + b` and `a - b`: constants move to the right, and their sign into the operator.
    fn sum(&self, op: BinaryOp, a: Expr, b: Expr) -> Form {
        let (left, right) =
            if op == BinaryOp::Add && self.is_number(a) && !self.is_number(b) { (b, a) } else { (a, b) };
        let negated = matches!(self.pool.as_const(right), Some(Value::Bits { width, bits })
            if self.is_number(right) && (-(1 << 31) + 1..0).contains(&signed(width, bits)));
        let op = if (op == BinaryOp::Add) != negated { "+" } else { "-" };
        Form::Infix { level: Level::Additive, left, op, right, reading: Reading::Any, negated }
    }

    /// Whether it is a constant that is not printed as an address.
    fn is_number(&self, expr: Expr) -> bool {
        self.pool.as_const(expr).is_some_and(|value| self.address(value).is_none())
    }

    /// The notation of a comparison or its negation, with constants on the right; `None` for other expressions.
    fn comparison(&self, expr: Expr, negated: bool) -> Option<Form> {
        use BinaryOp::*;
        let pool = self.pool;
        let Node::Binary(op, a, b) = pool.node(expr) else { return None };
        // Variants: plain, negated, swapped, negated and swapped.
        let (ops, reading) = match op {
            Eq if matches!(pool.sort(a), Sort::Float(_)) => return None,
            Eq | FloatEq => (["==", "!=", "==", "!="], Reading::Any),
            SignedLess => (["<", ">=", ">", "<="], Reading::Signed),
            SignedLessEq => (["<=", ">", ">=", "<"], Reading::Signed),
            UnsignedLess => (["<u", ">=u", ">u", "<=u"], Reading::Unsigned),
            UnsignedLessEq => (["<=u", ">u", ">=u", "<u"], Reading::Unsigned),
            // With a NaN, `!(a < b)` holds but `a >= b` does not.
            FloatLess | FloatLessEq if negated => return None,
            FloatLess => (["<", "", ">", ""], Reading::Any),
            FloatLessEq => (["<=", "", ">=", ""], Reading::Any),
            _ => return None,
        };
        let swapped = pool.as_const(a).is_some() && pool.as_const(b).is_none();
        let (left, right) = if swapped { (b, a) } else { (a, b) };
        if let (Node::Unary(UnaryOp::Extract { low, width: 1 }, of), Some(Value::Bits { bits, .. }), Eq) =
            (pool.node(left), pool.as_const(right), op)
        {
            return Some(Form::Bit { of, low, set: (bits == 1) != negated });
        }
        let level = if matches!(op, Eq | FloatEq) { Level::Equality } else { Level::Relational };
        let op = ops[usize::from(negated) + 2 * usize::from(swapped)];
        Some(Form::Infix { level, left, op, right, reading, negated: false })
    }
}
