//! Partition of the bytes of a node into pieces that every access covers entirely or not at all.
//!
//! The start and end offsets of all accesses are cuts, and a piece lies between two adjacent cuts. With a stride,
//! offsets are cyclic, and the last piece may wrap around.

use super::graph::{AccessKind, Node};

/// The pieces of one node.
#[derive(Clone, Debug)]
pub struct Partition {
    stride: u64,
    /// Start of each piece, sorted.
    starts: Vec<i64>,
    /// The length of each piece; 0 for the bytes after the last cut of a node without stride.
    lengths: Vec<u64>,
    /// How scalar accesses use each piece; `None` if none does.
    kinds: Vec<Option<PieceKind>>,
}

/// How scalar accesses use a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceKind {
    /// Always as a whole and with this kind.
    Uniform(AccessKind),
    /// In several ways.
    Mixed,
}

/// A piece that an access covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The index of the piece.
    pub piece: usize,
    /// Its distance from the start of the access, in bytes.
    pub distance: u64,
    /// Its length in bytes.
    pub bytes: u64,
}

impl Partition {
    /// The pieces of a node whose accesses are complete.
    pub fn of(node: &Node) -> Partition {
        let stride = node.stride;
        let wrap = |o: i64| if stride == 0 { o } else { o.rem_euclid(stride as i64) };
        let mut starts: Vec<i64> = node.cuts.iter().copied().collect();
        for &(offset, bytes, _) in &node.accesses {
            starts.push(wrap(offset));
            starts.push(wrap(offset + bytes as i64));
        }
        starts.sort_unstable();
        starts.dedup();
        let n = starts.len();
        let lengths: Vec<u64> = (0..n)
            .map(|i| match starts.get(i + 1) {
                Some(next) => (next - starts[i]) as u64,
                None if stride == 0 => 0,
                None => (starts[0] - starts[i] + stride as i64) as u64,
            })
            .collect();
        let mut partition = Partition { stride, starts, lengths, kinds: vec![None; n] };
        for &(offset, bytes, kind) in &node.accesses {
            let parts = partition.parts(offset, bytes);
            for part in &parts {
                let kind = if parts.len() == 1 { PieceKind::Uniform(kind) } else { PieceKind::Mixed };
                let known = &mut partition.kinds[part.piece];
                *known = match *known {
                    None => Some(kind),
                    Some(k) if k == kind => Some(k),
                    Some(_) => Some(PieceKind::Mixed),
                };
            }
        }
        partition
    }

    /// The pieces of `bytes` bytes starting at `offset`. Both ends must be cuts.
    pub fn parts(&self, offset: i64, bytes: u64) -> Vec<Part> {
        let mut parts = Vec::new();
        let offset = if self.stride == 0 { offset } else { offset.rem_euclid(self.stride as i64) };
        let Ok(mut piece) = self.starts.binary_search(&offset) else { return parts };
        let mut distance = 0;
        while distance < bytes {
            let length = self.lengths[piece];
            if length == 0 {
                break;
            }
            parts.push(Part { piece, distance, bytes: length });
            distance += length;
            piece = if piece + 1 == self.starts.len() && self.stride != 0 { 0 } else { piece + 1 };
        }
        parts
    }

    /// The number of pieces.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// How a piece is accessed; `None` if it is not accessed by scalars.
    pub fn kind(&self, piece: usize) -> Option<PieceKind> {
        self.kinds[piece]
    }

    /// The offset of a piece.
    pub fn start(&self, piece: usize) -> i64 {
        self.starts[piece]
    }

    /// The length of a piece.
    pub fn bytes(&self, piece: usize) -> u64 {
        self.lengths[piece]
    }

    /// The accessed pieces that start in the `length` bytes at `offset`; all pieces if the length is unknown.
    pub fn touched(&self, offset: i64, length: Option<u64>) -> Vec<usize> {
        (0..self.len())
            .filter(|&p| self.kinds[p].is_some())
            .filter(|&p| match length {
                None => true,
                Some(length) if self.stride == 0 => {
                    self.starts[p] >= offset && self.starts[p] < offset.saturating_add_unsigned(length)
                }
                Some(length) => ((self.starts[p] - offset).rem_euclid(self.stride as i64) as u64) < length,
            })
            .collect()
    }
}
