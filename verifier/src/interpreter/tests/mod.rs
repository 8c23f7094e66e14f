//! Runs of hand-built programs.

mod control;
mod data;
mod model;
mod operators;
mod unknown;

use super::*;
use crate::cfa::builder::ProgramBuilder;
use crate::cfa::program::{AddressSpace, FuncId, Havoc, InitialCells, LocationKind, Op, Scope, Segment};
use crate::cfa::property::{Property, PropertyKind};
use crate::cfa::source::SourceId;
use crate::expr::{BinaryOp, Cell, Expr, FloatFormat, MemorySort, Sort, UnaryOp, Var};

const INT: Sort = Sort::Bits(32);
const BYTES: Sort = Sort::Memory(MemorySort { address: 64, cell: Cell::Bits(8) });

/// Builds a program as a sequence of statements, function by function.
struct Script {
    b: ProgramBuilder,
    function: FuncId,
    at: LocId,
}

impl Script {
    /// Starts with the start function, which returns an `int`.
    fn new() -> Script {
        let mut b = ProgramBuilder::new(64);
        let function = b.add_function("start", "start", Some(INT), SourceId::NONE);
        let at = b.function(function).entry;
        Script { b, function, at }
    }

    /// Adds a function from `int` to `int` and continues in it; returns it with its parameter.
    fn begin(&mut self, name: &str) -> (FuncId, Var) {
        self.function = self.b.add_function(name, name, Some(INT), SourceId::NONE);
        self.at = self.b.function(self.function).entry;
        let param = self.local("x", INT);
        self.b.add_param(param);
        (self.function, param)
    }

    fn local(&mut self, name: &str, sort: Sort) -> Var {
        self.b.add_temporary(name, sort, Scope::Local(self.function))
    }

    fn global(&mut self, name: &str, sort: Sort) -> Var {
        self.b.add_temporary(name, sort, Scope::Global)
    }

    fn op(&mut self, op: Op) -> LocId {
        self.at = self.b.add_step(self.at, op, SourceId::NONE);
        self.at
    }

    fn assign(&mut self, var: Var, value: Expr) {
        self.op(Op::Assign(var, value));
    }

    /// Branches: continues where the condition holds, and returns the location where it does not.
    fn branch(&mut self, condition: Expr) -> LocId {
        let negation = self.b.pool.not(condition);
        let otherwise = self.b.add_step(self.at, Op::Assume(negation), SourceId::NONE);
        self.op(Op::Assume(condition));
        otherwise
    }

    fn jump(&mut self, to: LocId) {
        self.b.add_edge(self.at, Op::Skip, to, SourceId::NONE);
    }

    fn give(&mut self, value: Expr) {
        self.b.add_return(self.at, Some(value), SourceId::NONE);
    }

    fn store(&mut self, memory: Var, address: u64, value: Expr) {
        let address = self.address(address);
        self.op(Op::Store { memory, address, value });
    }

    fn load(&mut self, memory: Var, address: u64, cells: u16) -> Expr {
        let address = self.address(address);
        let memory = self.var(memory);
        self.b.pool.read(memory, address, cells)
    }

    fn int(&mut self, value: i32) -> Expr {
        self.b.pool.bits(32, value as u128)
    }

    fn address(&mut self, address: u64) -> Expr {
        self.b.pool.bits(64, address.into())
    }

    fn var(&mut self, var: Var) -> Expr {
        self.b.read(var)
    }

    fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        self.b.pool.binary(op, a, b)
    }

    fn finish(self) -> Program {
        self.b.finish(FuncId(0))
    }
}

fn run(program: &Program, inputs: &mut dyn Inputs) -> RunEnd {
    Interpreter::new(program).run(inputs, Limits { steps: 1_000_000, depth: 100 }).end
}

fn returned(value: i32) -> RunEnd {
    RunEnd::Returned(Some(Value::bits(32, value as u128)))
}
