//! Fast evaluation of small expressions over integers of at most 64 bits.
//!
//! Rare operators and all other expressions are left to [`eval`], which defines the semantics.

use super::machine::{Machine, Stop};
use crate::expr::eval::{self, Env};
use crate::expr::narrow::{self, cut, signed};
use crate::expr::{BinaryOp, Expr, Node, Pool, Sort, TernaryOp, UnaryOp, Value};

/// Larger expressions are left to [`eval`], which shares subexpressions and uses an explicit stack if necessary.
const MAX_NODES: u32 = 200;
const MAX_HEIGHT: u32 = 50;

/// For each expression, whether it is a small tree over narrow integers.
pub(super) fn narrow_trees(pool: &Pool) -> Vec<bool> {
    let mut measures: Vec<Option<(u32, u32)>> = Vec::with_capacity(pool.len());
    for expr in pool.exprs() {
        let whole = pool.children(expr).try_fold((1, 1), |(nodes, height), child| {
            let (n, h) = measures[child.index()]?;
            Some((nodes + n, height.max(h + 1)))
        });
        let is_memory_variable = matches!(pool.sort(expr), Sort::Memory(_)) && matches!(pool.node(expr), Node::Var(_));
        let fits = width(pool.sort(expr)).is_some() || is_memory_variable;
        measures.push(whole.filter(|&(nodes, height)| fits && nodes <= MAX_NODES && height <= MAX_HEIGHT));
    }
    pool.exprs().zip(measures).map(|(e, m)| m.is_some() && width(pool.sort(e)).is_some()).collect()
}

/// The width of a narrow sort; truth values are 1 bit wide.
fn width(sort: Sort) -> Option<u32> {
    match sort {
        Sort::Bool => Some(1),
        Sort::Bits(width @ 1..=64) => Some(width.into()),
        _ => None,
    }
}

fn value(sort: Sort, raw: u64) -> Value {
    Value::from_raw(sort, raw.into()).expect("narrow sorts are scalar")
}

impl Machine<'_, '_> {
    /// The raw value of an expression that is one of [`narrow_trees`].
    pub(super) fn eval_narrow(&mut self, expr: Expr) -> Result<u64, Stop> {
        let pool = &self.program.pool;
        match *pool.node_ref(expr) {
            Node::Const(value) => Ok(value.raw() as u64),
            Node::Var(var) => match self.state.value(var) {
                Some(value) => Ok(value.raw() as u64),
                None => Ok(self.var(var)?.raw() as u64),
            },
            Node::Unary(op, a) => {
                let from = pool.sort(a);
                let a = self.eval_narrow(a)?;
                let to = pool.sort(expr);
                Ok(match op {
                    UnaryOp::Not => a ^ 1,
                    UnaryOp::BitNot => cut(to, !a),
                    UnaryOp::Neg => cut(to, a.wrapping_neg()),
                    UnaryOp::Extract { low, .. } => cut(to, a >> low),
                    UnaryOp::ZeroExtend(_) => a,
                    UnaryOp::SignExtend(_) => cut(to, signed(from, a) as u64),
                    _ => match eval::unary(op, value(from, a)) {
                        Ok(value) => value.raw() as u64,
                        Err(undefined) => self.undefined(expr, undefined)?.raw() as u64,
                    },
                })
            }
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let a = self.eval_narrow(a)?;
                if (a == 1) == (op == BinaryOp::And) { self.eval_narrow(b) } else { Ok(a) }
            }
            Node::Binary(op, first, second) => {
                let a = self.eval_narrow(first)?;
                let b = self.eval_narrow(second)?;
                self.binary_narrow(expr, op, (pool.sort(first), a), (pool.sort(second), b))
            }
            Node::Ternary(TernaryOp::Ite, condition, then, otherwise) => {
                let holds = self.eval_narrow(condition)? == 1;
                self.eval_narrow(if holds { then } else { otherwise })
            }
            Node::Read { memory, address, cells } => {
                let address = self.eval_narrow(address)?;
                match (*pool.node_ref(memory), pool.sort(memory)) {
                    (Node::Var(var), Sort::Memory(sort)) => {
                        Ok(self.read(var, sort, address.into(), cells)?.raw() as u64)
                    }
                    _ => unreachable!("narrow trees read memory variables only"),
                }
            }
            Node::Ternary(TernaryOp::FloatFma, ..) | Node::Write { .. } => unreachable!("not narrow"),
        }
    }

    #[inline]
    fn binary_narrow(&mut self, expr: Expr, op: BinaryOp, a: (Sort, u64), b: (Sort, u64)) -> Result<u64, Stop> {
        if let Some(raw) = narrow::binary(op, a.0, a.1, b.1) {
            return Ok(raw);
        }
        match eval::binary(op, value(a.0, a.1), value(b.0, b.1)) {
            Ok(value) => Ok(value.raw() as u64),
            Err(undefined) => Ok(self.undefined(expr, undefined)?.raw() as u64),
        }
    }
}
