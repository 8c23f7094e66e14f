//! Calls that are not followed: what they do is unknown, but for what their user assumes.

use super::execution::Execution;
use super::symbols::Symbol;
use crate::cfa::program::Op;
use crate::expr::{Expr, Var};

impl Execution<'_> {
    /// Returns from the innermost activation to its caller. The result, if the function has one, is unknown.
    ///
    /// # Panics
    /// If nothing was called.
    pub fn return_unknown(&mut self) -> Option<Expr> {
        let frame = self.state.frames.pop().expect("a call begins an activation");
        let edge = self.program.edge(frame.call.expect("the start function has no caller"));
        let Op::Call { callee, result, .. } = edge.op else { unreachable!("only calls begin activations") };
        let value = match (result, self.program.function(callee).result) {
            (Some(result), _) => {
                let value = self.after(result);
                self.set(result, value);
                Some(value)
            }
            (None, Some(sort)) => {
                let symbol = Symbol::Undefined { step: self.steps, expr: self.pool.bool(true) };
                Some(self.symbols.expr(&mut self.pool, symbol, sort))
            }
            (None, None) => None,
        };
        self.state.location = edge.to;
        // Give the next unknown value a different symbol.
        self.steps += 1;
        value
    }

    /// One cell of a memory variable at any address in the current state. Facts from memory definitions become
    /// conditions of the state.
    pub fn cell_at(&mut self, memory: Var, address: Expr) -> Expr {
        let value = match self.pool.as_const(address) {
            Some(at) => self.read_cells(memory, at.raw() as u64, 1),
            None => self.search(memory, address, 1),
        };
        self.commit_pending();
        value
    }
}
