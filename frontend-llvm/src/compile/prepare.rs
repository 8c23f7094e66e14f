//! Preparing a linked module for lifting. No pass that exploits undefined behaviour runs here.

use inkwell::module::{Linkage, Module};

use super::error::LoadError;
use super::link::{is_defined, is_initialized};
use super::llvm;

/// Inlines what is marked so (the models of small library functions, so that the points-to analysis tells their callers apart)
/// and drops what the entry cannot reach.
pub fn prepare(module: &Module<'_>, entry: &str) -> Result<(), LoadError> {
    for function in module.get_functions().filter(is_defined) {
        let is_entry = function.get_name().to_bytes() == entry.as_bytes();
        // the exit routine calls these once the entry returns
        let is_kept = is_entry || function.get_name().to_bytes() == b"__clew_run_atexit";
        function.set_linkage(if is_kept { Linkage::External } else { Linkage::Internal });
    }
    for global in module.get_globals().filter(is_initialized) {
        if global.get_linkage() != Linkage::Appending {
            global.set_linkage(Linkage::Internal);
        }
    }
    llvm::run_passes(module, c"always-inline,globaldce")
        .map_err(|message| LoadError::Link { file: "the prepared program".into(), message })?;
    llvm::verify(module, "the prepared program")
}
