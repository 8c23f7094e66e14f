//! Assignments, assumptions and bounds of linear forms.

use super::block::{Block, INFINITE};
use super::{Linear, Octagon, Range};
use crate::expr::Var;

/// The number of variables of a form up to which all ways to pair them are tried for bounds.
const MAX_PAIRED: usize = 4;

impl Octagon {
    /// The block of a variable; a new one if it has none.
    fn block(&self, var: Var) -> Block {
        self.blocks.get(&var).map_or_else(|| Block::new(vec![var]), |block| (**block).clone())
    }

    /// `var := value`.
    pub(super) fn set(&mut self, var: Var, value: &Linear) {
        if let [(other, factor @ (1 | -1))] = *value.parts {
            if other == var {
                let Some(block) = self.blocks.get(&var) else { return };
                let mut block = (**block).clone();
                let node = block.node(var).expect("it is in its block");
                block.shift(node, factor == -1, value.low, value.high);
                return self.insert(block);
            }
            super::NumericDomain::forget(self, var);
            self.relate((var, 1), (other, -factor), value.high);
            self.relate((var, -1), (other, factor), -value.low);
            return;
        }
        let range = self.range(value);
        let others: Vec<(Var, i128)> = value.parts.iter().copied().filter(|&(other, _)| other != var).collect();
        // The bounds of `value - other` and `value + other`, since the old value of `var` vanishes.
        let relations: Vec<(Var, i128, Range)> = others
            .iter()
            .flat_map(|&(other, factor)| [(other, -factor.signum(), factor)])
            .map(|(other, sign, _)| (other, sign, self.range(&value.plus(&signed(other, sign)))))
            .collect();
        super::NumericDomain::forget(self, var);
        if let Some(high) = range.high {
            self.bound((var, 1), high);
        }
        if let Some(low) = range.low {
            self.bound((var, -1), -low);
        }
        for (other, sign, range) in relations {
            if let Some(high) = range.high {
                self.relate((var, 1), (other, sign), high);
            }
            if let Some(low) = range.low {
                self.relate((var, -1), (other, -sign), -low);
            }
        }
    }

    /// Assumes that `form <= 0`.
    pub(super) fn restrict(&mut self, form: &Linear) {
        match *form.parts {
            [] if form.low > 0 => super::NumericDomain::set_bottom(self),
            [] => {}
            [part] => self.bound_multiple(part, -form.low),
            [one, two] if one.1.abs() == two.1.abs() => self.relate_multiples(one, two, -form.low),
            _ => self.restrict_large(form),
        }
    }

    /// Restricts each variable, and each pair of variables with the same factor, by the bounds of the others.
    fn restrict_large(&mut self, form: &Linear) {
        let parts = form.parts.clone();
        for i in 0..parts.len() {
            if let Some(rest) = self.range(&form.without(&[i])).low {
                self.bound_multiple(parts[i], -rest);
            }
            for j in 0..i {
                if self.is_bottom || parts[i].1.abs() != parts[j].1.abs() {
                    continue;
                }
                if let Some(rest) = self.range(&form.without(&[i, j])).low {
                    self.relate_multiples(parts[i], parts[j], -rest);
                }
            }
            if self.is_bottom {
                return;
            }
        }
    }

    fn bound_multiple(&mut self, (var, factor): (Var, i128), bound: i128) {
        self.bound((var, factor.signum()), bound.div_euclid(factor.abs()));
    }

    fn relate_multiples(&mut self, one: (Var, i128), two: (Var, i128), bound: i128) {
        self.relate((one.0, one.1.signum()), (two.0, two.1.signum()), bound.div_euclid(one.1.abs()));
    }

    /// Assumes that `sign * var <= bound`.
    fn bound(&mut self, (var, sign): (Var, i128), bound: i128) {
        if self.is_bottom {
            return;
        }
        let mut block = self.block(var);
        let node = block.node(var).expect("it is in its block");
        let (from, to) = if sign > 0 { (node + 1, node) } else { (node, node + 1) };
        self.add(&mut block, from, to, 2 * bound);
    }

    /// Assumes that `sign * var + sign * var <= bound` for two different variables.
    fn relate(&mut self, one: (Var, i128), two: (Var, i128), bound: i128) {
        if self.is_bottom {
            return;
        }
        // A bound that those of the variables imply needs no common block.
        let [upper_one, upper_two] = [one, two].map(|(var, sign)| self.range(&signed(var, sign)).high);
        if let Some((a, b)) = upper_one.zip(upper_two)
            && a + b <= bound
        {
            return;
        }
        let mut block = self.block(one.0);
        if block.node(two.0).is_none() {
            let other = self.block(two.0);
            if block.vars.len() + other.vars.len() > self.max_block {
                return self.relate_bounds(one, two, bound);
            }
            block.extend(&other);
        }
        let [a, b] = [one.0, two.0].map(|var| block.node(var).expect("it is in the block"));
        let to = if one.1 > 0 { a } else { a + 1 };
        let from = if two.1 > 0 { b + 1 } else { b };
        self.add(&mut block, from, to, bound);
    }

    /// What `sign * var + sign * var <= bound` means for each of the variables.
    fn relate_bounds(&mut self, one: (Var, i128), two: (Var, i128), bound: i128) {
        for (one, two) in [(one, two), (two, one)] {
            if let Some(low) = self.range(&signed(two.0, two.1)).low {
                self.bound(one, bound - low);
            }
        }
    }

    fn add(&mut self, block: &mut Block, from: usize, to: usize, bound: i128) {
        if bound >= block.get(from, to) {
            return;
        }
        if block.add(from, to, bound) {
            self.insert(std::mem::replace(block, Block::new(Vec::new())));
        } else {
            super::NumericDomain::set_bottom(self);
        }
    }

    /// Bounds of a form.
    pub(super) fn range(&self, form: &Linear) -> Range {
        Range { low: self.upper(&form.negated()).map(|bound| -bound), high: self.upper(form) }
    }

    /// An upper bound of a form: the best one over ways to pair variables, if there are few.
    fn upper(&self, form: &Linear) -> Option<i128> {
        let parts = &form.parts;
        let singles =
            |parts: &[(Var, i128)]| parts.iter().try_fold(0, |sum: i128, &part| Some(sum + self.upper_single(part)?));
        let bound = if parts.len() > MAX_PAIRED { singles(parts) } else { self.upper_paired(parts) };
        bound.map(|bound| bound + form.high)
    }

    fn upper_paired(&self, parts: &[(Var, i128)]) -> Option<i128> {
        let Some((&first, rest)) = parts.split_first() else { return Some(0) };
        let alone = self.upper_single(first).and_then(|bound| Some(bound + self.upper_paired(rest)?));
        let paired = (0..rest.len()).filter(|&i| rest[i].1.abs() == first.1.abs()).filter_map(|i| {
            let others: Vec<_> = rest.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, &part)| part).collect();
            Some(self.upper_pair(first, rest[i])? + self.upper_paired(&others)?)
        });
        alone.into_iter().chain(paired).min()
    }

    fn upper_single(&self, (var, factor): (Var, i128)) -> Option<i128> {
        let block = self.blocks.get(&var)?;
        let node = block.node(var)?;
        let (from, to) = if factor > 0 { (node + 1, node) } else { (node, node + 1) };
        let double = Some(block.get(from, to)).filter(|&bound| bound != INFINITE)?;
        Some(double.div_euclid(2) * factor.abs())
    }

    /// An upper bound of the sum of two multiples with the same absolute factor, if the variables are related.
    fn upper_pair(&self, one: (Var, i128), two: (Var, i128)) -> Option<i128> {
        let block = self.blocks.get(&one.0)?;
        let (a, b) = (block.node(one.0)?, block.node(two.0)?);
        let to = if one.1 > 0 { a } else { a + 1 };
        let from = if two.1 > 0 { b + 1 } else { b };
        Some(block.get(from, to)).filter(|&bound| bound != INFINITE).map(|bound| bound * one.1.abs())
    }
}

/// `sign * var`.
fn signed(var: Var, sign: i128) -> Linear {
    if sign > 0 { Linear::var(var) } else { Linear::var(var).negated() }
}
