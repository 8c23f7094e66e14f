//! C++ exceptions: while an exception is pending, functions return immediately, up to a landing pad that catches it.

use clew_verifier::cfa::{LocationKind, Op};
use clew_verifier::expr::{Cell as CellSort, Expr, MemorySort, Sort, Var};

use super::function::FunctionLifter;
use super::{Lifter, Val};
use crate::handlers::{self, Fit};
use crate::ir::{Constant, Opcode, Value};
use crate::pointsto::resolve_alias;

impl Lifter {
    fn model_memory(&mut self, name: &str) -> Var {
        let bits = self.layout.pointer_bits();
        self.model_var(name, Sort::Memory(MemorySort { address: bits, cell: CellSort::Bits(bits) }))
    }

    /// Whether an exception is pending.
    pub(super) fn exception_pending(&mut self) -> Var {
        if let Some(var) = self.model.exception_pending {
            return var;
        }
        let var = self.model_var("exception.pending", Sort::Bool);
        self.model.exception_pending = Some(var);
        var
    }

    /// The pending exception object.
    fn exception_object(&mut self) -> Var {
        if let Some(var) = self.model.exception_object {
            return var;
        }
        let sort = self.pointer_sort();
        let var = self.model_var("exception.object", sort);
        self.model.exception_object = Some(var);
        var
    }

    /// The type descriptor of each exception object.
    fn exception_types(&mut self) -> Var {
        if let Some(var) = self.model.exception_types {
            return var;
        }
        let var = self.model_memory("exception.type");
        self.model.exception_types = Some(var);
        var
    }

    /// The subobject that the handler of each exception object receives.
    fn exception_seen(&mut self) -> Var {
        if let Some(var) = self.model.exception_seen {
            return var;
        }
        let var = self.model_memory("exception.seen");
        self.model.exception_seen = Some(var);
        var
    }

    /// The number of a type in selectors; 0 is none.
    pub(super) fn type_id(&mut self, type_info: Value) -> u32 {
        let next = self.type_ids.len() as u32 + 1;
        *self.type_ids.entry(type_info).or_insert(next)
    }
}

impl FunctionLifter<'_> {
    /// Branches after a call that may have thrown.
    pub fn after_throwing_call(&mut self, call: Value) {
        let pending = self.l.exception_pending();
        let pending = self.read_var(pending);
        let normal = self.l.builder.pool.not(pending);
        let start = self.at;
        self.emit(Op::Assume(pending));
        self.unwind(call);
        self.at = start;
        self.emit(Op::Assume(normal));
    }

    /// Goes to the landing pad of an invoke, or leaves the function.
    fn unwind(&mut self, call: Value) {
        if call.opcode() == Opcode::LLVMInvoke {
            self.jump(call.block(), call.unwind_destination());
        } else {
            self.return_exceptionally();
        }
    }

    /// Throws an exception.
    pub fn throw(&mut self, call: Value) {
        let (thrown, ty) = (self.scalar(call.operand(0)), self.scalar(call.operand(1)));
        let (types, object, pending) =
            (self.l.exception_types(), self.l.exception_object(), self.l.exception_pending());
        self.emit(Op::Store { memory: types, address: thrown, value: ty });
        self.assign(object, thrown);
        let yes = self.l.builder.pool.bool(true);
        self.assign(pending, yes);
        self.unwind(call);
        self.at = self.l.builder.add_location(self.id, LocationKind::Normal);
    }

    /// The subobject of the caught exception, as recorded by the landing pad.
    pub fn caught(&mut self, call: Value) {
        let object = self.scalar(call.operand(0));
        let seen = self.l.exception_seen();
        let memory = self.read_var(seen);
        let seen = self.l.builder.pool.read(memory, object, 1);
        self.define(call, Val::Scalar(seen));
    }

    /// `resume`: propagates the exception.
    pub fn resume(&mut self, i: Value) {
        let parts = self.parts(i.operand(0));
        let ty = i.operand(0).ty().element(0);
        let thrown = self.scalar_of(parts[0].clone(), ty);
        let (object, pending) = (self.l.exception_object(), self.l.exception_pending());
        self.assign(object, thrown);
        let yes = self.l.builder.pool.bool(true);
        self.assign(pending, yes);
        self.return_exceptionally();
    }

    /// The thrown pointer.
    fn thrown_pointer(&mut self, pad: Value, thrown: Expr) -> Expr {
        let bits = self.l.layout.pointer_bits();
        match self.l.points_to.cell(pad) {
            Some(cell) if self.l.is_known(cell) && self.l.is_accessed(cell, u64::from(bits / 8)) => {
                let place = self.pointer_at(thrown, cell);
                self.load_bits(place, bits)
            }
            _ => {
                let why = self.havoc_of_library(pad);
                self.unknown(Sort::Bits(bits), why)
            }
        }
    }

    /// The base class at an offset in an object; null stays null.
    fn base_at(&mut self, start: Expr, distance: i64) -> Expr {
        if distance == 0 {
            return start;
        }
        let (zero, base) = (self.address(0), self.moved(start, distance));
        let is_null = self.l.builder.pool.eq(start, zero);
        self.l.builder.pool.ite(is_null, start, base)
    }

    /// A landing pad catches the exception if a clause matches or it is a cleanup; otherwise the exception propagates.
    pub fn landing_pad(&mut self, pad: Value) {
        let (object, pending, types) =
            (self.l.exception_object(), self.l.exception_pending(), self.l.exception_types());
        let thrown = self.read_var(object);
        let memory = self.read_var(types);
        let ty = self.l.builder.pool.read(memory, thrown, 1);
        let ty = self.save(ty);
        let mut selector = self.bits(32, 0);
        let mut matched = self.l.builder.pool.bool(pad.is_cleanup());
        let mut seen = thrown;
        // Whether the match is a virtual base or a class with unknown bases.
        let mut hard = self.l.builder.pool.bool(false);
        let clauses: Vec<Value> = pad.clauses().map(resolve_alias).collect();
        for clause in clauses.into_iter().rev() {
            match clause.constant() {
                Some(Constant::Null) => {
                    selector = self.bits(32, u128::from(u32::MAX));
                    matched = self.l.builder.pool.bool(true);
                    hard = self.l.builder.pool.bool(false);
                    seen = thrown;
                }
                Some(Constant::Global) => {
                    let start = if handlers::is_pointer(clause) { self.thrown_pointer(pad, thrown) } else { thrown };
                    for (candidate, fit) in handlers::caught_types(self.l.module, clause) {
                        let Val::Scalar(address) = self.l.constant(candidate) else { continue };
                        let mut fits = self.l.builder.pool.eq(ty, address);
                        if fit == Fit::Perhaps {
                            let why = self.havoc_of_library(pad);
                            let perhaps = self.unknown(Sort::Bool, why);
                            fits = self.l.builder.pool.and(fits, perhaps);
                        }
                        let (part, is_hard) = match fit {
                            Fit::At(distance) => (self.base_at(start, distance), false),
                            _ => (start, true),
                        };
                        let id = self.l.type_id(clause);
                        let id = self.bits(32, u128::from(id));
                        let pool = &mut self.l.builder.pool;
                        let is_hard = pool.bool(is_hard);
                        seen = pool.ite(fits, part, seen);
                        hard = pool.ite(fits, is_hard, hard);
                        selector = pool.ite(fits, id, selector);
                        matched = pool.or(matched, fits);
                    }
                }
                _ => {
                    self.unsupported("an exception specification");
                    return self.define(pad, Val::Undefined);
                }
            }
        }
        let matched = self.save(matched);
        let passes = self.l.builder.pool.not(matched);
        let start = self.at;
        if self.l.builder.pool.as_const(passes).is_none_or(|c| c.is_true()) {
            self.assume(passes);
            self.return_exceptionally();
        }
        self.at = start;
        self.assume(matched);
        if self.l.builder.pool.as_const(hard).is_none_or(|c| c.is_true()) {
            let (here, easy) = (self.at, self.l.builder.pool.not(hard));
            self.assume(hard);
            self.unsupported("a handler for a virtual base, or for a class of which not all is known");
            self.at = here;
            self.assume(easy);
        }
        let selector = self.save(selector);
        let thrown = self.save(thrown);
        let memory = self.l.exception_seen();
        self.emit(Op::Store { memory, address: thrown, value: seen });
        let no = self.l.builder.pool.bool(false);
        self.assign(pending, no);
        self.set_value(pad, Val::Aggregate(vec![Val::Scalar(thrown), Val::Scalar(selector)]));
    }
}
