//! Types and their layout in memory.

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMTypeRef;
use llvm_sys::target::*;
use llvm_sys::{LLVMModule, LLVMTypeKind};

use clew_verifier::expr::{FloatFormat, MAX_BITS};

/// The width of a limb of a wide integer, in bits.
const LIMB: u32 = 64;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type(pub(super) LLVMTypeRef);

/// The structure of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeKind {
    /// No value.
    Void,
    /// An integer of some width.
    Integer(u32),
    /// A floating-point number; `None` for formats that are not supported.
    Float(Option<FloatFormat>),
    /// A pointer.
    Pointer,
    /// A struct with that many fields.
    Struct(u32),
    /// An array: element type and length.
    Array(Type, u64),
    /// A vector of fixed length: element type and length.
    Vector(Type, u64),
    /// A function.
    Function,
    /// Labels, metadata, tokens, scalable vectors, ….
    Other,
}

impl Type {
    /// The type as assembly.
    pub fn print(self) -> String {
        unsafe {
            let text = LLVMPrintTypeToString(self.0);
            let owned = std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeMessage(text);
            owned
        }
    }

    /// The structure of the type.
    pub fn kind(self) -> TypeKind {
        use LLVMTypeKind::*;
        unsafe {
            match LLVMGetTypeKind(self.0) {
                LLVMVoidTypeKind => TypeKind::Void,
                LLVMIntegerTypeKind => TypeKind::Integer(LLVMGetIntTypeWidth(self.0)),
                LLVMHalfTypeKind => TypeKind::Float(Some(FloatFormat::Half)),
                LLVMBFloatTypeKind => TypeKind::Float(Some(FloatFormat::BFloat)),
                LLVMFloatTypeKind => TypeKind::Float(Some(FloatFormat::Single)),
                LLVMDoubleTypeKind => TypeKind::Float(Some(FloatFormat::Double)),
                LLVMX86_FP80TypeKind => TypeKind::Float(Some(FloatFormat::X87)),
                LLVMFP128TypeKind => TypeKind::Float(Some(FloatFormat::Quad)),
                LLVMPPC_FP128TypeKind => TypeKind::Float(None),
                LLVMPointerTypeKind => TypeKind::Pointer,
                LLVMStructTypeKind => TypeKind::Struct(LLVMCountStructElementTypes(self.0)),
                LLVMArrayTypeKind => TypeKind::Array(Type(LLVMGetElementType(self.0)), LLVMGetArrayLength2(self.0)),
                LLVMVectorTypeKind => {
                    TypeKind::Vector(Type(LLVMGetElementType(self.0)), u64::from(LLVMGetVectorSize(self.0)))
                }
                LLVMFunctionTypeKind => TypeKind::Function,
                _ => TypeKind::Other,
            }
        }
    }

    /// The type of field `i` of a struct.
    pub fn field(self, i: u32) -> Type {
        Type(unsafe { LLVMStructGetTypeAtIndex(self.0, i) })
    }

    /// The width of an integer type, else 0.
    pub fn integer_width(self) -> u32 {
        match self.kind() {
            TypeKind::Integer(width) => width,
            _ => 0,
        }
    }

    /// Whether it is an integer too wide for expressions. These are treated as structs of limbs.
    pub fn is_wide_integer(self) -> bool {
        self.integer_width() > u32::from(MAX_BITS)
    }

    /// The number of elements of a struct, array or vector, or of limbs; 0 for scalars.
    pub fn element_count(self) -> u64 {
        match self.kind() {
            TypeKind::Integer(width) if width > u32::from(MAX_BITS) => u64::from(width.div_ceil(LIMB)),
            TypeKind::Struct(n) => u64::from(n),
            TypeKind::Array(_, n) | TypeKind::Vector(_, n) => n,
            _ => 0,
        }
    }

    /// The type of element `i` of a struct, array or vector, or of limb `i`.
    pub fn element(self, i: u64) -> Type {
        match self.kind() {
            TypeKind::Integer(width) => unsafe {
                let context = LLVMGetTypeContext(self.0);
                Type(LLVMIntTypeInContext(context, (width - LIMB * i as u32).min(LIMB)))
            },
            TypeKind::Array(element, _) | TypeKind::Vector(element, _) => element,
            _ => self.field(i as u32),
        }
    }

    /// Whether it is a struct, array, vector or wide integer.
    pub fn is_aggregate(self) -> bool {
        self.is_wide_integer()
            || matches!(self.kind(), TypeKind::Struct(_) | TypeKind::Array(..) | TypeKind::Vector(..))
    }

    /// The result of a function type.
    pub fn result(self) -> Type {
        Type(unsafe { LLVMGetReturnType(self.0) })
    }

    /// The parameters of a function type.
    pub fn params(self) -> Vec<Type> {
        unsafe {
            let mut params = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.0) as usize];
            LLVMGetParamTypes(self.0, params.as_mut_ptr());
            params.into_iter().map(Type).collect()
        }
    }

    /// Whether a function type is variadic.
    pub fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }
}

/// Sizes and offsets on the target.
#[derive(Clone, Copy)]
pub struct Layout {
    data: LLVMTargetDataRef,
}

impl Layout {
    pub(super) fn of(module: *mut LLVMModule) -> Layout {
        Layout { data: unsafe { LLVMGetModuleDataLayout(module) } }
    }

    /// The width of a pointer in bits.
    pub fn pointer_bits(&self) -> u16 {
        unsafe { LLVMPointerSize(self.data) as u16 * 8 }
    }

    /// Whether the target is little-endian.
    pub fn is_little_endian(&self) -> bool {
        unsafe { LLVMByteOrder(self.data) == LLVMByteOrdering::LLVMLittleEndian }
    }

    /// Whether the target has floating-point numbers of 80 bits.
    pub fn has_extended_floats(&self) -> bool {
        unsafe {
            let text = LLVMCopyStringRepOfTargetData(self.data);
            let found = std::ffi::CStr::from_ptr(text).to_string_lossy().contains("-f80:");
            LLVMDisposeMessage(text);
            found
        }
    }

    /// The distance between array elements of the type, in bytes.
    pub fn alloc_size(&self, ty: Type) -> u64 {
        unsafe { LLVMABISizeOfType(self.data, ty.0) }
    }

    /// The number of bytes that a store of the type writes.
    pub fn store_size(&self, ty: Type) -> u64 {
        unsafe { LLVMStoreSizeOfType(self.data, ty.0) }
    }

    /// The ABI alignment of the type, in bytes.
    pub fn alignment(&self, ty: Type) -> u64 {
        u64::from(unsafe { LLVMABIAlignmentOfType(self.data, ty.0) })
    }

    /// The offset of element `i` of a struct, array or vector, or of limb `i`, in bytes.
    pub fn element_offset(&self, ty: Type, i: u64) -> u64 {
        match ty.kind() {
            TypeKind::Struct(_) => unsafe { LLVMOffsetOfElement(self.data, ty.0, i as u32) },
            TypeKind::Vector(element, _) => i * self.store_size(element),
            TypeKind::Array(element, _) => i * self.alloc_size(element),
            _ => i * u64::from(LIMB / 8),
        }
    }
}
