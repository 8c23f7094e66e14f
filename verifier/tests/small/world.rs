//! A program under construction: its settings, variables, memories and functions.

use std::ops::Range;

use clew_verifier::cfa::{
    FileId, FuncId, Havoc, LocId, LocationKind, Op, Program, ProgramBuilder, Property, PropertyKind, Scope, SourceId,
    SourcePlace, VarInfo, VarKind,
};
use clew_verifier::expr::{Cell, FloatFormat, Sort, Value, Var};

use super::random::Random;

/// Settings of a whole program.
pub struct Flavour {
    /// The widths of its bit-vectors.
    pub widths: Vec<u16>,
    pub floats: bool,
    pub unsupported: bool,
    /// The kinds of its properties.
    pub kinds: Vec<PropertyKind>,
    /// Whether an access outside all objects ends the run. If not, addresses are narrow enough to be enumerated.
    pub checked: bool,
}

/// A memory that a function can use.
#[derive(Clone)]
pub struct Memory {
    pub var: Var,
    pub cell: Cell,
    /// The address of its first cell.
    pub base: u64,
    pub cells: u64,
    /// Whether all its cells always have a value, so that wide reads draw no value that is too wide to enumerate.
    pub solid: bool,
    /// Variables that hold addresses of its cells.
    pub pointers: Vec<Var>,
}

/// The signature of a function.
#[derive(Clone)]
pub struct Callee {
    pub id: FuncId,
    pub params: Vec<Sort>,
    pub result: Option<Sort>,
    /// Whether it is recursive; its first parameter is then the depth.
    pub recursive: bool,
}

/// A function under construction.
pub struct Frame {
    pub callee: Callee,
    /// The scalars in scope, including globals, but without loop counters and pointers.
    pub scalars: Vec<Var>,
    pub memories: Vec<Memory>,
    /// The targets of `break` and `continue`, innermost loop last.
    pub loops: Vec<(LocId, LocId)>,
    pub labels: Vec<LocId>,
    /// The position of the first function that it may call.
    pub first_callee: usize,
}

pub struct Maker {
    pub b: ProgramBuilder,
    pub random: Random,
    pub flavour: Flavour,
    pub globals: Vec<Var>,
    pub memories: Vec<Memory>,
    pub callees: Vec<Callee>,
    /// The remaining numbers of inputs and checks.
    pub inputs_left: usize,
    pub checks_left: usize,
    /// The address range of objects, and the next free address.
    pub area: Range<u64>,
    next_address: u64,
    file: FileId,
    line: u32,
}

pub const HALF: Sort = Sort::Float(FloatFormat::Half);
/// The first address of objects if accesses are checked: after the null page.
const FIRST_CHECKED: u64 = 0x1000;
/// The width of addresses if accesses are not checked.
const NARROW_POINTER: u16 = 6;

impl Maker {
    pub fn new(mut random: Random) -> Maker {
        let widths = [&[2, 3][..], &[2, 4], &[3, 5], &[2, 3, 8], &[1, 3], &[4], &[2, 8], &[3, 6]];
        use PropertyKind::{Assert, Bounds, Overflow, UnreachCall};
        let kinds = [&[UnreachCall][..], &[Assert], &[Assert, Overflow], &[UnreachCall, Assert, Bounds]];
        let flavour = Flavour {
            widths: random.pick(&widths).to_vec(),
            floats: random.one_in(8),
            unsupported: random.one_in(10),
            kinds: random.pick(&kinds).to_vec(),
            checked: !random.one_in(5),
        };
        let pointer_bits = if flavour.checked { random.pick(&[16, 32, 64]) } else { NARROW_POINTER };
        let mut b = ProgramBuilder::new(pointer_bits);
        let file = b.sources.file("small.c");
        let first = if flavour.checked { FIRST_CHECKED } else { 0 };
        let area = first..first + if flavour.checked { random.pick(&[64, 96]) } else { 1 << NARROW_POINTER };
        Maker {
            b,
            inputs_left: random.between(1, 8),
            checks_left: random.between(1, 3),
            random,
            flavour,
            globals: Vec::new(),
            memories: Vec::new(),
            callees: Vec::new(),
            next_address: area.start,
            area,
            file,
            line: 0,
        }
    }

    /// The finished program.
    pub fn finish(mut self, start: FuncId) -> Program {
        if self.flavour.checked {
            self.b.address_space.fixed = self.area.clone();
        }
        self.b.finish(start)
    }

    /// A unique source position for each edge.
    pub fn place(&mut self) -> SourceId {
        self.line += 1;
        let function = "small".into();
        let place = SourcePlace { file: self.file, line: self.line, column: 1, function, inlined_at: SourceId::NONE };
        self.b.sources.intern(place)
    }

    pub fn step(&mut self, at: LocId, op: Op) -> LocId {
        let place = self.place();
        self.b.add_step(at, op, place)
    }

    pub fn edge(&mut self, from: LocId, op: Op, to: LocId) {
        let place = self.place();
        self.b.add_edge(from, op, to, place);
    }

    pub fn end(&mut self, at: LocId, value: Option<clew_verifier::expr::Expr>) {
        let place = self.place();
        self.b.add_return(at, value, place);
    }

    pub fn location(&mut self, frame: &Frame) -> LocId {
        self.b.add_location(frame.callee.id, LocationKind::Normal)
    }

    pub fn error_location(&mut self, frame: &Frame) -> LocId {
        let kind = self.random.pick(&self.flavour.kinds);
        let place = self.place();
        let property = Property::new(kind, &format!("{kind} does not hold"), place);
        self.b.add_location(frame.callee.id, LocationKind::Error(property))
    }

    pub fn width(&mut self) -> u16 {
        self.random.pick(&self.flavour.widths)
    }

    /// A sort with few values.
    pub fn sort(&mut self) -> Sort {
        match self.random.below(10) {
            0..=2 => Sort::Bool,
            3 if self.flavour.floats => HALF,
            _ => Sort::Bits(self.width()),
        }
    }

    pub fn pointer_sort(&self) -> Sort {
        Sort::Bits(self.b.pointer_bits)
    }

    pub fn value(&mut self, sort: Sort) -> Value {
        // One, minus two, the largest, infinity, NaN, a subnormal number, zeros.
        let halves = [0x3c00, 0xc000, 0x7bff, 0x7c00, 0x7e00, 0x0001, 0x0000, 0x8000, 0x3800];
        let raw = match sort {
            Sort::Float(_) => self.random.pick(&halves),
            _ => u128::from(self.random.next()),
        };
        Value::from_raw(sort, raw).expect("constants are scalars")
    }

    pub fn variable(&mut self, name: &str, sort: Sort, scope: Scope) -> Var {
        let kind = if self.random.one_in(5) { VarKind::Temporary } else { VarKind::Source };
        let name = format!("{name}{}", self.b.vars().len()).into();
        self.b.add_var(VarInfo { name, sort, scope, kind, type_name: None, declared: SourceId::NONE, address: None })
    }

    /// Declares a function; its body follows later.
    pub fn declare(&mut self, name: &str, params: &[Sort], result: Option<Sort>, recursive: bool) -> Callee {
        let id = self.b.add_function(name, name, result, SourceId::NONE);
        for &sort in params {
            let var = self.variable("p", sort, Scope::Local(id));
            self.b.add_param(var);
        }
        let callee = Callee { id, params: params.to_vec(), result, recursive };
        self.callees.push(callee.clone());
        callee
    }

    /// Starts the body of the function declared at `position`.
    pub fn enter(&mut self, position: usize) -> Frame {
        let callee = self.callees[position].clone();
        let params = self.b.function(callee.id).params.clone();
        // The recursion depth must not be modified.
        let params = params.into_iter().skip(usize::from(callee.recursive));
        Frame {
            scalars: self.globals.iter().copied().chain(params).collect(),
            memories: self.memories.clone(),
            loops: Vec::new(),
            labels: Vec::new(),
            first_callee: position + 1,
            callee,
        }
    }

    /// Allocates address space for `cells` cells, if there is enough; objects are separated.
    pub fn allocate(&mut self, cell: Cell, cells: u64) -> Option<u64> {
        let bytes = cell.bytes();
        let base = self.next_address.next_multiple_of(bytes);
        let end = base + bytes * cells;
        (end <= self.area.end).then(|| {
            self.next_address = end + 2;
            base
        })
    }

    /// A random scalar, initialised or not.
    pub fn declare_scalar(&mut self, frame: &mut Frame, at: LocId, scope: Scope) -> LocId {
        let sort = self.sort();
        let var = self.variable(if scope == Scope::Global { "g" } else { "x" }, sort, scope);
        // Uninitialised variables are drawn at the first read, and floats have too many values for that.
        let narrow = matches!(sort, Sort::Bool | Sort::Bits(1..=4));
        let next = if narrow && self.random.one_in(8) {
            if self.random.coin() { at } else { self.step(at, Op::Havoc(var, Havoc::Uninitialized)) }
        } else {
            let value = self.value(sort);
            let value = self.b.pool.constant(value);
            self.step(at, Op::Assign(var, value))
        };
        frame.scalars.push(var);
        if scope == Scope::Global {
            self.globals.push(var);
        }
        next
    }
}
