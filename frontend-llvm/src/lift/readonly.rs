//! Writes to constants: string literals and constant globals are in read-only memory, so the program crashes.

use clew_verifier::expr::{BinaryOp, Expr};

use super::function::FunctionLifter;
use super::memory::Pointer;
use crate::pointsto::Object;

impl FunctionLifter<'_> {
    /// Ends the path if a write of `length` bytes reaches a constant. Returns whether any path goes on.
    pub(super) fn check_writable(&mut self, pointer: Pointer, length: Expr) -> bool {
        if pointer.is_to_variable() {
            return true;
        }
        let mut constants = Vec::new();
        let mut all = !self.l.points_to.node(pointer.cell.node).external;
        for (object, _) in self.l.points_to.node(pointer.cell.node).objects.clone() {
            match object {
                Object::Global(global) if global.is_constant_global() && !global.is_declaration() => {
                    let start = self.l.fixed_address(object);
                    constants.push((start, start + self.l.object_bytes(object).unwrap_or(0)));
                }
                _ => all = false,
            }
        }
        if constants.is_empty() {
            return true;
        }
        if all {
            self.halt();
            return false;
        }
        constants.sort_unstable();
        let address = self.address_of(pointer);
        let (address, length) = (self.stable(address, 2), self.stable(length, 2));
        let zero = self.address(0);
        let is_empty = self.l.builder.pool.eq(length, zero);
        for (start, end) in constants {
            let (start, end) = (self.address(start), self.address(end));
            let last = self.l.builder.pool.add(address, length);
            let before = self.l.builder.pool.binary(BinaryOp::UnsignedLessEq, last, start);
            let after = self.l.builder.pool.binary(BinaryOp::UnsignedLessEq, end, address);
            let elsewhere = self.l.builder.pool.or(before, after);
            let harmless = self.l.builder.pool.or(elsewhere, is_empty);
            self.assume(harmless);
        }
        true
    }
}
