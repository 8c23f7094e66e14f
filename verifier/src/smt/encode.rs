//! Encoding of expressions as Z3 terms.
//!
//! Memories are arrays from addresses to cells. A float is encoded as the bit-vector that represents it, because
//! programs can observe every bit, including those of NaNs. Where arithmetic needs its value, a term of the
//! floating-point theory is used (see `floats`).

use rustc_hash::FxHashMap;
use z3::Sort as Z3Sort;
use z3::ast::{Array, BV, Bool, Float};

use super::{bits, floats};
use crate::expr::{BinaryOp, Cell, Expr, FloatFormat, MemorySort, Node, Pool, Sort, TernaryOp, UnaryOp, Value, Var};

/// A term of Z3.
#[derive(Clone)]
pub(super) enum Term {
    Bool(Bool),
    /// A bit-vector, or the representation of a float.
    Bits(BV),
    /// The value of a float in the floating-point theory.
    Number(Float),
    Memory(Array),
}

/// Which of the two encodings of a float is meant; other sorts only have the plain one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Form {
    Plain,
    Number,
}

/// A subterm that must be encoded first.
pub(super) struct Missing(Expr, Form);

/// A cache of the terms of one pool's expressions.
///
/// The pool may grow, but must not be replaced.
#[derive(Default)]
pub struct Encoder {
    terms: FxHashMap<(Expr, Form), Term>,
    /// Whether each expression consists only of truth values and bit-vectors.
    is_plain: FxHashMap<Expr, bool>,
}

impl Encoder {
    /// The term of a truth value.
    ///
    /// # Panics
    /// If `expr` is not a truth value.
    pub fn condition(&mut self, pool: &Pool, expr: Expr) -> Bool {
        match self.term(pool, expr) {
            Term::Bool(term) => term,
            _ => panic!("a truth value is expected, this is of sort {}", pool.sort(expr)),
        }
    }

    /// Whether `expr` consists only of truth values and bit-vectors, without memories and floats.
    pub(super) fn is_plain(&mut self, pool: &Pool, expr: Expr) -> bool {
        let mut stack = vec![expr];
        while let Some(&current) = stack.last() {
            if self.is_plain.contains_key(&current) {
                stack.pop();
                continue;
            }
            let missing = pool.children(current).find(|child| !self.is_plain.contains_key(child));
            if let Some(child) = missing {
                stack.push(child);
                continue;
            }
            let is_plain = matches!(pool.sort(current), Sort::Bool | Sort::Bits(_))
                && pool.children(current).all(|child| self.is_plain[&child]);
            self.is_plain.insert(current, is_plain);
        }
        self.is_plain[&expr]
    }

    /// The term of any expression; for a float, its representation.
    pub(super) fn term(&mut self, pool: &Pool, expr: Expr) -> Term {
        let mut stack = vec![(expr, Form::Plain)];
        while let Some(&(current, form)) = stack.last() {
            if self.terms.contains_key(&(current, form)) {
                stack.pop();
                continue;
            }
            let term = match form {
                Form::Plain => self.plain(pool, current),
                Form::Number => self.number_of(pool, current).map(Term::Number),
            };
            match term {
                Ok(term) => {
                    self.terms.insert((current, form), term);
                    stack.pop();
                }
                Err(Missing(child, form)) => stack.push((child, form)),
            }
        }
        self.terms[&(expr, Form::Plain)].clone()
    }

    fn get(&self, expr: Expr, form: Form) -> Result<&Term, Missing> {
        self.terms.get(&(expr, form)).ok_or(Missing(expr, form))
    }

    pub(super) fn truth(&self, expr: Expr) -> Result<&Bool, Missing> {
        match self.get(expr, Form::Plain)? {
            Term::Bool(term) => Ok(term),
            _ => unreachable!("the constructors of expressions check sorts"),
        }
    }

    pub(super) fn bits(&self, expr: Expr) -> Result<&BV, Missing> {
        match self.get(expr, Form::Plain)? {
            Term::Bits(term) => Ok(term),
            _ => unreachable!("the constructors of expressions check sorts"),
        }
    }

    pub(super) fn number(&self, expr: Expr) -> Result<&Float, Missing> {
        match self.get(expr, Form::Number)? {
            Term::Number(term) => Ok(term),
            _ => unreachable!("numbers are kept apart"),
        }
    }

    fn memory(&self, expr: Expr) -> Result<&Array, Missing> {
        match self.get(expr, Form::Plain)? {
            Term::Memory(term) => Ok(term),
            _ => unreachable!("the constructors of expressions check sorts"),
        }
    }

    fn plain(&self, pool: &Pool, expr: Expr) -> Result<Term, Missing> {
        match pool.node(expr) {
            Node::Const(Value::Bool(value)) => Ok(Term::Bool(Bool::from_bool(value))),
            Node::Const(value) => Ok(Term::Bits(bits::constant(width(pool.sort(expr)), value.raw()))),
            Node::Var(var) => Ok(variable(var, pool.sort(expr))),
            Node::Unary(op, a) => self.unary(pool, expr, op, a),
            Node::Binary(op, a, b) => self.binary(pool, expr, op, a, b),
            Node::Ternary(TernaryOp::Ite, condition, then, otherwise) => self.ite(pool, condition, then, otherwise),
            Node::Ternary(TernaryOp::FloatFma, a, b, c) => {
                self.arithmetic(format(pool, expr), expr, &[a, b, c]).map(Term::Bits)
            }
            Node::Read { memory, address, cells } => self.read(pool, memory, address, cells).map(Term::Bits),
            Node::Write { memory, address, value } => self.write(pool, memory, address, value).map(Term::Memory),
        }
    }

    fn unary(&self, pool: &Pool, expr: Expr, op: UnaryOp, a: Expr) -> Result<Term, Missing> {
        use UnaryOp::*;
        if let Sort::Float(from) = pool.sort(a) {
            return self.unary_float(pool, expr, op, from, a);
        }
        if op == Not {
            return Ok(Term::Bool(self.truth(a)?.not()));
        }
        let operand = self.bits(a)?;
        let width = u32::from(pool.width(a));
        Ok(Term::Bits(match op {
            BitNot => operand.bvnot(),
            Neg => operand.bvneg(),
            Extract { low, width } => operand.extract(u32::from(low + width) - 1, low.into()),
            ZeroExtend(wide) => operand.zero_ext(u32::from(wide) - width),
            SignExtend(wide) => operand.sign_ext(u32::from(wide) - width),
            PopCount => bits::population_count(operand, width),
            LeadingZeros => bits::leading_zeros(operand, width),
            TrailingZeros => bits::trailing_zeros(operand, width),
            ByteSwap => bits::reverse(operand, width, 8),
            BitReverse => bits::reverse(operand, width, 1),
            BitsToFloat(_) => operand.clone(),
            SignedToFloat(to) | UnsignedToFloat(to) => floats::representation(to, self.number(expr)?),
            _ => unreachable!("{op:?} does not apply to bit-vectors"),
        }))
    }

    fn unary_float(&self, pool: &Pool, expr: Expr, op: UnaryOp, from: FloatFormat, a: Expr) -> Result<Term, Missing> {
        use UnaryOp::*;
        Ok(match op {
            FloatToBits => Term::Bits(self.bits(a)?.clone()),
            FloatNeg => Term::Bits(floats::negate(from, self.bits(a)?)),
            FloatAbs => Term::Bits(floats::absolute(from, self.bits(a)?)),
            FloatSignBit => Term::Bool(floats::sign(from, self.bits(a)?)),
            FloatIsNan => Term::Bool(self.number(a)?.is_nan()),
            FloatIsInfinite => Term::Bool(self.number(a)?.is_infinite()),
            FloatIsSubnormal => Term::Bool(self.number(a)?.is_subnormal()),
            FloatSqrt | FloatRound(_) => Term::Bits(self.arithmetic(from, expr, &[a])?),
            FloatMath(_) => Term::Bits(unknown(from, expr)),
            FloatToFloat(to) => {
                let nan = floats::converted_nan(from, to, self.bits(a)?);
                let is_nan = self.number(a)?.is_nan();
                Term::Bits(is_nan.ite(&nan, &floats::representation(to, self.number(expr)?)))
            }
            FloatToSigned(width) => Term::Bits(floats::to_integer(self.number(a)?, width.into(), true)),
            FloatToUnsigned(width) => Term::Bits(floats::to_integer(self.number(a)?, width.into(), false)),
            _ => unreachable!("{op:?} does not apply to floats of {}", pool.sort(a)),
        })
    }

    fn binary(&self, pool: &Pool, expr: Expr, op: BinaryOp, a: Expr, b: Expr) -> Result<Term, Missing> {
        use BinaryOp::*;
        Ok(match (pool.sort(a), op) {
            (Sort::Bool, Eq) => Term::Bool(self.truth(a)?.iff(self.truth(b)?)),
            (Sort::Bool, And) => Term::Bool(Bool::and(&[self.truth(a)?, self.truth(b)?])),
            (Sort::Bool, Or) => Term::Bool(Bool::or(&[self.truth(a)?, self.truth(b)?])),
            // Bitwise, as for bit-vectors.
            (Sort::Float(_), Eq) => Term::Bool(self.bits(a)?.eq(self.bits(b)?)),
            (Sort::Float(_), FloatEq) => Term::Bool(self.number(a)?.eq_fpa(self.number(b)?)),
            (Sort::Float(_), FloatLess) => Term::Bool(self.number(a)?.lt(self.number(b)?)),
            (Sort::Float(_), FloatLessEq) => Term::Bool(self.number(a)?.le(self.number(b)?)),
            (Sort::Float(format), FloatMin | FloatMax) => {
                let (x, y) = (self.bits(a)?, self.bits(b)?);
                let (m, n) = (self.number(a)?, self.number(b)?);
                let second = floats::second_is_extreme(op == FloatMin, m, n, &floats::sign(format, x));
                let neither = Bool::and(&[m.is_nan(), n.is_nan()]);
                Term::Bits(neither.ite(&floats::quiet(format, x), &second.ite(y, x)))
            }
            (Sort::Float(format), FloatMath(_)) => Term::Bits(unknown(format, expr)),
            (Sort::Float(format), _) => Term::Bits(self.arithmetic(format, expr, &[a, b])?),
            (Sort::Bits(_), _) => bits::binary(op, self.bits(a)?, self.bits(b)?),
            (sort, _) => unreachable!("{op:?} does not apply to {sort}"),
        })
    }

    /// The representation of an arithmetic result: that of the number, or the NaN that x86 yields.
    fn arithmetic(&self, format: FloatFormat, expr: Expr, operands: &[Expr]) -> Result<BV, Missing> {
        let number = self.number(expr)?;
        let mut nan = bits::constant(format.bits(), crate::expr::float::default_nan(format));
        for &operand in operands.iter().rev() {
            nan = self.number(operand)?.is_nan().ite(&floats::quiet(format, self.bits(operand)?), &nan);
        }
        Ok(number.is_nan().ite(&nan, &floats::representation(format, number)))
    }

    fn ite(&self, pool: &Pool, condition: Expr, then: Expr, otherwise: Expr) -> Result<Term, Missing> {
        let condition = self.truth(condition)?;
        Ok(match pool.sort(then) {
            Sort::Bool => Term::Bool(condition.ite(self.truth(then)?, self.truth(otherwise)?)),
            Sort::Bits(_) | Sort::Float(_) => Term::Bits(condition.ite(self.bits(then)?, self.bits(otherwise)?)),
            Sort::Memory(_) => Term::Memory(condition.ite(self.memory(then)?, self.memory(otherwise)?)),
        })
    }

    /// The value of a float expression in the floating-point theory.
    fn number_of(&self, pool: &Pool, expr: Expr) -> Result<Float, Missing> {
        use BinaryOp::*;
        let format = format(pool, expr);
        Ok(match pool.node(expr) {
            Node::Ternary(TernaryOp::Ite, condition, then, otherwise) => {
                self.truth(condition)?.ite(self.number(then)?, self.number(otherwise)?)
            }
            Node::Ternary(TernaryOp::FloatFma, a, b, c) => self.number(a)?.fma(self.number(b)?, self.number(c)?),
            Node::Unary(UnaryOp::FloatNeg, a) => self.number(a)?.unary_neg(),
            Node::Unary(UnaryOp::FloatAbs, a) => self.number(a)?.unary_abs(),
            Node::Unary(UnaryOp::FloatSqrt, a) => self.number(a)?.sqrt(),
            Node::Unary(UnaryOp::FloatRound(rounding), a) => floats::round(self.number(a)?, rounding),
            Node::Unary(UnaryOp::FloatToFloat(to), a) => floats::convert(self.number(a)?, to),
            Node::Unary(UnaryOp::SignedToFloat(to), a) => floats::from_integer(self.bits(a)?, to, true),
            Node::Unary(UnaryOp::UnsignedToFloat(to), a) => floats::from_integer(self.bits(a)?, to, false),
            Node::Binary(FloatRem, a, b) => {
                floats::remainder(format, self.number(a)?, self.number(b)?, format!("remainder{}", expr.index()))
            }
            Node::Binary(op @ (FloatAdd | FloatSub | FloatMul | FloatDiv), a, b) => {
                floats::arithmetic(op, self.number(a)?, self.number(b)?)
            }
            Node::Binary(op @ (FloatMin | FloatMax), a, b) => {
                let (m, n) = (self.number(a)?, self.number(b)?);
                floats::second_is_extreme(op == FloatMin, m, n, &m.is_negative()).ite(n, m)
            }
            _ => floats::number(format, self.bits(expr)?),
        })
    }

    fn read(&self, pool: &Pool, memory: Expr, address: Expr, cells: u16) -> Result<BV, Missing> {
        let sort = memory_sort(pool, memory);
        let (memory, address) = (self.memory(memory)?, self.bits(address)?);
        let mut whole = cell_at(memory, &cell_address(sort, address, 0));
        for cell in 1..cells {
            whole = cell_at(memory, &cell_address(sort, address, cell)).concat(&whole);
        }
        Ok(whole)
    }

    fn write(&self, pool: &Pool, memory: Expr, address: Expr, value: Expr) -> Result<Array, Missing> {
        let sort = memory_sort(pool, memory);
        let (mut memory, address, term) = (self.memory(memory)?.clone(), self.bits(address)?, self.bits(value)?);
        let cell_width = u32::from(width(sort.cell.sort()));
        let cells = u32::from(width(pool.sort(value))) / cell_width;
        for cell in 0..cells {
            let part =
                if cells == 1 { term.clone() } else { term.extract((cell + 1) * cell_width - 1, cell * cell_width) };
            memory = memory.store(&cell_address(sort, address, cell as u16), &part);
        }
        Ok(memory)
    }
}

/// The result of a function that solvers do not know: any value. Models that get it wrong do not satisfy the formula.
fn unknown(format: FloatFormat, expr: Expr) -> BV {
    BV::new_const(format!("math{}", expr.index()), format.bits().into())
}

/// The number of bits that encode a scalar of this sort.
pub(super) fn width(sort: Sort) -> u16 {
    match sort {
        Sort::Bool => 1,
        Sort::Bits(width) => width,
        Sort::Float(format) => format.bits(),
        Sort::Memory(_) => unreachable!("a memory is no scalar"),
    }
}

/// The Z3 constant for a variable.
pub(super) fn variable(var: Var, sort: Sort) -> Term {
    let name = format!("v{}", var.0);
    match sort {
        Sort::Bool => Term::Bool(Bool::new_const(name)),
        Sort::Bits(_) | Sort::Float(_) => Term::Bits(BV::new_const(name, width(sort).into())),
        Sort::Memory(memory) => {
            let (domain, range) = (memory.address.into(), width(memory.cell.sort()).into());
            Term::Memory(Array::new_const(name, &Z3Sort::bitvector(domain), &Z3Sort::bitvector(range)))
        }
    }
}

/// The contents of an array at an address.
pub(super) fn cell_at(memory: &Array, address: &BV) -> BV {
    memory.select(address).as_bv().expect("cells are bit-vectors")
}

fn cell_address(sort: MemorySort, base: &BV, cell: u16) -> BV {
    match u128::from(cell) * u128::from(sort.cell.bytes()) {
        0 => base.clone(),
        offset => base.bvadd(bits::constant(sort.address, offset)),
    }
}

fn format(pool: &Pool, expr: Expr) -> FloatFormat {
    match pool.sort(expr) {
        Sort::Float(format) => format,
        sort => unreachable!("a float is expected, this is of sort {sort}"),
    }
}

fn memory_sort(pool: &Pool, expr: Expr) -> MemorySort {
    match pool.sort(expr) {
        Sort::Memory(sort) => {
            debug_assert!(!matches!(sort.cell, Cell::Bits(width) if width % 8 != 0));
            sort
        }
        sort => unreachable!("a memory is expected, this is of sort {sort}"),
    }
}
