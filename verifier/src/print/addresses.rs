//! The address map of a running program: its named objects, its heap, and what pointers into them look like.

use rustc_hash::FxHashMap;

use crate::cfa::program::Program;
use crate::cfa::types::{Shape, TypeId};
use crate::expr::Var;

/// The objects of a running program: those with a name, and the allocations so far.
pub(crate) struct Addresses<'p> {
    pub(crate) program: &'p Program,
    /// The ends of the heap, one for each allocation.
    heap: Vec<u64>,
    /// The types of heap objects, by their addresses: of the object, or of its elements.
    heap_types: FxHashMap<u64, TypeId>,
}

/// An object with an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    /// Its name: that of a variable, or `heap#2` for the second allocation.
    pub name: String,
    /// Its address.
    pub base: u64,
    /// Its type. On the heap, it may be an array of that type.
    pub ty: TypeId,
    /// Whether it is on the heap, so that its name stands for a pointer.
    pub is_heap: bool,
}

impl<'p> Addresses<'p> {
    /// The address map before the first allocation.
    pub(crate) fn new(program: &'p Program) -> Addresses<'p> {
        Addresses { program, heap: vec![program.address_space.heap_base], heap_types: FxHashMap::default() }
    }

    /// Records that the heap now ends at `top`.
    pub(crate) fn grow(&mut self, top: u64) {
        if self.heap.last().is_some_and(|&last| last < top) {
            self.heap.push(top);
        }
    }

    /// Records that `memory` holds a part of the object at `address`, which tells the type of a heap object.
    pub(crate) fn learn(&mut self, memory: Var, address: u64) {
        if let Some(&ty) = self.program.types.heap.get(&memory)
            && let Some(object) = self.object(address).filter(|object| object.is_heap)
        {
            self.heap_types.entry(object.base).or_insert(ty);
        }
    }

    /// The object that contains an address, or ends there.
    pub(crate) fn object(&self, address: u64) -> Option<Object> {
        let objects = &self.program.address_space.objects;
        let after = objects.partition_point(|&(base, _, _)| base <= address);
        if let Some((base, size, name)) = after.checked_sub(1).map(|at| &objects[at])
            && address - base <= *size
        {
            let ty = self.program.types.objects.get(base).copied().unwrap_or_default();
            return Some(Object { name: name.to_string(), base: *base, ty, is_heap: false });
        }
        let after = self.heap.partition_point(|&end| end <= address);
        let base = *self.heap.get(after.checked_sub(1)?)?;
        (after < self.heap.len()).then(|| Object {
            name: format!("heap#{after}"),
            base,
            ty: self.heap_types.get(&base).copied().unwrap_or_default(),
            is_heap: true,
        })
    }

    /// A pointer to a `pointee` as text: `&x`, `&buf[2]`, `heap#1`, a function, or a number.
    pub(crate) fn pointer(&self, address: u64, pointee: TypeId) -> String {
        if address == 0 {
            return "null".into();
        }
        if let Some(object) = self.object(address) {
            return self.inside(&object, address - object.base, pointee);
        }
        let functions = &self.program.address_space.functions;
        match functions.binary_search_by_key(&address, |&(start, _)| start) {
            Ok(at) => self.display_name(&functions[at].1).into(),
            Err(_) => format!("{address:#x}"),
        }
    }

    fn display_name<'a>(&'a self, symbol: &'a str) -> &'a str {
        let known = self.program.functions.iter().find(|function| *function.name == *symbol);
        known.map_or(symbol, |function| &function.display_name)
    }

    /// A pointer into an object. Whatever C would write has the meaning that it has in C.
    fn inside(&self, object: &Object, offset: u64, pointee: TypeId) -> String {
        let types = &self.program.types;
        let bytes = Some(types.get(pointee).bytes).filter(|&bytes| bytes > 0);
        let name = &object.name;
        let ty = if object.is_heap && object.ty == TypeId::UNKNOWN { pointee } else { object.ty };
        let size = types.get(ty).bytes;
        if object.is_heap {
            if offset == 0 {
                return name.clone();
            }
            let index = offset.checked_div(size);
            let part =
                index.and_then(|_| types.at(ty, offset % size, bytes).or_else(|| types.at(ty, offset % size, None)));
            return match (index, part) {
                (Some(0), Some(part)) => format!("&{name}->{}", part.path.trim_start_matches('.')),
                (Some(index), Some(part)) => format!("&{name}[{index}]{}", part.path),
                _ => format!("(char *){name} + {offset}"),
            };
        }
        if let Shape::Array(element) = types.get(ty).shape
            && offset == size
            && let Some(end) = size.checked_div(types.get(element).bytes)
        {
            return format!("&{name}[{end}]");
        }
        if size > 0 && offset == size {
            return format!("&{name} + 1");
        }
        match types.at(ty, offset, bytes).or_else(|| types.at(ty, offset, None)) {
            // Arrays decay to pointers to their first element.
            Some(part) => match part.path.strip_suffix("[0]") {
                Some(array) => format!("{name}{array}"),
                None => format!("&{name}{}", part.path),
            },
            None if offset == 0 => format!("&{name}"),
            None => format!("(char *)&{name} + {offset}"),
        }
    }
}
