//! Simplification of reads from written memories.

use crate::expr::eval::{Overlap, overlap, read_sort, written_cells};
use crate::expr::value::mask;
use crate::expr::{Expr, MemorySort, Node, Pool, Sort};

impl Pool {
    /// Skips writes whose distance from the address is a known constant.
    pub(in crate::expr) fn simplify_read(&mut self, memory: Expr, address: Expr, cells: u16) -> Option<Expr> {
        let Sort::Memory(sort) = self.sort(memory) else { return None };
        let mut current = memory;
        while let Node::Write { memory: below, address: written, value } = self.node(current) {
            if self.may_trap(address) || self.may_trap(written) || self.may_trap(value) {
                break;
            }
            let Some(distance) = self.distance(sort, address, written) else { break };
            match overlap(sort, (distance, cells), (0, written_cells(self, sort, value))) {
                Overlap::None => current = below,
                Overlap::Inside(first) => {
                    return match read_sort(sort, cells) {
                        Sort::Bits(width) => Some(self.extract(value, first * (width / cells), width)),
                        _ => Some(value),
                    };
                }
                Overlap::Partial => break,
            }
        }
        (current != memory).then(|| self.read(current, address, cells))
    }

    /// A write overrides an earlier one to the same cells.
    pub(in crate::expr) fn simplify_write(&mut self, memory: Expr, address: Expr, value: Expr) -> Option<Expr> {
        match self.node(memory) {
            Node::Write { memory: below, address: earlier, value: hidden }
                if earlier == address && self.sort(hidden) == self.sort(value) && !self.may_trap(hidden) =>
            {
                Some(self.write(below, address, value))
            }
            _ => None,
        }
    }

    /// `a - b`, if it is constant.
    fn distance(&self, sort: MemorySort, a: Expr, b: Expr) -> Option<u128> {
        let ((base, j), (other, k)) = (self.base_and_offset(a), self.base_and_offset(b));
        (base == other).then(|| j.wrapping_sub(k) & mask(sort.address))
    }
}
