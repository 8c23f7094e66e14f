//! The arguments of the entry function.

use clew_verifier::cfa::{Assumption, FuncId, Havoc, LocId, Op, SourceId};
use clew_verifier::expr::{BinaryOp, Expr, Sort, Var};

use super::Lifter;
use super::function::FunctionLifter;
use crate::entry::Made;
use crate::ir::{Opcode, TypeKind, Value};
use crate::names::{self, Callee};
use crate::pointsto::NodeId;

/// Linux limits the arguments of a program to 6 MB, so there are fewer than this.
const MAX_ARGUMENTS: u64 = 1 << 20;

/// The address of `argv`, outside of the program.
const ARGV: u64 = 0x10_0000;

impl Lifter {
    /// The arguments of the entry function: those of `main` follow the standard, all others are any values.
    pub(super) fn entry_arguments(&mut self, at: &mut LocId, entry: Value, callee: FuncId) -> Vec<Expr> {
        let args = self.any_arguments(at, entry, callee);
        if self.has_argv(entry) {
            self.fill_argv(at, entry, args[0]);
        }
        args
    }

    /// Whether it is `main` with an array of arguments.
    fn has_argv(&self, entry: Value) -> bool {
        let mut types = entry.params().map(|param| param.ty().kind());
        entry.name() == "main" && types.next() == Some(TypeKind::Integer(32)) && types.next() == Some(TypeKind::Pointer)
    }

    fn any_arguments(&mut self, at: &mut LocId, entry: Value, callee: FuncId) -> Vec<Expr> {
        let is_main = entry.name() == "main";
        // Whoever starts the program chooses them.
        let arguments = self.builder.external("the arguments of main", true);
        let why = if is_main { Havoc::External(arguments) } else { Havoc::Input };
        let params = self.builder.function(callee).params.clone();
        let types: Vec<TypeKind> = entry.params().map(|param| param.ty().kind()).collect();
        let mut args = Vec::new();
        for (n, &param) in params.iter().enumerate() {
            let info = self.builder.var(param).clone();
            let var = match n {
                0 if is_main && info.sort == Sort::Bits(32) => self.argument_count(),
                1 if self.has_argv(entry) => {
                    args.push(self.builder.pool.bits(self.layout.pointer_bits(), u128::from(ARGV)));
                    continue;
                }
                _ => self.model_var(&info.name, info.sort),
            };
            *at = self.builder.add_step(*at, Op::Havoc(var, why), SourceId::NONE);
            let value = self.builder.read(var);
            // Parameters that are structs in registers have several variables.
            if types.len() == params.len() && types[n] == TypeKind::Pointer {
                let possible = self.is_outside(value);
                *at = self.builder.add_step(*at, Op::Assume(possible), SourceId::NONE);
            }
            args.push(value);
        }
        if let Some(Made { function, or_null }) = self.made.clone() {
            self.builder.add_assumption(Assumption::MadeArguments { function: function.into(), or_null }, *at);
        }
        if !args.is_empty() {
            let name = self.builder.function(callee).display_name.clone();
            let assumption = match is_main {
                true => Assumption::ProgramArguments,
                false => Assumption::EntryArguments(name),
            };
            self.builder.add_assumption(assumption, *at);
        }
        args
    }

    /// `argc`.
    fn argument_count(&mut self) -> Var {
        if let Some(var) = self.model.argument_count {
            return var;
        }
        let var = self.model_var("argc", Sort::Bits(32));
        self.model.argument_count = Some(var);
        var
    }

    /// `argc` is any number that the system allows, and `argv` is an array of `argc` unknown pointers followed by null.
    fn fill_argv(&mut self, at: &mut LocId, main: Value, argc: Expr) {
        let bits = self.layout.pointer_bits();
        let pointer_bytes = u64::from(bits / 8);
        self.objects.name_outside(ARGV, (MAX_ARGUMENTS + 1) * pointer_bytes, "argv");
        let pool = &mut self.builder.pool;
        let limit = pool.bits(32, u128::from(MAX_ARGUMENTS));
        let counts = pool.binary(BinaryOp::UnsignedLess, argc, limit);
        let start = pool.bits(bits, u128::from(ARGV));
        let length = self.arguments_length(argc);
        let last = self.builder.pool.add(start, length);
        *at = self.builder.add_step(*at, Op::Assume(counts), SourceId::NONE);
        if let Some(cell) = main.params().nth(1).and_then(|p| self.points_to.cell(p)) {
            let parts = self.partition(cell.node).parts(cell.offset, pointer_bytes);
            let memory = parts.first().filter(|_| parts.len() == 1).map(|part| self.piece_var(cell.node, part.piece));
            let value = self.builder.pool.bits(bits, 0);
            if let Some(memory) = memory
                && matches!(self.builder.var(memory).sort, Sort::Memory(m) if m.cell.sort() == Sort::Bits(bits))
            {
                *at = self.builder.add_step(*at, Op::Store { memory, address: last, value }, SourceId::NONE);
            }
        }
    }

    /// The length of `argv` in bytes, without the null pointer that ends it.
    fn arguments_length(&mut self, argc: Expr) -> Expr {
        let bits = self.layout.pointer_bits();
        let pool = &mut self.builder.pool;
        let index = pool.zero_extend(argc, bits);
        let size = pool.bits(bits, u128::from(bits / 8));
        pool.binary(BinaryOp::Mul, index, size)
    }

    /// The node of `argv`, if the program does not change it.
    pub(super) fn unchanged_arguments(&self, entry: Value) -> Option<NodeId> {
        let argv = entry.params().nth(1).filter(|_| self.has_argv(entry))?;
        let node = self.points_to.cell(argv)?.node;
        let is_argv = |pointer: Value| self.points_to.cell(pointer).is_some_and(|cell| cell.node == node);
        let changes = |i: Value| match i.opcode() {
            Opcode::LLVMStore => is_argv(i.operand(1)),
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => is_argv(i.operand(0)),
            Opcode::LLVMCall | Opcode::LLVMInvoke if i.callee().is_inline_assembly() => i.args().any(is_argv),
            Opcode::LLVMCall | Opcode::LLVMInvoke => {
                self.possible_callees(i).into_iter().any(|callee| match names::classify(callee) {
                    Callee::Defined | Callee::Primitive(_) => false,
                    Callee::Intrinsic(_) => i.args().any(is_argv),
                    Callee::External => i.args().any(|arg| self.reaches(arg, node)),
                })
            }
            _ => false,
        };
        let is_changed = self.module.functions().any(|function| function.body().any(changes));
        (!is_changed).then_some(node)
    }

    fn reaches(&self, pointer: Value, node: NodeId) -> bool {
        let mut seen = Vec::new();
        let mut stack: Vec<NodeId> = self.points_to.cell(pointer).into_iter().map(|cell| cell.node).collect();
        while let Some(next) = stack.pop() {
            if next == node {
                return true;
            }
            if !seen.contains(&next) {
                seen.push(next);
                stack.extend(self.points_to.links(next).map(|cell| cell.node));
            }
        }
        false
    }
}

impl FunctionLifter<'_> {
    /// The condition that `argument` may be what the system has stored at `address`: before the end of `argv`, nothing is
    /// null.
    pub(super) fn is_possible_argument(&mut self, address: Expr, argument: Expr) -> Expr {
        let argc = self.l.argument_count();
        let argc = self.read_var(argc);
        let length = self.l.arguments_length(argc);
        let (start, zero) = (self.address(ARGV), self.address(0));
        let pool = &mut self.l.builder.pool;
        let is_null = pool.eq(argument, zero);
        let distance = pool.binary(BinaryOp::Sub, address, start);
        let elsewhere = pool.binary(BinaryOp::UnsignedLessEq, length, distance);
        let is_set = pool.not(is_null);
        pool.or(is_set, elsewhere)
    }
}
