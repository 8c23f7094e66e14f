//! The compiler clang as a program: where it is, what its command lines mean, a wrapper around it, and bitcode in objects.
//! Nothing here uses the LLVM library, which takes longer to load than small files take to compile.

mod cache;
pub mod command;
pub mod database;
mod find;
mod flags;
pub mod scratch;
pub mod section;
mod version;
pub mod wrapper;

pub use cache::Cache;
pub use find::{Clang, Driver, NoClang};
pub use flags::{FLAGS, cxx_prelude, with_large_stack};

/// The LLVM version that Clew is built with. Clang must have the same version, and bitcode must not be newer.
pub const LLVM_VERSION: u32 = 19;
