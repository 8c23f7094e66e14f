//! The plugin for clang, opt and lld. It is C++, since LLVM's interface for plugins is; this crate only carries it.

/// The shared library.
pub const PLUGIN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libclew.so"));
