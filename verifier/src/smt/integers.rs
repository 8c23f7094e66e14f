//! Bit-vector expressions approximated by integers, for solvers that generalise over linear arithmetic only.
//!
//! The translation is neither sound nor complete: numbers do not wrap around, and operators without a linear
//! counterpart yield arbitrary numbers. Results must be checked against the original expressions.

use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::{Bool, Dynamic, Int};

use crate::expr::{BinaryOp, Expr, Node, Pool, Sort, TernaryOp, UnaryOp, Value};

/// The interpretation of a bit-vector as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Two's complement.
    Signed,
    /// Non-negative.
    Unsigned,
}

impl View {
    /// The smallest and the largest number of `width` bits.
    pub fn range(self, width: u16) -> (i128, i128) {
        match self {
            View::Signed => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
            View::Unsigned => (0, (1 << width) - 1),
        }
    }

    /// The number that a constant denotes.
    fn number(self, width: u16, bits: u128) -> i128 {
        let negative = self == View::Signed && bits >> (width - 1) & 1 == 1;
        bits as i128 - if negative { 1 << width } else { 0 }
    }
}

/// The maximum width of bit-vectors that are translated.
pub const WIDEST: u16 = 64;

/// Whether expressions of this sort can be translated.
pub fn is_expressible(sort: Sort) -> bool {
    match sort {
        Sort::Bool => true,
        Sort::Bits(width) => width <= WIDEST,
        _ => false,
    }
}

/// The translation of expressions. Each variable and memory read has one constant.
pub struct Integers<'a> {
    pool: &'a Pool,
    view: View,
    terms: FxHashMap<Expr, Dynamic>,
    constants: Vec<Dynamic>,
    /// Facts about the constants.
    facts: Vec<Bool>,
}

impl<'a> Integers<'a> {
    /// A translation for expressions of `pool`.
    pub fn new(pool: &'a Pool, view: View) -> Integers<'a> {
        Integers { pool, view, terms: FxHashMap::default(), constants: Vec::new(), facts: Vec::new() }
    }

    /// The constants created, and facts about them.
    pub fn finish(self) -> (Vec<Dynamic>, Vec<Bool>) {
        (self.constants, self.facts)
    }

    /// A fresh constant of a sort.
    pub fn any(&mut self, sort: Sort) -> Dynamic {
        let name = format!("any{}", self.constants.len());
        self.constant(name, sort)
    }

    fn constant(&mut self, name: String, sort: Sort) -> Dynamic {
        let constant = match sort {
            Sort::Bits(width) if width <= WIDEST => {
                let number = Int::new_const(name);
                let (low, high) = self.view.range(width);
                self.facts.push(number.ge(Int::from_i128(low)));
                self.facts.push(number.le(Int::from_i128(high)));
                Dynamic::from_ast(&number)
            }
            Sort::Bool => Dynamic::from_ast(&Bool::new_const(name)),
            _ => Dynamic::from_ast(&Int::new_const(name)),
        };
        self.constants.push(constant.clone());
        constant
    }

    /// The term of an expression.
    pub fn term(&mut self, expr: Expr) -> Dynamic {
        // Expression ids order children before parents.
        let mut missing: FxHashSet<Expr> = FxHashSet::default();
        let mut worklist = vec![expr];
        while let Some(current) = worklist.pop() {
            if !self.terms.contains_key(&current) && missing.insert(current) && !self.is_leaf(current) {
                worklist.extend(self.pool.children(current));
            }
        }
        let mut missing: Vec<Expr> = missing.into_iter().collect();
        missing.sort_unstable();
        for current in missing {
            let term = self.encode(current);
            self.terms.insert(current, term);
        }
        self.terms[&expr].clone()
    }

    fn is_leaf(&self, expr: Expr) -> bool {
        !is_expressible(self.pool.sort(expr))
            || matches!(self.pool.node(expr), Node::Const(_) | Node::Var(_) | Node::Read { .. } | Node::Write { .. })
    }

    fn int(&self, expr: Expr) -> Int {
        self.terms[&expr].as_int().unwrap_or_else(|| Int::from_i64(0))
    }

    fn bool(&self, expr: Expr) -> Bool {
        self.terms[&expr].as_bool().unwrap_or_else(|| Bool::from_bool(true))
    }

    /// Translates an expression whose children are translated.
    fn encode(&mut self, expr: Expr) -> Dynamic {
        let sort = self.pool.sort(expr);
        let known = match self.pool.node(expr) {
            Node::Const(Value::Bool(value)) => Some(Dynamic::from_ast(&Bool::from_bool(value))),
            Node::Const(Value::Bits { width, bits }) if width <= WIDEST => {
                Some(Dynamic::from_ast(&Int::from_i128(self.view.number(width, bits))))
            }
            Node::Var(_) | Node::Read { .. } => Some(self.constant(format!("x{}", expr.index()), sort)),
            _ if self.is_leaf(expr) => None,
            Node::Unary(op, a) => self.unary(op, a),
            Node::Binary(op, a, b) if is_expressible(self.pool.sort(a)) => self.binary(op, a, b),
            Node::Ternary(TernaryOp::Ite, condition, yes, no) => {
                let condition = self.bool(condition);
                Some(match sort {
                    Sort::Bool => Dynamic::from_ast(&condition.ite(&self.bool(yes), &self.bool(no))),
                    _ => Dynamic::from_ast(&condition.ite(&self.int(yes), &self.int(no))),
                })
            }
            _ => None,
        };
        known.unwrap_or_else(|| self.any(sort))
    }

    fn unary(&mut self, op: UnaryOp, a: Expr) -> Option<Dynamic> {
        if !is_expressible(self.pool.sort(a)) {
            return None;
        }
        Some(match op {
            UnaryOp::Not => Dynamic::from_ast(&self.bool(a).not()),
            UnaryOp::Neg => Dynamic::from_ast(&-self.int(a)),
            UnaryOp::BitNot => {
                let (low, high) = self.view.range(self.pool.width(a));
                Dynamic::from_ast(&(Int::from_i128(low + high) - self.int(a)))
            }
            UnaryOp::ZeroExtend(_) | UnaryOp::SignExtend(_) | UnaryOp::Extract { low: 0, .. } => self.terms[&a].clone(),
            _ => return None,
        })
    }

    fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Option<Dynamic> {
        use BinaryOp::*;
        let int = |number: Int| Some(Dynamic::from_ast(&number));
        let bool = |condition: Bool| Some(Dynamic::from_ast(&condition));
        if self.pool.sort(a) == Sort::Bool {
            return match op {
                Eq => bool(self.bool(a).iff(self.bool(b))),
                And => bool(Bool::and(&[self.bool(a), self.bool(b)])),
                Or => bool(Bool::or(&[self.bool(a), self.bool(b)])),
                _ => None,
            };
        }
        let width = self.pool.width(a);
        match op {
            Eq => bool(self.int(a).eq(self.int(b))),
            Add => int(self.summand(a) + self.summand(b)),
            Sub => int(self.int(a) - self.summand(b)),
            Mul => match (self.constant_of(a), self.constant_of(b)) {
                (None, None) => None,
                _ => int(self.summand(a) * self.summand(b)),
            },
            SignedLess => bool(self.seen_as(View::Signed, a).lt(self.seen_as(View::Signed, b))),
            SignedLessEq => bool(self.seen_as(View::Signed, a).le(self.seen_as(View::Signed, b))),
            UnsignedLess => bool(self.seen_as(View::Unsigned, a).lt(self.seen_as(View::Unsigned, b))),
            UnsignedLessEq => bool(self.seen_as(View::Unsigned, a).le(self.seen_as(View::Unsigned, b))),
            SignedAddOverflows => bool(out_of_range(View::Signed, width, self.int(a) + self.int(b))),
            SignedSubOverflows => bool(out_of_range(View::Signed, width, self.int(a) - self.int(b))),
            UnsignedAddOverflows => bool(out_of_range(View::Unsigned, width, self.int(a) + self.int(b))),
            UnsignedSubOverflows => bool(out_of_range(View::Unsigned, width, self.int(a) - self.int(b))),
            SignedDiv | UnsignedDiv => int(self.divided(a, self.constant_of(b)?)?.0),
            SignedRem | UnsignedRem => int(self.divided(a, self.constant_of(b)?)?.1),
            ShiftLeft => int(self.int(a) * Int::from_i128(1 << self.distance(b)?)),
            ShiftRight | ShiftRightSigned => int(self.divided(a, 1 << self.distance(b)?)?.0),
            BitAnd => {
                let mask = self.constant_of(b).or_else(|| self.constant_of(a))?;
                let masked = if self.constant_of(b).is_some() { a } else { b };
                if mask > 0 && (mask + 1).count_ones() == 1 { int(self.divided(masked, mask + 1)?.1) } else { None }
            }
            _ => None,
        }
    }

    /// A summand: large constants count as negative.
    fn summand(&self, expr: Expr) -> Int {
        match self.pool.as_const(expr) {
            Some(Value::Bits { width, bits }) => Int::from_i128(View::Signed.number(width, bits)),
            _ => self.int(expr),
        }
    }

    fn constant_of(&self, expr: Expr) -> Option<i128> {
        match self.pool.as_const(expr)? {
            Value::Bits { width, bits } => Some(self.view.number(width, bits)),
            _ => None,
        }
    }

    /// A constant shift distance.
    fn distance(&self, expr: Expr) -> Option<u32> {
        self.constant_of(expr).and_then(|n| u32::try_from(n).ok()).filter(|&n| n < u32::from(WIDEST))
    }

    fn seen_as(&self, view: View, expr: Expr) -> Int {
        let (number, modulus) = (self.int(expr), Int::from_i128(1 << self.pool.width(expr)));
        match (self.view, view) {
            (View::Signed, View::Unsigned) => number.lt(Int::from_i64(0)).ite(&(&number + modulus), &number),
            (View::Unsigned, View::Signed) => {
                let (_, high) = View::Signed.range(self.pool.width(expr));
                number.gt(Int::from_i128(high)).ite(&(&number - modulus), &number)
            }
            _ => number,
        }
    }

    /// The quotient, rounded towards zero, and the remainder for a positive divisor.
    fn divided(&mut self, expr: Expr, divisor: i128) -> Option<(Int, Int)> {
        if divisor <= 0 {
            return None;
        }
        let name = self.constants.len();
        let (quotient, rest) = (Int::new_const(format!("quotient{name}")), Int::new_const(format!("rest{name}")));
        self.constants.extend([Dynamic::from_ast(&quotient), Dynamic::from_ast(&rest)]);
        let (number, zero, divisor) = (self.int(expr), Int::from_i64(0), Int::from_i128(divisor));
        self.facts.push(number.eq(&quotient * &divisor + &rest));
        let (positive, negative) = (number.ge(&zero), number.lt(&zero));
        self.facts.push(positive.implies(Bool::and(&[rest.ge(&zero), rest.lt(&divisor)])));
        self.facts.push(negative.implies(Bool::and(&[rest.le(&zero), rest.gt(-&divisor)])));
        Some((quotient, rest))
    }
}

fn out_of_range(view: View, width: u16, number: Int) -> Bool {
    let (low, high) = view.range(width);
    Bool::or(&[number.lt(Int::from_i128(low)), number.gt(Int::from_i128(high))])
}
