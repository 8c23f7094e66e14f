//! The checks that clang adds for `-fsanitize-trap`: branches to blocks that only trap.
//!
//! A check is part of straight-line code, so lifting continues after it as if there were no branch. The number of a trap
//! gives the kind of property; where clang uses one number for several kinds, the condition decides.

use rustc_hash::{FxHashMap, FxHashSet};

use clew_verifier::cfa::{LocationKind, Op, Operand, Program, Property, PropertyKind};
use clew_verifier::expr::{BinaryOp, Expr, Node, Sort, UnaryOp, Value as Constant};
use clew_verifier::print::Printer;

use super::Val;
use super::function::FunctionLifter;
use crate::ir::{Block, Opcode, TypeKind, Value};
use crate::names;

/// Values of clang's `SanitizerHandler`, the argument of `llvm.ubsantrap`, whose checks are lifted specially.
const ADD_OVERFLOW: u8 = 0;
const DIVREM_OVERFLOW: u8 = 3;
const FLOAT_CAST_OVERFLOW: u8 = 5;
const IMPLICIT_CONVERSION: u8 = 7;
const MUL_OVERFLOW: u8 = 12;
const NEGATE_OVERFLOW: u8 = 13;
const OUT_OF_BOUNDS: u8 = 18;
const SHIFT_OUT_OF_BOUNDS: u8 = 20;
const SUB_OVERFLOW: u8 = 21;
const TYPE_MISMATCH: u8 = 22;
const VLA_BOUND: u8 = 24;

/// A branch to a block that only traps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Check {
    /// The argument of `llvm.ubsantrap`.
    number: u8,
    /// The value of the condition for which the check holds.
    holds: bool,
    /// The successor if the check holds.
    next: Block,
}

/// The straight lines of a function: sequences of blocks connected by checks.
#[derive(Default, Debug)]
pub(super) struct Lines {
    checks: FxHashMap<Block, Check>,
    /// The next block in the same line.
    next: FxHashMap<Block, Block>,
    /// The first block of the line of a block, unless the block itself is the first.
    first: FxHashMap<Block, Block>,
    /// Checks of the left operand of a shift, by the block that branches to them.
    shift_bases: FxHashMap<Block, ShiftBase>,
    /// Trap blocks that only checks enter.
    traps: FxHashSet<Block>,
}

/// The check of the left operand of a shift, which clang skips if the distance is out of range.
#[derive(Clone, Copy, Debug)]
struct ShiftBase {
    block: Block,
    phi: Value,
}

/// A kind of property that a check can violate.
struct Violation {
    kind: PropertyKind,
    /// The condition of the violation.
    condition: Expr,
    /// The message, with `{0}` for the first operand.
    message: String,
    operands: Vec<Operand>,
}

impl Lines {
    /// Finds the checks in the reachable blocks of a function.
    pub fn of(reachable: &[Block]) -> Lines {
        let mut lines = Lines::default();
        let mut entering: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        for &block in reachable {
            block.terminator().successors().for_each(|to| entering.entry(to).or_default().push(block));
            lines.checks.extend(check_of(block).map(|check| (block, check)));
        }
        if lines.checks.is_empty() {
            return lines;
        }
        let enters = |block: Block| entering.get(&block).map_or(&[][..], Vec::as_slice);
        for (&block, check) in &lines.checks {
            if enters(check.next) == [block] && !starts_with_phi(check.next) && check.next != block {
                lines.next.insert(block, check.next);
            }
        }
        for &block in reachable {
            let Some(base) = shift_base(block, &lines.checks) else { continue };
            let behind = base.phi.block();
            if enters(base.block) == [block] && enters(behind).len() == 2 && behind != block {
                lines.next.insert(block, behind);
                lines.shift_bases.insert(block, base);
                lines.first.insert(base.block, block);
            }
        }
        let followers: Vec<(Block, Block)> = lines.next.iter().map(|(&block, &next)| (next, block)).collect();
        lines.first.extend(followers);
        // So far, `first` maps each block to its predecessor. The chains are acyclic: every cycle that the entry reaches has
        // a block with two predecessors, which no line continues into.
        let blocks: Vec<Block> = lines.first.keys().copied().collect();
        for block in blocks {
            let mut first = block;
            while let Some(&before) = lines.first.get(&first) {
                first = before;
            }
            lines.first.insert(block, first);
        }
        let by_check = |block: &Block, to: Block| lines.checks.get(block).is_some_and(|check| check.next != to);
        let traps = reachable.iter().copied().filter(|&b| trap_number(b).is_some());
        let traps = traps.filter(|&b| !enters(b).is_empty() && enters(b).iter().all(|from| by_check(from, b)));
        lines.traps = traps.collect();
        lines
    }

    /// Whether a block is lifted as part of another block's line, or is only a trap.
    pub fn is_inner(&self, block: Block) -> bool {
        self.first.contains_key(&block) || self.traps.contains(&block)
    }

    /// The first block of the line of `block`.
    pub fn first(&self, block: Block) -> Block {
        self.first.get(&block).copied().unwrap_or(block)
    }

    /// The block after `block` in its line.
    pub fn next(&self, block: Block) -> Option<Block> {
        self.next.get(&block).copied()
    }
}

/// The check that a block ends with.
fn check_of(block: Block) -> Option<Check> {
    let branch = block.terminator();
    if branch.opcode() != Opcode::LLVMBr || branch.successor_count() != 2 {
        return None;
    }
    let [on_true, on_false] = [branch.successor(0), branch.successor(1)];
    match (trap_number(on_true), trap_number(on_false)) {
        (None, Some(number)) => Some(Check { number, holds: true, next: on_true }),
        (Some(number), None) => Some(Check { number, holds: false, next: on_false }),
        _ => None,
    }
}

/// The argument of `llvm.ubsantrap`, if the block only traps.
fn trap_number(block: Block) -> Option<u8> {
    let mut instructions = block.instructions().filter(|&i| !is_debug(i));
    let (call, end) = (instructions.next()?, instructions.next()?);
    let is_trap = call.opcode() == Opcode::LLVMCall
        && call.callee().is_function()
        && call.callee().name() == "llvm.ubsantrap"
        && end.opcode() == Opcode::LLVMUnreachable;
    // Evaluated lazily, since a landing pad may have no operand.
    match is_trap.then(|| call.operand(0).constant())? {
        Some(crate::ir::Constant::Integer(number)) => u8::try_from(number).ok(),
        _ => None,
    }
}

fn is_debug(i: Value) -> bool {
    i.opcode() == Opcode::LLVMCall && i.callee().is_function() && i.callee().name().starts_with("llvm.dbg.")
}

fn starts_with_phi(block: Block) -> bool {
    block.instructions().next().is_some_and(|i| i.opcode() == Opcode::LLVMPHI)
}

/// The block between `block` and a check of a shift that checks the left operand.
fn shift_base(block: Block, checks: &FxHashMap<Block, Check>) -> Option<ShiftBase> {
    let branch = block.terminator();
    if branch.opcode() != Opcode::LLVMBr || branch.successor_count() != 2 {
        return None;
    }
    let (base, behind) = (branch.successor(0), branch.successor(1));
    let is_pure = |i: Value| {
        use Opcode::*;
        matches!(i.opcode(), LLVMSub | LLVMLShr | LLVMICmp | LLVMZExt | LLVMTrunc | LLVMBr) || is_debug(i)
    };
    let leads_on = base.terminator().opcode() == Opcode::LLVMBr
        && base.terminator().successor_count() == 1
        && base.terminator().successor(0) == behind;
    let mut phis = behind.instructions().take_while(|i| i.opcode() == Opcode::LLVMPHI);
    let (Some(phi), None) = (phis.next(), phis.next()) else { return None };
    let is_check = checks.get(&behind).is_some_and(|check| check.number == SHIFT_OUT_OF_BOUNDS);
    (leads_on && is_check && base.instructions().all(is_pure)).then_some(ShiftBase { block: base, phi })
}

/// Whether a value is a call of an intrinsic `*.with.overflow`.
pub(super) fn is_with_overflow(value: Value) -> bool {
    value.is_instruction()
        && value.opcode() == Opcode::LLVMCall
        && value.callee().is_function()
        && names::intrinsic_stem(value.callee().name()).ends_with(".with.overflow")
}

impl FunctionLifter<'_> {
    /// Lifts the terminator of a block that ends in a check, or inside of a line. Returns `false` for other blocks.
    pub fn check(&mut self, branch: Value) -> bool {
        let block = branch.block();
        if let Some(&base) = self.lines.shift_bases.get(&block) {
            self.shift_base(branch, base);
            return true;
        }
        let Some(&check) = self.lines.checks.get(&block) else { return false };
        let condition = self.scalar(branch.operand(0));
        let failed = if check.holds { self.l.builder.pool.not(condition) } else { condition };
        let violations = self.violations(branch, check, failed);
        // Deferred values are evaluated on the continuing path.
        for violation in violations {
            self.split(violation);
        }
        if self.lines.next(block).is_none() {
            self.jump(block, check.next);
        }
        true
    }

    /// Lifts the check of the left operand of a shift as one expression: `distance in range ? base fits : true`.
    fn shift_base(&mut self, branch: Value, base: ShiftBase) {
        let condition = self.scalar(branch.operand(0));
        for instruction in base.block.instructions() {
            self.consume_operands(instruction);
            if instruction != base.block.terminator() {
                self.instruction(instruction);
            }
        }
        let mut decided = |from: Block| {
            let value = base.phi.incoming().find(|&(_, block)| block == from).map(|(value, _)| value);
            value.map(|value| self.scalar(value))
        };
        let (fits, otherwise) = (decided(base.block), decided(branch.block()));
        let (Some(fits), Some(otherwise)) = (fits, otherwise) else { return };
        let value = self.l.builder.pool.ite(condition, fits, otherwise);
        self.define(base.phi, Val::Scalar(value));
    }

    /// Adds an error location for the violation, and continues under its negation.
    fn split(&mut self, violation: Violation) {
        let Violation { kind, condition, message, operands } = violation;
        let property = Property { kind, message: message.into(), operands: operands.into(), place: self.source };
        let holds = self.l.builder.pool.not(condition);
        match self.l.builder.pool.as_const(condition) {
            Some(Constant::Bool(false)) => {}
            Some(_) => self.end_path(Op::Skip, LocationKind::Error(property)),
            None => {
                let error = self.l.builder.add_location(self.id, LocationKind::Error(property));
                self.emit_to(Op::Assume(condition), error);
                self.assume(holds);
            }
        }
    }

    /// Lifts a trap without a check, or whose check does not determine which of several kinds is violated.
    pub fn trap(&mut self, number: u8) {
        let kinds: Vec<PropertyKind> = PropertyKind::all().filter(|kind| kind.has_trap(number)).collect();
        let selected = kinds.iter().filter(|&&kind| self.l.selected.contains(kind)).count();
        match kinds.first() {
            Some(&kind) if selected == kinds.len() || selected == 0 => self.error(kind, kind.message()),
            Some(_) => {
                let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
                self.unsupported(&format!("a check that is one of {}", names.join(", ")));
            }
            None => self.unsupported(&format!("the check number {number} of clang")),
        }
    }

    /// The violations of a failed check, in order. If none of its kinds is selected, all are kept, so that the program ends
    /// there as the compiled one does; otherwise only the selected ones are kept.
    fn violations(&mut self, branch: Value, check: Check, failed: Expr) -> Vec<Violation> {
        let found = match check.number {
            ADD_OVERFLOW | SUB_OVERFLOW | MUL_OVERFLOW | NEGATE_OVERFLOW => self.overflow(branch, check, failed),
            DIVREM_OVERFLOW => self.division(check, failed),
            SHIFT_OUT_OF_BOUNDS => self.shift_check(branch, check, failed),
            TYPE_MISMATCH => self.pointer_use(branch, check),
            number => self.only_kind(branch, number, failed).map(|violation| vec![violation]),
        };
        let Some(mut found) = found else {
            self.unattributed(check.number, failed);
            return Vec::new();
        };
        if found.iter().any(|violation| self.l.selected.contains(violation.kind)) {
            found.retain(|violation| self.l.selected.contains(violation.kind));
        }
        found
    }

    /// Lifts a failed check that does not determine which of several kinds is violated.
    fn unattributed(&mut self, number: u8, failed: Expr) {
        if self.l.builder.pool.as_const(failed) == Some(Constant::Bool(false)) {
            return;
        }
        let start = self.at;
        self.assume(failed);
        self.trap(number);
        self.at = start;
        let holds = self.l.builder.pool.not(failed);
        self.assume(holds);
    }

    /// An operand for the message.
    fn operand(&mut self, value: Value, is_signed: bool) -> Operand {
        let mut operand = Operand { value: self.scalar(value), is_signed };
        // Extensions do not change the number.
        while let Node::Unary(op @ (UnaryOp::ZeroExtend(_) | UnaryOp::SignExtend(_)), narrow) =
            self.l.builder.pool.node(operand.value)
        {
            operand = Operand { value: narrow, is_signed: matches!(op, UnaryOp::SignExtend(_)) };
        }
        operand
    }

    /// Overflow of a sum, difference, product or negation. The intrinsic determines the signedness.
    fn overflow(&mut self, branch: Value, check: Check, failed: Expr) -> Option<Vec<Violation>> {
        let call = overflowing(branch.operand(0))?;
        let is_signed = names::intrinsic_stem(call.callee().name()).starts_with('s');
        let kind = if is_signed { PropertyKind::Overflow } else { PropertyKind::UnsignedOverflow };
        let sign = match check.number {
            ADD_OVERFLOW => "+",
            MUL_OVERFLOW => "*",
            _ => "-",
        };
        let (skipped, text) = match check.number {
            NEGATE_OVERFLOW => (1, "-{0}".to_string()),
            _ => (0, format!("{{0}} {sign} {{1}}")),
        };
        let what = if is_signed { "overflows" } else { "wraps around" };
        let message = format!("{text} {what}{}", self.type_text(call.operand(0), is_signed));
        let operands = call.args().skip(skipped).map(|arg| self.operand(arg, is_signed)).collect();
        Some(vec![Violation { kind, condition: failed, message, operands }])
    }

    /// The type that the result does not fit, for messages. LLVM types have only a width.
    fn type_text(&self, value: Value, is_signed: bool) -> String {
        match (value.ty().kind(), is_signed) {
            (TypeKind::Integer(32), true) => " int".into(),
            (TypeKind::Integer(32), false) => " in unsigned int".into(),
            (TypeKind::Integer(width), true) => format!(" a signed integer of {width} bits"),
            (TypeKind::Integer(width), false) => format!(" in {width} bits"),
            _ => String::new(),
        }
    }

    /// Division by zero, or of the smallest number by -1. The operands are those of the division after the check.
    fn division(&mut self, check: Check, failed: Expr) -> Option<Vec<Violation>> {
        use Opcode::*;
        let division = check.next.instructions().find(|&i| !is_debug(i))?;
        let (sign, is_signed) = match division.opcode() {
            LLVMSDiv => ("/", true),
            LLVMUDiv => ("/", false),
            LLVMSRem => ("%", true),
            LLVMURem => ("%", false),
            _ => return None,
        };
        let divisor = self.scalar(division.operand(1));
        let [a, b] = [division.operand(0), division.operand(1)].map(|value| self.operand(value, is_signed));
        let Sort::Bits(width) = self.l.builder.pool.sort(divisor) else { return None };
        let zero = self.bits(width, 0);
        let pool = &mut self.l.builder.pool;
        let is_zero = pool.eq(divisor, zero);
        let not_zero = pool.not(is_zero);
        // The check of an unsigned division fails only for zero.
        let by_zero = if is_signed { pool.and(failed, is_zero) } else { failed };
        let too_large = pool.and(failed, not_zero);
        let text = format!("{{0}} {sign} {{1}}");
        let mut found = vec![Violation {
            kind: PropertyKind::Division,
            condition: by_zero,
            message: format!("{text} divides by zero"),
            operands: vec![a, b],
        }];
        if is_signed {
            found.push(Violation {
                kind: PropertyKind::Overflow,
                condition: too_large,
                message: format!("{text} overflows{}", self.type_text(division, true)),
                operands: vec![a, b],
            });
        }
        Some(found)
    }

    /// A shift. A signed left shift overflows if `a * 2^b` is not representable. A negative distance, or a negative left
    /// operand whose product is representable, violates `shift` only.
    fn shift_check(&mut self, branch: Value, check: Check, failed: Expr) -> Option<Vec<Violation>> {
        use Opcode::*;
        let shift = check.next.instructions().find(|&i| !is_debug(i))?;
        let sign = match shift.opcode() {
            LLVMShl => "<<",
            LLVMLShr | LLVMAShr => ">>",
            _ => return None,
        };
        // clang checks the left operand only of signed shifts, and only in languages that do not define all of them.
        let condition = branch.operand(0);
        let is_phi = |value: Value| value.is_instruction() && value.opcode() == LLVMPHI;
        let looks_at_base = is_phi(condition) || (condition.is_instruction() && condition.operands().any(is_phi));
        let is_signed = shift.opcode() == LLVMAShr || looks_at_base;
        let (a, b) = (self.operand(shift.operand(0), is_signed), self.operand(shift.operand(1), true));
        let text = format!("{{0}} {sign} {{1}}");
        let undefined = Violation {
            kind: PropertyKind::Shift,
            condition: failed,
            message: format!("the distance or the left operand of {text} is out of range"),
            operands: vec![a, b],
        };
        if !(looks_at_base && shift.opcode() == LLVMShl) {
            return Some(vec![undefined]);
        }
        let [value, distance] = [shift.operand(0), shift.operand(1)].map(|value| self.scalar(value));
        let Sort::Bits(width) = self.l.builder.pool.sort(value) else { return None };
        let (zero, limit) = (self.bits(width, 0), self.bits(width, u128::from(width)));
        let pool = &mut self.l.builder.pool;
        let shifted = pool.binary(BinaryOp::ShiftLeft, value, distance);
        let back = pool.binary(BinaryOp::ShiftRightSigned, shifted, distance);
        let is_kept = pool.eq(back, value);
        let is_lost = pool.not(is_kept);
        let is_zero = pool.eq(value, zero);
        let is_something = pool.not(is_zero);
        let is_forward = pool.binary(BinaryOp::SignedLessEq, zero, distance);
        let beyond = pool.and(is_something, is_forward);
        let in_range = pool.binary(BinaryOp::UnsignedLess, distance, limit);
        let too_large = pool.ite(in_range, is_lost, beyond);
        let overflow = Violation {
            kind: PropertyKind::Overflow,
            condition: pool.and(failed, too_large),
            message: format!("{text} overflows{}", self.type_text(shift, true)),
            operands: vec![a, b],
        };
        Some(vec![overflow, undefined])
    }

    /// A null or misaligned pointer.
    fn pointer_use(&mut self, branch: Value, check: Check) -> Option<Vec<Violation>> {
        if !check.holds {
            return None;
        }
        let mut parts = Vec::new();
        conjuncts(branch.operand(0), branch.block(), &mut parts);
        // The parts are evaluated at the branch, so nothing may be written in between.
        if !parts.iter().all(|&part| is_computed_last(part, branch)) {
            return None;
        }
        let null =
            if self.l.selected.contains(PropertyKind::Null) { PropertyKind::Null } else { PropertyKind::Nullability };
        let mut found = Vec::new();
        for part in parts {
            let (kind, message, pointer) = match pointer_condition(part)? {
                PointerCondition::NotNull(pointer) => (null, "{0} is null", pointer),
                PointerCondition::Aligned(pointer) => {
                    (PropertyKind::Alignment, "{0} is not aligned for its type", pointer)
                }
            };
            let holds = self.scalar(part);
            let pointer = self.operand(pointer, false);
            let condition = self.l.builder.pool.not(holds);
            found.push(Violation { kind, condition, message: message.into(), operands: vec![pointer] });
        }
        Some(found)
    }

    /// A check whose number determines the kind.
    fn only_kind(&mut self, branch: Value, number: u8, failed: Expr) -> Option<Violation> {
        let mut kinds = PropertyKind::all().filter(|kind| kind.has_trap(number));
        let (kind, None) = (kinds.next()?, kinds.next()) else { return None };
        let condition = branch.operand(0);
        let compared = |opcode: Opcode, i: u32| {
            (condition.is_instruction() && condition.opcode() == opcode).then(|| condition.operand(i))
        };
        let (message, value, is_signed) = match number {
            OUT_OF_BOUNDS => match (compared(Opcode::LLVMICmp, 0), compared(Opcode::LLVMICmp, 1)) {
                (Some(index), Some(length)) => {
                    let operands = vec![self.operand(index, true), self.operand(length, false)];
                    let message = "the index {0} is out of bounds, the array has {1} elements".into();
                    return Some(Violation { kind, condition: failed, message, operands });
                }
                _ => ("", None, true),
            },
            VLA_BOUND => ("the length of an array, {0}, is not positive", compared(Opcode::LLVMICmp, 0), true),
            IMPLICIT_CONVERSION => {
                let value = compared(Opcode::LLVMICmp, 1).filter(|v| v.ty().kind() != TypeKind::Integer(1));
                ("an implicit conversion changes the value {0}", value, true)
            }
            FLOAT_CAST_OVERFLOW => {
                let first =
                    compared(Opcode::LLVMAnd, 0).filter(|c| c.is_instruction() && c.opcode() == Opcode::LLVMFCmp);
                ("{0} does not fit the type that it is converted to", first.map(|c| c.operand(0)), true)
            }
            _ => ("", None, true),
        };
        let (message, operands) = match value {
            Some(value) => (message, vec![self.operand(value, is_signed)]),
            None => (kind.message(), Vec::new()),
        };
        Some(Violation { kind, condition: failed, message: message.into(), operands })
    }
}

/// Inserts the names of operands into messages.
pub(super) fn name_operands(program: &mut Program) {
    let mut named = Vec::new();
    let printer = Printer::new(program);
    for (location, property) in program.error_locations().filter(|(_, property)| !property.operands.is_empty()) {
        let printer = printer.inside(program.location(location).function);
        let mut message = property.message.to_string();
        for (i, operand) in property.operands.iter().enumerate() {
            let text = printer.expr(operand.value);
            let text = if text.contains(' ') { format!("({text})") } else { text };
            message = message.replace(&format!("{{{i}}}"), &text);
        }
        named.push((location, message));
    }
    for (location, text) in named {
        if let LocationKind::Error(property) = &mut program.locations[location.index()].kind {
            property.message = text.into();
        }
    }
}

/// The intrinsic whose overflow bit, or its negation, is the condition.
fn overflowing(condition: Value) -> Option<Value> {
    let mut value = condition;
    while value.is_instruction() {
        match value.opcode() {
            Opcode::LLVMXor => value = value.operand(0),
            Opcode::LLVMExtractValue if value.indices() == [1] => {
                return Some(value.operand(0)).filter(|&call| is_with_overflow(call));
            }
            _ => break,
        }
    }
    None
}

/// A condition on a pointer.
enum PointerCondition {
    NotNull(Value),
    Aligned(Value),
}

fn pointer_condition(condition: Value) -> Option<PointerCondition> {
    use crate::ir::{Constant, Predicate};
    use llvm_sys::LLVMIntPredicate::{LLVMIntEQ, LLVMIntNE};
    if !condition.is_instruction() || condition.opcode() != Opcode::LLVMICmp {
        return None;
    }
    let Predicate::Int(predicate) = condition.predicate(Opcode::LLVMICmp) else { return None };
    let (a, b) = (condition.operand(0), condition.operand(1));
    match b.constant()? {
        Constant::Null if predicate == LLVMIntNE => Some(PointerCondition::NotNull(a)),
        Constant::Integer(0) if predicate == LLVMIntEQ => {
            let is = |value: Value, opcode| value.is_instruction() && value.opcode() == opcode;
            let number = Some(a).filter(|&a| is(a, Opcode::LLVMAnd)).map(|a| a.operand(0))?;
            is(number, Opcode::LLVMPtrToInt).then(|| PointerCondition::Aligned(number.operand(0)))
        }
        _ => None,
    }
}

/// Whether no instruction between a value and a branch of the same block writes memory.
fn is_computed_last(value: Value, branch: Value) -> bool {
    let mut after = branch.block().instructions().skip_while(|&i| i != value).skip(1).peekable();
    after.peek().is_some()
        && after.all(|i| match i.opcode() {
            Opcode::LLVMCall => is_debug(i) || is_with_overflow(i),
            Opcode::LLVMStore | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMFence => false,
            _ => true,
        })
}

/// Collects the conjuncts of a condition that is computed in `block`.
fn conjuncts(condition: Value, block: Block, out: &mut Vec<Value>) {
    let is_and = condition.is_instruction() && condition.opcode() == Opcode::LLVMAnd && condition.block() == block;
    if is_and {
        conjuncts(condition.operand(0), block, out);
        conjuncts(condition.operand(1), block, out);
    } else {
        out.push(condition);
    }
}
