//! Control-flow automata: variables, locations and edges, each with one operation.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

use super::assumption::Assumption;
use super::property::{Property, PropertySet};
use super::source::{SourceId, SourceMap};
use super::types::Types;
use crate::expr::{Expr, Pool, Sort, Value, Var};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The index in the corresponding table.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A function; indexes [`Program::functions`].
    FuncId,
    /// A control location; indexes [`Program::locations`].
    LocId,
    /// An edge; indexes [`Program::edges`].
    EdgeId,
    /// A function whose results are not known exactly; indexes [`Program::externals`].
    ExternalId,
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// All expressions.
    pub pool: Pool,
    /// All variables.
    pub vars: Vec<VarInfo>,
    /// All functions with a body.
    pub functions: Vec<Function>,
    /// All locations; those of a function are consecutive.
    pub locations: Vec<Location>,
    /// All edges, sorted by source location.
    pub edges: Vec<Edge>,
    /// The function where execution starts: it sets initial values, runs constructors and calls the entry.
    pub start: FuncId,
    /// Files and source positions.
    pub sources: SourceMap,
    /// Types of the source.
    pub types: Arc<Types>,
    /// The width of a pointer in bits.
    pub pointer_bits: u16,
    /// Initial contents of memory regions, referenced by [`Op::Initialize`].
    pub initial: Vec<InitialCells>,
    /// Notes for the user about the model: tolerated warnings, external functions, and the like.
    pub notes: Vec<String>,
    /// What a proof rests on that a user could doubt, sorted.
    pub assumptions: Vec<Assumption>,
    /// Kinds of properties whose checks a part of the program may lack, so that it cannot be called safe.
    pub unchecked: PropertySet,
    /// Address ranges of objects; an access outside them is invalid.
    pub address_space: AddressSpace,
    /// Functions whose results the program's text does not determine: those without a body, and loose models.
    pub externals: Vec<External>,
    /// What the automaton says about these functions beside its edges.
    pub outside: Outside,
    /// The automaton before it was simplified, if it was. Ids mean the same in both.
    pub unsimplified: Option<Box<Automaton>>,
}

/// The locations and edges of a program.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// All locations.
    pub locations: Vec<Location>,
    /// All edges.
    pub edges: Vec<Edge>,
}

/// A function that returns, or writes, what only a real run can tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct External {
    /// Its name in the source.
    pub name: Box<str>,
    /// Whether the user allows it to return any value, so that its values count as inputs.
    pub is_any: bool,
}

/// What the automaton says about external functions beside its edges. Each location has one leaving edge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outside {
    /// Locations whose assumption states a fact about an external function, which holds in every real run. Sorted.
    pub facts: Vec<LocId>,
    /// Locations of calls that enter a function of the library, with the function that the program calls. Sorted.
    pub calls: Vec<(LocId, ExternalId)>,
    /// Locations whose edge gives a variable an input, with the function that returns it. Sorted.
    pub inputs: Vec<(LocId, ExternalId)>,
    /// Locations where an external function makes an object with contents of its choice, with the memories that hold
    /// them. Sorted.
    pub objects: Vec<(LocId, ExternalId, Vec<Var>)>,
}

/// The layout of objects. Static objects have fixed addresses; the heap and the dynamic stack grow.
#[derive(Clone, Debug, Default)]
pub struct AddressSpace {
    /// The range of globals and stack slots of functions that cannot recurse.
    pub fixed: Range<u64>,
    /// Memory that the program does not define, but may access.
    pub outside: Range<u64>,
    /// The first address of the heap.
    pub heap_base: u64,
    /// The variable that holds the end of the heap.
    pub heap_top: Option<Var>,
    /// The first address of the dynamic stack, for variable-sized and recursive stack slots.
    pub stack_base: u64,
    /// The variable that holds the end of the dynamic stack.
    pub stack_top: Option<Var>,
    /// The code addresses of functions, sorted.
    pub functions: Vec<(u64, Box<str>)>,
    /// Named static objects (base, size, name), sorted by base: for printing addresses and checking accesses.
    pub objects: Vec<(u64, u64, Box<str>)>,
}

impl AddressSpace {
    /// The size of the null page in bytes. Null pointers and small offsets from them are in it; no access to it is valid.
    pub const NULL_PAGE: u64 = 4096;
    /// The largest valid length of an access, in bytes, if no address ranges are declared.
    pub const MAX_LENGTH: u64 = 1 << 32;

    /// Whether address ranges are declared, so that accesses are checked against them.
    pub fn is_declared(&self) -> bool {
        !self.fixed.is_empty() || self.heap_top.is_some() || self.stack_top.is_some()
    }
}

/// Metadata of a variable.
#[derive(Clone, Debug)]
pub struct VarInfo {
    /// The display name: the source name where there is one.
    pub name: Box<str>,
    /// Its sort.
    pub sort: Sort,
    /// Its scope.
    pub scope: Scope,
    /// Its origin.
    pub kind: VarKind,
    /// Its source type, if known.
    pub type_name: Option<Box<str>>,
    /// Its declaration.
    pub declared: SourceId,
    /// Its address, if it is fixed.
    pub address: Option<u64>,
}

/// The scope of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// One instance for the whole program.
    Global,
    /// One instance for each activation of the function, invisible to callees.
    Local(FuncId),
}

/// The origin of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum VarKind {
    /// Declared in the source, or part of such an object.
    Source,
    /// An intermediate value.
    Temporary,
    /// Part of the model: heap top, exception state, ….
    Model,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// The symbol name.
    pub name: Box<str>,
    /// The demangled name.
    pub display_name: Box<str>,
    /// Parameters, in order; all local.
    pub params: Vec<Var>,
    /// The sort of the result; `None` if there is none.
    pub result: Option<Sort>,
    /// All its local variables, parameters included.
    pub locals: Vec<Var>,
    /// Its first location.
    pub entry: LocId,
    /// The target of its `Return` edges.
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
    /// Its role.
    pub kind: LocationKind,
    /// The outgoing edges: a range of [`Program::edges`].
    pub leaving: Range<u32>,
    /// Whether this is the target of a back edge.
    pub loop_head: bool,
}

/// The role of a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LocationKind {
    /// No special role.
    Normal,
    /// The exit of its function.
    Exit,
    /// The end of the program: `exit`, `abort`, a failed assumption, a crash.
    Halt,
    /// A violation of the property.
    Error(Property),
}

impl LocationKind {
    /// The property that is violated here, if one is.
    pub fn property(&self) -> Option<&Property> {
        match self {
            LocationKind::Error(property) => Some(property),
            _ => None,
        }
    }
}

/// An edge of the automaton.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The source location.
    pub from: LocId,
    /// The target location; for a `Call`, the location after the call.
    pub to: LocId,
    /// The operation.
    pub op: Op,
    /// The source position.
    pub source: SourceId,
}

/// The operation of an edge.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A jump.
    Skip,
    /// `var = expr`. The sort is scalar, or a memory (a copy of a whole region).
    Assign(Var, Expr),
    /// The edge can only be taken if the expression holds.
    Assume(Expr),
    /// The variable takes an arbitrary value.
    Havoc(Var, Havoc),
    /// Writes `value` to the cells of `memory` at `address`. The value is one cell, or a bit-vector of several whole
    /// cells.
    Store {
        /// The memory variable.
        memory: Var,
        /// The byte address.
        address: Expr,
        /// The new contents.
        value: Expr,
    },
    /// All cells of `memory` in `address .. address + bytes` take arbitrary values.
    Forget {
        /// The memory variable.
        memory: Var,
        /// The first byte address.
        address: Expr,
        /// The length in bytes.
        bytes: Expr,
    },
    /// All bytes of `memory` in `address .. address + bytes` are set to `byte`.
    Fill {
        /// The memory variable.
        memory: Var,
        /// The first byte address.
        address: Expr,
        /// The new value of each byte; 8 bits wide.
        byte: Expr,
        /// The length in bytes.
        bytes: Expr,
    },
    /// Copies the cells of `source` in `from .. from + bytes` to `target`, like `memmove`. Both have the same cell
    /// type.
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
    /// Sets `memory` to an entry of [`Program::initial`]; all other cells take arbitrary values.
    Initialize {
        /// The memory variable.
        memory: Var,
        /// The index of the contents.
        contents: u32,
    },
    /// Calls a function. Arguments are evaluated in the caller; `result` is a variable of the caller.
    Call {
        /// The function that is called.
        callee: FuncId,
        /// One argument for each parameter.
        args: Box<[Expr]>,
        /// The variable that takes the result.
        result: Option<Var>,
    },
    /// Leaves the function, with a value if it has a result.
    Return(Option<Expr>),
    /// An operation that is not modelled. The path ends, and the verdict cannot be SAFE.
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

    /// The variable of the current function that the operation writes, or a global one.
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

/// Why a variable takes an arbitrary value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Havoc {
    /// An input that the program requests, such as `__VERIFIER_nondet_int()`.
    Input,
    /// A variable or memory that has no initial value.
    Uninitialized,
    /// The result or a side effect of an external function.
    External(ExternalId),
    /// A value that the language leaves undefined.
    Undefined,
}

/// Initial contents of a memory region. Cells outside all segments are unknown.
#[derive(Clone, Debug, Default)]
pub struct InitialCells {
    /// Disjoint, sorted by address.
    pub segments: Vec<Segment>,
}

/// A range of known bytes.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The first address.
    pub address: u64,
    /// The length in bytes, at least the length of `data`.
    pub bytes: u64,
    /// The first bytes; the remaining ones are zero.
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
    /// The program as it was before simplification, if it was simplified.
    pub fn original(&self) -> Option<Program> {
        let Automaton { locations, edges } = (**self.unsimplified.as_ref()?).clone();
        Some(Program { locations, edges, unsimplified: None, ..self.clone() })
    }

    /// Metadata of a variable.
    pub fn var(&self, var: Var) -> &VarInfo {
        &self.vars[var.index()]
    }

    /// A function.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    /// A function whose results are not known exactly.
    pub fn external(&self, id: ExternalId) -> &External {
        &self.externals[id.index()]
    }

    /// The function that gives the input that the edges from `location` receive.
    pub fn input_function(&self, location: LocId) -> Option<&str> {
        let inputs = &self.outside.inputs;
        let found = inputs.binary_search_by_key(&location, |input| input.0).ok()?;
        Some(&self.external(inputs[found].1).name)
    }

    /// A location.
    pub fn location(&self, id: LocId) -> &Location {
        &self.locations[id.index()]
    }

    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// What contradicts the rules that all programs obey: only returns lead to exits, the edges of a location start
    /// there, and each cycle of a function has a loop head.
    pub fn flaw(&self) -> Option<String> {
        for (at, location) in self.locations.iter().enumerate() {
            let function = &self.functions[location.function.index()];
            for (_, edge) in self.leaving(LocId(at as u32)) {
                let returns = matches!(edge.op, Op::Return(_));
                if edge.from.index() != at {
                    return Some(format!("an edge of location {at} starts at {}", edge.from.0));
                }
                if edge.to == function.exit && !returns {
                    return Some(format!("{} is left without a return", function.name));
                }
                if edge.to <= edge.from && !returns && !self.location(edge.to).loop_head {
                    return Some(format!("location {} of {} is no loop head", edge.to.0, function.name));
                }
            }
        }
        None
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

    /// The kinds of properties that have an error location.
    pub fn claimed(&self) -> PropertySet {
        self.error_locations().map(|(_, property)| property.kind).collect()
    }

    /// All error locations with their properties, in order.
    pub fn error_locations(&self) -> impl Iterator<Item = (LocId, &Property)> {
        self.locations.iter().enumerate().filter_map(|(i, l)| match &l.kind {
            LocationKind::Error(property) => Some((LocId(i as u32), property)),
            _ => None,
        })
    }

    /// The contents that an `Initialize` operation refers to.
    pub fn initial_cells(&self, contents: u32) -> &InitialCells {
        &self.initial[contents as usize]
    }

    /// A constant of the pointer sort.
    pub fn pointer(&self, address: u64) -> Value {
        Value::bits(self.pointer_bits, u128::from(address))
    }
}
