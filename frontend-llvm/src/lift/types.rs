//! Types of the source, from debug info.

use clew_verifier::cfa::{Member, Shape, Slot, SourceType, TypeId};
use clew_verifier::expr::{FloatFormat, Var};

use super::Lifter;
use crate::ir::{Constant, DebugMember, DebugShape, DebugType, TypeKind, Value};
use crate::pointsto::{NodeId, Object};

impl Lifter {
    /// The type of the model for a type of debug info.
    pub(super) fn source_type(&mut self, ty: DebugType) -> TypeId {
        if let Some(&known) = self.source_types.get(&ty) {
            return known;
        }
        if let DebugShape::Alias(inner) = ty.structure() {
            let id = inner.map_or(TypeId::UNKNOWN, |inner| self.source_type(inner));
            let id = self.with_name(id, ty);
            self.source_types.insert(ty, id);
            return id;
        }
        // Types may contain themselves through pointers.
        let id = self.builder.types.add(SourceType::default());
        self.source_types.insert(ty, id);
        let shape = self.shape(ty);
        self.builder.types.set(id, SourceType { name: ty.name().into(), bytes: ty.bytes(), shape });
        id
    }

    /// A type of another name, such as a typedef. Structures that are being built keep their name.
    fn with_name(&mut self, id: TypeId, alias: DebugType) -> TypeId {
        let named = SourceType { name: alias.name().into(), ..self.builder.types.get(id).clone() };
        match named.shape {
            Shape::Integer { .. }
            | Shape::Character { .. }
            | Shape::Float(_)
            | Shape::Truth
            | Shape::Enumeration { .. } => self.builder.types.add(named),
            _ => id,
        }
    }

    fn shape(&mut self, ty: DebugType) -> Shape {
        let mut inner = |ty: Option<DebugType>| ty.map_or(TypeId::UNKNOWN, |ty| self.source_type(ty));
        match ty.structure() {
            DebugShape::Basic(encoding) => self.basic(&ty.name(), ty.bytes(), &encoding),
            DebugShape::Pointer(to) => Shape::Pointer(inner(to)),
            DebugShape::Array(element, lengths) => {
                let mut element = inner(element);
                // The outermost dimension comes first.
                for &length in lengths.iter().skip(1).rev() {
                    let (name, bytes) =
                        (self.builder.types.get(element).name.clone(), self.builder.types.get(element).bytes);
                    let name = format!("{name} [{length}]").into();
                    let row = SourceType { name, bytes: bytes * length, shape: Shape::Array(element) };
                    element = self.builder.types.add(row);
                }
                Shape::Array(element)
            }
            DebugShape::Struct(members) => Shape::Struct(self.members(members)),
            DebugShape::Union(members) => Shape::Union(self.members(members)),
            DebugShape::Enumeration(base, enumerators) => {
                let base = base.map(|base| self.source_type(base));
                let is_negative = |(_, number): &(String, i128)| *number < 0;
                let is_signed = match base.map(|base| &self.builder.types.get(base).shape) {
                    Some(Shape::Integer { is_signed } | Shape::Character { is_signed }) => *is_signed,
                    _ => enumerators.iter().any(is_negative),
                };
                let enumerators = enumerators.into_iter().map(|(name, number)| (name.into(), number));
                Shape::Enumeration { is_signed, enumerators: enumerators.collect() }
            }
            DebugShape::Function => Shape::Function,
            DebugShape::Alias(_) | DebugShape::Other => Shape::Unknown,
        }
    }

    fn members(&mut self, members: Vec<DebugMember>) -> Box<[Member]> {
        let one = |member: DebugMember| Member {
            name: member.name.map(Into::into),
            offset: member.offset,
            bits: member.bits,
            ty: member.ty.map_or(TypeId::UNKNOWN, |ty| self.source_type(ty)),
        };
        members.into_iter().map(one).collect()
    }

    fn basic(&self, name: &str, bytes: u64, encoding: &str) -> Shape {
        match encoding {
            // Not all of its bits count.
            _ if name.contains("_BitInt") => Shape::Unknown,
            "DW_ATE_boolean" => Shape::Truth,
            "DW_ATE_signed" => Shape::Integer { is_signed: true },
            "DW_ATE_unsigned" => Shape::Integer { is_signed: false },
            "DW_ATE_signed_char" | "DW_ATE_unsigned_char" => {
                let is_signed = encoding == "DW_ATE_signed_char";
                // The other two types of characters are small numbers.
                if name == "char" { Shape::Character { is_signed } } else { Shape::Integer { is_signed } }
            }
            "DW_ATE_UTF" => Shape::Character { is_signed: false },
            "DW_ATE_float" => match (name, bytes) {
                ("__bf16", 2) => Shape::Float(FloatFormat::BFloat),
                ("_Float16" | "__fp16" | "half", 2) => Shape::Float(FloatFormat::Half),
                ("float" | "_Float32", 4) => Shape::Float(FloatFormat::Single),
                (_, 8) => Shape::Float(FloatFormat::Double),
                ("long double", 12 | 16) if self.layout.has_extended_floats() => Shape::Float(FloatFormat::X87),
                ("long double" | "__float128" | "_Float128", 16) => Shape::Float(FloatFormat::Quad),
                _ => Shape::Unknown,
            },
            _ => Shape::Unknown,
        }
    }

    /// Records what a plain variable holds, or the type of the heap objects in a memory.
    pub(super) fn record_piece(&mut self, var: Var, node: NodeId, start: i64, plain: Option<(Object, i64)>) {
        match plain {
            Some((object, at)) => {
                if let Some(ty) = self.declared_type(object)
                    && let Ok(offset) = u64::try_from(start - at)
                {
                    let slot = Slot { object: self.source_type(ty), offset };
                    self.builder.types.variables.insert(var, slot);
                }
            }
            None => {
                let objects = &self.points_to.node(node).objects;
                let heap: Vec<i64> =
                    objects.iter().filter(|(object, _)| matches!(object, Object::Heap(_))).map(|&(_, at)| at).collect();
                if heap.is_empty() {
                    return;
                }
                if let Some((ty, at)) = self.pointee_type(node)
                    && heap.iter().all(|&start| start == at)
                {
                    let ty = self.source_type(ty);
                    self.builder.types.heap.insert(var, ty);
                }
            }
        }
    }

    /// Records the type of an object with a fixed address, or its text if it is a literal.
    pub(super) fn record_object(&mut self, object: Object, address: u64) {
        if let Some(ty) = self.declared_type(object) {
            let ty = self.source_type(ty);
            self.builder.types.objects.insert(address, ty);
        } else if let Object::Global(global) = object
            && let Some(text) = literal(global)
        {
            self.builder.types.literals.insert(address, text.into());
        }
    }
}

/// The bytes of a string literal.
fn literal(global: Value) -> Option<Vec<u8>> {
    if !global.is_constant_global() || global.is_declaration() {
        return None;
    }
    let initial = global.initializer()?;
    // The empty text is all zero.
    let is_empty = initial.constant() == Some(Constant::Zero) && matches!(initial.ty().kind(), TypeKind::Array(_, 1));
    initial.data_bytes().or(is_empty.then(|| vec![0]))
}
