//! Expressions: a hash-consed graph of nodes, addressed by `Copy` ids.
//!
//! [`Node`] defines the syntax and `eval` the meaning. Operators are partial where C and LLVM are: division by zero, an
//! oversized shift and an out-of-range float conversion have no value. Users of expressions must then allow for any
//! value.

use rustc_hash::FxHashMap;

use super::value::mask;
use super::{FloatFormat, MathFunction, MathFunction2, Sort, Value};

/// An expression of a [`Pool`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub struct Expr(u32);

impl Expr {
    /// The index in the pool. Children have smaller indices than their parents.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable. Terms know only its number; the program holds its metadata.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

impl Var {
    /// The index in the program's table of variables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant.
    Const(Value),
    /// The current value of a variable.
    Var(Var),
    /// An operator on one argument.
    Unary(UnaryOp, Expr),
    /// An operator on two arguments.
    Binary(BinaryOp, Expr, Expr),
    /// An operator on three arguments.
    Ternary(TernaryOp, Expr, Expr, Expr),
    /// The cells of a memory at an address: one cell of any type, or several adjacent bit-vector cells.
    Read {
        /// An expression of a memory sort.
        memory: Expr,
        /// The byte address of the first cell.
        address: Expr,
        /// The number of cells.
        cells: u16,
    },
    /// A memory with some cells replaced: one cell of any type, or several adjacent bit-vector cells.
    Write {
        /// An expression of a memory sort.
        memory: Expr,
        /// The byte address of the first cell.
        address: Expr,
        /// The new contents of the cells.
        value: Expr,
    },
}

/// Operators on one argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnaryOp {
    /// Logical negation of a truth value.
    Not,
    /// Bitwise complement.
    BitNot,
    /// Two's complement negation.
    Neg,
    /// The bits `low .. low + width`.
    Extract {
        /// The lowest bit of the result.
        low: u16,
        /// The number of bits.
        width: u16,
    },
    /// Zero extension to a larger width.
    ZeroExtend(u16),
    /// Sign extension to a larger width.
    SignExtend(u16),
    /// The number of set bits, in the width of the argument.
    PopCount,
    /// The number of leading zeros, in the width of the argument; the width itself for 0.
    LeadingZeros,
    /// The number of trailing zeros, in the width of the argument; the width itself for 0.
    TrailingZeros,
    /// The bytes in reverse order.
    ByteSwap,
    /// The bits in reverse order.
    BitReverse,
    /// A float with its sign flipped, including that of a NaN.
    FloatNeg,
    /// A float with its sign cleared, including that of a NaN.
    FloatAbs,
    /// The square root, rounded to nearest, ties to even.
    FloatSqrt,
    /// A float rounded to an integral value.
    FloatRound(Rounding),
    /// Whether a float is a NaN.
    FloatIsNan,
    /// Whether a float is an infinity.
    FloatIsInfinite,
    /// Whether the sign bit is set, including that of a NaN.
    FloatSignBit,
    /// Whether a float is subnormal.
    FloatIsSubnormal,
    /// A float in another format, rounded to nearest, ties to even.
    FloatToFloat(FloatFormat),
    /// A signed bit-vector as a float, rounded to nearest, ties to even.
    SignedToFloat(FloatFormat),
    /// An unsigned bit-vector as a float, rounded to nearest, ties to even.
    UnsignedToFloat(FloatFormat),
    /// A float as a signed bit-vector, rounded towards zero. No value if it does not fit.
    FloatToSigned(u16),
    /// A float as an unsigned bit-vector, rounded towards zero. No value if it does not fit.
    FloatToUnsigned(u16),
    /// A bit-vector of the format's width read as a float.
    BitsToFloat(FloatFormat),
    /// The representation of a float.
    FloatToBits,
    /// A function of the mathematics library, of a `float` or `double`.
    FloatMath(MathFunction),
}

/// How a float is rounded to an integral value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rounding {
    /// To the nearest, ties to even (`rint`, `roundeven`).
    NearestEven,
    /// To the nearest, ties away from zero (`round`).
    NearestAway,
    /// Towards zero (`trunc`).
    TowardZero,
    /// Towards positive infinity (`ceil`).
    Up,
    /// Towards negative infinity (`floor`).
    Down,
}

/// Operators on two arguments. On bit-vectors both have the same width, except for `Concat`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BinaryOp {
    /// Equality of truth values or bit-vectors, and of the representations of floats; not of memories.
    Eq,
    /// Conjunction of truth values.
    And,
    /// Disjunction of truth values.
    Or,
    /// Wrapping sum.
    Add,
    /// Wrapping difference.
    Sub,
    /// Wrapping product.
    Mul,
    /// Unsigned quotient. No value if the divisor is 0.
    UnsignedDiv,
    /// Signed quotient, rounded towards zero. No value if the divisor is 0, or on overflow.
    SignedDiv,
    /// Unsigned remainder. No value if the divisor is 0.
    UnsignedRem,
    /// Signed remainder with the sign of the dividend. No value if the divisor is 0, or if the quotient overflows.
    SignedRem,
    /// Left shift. No value if the distance is at least the width.
    ShiftLeft,
    /// Logical right shift. No value if the distance is at least the width.
    ShiftRight,
    /// Arithmetic right shift. No value if the distance is at least the width.
    ShiftRightSigned,
    /// Bitwise conjunction.
    BitAnd,
    /// Bitwise disjunction.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Concatenation: the first argument is the upper part.
    Concat,
    /// Unsigned less.
    UnsignedLess,
    /// Unsigned less or equal.
    UnsignedLessEq,
    /// Signed less.
    SignedLess,
    /// Signed less or equal.
    SignedLessEq,
    /// Whether the signed sum overflows.
    SignedAddOverflows,
    /// Whether the signed difference overflows.
    SignedSubOverflows,
    /// Whether the signed product overflows.
    SignedMulOverflows,
    /// Whether the unsigned sum overflows.
    UnsignedAddOverflows,
    /// Whether the unsigned difference overflows.
    UnsignedSubOverflows,
    /// Whether the unsigned product overflows.
    UnsignedMulOverflows,
    /// IEEE sum, rounded to nearest, ties to even; the same rounding applies to all float operators below.
    FloatAdd,
    /// IEEE difference.
    FloatSub,
    /// IEEE product.
    FloatMul,
    /// IEEE quotient.
    FloatDiv,
    /// C's `fmod`: the remainder of the truncated quotient, exact.
    FloatRem,
    /// IEEE equality: false if an argument is a NaN, true for +0 and -0.
    FloatEq,
    /// IEEE less: false if an argument is a NaN.
    FloatLess,
    /// IEEE less or equal: false if an argument is a NaN.
    FloatLessEq,
    /// C's `fmin`: if one argument is a NaN, the other one; -0 is less than +0.
    FloatMin,
    /// C's `fmax`: if one argument is a NaN, the other one; +0 is greater than -0.
    FloatMax,
    /// A function of the mathematics library, of two `float` or `double`.
    FloatMath(MathFunction2),
}

/// Operators on three arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum TernaryOp {
    /// The second argument if the first holds, else the third; of any sort.
    Ite,
    /// `a * b + c` with one rounding.
    FloatFma,
}

/// The arena of all expressions of a program.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    traps: Vec<bool>,
    ids: FxHashMap<Node, Expr>,
}

impl Pool {
    /// The node of an expression.
    pub fn node(&self, expr: Expr) -> Node {
        self.nodes[expr.index()]
    }

    /// The node of an expression, without copying it.
    pub(crate) fn node_ref(&self, expr: Expr) -> &Node {
        &self.nodes[expr.index()]
    }

    /// All expressions, children before parents.
    pub fn exprs(&self) -> impl Iterator<Item = Expr> + use<> {
        (0..self.nodes.len() as u32).map(Expr)
    }

    /// The sort of an expression.
    pub fn sort(&self, expr: Expr) -> Sort {
        self.sorts[expr.index()]
    }

    /// The sort of a variable, if it occurs in any expression.
    pub fn var_sort(&self, var: Var) -> Option<Sort> {
        self.ids.get(&Node::Var(var)).map(|&expr| self.sort(expr))
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the pool has no expressions.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Interns `node`, which has sort `sort`. Use the typed constructors instead: they simplify.
    pub(crate) fn intern(&mut self, node: Node, sort: Sort) -> Expr {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = Expr(u32::try_from(self.nodes.len()).expect("fewer than 2^32 expressions"));
        self.nodes.push(node);
        self.sorts.push(sort);
        let traps = self.may_divide_by_zero(node) || self.children(id).any(|child| self.may_trap(child));
        self.traps.push(traps);
        self.ids.insert(node, id);
        id
    }

    /// Whether evaluation may crash the program, which happens where a division has no value. Simplification must not
    /// drop such subexpressions. Any other operator without a value may be replaced by an arbitrary one.
    pub fn may_trap(&self, expr: Expr) -> bool {
        self.traps[expr.index()]
    }

    fn may_divide_by_zero(&self, node: Node) -> bool {
        use BinaryOp::{SignedDiv, SignedRem, UnsignedDiv, UnsignedRem};
        match node {
            Node::Binary(UnsignedDiv | UnsignedRem, _, divisor) => {
                self.as_const(divisor).is_none_or(|value| value.raw() == 0)
            }
            // The quotient by -1 may overflow.
            Node::Binary(SignedDiv | SignedRem, _, divisor) => {
                self.as_const(divisor).is_none_or(|value| value.raw() == 0 || value.raw() == mask(self.width(divisor)))
            }
            _ => false,
        }
    }

    /// The direct subexpressions, in order.
    pub fn children(&self, expr: Expr) -> impl Iterator<Item = Expr> + use<> {
        let list = match self.node(expr) {
            Node::Const(_) | Node::Var(_) => [None; 3],
            Node::Unary(_, a) => [Some(a), None, None],
            Node::Binary(_, a, b) | Node::Read { memory: a, address: b, .. } => [Some(a), Some(b), None],
            Node::Ternary(_, a, b, c) | Node::Write { memory: a, address: b, value: c } => [Some(a), Some(b), Some(c)],
        };
        list.into_iter().flatten()
    }

    /// The value of a constant.
    pub fn as_const(&self, expr: Expr) -> Option<Value> {
        match self.node(expr) {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The term and the constant of an equality between them, in either order.
    pub fn as_comparison_with_constant(&self, expr: Expr) -> Option<(Expr, Expr)> {
        let Node::Binary(BinaryOp::Eq, a, b) = self.node(expr) else { return None };
        [(a, b), (b, a)].into_iter().find(|&(_, constant)| self.as_const(constant).is_some())
    }

    /// The width of a bit-vector.
    ///
    /// # Panics
    /// If `expr` is not a bit-vector.
    pub fn width(&self, expr: Expr) -> u16 {
        match self.sort(expr) {
            Sort::Bits(width) => width,
            sort => panic!("a bit-vector is expected, this is of sort {sort}"),
        }
    }
}
