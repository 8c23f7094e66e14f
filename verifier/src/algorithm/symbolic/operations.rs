//! The effects of operations on a state. All operands are evaluated before the first write.

use super::evaluate::Origin;
use super::state::{Cell, Frame, State};
use super::{Run, Stop};
use crate::cfa::{EdgeId, FuncId, Op, Scope, Step};
use crate::expr::eval::cell_address;
use crate::expr::{self, BinaryOp, Expr, Node, Sort, Var};

impl Run<'_, '_> {
    /// Takes an edge; assumptions are evaluated. False if no value satisfies its conditions.
    pub(super) fn take(&mut self, state: &mut State, id: EdgeId) -> Result<bool, Stop> {
        let program = self.program;
        let edge = program.edge(id);
        self.pending.clear();
        self.guards.clear();
        match edge.op {
            Op::Skip => {}
            Op::Assume(condition) => {
                let condition = self.eval(state, condition)?;
                self.pending.push(condition);
            }
            Op::Assign(var, expr) => {
                if matches!(program.var(var).sort, Sort::Memory(_)) {
                    return Err(Stop::GiveUp("an assignment of a whole memory".into()));
                }
                let value = self.eval(state, expr)?;
                let space = &program.address_space;
                if (space.heap_top == Some(var) || space.stack_top == Some(var)) && self.pool.as_const(value).is_none()
                {
                    return Err(Stop::Split(value));
                }
                self.set(state, var, value);
            }
            Op::Havoc(var, _) => match program.var(var).sort {
                Sort::Memory(_) => self.reset(state, var, None),
                sort => {
                    let value = self.draw(state, Origin::Variable(var), sort);
                    self.set(state, var, value);
                    if let Node::Var(symbol) = self.pool.node(value) {
                        self.havoc = Some(symbol);
                    }
                }
            },
            Op::Store { memory, address, value } => {
                let (address, value) = (self.eval(state, address)?, self.eval(state, value)?);
                self.store(state, memory, address, value)?;
            }
            Op::Forget { memory, address, bytes } => {
                let (cells, last) = self.range(state, memory, address, bytes)?;
                for cell in cells.into_iter().chain(last) {
                    self.write_cell(state, memory, cell, Cell::Unknown);
                }
            }
            Op::Fill { memory, address, byte, bytes } => {
                let byte = self.eval(state, byte)?;
                let (cells, last) = self.range(state, memory, address, bytes)?;
                let value = self.repeated(memory, byte)?;
                for cell in cells {
                    self.write_cell(state, memory, cell, Cell::Value(value));
                }
                last.into_iter().for_each(|cell| self.write_cell(state, memory, cell, Cell::Unknown));
            }
            Op::Copy { target, to, source, from, bytes } => {
                let (from, _) = self.range(state, source, from, bytes)?;
                let (to, last) = self.range(state, target, to, bytes)?;
                let values: Vec<Expr> = from.into_iter().map(|cell| self.cell(state, source, cell)).collect();
                for (cell, value) in to.into_iter().zip(values) {
                    self.write_cell(state, target, cell, Cell::Value(value));
                }
                last.into_iter().for_each(|cell| self.write_cell(state, target, cell, Cell::Unknown));
            }
            Op::Initialize { memory, contents } => self.reset(state, memory, Some(contents)),
            Op::Call { callee, ref args, .. } => return self.call(state, id, callee, args),
            Op::Return(value) => return self.leave(state, id, value),
            Op::Unsupported(_) => unreachable!("targets are not followed"),
        }
        self.go(state, id)
    }

    /// Moves along an edge of the same function and adds the pending conditions.
    pub(super) fn go(&mut self, state: &mut State, id: EdgeId) -> Result<bool, Stop> {
        let to = self.program.edge(id).to;
        state.position.go(self.loops, to);
        state.location = to;
        self.arrived(state, Step::along(id))
    }

    fn arrived(&mut self, state: &mut State, step: Step) -> Result<bool, Stop> {
        state.past = self.pasts.step(state.past, step, self.havoc.take());
        for condition in std::mem::take(&mut self.pending) {
            if !self.assume(&mut state.knowledge, condition)? {
                return Ok(false);
            }
        }
        let liveness = self.liveness;
        for &var in liveness.dead_at(state.location) {
            self.forget(state, var);
        }
        Ok(true)
    }

    fn forget(&mut self, state: &mut State, var: Var) {
        let frame = match self.program.var(var).scope {
            Scope::Global => &mut state.globals,
            Scope::Local(_) => state.innermost(),
        };
        match self.program.var(var).sort {
            Sort::Memory(_) if frame.memories.contains_key(&var) => frame.reset(var, None),
            Sort::Memory(_) => {}
            _ => frame.forget(var),
        }
    }

    fn reset(&mut self, state: &mut State, memory: Var, contents: Option<u32>) {
        match self.program.var(memory).scope {
            Scope::Global => state.globals.reset(memory, contents),
            Scope::Local(_) => state.innermost().reset(memory, contents),
        }
    }

    fn store(&mut self, state: &mut State, memory: Var, address: Expr, value: Expr) -> Result<(), Stop> {
        let sort = self.memory_sort(memory);
        let parts: Vec<Expr> = match (sort.cell, self.pool.sort(value)) {
            (expr::Cell::Bits(cell), Sort::Bits(width)) => {
                (0..width / cell).map(|n| self.pool.extract(value, n * cell, cell)).collect()
            }
            _ => vec![value],
        };
        let bytes = match self.pool.sort(value) {
            Sort::Bool => 1,
            Sort::Bits(width) => expr::Cell::Bits(width).bytes(),
            Sort::Float(format) => expr::Cell::Float(format).bytes(),
            Sort::Memory(_) => unreachable!("a memory is no scalar"),
        };
        let addresses = self.addresses(state, address, bytes, self.tuning.max_writes)?;
        if let [at] = *addresses {
            for (cell, part) in parts.into_iter().enumerate() {
                let at = cell_address(sort, at.into(), cell as u16) as u64;
                self.write_cell(state, memory, at, Cell::Value(part));
            }
            return Ok(());
        }
        // The writes of one value do not overlap: addresses are compared as a whole.
        for at in addresses {
            let this = self.pool.bits(sort.address, at.into());
            let is_this = self.pool.eq(address, this);
            for (cell, &part) in parts.iter().enumerate() {
                let at = cell_address(sort, at.into(), cell as u16) as u64;
                let old = self.cell(state, memory, at);
                let new = self.pool.ite(is_this, part, old);
                self.write_cell(state, memory, at, Cell::Value(new));
            }
        }
        Ok(())
    }

    /// The addresses of the cells of a range, which must be fixed: the path is split otherwise. A last cell that is only
    /// partly in the range is apart: it is over-approximated.
    fn range(
        &mut self,
        state: &mut State,
        memory: Var,
        address: Expr,
        bytes: Expr,
    ) -> Result<(Vec<u64>, Option<u64>), Stop> {
        let (address, bytes) = (self.eval(state, address)?, self.eval(state, bytes)?);
        let (address, bytes) = (self.fixed(state, address)?, self.fixed(state, bytes)?);
        if !self.is_valid(state, address, bytes)? {
            return Err(Stop::Crash);
        }
        let size = self.memory_sort(memory).cell.bytes();
        if bytes / size > self.tuning.max_cells {
            return Err(Stop::GiveUp("an operation on a long range of memory".into()));
        }
        let whole = bytes / size;
        let last = (!bytes.is_multiple_of(size)).then(|| address.wrapping_add(whole * size));
        Ok(((0..whole).map(|cell| address.wrapping_add(cell * size)).collect(), last))
    }

    /// The value of an expression that has only one on this path.
    fn fixed(&mut self, state: &State, value: Expr) -> Result<u64, Stop> {
        match self.pool.as_const(value).or_else(|| self.pool.as_const(*state.knowledge.pinned.get(&value)?)) {
            Some(value) => u64::try_from(value.raw()).map_err(|_| Stop::Crash),
            None => Err(Stop::Split(value)),
        }
    }

    /// A cell all of whose bytes are equal.
    fn repeated(&mut self, memory: Var, byte: Expr) -> Result<Expr, Stop> {
        let sort = self.memory_sort(memory);
        let mut all = byte;
        for _ in 1..sort.cell.bytes() {
            all = self.pool.binary(BinaryOp::Concat, all, byte);
        }
        match sort.cell {
            expr::Cell::Bits(width) => Ok(self.pool.extract(all, 0, width)),
            expr::Cell::Float(format) if format.bits() == self.pool.width(all) => {
                Ok(self.pool.unary(expr::UnaryOp::BitsToFloat(format), all))
            }
            expr::Cell::Float(format) => {
                let bits = self.pool.extract(all, 0, format.bits());
                Ok(self.pool.unary(expr::UnaryOp::BitsToFloat(format), bits))
            }
        }
    }

    fn call(&mut self, state: &mut State, edge: EdgeId, callee: FuncId, args: &[Expr]) -> Result<bool, Stop> {
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.eval(state, arg)?);
        }
        let liveness = self.liveness;
        for &var in liveness.dead_during(edge) {
            self.forget(state, var);
        }
        state.frames.push(Frame::default());
        let function = self.program.function(callee);
        for (&param, value) in function.params.iter().zip(values) {
            self.set(state, param, value);
        }
        state.position.call(self.program, self.loops, edge, callee);
        state.location = function.entry;
        self.arrived(state, Step::along(edge))
    }

    fn leave(&mut self, state: &mut State, edge: EdgeId, value: Option<Expr>) -> Result<bool, Stop> {
        let value = value.map(|value| self.eval(state, value)).transpose()?;
        let Some(call) = state.position.leave(self.program, self.loops) else { return Ok(false) };
        state.frames.pop();
        let caller = self.program.edge(call);
        if let Op::Call { result: Some(result), .. } = caller.op {
            let value = match value {
                Some(value) => value,
                None => self.draw(state, Origin::Variable(result), self.program.var(result).sort),
            };
            self.set(state, result, value);
        }
        state.location = caller.to;
        self.arrived(state, Step::back(edge, call))
    }
}
