//! `setjmp` and `longjmp`: while a jump is pending, functions return immediately, up to the activation that has its target.
//!
//! A target is known by a number, which the model keeps in the `jmp_buf`. Where a function has one activation at most,
//! the number is a constant, and the activation remembers for which `jmp_buf` it called `setjmp`. Activations of recursive
//! functions count.

use clew_verifier::cfa::{FuncId, Havoc, LocId, LocationKind, Op, VarKind};
use clew_verifier::expr::{Expr, Sort, Var};
use rustc_hash::FxHashSet;

use super::function::{FunctionLifter, Written};
use super::memory::Pointer;
use super::{Lifter, Val};
use crate::ir::{Opcode, Value};
use crate::names::{self, Callee, Primitive};
use crate::pointsto::Object;

/// The name of the function that makes variables indeterminate, in messages.
const BY: &str = "longjmp";

/// Numbers of activations are multiples of this; the numbers of targets are below it.
const ACTIVATION: u128 = 1 << 16;

/// The calls of `setjmp` in a function.
#[derive(Default)]
pub(super) struct Targets {
    list: Vec<Target>,
    /// The number of the activation, in a recursive function.
    activation: Option<Var>,
    /// Instructions that jumps may repeat.
    repeated: FxHashSet<Value>,
}

/// A call of `setjmp`.
#[derive(Clone)]
struct Target {
    call: Value,
    number: u32,
    /// Where execution continues, the first time and after jumps.
    landing: LocId,
    /// The address of the `jmp_buf` of the last call; 0 before. Only in functions that do not recurse.
    environment: Option<Var>,
    result: Var,
    /// Stack slots with indeterminate contents after a jump.
    slots: Vec<Value>,
    /// Whether other values are indeterminate.
    values: bool,
}

/// The jump that is under way.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    is_pending: Var,
    mark: Var,
    environment: Var,
    value: Var,
}

impl Lifter {
    fn pending_jump(&mut self) -> Pending {
        if let Some(pending) = self.model.jump {
            return pending;
        }
        let bits = self.pointer_sort();
        let pending = Pending {
            is_pending: self.model_var("jump.pending", Sort::Bool),
            mark: self.model_var("jump.mark", bits),
            environment: self.model_var("jump.environment", bits),
            value: self.model_var("jump.value", Sort::Bits(32)),
        };
        self.model.jump = Some(pending);
        pending
    }

    /// The number of the next activation.
    fn jump_frames(&mut self) -> Var {
        if let Some(var) = self.model.jump_frames {
            return var;
        }
        let sort = self.pointer_sort();
        let var = self.model_var("jump.frames", sort);
        self.model.jump_frames = Some(var);
        var
    }

    /// The initial values of the variables of this model.
    pub(super) fn initial_jump(&mut self) -> Vec<(Var, Expr)> {
        let (no, bits) = (self.builder.pool.bool(false), self.layout.pointer_bits());
        let first = self.builder.pool.bits(bits, ACTIVATION);
        let pending = self.model.jump.map(|jump| (jump.is_pending, no));
        pending.into_iter().chain(self.model.jump_frames.map(|frames| (frames, first))).collect()
    }

    /// The functions that may be left by a jump.
    pub(super) fn find_jumping(&self) -> FxHashSet<Value> {
        let mut jumping = FxHashSet::default();
        loop {
            let before = jumping.len();
            for function in self.module.functions() {
                if function.body().any(|i| Self::is_call(i) && self.call_may_jump(i, &jumping)) {
                    jumping.insert(function);
                }
            }
            if jumping.len() == before {
                return jumping;
            }
        }
    }

    pub(super) fn call_may_jump(&self, call: Value, jumping: &FxHashSet<Value>) -> bool {
        if call.callee().is_inline_assembly() {
            return false;
        }
        self.possible_callees(call).into_iter().any(|callee| match names::classify(callee) {
            Callee::Primitive(Primitive::Jump) => true,
            Callee::Primitive(Primitive::RunDestructors) => self.destructors().iter().any(|d| jumping.contains(d)),
            Callee::Defined => jumping.contains(&callee),
            _ => false,
        })
    }

    /// Continues in the start function after a call, unless a jump is pending, whose target does not exist.
    pub(super) fn without_jump(&mut self, start: FuncId, at: LocId, callee: Value) -> LocId {
        if !self.may_jump.contains(&callee) {
            return at;
        }
        let function = self.function(callee);
        let place = self.builder.function(function).declared;
        let pending = self.pending_jump().is_pending;
        let pending = self.builder.pool.var(pending, Sort::Bool);
        let lost = self.builder.add_step(at, Op::Assume(pending), place);
        let halt = self.builder.add_location(start, LocationKind::Halt);
        let why = "longjmp to a call of setjmp that did not happen, or whose function has returned";
        self.builder.add_edge(lost, Op::Unsupported(why.into()), halt, place);
        let normal = self.builder.pool.not(pending);
        self.builder.add_step(at, Op::Assume(normal), place)
    }
}

impl FunctionLifter<'_> {
    /// Prepares the calls of `setjmp`, since jumps to them may be lifted before.
    pub fn declare_targets(&mut self) {
        let (indeterminate, repeated) = self.l.indeterminate(self.function);
        if indeterminate.is_empty() {
            return;
        }
        self.targets.repeated = repeated;
        let bits = self.l.pointer_sort();
        let is_recursive = self.l.recursive.contains(&self.function);
        if is_recursive {
            let (frames, mine) = (self.l.jump_frames(), self.local("jump.activation", bits, VarKind::Model));
            let number = self.read_var(frames);
            self.emit(Op::Assign(mine, number));
            let next = self.moved(number, ACTIVATION as i64);
            self.emit(Op::Assign(frames, next));
            self.targets.activation = Some(mine);
        }
        for indeterminate in indeterminate {
            self.l.jump_targets += 1;
            let environment = (!is_recursive).then(|| {
                let var = self.local("jump.target", bits, VarKind::Model);
                let none = self.address(0);
                self.emit(Op::Assign(var, none));
                var
            });
            let target = Target {
                call: indeterminate.target,
                number: self.l.jump_targets,
                landing: self.l.builder.add_location(self.id, LocationKind::Normal),
                environment,
                result: self.temporary(Sort::Bits(32)),
                slots: indeterminate.slots,
                values: indeterminate.values,
            };
            self.targets.list.push(target);
        }
    }

    /// Whether the instruction may run several times in an activation.
    pub fn is_repeated(&self, i: Value) -> bool {
        self.in_loop.contains(&i.block()) || self.targets.repeated.contains(&i)
    }

    /// The number of a target in this activation.
    fn mark_of(&mut self, number: u32) -> Expr {
        let number = self.address(number.into());
        match self.targets.activation {
            Some(activation) => {
                let activation = self.read_var(activation);
                self.l.builder.pool.add(activation, number)
            }
            None => number,
        }
    }

    /// The number that the next call of `setjmp` gets.
    pub fn jump_mark(&mut self, call: Value) {
        let target = self.targets.list.iter().find(|target| call.users().any(|user| user == target.call));
        match target.map(|target| target.number) {
            Some(number) => {
                let mark = self.mark_of(number);
                self.define(call, Val::Scalar(mark));
            }
            None => self.define(call, Val::Undefined),
        }
    }

    /// `setjmp`, where jumps arrive as well.
    pub fn set_jump(&mut self, call: Value) {
        let Some(target) = self.targets.list.iter().find(|target| target.call == call).cloned() else {
            return self.unsupported("setjmp");
        };
        if u128::from(target.number) >= ACTIVATION {
            return self.unsupported("so many calls of setjmp");
        }
        // Values that were computed before must not be computed again after a jump.
        self.save_readers(Written::Anything);
        if let Some(var) = target.environment {
            let environment = self.scalar(call.operand(0));
            self.assign(var, environment);
        }
        let zero = self.bits(32, 0);
        self.emit(Op::Assign(target.result, zero));
        self.emit_to(Op::Skip, target.landing);
        self.at = target.landing;
        self.checked.clear();
        let result = self.read_var(target.result);
        self.set_value(call, Val::Scalar(result));
    }

    /// `longjmp`.
    pub fn jump_to_mark(&mut self, call: Value) {
        let operands = [call.operand(0), call.operand(1), call.operand(2)];
        let [environment, mark, value] = operands.map(|operand| self.scalar(operand));
        let pending = self.l.pending_jump();
        for (var, value) in [(pending.environment, environment), (pending.mark, mark), (pending.value, value)] {
            self.assign(var, value);
        }
        let yes = self.l.builder.pool.bool(true);
        self.assign(pending.is_pending, yes);
        self.follow_jump(call);
        self.at = self.l.builder.add_location(self.id, LocationKind::Normal);
    }

    /// Branches after a call that may be left by a jump.
    pub fn after_jumping_call(&mut self, call: Value) {
        // Nothing may be saved on one of the branches only.
        self.save_readers(Written::Anything);
        let pending = self.l.pending_jump().is_pending;
        let pending = self.read_var(pending);
        let normal = self.l.builder.pool.not(pending);
        let start = self.at;
        self.emit(Op::Assume(pending));
        self.follow_jump(call);
        self.at = start;
        self.emit(Op::Assume(normal));
    }

    /// Goes to the target of the pending jump if this activation has it, else leaves the function.
    fn follow_jump(&mut self, call: Value) {
        let pending = self.l.pending_jump();
        for target in self.targets.list.clone() {
            let (mark, of_target) = (self.read_var(pending.mark), self.mark_of(target.number));
            let mut here = self.l.builder.pool.eq(mark, of_target);
            if let Some(var) = target.environment {
                let (wanted, set) = (self.read_var(pending.environment), self.read_var(var));
                let same = self.l.builder.pool.eq(wanted, set);
                here = self.l.builder.pool.and(here, same);
            }
            let start = self.at;
            self.assume(here);
            self.land(&target);
            self.at = start;
            let elsewhere = self.l.builder.pool.not(here);
            self.assume(elsewhere);
        }
        if call.opcode() == Opcode::LLVMInvoke && has_cleanup(call) {
            return self.unsupported("longjmp past objects with destructors");
        }
        self.return_exceptionally();
    }

    /// Arrives at a target.
    fn land(&mut self, target: &Target) {
        let pending = self.l.pending_jump();
        let value = self.read_var(pending.value);
        self.emit(Op::Assign(target.result, value));
        let no = self.l.builder.pool.bool(false);
        self.emit(Op::Assign(pending.is_pending, no));
        if target.values {
            return self.unsupported("longjmp to a function that has changed its result or values without a variable");
        }
        for &slot in &target.slots {
            let Some(cell) = self.l.points_to.cell(slot) else { continue };
            let object = Object::Alloca(slot);
            if !self.l.has_fixed_address(object) && self.known_value(slot).is_none() {
                return self.unsupported("longjmp to a function with arrays of variable length");
            }
            let by = self.l.external(BY);
            let memories = self.l.node_vars(cell.node);
            let bytes = self.l.object_bytes(object);
            let first = self.at;
            self.forget(Pointer::of(slot, cell), bytes, Havoc::External(by));
            if self.at != first {
                self.l.builder.outside.objects.push((first, by, memories));
            }
        }
        self.emit_to(Op::Skip, target.landing);
    }
}

/// Whether an exception from this call would run destructors.
fn has_cleanup(invoke: Value) -> bool {
    let pad = invoke.unwind_destination().instructions().find(|i| i.opcode() == Opcode::LLVMLandingPad);
    pad.is_none_or(|pad| pad.is_cleanup())
}
