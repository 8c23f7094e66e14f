//! Expressions: a hash-consed graph of nodes, addressed by `Copy` ids.
//!
//! [`Node`] is the one definition of what expressions there are; what they mean is defined by evaluation (`eval`).
//! Operators are partial where C and LLVM are: dividing by zero, shifting too far and converting a float out of range
//! have no value, and every user of expressions must then allow for any.

use rustc_hash::FxHashMap;

use super::program::Var;
use super::sort::{FloatFormat, Sort};
use super::value::{Value, mask};

/// An expression of a [`Pool`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Expr(u32);

impl Expr {
    /// The position in the pool: children come before their parents.
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
    /// The cells of a memory at an address: one cell of any type, or several cells of bits side by side.
    Read {
        /// An expression of a memory sort.
        memory: Expr,
        /// The byte address of the first cell.
        address: Expr,
        /// How many cells.
        cells: u16,
    },
    /// A memory with some of its cells replaced: one cell of any type, or several of bits.
    Write {
        /// An expression of a memory sort.
        memory: Expr,
        /// The byte address of the first cell.
        address: Expr,
        /// What the cells become.
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
        /// The lowest bit that is kept.
        low: u16,
        /// How many bits are kept.
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
    /// The sign of a float flipped, also that of a NaN.
    FloatNeg,
    /// The sign of a float cleared, also that of a NaN.
    FloatAbs,
    /// The square root, rounded to nearest, ties to even.
    FloatSqrt,
    /// A float rounded to an integral value.
    FloatRound(Rounding),
    /// Is it a NaN?
    FloatIsNan,
    /// Is it an infinity?
    FloatIsInfinite,
    /// Is the sign bit set (also of a NaN)?
    FloatSignBit,
    /// Is it subnormal?
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
    /// Shift to the left. No value if the distance is not below the width.
    ShiftLeft,
    /// Shift to the right, zeros in. No value if the distance is not below the width.
    ShiftRight,
    /// Shift to the right, sign bits in. No value if the distance is not below the width.
    ShiftRightSigned,
    /// Bitwise conjunction.
    BitAnd,
    /// Bitwise disjunction.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// The first argument in the upper bits, the second in the lower ones.
    Concat,
    /// Unsigned less.
    UnsignedLess,
    /// Unsigned less or equal.
    UnsignedLessEq,
    /// Signed less.
    SignedLess,
    /// Signed less or equal.
    SignedLessEq,
    /// Does the signed sum overflow?
    SignedAddOverflows,
    /// Does the signed difference overflow?
    SignedSubOverflows,
    /// Does the signed product overflow?
    SignedMulOverflows,
    /// Does the unsigned sum overflow?
    UnsignedAddOverflows,
    /// Does the unsigned difference overflow?
    UnsignedSubOverflows,
    /// Does the unsigned product overflow?
    UnsignedMulOverflows,
    /// IEEE sum, rounded to nearest, ties to even; so are all of the following.
    FloatAdd,
    /// IEEE difference.
    FloatSub,
    /// IEEE product.
    FloatMul,
    /// IEEE quotient.
    FloatDiv,
    /// C's `fmod`: the remainder of the truncated quotient, exact.
    FloatRem,
    /// IEEE equality: false if one is a NaN, true for the two zeros.
    FloatEq,
    /// IEEE less: false if one is a NaN.
    FloatLess,
    /// IEEE less or equal: false if one is a NaN.
    FloatLessEq,
    /// C's `fmin`: the other one if one is a NaN; -0 is less than +0.
    FloatMin,
    /// C's `fmax`: the other one if one is a NaN; +0 is more than -0.
    FloatMax,
}

/// Operators on three arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum TernaryOp {
    /// The second argument if the first one holds, else the third; of any sort.
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
    pub(super) fn node_ref(&self, expr: Expr) -> &Node {
        &self.nodes[expr.index()]
    }

    /// All expressions, children before their parents.
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

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The id of `node`, whose sort is `sort`. Building goes through the typed constructors, which simplify.
    pub(super) fn intern(&mut self, node: Node, sort: Sort) -> Expr {
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

    /// May evaluation crash the program? It does where a division has no value; simplification must not drop such
    /// subexpressions, while one without a value elsewhere may be replaced by any.
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

    /// The term and the constant of `term == constant`, written either way.
    pub fn as_comparison_with_constant(&self, expr: Expr) -> Option<(Expr, Expr)> {
        let Node::Binary(BinaryOp::Eq, a, b) = self.node(expr) else { return None };
        [(a, b), (b, a)].into_iter().find(|&(_, constant)| self.as_const(constant).is_some())
    }

    /// The width of a bit-vector.
    ///
    /// # Panics
    /// If `expr` is not one: a mistake of the caller.
    pub fn width(&self, expr: Expr) -> u16 {
        match self.sort(expr) {
            Sort::Bits(width) => width,
            sort => panic!("a bit-vector is expected, this is of sort {sort}"),
        }
    }
}
