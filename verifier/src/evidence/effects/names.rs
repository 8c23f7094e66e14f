//! The names of parts of objects: `t[0].end`, `d.in.flag`, `p->next`.

use super::contents::value_of;
use crate::cfa::program::Program;
use crate::cfa::types::{Part, PartKind, Shape, TypeId};
use crate::expr::{Expr, Node, Var};
use crate::interpreter::State;
use crate::print::addresses::{Addresses, Object};
use crate::print::summands;

/// A part of an object with its name.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// The name, as in the source where possible.
    pub name: String,
    /// The address of its first byte.
    pub address: u64,
    /// The part.
    pub part: Part,
}

/// Pointers that are read from memory are followed up to this depth.
const MAX_DEPTH: u32 = 4;

/// The parts that contain `bytes` bytes at `address`. On the heap, `through` is an expression for the address: the
/// pointers in it give names.
pub(super) fn named(
    addresses: &Addresses<'_>,
    state: &State<'_>,
    address: u64,
    bytes: u64,
    through: Option<Expr>,
) -> Vec<Named> {
    let object = addresses.object(address);
    if let Some(object) = object.as_ref().filter(|object| !object.is_heap) {
        return in_object(addresses, object, address, bytes);
    }
    let by_pointer = through.map(|expr| through_pointer(addresses, state, expr, address, bytes, MAX_DEPTH));
    match (by_pointer, object) {
        (Some(named), _) if !named.is_empty() => named,
        (_, Some(object)) => in_object(addresses, &object, address, bytes),
        _ => Vec::new(),
    }
}

/// The same for an object that is known.
fn in_object(addresses: &Addresses<'_>, object: &Object, address: u64, bytes: u64) -> Vec<Named> {
    let types = &addresses.program.types;
    let offset = address - object.base;
    if !object.is_heap {
        let parts = types.parts(object.ty, offset, bytes);
        return parts
            .into_iter()
            .map(|part| Named {
                name: format!("{}{}", object.name, part.path),
                address: object.base + part.offset,
                part,
            })
            .collect();
    }
    elements(addresses, &object.name, object.ty, object.base, address, bytes)
}

/// Parts of what a pointer with this name and value points to.
fn elements(addresses: &Addresses<'_>, pointer: &str, ty: TypeId, base: u64, address: u64, bytes: u64) -> Vec<Named> {
    let types = &addresses.program.types;
    let Ok(size) = i64::try_from(types.get(ty).bytes) else { return Vec::new() };
    if size == 0 {
        return Vec::new();
    }
    let distance = address.wrapping_sub(base) as i64;
    let (index, offset) = (distance.div_euclid(size), distance.rem_euclid(size) as u64);
    let start = base.wrapping_add_signed(index * size);
    let is_array = matches!(types.get(ty).shape, Shape::Array(_));
    let parts = types.parts(ty, offset, bytes);
    if parts.is_empty() && offset == 0 && bytes.is_multiple_of(size as u64) && bytes > 0 {
        let end = index + (bytes / size as u64) as i64;
        let part = Part { path: String::new(), offset: 0, bytes, ty, kind: PartKind::Elements };
        return vec![Named { name: format!("{pointer}[{index}..{end}]"), address: start, part }];
    }
    parts
        .into_iter()
        .map(|part| {
            let name = match (index, &*part.path) {
                (0, "") if pointer.starts_with("heap#") => format!("{pointer}[0]"),
                (0, "") => format!("*{pointer}"),
                (0, path) if is_array => format!("(*{pointer}){path}"),
                (0, path) => format!("{pointer}->{}", path.trim_start_matches('.')),
                (index, path) => format!("{pointer}[{index}]{path}"),
            };
            Named { name, address: start.wrapping_add(part.offset), part }
        })
        .collect()
}

/// Names that a pointer in an address gives, such as `p` in `p + 8`.
fn through_pointer(
    addresses: &Addresses<'_>,
    state: &State<'_>,
    expr: Expr,
    address: u64,
    bytes: u64,
    depth: u32,
) -> Vec<Named> {
    let program = addresses.program;
    let Some((terms, _)) = summands(&program.pool, expr).filter(|_| depth > 0) else { return Vec::new() };
    for term in terms {
        let pointer = match program.pool.node(term) {
            Node::Var(var) => variable(program, var),
            Node::Read { address: at, .. } => value_of(state, at).and_then(|value| {
                let size = u64::from(program.pointer_bits / 8);
                let found = addresses.object(value.raw() as u64);
                let found = match found.filter(|object| !object.is_heap) {
                    Some(object) => in_object(addresses, &object, value.raw() as u64, size),
                    None => through_pointer(addresses, state, at, value.raw() as u64, size, depth - 1),
                };
                let [found] = <[Named; 1]>::try_from(found).ok()?;
                Some((found.name, found.part.ty))
            }),
            _ => None,
        };
        let Some((name, ty)) = pointer else { continue };
        if let (Some(to), Some(value)) = (program.types.pointee(ty), value_of(state, term)) {
            let found = elements(addresses, &name, to, value.raw() as u64, address, bytes);
            if !found.is_empty() {
                return found;
            }
        }
    }
    Vec::new()
}

/// A variable of the source with its type.
fn variable(program: &Program, var: Var) -> Option<(String, TypeId)> {
    let slot = program.types.variables.get(&var)?;
    let bytes = u64::from(program.pointer_bits / 8);
    let [part] = <[Part; 1]>::try_from(program.types.parts(slot.object, slot.offset, bytes)).ok()?;
    Some((format!("{}{}", root(&program.var(var).name), part.path), part.ty))
}

/// The name of the object that a variable is a part of.
pub(super) fn root(name: &str) -> &str {
    let end = name.find(['.', '[', '#']).filter(|&end| end > 0).unwrap_or(name.len());
    &name[..end]
}
