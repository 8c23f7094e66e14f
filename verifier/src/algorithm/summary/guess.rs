//! Guesses: clauses that hold in all samples. Each is of a simple form: a guard implies an equation, a bound, or that a
//! number divides another. Most of them are wrong; the prover keeps those that it can prove.

use super::contract::Sample;
use super::interface::Interface;
use crate::algorithm::guess::fit::fit;
use crate::expr::{BinaryOp, Expr, Pool, Sort, Value};

/// Larger numbers are not used for fits: products of them would wrap around.
const MAX_FITTED: i128 = 1 << 14;

/// The number of program constants that are tried on each side as a bound.
const NEAREST: usize = 3;

/// A slot with at most so many values is distinguished by them.
const FEW_VALUES: usize = 5;

/// The maximum absolute difference of slots that a bound on it may have.
const MAX_DIFFERENCE: i128 = 1 << 10;

/// Which clauses are guessed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Linear equations and bounds.
    Linear,
    /// Also products, powers of two, parities and divisibility.
    Nonlinear,
}

/// Guesses clauses from samples of one function.
pub struct Guess<'a> {
    /// The pool of the contracts.
    pub pool: &'a mut Pool,
    /// The interface of the function.
    pub interface: &'a Interface,
    /// The constants of the program, sorted.
    pub constants: &'a [i128],
    /// The clauses so far.
    pub found: Vec<Expr>,
    /// The maximum number of clauses.
    pub limit: usize,
}

impl Guess<'_> {
    /// Guesses what holds at the entry.
    pub fn requires(&mut self, samples: &[Sample], guards: &[Expr]) {
        let samples: Vec<&Sample> = samples.iter().collect();
        if samples.is_empty() {
            return;
        }
        let always = self.pool.bool(true);
        let entries = self.interface.entries();
        for slot in 0..entries {
            self.equation(&samples, always, slot, &(0..slot).collect::<Vec<_>>(), Level::Linear);
            self.bounds(&samples, always, slot);
        }
        for &guard in guards {
            if samples.iter().all(|sample| self.holds(sample, guard)) {
                self.add(always, guard);
            }
        }
        for slot in 0..entries {
            for other in slot + 1..entries {
                self.differences(&samples, always, slot, other);
            }
        }
    }

    /// Guesses what holds at the exit.
    pub fn ensures(&mut self, samples: &[Sample], guards: &[Expr], level: Level) {
        let (entries, all) = (self.interface.entries(), self.interface.slots.len());
        let inputs: Vec<usize> = (0..entries).collect();
        let always = self.pool.bool(true);
        if samples.is_empty() {
            // It may be that the function never returns.
            let never = self.pool.bool(false);
            self.found.push(never);
        }
        let mut cases = vec![always];
        cases.extend_from_slice(guards);
        let values: Vec<Expr> = inputs.iter().flat_map(|&slot| self.values(samples, slot)).collect();
        let results: Vec<Expr> = (entries..all).flat_map(|slot| self.values(samples, slot)).collect();
        let mut open = Vec::new();
        for &case in cases.iter().chain(&values) {
            let here = self.within(samples, case);
            for slot in entries..all {
                if !here.is_empty() && !self.equation(&here, case, slot, &inputs, level) {
                    open.push((case, slot));
                }
            }
        }
        for &(case, slot) in open.iter().filter(|(case, _)| cases.contains(case)) {
            let here = self.within(samples, case);
            self.bounds(&here, case, slot);
            inputs.iter().for_each(|&input| self.differences(&here, case, input, slot));
        }
        // Functions that do not return for all arguments tell something about those for which they do.
        for &case in [always].iter().chain(&results) {
            let here = self.within(samples, case);
            for &slot in &inputs {
                self.equation(&here, case, slot, &(0..slot).collect::<Vec<_>>(), Level::Linear);
                self.bounds(&here, case, slot);
            }
        }
        if level == Level::Nonlinear {
            for &case in [always].iter().chain(&results) {
                let here = self.within(samples, case);
                for number in 0..all {
                    (0..all).filter(|divisor| *divisor != number).for_each(|divisor| {
                        self.divides(&here, case, number, divisor);
                    });
                }
            }
        }
    }

    /// Adds the clause that `guard` implies `clause`.
    fn add(&mut self, guard: Expr, clause: Expr) {
        let not = self.pool.not(guard);
        let clause = self.pool.or(not, clause);
        if self.found.len() < self.limit && !self.found.contains(&clause) && self.pool.as_const(clause).is_none() {
            self.found.push(clause);
        }
    }

    fn holds(&self, sample: &Sample, clause: Expr) -> bool {
        sample.satisfies(self.interface, self.pool, clause) == Some(true)
    }

    fn within<'s>(&self, samples: &'s [Sample], guard: Expr) -> Vec<&'s Sample> {
        samples.iter().filter(|sample| self.holds(sample, guard)).collect()
    }

    fn slot(&mut self, slot: usize) -> Expr {
        let slot = self.interface.slots[slot];
        self.pool.var(slot.var, Sort::Bits(slot.width))
    }

    fn number(&mut self, slot: usize, number: i128) -> Expr {
        self.pool.bits(self.interface.slots[slot].width, number as u128)
    }

    fn fits(&self, slot: usize, number: i128) -> bool {
        let width = self.interface.slots[slot].width;
        (-(1 << (width - 1))..1 << (width - 1)).contains(&number)
    }

    /// The conditions that a slot has each of its values, if these are few.
    fn values(&mut self, samples: &[Sample], slot: usize) -> Vec<Expr> {
        let mut values: Vec<i128> = samples.iter().filter_map(|s| s.signed(self.interface, slot)).collect();
        values.sort_unstable();
        values.dedup();
        if values.len() > FEW_VALUES {
            return Vec::new();
        }
        let slot_value = self.slot(slot);
        let equals = |guess: &mut Self, number| {
            let number = guess.number(slot, number);
            guess.pool.eq(slot_value, number)
        };
        values.into_iter().map(|number| equals(self, number)).collect()
    }

    /// Guesses bounds of a slot: the tightest ones, and constants of the program.
    fn bounds(&mut self, samples: &[&Sample], guard: Expr, slot: usize) {
        let values: Vec<i128> = samples.iter().filter_map(|s| s.signed(self.interface, slot)).collect();
        let (Some(&least), Some(&greatest)) = (values.iter().min(), values.iter().max()) else { return };
        let near = |constant: &i128| [constant - 1, *constant, constant + 1];
        let mut constants: Vec<i128> = self.constants.iter().flat_map(near).collect();
        constants.sort_unstable();
        constants.dedup();
        let below = constants.iter().rev().copied().filter(|c| *c < least).take(NEAREST);
        let above = constants.iter().copied().filter(|c| *c > greatest).take(NEAREST);
        let lower: Vec<i128> = [least].into_iter().chain(below).collect();
        // Inputs are small in samples, so that large constants of the program are worth a try.
        let last = constants.iter().rev().copied().filter(|c| *c > greatest).take(2 * NEAREST);
        let upper: Vec<i128> = [greatest].into_iter().chain(above).chain(last).collect();
        let value = self.slot(slot);
        for (numbers, is_lower) in [(lower, true), (upper, false)] {
            for number in numbers {
                if self.fits(slot, number) {
                    let number = self.number(slot, number);
                    let (a, b) = if is_lower { (number, value) } else { (value, number) };
                    let bound = self.pool.binary(BinaryOp::SignedLessEq, a, b);
                    self.add(guard, bound);
                }
            }
        }
    }

    /// Guesses bounds of the difference of two slots.
    fn differences(&mut self, samples: &[&Sample], guard: Expr, a: usize, b: usize) {
        let [first, second] = [a, b].map(|slot| self.interface.slots[slot].width);
        let difference = |s: &&&Sample| Some(s.signed(self.interface, b)? - s.signed(self.interface, a)?);
        let differences: Vec<i128> = samples.iter().filter_map(|s| difference(&s)).collect();
        let (Some(&least), Some(&greatest)) = (differences.iter().min(), differences.iter().max()) else { return };
        if first != second || differences.len() < 2 {
            return;
        }
        let (x, y) = (self.slot(a), self.slot(b));
        for (difference, is_lower) in [(least, true), (greatest, false)] {
            if difference.abs() <= MAX_DIFFERENCE {
                let difference = self.number(a, difference);
                let moved = self.pool.add(x, difference);
                let (low, high) = if is_lower { (moved, y) } else { (y, moved) };
                let bound = self.pool.binary(BinaryOp::SignedLessEq, low, high);
                self.add(guard, bound);
            }
        }
    }

    /// Guesses that a slot is a combination of others. Whether there is one.
    fn equation(&mut self, samples: &[&Sample], guard: Expr, slot: usize, inputs: &[usize], level: Level) -> bool {
        let width = self.interface.slots[slot].width;
        let inputs: Vec<usize> =
            inputs.iter().copied().filter(|&input| self.interface.slots[input].width == width).collect();
        let mut linear = vec![self.pool.bits(width, 1)];
        linear.extend(inputs.iter().map(|&input| self.slot(input)));
        if self.combination(samples, guard, slot, &linear) {
            return true;
        }
        if level == Level::Linear {
            return false;
        }
        let mut products = linear.clone();
        for (i, &a) in inputs.iter().enumerate() {
            for &b in &inputs[i..] {
                let (a, b) = (self.slot(a), self.slot(b));
                products.push(self.pool.binary(BinaryOp::Mul, a, b));
            }
        }
        if self.combination(samples, guard, slot, &products) {
            return true;
        }
        let mut found = false;
        for &input in &inputs {
            let value = self.slot(input);
            let (one, end) = (self.pool.bits(width, 1), self.pool.bits(width, width.into()));
            let parity = self.pool.binary(BinaryOp::BitAnd, value, one);
            let mut parities = linear.clone();
            parities.push(parity);
            found |= self.combination(samples, guard, slot, &parities);
            let power = self.pool.binary(BinaryOp::ShiftLeft, one, value);
            let is_defined = self.pool.binary(BinaryOp::UnsignedLess, value, end);
            let guard = self.pool.and(guard, is_defined);
            let mut powers = linear.clone();
            powers.push(power);
            found |= self.combination(samples, guard, slot, &powers);
        }
        found
    }

    /// Guesses that a slot is a combination of features, if there are enough samples to tell.
    fn combination(&mut self, samples: &[&Sample], guard: Expr, slot: usize, features: &[Expr]) -> bool {
        let mut rows = Vec::new();
        for sample in samples {
            let values = features.iter().map(|&feature| sample.number(self.interface, self.pool, feature));
            let row = values.chain([sample.signed(self.interface, slot)]).collect::<Option<Vec<i128>>>();
            rows.extend(row.filter(|row| row[..features.len()].iter().all(|x| x.abs() <= MAX_FITTED)));
        }
        rows.sort_unstable();
        rows.dedup();
        let Some(found) = fit(&rows) else { return false };
        // One value of few, such as `n == 3`, may be all there is to see.
        if found.rank > 1 && rows.len() <= found.rank {
            return false;
        }
        let width = self.interface.slots[slot].width;
        let mut sum = self.pool.bits(width, 0);
        for (&feature, &coefficient) in features.iter().zip(&found.coefficients) {
            let coefficient = self.pool.bits(width, coefficient as u128);
            let product = self.pool.binary(BinaryOp::Mul, feature, coefficient);
            sum = self.pool.add(sum, product);
        }
        let (value, denominator) = (self.slot(slot), self.pool.bits(width, found.denominator as u128));
        let multiple = self.pool.binary(BinaryOp::Mul, value, denominator);
        let equation = self.pool.eq(multiple, sum);
        self.add(guard, equation);
        true
    }

    /// Guesses that a slot divides another. The remainder by 0 and -1 is not defined.
    fn divides(&mut self, samples: &[&Sample], guard: Expr, number: usize, divisor: usize) {
        let width = self.interface.slots[number].width;
        if width != self.interface.slots[divisor].width {
            return;
        }
        let signed = |sample: &Sample, slot| sample.signed(self.interface, slot);
        let pairs: Vec<(i128, i128)> =
            samples.iter().filter_map(|s| Some((signed(s, number)?, signed(s, divisor)?))).collect();
        let is_telling = |&(number, divisor): &(i128, i128)| divisor.abs() > 1 && number != 0 && number != divisor;
        let is_divided = |&(number, divisor): &(i128, i128)| [0, -1].contains(&divisor) || number % divisor == 0;
        if !pairs.iter().any(is_telling) || !pairs.iter().all(is_divided) {
            return;
        }
        let (number, divisor) = (self.slot(number), self.slot(divisor));
        let (zero, minus_one) = (self.pool.bits(width, 0), self.pool.bits(width, u128::MAX));
        let (is_zero, is_minus_one) = (self.pool.eq(divisor, zero), self.pool.eq(divisor, minus_one));
        let remainder = self.pool.binary(BinaryOp::SignedRem, number, divisor);
        let is_divided = self.pool.eq(remainder, zero);
        let excluded = self.pool.or(is_zero, is_minus_one);
        let clause = self.pool.or(excluded, is_divided);
        self.add(guard, clause);
    }
}

impl Sample {
    /// The value of a bit-vector over slots as a signed number; `None` if it has none.
    fn number(&self, interface: &Interface, pool: &Pool, expr: Expr) -> Option<i128> {
        match self.value(interface, pool, expr)? {
            Value::Bits { width, bits } => Some(crate::expr::value::signed(width, bits)),
            _ => None,
        }
    }
}
