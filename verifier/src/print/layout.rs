//! Layouts of memory regions, inferred from their names and accesses: the field of an element that they hold, and the
//! stride of elements.

use rustc_hash::FxHashMap;

use super::access::{multiple_of, summands};
use super::{Extent, Printer};
use crate::cfa::program::{Op, Program};
use crate::expr::value::signed;
use crate::expr::{Expr, MemorySort, Node, Sort, Var};

/// The layout of a region whose name ends in a path: `node.next`, `table[2].key`.
///
/// `p->path` always denotes the address `p + field` and `p[i].path` the address `p + i * stride + field`, so that
/// different addresses are printed differently.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The suffix of the name starting at its first `.` or `[`.
    pub path: Box<str>,
    /// The offset of the field in its element, in bytes.
    pub field: i128,
    /// The distance between elements in bytes, if an access shows it.
    pub stride: Option<i128>,
}

/// The layouts of all regions that hold a field.
pub(super) fn layouts(program: &Program, objects: &FxHashMap<&str, Extent>) -> FxHashMap<Var, Layout> {
    // Regions whose names differ only in a number hold the same field of the same type.
    let mut found: FxHashMap<&str, (Box<str>, Vec<i128>, i128)> = FxHashMap::default();
    for info in program.vars.iter().filter(|info| matches!(info.sort, Sort::Memory(_))) {
        if let Some(path) = path(stem(&info.name), objects) {
            found.insert(stem(&info.name), (path, Vec::new(), 0));
        }
    }
    if found.is_empty() {
        return FxHashMap::default();
    }
    each_access(program, |var, address| {
        let Sort::Memory(sort) = program.var(var).sort else { return };
        let Some((_, offsets, stride)) = found.get_mut(stem(&program.var(var).name)) else { return };
        let Some((terms, constant)) = summands(&program.pool, address) else { return };
        offsets.push(offset(program, sort, constant));
        for factor in terms.into_iter().filter_map(|term| multiple_of(&program.pool, term)).map(|(_, factor)| factor) {
            // A stride of one cell belongs to an array inside the element.
            if factor > sort.cell.bytes().into() {
                *stride = gcd(*stride, factor);
            }
        }
    });
    let layout = |(path, offsets, stride): (Box<str>, Vec<i128>, i128)| {
        let stride = (stride > 0).then_some(stride);
        let offsets = offsets.into_iter().map(|offset| stride.map_or(offset, |stride| offset.rem_euclid(stride)));
        offsets.filter(|&offset| offset >= 0).min().map(|field| Layout { path, field, stride })
    };
    let by_stem: FxHashMap<&str, Layout> =
        found.into_iter().filter_map(|(stem, parts)| Some((stem, layout(parts)?))).collect();
    let regions = (0..program.vars.len() as u32).map(Var).filter(|&v| matches!(program.var(v).sort, Sort::Memory(_)));
    regions.filter_map(|var| Some((var, by_stem.get(stem(&program.var(var).name))?.clone()))).collect()
}

/// The offset of a constant in the object that it points into, else the constant itself.
fn offset(program: &Program, sort: MemorySort, constant: u128) -> i128 {
    let constant = signed(sort.address, constant);
    match Printer::object_at(program, constant) {
        Some((extent, _)) => constant - i128::from(extent.base),
        None => constant,
    }
}

/// Calls `visit` for each access to a region.
fn each_access(program: &Program, mut visit: impl FnMut(Var, Expr)) {
    for expr in program.pool.exprs() {
        if let Node::Read { memory, address, .. } = program.pool.node(expr)
            && let Node::Var(var) = program.pool.node(memory)
        {
            visit(var, address);
        }
    }
    for edge in &program.edges {
        if let Op::Store { memory, address, .. } = edge.op {
            visit(memory, address);
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The path at the end of a region name, after the name of an object if it begins with one.
fn path(name: &str, objects: &FxHashMap<&str, Extent>) -> Option<Box<str>> {
    if objects.contains_key(name) {
        return None;
    }
    let mut first = name.len();
    let mut after_object = None;
    while let Some(at) = last_component(&name[..first]) {
        first = at;
        after_object = after_object.or(objects.contains_key(&name[..first]).then_some(first));
    }
    let path = &name[after_object.unwrap_or(first)..];
    // `int[4]` is a type name, unless an object is called `int`.
    let is_path = path.contains('.') || after_object.is_some();
    (is_path && !path.is_empty()).then(|| path.into())
}

/// A name without the numeric suffix that makes it unique.
pub(super) fn stem(name: &str) -> &str {
    match name.rsplit_once('#') {
        Some((front, number)) if number.bytes().all(|c| c.is_ascii_digit()) => front,
        _ => name,
    }
}

/// The start of the last `.name` or `[number]` of `text`, if it ends in one.
fn last_component(text: &str) -> Option<usize> {
    let (at, rest, index) = match text.strip_suffix(']') {
        Some(inner) => (inner.rfind('[')?, inner, true),
        None => (text.rfind('.')?, text, false),
    };
    let part = &rest[at + 1..];
    let is_part = |c: char| if index { c.is_ascii_digit() } else { c.is_alphanumeric() || c == '_' };
    (at > 0 && !part.is_empty() && part.chars().all(is_part)).then_some(at)
}
