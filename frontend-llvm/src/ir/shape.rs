//! The values that source types have, from debug info: for making arguments of them.

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;

use super::debug::{DebugType, Meta, Shape, context_of};
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
        const DW_TAG_ENUMERATION: u16 = 0x04;
        const DW_TAG_UNION: u16 = 0x17;
        let tag = unsafe { LLVMGetDINodeTag(self.meta().0) };
        match self.shape() {
            Shape::Alias(Some(inner)) | Shape::Member(Some(inner)) => inner.value_shape(),
            Shape::Basic => self.basic(),
            Shape::Pointer(Some(inner)) if self.is_never_null() => ValueShape::Reference(inner),
            Shape::Pointer(inner) => ValueShape::Pointer(inner),
            Shape::Array(Some(element)) => ValueShape::Array(element),
            Shape::Members(_) if tag == DW_TAG_ENUMERATION && self.size() > 0 => ValueShape::Integer { signed: true },
            // An incomplete type has no size.
            Shape::Members(_) if self.size() == 0 => ValueShape::Unknown,
            Shape::Members(members) => {
                let fields =
                    members.into_iter().filter(|member| member.is_stored_member()).map(DebugType::field).collect();
                if tag == DW_TAG_UNION { ValueShape::Union(fields) } else { ValueShape::Struct(fields) }
            }
            Shape::Function => ValueShape::Function,
            Shape::Alias(None) | Shape::Member(None) | Shape::Array(None) | Shape::Other => ValueShape::Unknown,
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

    fn field(self) -> Field {
        let is_bit_field = self.flags() & LLVMDIFlagBitField != 0;
        Field { offset: self.offset(), ty: self, is_bit_field }
    }

    /// LLVM's interface tells no encodings, but its text does.
    fn basic(self) -> ValueShape {
        let text = self.print();
        let encoding = text.split("encoding: DW_ATE_").nth(1).unwrap_or("");
        let encoding = encoding.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
        match encoding {
            "boolean" => ValueShape::Bool,
            "signed" | "signed_char" => ValueShape::Integer { signed: true },
            "unsigned" | "unsigned_char" | "UTF" => ValueShape::Integer { signed: false },
            "float" => ValueShape::Float,
            _ => ValueShape::Unknown,
        }
    }

    fn print(self) -> String {
        unsafe { Value(LLVMMetadataAsValue(self.context(), self.meta().0)).print() }
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
