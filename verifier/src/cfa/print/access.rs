//! Memory accesses as C writes them: `a[i]`, `*p`, `p->next`, `table[i].key`; casts where the type of the cell does not
//! tell all, and `region[address]` for whole ranges and for what has no better notation.

use smallvec::SmallVec;

use super::expr::Writer;
use super::form::{Level, Reading};
use super::layout::stem;
use super::{Extent, Printer};
use crate::cfa::expr::{BinaryOp, Expr, Node, Pool, UnaryOp};
use crate::cfa::program::{Program, Var};
use crate::cfa::sort::{Cell, MemorySort, Sort};
use crate::cfa::value::{Value, signed};

/// How many summands an address may have to be read as an index.
const MAX_TERMS: usize = 8;

type Terms = SmallVec<[Expr; 2]>;

/// A position: the sum of the terms, each times its factor, and the offset.
#[derive(Default)]
struct Index {
    terms: SmallVec<[(Expr, i128); 2]>,
    offset: i128,
}

/// What an address leads to.
enum Place<'a> {
    /// An object, or an element of it, or a part of that.
    Object(&'a str, Option<Index>, &'a str),
    /// What the sum of some pointers points to, or an element from there on, or a part of that.
    Pointer(Terms, Index, &'a str),
    /// Some cell.
    Cell,
    /// A part of something.
    Part,
}

impl Printer<'_> {
    /// How many cells of `memory` a value fills.
    pub(super) fn cells_of(&self, memory: Expr, value: Expr) -> u16 {
        match (self.pool.sort(memory), self.pool.sort(value)) {
            (Sort::Memory(region), sort) => cells(region.cell, sort),
            _ => 1,
        }
    }

    /// The cells of the region `memory` at `address` that hold a value of the sort `value`, as the left of an assignment.
    pub(super) fn place_of(&self, memory: Var, address: Expr, value: Sort) -> String {
        let count = match self.program.var(memory).sort {
            Sort::Memory(region) => cells(region.cell, value),
            _ => 1,
        };
        self.write(|writer| writer.access(memory, address, count))
    }

    /// The cells of the region `memory` from `address` on.
    pub(super) fn range_of(&self, memory: Var, address: Expr) -> String {
        self.write(|writer| {
            writer.put(&self.var(memory));
            writer.subscript(Some(memory), address);
            writer.put("]");
        })
    }

    /// How tightly the notation of an access binds.
    pub(super) fn access_level(&self, memory: Var, address: Expr, cells: u16) -> Level {
        match self.target(memory, address) {
            _ if cells > 1 => Level::Unary,
            Place::Pointer(_, index, "") if index.is_zero() => Level::Unary,
            Place::Cell => Level::Unary,
            _ => Level::Postfix,
        }
    }

    /// The object that an address lies in, with its name.
    pub(super) fn object_at(program: &Program, address: i128) -> Option<(Extent, &str)> {
        let objects = &program.address_space.objects;
        let after = objects.partition_point(|o| i128::from(o.0) <= address);
        let (base, bytes, name) = &objects[after.checked_sub(1)?];
        (address - i128::from(*base) < i128::from(*bytes)).then_some((Extent { base: *base, bytes: *bytes }, &**name))
    }

    /// Like [`Self::object_at`], or the object that gives the region its name, if the address is close: `a[i - 1]`.
    fn object_near(&self, memory: Var, address: i128) -> Option<(Extent, &str)> {
        Self::object_at(self.program, address).or_else(|| {
            let name = stem(&self.program.var(memory).name);
            let name = self.layouts.get(&memory).and_then(|l| name.strip_suffix(&*l.path)).unwrap_or(name);
            let (name, extent) = self.objects.get_key_value(name)?;
            ((address - i128::from(extent.base)).abs() <= extent.bytes.into()).then_some((*extent, *name))
        })
    }

    /// The cell of the region `memory` at a known address.
    pub fn cell(&self, memory: Var, address: u64) -> String {
        match self.target_of(memory, Some((Terms::new(), address.into()))) {
            Place::Object(name, index, path) => self.write(|writer| {
                writer.put(name);
                if let Some(index) = index {
                    writer.index(&index);
                }
                writer.put(path);
            }),
            _ => format!("{}[{address:#x}]", self.var(memory)),
        }
    }

    fn target(&self, memory: Var, address: Expr) -> Place<'_> {
        self.target_of(memory, summands(self.pool, address))
    }

    /// What the sum of some terms and a constant leads to.
    fn target_of(&self, memory: Var, sum: Option<(Terms, u128)>) -> Place<'_> {
        let Sort::Memory(region) = self.program.var(memory).sort else { return Place::Cell };
        let place = match self.layouts.contains_key(&memory) {
            true => sum.and_then(|sum| self.part(memory, region, sum)).unwrap_or(Place::Part),
            false => sum.and_then(|sum| self.element(memory, region, sum)).unwrap_or(Place::Cell),
        };
        match place {
            // A local variable of the same name hides the object.
            Place::Object(name, ..) if self.locals.contains(name) && &*self.program.var(memory).name != name => {
                if self.layouts.contains_key(&memory) { Place::Part } else { Place::Cell }
            }
            place => place,
        }
    }

    /// The place of a whole cell.
    fn element(&self, memory: Var, region: MemorySort, (summands, constant): (Terms, u128)) -> Option<Place<'_>> {
        let pool = self.pool;
        let size = i128::from(region.cell.bytes());
        let constant = signed(region.address, constant);
        let (mut index, mut pointers) = (Index::default(), Terms::new());
        for &term in &summands {
            match multiple_of(pool, term) {
                Some((of, factor)) if factor % size == 0 => index.terms.push((of, factor / size)),
                None if size == 1 => index.terms.push((term, 1)),
                _ => pointers.push(term),
            }
        }
        let object = if index.terms.is_empty() {
            Self::object_at(self.program, constant)
        } else {
            self.object_near(memory, constant)
        };
        let offset = constant - object.map_or(0, |(extent, _)| i128::from(extent.base));
        if offset % size != 0 {
            return None;
        }
        index.offset = offset / size;
        match (object, pointers.len()) {
            (Some((extent, name)), 0) => {
                let whole = index.is_zero() && i128::from(extent.bytes) == size;
                Some(Place::Object(name, (!whole).then_some(index), ""))
            }
            (None, 1) => Some(Place::Pointer(pointers, index, "")),
            // Among bytes, the pointer is what nothing was done to.
            (None, 0) if size == 1 => {
                let plain = |&(term, factor): &(Expr, i128)| factor == 1 && self.narrow(term) == term;
                let at = index.terms.iter().position(plain)?;
                let (pointer, _) = index.terms.remove(at);
                Some(Place::Pointer(Terms::from_slice(&[pointer]), index, ""))
            }
            _ => None,
        }
    }

    /// The place of a cell that is a part of something.
    fn part(&self, memory: Var, region: MemorySort, (summands, constant): (Terms, u128)) -> Option<Place<'_>> {
        let pool = self.pool;
        let layout = self.layouts.get(&memory)?;
        let constant = signed(region.address, constant);
        let (mut index, mut pointers) = (Index::default(), Terms::new());
        for &term in &summands {
            match (multiple_of(pool, term), layout.stride) {
                (Some((of, factor)), Some(stride)) if factor % stride == 0 => index.terms.push((of, factor / stride)),
                _ => pointers.push(term),
            }
        }
        let object = self.object_near(memory, constant);
        let offset = constant - object.map_or(0, |(extent, _)| i128::from(extent.base)) - layout.field;
        index.offset = match layout.stride {
            Some(stride) if offset % stride == 0 => offset / stride,
            _ if offset == 0 => 0,
            _ => return None,
        };
        match object {
            Some((extent, name)) if pointers.is_empty() => {
                let array = layout.stride.is_some_and(|stride| i128::from(extent.bytes) > stride);
                Some(Place::Object(name, (array || !index.is_zero()).then_some(index), &layout.path))
            }
            None if !pointers.is_empty() => Some(Place::Pointer(pointers, index, &layout.path)),
            _ => None,
        }
    }

    /// An index without the widening to the width of a pointer, which C does not show either.
    fn narrow(&self, expr: Expr) -> Expr {
        match self.pool.node(expr) {
            Node::Unary(UnaryOp::SignExtend(width) | UnaryOp::ZeroExtend(width), a)
                if width == self.program.pointer_bits =>
            {
                a
            }
            _ => expr,
        }
    }
}

impl Index {
    fn is_zero(&self) -> bool {
        self.terms.is_empty() && self.offset == 0
    }
}

impl Writer<'_> {
    /// Some cells of a region.
    pub(super) fn access(&mut self, memory: Var, address: Expr, cells: u16) {
        let printer = self.printer;
        let Sort::Memory(region) = printer.program.var(memory).sort else { return };
        let place = printer.target(memory, address);
        if cells > 1
            && let Cell::Bits(width) = region.cell
        {
            self.put(&format!("*(u{} *)", u32::from(width) * u32::from(cells)));
            match &place {
                Place::Cell => return self.expr(address, Level::Unary, Reading::Any),
                Place::Pointer(pointers, index, "") if index.is_zero() => return self.sum(pointers, Level::Unary),
                _ => self.put("&"),
            }
        }
        match place {
            Place::Object(name, index, path) => {
                self.put(name);
                if let Some(index) = index {
                    self.index(&index);
                }
                self.put(path);
            }
            Place::Pointer(pointers, index, path) if !index.is_zero() => {
                self.sum(&pointers, Level::Postfix);
                self.index(&index);
                self.put(path);
            }
            Place::Pointer(pointers, _, "") => {
                self.put("*");
                self.sum(&pointers, Level::Unary);
            }
            Place::Pointer(pointers, _, path) => {
                self.sum(&pointers, Level::Postfix);
                match path.strip_prefix('.') {
                    Some(field) => {
                        self.put("->");
                        self.put(field);
                    }
                    None => self.put(path),
                }
            }
            Place::Cell => {
                let name = match region.cell {
                    Cell::Bits(width) => format!("i{width}"),
                    Cell::Float(format) => format.to_string(),
                };
                self.put(&format!("*({name} *)"));
                self.expr(address, Level::Unary, Reading::Any);
            }
            Place::Part => {
                self.put(&printer.var(memory));
                self.put("[");
                self.expr(address, Level::Ternary, Reading::Any);
                self.put("]");
            }
        }
    }

    /// The opening bracket and the index or address of an access to `memory`.
    pub(super) fn subscript(&mut self, memory: Option<Var>, address: Expr) {
        self.put("[");
        let place = memory.map(|m| (m, self.printer.target(m, address)));
        match place {
            Some((memory, Place::Object(name, Some(index), "")))
                if self.printer.objects.contains_key(name) && &*self.printer.program.var(memory).name == name =>
            {
                self.position(&index);
            }
            _ => self.expr(address, Level::Ternary, Reading::Any),
        }
    }

    fn sum(&mut self, terms: &[Expr], least: Level) {
        if let &[term] = terms {
            return self.expr(term, least, Reading::Any);
        }
        self.put("(");
        for (i, &term) in terms.iter().enumerate() {
            self.put(if i == 0 { "" } else { " + " });
            self.expr(term, Level::Multiplicative, Reading::Any);
        }
        self.put(")");
    }

    fn index(&mut self, index: &Index) {
        self.put("[");
        self.position(index);
        self.put("]");
    }

    fn position(&mut self, Index { terms, offset }: &Index) {
        let alone = terms.len() == 1 && *offset == 0;
        for (i, &(term, factor)) in terms.iter().enumerate() {
            self.put(if i == 0 { "" } else { " + " });
            let least = match factor {
                1 if alone => Level::Ternary,
                1 => Level::Additive,
                _ => Level::Multiplicative,
            };
            self.expr(self.printer.narrow(term), least, Reading::Any);
            if factor != 1 {
                self.put(&format!(" * {factor}"));
            }
        }
        match offset {
            _ if terms.is_empty() => self.put(&offset.to_string()),
            0 => {}
            1.. => self.put(&format!(" + {offset}")),
            _ => self.put(&format!(" - {}", offset.unsigned_abs())),
        }
    }
}

/// A sum as its variable summands and the sum of the constants, of which the bits of an address count.
pub(super) fn summands(pool: &Pool, expr: Expr) -> Option<(Terms, u128)> {
    let (mut terms, mut constant) = (Terms::new(), 0u128);
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

/// A product with a positive constant: of what, and how often.
pub(super) fn multiple_of(pool: &Pool, expr: Expr) -> Option<(Expr, i128)> {
    let constant = |e| match pool.as_const(e) {
        Some(Value::Bits { width, bits }) => Some(signed(width, bits)).filter(|&factor| factor > 0),
        _ => None,
    };
    match pool.node(expr) {
        Node::Binary(BinaryOp::Mul, a, b) => constant(b).map(|factor| (a, factor)).or_else(|| Some((b, constant(a)?))),
        Node::Binary(BinaryOp::ShiftLeft, a, b) => constant(b).filter(|&n| n < 64).map(|n| (a, 1 << n)),
        _ => None,
    }
}

/// How many cells a value of `sort` fills.
fn cells(cell: Cell, sort: Sort) -> u16 {
    match (cell, sort) {
        (Cell::Bits(cell), Sort::Bits(width)) => width.div_ceil(cell.max(1)),
        _ => 1,
    }
}
