//! A thin, typed view of LLVM's C API: values, types and blocks as `Copy` handles.
//!
//! Handles borrow from a module that the caller keeps alive. All of them are obtained from it through [`Module`], and
//! are used only while the module exists. `edit` adds instructions, which invalidates no handle; a call that it replaces
//! must not be used any more. The unsafe calls below rely on this.

mod debug;
mod edit;
mod shape;
mod types;
mod value;

pub use debug::{
    DebugLocation, DebugMember, DebugScope, DebugShape, DebugType, LocalVariable, debug_type_of_global,
    declared_variable, subprogram,
};
pub use shape::{Field, ValueShape, signature};
pub use types::{Layout, Type, TypeKind};
pub use value::{Block, Constant, Module, Opcode, Predicate, Value};
