//! Pointers that come from outside of the program.
//!
//! Such a pointer has an address outside of all objects of the program, unless the points-to analysis says that it may
//! point to one. So whatever compares equal to an object also reads and writes it.

use clew_verifier::cfa::AddressSpace;
use clew_verifier::expr::{BinaryOp, Expr};

use super::function::FunctionLifter;
use super::{Lifter, Val};
use crate::externals::{Effects, Returns};
use crate::ir::{Type, TypeKind, Value};
use crate::pointsto::{Cell, NodeId};

impl FunctionLifter<'_> {
    /// Restricts a pointer that an external function returned. `known`: what is known of the function.
    pub(super) fn assume_outside(&mut self, call: Value, ty: Type, value: Expr, known: Option<&Effects>) {
        if ty.kind() != TypeKind::Pointer {
            return;
        }
        let Some(cell) = self.l.points_to.cell(call) else { return };
        let possible = match known {
            None => self.may_be_outside(value, cell),
            Some(row) => self.known_result(value, cell, row),
        };
        self.assume_fact(possible);
    }

    /// Restricts a pointer that was read from memory that the outside may have written.
    pub(super) fn loaded(&mut self, load: Value, memory: NodeId, value: Val) -> Val {
        let (TypeKind::Pointer, Val::Scalar(pointer)) = (load.ty().kind(), &value) else { return value };
        let Some(cell) = self.l.points_to.cell(load) else { return value };
        let target = self.l.points_to.node(cell.node);
        // What was computed from numbers is checked when it is used.
        let computed = self.l.points_to.has_whole_numbers(cell.node);
        if !target.external || computed || !self.l.points_to.is_written_outside(memory) {
            return value;
        }
        let pointer = self.save(*pointer);
        let possible = self.may_be_outside(pointer, cell);
        self.assume_fact(possible);
        self.checked.insert(load);
        if self.l.arguments == Some(memory) {
            let address = self.scalar(load.operand(0));
            let possible = self.is_possible_argument(address, pointer);
            self.assume_fact(possible);
        }
        Val::Scalar(pointer)
    }

    /// The condition that a pointer is null, an error code, outside of the program, or to an object of `cell`.
    pub(super) fn may_be_outside(&mut self, pointer: Expr, cell: Cell) -> Expr {
        let outside = self.is_outside(pointer);
        let inside = self.may_be_inside(pointer, cell);
        self.l.builder.pool.or(outside, inside)
    }

    /// The condition that a pointer is null, an error code, or outside of the program.
    pub(super) fn is_outside(&mut self, pointer: Expr) -> Expr {
        self.l.is_outside(pointer)
    }

    /// The condition that the result of a known function is what its table says.
    fn known_result(&mut self, value: Expr, cell: Cell, row: &Effects) -> Expr {
        let mut possible = match row.returns {
            Returns::Argument(_) | Returns::Into(_) => {
                let inside = self.may_be_inside(value, cell);
                if self.l.points_to.node(cell.node).external {
                    let outside = self.is_object_outside(value);
                    self.l.builder.pool.or(inside, outside)
                } else {
                    inside
                }
            }
            Returns::Fresh | Returns::Static => self.is_object_outside(value),
        };
        for (allowed, code) in [(row.or_null, 0), (row.or_error, u64::MAX)] {
            if allowed {
                let bits = self.l.layout.pointer_bits();
                let code = self.bits(bits, u128::from(code) & ((1 << bits) - 1));
                let is_code = self.l.builder.pool.eq(value, code);
                possible = self.l.builder.pool.or(possible, is_code);
            }
        }
        possible
    }

    /// The condition that a pointer is to an object that the program does not define.
    fn is_object_outside(&mut self, pointer: Expr) -> Expr {
        let (first, end) = (self.address(AddressSpace::NULL_PAGE), self.address(self.l.objects.outside_end()));
        let above = self.l.builder.pool.binary(BinaryOp::UnsignedLessEq, first, pointer);
        let below = self.l.builder.pool.binary(BinaryOp::UnsignedLess, pointer, end);
        self.l.builder.pool.and(above, below)
    }
}

impl Lifter {
    /// The condition that a pointer is null, an error code, or outside of the program.
    pub(super) fn is_outside(&mut self, pointer: Expr) -> Expr {
        let bits = self.layout.pointer_bits();
        let pool = &mut self.builder.pool;
        let end = pool.bits(bits, u128::from(self.objects.outside_end()));
        if bits > 32 {
            // No object has an address in the upper half, so that one signed comparison is enough.
            return pool.binary(BinaryOp::SignedLess, pointer, end);
        }
        let heap_end = pool.bits(bits, u128::from(self.objects.heap_end));
        let below = pool.binary(BinaryOp::UnsignedLess, pointer, end);
        let above = pool.binary(BinaryOp::UnsignedLessEq, heap_end, pointer);
        pool.or(below, above)
    }
}
