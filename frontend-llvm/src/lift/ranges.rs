//! Operations on ranges of memory: copy, fill and havoc.

use clew_verifier::cfa::{Havoc, Op};
use clew_verifier::expr::{BinaryOp, Expr, Sort};

use super::function::FunctionLifter;
use super::memory::Pointer;
use crate::ir::Value;
use crate::pointsto::{Object, Part, constant_length};

/// Copies and fills of more pieces are not expanded.
const MAX_PIECEWISE: usize = 32;

/// The points-to analysis partitions both sides of a copy alike; this reports any violation.
const MISFIT: &str = "a copy between objects that fall apart differently";

impl FunctionLifter<'_> {
    /// Makes `bytes` bytes unknown.
    pub fn forget(&mut self, pointer: Pointer, bytes: Option<u64>, why: Havoc) {
        let node = pointer.cell.node;
        let pieces = self.l.partition(node).touched(pointer.cell.offset, bytes);
        if self.l.plain_object(node).is_some() {
            for piece in pieces {
                let var = self.l.piece_var(node, piece);
                self.havoc(var, why);
            }
            return;
        }
        let address = self.address_of(pointer);
        let address = self.stable(address, pieces.len());
        let bits = self.l.layout.pointer_bits();
        let length = self.bits(bits, u128::from(bytes.unwrap_or(0)));
        for piece in pieces {
            let memory = self.l.piece_var(node, piece);
            match bytes {
                Some(_) => self.write_memory(memory, Op::Forget { memory, address, bytes: length }),
                None => self.havoc(memory, why),
            }
        }
    }

    /// `memset`.
    pub fn fill(&mut self, to: Value, byte: Expr, length: Value) {
        if constant_length(length) == Some(0) {
            return;
        }
        let Some(pointer) = self.pointer(to) else { return };
        let bytes = self.length(length);
        if !self.check_writable(pointer, bytes) {
            return;
        }
        let node = pointer.cell.node;
        let pieces = self.l.partition(node).touched(pointer.cell.offset, constant_length(length));
        if let Some(object) = self.l.plain_object(node) {
            self.check_plain(pointer, object);
            for piece in pieces {
                let var = self.l.piece_var(node, piece);
                let bytes = self.l.partition(node).bytes(piece);
                let value = self.repeated(byte, bytes);
                let sort = self.l.builder.var(var).sort;
                let value = self.convert(value, sort);
                self.assign(var, value);
            }
            return;
        }
        let address = self.address_of(pointer);
        let bytes = self.length(length);
        let (address, bytes) = (self.stable(address, pieces.len()), self.stable(bytes, pieces.len()));
        let byte = self.stable(byte, pieces.len());
        for piece in pieces {
            let memory = self.l.piece_var(node, piece);
            self.write_memory(memory, Op::Fill { memory, address, byte, bytes });
        }
    }

    fn length(&mut self, length: Value) -> Expr {
        let length = self.scalar(length);
        let bits = self.l.layout.pointer_bits();
        self.l.builder.pool.zero_extend(length, bits)
    }

    fn repeated(&mut self, byte: Expr, times: u64) -> Expr {
        let mut value = byte;
        for _ in 1..times {
            value = self.l.builder.pool.binary(BinaryOp::Concat, value, byte);
        }
        value
    }

    /// `memcpy` and `memmove`: everything is read before anything is written.
    pub fn copy(&mut self, to: Value, from: Value, length: Value) {
        let bytes = constant_length(length);
        if bytes == Some(0) {
            return;
        }
        let (Some(target), Some(source)) = (self.pointer(to), self.pointer(from)) else { return };
        let bytes_expr = self.length(length);
        if !self.check_writable(target, bytes_expr) {
            return;
        }
        self.copy_range(target, source, bytes, bytes_expr);
    }

    /// Copies a range whose sides are partitioned alike.
    pub fn copy_range(&mut self, to: Pointer, from: Pointer, bytes: Option<u64>, length: Expr) {
        let (target, source) = (to.cell.node, from.cell.node);
        let pieces = self.l.partition(target).touched(to.cell.offset, bytes);
        let plain_target = self.l.plain_object(target);
        let plain_source = self.l.plain_object(source);
        let piecewise = plain_target.is_some() || plain_source.is_some();
        if !piecewise && (target == source || pieces.len() > MAX_PIECEWISE || bytes.is_none()) {
            return self.copy_memories(to, from, bytes, length);
        }
        if let Some(object) = plain_target {
            self.check_plain(to, object);
        }
        if let Some(object) = plain_source {
            self.check_plain(from, object);
        }
        let strided = self.l.points_to.node(target).stride != 0;
        if strided || bytes.is_none() {
            return self.copy_memories(to, from, bytes, length);
        }
        // Read all before writing: source and target may be the same.
        let mut values = Vec::new();
        for &piece in &pieces {
            let partition = self.l.partition(target);
            let (start, size) = (partition.start(piece), partition.bytes(piece));
            let distance = (start - to.cell.offset) as u64;
            let read_at = self.further(from, distance);
            let parts = self.l.partition(source).parts(read_at.cell.offset, size);
            if parts.iter().map(|p| p.bytes).sum::<u64>() != size {
                return self.unsupported(MISFIT);
            }
            let var = self.l.piece_var(target, piece);
            let sort = match self.l.builder.var(var).sort {
                Sort::Memory(memory) => memory.cell.sort(),
                sort => sort,
            };
            let value = self.read_pieces(read_at, &parts, sort, plain_source);
            values.push((piece, distance, size, value));
        }
        let overlap = target == source;
        for entry in &mut values {
            if overlap {
                entry.3 = self.save(entry.3);
            }
        }
        for (piece, distance, size, value) in values {
            let at = self.further(to, distance);
            if plain_target.is_some() {
                let var = self.l.piece_var(target, piece);
                self.assign(var, value);
            } else {
                self.store_scalar(at, value, size);
            }
        }
    }

    fn read_pieces(&mut self, at: Pointer, parts: &[Part], sort: Sort, plain: Option<(Object, i64)>) -> Expr {
        let address = if plain.is_some() { None } else { Some(self.address_of(at)) };
        let pieces: Vec<Expr> = parts
            .iter()
            .map(|part| match (address, plain) {
                (Some(address), _) => {
                    let var = self.l.piece_var(at.cell.node, part.piece);
                    let memory = self.read_var(var);
                    let address = self.moved(address, part.distance as i64);
                    self.l.builder.pool.read(memory, address, 1)
                }
                (None, Some(object)) => self.read_plain(at.cell.node, part.piece, object),
                (None, None) => unreachable!("a place without address is a variable"),
            })
            .collect();
        self.join(&pieces, sort)
    }

    fn copy_memories(&mut self, to: Pointer, from: Pointer, bytes: Option<u64>, length: Expr) {
        let (target, source) = (to.cell.node, from.cell.node);
        let (to_address, from_address) = (self.address_of(to), self.address_of(from));
        let mut pieces = self.l.partition(target).touched(to.cell.offset, bytes);
        let (to_address, from_address) =
            (self.stable(to_address, pieces.len()), self.stable(from_address, pieces.len()));
        let length = self.stable(length, pieces.len());
        if target == source && to.cell.offset > from.cell.offset {
            // Pieces of one object may overlap: write those last that are still to be read.
            pieces.reverse();
        }
        for piece in pieces {
            let memory = self.l.piece_var(target, piece);
            let partition = self.l.partition(target);
            let (start, size) = (partition.start(piece), partition.bytes(piece));
            let offset = self.l.points_to.shifted(from.cell, start - to.cell.offset).offset;
            let twin = self.l.partition(source).parts(offset, size).first().map(|p| p.piece);
            let Some(twin) = twin else { return self.unsupported(MISFIT) };
            let twin = self.l.piece_var(source, twin);
            if self.cell_sort(memory) != self.cell_sort(twin) {
                self.unsupported("a copy between differently typed objects");
                return;
            }
            self.write_memory(
                memory,
                Op::Copy { target: memory, to: to_address, source: twin, from: from_address, bytes: length },
            );
        }
    }
}
