//! Validity of addresses.
//!
//! Mirrors the interpreter: an access outside all address ranges of objects ends the run.

use super::execution::Execution;
use super::state::Origin;
use crate::cfa::AddressSpace;
use crate::expr::{BinaryOp, Expr, Var};

impl Execution<'_> {
    /// The condition that the program may access `bytes` bytes at `address`.
    pub(super) fn may_touch(&mut self, address: Expr, bytes: u64) -> Expr {
        let bytes = self.pool.bits(64, bytes.into());
        self.may_touch_range(address, bytes)
    }

    /// The same for a symbolic length, which may be zero.
    pub(super) fn may_touch_range(&mut self, address: Expr, bytes: Expr) -> Expr {
        let space = &self.program.address_space;
        let fits = self.fits_64_bits(bytes);
        let (address, bytes) = (self.pool.zero_extend(address, 64), self.pool.zero_extend(bytes, 64));
        if !space.is_declared() {
            let limit = self.pool.bits(64, AddressSpace::MAX_LENGTH.into());
            let short = self.pool.binary(BinaryOp::UnsignedLessEq, bytes, limit);
            return self.pool.and(fits, short);
        }
        let fixed_end = self.pool.bits(64, space.fixed.end.into());
        let mut valid = self.is_between(address, bytes, space.fixed.start, fixed_end);
        if !space.outside.is_empty() {
            let end = self.pool.bits(64, space.outside.end.into());
            let outside = self.is_between(address, bytes, space.outside.start, end);
            valid = self.pool.or(valid, outside);
        }
        for (base, top) in [(space.heap_base, space.heap_top), (space.stack_base, space.stack_top)] {
            if let Some(top) = self.top(top) {
                let below = self.is_between(address, bytes, base, top);
                valid = self.pool.or(valid, below);
            }
        }
        let null_page = self.pool.bits(64, AddressSpace::NULL_PAGE.into());
        let above = self.pool.binary(BinaryOp::UnsignedLessEq, null_page, address);
        let valid = self.pool.and(above, valid);
        let zero = self.pool.bits(64, 0);
        let nothing = self.pool.eq(bytes, zero);
        let valid = self.pool.or(nothing, valid);
        self.pool.and(fits, valid)
    }

    /// `base <= address` and `address + bytes <= top`, without overflow.
    fn is_between(&mut self, address: Expr, bytes: Expr, base: u64, top: Expr) -> Expr {
        let base = self.pool.bits(64, base.into());
        let from = self.pool.binary(BinaryOp::UnsignedLessEq, base, address);
        let has_room = self.pool.binary(BinaryOp::UnsignedLessEq, bytes, top);
        let last = self.pool.binary(BinaryOp::Sub, top, bytes);
        let to = self.pool.binary(BinaryOp::UnsignedLessEq, address, last);
        let inside = self.pool.and(has_room, to);
        self.pool.and(from, inside)
    }

    /// The end of the heap or the stack. `None` if it is not set yet: then the range is empty.
    fn top(&mut self, var: Option<Var>) -> Option<Expr> {
        let frame = self.frame(self.program.var(var?).scope);
        let top = match frame.origin {
            Origin::Activation(_) => *frame.scalars.get(&var?)?,
            Origin::Before(_) => self.variable(var?),
        };
        Some(self.pool.zero_extend(top, 64))
    }

    fn fits_64_bits(&mut self, bytes: Expr) -> Expr {
        let width = self.pool.width(bytes);
        if width <= 64 {
            return self.pool.bool(true);
        }
        let greatest = self.pool.bits(width, u64::MAX.into());
        self.pool.binary(BinaryOp::UnsignedLessEq, bytes, greatest)
    }
}
