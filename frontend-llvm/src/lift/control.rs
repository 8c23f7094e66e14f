//! Control flow: branches, switches, returns, and the assignments of phis.

use clew_verifier::cfa::{LocId, LocationKind, Op};
use clew_verifier::expr::value::signed;
use clew_verifier::expr::{BinaryOp, Expr, Pool, Sort, Value as Concrete, Var};

use super::function::{FunctionLifter, assemble};
use super::{Lifter, Val};
use crate::ir::{Block, Opcode, TypeKind, Value};

impl FunctionLifter<'_> {
    /// A phi has its own variables, which are assigned on the edges into its block.
    pub fn phi(&mut self, phi: Value) {
        self.phi_vars(phi);
    }

    fn phi_vars(&mut self, phi: Value) -> Vec<Var> {
        if let Some(value) = self.known_value(phi) {
            let mut vars = Vec::new();
            let value = value.clone();
            self.collect_vars(&value, &mut vars);
            return vars;
        }
        let mut vars = Vec::new();
        for leaf in Lifter::leaves(phi.ty()) {
            let sort = self.l.sort(leaf).unwrap_or(clew_verifier::expr::Sort::Bool);
            vars.push(self.temporary(sort));
        }
        let exprs: Vec<Expr> = vars.iter().map(|&v| self.read_var(v)).collect();
        let mut exprs = exprs.into_iter();
        let value = assemble(phi.ty(), &mut || exprs.next().map_or(Val::Undefined, Val::Scalar));
        self.set_value(phi, value);
        vars
    }

    fn collect_vars(&self, value: &Val, out: &mut Vec<Var>) {
        match value {
            Val::Scalar(expr) => {
                if let clew_verifier::expr::Node::Var(var) = self.l.builder.pool.node(*expr) {
                    out.push(var);
                }
            }
            Val::Aggregate(parts) => parts.iter().for_each(|p| self.collect_vars(p, out)),
            Val::Undefined => {}
        }
    }

    /// Lifts a terminator.
    pub fn terminator(&mut self, i: Value) {
        use Opcode::*;
        match i.opcode() {
            LLVMRet => {
                let result = (i.operand_count() == 1).then(|| i.operand(0));
                self.return_value(result);
            }
            LLVMBr if self.check(i) => {}
            LLVMBr if i.operand_count() == 1 => self.jump(i.block(), i.successor(0)),
            LLVMBr => {
                let condition = self.scalar(i.operand(0));
                let otherwise = self.l.builder.pool.not(condition);
                let start = self.at;
                self.branch(condition, i.block(), i.successor(0));
                self.at = start;
                self.branch(otherwise, i.block(), i.successor(1));
            }
            LLVMSwitch => self.switch(i),
            LLVMIndirectBr => {
                let target = self.scalar(i.operand(0));
                let start = self.at;
                let mut seen = Vec::new();
                for successor in i.successors() {
                    if seen.contains(&successor) {
                        continue;
                    }
                    seen.push(successor);
                    let address = self.l.block_address(successor);
                    let address = self.address(address);
                    let here = self.l.builder.pool.eq(target, address);
                    self.at = start;
                    self.branch(here, i.block(), successor);
                }
            }
            LLVMUnreachable => self.end_path(Op::Skip, LocationKind::Halt),
            LLVMResume => self.resume(i),
            _ => {}
        }
    }

    fn return_value(&mut self, result: Option<Value>) {
        let mut value = None;
        if let Some(result) = result {
            let ty = result.ty();
            if ty.is_aggregate() {
                let lifted = self.value(result);
                let mut scalars = Vec::new();
                self.scalars(lifted, ty, &mut scalars);
                let parts = self.l.result_parts(self.function, ty);
                for (var, scalar) in parts.into_iter().zip(scalars) {
                    self.assign(var, scalar);
                }
            } else if self.l.sort(ty).is_some() {
                value = Some(self.scalar(result));
            } else {
                return self.unsupported("a result of more than 128 bits");
            }
        }
        match value {
            Some(value) => self.return_scalar(value),
            None => {
                self.epilogue();
                let exit = self.l.builder.function(self.id).exit;
                self.emit_to(Op::Return(None), exit);
            }
        }
    }

    /// Returns a value.
    pub fn return_scalar(&mut self, value: Expr) {
        let value = if self.stack_at_entry.is_some() { self.save(value) } else { value };
        self.epilogue();
        let exit = self.l.builder.function(self.id).exit;
        self.emit_to(Op::Return(Some(value)), exit);
    }

    /// Whether the store sets the result slot, directly before a jump to a block that only returns it. Clang compiles
    /// `return` this way in a function with several.
    pub fn is_return_statement(&mut self, store: Value) -> bool {
        let branch = store.block().terminator();
        let mut rest = store.block().instructions().skip_while(|&i| i != store).skip(1);
        if branch.opcode() != Opcode::LLVMBr || branch.operand_count() != 1 || rest.next() != Some(branch) {
            return false;
        }
        let mut target = branch.successor(0).instructions();
        let (Some(load), Some(leave), None) = (target.next(), target.next(), target.next()) else { return false };
        let slot = store.operand(1);
        load.opcode() == Opcode::LLVMLoad
            && load.operand(0) == slot
            && load.ty() == store.operand(0).ty()
            && leave.opcode() == Opcode::LLVMRet
            && leave.operand_count() == 1
            && leave.operand(0) == load
            && self.l.sort(load.ty()).is_some()
            && super::stack::only_direct(slot)
    }

    /// Returns because of a pending exception.
    pub fn return_exceptionally(&mut self) {
        self.epilogue();
        let result = self.l.builder.function(self.id).result;
        let value = result.and_then(|sort| Concrete::from_raw(sort, 0)).map(|v| self.l.builder.pool.constant(v));
        let exit = self.l.builder.function(self.id).exit;
        self.emit_to(Op::Return(value), exit);
    }

    /// Goes to `to` if `condition` holds.
    pub fn branch(&mut self, condition: Expr, from: Block, to: Block) {
        match self.l.builder.pool.as_const(condition) {
            Some(Concrete::Bool(false)) => {}
            Some(Concrete::Bool(true)) => self.jump(from, to),
            _ => {
                self.emit(Op::Assume(condition));
                self.jump(from, to);
            }
        }
    }

    /// Goes from the end of `from` to the start of `to` and assigns its phis. A block that only branches on a phi is
    /// bypassed, so that `while (a && b)` reads like two conditions.
    pub fn jump(&mut self, from: Block, to: Block) {
        if let Some((phi, decision)) = pure_decision(to) {
            let value = phi.incoming().find(|&(_, block)| block == from).map(|(value, _)| value);
            if let Some(value) = value {
                let condition = self.scalar(value);
                let otherwise = self.l.builder.pool.not(condition);
                let start = self.at;
                self.branch(condition, to, decision.successor(0));
                self.at = start;
                self.branch(otherwise, to, decision.successor(1));
                return;
            }
        }
        self.set_phis(from, to);
        let target = self.location(to);
        self.go(target);
    }

    fn go(&mut self, target: LocId) {
        self.emit_to(Op::Skip, target);
    }

    fn set_phis(&mut self, from: Block, to: Block) {
        let mut moves: Vec<(Var, Expr)> = Vec::new();
        for phi in to.instructions().take_while(|i| i.opcode() == Opcode::LLVMPHI) {
            let Some((value, _)) = phi.incoming().find(|&(_, block)| block == from) else { continue };
            let vars = self.phi_vars(phi);
            let lifted = self.value(value);
            let mut scalars = Vec::new();
            self.scalars(lifted, phi.ty(), &mut scalars);
            moves.extend(vars.into_iter().zip(scalars));
        }
        // Phis are assigned simultaneously.
        for n in 1..moves.len() {
            let written: Vec<Var> = moves[..n].iter().map(|m| m.0).collect();
            if self.vars_of(moves[n].1).iter().any(|v| written.contains(v)) {
                moves[n].1 = self.save(moves[n].1);
            }
        }
        let saved: Vec<(Var, Expr)> = moves;
        for (var, value) in saved {
            if self.read_var(var) != value {
                self.emit(Op::Assign(var, value));
            }
        }
    }

    fn switch(&mut self, i: Value) {
        let value = self.scalar(i.operand(0));
        let mut targets: Vec<(Block, Vec<i128>)> = Vec::new();
        let mut all = Vec::new();
        let width = match self.l.sort(i.operand(0).ty()) {
            Some(Sort::Bits(width)) => width,
            Some(Sort::Bool) => 1,
            _ => return self.unsupported("a switch over an integer of more than 128 bits"),
        };
        for n in 1..i.successor_count() {
            let case = self.scalar(i.operand(2 * n));
            let case = self.l.builder.pool.as_const(case).map_or(0, |c| signed(width, c.raw()));
            all.push(case);
            let block = i.successor(n);
            match targets.iter_mut().find(|t| t.0 == block) {
                Some(target) => target.1.push(case),
                None => targets.push((block, vec![case])),
            }
        }
        let start = self.at;
        for (block, cases) in targets {
            let condition = self.is_among(value, cases);
            self.at = start;
            self.branch(condition, i.block(), block);
        }
        self.at = start;
        let some = self.is_among(value, all);
        let none = self.l.builder.pool.not(some);
        self.branch(none, i.block(), i.successor(0));
    }

    /// The condition that `value` is one of the numbers; consecutive ones form a range.
    fn is_among(&mut self, value: Expr, mut numbers: Vec<i128>) -> Expr {
        numbers.sort_unstable();
        let mut ranges: Vec<(i128, i128)> = Vec::new();
        for number in numbers {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => ranges.push((number, number)),
            }
        }
        let sort = self.l.builder.pool.sort(value);
        let mut result = self.l.builder.pool.bool(false);
        for (first, last) in ranges {
            let pool = &mut self.l.builder.pool;
            let constant = |pool: &mut Pool, n: i128| {
                let value = Concrete::from_raw(sort, n as u128).expect("a scalar sort");
                pool.constant(value)
            };
            let (low, high) = (constant(pool, first), constant(pool, last));
            let inside = if last - first < 2 {
                let (a, b) = (pool.eq(value, low), pool.eq(value, high));
                pool.or(a, b)
            } else {
                let (a, b) =
                    (pool.binary(BinaryOp::SignedLessEq, low, value), pool.binary(BinaryOp::SignedLessEq, value, high));
                pool.and(a, b)
            };
            result = self.l.builder.pool.or(result, inside);
        }
        result
    }
}

/// A block with only a phi and a branch on it, if the phi has no other users.
fn pure_decision(block: Block) -> Option<(Value, Value)> {
    let mut relevant = block.instructions().filter(|i| {
        i.opcode() != Opcode::LLVMCall || !i.callee().is_function() || !i.callee().name().starts_with("llvm.dbg.")
    });
    let (phi, branch) = (relevant.next()?, relevant.next()?);
    let shape = phi.opcode() == Opcode::LLVMPHI
        && phi.ty().kind() == TypeKind::Integer(1)
        && branch.opcode() == Opcode::LLVMBr
        && branch.operand_count() == 3
        && branch.operand(0) == phi
        && branch.successors().all(|s| s != block);
    let mut users = phi.users();
    let only_user = users.next() == Some(branch) && users.next().is_none();
    (shape && only_user).then_some((phi, branch))
}
