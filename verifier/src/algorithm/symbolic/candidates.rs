//! Values that an expression can have by its form, whatever its symbols are: for the index of a hash table, or of a table
//! with an entry for each byte.

use std::collections::BTreeSet;

use super::Run;
use super::columns::bits;
use super::knowledge::Knowledge;
use crate::expr::eval;
use crate::expr::{BinaryOp, Expr, Node, Sort, TernaryOp, UnaryOp, Value};

/// The depth up to which an expression is looked at.
const MAX_DEPTH: u32 = 8;

impl Run<'_, '_> {
    /// A superset of the values of an expression, sorted. `None` if it has more than `limit`, or its form is no bound.
    pub(super) fn candidates(&mut self, knowledge: &Knowledge, expr: Expr, limit: usize) -> Option<Vec<u64>> {
        self.candidates_within(knowledge, expr, limit, MAX_DEPTH)
    }

    fn candidates_within(&mut self, knowledge: &Knowledge, expr: Expr, limit: usize, depth: u32) -> Option<Vec<u64>> {
        let sort = self.pool.sort(expr);
        if !matches!(sort, Sort::Bits(width) if width <= 64) {
            return None;
        }
        if let Some(value) = self.pool.as_const(expr) {
            return Some(vec![value.raw() as u64]);
        }
        if let Some(values) = self.values_of_groups(knowledge, expr, limit) {
            return Some(values);
        }
        let below = |end: u128| (end <= limit as u128).then(|| (0..end as u64).collect::<Vec<u64>>());
        let constant = |run: &Self, expr: Expr| run.pool.as_const(expr).map(Value::raw);
        let bound = match self.pool.node(expr) {
            Node::Binary(BinaryOp::BitAnd, a, b) => constant(self, a).or(constant(self, b)).and_then(|mask| {
                let ones = mask.count_ones();
                (ones < 32 && 1_usize << ones <= limit).then(|| submasks(mask as u64))
            }),
            Node::Binary(BinaryOp::UnsignedRem, _, b) => constant(self, b).filter(|&b| b > 0).and_then(below),
            Node::Binary(BinaryOp::ShiftRight, _, b) => {
                let left = u128::from(bits(sort)).checked_sub(constant(self, b)?)?;
                1_u128.checked_shl(left as u32).and_then(below)
            }
            _ => 1_u128.checked_shl(bits(sort).into()).and_then(below),
        };
        if bound.is_some() || depth == 0 {
            return bound;
        }
        let mut all = BTreeSet::new();
        match self.pool.node(expr) {
            Node::Unary(op @ (UnaryOp::ZeroExtend(_) | UnaryOp::SignExtend(_) | UnaryOp::Extract { .. }), a) => {
                let from = self.pool.sort(a);
                for value in self.candidates_within(knowledge, a, limit, depth - 1)? {
                    all.insert(eval::unary(op, Value::from_raw(from, value.into())?).ok()?.raw() as u64);
                }
            }
            Node::Binary(op, a, b) if is_total(op) => {
                let (first, second) = (self.pool.sort(a), self.pool.sort(b));
                let left = self.candidates_within(knowledge, a, limit, depth - 1)?;
                let right = self.candidates_within(knowledge, b, limit, depth - 1)?;
                if left.len() * right.len() > limit {
                    return None;
                }
                for &a in &left {
                    for &b in &right {
                        let (a, b) = (Value::from_raw(first, a.into())?, Value::from_raw(second, b.into())?);
                        all.insert(eval::binary(op, a, b).ok()?.raw() as u64);
                    }
                }
            }
            Node::Ternary(TernaryOp::Ite, _, then, otherwise) => {
                all.extend(self.candidates_within(knowledge, then, limit, depth - 1)?);
                all.extend(self.candidates_within(knowledge, otherwise, limit, depth - 1)?);
            }
            _ => return None,
        }
        (all.len() <= limit).then(|| all.into_iter().collect())
    }
}

/// Whether an operator has a value for all arguments, and a bit-vector as its result.
fn is_total(op: BinaryOp) -> bool {
    use BinaryOp::{Add, BitAnd, BitOr, BitXor, Concat, Mul, Sub};
    matches!(op, Add | Sub | Mul | BitAnd | BitOr | BitXor | Concat)
}

/// All numbers whose bits are among those of `mask`, sorted.
fn submasks(mask: u64) -> Vec<u64> {
    let mut all = vec![mask];
    let mut current = mask;
    while current != 0 {
        current = (current - 1) & mask;
        all.push(current);
    }
    all.reverse();
    all
}

#[cfg(test)]
mod tests {
    use super::submasks;

    #[test]
    fn submasks_are_sorted_and_complete() {
        assert_eq!(submasks(0), [0]);
        assert_eq!(submasks(0b1010), [0, 0b10, 0b1000, 0b1010]);
        assert_eq!(submasks(0xff).len(), 256);
    }
}
