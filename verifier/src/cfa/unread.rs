//! Elimination of assignments to variables that are never read.

use super::builder::ProgramBuilder;
use super::program::{Havoc, Op, VarInfo};
use crate::expr::{Expr, Node};

impl ProgramBuilder {
    /// Replaces operations by jumps if they only set variables that are never read and that `may_go` allows to drop.
    /// Operations that may crash are kept. So are inputs: dropping one would shift the values of those that follow.
    pub fn drop_unread(&mut self, may_go: impl Fn(&VarInfo) -> bool) {
        loop {
            let mut reads = Reads { vars: vec![false; self.vars().len()], seen: vec![false; self.pool.len()] };
            for edge in self.edges() {
                reads.operation(&edge.op, self);
            }
            for operand in self.error_operands() {
                reads.expr(operand, self);
            }
            let is_idle = |op: &Op, builder: &ProgramBuilder| match op {
                Op::Assign(var, value) => {
                    !reads.vars[var.index()] && may_go(builder.var(*var)) && !builder.pool.may_trap(*value)
                }
                Op::Havoc(_, Havoc::Input) => false,
                Op::Havoc(var, _) => !reads.vars[var.index()] && may_go(builder.var(*var)),
                _ => false,
            };
            let idle: Vec<usize> =
                self.edges().iter().enumerate().filter(|(_, e)| is_idle(&e.op, self)).map(|(i, _)| i).collect();
            if idle.is_empty() {
                return;
            }
            for i in idle {
                self.set_op(i, Op::Skip);
            }
        }
    }
}

/// The variables that are read somewhere.
struct Reads {
    vars: Vec<bool>,
    seen: Vec<bool>,
}

impl Reads {
    fn operation(&mut self, op: &Op, builder: &ProgramBuilder) {
        op.for_each_expr(|expr| self.expr(expr, builder));
        if let Op::Copy { source, .. } = op {
            self.vars[source.index()] = true;
        }
    }

    fn expr(&mut self, expr: Expr, builder: &ProgramBuilder) {
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            if std::mem::replace(&mut self.seen[expr.index()], true) {
                continue;
            }
            if let Node::Var(var) = builder.pool.node(expr) {
                self.vars[var.index()] = true;
            }
            stack.extend(builder.pool.children(expr));
        }
    }
}
