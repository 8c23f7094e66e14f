//! The effects of operations on a symbolic state. Mirrors the interpreter.

use super::cells::RangeValue;
use super::execution::Execution;
use super::lazy::{Definition, Inside, Range};
use super::memory::Memory;
use super::state::{Frame, Origin};
use super::symbols::Symbol;
use super::translate::bytes;
use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, FuncId, Op};
use crate::expr::{Expr, Node, Sort, Var};

impl Execution<'_> {
    pub(super) fn take(&mut self, step: Step) -> Result<(), String> {
        let program = self.program;
        let edge = program.edge(step.edge);
        if edge.from != self.state.location {
            return Err(format!("step {} does not start where the one before it ended", self.steps));
        }
        match edge.op {
            Op::Skip => {}
            Op::Assume(condition) => {
                let condition = self.value(condition);
                self.pending.push(condition);
            }
            Op::Assign(var, expr) => match program.var(var).sort {
                Sort::Memory(_) => self.assign_memory(var, expr),
                _ => {
                    let value = self.named_value(expr);
                    self.set(var, value);
                }
            },
            Op::Havoc(var, _) => match program.var(var).sort {
                Sort::Memory(_) => self.define(var, None),
                _ => {
                    let value = self.after(var);
                    self.set(var, value);
                }
            },
            Op::Store { memory, address, value } => {
                let (address, value) = (self.named_value(address), self.named_value(value));
                let possible = self.may_touch(address, bytes(self.pool.sort(value)));
                self.pending.push(possible);
                self.write(memory, address, value);
            }
            Op::Forget { memory, address, bytes } => {
                let (address, bytes) = self.range(address, bytes);
                self.forget(memory, address, bytes);
            }
            Op::Fill { memory, address, byte, bytes } => {
                let byte = self.named_value(byte);
                let (address, bytes) = self.range(address, bytes);
                self.fill(memory, address, byte, bytes);
            }
            Op::Copy { target, to, source, from, bytes } => {
                let (from, bytes) = self.range(from, bytes);
                let to = self.named_value(to);
                let possible = self.may_touch_range(to, bytes);
                self.pending.push(possible);
                self.copy(target, to, source, from, bytes);
            }
            Op::Initialize { memory, contents } => self.define(memory, Some(Definition::Initial(contents))),
            Op::Call { callee, ref args, .. } => return self.call(step.edge, callee, args),
            Op::Return(value) => return self.return_to_caller(step, value),
            Op::Unsupported(ref why) => return Err(format!("the path passes something unsupported: {why}")),
        }
        self.state.location = edge.to;
        Ok(())
    }

    /// The value of an expression. If its evaluation may crash, a name for it, so that stored values never trap.
    fn named_value(&mut self, expr: Expr) -> Expr {
        let value = self.value(expr);
        if !self.pool.may_trap(value) {
            return value;
        }
        let (symbol, sort) = (Symbol::Name { step: self.steps, value }, self.pool.sort(value));
        let name = self.symbols.expr(&mut self.pool, symbol, sort);
        let fact = self.pool.eq(name, value);
        self.pending.push(fact);
        name
    }

    /// Evaluates an address and a length, and requires that the range is valid.
    fn range(&mut self, address: Expr, bytes: Expr) -> (Expr, Expr) {
        let (address, bytes) = (self.named_value(address), self.named_value(bytes));
        let possible = self.may_touch_range(address, bytes);
        self.pending.push(possible);
        (address, bytes)
    }

    /// The addresses of all cells of a range, if it is constant, small, and consists of whole cells.
    fn small_range(&self, memory: Var, address: Expr, bytes: Expr) -> Option<Vec<u64>> {
        let (address, bytes) = (self.pool.as_const(address)?.raw(), self.pool.as_const(bytes)?.raw());
        let size = self.memory_sort(memory).cell.bytes();
        let (address, bytes) = (u64::try_from(address).ok()?, u64::try_from(bytes).ok()?);
        let end = address.checked_add(bytes)?;
        (bytes.is_multiple_of(size) && bytes / size <= self.tuning.max_constant_cells)
            .then(|| (address..end).step_by(size as usize).collect())
    }

    fn forget(&mut self, memory: Var, address: Expr, bytes: Expr) {
        match self.small_range(memory, address, bytes) {
            Some(cells) => cells.into_iter().for_each(|cell| self.forget_cell(memory, cell)),
            None if self.change_range(memory, Range { address, bytes }, RangeValue::Unknown) => {}
            None => self.define_range(memory, Range { address, bytes }, Inside::Unknown),
        }
    }

    fn fill(&mut self, memory: Var, address: Expr, byte: Expr, bytes: Expr) {
        match self.small_range(memory, address, bytes) {
            Some(cells) => {
                let value = self.repeated(self.memory_sort(memory), byte);
                cells.into_iter().for_each(|cell| self.memory(memory).write(cell, value));
            }
            None if self.change_range(memory, Range { address, bytes }, RangeValue::Filled(byte)) => {}
            None => self.define_range(memory, Range { address, bytes }, Inside::Filled(byte)),
        }
    }

    fn define_range(&mut self, memory: Var, range: Range, inside: Inside) {
        let below = self.whole(memory);
        self.define(memory, Some(Definition::Range { below, range, inside }));
    }

    /// Copies cell by cell where there are few of them.
    fn copy(&mut self, target: Var, to: Expr, source: Var, from: Expr, bytes: Expr) {
        let is_fixed = self.pool.as_const(to).is_some() && self.pool.as_const(from).is_some();
        let limit = if is_fixed { self.tuning.max_constant_cells } else { self.tuning.max_symbolic_cells };
        let Some(count) = self.small_count(target, bytes, limit) else {
            if self.change_range(target, Range { address: to, bytes }, RangeValue::Copied { source, from }) {
                return;
            }
            let memory = self.whole(source);
            return self.define_range(target, Range { address: to, bytes }, Inside::Copied { memory, from });
        };
        let sort = self.memory_sort(source);
        let values: Vec<_> = (0..count).map(|cell| self.cell_to_copy(source, from, cell)).collect();
        for (cell, value) in values.into_iter().enumerate() {
            let address = self.nth_address(sort, to, cell as u16);
            match self.pool.as_const(address) {
                Some(at) => self.memory(target).write(at.raw() as u64, value),
                None => self.write(target, address, value),
            }
        }
    }

    /// The number of cells of a range, if it is constant, at most `limit`, and consists of whole cells.
    fn small_count(&self, memory: Var, bytes: Expr, limit: u64) -> Option<u16> {
        let (bytes, size) = (self.pool.as_const(bytes)?.raw(), u128::from(self.memory_sort(memory).cell.bytes()));
        (bytes.is_multiple_of(size) && bytes / size <= limit.into()).then_some((bytes / size) as u16)
    }

    /// The value of a cell, by its index from `from`.
    fn cell_to_copy(&mut self, source: Var, from: Expr, cell: u16) -> Expr {
        let address = self.nth_address(self.memory_sort(source), from, cell);
        match self.pool.as_const(address) {
            Some(at) => self.contents(source, at.raw() as u64).value,
            None => self.search(source, address, 1),
        }
    }

    /// Assigns a memory expression. The interpreter keeps the unknown cells of whole memories apart, so that nothing is
    /// said about a copy of another memory.
    fn assign_memory(&mut self, var: Var, expr: Expr) {
        if self.program.pool.node(expr) == Node::Var(var) {
            return;
        }
        let (memory, possible) = self.translate(expr);
        self.pending.push(possible);
        let own = self.memory(var).base();
        if self.symbols_in(memory) != self.symbols_in(own) {
            self.approximate("a copy of a whole memory");
            return self.define(var, None);
        }
        self.set_memory(var, Memory::new(memory));
    }

    fn call(&mut self, edge: EdgeId, callee: FuncId, args: &[Expr]) -> Result<(), String> {
        let values: Vec<Expr> = args.iter().map(|&arg| self.named_value(arg)).collect();
        self.activations += 1;
        let origin = Origin::Activation(self.activations);
        self.state.frames.push(Frame { origin, call: Some(edge), ..Frame::default() });
        let function = self.program.function(callee);
        for (&param, value) in function.params.iter().zip(values) {
            self.set(param, value);
        }
        self.state.location = function.entry;
        Ok(())
    }

    fn return_to_caller(&mut self, step: Step, value: Option<Expr>) -> Result<(), String> {
        let value = value.map(|value| self.named_value(value));
        let call = self.state.frames.last().and_then(|frame| frame.call);
        let (Some(call), true) = (call, call == step.call) else {
            return Err(format!("step {} returns to where nothing was called", self.steps));
        };
        self.state.frames.pop();
        let edge = self.program.edge(call);
        if let Op::Call { result: Some(result), .. } = edge.op {
            let value = value.unwrap_or_else(|| self.after(result));
            self.set(result, value);
        }
        self.state.location = edge.to;
        Ok(())
    }
}
