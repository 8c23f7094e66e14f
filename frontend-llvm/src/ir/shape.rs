//! The values that source types have, from debug info: for making arguments of them.

use llvm_sys::debuginfo::*;

use super::debug::{DebugMember, DebugShape, DebugType, Meta, context_of};
use super::value::Value;

/// What is known of the values of a source type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueShape {
    /// A truth value.
    Bool,
    /// A number, or an enumerator.
    Integer {
        /// Whether it has a sign.
        signed: bool,
    },
    /// A floating-point number.
    Float,
    /// A pointer, with the type of what it points to; `None` for `void`.
    Pointer(Option<DebugType>),
    /// A reference, or the pointer to its object that a member function gets: never null.
    Reference(DebugType),
    /// An array of elements.
    Array(DebugType),
    /// A struct or a class.
    Struct(Vec<Field>),
    /// A union.
    Union(Vec<Field>),
    /// A function.
    Function,
    /// A type of which too little is known: it is incomplete, or has no counterpart in LLVM.
    Unknown,
}

/// A member of a struct or union.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its distance from the start, in bytes.
    pub offset: u64,
    /// Its type.
    pub ty: DebugType,
    /// Whether it is a bit-field, which shares its bytes with others.
    pub is_bit_field: bool,
}

impl DebugType {
    /// The values of the type, without its names and qualifiers.
    pub fn value_shape(self) -> ValueShape {
        match self.structure() {
            DebugShape::Alias(Some(inner)) => inner.value_shape(),
            DebugShape::Basic(encoding) => basic(encoding.trim_start_matches("DW_ATE_")),
            DebugShape::Pointer(Some(inner)) if self.is_never_null() => ValueShape::Reference(inner),
            DebugShape::Pointer(inner) => ValueShape::Pointer(inner),
            DebugShape::Array(Some(element), _) => ValueShape::Array(element),
            DebugShape::Enumeration(..) if self.size() > 0 => ValueShape::Integer { signed: true },
            // An incomplete type has no size.
            DebugShape::Struct(_) | DebugShape::Union(_) if self.size() == 0 => ValueShape::Unknown,
            DebugShape::Struct(members) => fields(members).map_or(ValueShape::Unknown, ValueShape::Struct),
            DebugShape::Union(members) => fields(members).map_or(ValueShape::Unknown, ValueShape::Union),
            DebugShape::Function => ValueShape::Function,
            DebugShape::Alias(None) | DebugShape::Array(None, _) | DebugShape::Enumeration(..) | DebugShape::Other => {
                ValueShape::Unknown
            }
        }
    }

    fn flags(self) -> LLVMDIFlags {
        unsafe { LLVMDITypeGetFlags(self.meta().0) }
    }

    fn is_never_null(self) -> bool {
        const DW_TAG_REFERENCE: u16 = 0x10;
        const DW_TAG_RVALUE_REFERENCE: u16 = 0x42;
        let tag = unsafe { LLVMGetDINodeTag(self.meta().0) };
        tag == DW_TAG_REFERENCE || tag == DW_TAG_RVALUE_REFERENCE || self.flags() & LLVMDIFlagObjectPointer != 0
    }
}

/// The members, if all of them have types.
fn fields(members: Vec<DebugMember>) -> Option<Vec<Field>> {
    let field = |member: DebugMember| {
        Some(Field { offset: member.offset / 8, ty: member.ty?, is_bit_field: member.bits.is_some() })
    };
    members.into_iter().map(field).collect()
}

fn basic(encoding: &str) -> ValueShape {
    match encoding {
        "boolean" => ValueShape::Bool,
        "signed" | "signed_char" => ValueShape::Integer { signed: true },
        "unsigned" | "unsigned_char" | "UTF" => ValueShape::Integer { signed: false },
        "float" => ValueShape::Float,
        _ => ValueShape::Unknown,
    }
}

/// The source types of the result and the parameters of a function with debug info; `None` stands for `void`.
pub fn signature(function: Value) -> Option<Vec<Option<DebugType>>> {
    let context = context_of(function);
    let node = unsafe { LLVMGetSubprogram(function.0) };
    if node.is_null() {
        return None;
    }
    // Operands of a subprogram: file, scope, name, linkage name, type; of its type: file, scope, name, types.
    let types = Meta(node).operand(context, 4)?.operand(context, 3)?;
    let count = types.operands(context).len();
    Some((0..count).map(|i| types.operand(context, i).map(|meta| DebugType::new(meta, context))).collect())
}
