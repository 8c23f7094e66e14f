//! The effects of operations on the state.

use super::inputs::What;
use super::machine::{Machine, Stop, size};
use super::memory::{Memory, PAGE};
use super::{Crash, RunEnd};
use crate::cfa::program::{EdgeId, FuncId, LocId, Op};
use crate::expr::{Expr, Node, Sort, Value, Var};

impl Machine<'_, '_> {
    /// Takes an edge. An assumption must hold.
    pub(super) fn take(&mut self, id: EdgeId) -> Result<(), Stop> {
        self.at = id;
        let program = self.program;
        let edge = program.edge(id);
        match edge.op {
            Op::Skip | Op::Assume(_) => {}
            Op::Assign(var, expr) => match program.var(var).sort {
                Sort::Memory(_) => self.assign_memory(var, expr)?,
                _ => {
                    let value = self.eval(expr)?;
                    self.state.set(var, Some(value));
                }
            },
            Op::Havoc(var, kind) => match program.var(var).sort {
                Sort::Memory(_) => *self.state.memory(var) = Memory::default(),
                sort => {
                    let value = self.draw(What::Havoc(var), kind, sort)?;
                    self.state.set(var, Some(value));
                }
            },
            Op::Store { memory, address, value } => {
                let address = self.eval(address)?.raw() as u64;
                let value = self.eval(value)?;
                let n = size(value.sort());
                self.check(address, n as u64)?;
                self.state.memory(memory).write(address, n, value.raw());
            }
            Op::Forget { memory, address, bytes } => {
                let (address, bytes) = self.range(address, bytes)?;
                self.state.memory(memory).forget(address, bytes);
            }
            Op::Fill { memory, address, byte, bytes } => {
                let byte = self.eval(byte)?.raw() as u8;
                let (address, bytes) = self.range(address, bytes)?;
                self.state.memory(memory).fill(address, bytes, byte);
            }
            Op::Copy { target, to, source, from, bytes } => {
                let (from, length) = self.range(from, bytes)?;
                let to = self.eval(to)?.raw() as u64;
                self.check(to, length)?;
                self.copy(target, to, source, from, length)?;
            }
            Op::Initialize { memory, contents } => {
                *self.state.memory(memory) = Memory::new(program.initial_cells(contents));
            }
            Op::Call { callee, ref args, result } => return self.call(callee, args, result, edge.to),
            Op::Return(value) => {
                let value = value.map(|v| self.eval(v)).transpose()?;
                return self.return_to_caller(value);
            }
            Op::Unsupported(ref why) => return self.stop(RunEnd::Unsupported { why: why.clone(), at: id }),
        }
        self.state.location = edge.to;
        Ok(())
    }

    /// Evaluates and checks an address and a length. Long ranges count as several steps.
    fn range(&mut self, address: Expr, bytes: Expr) -> Result<(u64, u64), Stop> {
        let address = self.eval(address)?.raw() as u64;
        let Ok(bytes) = u64::try_from(self.eval(bytes)?.raw()) else {
            return self.crash(Crash::InvalidAccess { address });
        };
        self.check(address, bytes)?;
        self.count(bytes / PAGE as u64)?;
        Ok((address, bytes))
    }

    /// Copies a range. Unknown bytes stay unknown, but source and target will have the same value.
    fn copy(&mut self, target: Var, to: u64, source: Var, from: u64, bytes: u64) -> Result<(), Stop> {
        if !self.state.identify(source, from, bytes) {
            return self.stop(RunEnd::StepLimit);
        }
        // If the target starts within the source, copy backwards, so that no byte is overwritten before it is read.
        let backwards = target == source && to.wrapping_sub(from) < bytes;
        let mut done = 0;
        while done < bytes {
            let n = (bytes - done).min(PAGE as u64);
            let offset = if backwards { bytes - done - n } else { done };
            self.state.memory(source).load(from.wrapping_add(offset), n as usize, &mut self.chunk);
            self.state.memory(target).save(to.wrapping_add(offset), n as usize, &self.chunk);
            done += n;
        }
        Ok(())
    }

    /// Assigns a memory expression: copies the base variable, then applies the writes from the innermost outwards.
    fn assign_memory(&mut self, var: Var, mut expr: Expr) -> Result<(), Stop> {
        let mut writes = Vec::new();
        let base = loop {
            match self.program.pool.node(expr) {
                Node::Var(base) => break base,
                Node::Ternary(_, condition, then, otherwise) => {
                    expr = if self.eval(condition)?.is_true() { then } else { otherwise };
                }
                Node::Write { memory, address, value } => {
                    let address = self.eval(address)?.raw() as u64;
                    let value = self.eval(value)?;
                    self.check(address, size(value.sort()) as u64)?;
                    writes.push((address, value));
                    expr = memory;
                }
                node => unreachable!("not a memory: {node:?}"),
            }
        };
        if base != var {
            *self.state.memory(var) = self.state.memory(base).clone();
        }
        for (address, value) in writes.into_iter().rev() {
            self.state.memory(var).write(address, size(value.sort()), value.raw());
        }
        Ok(())
    }

    fn call(&mut self, callee: FuncId, args: &[Expr], result: Option<Var>, back: LocId) -> Result<(), Stop> {
        if self.state.frames.len() >= self.limits.depth {
            return self.stop(RunEnd::DepthLimit);
        }
        let mut values = std::mem::take(&mut self.args);
        values.clear();
        for &arg in args {
            values.push(self.eval(arg)?);
        }
        self.state.enter(callee, back, result);
        let params = &self.program.function(callee).params;
        debug_assert_eq!(params.len(), values.len());
        for (&param, &value) in params.iter().zip(&values) {
            self.state.set(param, Some(value));
        }
        self.args = values;
        Ok(())
    }

    /// Returns to the caller with `value`.
    pub(super) fn return_to_caller(&mut self, value: Option<Value>) -> Result<(), Stop> {
        let Some(frame) = self.state.leave() else { return self.stop(RunEnd::Returned(value)) };
        if let Some(var) = frame.result {
            self.state.set(var, value);
        }
        Ok(())
    }
}
