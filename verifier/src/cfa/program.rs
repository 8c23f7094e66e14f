//! Control-flow automata: variables, locations and edges, each with one operation.

use std::ops::Range;

use super::expr::{Expr, Pool};
use super::sort::Sort;
use super::source::{SourceId, SourceMap};
use super::value::Value;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the table that this id indexes.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A variable; indexes [`Program::vars`].
    Var,
    /// A function; indexes [`Program::functions`].
    FuncId,
    /// A control location; indexes [`Program::locations`].
    LocId,
    /// An edge; indexes [`Program::edges`].
    EdgeId,
}

/// A whole program.
#[derive(Debug)]
pub struct Program {
    /// All expressions.
    pub pool: Pool,
    /// All variables.
    pub vars: Vec<VarInfo>,
    /// All functions that have a body.
    pub functions: Vec<Function>,
    /// All locations, those of one function side by side.
    pub locations: Vec<Location>,
    /// All edges, sorted by the location that they leave.
    pub edges: Vec<Edge>,
    /// The function where execution starts: it sets the initial values, runs constructors and calls the entry.
    pub start: FuncId,
    /// Files and places.
    pub sources: SourceMap,
    /// The width of a pointer in bits.
    pub pointer_bits: u16,
    /// What the memory regions hold when the program starts, by [`Op::Initialize`].
    pub initial: Vec<InitialCells>,
    /// What the user should know about the model: tolerated warnings, external functions and the like.
    pub notes: Vec<String>,
    /// Address ranges in which objects may live; an access outside of them is invalid.
    pub address_space: AddressSpace,
}

/// Where objects live. Static objects have fixed addresses; the two tops grow as the program allocates.
#[derive(Clone, Debug, Default)]
pub struct AddressSpace {
    /// Globals and stack slots of functions that cannot recurse.
    pub fixed: Range<u64>,
    /// Where the heap starts.
    pub heap_base: u64,
    /// The variable that holds the end of the heap.
    pub heap_top: Option<Var>,
    /// Where the dynamic stack starts: variable-sized and recursive stack slots.
    pub stack_base: u64,
    /// The variable that holds the end of the dynamic stack.
    pub stack_top: Option<Var>,
    /// The code addresses of functions, sorted.
    pub functions: Vec<(u64, Box<str>)>,
    /// Named static objects (base, size, name), sorted by base: for printing addresses and checking accesses.
    pub objects: Vec<(u64, u64, Box<str>)>,
}

/// What is known of a variable.
#[derive(Clone, Debug)]
pub struct VarInfo {
    /// A name for people: as in the source where there is one.
    pub name: Box<str>,
    /// Its sort.
    pub sort: Sort,
    /// Where it lives.
    pub scope: Scope,
    /// Where it comes from.
    pub kind: VarKind,
    /// Its type in the source, where there is one.
    pub type_name: Option<Box<str>>,
    /// Its declaration.
    pub declared: SourceId,
    /// Its address, if it has a fixed one.
    pub address: Option<u64>,
}

/// Who sees a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// One instance for the whole program.
    Global,
    /// One instance for each activation of the function, untouched by what it calls.
    Local(FuncId),
}

/// Where a variable comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum VarKind {
    /// The source declares it (or the object whose part it is).
    Source,
    /// It holds an intermediate value.
    Temporary,
    /// It is a part of the model: heap top, exception state, ….
    Model,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name in the object file.
    pub name: Box<str>,
    /// The name that the programmer knows (demangled).
    pub display_name: Box<str>,
    /// Parameters, in order; all local.
    pub params: Vec<Var>,
    /// The sort of what it returns, `None` for nothing.
    pub result: Option<Sort>,
    /// All its local variables, parameters included.
    pub locals: Vec<Var>,
    /// Where it begins.
    pub entry: LocId,
    /// Where its `Return` edges lead.
    pub exit: LocId,
    /// Its locations.
    pub locations: Range<u32>,
    /// Its declaration.
    pub declared: SourceId,
}

/// A control location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Its function.
    pub function: FuncId,
    /// What kind it is.
    pub kind: LocationKind,
    /// The edges that leave it: a range of [`Program::edges`].
    pub leaving: Range<u32>,
    /// Does a loop start here (is it the target of a back edge)?
    pub loop_head: bool,
}

/// What a location means beyond its edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LocationKind {
    /// Nothing.
    Normal,
    /// The end of its function.
    Exit,
    /// The program ends here: `exit`, `abort`, a failed assumption, a crash.
    Halt,
    /// A property is violated here.
    Error(Property),
}

/// A property of the program that an error location violates.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Property {
    /// What was to hold: `unreach-call`, `assert`, `overflow`, `bounds`, ….
    pub kind: Box<str>,
    /// The violation, for people.
    pub message: Box<str>,
    /// Where the violation is.
    pub place: SourceId,
}

/// An edge of the automaton.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: LocId,
    /// Where it ends; for a `Call`, where the caller goes on.
    pub to: LocId,
    /// What it does.
    pub op: Op,
    /// Where it stands in the source.
    pub source: SourceId,
}

/// The operation of an edge.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Nothing: a jump.
    Skip,
    /// `var = expr`. The sort is a scalar one, or a memory (copying a whole region).
    Assign(Var, Expr),
    /// Control passes only if the expression holds.
    Assume(Expr),
    /// The variable takes any value.
    Havoc(Var, Havoc),
    /// Writes `value` to the cells of `memory` from `address` on. The value is one cell, or a bit-vector of several whole cells.
    Store {
        /// The memory variable.
        memory: Var,
        /// The byte address.
        address: Expr,
        /// What is written.
        value: Expr,
    },
    /// All cells of `memory` in `address .. address + bytes` take any value.
    Forget {
        /// The memory variable.
        memory: Var,
        /// The first byte address.
        address: Expr,
        /// The length in bytes.
        bytes: Expr,
    },
    /// All cells of `memory` in `address .. address + bytes` are set to `byte`, byte by byte.
    Fill {
        /// The memory variable.
        memory: Var,
        /// The first byte address.
        address: Expr,
        /// What every byte becomes; 8 bits wide.
        byte: Expr,
        /// The length in bytes.
        bytes: Expr,
    },
    /// Copies all cells of `source` in `from .. from + bytes` to `target`, as `memmove` does. The cell types are equal.
    Copy {
        /// The memory variable that is written.
        target: Var,
        /// The first byte address that is written.
        to: Expr,
        /// The memory variable that is read.
        source: Var,
        /// The first byte address that is read.
        from: Expr,
        /// The length in bytes.
        bytes: Expr,
    },
    /// `memory` takes the contents that [`Program::initial`] gives at that position; all else in it takes any value.
    Initialize {
        /// The memory variable.
        memory: Var,
        /// Which contents.
        contents: u32,
    },
    /// Calls a function. Arguments are evaluated in the caller; `result` is the caller's variable.
    Call {
        /// Who is called.
        callee: FuncId,
        /// One for each parameter.
        args: Box<[Expr]>,
        /// Where the result goes.
        result: Option<Var>,
    },
    /// Leaves the function, with a value if it has a result.
    Return(Option<Expr>),
    /// Something that is not modelled: whoever passes here cannot say SAFE. The path ends.
    Unsupported(Box<str>),
}

impl Op {
    /// Visits the expressions that the operation evaluates, in order.
    pub fn for_each_expr(&self, mut visit: impl FnMut(Expr)) {
        match self {
            Op::Skip | Op::Havoc(..) | Op::Initialize { .. } | Op::Return(None) | Op::Unsupported(_) => {}
            Op::Assign(_, value) | Op::Assume(value) | Op::Return(Some(value)) => visit(*value),
            Op::Store { address, value, .. } => [*address, *value].into_iter().for_each(visit),
            Op::Forget { address, bytes, .. } => [*address, *bytes].into_iter().for_each(visit),
            Op::Fill { address, byte, bytes, .. } => [*address, *byte, *bytes].into_iter().for_each(visit),
            Op::Copy { to, from, bytes, .. } => [*to, *from, *bytes].into_iter().for_each(visit),
            Op::Call { args, .. } => args.iter().copied().for_each(visit),
        }
    }

    /// The variable that the operation changes in the function at hand.
    pub fn written(&self) -> Option<Var> {
        match self {
            Op::Assign(var, _) | Op::Havoc(var, _) => Some(*var),
            Op::Store { memory, .. } | Op::Forget { memory, .. } | Op::Fill { memory, .. } => Some(*memory),
            Op::Initialize { memory, .. } => Some(*memory),
            Op::Copy { target, .. } => Some(*target),
            Op::Call { result, .. } => *result,
            Op::Skip | Op::Assume(_) | Op::Return(_) | Op::Unsupported(_) => None,
        }
    }
}

/// Why a variable takes any value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Havoc {
    /// An input that the program asked for, such as `__VERIFIER_nondet_int()`.
    Input,
    /// A variable or memory without an initial value.
    Uninitialized,
    /// What an external function returned or wrote.
    External,
    /// A value that the language leaves undefined.
    Undefined,
}

/// What a memory region holds at the start. All cells that are in no segment are unknown.
#[derive(Clone, Debug, Default)]
pub struct InitialCells {
    /// Disjoint, sorted by address.
    pub segments: Vec<Segment>,
}

/// A run of known bytes.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The first address.
    pub address: u64,
    /// The length in bytes, at least that of `data`.
    pub bytes: u64,
    /// The first bytes; all that follow up to `bytes` are zero.
    pub data: Box<[u8]>,
}

impl InitialCells {
    /// The `bytes` bytes at `address` as a little-endian number, if they are known and at most 16.
    pub fn read(&self, address: u64, bytes: u64) -> Option<u128> {
        let after = self.segments.partition_point(|s| s.address <= address);
        let segment = &self.segments[after.checked_sub(1)?];
        let offset = address - segment.address;
        if bytes > 16 || offset.checked_add(bytes)? > segment.bytes {
            return None;
        }
        Some(
            (0..bytes).rev().fold(0, |value, i| {
                value << 8 | u128::from(segment.data.get((offset + i) as usize).copied().unwrap_or(0))
            }),
        )
    }
}

impl Program {
    /// What is known of a variable.
    pub fn var(&self, var: Var) -> &VarInfo {
        &self.vars[var.index()]
    }

    /// A function.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    /// A location.
    pub fn location(&self, id: LocId) -> &Location {
        &self.locations[id.index()]
    }

    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// The edges that leave a location, with their ids.
    pub fn leaving(&self, location: LocId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        let range = self.location(location).leaving.clone();
        range.map(|i| (EdgeId(i), &self.edges[i as usize]))
    }

    /// The edges of a function, with their ids.
    pub fn edges_of(&self, function: FuncId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        let locations = self.function(function).locations.clone();
        locations.flat_map(|l| self.leaving(LocId(l)))
    }

    /// All violated properties that some location stands for, in order.
    pub fn error_locations(&self) -> impl Iterator<Item = (LocId, &Property)> {
        self.locations.iter().enumerate().filter_map(|(i, l)| match &l.kind {
            LocationKind::Error(property) => Some((LocId(i as u32), property)),
            _ => None,
        })
    }

    /// The initial cells that an `Initialize` operation names.
    pub fn initial_cells(&self, contents: u32) -> &InitialCells {
        &self.initial[contents as usize]
    }

    /// A constant of the pointer sort.
    pub fn pointer(&self, address: u64) -> Value {
        Value::bits(self.pointer_bits, u128::from(address))
    }
}
