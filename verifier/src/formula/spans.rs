//! What is known of the values of symbolic expressions in a state, from their form and from the conditions of the state.
//!
//! Values that are simplified with such facts are right only together with the conditions. So this serves executions
//! whose conditions are always used as a whole.

use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use rustc_hash::FxHashMap;

use super::execution::Execution;
use crate::expr::span::{self, Span};
use crate::expr::{BinaryOp, Expr, Node, Pool, Sort, TernaryOp, UnaryOp};

/// What conditions say about expressions.
pub(super) type Facts = OrdMap<Expr, Span>;

/// The depth to which an expression is searched for parts about which there are facts.
const MAX_DEPTH: u32 = 24;
/// The number of nodes that are visited in such a search.
const MAX_NODES: u32 = 256;

/// Spans from the form of expressions alone.
#[derive(Default)]
pub(super) struct Known {
    spans: FxHashMap<Expr, Option<Span>>,
}

impl Known {
    fn span(&mut self, pool: &Pool, root: Expr) -> Option<Span> {
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            if self.spans.contains_key(&expr) {
                stack.pop();
                continue;
            }
            let missing = match Span::full(pool.sort(expr)) {
                Some(_) => pool.children(expr).find(|child| !self.spans.contains_key(child)),
                None => None,
            };
            match missing {
                Some(child) => stack.push(child),
                None => {
                    let span = span::transfer(pool, expr, |child| self.spans[&child]);
                    self.spans.insert(expr, span);
                }
            }
        }
        self.spans[&root]
    }
}

/// A search for facts about parts of an expression.
struct Search<'e> {
    pool: &'e Pool,
    facts: &'e Facts,
    known: &'e mut Known,
    nodes: u32,
}

impl Search<'_> {
    /// The span of an expression, where `extra` holds as well.
    fn span(
        &mut self,
        expr: Expr,
        depth: u32,
        extra: &[(Expr, Span)],
        memo: &mut FxHashMap<Expr, Option<Span>>,
    ) -> Option<Span> {
        if let Some(&span) = memo.get(&expr) {
            return span;
        }
        let mut span = self.known.span(self.pool, expr)?;
        if span.value().is_some() {
            return Some(span);
        }
        if depth > 0 && self.nodes > 0 {
            self.nodes -= 1;
            let found = match self.pool.node(expr) {
                Node::Ternary(TernaryOp::Ite, condition, then, otherwise) => {
                    let first = self.branch(condition, true, then, depth, extra, memo)?;
                    first.join(self.branch(condition, false, otherwise, depth, extra, memo)?)
                }
                _ => {
                    let pool = self.pool;
                    span::transfer(pool, expr, |child| self.span(child, depth - 1, extra, memo))?
                }
            };
            span = span.meet(found);
        }
        if let Some(&fact) = self.facts.get(&expr) {
            span = span.meet(fact);
        }
        for &(_, fact) in extra.iter().filter(|&&(about, _)| about == expr) {
            span = span.meet(fact);
        }
        memo.insert(expr, Some(span));
        Some(span)
    }

    /// The span of a branch of a conditional, where its condition is known.
    fn branch(
        &mut self,
        condition: Expr,
        holds: bool,
        branch: Expr,
        depth: u32,
        extra: &[(Expr, Span)],
        memo: &mut FxHashMap<Expr, Option<Span>>,
    ) -> Option<Span> {
        let pool = self.pool;
        let learned = span::learn(pool, condition, holds, |part| {
            let span = self.known.span(pool, part)?;
            Some(self.facts.get(&part).map_or(span, |&fact| span.meet(fact)))
        });
        if learned.is_empty() {
            return self.span(branch, depth - 1, extra, memo);
        }
        let extra: Vec<(Expr, Span)> = extra.iter().copied().chain(learned).collect();
        self.span(branch, depth - 1, &extra, &mut FxHashMap::default())
    }
}

impl Execution<'_> {
    /// The values that a bit-vector can have in the current state; `None` if it is too wide.
    pub(super) fn span(&mut self, expr: Expr) -> Option<Span> {
        let (pool, facts) = (&self.pool, &self.state.facts);
        let mut search = Search { pool, facts, known: &mut self.known, nodes: MAX_NODES };
        search.span(expr, MAX_DEPTH, &[], &mut FxHashMap::default())
    }

    /// Notes what a condition of the current state says about the values of expressions.
    pub(super) fn learn(&mut self, condition: Expr) {
        let pool = &self.pool;
        let (facts, known) = (&self.state.facts, &mut self.known);
        let learned = span::learn(pool, condition, true, |part| {
            let mut search = Search { pool, facts, known, nodes: MAX_NODES };
            search.span(part, MAX_DEPTH, &[], &mut FxHashMap::default())
        });
        for (expr, span) in learned {
            let fact = self.state.facts.get(&expr).map_or(span, |known| known.meet(span));
            self.state.facts.insert(expr, fact);
        }
    }

    /// An operation on operands whose spans decide it, or show that fewer bits suffice.
    pub(super) fn narrowed(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
        use BinaryOp::{Mul, SignedDiv, SignedRem, UnsignedDiv, UnsignedRem};
        let Sort::Bits(width) = self.pool.sort(a) else { return None };
        let concerns = matches!(op, Mul | UnsignedDiv | UnsignedRem | SignedDiv | SignedRem) || is_predicate(op);
        if !concerns || self.pool.may_trap(a) || self.pool.may_trap(b) {
            return None;
        }
        let (x, y) = (self.span(a)?, self.span(b)?);
        if let Some(holds) = span::decide(op, x, y) {
            return Some(self.pool.bool(holds));
        }
        let bits = |greatest: u64| (64 - greatest.leading_zeros() as u16).max(1);
        let ((_, first), (low, second)) = (x.unsigned(), y.unsigned());
        let needed = match op {
            Mul => bits(first.checked_mul(second)?),
            UnsignedDiv | UnsignedRem if low > 0 => bits(first.max(second)),
            // Division of numbers that are not negative is the same as unsigned division.
            SignedDiv | SignedRem if low > 0 && x.signed().0 >= 0 && y.signed().0 >= 0 => bits(first.max(second)),
            _ => return None,
        };
        let op = match op {
            SignedDiv => UnsignedDiv,
            SignedRem => UnsignedRem,
            _ => op,
        };
        if needed >= width {
            return None;
        }
        let (a, b) = (self.pool.extract(a, 0, needed), self.pool.extract(b, 0, needed));
        let value = self.pool.binary(op, a, b);
        Some(self.pool.unary(UnaryOp::ZeroExtend(width), value))
    }
}

/// Whether the result is a truth value.
fn is_predicate(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(
        op,
        Eq | UnsignedLess
            | UnsignedLessEq
            | SignedLess
            | SignedLessEq
            | SignedAddOverflows
            | SignedSubOverflows
            | SignedMulOverflows
            | UnsignedAddOverflows
            | UnsignedSubOverflows
            | UnsignedMulOverflows
    )
}

/// What holds in either of two states.
pub(super) fn join(a: &Facts, b: &Facts) -> Facts {
    let mut joined = a.clone();
    for item in a.diff(b) {
        match item {
            DiffItem::Add(..) => {}
            DiffItem::Remove(&expr, _) => {
                joined.remove(&expr);
            }
            DiffItem::Update { old: (&expr, &one), new: (_, &other) } => {
                joined.insert(expr, one.join(other));
            }
        }
    }
    joined
}
