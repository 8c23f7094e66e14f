//! A thin, typed view of LLVM's C API: values, types and blocks as `Copy` handles.
//!
//! The handles borrow from a module that the caller keeps alive; all of them are made from it by [`Module`]'s functions and used
//! only while the module exists and is not changed, which is what makes the unsafe calls below sound.

mod debug;
mod types;
mod value;

pub use debug::{DebugType, LocalVariable, Place, PlaceScope, debug_type_of_global, declared_variable, subprogram};
pub use types::{Layout, Type, TypeKind};
pub use value::{Block, Constant, Module, Opcode, Predicate, Value};
