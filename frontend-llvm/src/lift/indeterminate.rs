//! What a function may have changed between `setjmp` and `longjmp`, which is indeterminate after the jump.
//!
//! C promises nothing about local variables that changed in between, unless they are volatile: a compiler that keeps one
//! in a register may restore its old value. A variable whose address `setjmp` itself receives is in memory in any case.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Lifter;
use crate::ir::{Block, Constant, Opcode, Value};
use crate::names::{self, Callee, Primitive};

/// What is indeterminate after a jump to one call of `setjmp`.
pub(super) struct Indeterminate {
    /// The call of `setjmp`.
    pub target: Value,
    /// Stack slots, in order.
    pub slots: Vec<Value>,
    /// Whether there is more: values without a slot, which only optimised bitcode has, or the result of the function.
    pub values: bool,
}

/// How the instructions of a function lie between its calls of `setjmp` and jumps.
struct Between {
    entry: Option<Block>,
    order: FxHashMap<Value, usize>,
    successors: FxHashMap<Block, Vec<Block>>,
    targets: Vec<Value>,
    /// Instructions that may run after some target. A jump to one target may be followed by a jump to another.
    after: FxHashSet<Value>,
    /// For each target, instructions from which a jump may be reached before the target runs again.
    before: FxHashMap<Value, FxHashSet<Value>>,
}

impl Between {
    fn of(function: Value, targets: Vec<Value>, jumps: &[Value]) -> Between {
        let order: FxHashMap<Value, usize> = function.body().enumerate().map(|(n, i)| (i, n)).collect();
        let mut successors: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        let mut predecessors: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        for block in function.blocks() {
            for next in block.terminator().successors() {
                successors.entry(block).or_default().push(next);
                predecessors.entry(next).or_default().push(block);
            }
        }
        let mut after = FxHashSet::default();
        for &target in &targets {
            after.extend(target.block().instructions().filter(|i| order[i] > order[&target]));
            let mut seen = FxHashSet::default();
            let mut stack = successors.get(&target.block()).cloned().unwrap_or_default();
            while let Some(block) = stack.pop() {
                if seen.insert(block) {
                    after.extend(block.instructions());
                    stack.extend(successors.get(&block).into_iter().flatten());
                }
            }
        }
        let before_jumps = |target: Value| {
            let mut before = FxHashSet::default();
            // Blocks, with the instruction up to which they run.
            let mut stack: Vec<Value> = jumps.to_vec();
            let mut seen = FxHashSet::default();
            while let Some(last) = stack.pop() {
                if !seen.insert(last) {
                    continue;
                }
                let block = last.block();
                let passes_target = block == target.block() && order[&target] < order[&last];
                let is_before = |i: &Value| order[i] <= order[&last] && !(passes_target && order[i] <= order[&target]);
                before.extend(block.instructions().filter(is_before));
                if !passes_target {
                    stack.extend(predecessors.get(&block).into_iter().flatten().map(|b| b.terminator()));
                }
            }
            before
        };
        let before = targets.iter().map(|&target| (target, before_jumps(target))).collect();
        Between { entry: function.blocks().next(), order, successors, targets, after, before }
    }

    /// Whether the instruction may run between a call of the target and a jump to it.
    fn contains(&self, target: Value, i: Value) -> bool {
        self.after.contains(&i) && self.before[&target].contains(&i)
    }

    /// Whether `first` has run whenever `second` runs.
    fn is_always_before(&self, first: Value, second: Value) -> bool {
        if first.block() == second.block() {
            return self.order[&first] <= self.order[&second];
        }
        let mut seen = FxHashSet::from_iter([first.block()]);
        let mut stack: Vec<Block> = self.entry.into_iter().collect();
        while let Some(block) = stack.pop() {
            if seen.insert(block) {
                if block == second.block() {
                    return false;
                }
                stack.extend(self.successors.get(&block).into_iter().flatten());
            }
        }
        true
    }

    /// Whether `user` may run after a target without that `value` runs again before.
    fn is_kept(&self, target: Value, value: Value, user: Value) -> bool {
        let at = |i: Value| self.order[&i];
        if at(value) >= at(target) && value.block() == target.block() {
            return false;
        }
        if user.block() == target.block() && at(user) > at(target) {
            return true;
        }
        let mut seen = FxHashSet::from_iter([value.block()]);
        let mut stack = self.successors.get(&target.block()).cloned().unwrap_or_default();
        while let Some(block) = stack.pop() {
            if seen.insert(block) {
                if block == user.block() {
                    return true;
                }
                stack.extend(self.successors.get(&block).into_iter().flatten());
            }
        }
        false
    }
}

impl Lifter {
    /// The calls of `setjmp` in a function.
    pub(super) fn targets_in(function: Value) -> Vec<Value> {
        let is_target = |i: &Value| {
            Self::is_call(*i)
                && i.callee().is_function()
                && names::classify(i.callee()) == Callee::Primitive(Primitive::SetJump)
        };
        function.body().filter(is_target).collect()
    }

    /// The calls in a function that may be left by a jump.
    fn jumps_in(&self, function: Value) -> Vec<Value> {
        function.body().filter(|&i| Self::is_call(i) && self.call_may_jump(i, &self.may_jump)).collect()
    }

    /// What is indeterminate after a jump, for each call of `setjmp` in a function; and the instructions that jumps
    /// may repeat.
    pub(super) fn indeterminate(&self, function: Value) -> (Vec<Indeterminate>, FxHashSet<Value>) {
        let targets = Self::targets_in(function);
        if targets.is_empty() {
            return Default::default();
        }
        let between = Between::of(function, targets, &self.jumps_in(function));
        let slots: Vec<Value> = function.body().filter(|i| is_slot(*i)).collect();
        // C++ may build a local variable where the caller wants the result.
        let is_result = |n: usize| function.param_has_attribute(n as u32, "sret");
        let result = function.params().enumerate().find(|(n, _)| is_result(*n)).map(|(_, param)| param);
        let of_target = |&target: &Value| {
            let is_lost = |slot: &Value| {
                let uses = Slot::of(*slot, target, &between);
                uses.is_changed && !uses.captures.iter().any(|&by| between.is_always_before(by, target))
            };
            let is_kept = |value: Value| value.users().any(|user| between.is_kept(target, value, user));
            let mut computed = function.body().filter(|&i| between.contains(target, i));
            Indeterminate {
                target,
                slots: slots.iter().copied().filter(is_lost).collect(),
                values: computed.any(is_kept) || result.is_some_and(|result| is_lost(&result)),
            }
        };
        let found = between.targets.iter().map(of_target).collect();
        (found, between.before.into_values().flatten().filter(|i| between.after.contains(i)).collect())
    }
}

/// How a stack slot is used.
struct Slot {
    /// Whether it is not volatile and may be written in between.
    is_changed: bool,
    /// Calls of `setjmp` that receive its address.
    captures: Vec<Value>,
}

impl Slot {
    fn of(slot: Value, target: Value, between: &Between) -> Slot {
        let (mut is_changed, mut is_direct, mut is_volatile) = (false, false, true);
        let mut captures = Vec::new();
        let mut pointers = vec![slot];
        while let Some(pointer) = pointers.pop() {
            for user in pointer.users() {
                match user.opcode() {
                    Opcode::LLVMGetElementPtr => pointers.push(user),
                    Opcode::LLVMLoad => {
                        is_direct = true;
                        is_volatile &= user.is_volatile();
                    }
                    Opcode::LLVMStore if user.operand(0) != pointer => {
                        is_direct = true;
                        is_volatile &= user.is_volatile();
                        is_changed |= between.contains(target, user);
                    }
                    Opcode::LLVMCall if is_marker(user) => {}
                    Opcode::LLVMCall if is_block_operation(user) => {
                        is_direct = true;
                        is_volatile &= user.operand(3).constant() == Some(Constant::Integer(1));
                        is_changed |= user.operand(0) == pointer && between.contains(target, user);
                    }
                    // Its address is known elsewhere, so that any call may write it.
                    _ => {
                        is_changed = true;
                        captures.extend(between.targets.contains(&user).then_some(user));
                    }
                }
            }
        }
        Slot { is_changed: is_changed && !(is_direct && is_volatile), captures }
    }
}

fn is_slot(value: Value) -> bool {
    value.is_instruction() && value.opcode() == Opcode::LLVMAlloca
}

fn is_marker(call: Value) -> bool {
    let name = call.callee().name();
    name.starts_with("llvm.lifetime") || name.starts_with("llvm.dbg")
}

fn is_block_operation(call: Value) -> bool {
    let name = call.callee().name();
    ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."].iter().any(|prefix| name.starts_with(prefix))
}
