//! Monomials: products of terms that equations combine.

use smallvec::SmallVec;

use super::samples::Term;
use crate::expr::{BinaryOp, Expr, Node, Pool};

/// The number of variables that products are made of: those that the loop does not change, and those that it does.
const MAX_FIXED: usize = 2;
const MAX_CHANGING: usize = 3;

/// The number of variables that sums and differences are made of.
const MAX_COMBINED: usize = 5;

/// A term with its values in the samples of a case.
pub(super) struct Column {
    pub term: Term,
    pub values: Vec<Option<i128>>,
}

impl Column {
    pub fn known(&self) -> impl Iterator<Item = i128> {
        self.values.iter().flatten().copied()
    }

    pub fn range(&self) -> Option<(i128, i128)> {
        Some((self.known().min()?, self.known().max()?))
    }
}

/// Sums and differences of two variables that the loop changes. Many loops keep what they add up to.
pub(super) fn combinations(columns: &[Column], pool: &mut Pool) -> Vec<Column> {
    let is_plain = |column: &&Column| {
        let Term { expr, changes, is_cell, .. } = column.term;
        changes && !is_cell && matches!(pool.node(expr), Node::Var(_))
    };
    let changing: Vec<&Column> = columns.iter().filter(is_plain).take(MAX_COMBINED).collect();
    let mut found = Vec::new();
    for (at, a) in changing.iter().enumerate() {
        for b in changing[..at].iter().filter(|b| b.term.width == a.term.width) {
            for (op, x, y, sign) in [(BinaryOp::Add, a, b, 1), (BinaryOp::Sub, a, b, -1), (BinaryOp::Sub, b, a, -1)] {
                let values = x.values.iter().zip(&y.values).map(|(x, y)| Some((*x)? + sign * (*y)?)).collect();
                let expr = pool.binary(op, x.term.expr, y.term.expr);
                found.push(Column { term: Term { expr, ..x.term }, values });
            }
        }
    }
    found
}

/// A product of terms of the same width.
pub(super) struct Monomial<'c> {
    factors: SmallVec<[&'c Column; 3]>,
}

impl Monomial<'_> {
    /// The value in a sample.
    pub fn value(&self, sample: usize) -> Option<i128> {
        self.factors.iter().try_fold(1_i128, |product, factor| product.checked_mul(factor.values[sample]?))
    }

    /// The expression, times a number.
    pub fn expr(&self, pool: &mut Pool, coefficient: Expr) -> Expr {
        let factors = self.factors.iter().map(|factor| factor.term.expr);
        let product = factors.reduce(|product, factor| pool.binary(BinaryOp::Mul, product, factor));
        product.map_or(coefficient, |product| pool.binary(BinaryOp::Mul, product, coefficient))
    }
}

/// The columns of a width, each by itself.
pub(super) fn linear<'c>(columns: impl Iterator<Item = &'c Column>, width: u16) -> Vec<Monomial<'c>> {
    let alike = columns.filter(|column| column.term.width == width);
    alike.map(|column| Monomial { factors: SmallVec::from_slice(&[column]) }).collect()
}

/// The same, then products of two variables of which the loop changes one, then cubes of those that it changes. Fits
/// prefer what comes first.
pub(super) fn products<'c>(
    columns: impl Iterator<Item = &'c Column> + Clone,
    width: u16,
    pool: &Pool,
) -> Vec<Monomial<'c>> {
    let is_factor = |column: &&Column| {
        let Term { expr, is_cell, is_index, .. } = column.term;
        column.term.width == width && !is_cell && !is_index && matches!(pool.node(expr), Node::Var(_))
    };
    let factors = || columns.clone().filter(is_factor);
    let fixed = factors().filter(|column| !column.term.changes).take(MAX_FIXED);
    let changing: Vec<&Column> = factors().filter(|column| column.term.changes).take(MAX_CHANGING).collect();
    let mut found = linear(columns.clone(), width);
    for (at, &a) in changing.iter().enumerate() {
        let others = fixed.clone().chain(changing[at..].iter().copied());
        found.extend(others.map(|b| Monomial { factors: SmallVec::from_slice(&[a, b]) }));
    }
    found.extend(changing.iter().map(|&a| Monomial { factors: SmallVec::from_slice(&[a, a, a]) }));
    found
}
