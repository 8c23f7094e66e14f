//! Random expressions as trees, for tests that compare two interpretations.
#![allow(dead_code)] // Each test uses only some of this.

use std::fmt;

use clew_verifier::expr::eval::{Env, Undefined, cell_address};
use clew_verifier::expr::value::mask;
use clew_verifier::expr::{
    BinaryOp, Cell, Expr, FloatFormat, MemorySort, Node, Pool, Rounding, Sort, TernaryOp, UnaryOp, Value, Var,
};

const WIDTHS: [u16; 12] = [8, 32, 1, 16, 64, 128, 8, 32, 3, 7, 33, 127];

/// An expression before simplification.
#[derive(Clone)]
pub enum Tree {
    Const(Value),
    Var(Var, Sort),
    Unary(UnaryOp, Box<Tree>),
    Binary(BinaryOp, Box<Tree>, Box<Tree>),
    Ternary(TernaryOp, Box<Tree>, Box<Tree>, Box<Tree>),
    Read(MemorySort, Box<Tree>, Box<Tree>, u16),
    Write(Box<Tree>, Box<Tree>, Box<Tree>, u16),
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Const(value) => write!(f, "{:#x}:{}", value.raw(), value.sort()),
            Tree::Var(var, sort) => write!(f, "v{}:{sort}", var.0),
            Tree::Unary(op, a) => write!(f, "{op:?}({a:?})"),
            Tree::Binary(op, a, b) => write!(f, "{op:?}({a:?}, {b:?})"),
            Tree::Ternary(op, a, b, c) => write!(f, "{op:?}({a:?}, {b:?}, {c:?})"),
            Tree::Read(_, memory, address, cells) => write!(f, "{memory:?}[{address:?}; {cells}]"),
            Tree::Write(memory, address, value, cells) => write!(f, "{memory:?}[{address:?}; {cells} := {value:?}]"),
        }
    }
}

/// An assignment of values to variables and cells that only depends on their names and addresses.
pub struct World {
    pub seed: u64,
    pub sorts: Vec<Sort>,
    /// The cells of memory variables that were read.
    pub read: Vec<(Var, MemorySort, u128)>,
}

impl World {
    fn scramble(&self, a: u64, b: u64) -> u128 {
        let mut bits = u128::from(self.seed ^ a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.rotate_left(32)) + 1;
        for _ in 0..3 {
            bits = bits.wrapping_mul(0xda94_2042_e4dd_58b5_0000_0000_0000_0001 ^ 0x9e37_79b9) ^ (bits >> 61);
        }
        bits
    }

    pub fn scalar(&self, var: Var, sort: Sort) -> Value {
        let random = self.scramble(var.0.into(), 0);
        Value::from_raw(sort, edge(sort, (random >> 100) as u8, random)).expect("a scalar")
    }
}

/// An interesting value of `sort`.
pub fn edge(sort: Sort, which: u8, random: u128) -> u128 {
    let (bits, float) = match sort {
        Sort::Bits(width) => (width, false),
        Sort::Float(format) => (format.bits(), true),
        _ => (1, false),
    };
    let infinity = match sort {
        Sort::Float(FloatFormat::Half) => 0x7c00,
        Sort::Float(FloatFormat::BFloat) => 0x7f80,
        Sort::Float(FloatFormat::Single) => 0x7f80_0000,
        Sort::Float(FloatFormat::Double) => 0x7ff0_0000_0000_0000,
        Sort::Float(FloatFormat::X87) => 0x7fff_8000_0000_0000_0000,
        _ => 0x7fff << 112,
    };
    match which % 16 {
        0 | 1 => 0,
        2 | 3 => 1,
        4 => mask(bits),
        5 => 1 << (bits - 1),
        6 => mask(bits - 1),
        7 if float => infinity,
        8 if float => infinity | 5,
        9 if float => infinity | 1 << (bits - 1),
        10 if float => infinity / 2 + (random & 0xffff),
        7..=9 => (random & 0xff).wrapping_sub(128),
        10 => random & 7,
        11 => 1 << (random % u128::from(bits)),
        12 => 0x7f + (random & 1),
        13 => 0xff + (random & 1),
        _ => random,
    }
}

impl Env for World {
    type Stop = Undefined;

    fn var(&mut self, var: Var) -> Result<Value, Undefined> {
        Ok(self.scalar(var, self.sorts[var.index()]))
    }

    fn read(&mut self, memory: Var, sort: MemorySort, address: u128, cells: u16) -> Result<Value, Undefined> {
        self.read.extend((0..cells).map(|i| (memory, sort, cell_address(sort, address, i))));
        let cell = |i: u16| {
            let address = cell_address(sort, address, i);
            Value::from_raw(sort.cell.sort(), self.scramble(memory.0.into(), (address as u64).wrapping_add(1)))
                .expect("a scalar")
        };
        match sort.cell {
            Cell::Float(_) => Ok(cell(0)),
            Cell::Bits(width) => {
                let bits = (0..cells).fold(0, |bits, i| bits | cell(i).raw() << (i * width));
                Ok(Value::bits(cells * width, bits))
            }
        }
    }
}

/// The simplified expression.
pub fn build(tree: &Tree, pool: &mut Pool) -> Expr {
    match tree {
        Tree::Const(value) => pool.constant(*value),
        Tree::Var(var, sort) => pool.var(*var, *sort),
        Tree::Unary(op, a) => {
            let a = build(a, pool);
            pool.unary(*op, a)
        }
        Tree::Binary(op, a, b) => {
            let (a, b) = (build(a, pool), build(b, pool));
            pool.binary(*op, a, b)
        }
        Tree::Ternary(op, a, b, c) => {
            let (a, b, c) = (build(a, pool), build(b, pool), build(c, pool));
            pool.ternary(*op, a, b, c)
        }
        Tree::Read(_, memory, address, cells) => {
            let (memory, address) = (build(memory, pool), build(address, pool));
            pool.read(memory, address, *cells)
        }
        Tree::Write(memory, address, value, _) => {
            let (memory, address, value) = (build(memory, pool), build(address, pool), build(value, pool));
            pool.write(memory, address, value)
        }
    }
}

/// Builds trees from bytes, so that fewer and smaller bytes yield smaller trees.
pub struct Maker<'a> {
    pub bytes: std::slice::Iter<'a, u8>,
    pub sorts: Vec<Sort>,
    /// Only memories of bytes with 64-bit addresses, and no writes within expressions.
    pub plain_memories: bool,
    /// The base of addresses.
    pub base: u128,
}

impl<'a> Maker<'a> {
    /// Unrestricted expressions.
    pub fn new(bytes: &'a [u8]) -> Maker<'a> {
        Maker { bytes: bytes.iter(), sorts: Vec::new(), plain_memories: false, base: 0 }
    }

    pub fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.byte() as usize % list.len()]
    }

    pub fn width(&mut self) -> u16 {
        self.pick(&WIDTHS)
    }

    pub fn format(&mut self) -> FloatFormat {
        use FloatFormat::*;
        self.pick(&[Single, Double, Half, X87, Quad, BFloat])
    }

    fn random(&mut self) -> u128 {
        (0..16).fold(0, |bits, _| bits << 8 | u128::from(self.byte()))
    }

    fn constant(&mut self, sort: Sort) -> Tree {
        let which = self.byte();
        let random = if which % 16 >= 7 { self.random() } else { 0 };
        Tree::Const(Value::from_raw(sort, edge(sort, which, random)).expect("a scalar"))
    }

    /// One of two variables of a sort.
    pub fn var(&mut self, sort: Sort) -> Tree {
        let nth = usize::from(self.byte() % 2);
        let known: Vec<_> = (0..self.sorts.len()).filter(|&i| self.sorts[i] == sort).collect();
        let index = known.get(nth).copied().unwrap_or_else(|| {
            self.sorts.push(sort);
            self.sorts.len() - 1
        });
        Tree::Var(Var(index as u32), sort)
    }

    pub fn tree(&mut self, sort: Sort, depth: u32) -> Tree {
        let leaf = if depth == 0 { self.byte() % 2 } else { self.byte() % 10 };
        match (leaf, sort) {
            (0, _) => self.var(sort),
            (1, _) => self.constant(sort),
            (2, _) => self.ite(sort, depth - 1),
            (_, Sort::Bool) => self.truth(depth - 1),
            (_, Sort::Bits(width)) => self.bits(width, depth - 1),
            (_, Sort::Float(format)) => self.float(format, depth - 1),
            (_, Sort::Memory(_)) => unreachable!("memories are made apart"),
        }
    }

    fn boxed(&mut self, sort: Sort, depth: u32) -> Box<Tree> {
        Box::new(self.tree(sort, depth))
    }

    fn unary(&mut self, op: UnaryOp, a: Sort, depth: u32) -> Tree {
        Tree::Unary(op, self.boxed(a, depth))
    }

    /// Two operands of one sort, sometimes equal.
    fn binary(&mut self, op: BinaryOp, sort: Sort, depth: u32) -> Tree {
        let a = self.boxed(sort, depth);
        let b = if self.byte() % 8 == 7 { a.clone() } else { self.boxed(sort, depth) };
        Tree::Binary(op, a, b)
    }

    fn ite(&mut self, sort: Sort, depth: u32) -> Tree {
        let condition = self.boxed(Sort::Bool, depth);
        let constants = self.byte().is_multiple_of(2);
        let (a, b) = if constants {
            (Box::new(self.constant(sort)), Box::new(self.constant(sort)))
        } else {
            (self.boxed(sort, depth), self.boxed(sort, depth))
        };
        Tree::Ternary(TernaryOp::Ite, condition, a, b)
    }

    fn truth(&mut self, depth: u32) -> Tree {
        use BinaryOp::*;
        match self.byte() % 10 {
            0 => self.unary(UnaryOp::Not, Sort::Bool, depth),
            1 | 2 => {
                let op = self.pick(&[And, Or, Eq]);
                self.binary(op, Sort::Bool, depth)
            }
            3 | 4 => {
                let width = self.width();
                self.binary(Eq, Sort::Bits(width), depth)
            }
            5..=7 => {
                let (op, width) = (self.pick(&[UnsignedLess, UnsignedLessEq, SignedLess, SignedLessEq]), self.width());
                self.binary(op, Sort::Bits(width), depth)
            }
            8 => {
                let list = [
                    SignedAddOverflows,
                    SignedSubOverflows,
                    SignedMulOverflows,
                    UnsignedAddOverflows,
                    UnsignedSubOverflows,
                    UnsignedMulOverflows,
                ];
                let (op, width) = (self.pick(&list), self.width());
                self.binary(op, Sort::Bits(width), depth)
            }
            _ => {
                let format = self.format();
                match self.byte() % 8 {
                    0 => self.unary(UnaryOp::FloatIsNan, Sort::Float(format), depth),
                    1 => self.unary(UnaryOp::FloatIsInfinite, Sort::Float(format), depth),
                    2 => self.unary(UnaryOp::FloatSignBit, Sort::Float(format), depth),
                    3 => self.unary(UnaryOp::FloatIsSubnormal, Sort::Float(format), depth),
                    _ => {
                        let op = self.pick(&[Eq, FloatEq, FloatLess, FloatLessEq]);
                        self.binary(op, Sort::Float(format), depth)
                    }
                }
            }
        }
    }

    fn bits(&mut self, width: u16, depth: u32) -> Tree {
        use BinaryOp::*;
        use UnaryOp::*;
        match self.byte() % 16 {
            0..=2 => {
                let op = self.pick(&[Add, Sub, Mul]);
                self.binary(op, Sort::Bits(width), depth)
            }
            3..=5 => {
                let op = self.pick(&[BitAnd, BitOr, BitXor]);
                self.binary(op, Sort::Bits(width), depth)
            }
            6 => {
                let op = self.pick(&[
                    ShiftLeft,
                    ShiftRight,
                    ShiftRightSigned,
                    UnsignedDiv,
                    SignedDiv,
                    UnsignedRem,
                    SignedRem,
                ]);
                self.binary(op, Sort::Bits(width), depth)
            }
            7 => {
                let op = self.pick(&[BitNot, Neg, PopCount, LeadingZeros, TrailingZeros, BitReverse]);
                let op = if width.is_multiple_of(16) && self.byte() % 4 == 3 { ByteSwap } else { op };
                self.unary(op, Sort::Bits(width), depth)
            }
            8 | 9 if width > 1 => {
                let narrow = if self.byte().is_multiple_of(2) { self.width() } else { u16::from(self.byte()) };
                let op = self.pick(&[ZeroExtend(width), SignExtend(width)]);
                self.unary(op, Sort::Bits(1 + narrow % (width - 1)), depth)
            }
            8..=11 if width < 128 => {
                let wide = (width + 1 + u16::from(self.byte()) % 40).min(128);
                let low = u16::from(self.byte()) % (wide - width + 1);
                self.unary(Extract { low, width }, Sort::Bits(wide), depth)
            }
            12 | 13 if width > 1 => self.concat(width, depth),
            14 if width.is_multiple_of(8) => self.read(Cell::Bits(8), width / 8, depth),
            _ => {
                let format = self.format();
                if width == format.bits() {
                    return self.unary(FloatToBits, Sort::Float(format), depth);
                }
                let op = self.pick(&[FloatToSigned(width), FloatToUnsigned(width)]);
                self.unary(op, Sort::Float(format), depth)
            }
        }
    }

    /// Two unrelated parts, or adjacent parts of one expression.
    fn concat(&mut self, width: u16, depth: u32) -> Tree {
        let low = 1 + u16::from(self.byte()) % (width - 1);
        if self.byte().is_multiple_of(2) {
            let (a, b) = (self.boxed(Sort::Bits(width - low), depth), self.boxed(Sort::Bits(low), depth));
            return Tree::Binary(BinaryOp::Concat, a, b);
        }
        let wide = (width + u16::from(self.byte()) % 9).min(128);
        let first = u16::from(self.byte()) % (wide - width + 1);
        let whole = self.boxed(Sort::Bits(wide), depth);
        let part = |low, width| {
            // `width` is less than that of the whole: an extract of everything is not a part.
            Box::new(Tree::Unary(UnaryOp::Extract { low, width }, whole.clone()))
        };
        Tree::Binary(BinaryOp::Concat, part(first + low, width - low), part(first, low))
    }

    fn float(&mut self, format: FloatFormat, depth: u32) -> Tree {
        use BinaryOp::*;
        use UnaryOp::*;
        let sort = Sort::Float(format);
        match self.byte() % 8 {
            0..=2 => {
                let op = self.pick(&[FloatAdd, FloatSub, FloatMul, FloatDiv, FloatRem, FloatMin, FloatMax]);
                self.binary(op, sort, depth)
            }
            3 => {
                let list = [FloatNeg, FloatAbs, FloatSqrt, FloatRound(Rounding::NearestEven), FloatRound(Rounding::Up)];
                let op = self.pick(&list);
                self.unary(op, sort, depth)
            }
            4 => {
                let (op, width) = (self.pick(&[SignedToFloat(format), UnsignedToFloat(format)]), self.width());
                self.unary(op, Sort::Bits(width), depth)
            }
            5 => {
                let from = self.format();
                self.unary(FloatToFloat(format), Sort::Float(from), depth)
            }
            6 if self.byte().is_multiple_of(2) => self.unary(BitsToFloat(format), Sort::Bits(format.bits()), depth),
            6 if self.plain_memories => self.var(sort),
            6 => self.read(Cell::Float(format), 1, depth),
            _ => {
                let (a, b, c) = (self.boxed(sort, depth), self.boxed(sort, depth), self.boxed(sort, depth));
                Tree::Ternary(TernaryOp::FloatFma, a, b, c)
            }
        }
    }

    fn read(&mut self, cell: Cell, cells: u16, depth: u32) -> Tree {
        // A few large cells, or many of one byte.
        let (cell, cells) = match cell {
            Cell::Bits(_) if !self.plain_memories && self.byte() % 3 == 2 => (Cell::Bits(8 * cells), 1),
            _ => (cell, cells),
        };
        let (widths, writes) = if self.plain_memories { ([64, 64], 0) } else { ([16, 64], 3) };
        let sort = MemorySort { address: self.pick(&widths), cell };
        let memory = self.memory(sort, writes, depth);
        Tree::Read(sort, Box::new(memory), Box::new(self.address(sort, depth)), cells)
    }

    pub fn memory(&mut self, sort: MemorySort, writes: u32, depth: u32) -> Tree {
        match self.byte() % 8 {
            0 => self.var(Sort::Memory(sort)),
            1 if writes > 0 => {
                let condition = self.boxed(Sort::Bool, depth.min(1));
                let (a, b) = (self.memory(sort, writes - 1, depth), self.memory(sort, writes - 1, depth));
                Tree::Ternary(TernaryOp::Ite, condition, Box::new(a), Box::new(b))
            }
            _ if writes > 0 => {
                let cells = match sort.cell {
                    Cell::Bits(8) => 1 + u16::from(self.byte()) % 4,
                    _ => 1,
                };
                let value_sort = match sort.cell {
                    Cell::Bits(width) => Sort::Bits(width * cells),
                    Cell::Float(format) => Sort::Float(format),
                };
                let below = self.memory(sort, writes - 1, depth);
                let (address, value) = (self.address(sort, depth), self.boxed(value_sort, depth));
                Tree::Write(Box::new(below), Box::new(address), value, cells)
            }
            _ => self.var(Sort::Memory(sort)),
        }
    }

    /// Addresses close to each other.
    pub fn address(&mut self, sort: MemorySort, depth: u32) -> Tree {
        let offset = u128::from(self.byte() % 6) * u128::from(sort.cell.bytes());
        let near = Tree::Const(Value::bits(sort.address, self.base.wrapping_add(offset).wrapping_sub(2)));
        match self.byte() % 4 {
            0 => near,
            3 => self.tree(Sort::Bits(sort.address), depth.min(1)),
            _ => Tree::Binary(BinaryOp::Add, Box::new(self.var(Sort::Bits(sort.address))), Box::new(near)),
        }
    }
}

pub fn show(pool: &Pool, expr: Expr) -> String {
    let children: Vec<_> = pool.children(expr).map(|child| show(pool, child)).collect();
    match pool.node(expr) {
        Node::Const(value) => format!("{:#x}:{}", value.raw(), value.sort()),
        Node::Var(var) => format!("v{}", var.0),
        Node::Unary(op, _) => format!("{op:?}({})", children.join(", ")),
        Node::Binary(op, ..) => format!("{op:?}({})", children.join(", ")),
        Node::Ternary(op, ..) => format!("{op:?}({})", children.join(", ")),
        Node::Read { .. } => format!("Read({})", children.join(", ")),
        Node::Write { .. } => format!("Write({})", children.join(", ")),
    }
}
