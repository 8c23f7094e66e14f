//! Memory accesses: `a[i]` where the address is that of an element of the object `a`, else `region[address]`.

use smallvec::SmallVec;

use super::Printer;
use super::expr::Writer;
use super::form::{Level, Reading};
use crate::cfa::expr::{BinaryOp, Expr, Node, UnaryOp};
use crate::cfa::program::Var;
use crate::cfa::sort::{Cell, Sort};
use crate::cfa::value::{Value, signed};

/// How many summands an address may have to be read as an index.
const MAX_TERMS: usize = 8;

/// The position of an element: the sum of `terms` and `offset`, counted in cells.
struct Index {
    terms: SmallVec<[Expr; 2]>,
    offset: i128,
}

impl Printer<'_> {
    /// How many cells of `memory` a value fills.
    pub(super) fn cells_of(&self, memory: Expr, value: Expr) -> u16 {
        match (self.program.pool.sort(memory), self.program.pool.sort(value)) {
            (Sort::Memory(region), sort) => cells(region.cell, sort),
            _ => 1,
        }
    }

    /// The cells of the region `memory` at `address` that hold a value of the sort `value`, as the left of an assignment.
    pub(super) fn place_of(&self, memory: Var, address: Expr, value: Option<Sort>) -> String {
        let count = match (self.program.var(memory).sort, value) {
            (Sort::Memory(region), Some(sort)) => cells(region.cell, sort),
            _ => 1,
        };
        let mut text = self.var(memory);
        text += &self.write(|writer| writer.subscript(Some(memory), address));
        if count > 1 {
            text += &format!("; {count}");
        }
        text + "]"
    }

    /// The element of the object behind `memory` that `address` is the address of.
    fn index(&self, memory: Var, address: Expr) -> Option<Index> {
        let info = self.program.var(memory);
        let Sort::Memory(region) = info.sort else { return None };
        let object = self.objects.get(&*info.name)?;
        let size = i128::from(region.cell.bytes());
        let (summands, constant) = self.summands(address)?;
        let terms = summands.into_iter().map(|e| self.divide(e, size)).collect::<Option<SmallVec<[Expr; 2]>>>()?;
        let offset = signed(region.address, constant.wrapping_sub(object.base.into()));
        let bytes = i128::from(object.bytes);
        // Alone, an offset must be inside; next to a variable, `a[i - 1]` is as good.
        let inside = if terms.is_empty() { (0..bytes).contains(&offset) } else { offset.abs() <= bytes };
        (inside && offset % size == 0).then_some(Index { terms, offset: offset / size })
    }

    /// A sum as its variable summands and the sum of the constants, of which the bits of an address count.
    fn summands(&self, expr: Expr) -> Option<(SmallVec<[Expr; 2]>, u128)> {
        let pool = &self.program.pool;
        let (mut terms, mut constant) = (SmallVec::new(), 0u128);
        let mut rest: SmallVec<[(Expr, bool); 4]> = SmallVec::from_slice(&[(expr, true)]);
        while let Some((part, positive)) = rest.pop() {
            match pool.node(part) {
                Node::Binary(BinaryOp::Add, a, b) => rest.extend([(b, positive), (a, positive)]),
                Node::Binary(BinaryOp::Sub, a, b) => rest.extend([(b, !positive), (a, positive)]),
                Node::Const(Value::Bits { bits, .. }) if positive => constant = constant.wrapping_add(bits),
                Node::Const(Value::Bits { bits, .. }) => constant = constant.wrapping_sub(bits),
                _ if positive => terms.push(part),
                _ => return None,
            }
            if terms.len() + rest.len() > MAX_TERMS {
                return None;
            }
        }
        Some((terms, constant))
    }

    /// What `expr` is `size` times of.
    fn divide(&self, expr: Expr, size: i128) -> Option<Expr> {
        let pool = &self.program.pool;
        let is = |e, wanted: i128| matches!(pool.as_const(e), Some(Value::Bits { bits, .. }) if bits == wanted as u128);
        match pool.node(expr) {
            _ if size == 1 => Some(expr),
            Node::Binary(BinaryOp::Mul, a, b) if is(b, size) => Some(a),
            Node::Binary(BinaryOp::Mul, a, b) if is(a, size) => Some(b),
            Node::Binary(BinaryOp::ShiftLeft, a, b) if size.count_ones() == 1 && is(b, size.ilog2().into()) => Some(a),
            _ => None,
        }
    }

    /// An index without the widening to the width of a pointer, which C does not show either.
    fn narrow(&self, expr: Expr) -> Expr {
        match self.program.pool.node(expr) {
            Node::Unary(UnaryOp::SignExtend(width) | UnaryOp::ZeroExtend(width), a)
                if width == self.program.pointer_bits =>
            {
                a
            }
            _ => expr,
        }
    }
}

impl Writer<'_> {
    /// The opening bracket and the index or address of an access to `memory`.
    pub(super) fn subscript(&mut self, memory: Option<Var>, address: Expr) {
        self.put("[");
        let Some(Index { terms, offset }) = memory.and_then(|m| self.printer.index(m, address)) else {
            return self.expr(address, Level::Ternary, Reading::Any);
        };
        let alone = terms.len() == 1 && offset == 0;
        for (i, &term) in terms.iter().enumerate() {
            self.put(if i == 0 { "" } else { " + " });
            let least = if alone { Level::Ternary } else { Level::Additive };
            self.expr(self.printer.narrow(term), least, Reading::Any);
        }
        match offset {
            _ if terms.is_empty() => self.put(&offset.to_string()),
            0 => {}
            1.. => self.put(&format!(" + {offset}")),
            _ => self.put(&format!(" - {}", offset.unsigned_abs())),
        }
    }
}

/// How many cells a value of `sort` fills.
fn cells(cell: Cell, sort: Sort) -> u16 {
    match (cell, sort) {
        (Cell::Bits(cell), Sort::Bits(width)) => width.div_ceil(cell.max(1)),
        _ => 1,
    }
}
