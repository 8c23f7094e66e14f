//! Bytes that hold a truth value: loads that only use the lowest bit, and stores that only write zero or one.
//!
//! C's `_Bool` and C++'s `bool` are bytes in memory. A byte of which only the lowest bit is used can be represented as
//! a truth value, whatever its type.

use crate::ir::{Constant, Opcode, TypeKind, Value};

/// The maximum number of instructions through which a stored value is traced.
const MAX_DEPTH: u32 = 4;

/// Whether a load only uses the lowest bit of a byte. Clang's range metadata for `_Bool` counts too: other values are
/// undefined.
pub(super) fn reads_truth(load: Value) -> bool {
    match load.ty().kind() {
        TypeKind::Integer(1) => true,
        TypeKind::Integer(8) => is_truth_by_type(load) || load.users().all(is_cut_to_one_bit),
        _ => false,
    }
}

/// Whether a store writes a byte that is zero or one.
pub(super) fn writes_truth(store: Value) -> bool {
    let stored = store.operand(0);
    match stored.ty().kind() {
        TypeKind::Integer(1) => true,
        TypeKind::Integer(8) => is_zero_or_one(stored, MAX_DEPTH),
        _ => false,
    }
}

fn is_truth_by_type(load: Value) -> bool {
    load.range() == Some((0, 2))
}

fn is_cut_to_one_bit(user: Value) -> bool {
    user.opcode() == Opcode::LLVMTrunc && user.ty().kind() == TypeKind::Integer(1)
}

fn is_zero_or_one(value: Value, depth: u32) -> bool {
    if let Some(constant) = value.constant() {
        return match constant {
            Constant::Integer(n) => n <= 1,
            // Any value; its lowest bit is any truth value.
            Constant::Undefined => true,
            _ => false,
        };
    }
    if !value.is_instruction() || depth == 0 {
        return false;
    }
    match value.opcode() {
        Opcode::LLVMZExt => value.operand(0).ty().kind() == TypeKind::Integer(1),
        Opcode::LLVMLoad => is_truth_by_type(value),
        Opcode::LLVMFreeze => is_zero_or_one(value.operand(0), depth - 1),
        Opcode::LLVMAnd => value.operands().any(|operand| is_zero_or_one(operand, depth - 1)),
        Opcode::LLVMOr | Opcode::LLVMXor => value.operands().all(|operand| is_zero_or_one(operand, depth - 1)),
        Opcode::LLVMSelect => (1..3).all(|i| is_zero_or_one(value.operand(i), depth - 1)),
        Opcode::LLVMPHI => value.incoming().all(|(incoming, _)| is_zero_or_one(incoming, depth - 1)),
        _ => false,
    }
}
