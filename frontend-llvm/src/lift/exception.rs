//! C++ exceptions: a pending exception makes every function on the way return at once, up to a landing pad that takes it.

use clew_verifier::cfa::{Cell as CellSort, Expr, Havoc, LocationKind, MemorySort, Op, Sort, Var};

use super::function::FunctionLifter;
use super::{Lifter, Val};
use crate::ir::{Constant, Opcode, Value};
use crate::names::Primitive;
use crate::pointsto::resolve_alias;

impl Lifter {
    fn model_memory(&mut self, name: &str) -> Var {
        let bits = self.layout.pointer_bits();
        self.model_var(name, Sort::Memory(MemorySort { address: bits, cell: CellSort::Bits(bits) }))
    }

    /// Is an exception on its way?
    pub(super) fn exception_pending(&mut self) -> Var {
        if let Some(var) = self.model.exception_pending {
            return var;
        }
        let var = self.model_var("exception.pending", Sort::Bool);
        self.model.exception_pending = Some(var);
        var
    }

    /// The exception object on its way.
    fn exception_object(&mut self) -> Var {
        if let Some(var) = self.model.exception_object {
            return var;
        }
        let sort = self.pointer_sort();
        let var = self.model_var("exception.object", sort);
        self.model.exception_object = Some(var);
        var
    }

    /// The exception being handled.
    fn exception_caught(&mut self) -> Var {
        if let Some(var) = self.model.exception_caught {
            return var;
        }
        let sort = self.pointer_sort();
        let var = self.model_var("exception.caught", sort);
        self.model.exception_caught = Some(var);
        var
    }

    /// The type of each exception object.
    fn exception_types(&mut self) -> Var {
        if let Some(var) = self.model.exception_types {
            return var;
        }
        let var = self.model_memory("exception.type");
        self.model.exception_types = Some(var);
        var
    }

    /// The exception that was being handled before each one.
    fn exception_previous(&mut self) -> Var {
        if let Some(var) = self.model.exception_previous {
            return var;
        }
        let var = self.model_memory("exception.previous");
        self.model.exception_previous = Some(var);
        var
    }

    /// The number that stands for a type in selectors; 0 is none.
    pub(super) fn type_id(&mut self, type_info: Value) -> u32 {
        let next = self.type_ids.len() as u32 + 1;
        *self.type_ids.entry(type_info).or_insert(next)
    }

    /// The types that a handler for `wanted` catches: surely, and perhaps, as some of their bases are not known.
    fn caught_types(&self, wanted: Value) -> Vec<(Value, Derived)> {
        let mut types: Vec<(Value, Derived)> = self
            .module
            .globals()
            .filter(|g| g.name().starts_with("_ZTI"))
            .map(|g| (g, is_derived(g, wanted, 64)))
            .filter(|&(_, derived)| derived != Derived::No)
            .collect();
        if !types.iter().any(|t| t.0 == wanted) {
            types.push((wanted, Derived::Yes));
        }
        types
    }
}

/// Does a class derive from another one?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Derived {
    No,
    Perhaps,
    Yes,
}

/// Is the class behind one type info the same as, or derived from, that of the other?
fn is_derived(type_info: Value, base: Value, depth: u32) -> Derived {
    if type_info == base {
        return Derived::Yes;
    }
    if is_fundamental(type_info) {
        return Derived::No;
    }
    let Some(initial) = type_info.initializer().filter(|_| depth > 0) else {
        // its bases are defined elsewhere
        return if is_fundamental(base) { Derived::No } else { Derived::Perhaps };
    };
    // vtable and name come first; bases follow, directly or among flags and offsets
    let operands = (2..initial.operand_count()).map(|i| initial.operand(i));
    let bases = operands.filter(|o| o.constant() == Some(Constant::Global) && o.name().starts_with("_ZTI"));
    bases.map(|o| is_derived(o, base, depth - 1)).max().unwrap_or(Derived::No)
}

/// Is it the type info of a type without bases: a number, a pointer?
fn is_fundamental(type_info: Value) -> bool {
    let Some(name) = type_info.name().strip_prefix("_ZTI") else { return false };
    name.starts_with('P') || (name.len() == 1 && name.starts_with(|c: char| c.is_ascii_lowercase()))
}

impl FunctionLifter<'_> {
    /// Behind a call that may have thrown.
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

    /// Leaves for the landing pad of an invoke, or the function.
    fn unwind(&mut self, call: Value) {
        if call.opcode() == Opcode::LLVMInvoke {
            self.jump(call.block(), call.unwind_destination());
        } else {
            self.return_exceptionally();
        }
    }

    /// Throwing, and the two ends of a handler.
    pub fn exception_primitive(&mut self, call: Value, primitive: Primitive) {
        let caught = self.l.exception_caught();
        match primitive {
            Primitive::Throw => {
                let (thrown, ty) = (self.scalar(call.operand(0)), self.scalar(call.operand(1)));
                let types = self.l.exception_types();
                self.emit(Op::Store { memory: types, address: thrown, value: ty });
                self.throw(call, thrown);
            }
            Primitive::Rethrow => {
                let current = self.read_var(caught);
                self.throw(call, current);
            }
            Primitive::BeginCatch => {
                let current = self.scalar(call.operand(0));
                let previous = self.l.exception_previous();
                let before = self.read_var(caught);
                self.emit(Op::Store { memory: previous, address: current, value: before });
                self.assign(caught, current);
                self.define(call, Val::Scalar(current));
            }
            _ => {
                let previous = self.l.exception_previous();
                let (memory, current) = (self.read_var(previous), self.read_var(caught));
                let before = self.l.builder.pool.read(memory, current, 1);
                self.assign(caught, before);
            }
        }
    }

    fn throw(&mut self, call: Value, thrown: Expr) {
        let (object, pending) = (self.l.exception_object(), self.l.exception_pending());
        self.assign(object, thrown);
        let yes = self.l.builder.pool.bool(true);
        self.assign(pending, yes);
        self.unwind(call);
        self.at = self.l.builder.add_location(self.id, LocationKind::Normal);
    }

    /// `resume`: the exception goes on.
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

    /// A landing pad takes the exception if a clause fits or there is something to clean up; else it goes on.
    pub fn landing_pad(&mut self, pad: Value) {
        let (object, pending, types) =
            (self.l.exception_object(), self.l.exception_pending(), self.l.exception_types());
        let thrown = self.read_var(object);
        let memory = self.read_var(types);
        let ty = self.l.builder.pool.read(memory, thrown, 1);
        let mut selector = self.bits(32, 0);
        let mut matched = self.l.builder.pool.bool(pad.is_cleanup());
        let clauses: Vec<Value> = pad.clauses().map(resolve_alias).collect();
        for clause in clauses.into_iter().rev() {
            match clause.constant() {
                Some(Constant::Null) => {
                    selector = self.bits(32, u128::from(u32::MAX));
                    matched = self.l.builder.pool.bool(true);
                }
                Some(Constant::Global) => {
                    let mut fits = self.l.builder.pool.bool(false);
                    for (candidate, derived) in self.l.caught_types(clause) {
                        let Val::Scalar(address) = self.l.constant(candidate) else { continue };
                        let mut same = self.l.builder.pool.eq(ty, address);
                        if derived == Derived::Perhaps {
                            let perhaps = self.unknown(Sort::Bool, Havoc::External);
                            same = self.l.builder.pool.and(same, perhaps);
                        }
                        fits = self.l.builder.pool.or(fits, same);
                    }
                    let id = self.l.type_id(clause);
                    let id = self.bits(32, u128::from(id));
                    selector = self.l.builder.pool.ite(fits, id, selector);
                    matched = self.l.builder.pool.or(matched, fits);
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
        let selector = self.save(selector);
        let thrown = self.save(thrown);
        let no = self.l.builder.pool.bool(false);
        self.assign(pending, no);
        self.set_value(pad, Val::Aggregate(vec![Val::Scalar(thrown), Val::Scalar(selector)]));
    }
}
