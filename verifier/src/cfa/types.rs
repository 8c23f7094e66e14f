//! Types of the source: how objects fall apart, and what their bytes mean to people. No analysis depends on them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::expr::{FloatFormat, Var};

/// A type of the source; indexes [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct TypeId(u32);

impl TypeId {
    /// No known type.
    pub const UNKNOWN: TypeId = TypeId(0);
}

/// A type of the source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceType {
    /// Its name.
    pub name: Box<str>,
    /// Its size in bytes; 0 if it has none.
    pub bytes: u64,
    /// Its structure.
    pub shape: Shape,
}

/// The structure of a type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// Not known.
    #[default]
    Unknown,
    /// A number without a fraction.
    Integer {
        /// Whether it may be negative.
        is_signed: bool,
    },
    /// A truth value.
    Truth,
    /// A character.
    Character {
        /// Whether it may be negative.
        is_signed: bool,
    },
    /// A floating-point number.
    Float(FloatFormat),
    /// An enumeration.
    Enumeration {
        /// Whether its numbers may be negative.
        is_signed: bool,
        /// The names of numbers.
        enumerators: Box<[(Box<str>, i128)]>,
    },
    /// A pointer or a reference.
    Pointer(TypeId),
    /// An array; its length follows from the sizes.
    Array(TypeId),
    /// A structure or a class.
    Struct(Box<[Member]>),
    /// A union.
    Union(Box<[Member]>),
    /// A function.
    Function,
}

/// A member of a structure, a class or a union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name; `None` for base classes and anonymous members.
    pub name: Option<Box<str>>,
    /// Its position in bits.
    pub offset: u64,
    /// Its width in bits, if it is a bit-field.
    pub bits: Option<u16>,
    /// Its type.
    pub ty: TypeId,
}

/// What a plain variable holds: a part of an object, or all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The type of the object.
    pub object: TypeId,
    /// The first byte of the variable in the object.
    pub offset: u64,
}

/// The types of a program, and what has them.
#[derive(Clone, Debug)]
pub struct Types {
    all: Vec<SourceType>,
    /// What plain variables hold.
    pub variables: FxHashMap<Var, Slot>,
    /// The types of static objects, by their addresses.
    pub objects: FxHashMap<u64, TypeId>,
    /// The types of heap objects, by the memories that hold them: that of the object, or of its elements.
    pub heap: FxHashMap<Var, TypeId>,
    /// The texts of string literals, by their addresses.
    pub literals: BTreeMap<u64, Box<[u8]>>,
}

impl Default for Types {
    fn default() -> Types {
        Types {
            all: vec![SourceType::default()],
            variables: FxHashMap::default(),
            objects: FxHashMap::default(),
            heap: FxHashMap::default(),
            literals: BTreeMap::new(),
        }
    }
}

/// A part of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The way from the object to it, such as `.next` or `[2].x`.
    pub path: String,
    /// Its first byte in the object.
    pub offset: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its type; that of the first of several elements.
    pub ty: TypeId,
    /// What it is.
    pub kind: PartKind,
}

/// What a part of an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartKind {
    /// A member, an element, or the object itself.
    Whole,
    /// Several elements of an array.
    Elements,
    /// A bit-field: its first bit in the part, and its width.
    Bits(u16, u16),
}

/// Types that contain each other more deeply are taken for unknown.
const MAX_DEPTH: u32 = 32;

impl Types {
    /// Adds a type. [`Types::set`] completes one that contains itself.
    pub fn add(&mut self, ty: SourceType) -> TypeId {
        self.all.push(ty);
        TypeId(u32::try_from(self.all.len() - 1).expect("fewer than 2^32 types"))
    }

    /// Replaces a type.
    pub fn set(&mut self, id: TypeId, ty: SourceType) {
        self.all[id.0 as usize] = ty;
    }

    /// The type with this id.
    pub fn get(&self, id: TypeId) -> &SourceType {
        &self.all[id.0 as usize]
    }

    /// The target of a pointer.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id).shape {
            Shape::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// The number of elements of an array.
    pub fn length(&self, array: TypeId, element: TypeId) -> u64 {
        self.get(array).bytes.checked_div(self.get(element).bytes).unwrap_or(0)
    }

    /// The smallest parts of an object that contain `bytes` bytes at `offset`: one, or several that share their bytes, as
    /// the members of a union and adjacent bit-fields do. Empty if that is not known.
    pub fn parts(&self, ty: TypeId, offset: u64, bytes: u64) -> Vec<Part> {
        let mut found = Vec::new();
        self.collect(ty, offset, bytes, String::new(), 0, MAX_DEPTH, &mut found);
        found
    }

    #[allow(clippy::too_many_arguments)]
    fn collect(&self, ty: TypeId, offset: u64, bytes: u64, path: String, base: u64, depth: u32, found: &mut Vec<Part>) {
        let this = self.get(ty);
        if depth == 0 || bytes == 0 || offset.checked_add(bytes).is_none_or(|end| end > this.bytes) {
            return;
        }
        let before = found.len();
        match &this.shape {
            Shape::Array(element) => {
                let size = self.get(*element).bytes;
                if size == 0 {
                    return;
                }
                let (first, last) = (offset / size, (offset + bytes - 1) / size);
                let start = base + first * size;
                if first == last {
                    let path = format!("{path}[{first}]");
                    return self.collect(*element, offset % size, bytes, path, start, depth - 1, found);
                }
                if (first, last + 1) != (0, self.length(ty, *element)) {
                    let path = format!("{path}[{first}..{}]", last + 1);
                    let bytes = (last + 1 - first) * size;
                    return found.push(Part { path, offset: start, bytes, ty: *element, kind: PartKind::Elements });
                }
            }
            Shape::Struct(members) | Shape::Union(members) => {
                let is_union = matches!(this.shape, Shape::Union(_));
                let mut fields = Vec::new();
                for member in members {
                    let path = match &member.name {
                        Some(name) => format!("{path}.{name}"),
                        None => path.clone(),
                    };
                    if let Some(width) = member.bits {
                        // Longer accesses are about the whole, not about its bit-fields.
                        if bytes > self.get(member.ty).bytes {
                            continue;
                        }
                        fields.extend(self.bit_field(member, width, offset, bytes, path, base));
                        continue;
                    }
                    let start = member.offset / 8;
                    if let Some(inside) = offset.checked_sub(start) {
                        self.collect(member.ty, inside, bytes, path, base + start, depth - 1, found);
                    }
                    if !is_union && found.len() > before {
                        return;
                    }
                }
                if found.len() == before {
                    found.extend(fields);
                }
            }
            Shape::Unknown | Shape::Function => return,
            _ => {}
        }
        if found.len() == before {
            found.push(Part { path, offset: base, bytes: this.bytes, ty, kind: PartKind::Whole });
        }
    }

    /// The part of a bit-field, if it shares bits with the bytes.
    fn bit_field(&self, member: &Member, width: u16, offset: u64, bytes: u64, path: String, base: u64) -> Option<Part> {
        let (first, end) = (member.offset, member.offset + u64::from(width));
        if first >= 8 * (offset + bytes) || end <= 8 * offset || member.name.is_none() || width == 0 {
            return None;
        }
        let start = first / 8;
        let kind = PartKind::Bits((first % 8) as u16, width);
        Some(Part { path, offset: base + start, bytes: end.div_ceil(8) - start, ty: member.ty, kind })
    }

    /// The outermost part of an object that contains its byte at `offset` and has such a type.
    pub fn enclosing(&self, ty: TypeId, offset: u64, wanted: &dyn Fn(&SourceType) -> bool) -> Option<Part> {
        let (mut ty, mut rest, mut path) = (ty, offset, String::new());
        for _ in 0..MAX_DEPTH {
            let this = self.get(ty);
            if wanted(this) {
                return Some(Part { path, offset: offset - rest, bytes: this.bytes, ty, kind: PartKind::Whole });
            }
            match &this.shape {
                Shape::Array(element) => {
                    let size = self.get(*element).bytes;
                    path = format!("{path}[{}]", rest.checked_div(size)?);
                    (ty, rest) = (*element, rest % size);
                }
                // The bytes of a union may belong to any member.
                Shape::Struct(members) => {
                    let contains = |m: &&Member| {
                        let start = m.offset / 8;
                        m.bits.is_none() && start <= rest && rest - start < self.get(m.ty).bytes
                    };
                    let member = members.iter().find(contains)?;
                    if let Some(name) = &member.name {
                        path = format!("{path}.{name}");
                    }
                    (ty, rest) = (member.ty, rest - member.offset / 8);
                }
                _ => return None,
            }
        }
        None
    }

    /// The part of an object that starts at `offset` and has `bytes` bytes, or any length: the outermost that is no
    /// bit-field.
    pub fn at(&self, ty: TypeId, offset: u64, bytes: Option<u64>) -> Option<Part> {
        let mut depth = MAX_DEPTH;
        let (mut ty, mut rest, mut path) = (ty, offset, String::new());
        loop {
            let this = self.get(ty);
            if rest == 0 && bytes.is_none_or(|bytes| bytes == this.bytes) {
                return Some(Part { path, offset, bytes: this.bytes, ty, kind: PartKind::Whole });
            }
            depth = depth.checked_sub(1)?;
            match &this.shape {
                Shape::Array(element) => {
                    let size = self.get(*element).bytes;
                    path = format!("{path}[{}]", rest.checked_div(size)?);
                    (ty, rest) = (*element, rest % size);
                }
                Shape::Struct(members) | Shape::Union(members) => {
                    let contains = |m: &&Member| {
                        let start = m.offset / 8;
                        m.bits.is_none() && start <= rest && rest - start < self.get(m.ty).bytes
                    };
                    let fits = |m: &&Member| bytes.is_none_or(|n| n <= self.get(m.ty).bytes - (rest - m.offset / 8));
                    let member = members.iter().filter(contains).find(fits)?;
                    if let Some(name) = &member.name {
                        path = format!("{path}.{name}");
                    }
                    (ty, rest) = (member.ty, rest - member.offset / 8);
                }
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `struct { int n; struct { char c; short s[2]; } in[3]; unsigned a : 3, b : 7; union { int i; float f; }; }`
    fn example() -> (Types, TypeId) {
        let mut types = Types::default();
        let mut add = |name: &str, bytes, shape| types.add(SourceType { name: name.into(), bytes, shape });
        let member = |name: &str, offset, bits, ty| Member {
            name: Some(name).filter(|n| !n.is_empty()).map(Into::into),
            offset,
            bits,
            ty,
        };
        let int = add("int", 4, Shape::Integer { is_signed: true });
        let char = add("char", 1, Shape::Character { is_signed: true });
        let short = add("short", 2, Shape::Integer { is_signed: true });
        let float = add("float", 4, Shape::Float(FloatFormat::Single));
        let shorts = add("short []", 4, Shape::Array(short));
        let inner = add("inner", 6, Shape::Struct([member("c", 0, None, char), member("s", 16, None, shorts)].into()));
        let inners = add("inner []", 18, Shape::Array(inner));
        let either = add("", 4, Shape::Union([member("i", 0, None, int), member("f", 0, None, float)].into()));
        let members = [
            member("n", 0, None, int),
            member("in", 32, None, inners),
            member("a", 192, Some(3), int),
            member("b", 195, Some(7), int),
            member("", 224, None, either),
        ];
        let outer = add("outer", 32, Shape::Struct(members.into()));
        (types, outer)
    }

    #[test]
    fn parts_contain_the_bytes() {
        let (types, outer) = example();
        let of = |offset, bytes| {
            let parts = types.parts(outer, offset, bytes);
            parts.iter().map(|p| format!("{}@{}+{}", p.path, p.offset, p.bytes)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of(0, 4), ".n@0+4");
        assert_eq!(of(1, 2), ".n@0+4");
        assert_eq!(of(4, 1), ".in[0].c@4+1");
        assert_eq!(of(14, 2), ".in[1].s[1]@14+2");
        assert_eq!(of(12, 4), ".in[1].s@12+4");
        assert_eq!(of(4, 12), ".in[0..2]@4+12");
        assert_eq!(of(5, 1), ".in[0]@4+6", "padding belongs to the element");
        assert_eq!(of(24, 1), ".a@24+1 .b@24+2");
        assert_eq!(of(25, 1), ".b@24+2");
        assert_eq!(of(28, 4), ".i@28+4 .f@28+4");
        assert_eq!(of(0, 32), "@0+32");
        assert_eq!(of(30, 4), "", "beyond the end");
    }

    #[test]
    fn pointers_lead_to_parts_of_their_size() {
        let (types, outer) = example();
        let of = |offset, bytes| types.at(outer, offset, bytes).map(|part| part.path);
        assert_eq!(of(0, Some(32)).as_deref(), Some(""));
        assert_eq!(of(0, Some(4)).as_deref(), Some(".n"));
        assert_eq!(of(4, Some(6)).as_deref(), Some(".in[0]"));
        assert_eq!(of(4, Some(1)).as_deref(), Some(".in[0].c"));
        assert_eq!(of(4, Some(18)).as_deref(), Some(".in"));
        assert_eq!(of(20, Some(2)).as_deref(), Some(".in[2].s[1]"));
        assert_eq!(of(1, Some(2)), None);
        assert_eq!(of(4, None).as_deref(), Some(".in"));
    }
}
