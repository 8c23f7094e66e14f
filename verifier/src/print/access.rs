//! Memory accesses in C notation: `a[i]`, `*p`, `p->next`, `table[i].key`. Casts are added where the cell type is not
//! enough, and `region[address]` is used for ranges and as a fallback.

use smallvec::SmallVec;

use super::expr::Writer;
use super::form::{Level, Reading};
use super::layout::stem;
use super::{Extent, Printer};
use crate::cfa::program::Program;
use crate::expr::value::signed;
use crate::expr::{BinaryOp, Cell, Expr, MemorySort, Node, Pool, Sort, UnaryOp, Value, Var};

/// The maximum number of summands of an address that is printed as an index.
const MAX_TERMS: usize = 8;

pub(crate) type Terms = SmallVec<[Expr; 2]>;

/// A position in an array: the sum of terms times factors, plus an offset.
#[derive(Default)]
struct Index {
    terms: SmallVec<[(Expr, i128); 2]>,
    offset: i128,
}

/// What an address refers to.
enum Target<'a> {
    /// An object, an element of it, or a field of that.
    Object(&'a str, Option<Index>, &'a str),
    /// The target of a sum of pointers, an element relative to it, or a field of that.
    Pointer(Terms, Index, &'a str),
    /// A whole cell without a better name.
    Cell,
    /// A field without a better name.
    Part,
}

impl Printer<'_> {
    /// The number of cells of `memory` that a value fills.
    pub(super) fn cells_of(&self, memory: Expr, value: Expr) -> u16 {
        match (self.pool.sort(memory), self.pool.sort(value)) {
            (Sort::Memory(region), sort) => cells(region.cell, sort),
            _ => 1,
        }
    }

    /// The left side of an assignment of a value of sort `value` to the cells of `memory` at `address`.
    pub(super) fn lvalue(&self, memory: Var, address: Expr, value: Sort) -> String {
        let count = match self.program.var(memory).sort {
            Sort::Memory(region) => cells(region.cell, value),
            _ => 1,
        };
        self.write(|writer| writer.access(memory, address, count))
    }

    /// The cells of the region `memory` starting at `address`.
    pub(super) fn range_of(&self, memory: Var, address: Expr) -> String {
        self.write(|writer| {
            writer.put(&self.var(memory));
            writer.subscript(Some(memory), address);
            writer.put("]");
        })
    }

    /// The precedence of the notation of an access.
    pub(super) fn access_level(&self, memory: Var, address: Expr, cells: u16) -> Level {
        match self.target(memory, address) {
            _ if cells > 1 => Level::Unary,
            Target::Pointer(_, index, "") if index.is_zero() => Level::Unary,
            Target::Cell => Level::Unary,
            _ => Level::Postfix,
        }
    }

    /// The object that contains an address, with its name.
    pub(super) fn object_at(program: &Program, address: i128) -> Option<(Extent, &str)> {
        let objects = &program.address_space.objects;
        let after = objects.partition_point(|o| i128::from(o.0) <= address);
        let (base, bytes, name) = &objects[after.checked_sub(1)?];
        (address - i128::from(*base) < i128::from(*bytes)).then_some((Extent { base: *base, bytes: *bytes }, &**name))
    }

    /// Like [`Self::object_at`], but falls back to the object that names the region if the address is close: `a[i -
    /// 1]`.
    fn object_near(&self, memory: Var, address: i128) -> Option<(Extent, &str)> {
        Self::object_at(self.program, address).or_else(|| {
            let name = stem(&self.program.var(memory).name);
            let name = self.layouts.get(&memory).and_then(|l| name.strip_suffix(&*l.path)).unwrap_or(name);
            let (name, extent) = self.objects.get_key_value(name)?;
            ((address - i128::from(extent.base)).abs() <= extent.bytes.into()).then_some((*extent, *name))
        })
    }

    /// The cell of the region `memory` at a constant address.
    pub fn cell(&self, memory: Var, address: u64) -> String {
        match self.target_of(memory, Some((Terms::new(), address.into()))) {
            Target::Object(name, index, path) => self.write(|writer| {
                writer.put(name);
                if let Some(index) = index {
                    writer.index(&index);
                }
                writer.put(path);
            }),
            _ => format!("{}[{address:#x}]", self.var(memory)),
        }
    }

    fn target(&self, memory: Var, address: Expr) -> Target<'_> {
        self.target_of(memory, summands(self.pool, address))
    }

    /// The target of a sum of terms and a constant.
    fn target_of(&self, memory: Var, sum: Option<(Terms, u128)>) -> Target<'_> {
        let Sort::Memory(region) = self.program.var(memory).sort else { return Target::Cell };
        let place = match self.layouts.contains_key(&memory) {
            true => sum.and_then(|sum| self.part(memory, region, sum)).unwrap_or(Target::Part),
            false => sum.and_then(|sum| self.element(memory, region, sum)).unwrap_or(Target::Cell),
        };
        match place {
            // A local variable of the same name shadows the object.
            Target::Object(name, ..) if self.locals.contains(name) && &*self.program.var(memory).name != name => {
                if self.layouts.contains_key(&memory) { Target::Part } else { Target::Cell }
            }
            place => place,
        }
    }

    /// The target of a whole cell.
    fn element(&self, memory: Var, region: MemorySort, (summands, constant): (Terms, u128)) -> Option<Target<'_>> {
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
                Some(Target::Object(name, (!whole).then_some(index), ""))
            }
            (None, 1) => Some(Target::Pointer(pointers, index, "")),
            // Among bytes, the pointer is the term without a factor or extension.
            (None, 0) if size == 1 => {
                let plain = |&(term, factor): &(Expr, i128)| factor == 1 && self.narrow(term) == term;
                let at = index.terms.iter().position(plain)?;
                let (pointer, _) = index.terms.remove(at);
                Some(Target::Pointer(Terms::from_slice(&[pointer]), index, ""))
            }
            _ => None,
        }
    }

    /// The target of a cell that is a field of an element.
    fn part(&self, memory: Var, region: MemorySort, (summands, constant): (Terms, u128)) -> Option<Target<'_>> {
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
                Some(Target::Object(name, (array || !index.is_zero()).then_some(index), &layout.path))
            }
            None if !pointers.is_empty() => Some(Target::Pointer(pointers, index, &layout.path)),
            _ => None,
        }
    }

    /// An index without its extension to pointer width, which is implicit in C.
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
    /// Writes an access to cells of a region.
    pub(super) fn access(&mut self, memory: Var, address: Expr, cells: u16) {
        let printer = self.printer;
        let Sort::Memory(region) = printer.program.var(memory).sort else { return };
        let place = printer.target(memory, address);
        if cells > 1
            && let Cell::Bits(width) = region.cell
        {
            self.put(&format!("*(u{} *)", u32::from(width) * u32::from(cells)));
            match &place {
                Target::Cell => return self.expr(address, Level::Unary, Reading::Any),
                Target::Pointer(pointers, index, "") if index.is_zero() => return self.sum(pointers, Level::Unary),
                _ => self.put("&"),
            }
        }
        match place {
            Target::Object(name, index, path) => {
                self.put(name);
                if let Some(index) = index {
                    self.index(&index);
                }
                self.put(path);
            }
            Target::Pointer(pointers, index, path) if !index.is_zero() => {
                self.sum(&pointers, Level::Postfix);
                self.index(&index);
                self.put(path);
            }
            Target::Pointer(pointers, _, "") => {
                self.put("*");
                self.sum(&pointers, Level::Unary);
            }
            Target::Pointer(pointers, _, path) => {
                self.sum(&pointers, Level::Postfix);
                match path.strip_prefix('.') {
                    Some(field) => {
                        self.put("->");
                        self.put(field);
                    }
                    None => self.put(path),
                }
            }
            Target::Cell => {
                let name = match region.cell {
                    Cell::Bits(width) => format!("i{width}"),
                    Cell::Float(format) => format.to_string(),
                };
                self.put(&format!("*({name} *)"));
                self.expr(address, Level::Unary, Reading::Any);
            }
            Target::Part => {
                self.put(&printer.var(memory));
                self.put("[");
                self.expr(address, Level::Ternary, Reading::Any);
                self.put("]");
            }
        }
    }

    /// Writes the opening bracket and the index or address of an access to `memory`.
    pub(super) fn subscript(&mut self, memory: Option<Var>, address: Expr) {
        self.put("[");
        let place = memory.map(|m| (m, self.printer.target(m, address)));
        match place {
            Some((memory, Target::Object(name, Some(index), "")))
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

/// Splits a sum into its variable summands and the sum of its constants, modulo the width of an address.
pub(crate) fn summands(pool: &Pool, expr: Expr) -> Option<(Terms, u128)> {
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

/// Splits a product with a positive constant into the other factor and the constant.
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

/// The number of cells that a value of `sort` fills.
fn cells(cell: Cell, sort: Sort) -> u16 {
    match (cell, sort) {
        (Cell::Bits(cell), Sort::Bits(width)) => width.div_ceil(cell.max(1)),
        _ => 1,
    }
}
