//! Random expressions over the variables that a function can use.

use clew_verifier::expr::{BinaryOp, Cell, Expr, FloatFormat, Rounding, Sort, TernaryOp, UnaryOp, Var};

use super::world::{Frame, HALF, Maker};

const ARITHMETIC: [BinaryOp; 12] = {
    use BinaryOp::*;
    [Add, Add, Sub, Mul, BitAnd, BitOr, BitXor, Add, UnsignedDiv, SignedDiv, UnsignedRem, SignedRem]
};
const SHIFTS: [BinaryOp; 3] = [BinaryOp::ShiftLeft, BinaryOp::ShiftRight, BinaryOp::ShiftRightSigned];
const COMPARISONS: [BinaryOp; 14] = {
    use BinaryOp::*;
    [
        Eq,
        Eq,
        Eq,
        Eq,
        UnsignedLess,
        UnsignedLessEq,
        SignedLess,
        SignedLessEq,
        SignedAddOverflows,
        SignedSubOverflows,
        SignedMulOverflows,
        UnsignedAddOverflows,
        UnsignedSubOverflows,
        UnsignedMulOverflows,
    ]
};

impl Maker {
    /// The scalars of `sort` that the function can use.
    pub fn scalars(&self, frame: &Frame, sort: Sort) -> Vec<Var> {
        frame.scalars.iter().copied().filter(|&var| self.b.var(var).sort == sort).collect()
    }

    /// A random expression of a scalar sort, with at most `depth` nested operators.
    pub fn expr(&mut self, frame: &Frame, sort: Sort, depth: u32) -> Expr {
        if depth == 0 || self.random.one_in(4) {
            return self.leaf(frame, sort);
        }
        if self.random.one_in(12) {
            let condition = self.expr(frame, Sort::Bool, depth - 1);
            let (then, otherwise) = (self.expr(frame, sort, depth - 1), self.expr(frame, sort, depth - 1));
            return self.b.pool.ite(condition, then, otherwise);
        }
        match sort {
            Sort::Bool => self.condition(frame, depth),
            Sort::Bits(width) => self.bits(frame, width, depth),
            Sort::Float(_) => self.half(frame, depth),
            Sort::Memory(_) => unreachable!("memories are built elsewhere"),
        }
    }

    /// A condition that is not constant if possible.
    pub fn condition(&mut self, frame: &Frame, depth: u32) -> Expr {
        let depth = depth.saturating_sub(1);
        match self.random.below(12) {
            0 => {
                let a = self.expr(frame, Sort::Bool, depth);
                self.b.pool.not(a)
            }
            1 | 2 => {
                let op = self.random.pick(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Eq]);
                let (a, b) = (self.expr(frame, Sort::Bool, depth), self.expr(frame, Sort::Bool, depth));
                self.b.pool.binary(op, a, b)
            }
            3 if self.flavour.floats => self.float_condition(frame, depth),
            4 => self.leaf(frame, Sort::Bool),
            _ => {
                let sort = self.width_in_sight(frame);
                let op = self.random.pick(&COMPARISONS);
                let a = self.expr(frame, sort, depth);
                let b = if self.random.coin() { self.constant(sort) } else { self.expr(frame, sort, depth) };
                self.b.pool.binary(op, a, b)
            }
        }
    }

    /// A condition whose evaluation cannot crash.
    pub fn safe_condition(&mut self, frame: &Frame, depth: u32) -> Expr {
        loop {
            let condition = self.condition(frame, depth);
            if !self.b.pool.may_trap(condition) {
                return condition;
            }
        }
    }

    pub fn constant(&mut self, sort: Sort) -> Expr {
        let value = self.value(sort);
        self.b.pool.constant(value)
    }

    fn leaf(&mut self, frame: &Frame, sort: Sort) -> Expr {
        let vars = self.scalars(frame, sort);
        if vars.is_empty() || self.random.one_in(3) {
            return self.constant(sort);
        }
        let var = self.random.pick(&vars);
        self.b.read(var)
    }

    /// The sort of a bit-vector variable in scope, or a random one.
    fn width_in_sight(&mut self, frame: &Frame) -> Sort {
        let sorts: Vec<Sort> = frame.scalars.iter().map(|&v| self.b.var(v).sort).collect();
        let bits: Vec<Sort> = sorts.into_iter().filter(|s| matches!(s, Sort::Bits(_))).collect();
        if bits.is_empty() { Sort::Bits(self.width()) } else { self.random.pick(&bits) }
    }

    fn bits(&mut self, frame: &Frame, width: u16, depth: u32) -> Expr {
        let (sort, depth) = (Sort::Bits(width), depth - 1);
        match self.random.below(20) {
            0..=7 => {
                let op = self.random.pick(&ARITHMETIC);
                let (a, b) = (self.expr(frame, sort, depth), self.expr(frame, sort, depth));
                self.b.pool.binary(op, a, b)
            }
            8 if width <= 4 => {
                let op = self.random.pick(&SHIFTS);
                let (a, b) = (self.expr(frame, sort, depth), self.expr(frame, sort, depth));
                self.b.pool.binary(op, a, b)
            }
            8 => {
                // Oversized shifts yield arbitrary values, which wide operands must avoid.
                let distance = self.random.below(usize::from(width));
                let (op, a) = (self.random.pick(&SHIFTS), self.expr(frame, sort, depth));
                let distance = self.b.pool.bits(width, distance as u128);
                self.b.pool.binary(op, a, distance)
            }
            9 | 10 => {
                use UnaryOp::*;
                let mut ops = vec![BitNot, Neg, PopCount, LeadingZeros, TrailingZeros, BitReverse];
                if width.is_multiple_of(16) {
                    ops.push(ByteSwap);
                }
                let (op, a) = (self.random.pick(&ops), self.expr(frame, sort, depth));
                self.b.pool.unary(op, a)
            }
            11 | 12 => {
                let a = self.expr(frame, Sort::Bool, depth);
                self.b.pool.bool_to_bits(a, width)
            }
            13 if width > 1 => {
                let low = self.random.between(1, usize::from(width) - 1) as u16;
                let (a, b) = (self.resized(frame, width - low, depth), self.resized(frame, low, depth));
                self.b.pool.binary(BinaryOp::Concat, a, b)
            }
            14 if self.flavour.floats && width <= 5 => {
                let op = self.random.pick(&[UnaryOp::FloatToSigned(width), UnaryOp::FloatToUnsigned(width)]);
                let a = self.expr(frame, HALF, depth);
                self.b.pool.unary(op, a)
            }
            15..=17 => match self.read(frame, width) {
                Some(read) => read,
                None => self.resized(frame, width, depth),
            },
            _ => self.resized(frame, width, depth),
        }
    }

    /// A bit-vector of another width, resized to this one.
    fn resized(&mut self, frame: &Frame, width: u16, depth: u32) -> Expr {
        let from = self.width_in_sight(frame);
        let a = self.expr(frame, from, depth);
        match self.b.pool.width(a) {
            w if w > width => {
                let low = self.random.below(usize::from(w - width) + 1) as u16;
                self.b.pool.extract(a, low, width)
            }
            _ if self.random.coin() => self.b.pool.sign_extend(a, width),
            _ => self.b.pool.zero_extend(a, width),
        }
    }

    /// The contents of some memory, as `width` bits.
    fn read(&mut self, frame: &Frame, width: u16) -> Option<Expr> {
        let memories: Vec<_> = frame.memories.iter().filter(|m| matches!(m.cell, Cell::Bits(_))).cloned().collect();
        if memories.is_empty() {
            return None;
        }
        let memory = self.random.pick(&memories);
        let several = memory.solid && memory.cell == Cell::Bits(8) && memory.cells >= 2 && self.random.one_in(4);
        let cells = if several { 2 } else { 1 };
        let address = self.address(frame, &memory, cells);
        let contents = self.contents(frame, &memory);
        let read = self.b.pool.read(contents, address, cells as u16);
        let low = if self.random.one_in(4) { self.random.below(8) as u16 } else { 0 };
        Some(match self.b.pool.width(read) {
            w if w >= width + low => self.b.pool.extract(read, low, width),
            w if w >= width => self.b.pool.extract(read, 0, width),
            _ => self.b.pool.sign_extend(read, width),
        })
    }

    fn float_condition(&mut self, frame: &Frame, depth: u32) -> Expr {
        use BinaryOp::*;
        use UnaryOp::*;
        let a = self.expr(frame, HALF, depth);
        if self.random.one_in(4) {
            let op = self.random.pick(&[FloatIsNan, FloatIsInfinite, FloatSignBit, FloatIsSubnormal]);
            return self.b.pool.unary(op, a);
        }
        let op = self.random.pick(&[FloatEq, FloatLess, FloatLessEq, FloatLess, Eq]);
        let b = self.expr(frame, HALF, depth);
        self.b.pool.binary(op, a, b)
    }

    fn half(&mut self, frame: &Frame, depth: u32) -> Expr {
        use BinaryOp::*;
        use UnaryOp::*;
        let depth = depth - 1;
        match self.random.below(10) {
            0..=3 => {
                let op = self.random.pick(&[FloatAdd, FloatSub, FloatMul, FloatDiv, FloatRem, FloatMin, FloatMax]);
                let (a, b) = (self.expr(frame, HALF, depth), self.expr(frame, HALF, depth));
                self.b.pool.binary(op, a, b)
            }
            4 | 5 => {
                let op = self.random.pick(&[SignedToFloat(FloatFormat::Half), UnsignedToFloat(FloatFormat::Half)]);
                let sort = self.width_in_sight(frame);
                let a = self.expr(frame, sort, depth);
                self.b.pool.unary(op, a)
            }
            6 => {
                let rounding = [Rounding::NearestEven, Rounding::NearestAway, Rounding::TowardZero, Rounding::Up];
                let rounding = FloatRound(self.random.pick(&rounding));
                let op = self.random.pick(&[FloatNeg, FloatAbs, FloatSqrt, rounding]);
                let a = self.expr(frame, HALF, depth);
                self.b.pool.unary(op, a)
            }
            7 => {
                let a = self.expr(frame, HALF, depth);
                let wide = self.b.pool.unary(FloatToFloat(FloatFormat::Single), a);
                let product = self.b.pool.binary(FloatMul, wide, wide);
                self.b.pool.unary(FloatToFloat(FloatFormat::Half), product)
            }
            8 => {
                let (a, b, c) =
                    (self.expr(frame, HALF, depth), self.expr(frame, HALF, depth), self.expr(frame, HALF, depth));
                self.b.pool.ternary(TernaryOp::FloatFma, a, b, c)
            }
            _ => {
                let memories: Vec<_> = frame.memories.iter().filter(|m| m.cell.sort() == HALF).cloned().collect();
                if memories.is_empty() {
                    return self.leaf(frame, HALF);
                }
                let memory = self.random.pick(&memories);
                let address = self.address(frame, &memory, 1);
                let contents = self.b.read(memory.var);
                self.b.pool.read(contents, address, 1)
            }
        }
    }
}
