//! Linear forms: multiples of variables and a constant, modulo a power of two.

use smallvec::SmallVec;

use crate::expr::narrow::{cut, signed};
use crate::expr::{BinaryOp, Expr, Node, Pool, Sort, UnaryOp, Var};

/// Variables with their factors, ordered by variable.
pub(super) type Parts = SmallVec<[(Var, u64); 4]>;

/// `Σ factor · variable + constant`, all of the same width.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Linear {
    pub(super) sort: Sort,
    /// No factor is zero.
    pub(super) parts: Parts,
    pub(super) constant: u64,
}

impl Linear {
    /// A constant form.
    fn constant(sort: Sort, constant: u64) -> Linear {
        Linear { sort, parts: Parts::new(), constant }
    }

    /// The value of `expr`, if it is linear in variables that `is_allowed` accepts and has at most `max_nodes` nodes.
    pub(super) fn of(pool: &Pool, expr: Expr, max_nodes: u32, is_allowed: &impl Fn(Var) -> bool) -> Option<Linear> {
        matches!(pool.sort(expr), Sort::Bits(2..=64)).then_some(())?;
        Linear::read(pool, expr, is_allowed, &mut { max_nodes })
    }

    fn read(pool: &Pool, expr: Expr, is_allowed: &impl Fn(Var) -> bool, nodes: &mut u32) -> Option<Linear> {
        use BinaryOp::*;
        *nodes = nodes.checked_sub(1)?;
        let sort = pool.sort(expr);
        let mut read = |expr| Linear::read(pool, expr, is_allowed, nodes);
        match pool.node(expr) {
            Node::Const(value) => Some(Linear::constant(sort, value.raw() as u64)),
            Node::Var(var) => {
                is_allowed(var).then(|| Linear { parts: Parts::from_slice(&[(var, 1)]), ..Linear::constant(sort, 0) })
            }
            Node::Unary(UnaryOp::Neg, a) => Some(read(a)?.times(u64::MAX)),
            Node::Binary(Add, a, b) => Some(read(a)?.plus(&read(b)?)),
            Node::Binary(Sub, a, b) => Some(read(a)?.plus(&read(b)?.times(u64::MAX))),
            Node::Binary(Mul, a, b) => match (pool.as_const(a), pool.as_const(b)) {
                (_, Some(factor)) => Some(read(a)?.times(factor.raw() as u64)),
                (Some(factor), _) => Some(read(b)?.times(factor.raw() as u64)),
                _ => None,
            },
            Node::Binary(ShiftLeft, a, b) => {
                let distance = pool.as_const(b)?.raw();
                (distance < pool.width(expr).into()).then_some(())?;
                Some(read(a)?.times(1 << distance))
            }
            _ => None,
        }
    }

    pub(super) fn times(mut self, factor: u64) -> Linear {
        let sort = self.sort;
        let scale = |x: u64| cut(sort, x.wrapping_mul(factor));
        self.constant = scale(self.constant);
        self.parts.iter_mut().for_each(|(_, one)| *one = scale(*one));
        self.parts.retain(|(_, one)| *one != 0);
        self
    }

    pub(super) fn plus(mut self, other: &Linear) -> Linear {
        let sort = self.sort;
        self.constant = cut(sort, self.constant.wrapping_add(other.constant));
        for &(var, factor) in &other.parts {
            match self.parts.binary_search_by_key(&var, |&(var, _)| var) {
                Ok(at) => self.parts[at].1 = cut(sort, self.parts[at].1.wrapping_add(factor)),
                Err(at) => self.parts.insert(at, (var, factor)),
            }
        }
        self.parts.retain(|(_, one)| *one != 0);
        self
    }

    /// The factor of a variable.
    pub(super) fn factor(&self, var: Var) -> Option<u64> {
        let at = self.parts.binary_search_by_key(&var, |&(var, _)| var).ok()?;
        Some(self.parts[at].1)
    }

    /// Removes a variable and returns its factor.
    pub(super) fn take(&mut self, var: Var) -> Option<u64> {
        let at = self.parts.binary_search_by_key(&var, |&(var, _)| var).ok()?;
        Some(self.parts.remove(at).1)
    }

    /// The normalised form: without its constant, and with a positive first factor.
    pub(super) fn plain(&self) -> Linear {
        let linear = if self.is_negative() { self.clone().times(u64::MAX) } else { self.clone() };
        Linear { constant: 0, ..linear }
    }

    /// Whether it is more than a constant plus or minus a variable.
    pub(super) fn is_sum(&self) -> bool {
        match *self.parts {
            [] => false,
            [(_, factor)] => signed(self.sort, factor).unsigned_abs() != 1,
            _ => true,
        }
    }

    /// Whether the first factor is negative.
    pub(super) fn is_negative(&self) -> bool {
        self.parts.first().is_some_and(|&(_, factor)| signed(self.sort, factor) < 0)
    }
}
