//! Control flow: branches, switches, returns, and the values that phis take on the way.

use clew_verifier::cfa::{Expr, LocId, LocationKind, Op, Value as Concrete, Var};

use super::function::{FunctionLifter, assemble};
use super::{Lifter, Val};
use crate::ir::{Block, Opcode, TypeKind, Value};

impl FunctionLifter<'_> {
    /// A phi lives in variables of its own, which the edges into its block set.
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
            let sort = self.l.sort(leaf).unwrap_or(clew_verifier::cfa::Sort::Bool);
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
                if let clew_verifier::cfa::Node::Var(var) = self.l.builder.pool.node(*expr) {
                    out.push(var);
                }
            }
            Val::Aggregate(parts) => parts.iter().for_each(|p| self.collect_vars(p, out)),
            Val::Undefined => {}
        }
    }

    /// Lifts the last instruction of a block.
    pub fn terminator(&mut self, i: Value) {
        use Opcode::*;
        match i.opcode() {
            LLVMRet => {
                let result = (i.operand_count() == 1).then(|| i.operand(0));
                self.return_value(result);
            }
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
        if let (Some(result), Some(_)) = (value, self.stack_at_entry) {
            value = Some(self.save(result));
        }
        self.epilogue();
        let exit = self.l.builder.function(self.id).exit;
        self.emit_to(Op::Return(value), exit);
    }

    /// Returns because an exception is on its way.
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

    /// Goes from the end of `from` to the start of `to`, setting its phis. A block that only decides on a phi is passed through:
    /// `while (a && b)` reads like two conditions.
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
        // all phis take their values at once
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
        let mut targets: Vec<(Block, Vec<Expr>)> = Vec::new();
        let mut none = self.l.builder.pool.bool(true);
        for n in 1..i.successor_count() {
            let case = self.scalar(i.operand(2 * n));
            let here = self.l.builder.pool.eq(value, case);
            let not = self.l.builder.pool.not(here);
            none = self.l.builder.pool.and(none, not);
            let block = i.successor(n);
            match targets.iter_mut().find(|t| t.0 == block) {
                Some(target) => target.1.push(here),
                None => targets.push((block, vec![here])),
            }
        }
        let start = self.at;
        for (block, cases) in targets {
            let pool = &mut self.l.builder.pool;
            let condition = cases.into_iter().reduce(|a, b| pool.or(a, b)).expect("at least one case");
            self.at = start;
            self.branch(condition, i.block(), block);
        }
        self.at = start;
        self.branch(none, i.block(), i.successor(0));
    }
}

/// A block that holds nothing but one phi and a branch on it, where no successor asks for the phi's value.
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
