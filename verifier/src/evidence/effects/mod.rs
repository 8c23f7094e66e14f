//! What the steps of a run change, as people see it in the source.
//!
//! A value is never computed here: it is read from the state of the interpreter after the step.

mod contents;
mod names;
#[cfg(debug_assertions)]
mod verify;

pub(super) use contents::value_of;
use contents::{Contents, read, scalar_bytes};
use names::{Named, named, root};
#[cfg(debug_assertions)]
pub(super) use verify::verify;

use super::counterexample::{Change, Origin, StepRecord};
use crate::cfa::program::{EdgeId, Op, Program, VarKind};
use crate::cfa::source::SourceId;
use crate::cfa::types::{Part, PartKind, Shape, SourceType, Types};
use crate::expr::{BinaryOp, Expr, Node, Sort, Value, Var};
use crate::interpreter::{Observer, State};
use crate::print::addresses::Addresses;
use crate::print::typed::{Typed, quoted};
use crate::print::values;

/// Longer ranges are shown by their first bytes.
const MAX_BYTES: u64 = 1024;
/// Longer texts are not followed while they are written.
const MAX_TEXT: u64 = 256;

/// Records the effects of every step.
pub(super) struct Watcher<'a> {
    program: &'a Program,
    /// One record for each step so far.
    pub records: Vec<StepRecord>,
    addresses: Addresses<'a>,
    contents: Contents,
    depth: usize,
    /// The variables that take the results of the calls on the stack.
    results: Vec<Option<Var>>,
}

impl<'a> Watcher<'a> {
    pub(super) fn new(program: &'a Program) -> Watcher<'a> {
        Watcher {
            program,
            records: Vec::new(),
            addresses: Addresses::new(program),
            contents: Contents::of(program),
            depth: 1,
            results: Vec::new(),
        }
    }

    fn types(&self) -> &'a Types {
        &self.program.types
    }

    /// A byte of a text that a pointer points to.
    fn letter(&self, state: &State<'_>, address: u64) -> Option<u8> {
        let object = self.addresses.object(address)?;
        let has_members = matches!(self.types().get(object.ty).shape, Shape::Struct(_) | Shape::Union(_));
        (self.contents.holders(&object) < 2 && !has_members).then(|| self.byte(state, address))?
    }

    fn byte(&self, state: &State<'_>, address: u64) -> Option<u8> {
        self.contents.byte(state, &self.addresses, address)
    }

    /// The bytes of a part, as far as they are known.
    fn bytes(&self, state: &State<'_>, address: u64, length: u64) -> Vec<Option<u8>> {
        (0..length.min(MAX_BYTES)).map(|i| self.byte(state, address.wrapping_add(i))).collect()
    }

    fn text(&self, state: &State<'_>, part: &Part, bytes: &[Option<u8>]) -> Option<String> {
        let read = |address| self.letter(state, address);
        Typed { addresses: &self.addresses, read: &read }.part(part, bytes)
    }

    /// The changes that give a variable its value. `by` is the expression that is assigned.
    fn variable(&self, state: &State<'_>, var: Var, by: Option<Expr>) -> Vec<Change> {
        let info = self.program.var(var);
        // Variables without a declaration are temporaries of the compiler.
        if info.kind != VarKind::Source || info.declared == SourceId::NONE {
            return Vec::new();
        }
        let Some(value) = state.value(var) else { return Vec::new() };
        let bytes = values::bytes(value);
        let parts = self.types().variables.get(&var).map(|slot| {
            let mut parts = self.types().parts(slot.object, slot.offset, bytes.len() as u64);
            if matches!(value, Value::Float { .. }) && parts.len() > 1 {
                parts.retain(|part| matches!(self.types().get(part.ty).shape, Shape::Float(_)));
            }
            (slot.offset, self.written(parts, by, slot.offset))
        });
        let origin = Origin::Variable(var);
        if let Some((offset, parts)) = parts
            && !(parts.len() == 1 && parts[0].kind == PartKind::Whole)
        {
            // Several members in one variable, or bit-fields: all of their bytes must be known.
            let known: Vec<Option<u8>> = bytes.iter().copied().map(Some).collect();
            let changes = parts.iter().filter_map(|part| {
                let start = part.offset.checked_sub(offset)? as usize;
                let bytes = known.get(start..start + part.bytes as usize)?;
                let name = format!("{}{}", root(&info.name), part.path);
                self.change(state, name, part, bytes, Origin::Part(var, 8 * start as u16 + first_bit(part)))
            });
            let changes: Vec<Change> = changes.collect();
            if !changes.is_empty() {
                return changes;
            }
        }
        let read = |address| self.letter(state, address);
        let text = values::of_variable(&Typed { addresses: &self.addresses, read: &read }, var, value);
        let (name, ty) = match values::part_of(self.program, var, value) {
            Some((part, _)) => (
                format!("{}{}", root(&info.name), part.path),
                Some(self.types().get(part.ty).name.to_string()).filter(|name| !name.is_empty()),
            ),
            None => (plain(&info.name).to_string(), info.type_name.as_deref().map(str::to_string)),
        };
        let whole = info.address.and_then(|address| self.whole_text(state, address));
        let is_object = info.address.is_some();
        vec![Change { name, value: Some(value), text, ty, origin, is_object, whole }]
    }

    /// The bit-fields among `parts` that an assignment of this form writes; other parts are kept. `first` is the first byte
    /// that is assigned.
    fn written(&self, mut parts: Vec<Part>, by: Option<Expr>, first: u64) -> Vec<Part> {
        let Some(kept) = by.and_then(|expr| kept_bits(self.program, expr)) else { return parts };
        let is_written = |part: &Part| match part.kind {
            PartKind::Bits(low, width) => {
                let low = 8 * (i128::from(part.offset) - i128::from(first)) + i128::from(low);
                (low..low + i128::from(width)).any(|bit| (0..128).contains(&bit) && kept >> bit & 1 == 0)
            }
            _ => true,
        };
        if parts.iter().any(is_written) {
            parts.retain(is_written);
        }
        parts
    }

    /// The change of a part with these bytes; `None` if its value is not known.
    fn change(
        &self,
        state: &State<'_>,
        name: String,
        part: &Part,
        bytes: &[Option<u8>],
        origin: Origin,
    ) -> Option<Change> {
        let text = self.text(state, part, bytes)?;
        let ty = self.types().get(part.ty);
        let value = match (part.kind, &ty.shape) {
            (PartKind::Bits(low, width), _) => {
                let raw = number(bytes)? >> low & (u128::MAX >> (128 - width));
                Value::from_raw(Sort::Bits(width), raw)
            }
            (PartKind::Elements, _) | (_, Shape::Array(_) | Shape::Struct(_) | Shape::Union(_)) => None,
            (_, Shape::Float(format)) => {
                Value::from_raw(Sort::Float(*format), number(bytes.get(..usize::from(format.bits().div_ceil(8)))?)?)
            }
            _ => Value::from_raw(Sort::Bits(8 * bytes.len() as u16), number(bytes)?),
        };
        let ty = match part.kind {
            PartKind::Elements => Some(format!("{} []", ty.name)),
            _ => Some(ty.name.to_string()).filter(|name| !name.is_empty()),
        };
        let is_object = !matches!(origin, Origin::Part(var, _) if self.program.var(var).address.is_none());
        Some(Change { name, value, text, ty, origin, is_object, whole: None })
    }

    /// The changes of a write of `bytes` bytes to `memory`.
    fn written_to(&mut self, state: &State<'_>, memory: Var, address: Expr, bytes: u64, write: Write) -> Vec<Change> {
        let by = match write {
            Write::Value(value) => Some(value),
            Write::Byte(_) | Write::Copy => None,
        };
        let (through, length) = (address, bytes);
        let Some(address) = value_of(state, address).map(|value| value.raw() as u64) else { return Vec::new() };
        // Memories of the model are no objects of the program.
        if self.program.var(memory).kind == VarKind::Model {
            return Vec::new();
        }
        self.addresses.learn(memory, address);
        let object = self.addresses.object(address);
        if let Some(object) = &object {
            self.contents.hold(object, memory);
        }
        // Other memories may hold other members of what is copied.
        let is_alone = object.is_some_and(|object| {
            let has_members = matches!(self.types().get(object.ty).shape, Shape::Struct(_) | Shape::Union(_));
            self.contents.holders(&object) == 1 && !has_members
        });
        let start = address;
        let whole = self.whole_text(state, address);
        let mut found = named(&self.addresses, state, address, bytes, Some(through));
        let kept: Vec<Part> = self.written(found.iter().map(absolute).collect(), by, address);
        found.retain(|named| kept.contains(&absolute(named)));
        let changes: Vec<Change> = found
            .iter()
            .filter_map(|Named { name, address, part }| {
                // Only what was written is known to be in this memory.
                let is_written = |at: u64| at.wrapping_sub(start) < length;
                let byte = |at: u64| match write {
                    Write::Byte(byte) => byte.filter(|_| is_written(at)),
                    Write::Value(_) => state.byte(memory, at).filter(|_| is_written(at)),
                    Write::Copy => self.byte(state, at).filter(|_| is_written(at) && is_alone),
                };
                let bytes: Vec<Option<u8>> =
                    (0..part.bytes.min(MAX_BYTES)).map(|i| byte(address.wrapping_add(i))).collect();
                let origin = Origin::Memory(memory, *address, first_bit(part));
                let change = self.change(state, name.clone(), part, &bytes, origin)?;
                Some(Change { whole: whole.clone(), ..change })
            })
            .collect();
        if !changes.is_empty() {
            return changes;
        }
        // Without a type, the bytes that were written are a number.
        let Some(sort) = by.map(|by| self.program.pool.sort(by)) else { return Vec::new() };
        let Some(value) = read(state, memory, sort, address) else { return Vec::new() };
        let name = match self.addresses.object(address) {
            Some(object) if object.base == address => object.name,
            Some(object) => format!("{}+{}", object.name, address - object.base),
            None => format!("[{address:#x}]"),
        };
        let is_pointer = |bits: u128| self.addresses.object(bits as u64).is_some();
        let text = match value {
            Value::Bits { width, bits } if width == self.program.pointer_bits && is_pointer(bits) => {
                self.addresses.pointer(bits as u64, Default::default())
            }
            _ => values::plain(value),
        };
        let origin = Origin::Cell(memory, address);
        vec![Change { name, value: Some(value), text, ty: None, origin, is_object: true, whole }]
    }

    /// The text that an address is a part of: an array of characters, or a C++ string.
    fn whole_text(&self, state: &State<'_>, address: u64) -> Option<(String, String)> {
        let object = self.addresses.object(address).filter(|object| !object.is_heap)?;
        let is_text = |ty: &SourceType| match &ty.shape {
            Shape::Array(element) => {
                let element = self.types().get(*element);
                matches!(element.shape, Shape::Character { .. }) && element.bytes == 1 && ty.bytes <= MAX_TEXT
            }
            Shape::Struct(members) => ty.name.starts_with("basic_string<char,") && members.len() >= 2,
            _ => false,
        };
        let part = self.types().enclosing(object.ty, address - object.base, &is_text)?;
        let start = object.base + part.offset;
        let text = match self.types().get(part.ty).shape {
            Shape::Array(_) => {
                self.text(state, &part, &self.bytes(state, start, part.bytes)).filter(|t| t.starts_with('"'))?
            }
            _ => self.string(state, start)?,
        };
        Some((format!("{}{}", object.name, part.path), text))
    }

    /// The text of a `std::string` of libstdc++, which starts with a pointer and a length.
    fn string(&self, state: &State<'_>, at: u64) -> Option<String> {
        let size = u64::from(self.program.pointer_bits / 8);
        let word = |at| number(&self.bytes(state, at, size));
        let (start, length) = (word(at)? as u64, word(at + size)? as u64);
        let shown: Option<Vec<u8>> = self.bytes(state, start, length.min(64)).into_iter().collect();
        Some(quoted(&shown?, length > 64))
    }
}

impl Observer for Watcher<'_> {
    fn edge(&mut self, edge: EdgeId, state: &State<'_>) {
        let program = self.program;
        let edge = program.edge(edge);
        let mut record =
            StepRecord { place: edge.source, depth: self.depth, enters: None, leaves: false, changes: Vec::new() };
        if let Some(top) = program.address_space.heap_top.and_then(|top| state.value(top)) {
            self.addresses.grow(top.raw() as u64);
        }
        let length = |bytes: Expr| value_of(state, bytes).map_or(0, |value| value.raw() as u64);
        match edge.op {
            Op::Assign(var, value) => record.changes.extend(self.variable(state, var, Some(value))),
            Op::Havoc(var, _) => record.changes.extend(self.variable(state, var, None)),
            Op::Store { memory, address, value } => {
                let bytes = scalar_bytes(program.pool.sort(value));
                record.changes = self.written_to(state, memory, address, bytes, Write::Value(value));
            }
            Op::Fill { memory, address, bytes, byte } => {
                let byte = value_of(state, byte).map(|byte| byte.raw() as u8);
                record.changes = self.written_to(state, memory, address, length(bytes), Write::Byte(byte));
            }
            Op::Copy { target, to, bytes, .. } => {
                record.changes = self.written_to(state, target, to, length(bytes), Write::Copy);
            }
            Op::Initialize { memory, contents } if program.var(memory).kind == VarKind::Source => {
                for segment in &program.initial[contents as usize].segments {
                    if let Some(object) = self.addresses.object(segment.address) {
                        self.contents.hold(&object, memory);
                    }
                }
            }
            Op::Call { callee, result, .. } => {
                self.results.truncate(self.depth - 1);
                self.results.push(result);
                record.enters = Some(callee);
                let params = &program.function(callee).params;
                record.changes.extend(params.iter().flat_map(|&param| self.variable(state, param, None)));
            }
            Op::Return(_) => {
                record.leaves = true;
                let result = self.results.get(state.call_stack().len() - 1).copied().flatten();
                self.results.truncate(state.call_stack().len() - 1);
                record.changes.extend(result.into_iter().flat_map(|var| self.variable(state, var, None)));
            }
            _ => {}
        }
        self.depth = state.call_stack().len();
        self.records.push(record);
    }
}

/// What is written to a memory.
#[derive(Clone, Copy)]
enum Write {
    /// A value.
    Value(Expr),
    /// A byte, repeatedly; `None` if it is not known.
    Byte(Option<u8>),
    /// The contents of other memory.
    Copy,
}

/// A number from its bytes, from the lowest on.
fn number(bytes: &[Option<u8>]) -> Option<u128> {
    if bytes.len() > 16 {
        return None;
    }
    bytes.iter().rev().try_fold(0, |raw, byte| Some(raw << 8 | u128::from((*byte)?)))
}

/// The first bit of a part in its bytes.
fn first_bit(part: &Part) -> u16 {
    match part.kind {
        PartKind::Bits(first, _) => first,
        PartKind::Whole | PartKind::Elements => 0,
    }
}

/// A part by its address instead of its offset in the object.
fn absolute(named: &Named) -> Part {
    Part { offset: named.address, ..named.part.clone() }
}

/// The bits that an assignment keeps, if it has the form of one to a bit-field: `x & mask | bits`.
fn kept_bits(program: &Program, expr: Expr) -> Option<u128> {
    let pool = &program.pool;
    let masked = |expr| match pool.node(expr) {
        Node::Binary(BinaryOp::BitAnd, a, b) => [a, b].into_iter().find_map(|e| pool.as_const(e)).map(Value::raw),
        _ => None,
    };
    match pool.node(expr) {
        Node::Binary(BinaryOp::BitOr, a, b) => {
            // The new bits may be masked too; what is kept is what both sides do not overlap in.
            let reads = |e: Expr| matches!(pool.node(e), Node::Binary(BinaryOp::BitAnd, a, b) if [a, b].iter().any(|&e| is_read(program, e)));
            [a, b].into_iter().filter(|&e| reads(e)).find_map(masked)
        }
        Node::Binary(BinaryOp::BitAnd, a, b) if is_read(program, a) || is_read(program, b) => masked(expr),
        _ => None,
    }
}

fn is_read(program: &Program, expr: Expr) -> bool {
    matches!(program.pool.node(expr), Node::Var(_) | Node::Read { .. })
}

/// The name in the source, without the number that distinguishes variables of the same name.
fn plain(name: &str) -> &str {
    match name.split_once('#') {
        Some((plain, number)) if !plain.is_empty() && number.chars().all(|c| c.is_ascii_digit()) => plain,
        _ => name,
    }
}
