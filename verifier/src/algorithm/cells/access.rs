//! Accesses to memory, and the linear terms of their addresses.

use std::collections::BTreeSet;

use crate::expr::value::mask;
use crate::expr::{BinaryOp, Expr, Node, Pool, UnaryOp};

/// The maximum number of terms of an address.
const MAX_TERMS: usize = 3;

/// How a term is converted to the width of an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Extension {
    None,
    Zero,
    Sign,
}

/// A summand of an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Summand {
    pub term: Expr,
    pub extension: Extension,
    pub factor: u128,
}

/// An address as a sum, modulo its width.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Address {
    pub width: u16,
    pub base: u128,
    pub summands: Vec<Summand>,
}

impl Address {
    /// The address as a sum; `None` if it has too many terms.
    pub fn new(pool: &Pool, address: Expr) -> Option<Address> {
        let width = pool.width(address);
        let mut sum = Address { width, base: 0, summands: Vec::new() };
        sum.add(pool, address, 1);
        sum.summands.retain(|summand| summand.factor != 0);
        (sum.summands.len() <= MAX_TERMS).then_some(sum)
    }

    fn add(&mut self, pool: &Pool, expr: Expr, factor: u128) {
        let mask = mask(self.width);
        let constant = |expr| pool.as_const(expr).map(|value| value.raw());
        if let Some(value) = constant(expr) {
            self.base = self.base.wrapping_add(value.wrapping_mul(factor)) & mask;
            return;
        }
        match pool.node(expr) {
            Node::Binary(BinaryOp::Add, a, b) => {
                self.add(pool, a, factor);
                self.add(pool, b, factor);
            }
            Node::Binary(BinaryOp::Sub, a, b) => {
                self.add(pool, a, factor);
                self.add(pool, b, factor.wrapping_neg() & mask);
            }
            Node::Binary(BinaryOp::Mul, a, b) if constant(b).is_some() => {
                self.add(pool, a, factor.wrapping_mul(constant(b).unwrap_or(0)) & mask);
            }
            Node::Binary(BinaryOp::Mul, a, b) if constant(a).is_some() => {
                self.add(pool, b, factor.wrapping_mul(constant(a).unwrap_or(0)) & mask);
            }
            Node::Binary(BinaryOp::ShiftLeft, a, b) if constant(b).is_some_and(|n| n < self.width.into()) => {
                self.add(pool, a, factor.wrapping_shl(constant(b).unwrap_or(0) as u32) & mask);
            }
            Node::Unary(UnaryOp::SignExtend(_), inner) => self.summand(inner, Extension::Sign, factor),
            Node::Unary(UnaryOp::ZeroExtend(_), inner) => self.summand(inner, Extension::Zero, factor),
            _ => self.summand(expr, Extension::None, factor),
        }
    }

    fn summand(&mut self, term: Expr, extension: Extension, factor: u128) {
        let same = |summand: &&mut Summand| summand.term == term && summand.extension == extension;
        match self.summands.iter_mut().find(same) {
            Some(summand) => summand.factor = summand.factor.wrapping_add(factor) & mask(self.width),
            None => self.summands.push(Summand { term, extension, factor }),
        }
    }
}

/// The reads in scalar expressions, inner ones first.
pub fn reads(pool: &Pool, roots: &[Expr]) -> Vec<Expr> {
    let mut seen = BTreeSet::new();
    let mut worklist = roots.to_vec();
    while let Some(expr) = worklist.pop() {
        if seen.insert(expr) {
            worklist.extend(pool.children(expr));
        }
    }
    // Children have smaller indices than their parents.
    seen.into_iter().filter(|&expr| matches!(pool.node(expr), Node::Read { .. })).collect()
}
