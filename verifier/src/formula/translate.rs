//! Translation of the program's expressions to symbols: their values, and the conditions under which they are defined.

use super::execution::Execution;
use super::symbols::Symbol;
use crate::expr::eval::read_sort;
use crate::expr::value::mask;
use crate::expr::{BinaryOp, Cell, Expr, FloatFormat, Node, Rounding, Sort, TernaryOp, UnaryOp, Value};

impl Execution<'_> {
    /// The value of a scalar expression. Its definedness becomes a condition of the step.
    pub(super) fn value(&mut self, expr: Expr) -> Expr {
        let (value, defined) = self.translate(expr);
        self.pending.push(defined);
        value
    }

    /// The value of an expression and the condition that it is defined; for a memory, that all its writes are valid.
    pub(super) fn translate(&mut self, root: Expr) -> (Expr, Expr) {
        if let Some(&known) = self.translated.get(&root) {
            return known;
        }
        let always = self.pool.bool(true);
        match self.program.pool.node(root) {
            Node::Const(_) => return (root, always),
            Node::Var(var) if !matches!(self.program.var(var).sort, Sort::Memory(_)) => {
                return (self.variable(var), always);
            }
            _ => {}
        }
        let mut worklist = vec![(root, false)];
        while let Some((expr, ready)) = worklist.pop() {
            if self.translated.contains_key(&expr) {
                continue;
            }
            if ready {
                let result = self.translate_node(expr);
                self.translated.insert(expr, result);
                continue;
            }
            worklist.push((expr, true));
            let node = self.program.pool.node(expr);
            for child in self.program.pool.children(expr) {
                // Memory variables are read cell by cell.
                let is_table = matches!(node, Node::Read { memory, .. } if memory == child)
                    && matches!(self.program.pool.node(child), Node::Var(_));
                if !is_table {
                    worklist.push((child, false));
                }
            }
        }
        self.translated[&root]
    }

    /// Translates one node, whose children are translated.
    fn translate_node(&mut self, expr: Expr) -> (Expr, Expr) {
        let always = self.pool.bool(true);
        let child = |execution: &Self, child: Expr| execution.translated[&child];
        match self.program.pool.node(expr) {
            Node::Const(_) => (expr, always),
            Node::Var(var) if matches!(self.program.var(var).sort, Sort::Memory(_)) => (self.whole(var), always),
            Node::Var(var) => (self.variable(var), always),
            Node::Unary(op, a) => {
                let (a, defined) = child(self, a);
                (self.unary(expr, op, a), defined)
            }
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let ((a, first), (b, second)) = (child(self, a), child(self, b));
                // The second argument must be defined only if the first does not decide.
                let decided = if op == BinaryOp::And { self.pool.not(a) } else { a };
                let second = self.pool.or(decided, second);
                (self.pool.binary(op, a, b), self.pool.and(first, second))
            }
            Node::Binary(op, a, b) => {
                let ((a, first), (b, second)) = (child(self, a), child(self, b));
                let defined = self.pool.and(first, second);
                let possible = self.divides(op, a, b);
                (self.binary(expr, op, a, b), self.pool.and(defined, possible))
            }
            Node::Ternary(TernaryOp::Ite, c, a, b) => {
                let ((c, condition), (a, first), (b, second)) = (child(self, c), child(self, a), child(self, b));
                let chosen = self.pool.ite(c, first, second);
                (self.pool.ite(c, a, b), self.pool.and(condition, chosen))
            }
            Node::Ternary(op, a, b, c) => {
                let ((a, first), (b, second), (c, third)) = (child(self, a), child(self, b), child(self, c));
                let defined = self.pool.and(first, second);
                (self.pool.ternary(op, a, b, c), self.pool.and(defined, third))
            }
            Node::Read { memory, address, cells } => {
                let (address, defined) = child(self, address);
                self.translate_read(memory, address, cells, defined)
            }
            Node::Write { memory, address, value } => {
                let ((memory, below), (address, first)) = (child(self, memory), child(self, address));
                let (value, second) = child(self, value);
                let possible = self.may_touch(address, bytes(self.pool.sort(value)));
                let defined = [below, first, second, possible].into_iter().fold(always, |all, d| self.pool.and(all, d));
                (self.pool.write(memory, address, value), defined)
            }
        }
    }

    fn translate_read(&mut self, memory: Expr, address: Expr, cells: u16, defined: Expr) -> (Expr, Expr) {
        let Node::Var(var) = self.program.pool.node(memory) else {
            // The read may be served by a write in the same expression, whose address is not checked again.
            self.approximate("a read within an expression that writes");
            let (memory, _) = self.translated[&memory];
            return (self.read_at(memory, address, cells), defined);
        };
        let sort = self.memory_sort(var);
        let possible = self.may_touch(address, bytes(read_sort(sort, cells)));
        let value = match self.pool.as_const(address) {
            Some(at) => self.read_cells(var, at.raw() as u64, cells),
            None => self.search(var, address, cells),
        };
        (value, self.pool.and(defined, possible))
    }

    fn unary(&mut self, expr: Expr, op: UnaryOp, a: Expr) -> Expr {
        let value = self.pool.unary(op, a);
        match (op, self.pool.sort(a)) {
            (UnaryOp::FloatToSigned(width), Sort::Float(format)) => {
                let fits = self.fits(a, format, -Bound::power(width - 1), Bound::power(width - 1));
                self.or_anything(expr, fits, value)
            }
            (UnaryOp::FloatToUnsigned(width), Sort::Float(format)) => {
                let fits = self.fits(a, format, Bound::Zero, Bound::power(width));
                self.or_anything(expr, fits, value)
            }
            _ => value,
        }
    }

    fn binary(&mut self, expr: Expr, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        use BinaryOp::{ShiftLeft, ShiftRight, ShiftRightSigned};
        if self.tracks_cells
            && let Some(value) = self.narrowed(op, a, b)
        {
            return value;
        }
        let value = self.pool.binary(op, a, b);
        if !matches!(op, ShiftLeft | ShiftRight | ShiftRightSigned) {
            return value;
        }
        let width = self.pool.width(a);
        let last = self.pool.bits(width, u128::from(width) - 1);
        let fits = self.pool.binary(BinaryOp::UnsignedLessEq, b, last);
        self.or_anything(expr, fits, value)
    }

    /// `value` where it is defined, else a symbol that is the same for all occurrences of `expr` in the step.
    fn or_anything(&mut self, expr: Expr, has_value: Expr, value: Expr) -> Expr {
        if self.holds(has_value) {
            return value;
        }
        let symbol = Symbol::Undefined { step: self.steps, expr };
        let anything = self.symbols.expr(&mut self.pool, symbol, self.program.pool.sort(expr));
        self.pool.ite(has_value, value, anything)
    }

    /// The condition that a division is defined; true for other operators.
    fn divides(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        use BinaryOp::{SignedDiv, SignedRem, UnsignedDiv, UnsignedRem};
        if !matches!(op, UnsignedDiv | UnsignedRem | SignedDiv | SignedRem) {
            return self.pool.bool(true);
        }
        let width = self.pool.width(b);
        let zero = self.pool.bits(width, 0);
        let by_zero = self.pool.eq(b, zero);
        let nonzero = self.pool.not(by_zero);
        if matches!(op, UnsignedDiv | UnsignedRem) {
            return nonzero;
        }
        let (least, minus_one) = (self.pool.bits(width, 1 << (width - 1)), self.pool.bits(width, mask(width)));
        let (is_least, by_minus_one) = (self.pool.eq(a, least), self.pool.eq(b, minus_one));
        let overflows = self.pool.and(by_minus_one, is_least);
        let fits = self.pool.not(overflows);
        self.pool.and(nonzero, fits)
    }

    /// The condition that a float, truncated to an integer, is at least `low` and below `high`.
    fn fits(&mut self, a: Expr, format: FloatFormat, low: Bound, high: Bound) -> Expr {
        let whole = self.pool.unary(UnaryOp::FloatRound(Rounding::TowardZero), a);
        let (low, high) = (low.float(format), high.float(format));
        let infinite = crate::expr::eval::unary(UnaryOp::FloatIsInfinite, low) == Ok(Value::Bool(true));
        // A bound beyond the range of the format becomes infinite, and an infinity fits no integer type.
        let at_least = if infinite { BinaryOp::FloatLess } else { BinaryOp::FloatLessEq };
        let (low, high) = (self.pool.constant(low), self.pool.constant(high));
        let above = self.pool.binary(at_least, low, whole);
        let below = self.pool.binary(BinaryOp::FloatLess, whole, high);
        self.pool.and(above, below)
    }
}

/// A signed integer bound: zero or a power of two.
#[derive(Clone, Copy)]
enum Bound {
    Zero,
    Power { exponent: u16, negative: bool },
}

impl Bound {
    fn power(exponent: u16) -> Bound {
        Bound::Power { exponent, negative: false }
    }

    /// The bound as a float, infinite if out of range. Powers of two are exact otherwise.
    fn float(self, format: FloatFormat) -> Value {
        let compute = |op, value| crate::expr::eval::unary(op, value).expect("these operators are total");
        match self {
            Bound::Zero => Value::float(format, 0),
            Bound::Power { exponent, negative } => {
                // 2^128 does not fit a bit-vector of 128 bits: compute it as twice 2^127.
                let half = compute(UnaryOp::UnsignedToFloat(format), Value::bits(128, 1 << exponent.saturating_sub(1)));
                let whole = match exponent {
                    0 => half,
                    _ => crate::expr::eval::binary(BinaryOp::FloatAdd, half, half).expect("sums are total"),
                };
                if negative { compute(UnaryOp::FloatNeg, whole) } else { whole }
            }
        }
    }
}

impl std::ops::Neg for Bound {
    type Output = Bound;

    fn neg(self) -> Bound {
        match self {
            Bound::Zero => Bound::Zero,
            Bound::Power { exponent, negative } => Bound::Power { exponent, negative: !negative },
        }
    }
}

/// The size of a scalar sort in memory, in bytes.
pub(super) fn bytes(sort: Sort) -> u64 {
    match sort {
        Sort::Bool => 1,
        Sort::Bits(width) => Cell::Bits(width).bytes(),
        Sort::Float(format) => Cell::Float(format).bytes(),
        Sort::Memory(_) => unreachable!("a memory is no scalar"),
    }
}
