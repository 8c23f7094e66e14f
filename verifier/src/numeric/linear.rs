//! Linear forms over mathematical integers, with a range of constants.

use smallvec::SmallVec;

use super::MAX_BOUND;
use crate::expr::Var;

/// The largest absolute value of a factor.
const MAX_FACTOR: i128 = 1 << 20;
/// The largest number of variables in a form.
const MAX_PARTS: usize = 8;

/// The numbers from `low` to `high`; `None` for no bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    /// The smallest number.
    pub low: Option<i128>,
    /// The largest number.
    pub high: Option<i128>,
}

impl Range {
    /// All numbers.
    pub const ALL: Range = Range { low: None, high: None };

    /// The numbers from `low` to `high`.
    pub fn of(low: i128, high: i128) -> Range {
        Range { low: Some(low), high: Some(high) }
    }

    /// Both bounds.
    pub fn both(self) -> Option<(i128, i128)> {
        self.low.zip(self.high)
    }

    /// All sums of a number of each.
    pub fn plus(self, other: Range) -> Range {
        let add = |a: Option<i128>, b: Option<i128>| finite(a?.checked_add(b?)?);
        Range { low: add(self.low, other.low), high: add(self.high, other.high) }
    }

    /// All multiples by `factor`.
    pub fn times(self, factor: i128) -> Range {
        let scale = |a: Option<i128>| finite(a?.checked_mul(factor)?);
        let (low, high) = (scale(self.low), scale(self.high));
        match factor {
            0 => Range::of(0, 0),
            1.. => Range { low, high },
            _ => Range { low: high, high: low },
        }
    }

    /// The numbers in both.
    pub fn meet(self, other: Range) -> Range {
        let pick = |a: Option<i128>, b: Option<i128>, better: fn(i128, i128) -> i128| match (a, b) {
            (Some(a), Some(b)) => Some(better(a, b)),
            (a, b) => a.or(b),
        };
        Range { low: pick(self.low, other.low, i128::max), high: pick(self.high, other.high, i128::min) }
    }

    /// Whether there is no number.
    pub fn is_empty(self) -> bool {
        self.both().is_some_and(|(low, high)| low > high)
    }

    /// Whether all numbers of `other` are in it.
    pub fn includes(self, other: Range) -> bool {
        self.low.is_none_or(|low| other.low.is_some_and(|other| low <= other))
            && self.high.is_none_or(|high| other.high.is_some_and(|other| other <= high))
    }
}

fn finite(bound: i128) -> Option<i128> {
    (-MAX_BOUND..=MAX_BOUND).contains(&bound).then_some(bound)
}

/// `Σ factor · variable + constant`, where the constant is any number of a range.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Linear {
    /// Variables with their factors, ordered by variable; no factor is zero.
    pub parts: SmallVec<[(Var, i128); 4]>,
    /// The smallest constant.
    pub low: i128,
    /// The largest constant.
    pub high: i128,
}

impl Linear {
    /// A constant.
    pub fn constant(constant: i128) -> Linear {
        Linear::range(constant, constant)
    }

    /// Any number from `low` to `high`.
    pub fn range(low: i128, high: i128) -> Linear {
        Linear { parts: SmallVec::new(), low, high }
    }

    /// A variable.
    pub fn var(var: Var) -> Linear {
        Linear { parts: SmallVec::from_slice(&[(var, 1)]), low: 0, high: 0 }
    }

    /// The constant, as a range.
    pub fn constants(&self) -> Range {
        Range::of(self.low, self.high)
    }

    /// The sum.
    pub fn plus(&self, other: &Linear) -> Linear {
        let mut sum = self.clone();
        sum.low += other.low;
        sum.high += other.high;
        for &(var, factor) in &other.parts {
            match sum.parts.binary_search_by_key(&var, |&(var, _)| var) {
                Ok(at) => sum.parts[at].1 += factor,
                Err(at) => sum.parts.insert(at, (var, factor)),
            }
        }
        sum.parts.retain(|(_, factor)| *factor != 0);
        sum
    }

    /// The difference.
    pub fn minus(&self, other: &Linear) -> Linear {
        self.plus(&other.negated())
    }

    /// The form with a constant added.
    pub fn offset(&self, constant: i128) -> Linear {
        Linear { low: self.low + constant, high: self.high + constant, ..self.clone() }
    }

    /// The form times -1.
    pub fn negated(&self) -> Linear {
        let parts = self.parts.iter().map(|&(var, factor)| (var, -factor)).collect();
        Linear { parts, low: -self.high, high: -self.low }
    }

    /// The form times `factor`; `None` if it has large numbers then.
    pub fn times(&self, factor: i128) -> Option<Linear> {
        let limit = MAX_BOUND / MAX_FACTOR;
        if factor == 0 {
            return Some(Linear::constant(0));
        }
        let is_small = factor.abs() < limit && self.low.abs().max(self.high.abs()) < limit;
        is_small.then_some(())?;
        let constants = self.constants().times(factor);
        let parts = self.parts.iter().map(|&(var, one)| (var, one.saturating_mul(factor))).collect();
        let scaled = Linear { parts, low: constants.low?, high: constants.high? };
        scaled.is_small().then_some(scaled)
    }

    /// Whether its numbers are so small, and its variables so few, that sums of some such forms have bounds.
    pub fn is_small(&self) -> bool {
        let limit = MAX_BOUND / MAX_FACTOR;
        self.parts.len() <= MAX_PARTS
            && self.parts.iter().all(|(_, factor)| factor.abs() <= MAX_FACTOR)
            && self.low.abs().max(self.high.abs()) < limit
    }

    /// The form without the variables at some positions.
    pub fn without(&self, positions: &[usize]) -> Linear {
        let kept = self.parts.iter().enumerate().filter(|(at, _)| !positions.contains(at));
        Linear { parts: kept.map(|(_, &part)| part).collect(), ..*self }
    }

    /// The value for an assignment, with the smallest constant.
    pub fn evaluate(&self, value: impl Fn(Var) -> i128) -> i128 {
        self.parts.iter().map(|&(var, factor)| factor * value(var)).sum::<i128>() + self.low
    }
}
