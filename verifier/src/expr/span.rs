//! Spans: cheap over-approximations of the values of bit-vectors, as intervals that wrap around and have a stride.
//!
//! A wrapped interval covers signed and unsigned ranges alike, and the stride tells which elements of an array an
//! address can denote. An operator without a value may have any, so its span is not restricted by that case.

use super::value::mask;
use super::{BinaryOp, Expr, Node, Pool, Sort, TernaryOp, UnaryOp};

/// The widest bit-vector that has a span.
const MAX_WIDTH: u16 = 64;

/// The values `start`, `start + stride`, … up to `start + length`, modulo the power of two of the width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    width: u16,
    start: u64,
    /// A multiple of the stride.
    length: u64,
    /// 0 for a single value.
    stride: u64,
}

impl Span {
    /// All values of a sort; `None` unless it is a bit-vector of at most 64 bits.
    pub fn full(sort: Sort) -> Option<Span> {
        match sort {
            Sort::Bits(width) if width <= MAX_WIDTH => Some(Span::interval(width, 0, cut(width))),
            _ => None,
        }
    }

    /// One value.
    pub fn single(width: u16, value: u64) -> Span {
        Span { width, start: value & cut(width), length: 0, stride: 0 }
    }

    /// The values from `low` to `high`, which may be less than `low`: then it wraps around.
    pub fn interval(width: u16, low: u64, high: u64) -> Span {
        Span::new(width, low.into(), high.wrapping_sub(low) & cut(width), 1)
    }

    fn new(width: u16, start: u128, length: impl Into<u128>, stride: u64) -> Span {
        let (mask, length) = (cut(width), length.into());
        let start = (start & u128::from(mask)) as u64;
        if length == 0 || stride == 0 {
            return Span { width, start, length: 0, stride: 0 };
        }
        if length <= mask.into() {
            return Span { width, start, length: length as u64, stride };
        }
        // It overlaps itself: only the remainder by a power of two is known.
        let step = 1 << stride.trailing_zeros();
        if step > mask {
            return Span::single(width, start);
        }
        Span { width, start: start & (step - 1), length: mask - (step - 1), stride: step }
    }

    /// How many values there are; less by one if there are 2^64.
    pub fn count(self) -> u64 {
        self.length.checked_div(self.stride).map_or(1, |steps| steps.saturating_add(1))
    }

    /// The only value, if there is just one.
    pub fn value(self) -> Option<u64> {
        (self.length == 0).then_some(self.start)
    }

    /// The first value.
    pub fn start(self) -> u64 {
        self.start
    }

    /// The distance of two neighbours; 0 for a single value.
    pub fn stride(self) -> u64 {
        self.stride
    }

    /// All values, from the first one on.
    pub fn values(self) -> impl Iterator<Item = u64> {
        (0..self.count()).map(move |n| self.start.wrapping_add(n.wrapping_mul(self.stride)) & cut(self.width))
    }

    /// Whether it has this value.
    pub fn contains(self, value: u64) -> bool {
        let distance = value.wrapping_sub(self.start) & cut(self.width);
        distance <= self.length && distance.checked_rem(self.stride).unwrap_or(distance) == 0
    }

    fn wraps(self) -> bool {
        u128::from(self.start) + u128::from(self.length) > cut(self.width).into()
    }

    /// The least and the greatest value as unsigned numbers.
    pub fn unsigned(self) -> (u64, u64) {
        if self.wraps() { (0, cut(self.width)) } else { (self.start, self.start + self.length) }
    }

    /// The least and the greatest value as signed numbers.
    pub fn signed(self) -> (i128, i128) {
        let (low, high) = self.shifted().unsigned();
        let half = 1i128 << (self.width - 1);
        (i128::from(low) - half, i128::from(high) - half)
    }

    /// The span with the sign bits of all values flipped, which maps signed to unsigned order.
    fn shifted(self) -> Span {
        Span { start: self.start ^ (1 << (self.width - 1)), ..self }
    }

    /// The same or more values, such that the interval does not wrap around.
    fn unwrapped(self) -> Span {
        if self.wraps() { Span::new(self.width, self.start.into(), 1u128 << 64, self.stride) } else { self }
    }

    /// The values from `low` to `high`, unsigned. If there are none, the code is dead and all values are kept.
    pub fn clip(self, low: u64, high: u64) -> Span {
        let span = self.unwrapped();
        let (first, last) = (low.max(span.start), high.min(span.start + span.length));
        if first > last || span.stride == 0 {
            return self;
        }
        let skipped = (first - span.start).div_ceil(span.stride) * span.stride;
        let Some(length) = (last - span.start).checked_sub(skipped) else { return self };
        let clipped = Span::new(
            span.width,
            u128::from(span.start) + u128::from(skipped),
            length / span.stride * span.stride,
            span.stride,
        );
        if clipped.count() < self.count() { clipped } else { self }
    }

    /// The same for signed numbers.
    pub fn clip_signed(self, low: i128, high: i128) -> Span {
        let half = 1i128 << (self.width - 1);
        let fit = |bound: i128| (bound + half).clamp(0, i128::from(cut(self.width))) as u64;
        if low > half - 1 || high < -half { self } else { self.shifted().clip(fit(low), fit(high)).shifted() }
    }

    /// The values of both, or some more.
    pub fn meet(self, other: Span) -> Span {
        let within = |a: Span, b: Span| {
            let (low, high) = b.signed();
            if b.wraps() { a.clip_signed(low, high) } else { a.clip(b.start, b.start + b.length) }
        };
        let (one, two) = (within(self, other), within(other, self));
        if one.count() <= two.count() { one } else { two }
    }

    /// The values of either, and maybe more.
    pub fn join(self, other: Span) -> Span {
        let cover = |a: Span, b: Span| {
            let distance = b.start.wrapping_sub(a.start) & cut(a.width);
            let length = u128::from(a.length).max(u128::from(distance) + u128::from(b.length));
            (a, length, gcd(gcd(a.stride, b.stride), distance))
        };
        let (one, two) = (cover(self, other), cover(other, self));
        let (first, length, stride) = if one.1 <= two.1 { one } else { two };
        Span::new(self.width, first.start.into(), length, stride)
    }

    fn add(self, other: Span) -> Span {
        let (start, length) =
            (u128::from(self.start) + u128::from(other.start), u128::from(self.length) + u128::from(other.length));
        Span::new(self.width, start, length, gcd(self.stride, other.stride))
    }

    fn negated(self) -> Span {
        Span { start: self.start.wrapping_add(self.length).wrapping_neg() & cut(self.width), ..self }
    }

    fn times(self, factor: u64) -> Span {
        let stride = (u128::from(self.stride) * u128::from(factor)) & u128::from(cut(self.width));
        let length = u128::from(self.length) * u128::from(factor);
        if stride == 0 && length > 0 {
            // All multiples of the stride vanish modulo the power of two.
            return Span::single(self.width, self.start.wrapping_mul(factor));
        }
        Span::new(self.width, u128::from(self.start.wrapping_mul(factor)), length, stride as u64)
    }

    fn shifted_right(self, distance: u32) -> Span {
        let span = self.unwrapped();
        let dropped = (1u64 << distance) - 1;
        if (span.start | span.stride) & dropped == 0 {
            let length = span.length >> distance;
            return Span::new(span.width, (span.start >> distance).into(), length, span.stride >> distance);
        }
        Span::interval(span.width, span.start >> distance, (span.start + span.length) >> distance)
    }

    /// The lowest `width` bits.
    fn truncated(self, width: u16) -> Span {
        let stride = u128::from(self.stride) & u128::from(cut(width));
        if stride == 0 {
            return Span::single(width, self.start);
        }
        // A stride beyond the width is only known modulo its power of two.
        let length = if self.stride > cut(width) { 1u128 << 64 } else { self.length.into() };
        Span::new(width, self.start.into(), length, stride as u64)
    }

    fn masked(self, ones: u64) -> Span {
        let high = self.unsigned().1;
        if ones & (ones.wrapping_add(1)) == 0 && high <= ones {
            return self;
        }
        if let Some(value) = self.value() {
            return Span::single(self.width, value & ones);
        }
        let step = 1u64 << ones.trailing_zeros().min(63);
        // Low bits that the stride leaves alone are those of the start.
        let kept = 1u64 << self.stride.trailing_zeros().min(63);
        let top = ones.min(high) / step * step;
        if kept > step {
            let first = self.start & ones & (kept - 1);
            let length = top.saturating_sub(first) / kept * kept;
            return Span::new(self.width, first.into(), length, kept);
        }
        Span::new(self.width, 0, top, step)
    }
}

/// All ones.
fn cut(width: u16) -> u64 {
    mask(width) as u64
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The span of `expr`, given those of its operands.
pub fn transfer(pool: &Pool, expr: Expr, mut of: impl FnMut(Expr) -> Option<Span>) -> Option<Span> {
    let all = Span::full(pool.sort(expr))?;
    let found = match pool.node(expr) {
        Node::Const(value) => Some(Span::single(all.width, value.raw() as u64)),
        Node::Unary(op, a) => unary(op, all, of(a)?),
        Node::Binary(op, a, b) => binary(op, all, of(a)?, of(b)?),
        Node::Ternary(TernaryOp::Ite, _, a, b) => Some(of(a)?.join(of(b)?)),
        _ => None,
    };
    Some(found.unwrap_or(all))
}

fn unary(op: UnaryOp, all: Span, a: Span) -> Option<Span> {
    let width = all.width;
    Some(match op {
        UnaryOp::Neg => a.negated(),
        UnaryOp::BitNot => a.negated().add(Span::single(width, u64::MAX)),
        UnaryOp::ZeroExtend(_) => Span { width, ..a.unwrapped() },
        UnaryOp::SignExtend(_) => {
            let span = a.shifted().unwrapped();
            let low = u128::from(span.start).wrapping_sub(1 << (a.width - 1));
            Span::new(width, low, span.length, span.stride)
        }
        UnaryOp::Extract { low, .. } => a.shifted_right(low.into()).truncated(width),
        UnaryOp::PopCount | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
            Span::interval(width, 0, u64::from(width).min(cut(width)))
        }
        _ => return None,
    })
}

fn binary(op: BinaryOp, all: Span, a: Span, b: Span) -> Option<Span> {
    let width = all.width;
    let ((a_low, a_high), (b_low, b_high)) = (a.unsigned(), b.unsigned());
    Some(match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.add(b.negated()),
        BinaryOp::Mul => match (a.value(), b.value()) {
            (_, Some(factor)) => a.times(factor),
            (Some(factor), _) => b.times(factor),
            _ => {
                let high = a_high.checked_mul(b_high).filter(|&high| high <= cut(width))?;
                Span::interval(width, a_low * b_low, high)
            }
        },
        BinaryOp::ShiftLeft => a.times(1u64.checked_shl(in_range(b, width)?)?),
        BinaryOp::ShiftRight => a.shifted_right(in_range(b, width)?),
        BinaryOp::UnsignedDiv if b_low > 0 => Span::interval(width, a_low / b_high, a_high / b_low),
        BinaryOp::SignedDiv if b_low > 0 && is_nonnegative(a) && is_nonnegative(b) => {
            Span::interval(width, a_low / b_high, a_high / b_low)
        }
        BinaryOp::UnsignedRem if b_low > 0 => remainder(width, a, b),
        BinaryOp::SignedRem if b_low > 0 && is_nonnegative(b) => match is_nonnegative(a) {
            true => remainder(width, a, b),
            false => Span::interval(width, (b_high - 1).wrapping_neg() & cut(width), b_high - 1),
        },
        BinaryOp::BitAnd => match (a.value(), b.value()) {
            (_, Some(ones)) => a.masked(ones),
            (Some(ones), _) => b.masked(ones),
            _ => Span::interval(width, 0, a_high.min(b_high)),
        },
        BinaryOp::BitOr => Span::interval(width, a_low.max(b_low), below_power(a_high | b_high)),
        BinaryOp::BitXor => Span::interval(width, 0, below_power(a_high | b_high)),
        BinaryOp::Concat => {
            let (high, low) = (a.unwrapped(), b.unwrapped());
            let high = Span { width, ..high }.times(1 << b.width);
            high.add(Span { width, ..low })
        }
        _ => return None,
    })
}

fn remainder(width: u16, a: Span, b: Span) -> Span {
    let ((_, a_high), (b_low, b_high)) = (a.unsigned(), b.unsigned());
    if a_high < b_low { a } else { Span::interval(width, 0, a_high.min(b_high - 1)) }
}

fn is_nonnegative(span: Span) -> bool {
    span.signed().0 >= 0
}

/// The distance of a shift, if it is known and less than the width.
fn in_range(distance: Span, width: u16) -> Option<u32> {
    distance.value().filter(|&distance| distance < width.into()).map(|distance| distance as u32)
}

/// The greatest number with as many bits.
fn below_power(number: u64) -> u64 {
    u64::MAX.checked_shr(number.leading_zeros()).unwrap_or(0)
}

/// What a condition, or its negation, says about the operands of comparisons in it. `of` gives what is known already.
pub fn learn(pool: &Pool, condition: Expr, holds: bool, mut of: impl FnMut(Expr) -> Option<Span>) -> Vec<(Expr, Span)> {
    let (mut learned, mut worklist) = (Vec::new(), vec![(condition, holds)]);
    while let Some((condition, holds)) = worklist.pop() {
        match (pool.node(condition), holds) {
            (Node::Unary(UnaryOp::Not, a), _) => worklist.push((a, !holds)),
            (Node::Binary(BinaryOp::And, a, b), true) | (Node::Binary(BinaryOp::Or, a, b), false) => {
                worklist.extend([(a, holds), (b, holds)]);
            }
            (Node::Binary(op, a, b), _) => {
                let (Some(x), Some(y)) = (of(a), of(b)) else { continue };
                if let Some((x, y)) = compared(op, holds, x, y) {
                    note(pool, a, x, &mut learned);
                    note(pool, b, y, &mut learned);
                }
            }
            _ => {}
        }
    }
    learned
}

/// The spans of two operands after a comparison.
fn compared(op: BinaryOp, holds: bool, x: Span, y: Span) -> Option<(Span, Span)> {
    use BinaryOp::{Eq, SignedLess, SignedLessEq, UnsignedLess, UnsignedLessEq};
    let (op, swapped) = match (op, holds) {
        (UnsignedLess, false) => (UnsignedLessEq, true),
        (UnsignedLessEq, false) => (UnsignedLess, true),
        (SignedLess, false) => (SignedLessEq, true),
        (SignedLessEq, false) => (SignedLess, true),
        _ => (op, false),
    };
    let (x, y) = if swapped { (y, x) } else { (x, y) };
    let strict = matches!(op, UnsignedLess | SignedLess);
    let (x, y) = match op {
        UnsignedLess | UnsignedLessEq => {
            let (low, high) = (x.unsigned().0.checked_add(strict.into())?, y.unsigned().1.checked_sub(strict.into())?);
            (x.clip(0, high), y.clip(low, u64::MAX))
        }
        SignedLess | SignedLessEq => {
            let (low, high) = (x.signed().0 + i128::from(strict), y.signed().1 - i128::from(strict));
            (x.clip_signed(i128::MIN >> 1, high), y.clip_signed(low, i128::MAX >> 1))
        }
        Eq if holds => (x.meet(y), y.meet(x)),
        Eq => (without(x, y), without(y, x)),
        _ => return None,
    };
    Some(if swapped { (y, x) } else { (x, y) })
}

/// `x` without a single value at one of its ends.
fn without(x: Span, y: Span) -> Span {
    let Some(value) = y.value() else { return x };
    if x.length == 0 {
        x
    } else if value == x.start {
        Span::new(x.width, u128::from(x.start) + u128::from(x.stride), x.length - x.stride, x.stride)
    } else if value == x.start.wrapping_add(x.length) & cut(x.width) {
        Span::new(x.width, x.start.into(), x.length - x.stride, x.stride)
    } else {
        x
    }
}

/// Notes a span of an expression, and of what it is computed from in an invertible way.
fn note(pool: &Pool, mut expr: Expr, mut span: Span, learned: &mut Vec<(Expr, Span)>) {
    loop {
        match pool.node(expr) {
            Node::Const(_) => return,
            Node::Binary(BinaryOp::Add, x, k) => {
                learned.push((expr, span));
                let Some(k) = pool.as_const(k) else { return };
                (expr, span) = (x, span.add(Span::single(span.width, (k.raw() as u64).wrapping_neg())));
            }
            Node::Unary(UnaryOp::ZeroExtend(_), x) => {
                learned.push((expr, span));
                let Some(all) = Span::full(pool.sort(x)) else { return };
                let (low, high) = span.unsigned();
                (expr, span) = (x, all.clip(low, high));
            }
            Node::Unary(UnaryOp::SignExtend(_), x) => {
                learned.push((expr, span));
                let Some(all) = Span::full(pool.sort(x)) else { return };
                let (low, high) = span.signed();
                (expr, span) = (x, all.clip_signed(low, high));
            }
            _ => return learned.push((expr, span)),
        }
    }
}

/// The value of a comparison, or whether an operation overflows, if the spans of the operands decide it.
pub fn decide(op: BinaryOp, x: Span, y: Span) -> Option<bool> {
    use BinaryOp::*;
    let ((a, b), (c, d)) = (x.unsigned(), y.unsigned());
    let ((e, f), (g, h)) = (x.signed(), y.signed());
    let decided = |always: bool, never: bool| if always { Some(true) } else { never.then_some(false) };
    let (half, mask) = (1i128 << (x.width - 1), i128::from(cut(x.width)));
    let fits = |low: i128, high: i128| (-half <= low && high < half).then_some(false);
    let [a2, b2, c2, d2] = [a, b, c, d].map(i128::from);
    match op {
        UnsignedLess => decided(b < c, a >= d),
        UnsignedLessEq => decided(b <= c, a > d),
        SignedLess => decided(f < g, e >= h),
        SignedLessEq => decided(f <= g, e > h),
        Eq => {
            let same = x.value().is_some() && x.value() == y.value();
            let apart = x.value().is_some_and(|value| !y.contains(value))
                || y.value().is_some_and(|value| !x.contains(value))
                || b < c
                || d < a
                || f < g
                || h < e;
            decided(same, apart)
        }
        SignedAddOverflows => fits(e + g, f + h),
        SignedSubOverflows => fits(e - h, f - g),
        SignedMulOverflows => {
            let products = [e * g, e * h, f * g, f * h];
            fits(products.into_iter().min()?, products.into_iter().max()?)
        }
        UnsignedAddOverflows => decided(a2 + c2 > mask, b2 + d2 <= mask),
        UnsignedSubOverflows => decided(b < c, a >= d),
        UnsignedMulOverflows => b2.checked_mul(d2).filter(|&product| product <= mask).map(|_| false),
        _ => None,
    }
}
