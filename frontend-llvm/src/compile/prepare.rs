//! Preparing a linked module for lifting. No pass that exploits undefined behaviour runs here.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::{Linkage, Module};

use super::error::LoadError;
use super::files::{WRITES_FILES, may_write_files};
use super::link::{is_defined, is_initialized};
use super::llvm;
use super::models::MODEL_ATTRIBUTE;

/// Inlines functions marked for it (models of small library functions, for context sensitivity of the points-to
/// analysis), and drops what the entry cannot reach.
pub fn prepare(module: &Module<'_>, entry: &str) -> Result<(), LoadError> {
    if let Some(entry) = module.get_function(entry)
        && may_write_files(crate::ir::Module::of(module))
    {
        entry.add_attribute(AttributeLoc::Function, module.get_context().create_string_attribute(WRITES_FILES, ""));
    }
    let inline = Attribute::get_named_enum_kind_id("alwaysinline");
    for function in module.get_functions().filter(is_defined) {
        // Straight-line models are inlined, so that their operations have the caller's source position.
        let is_model = function.get_string_attribute(AttributeLoc::Function, MODEL_ATTRIBUTE).is_some();
        if is_model && function.count_basic_blocks() == 1 {
            let inline = module.get_context().create_enum_attribute(inline, 0);
            function.add_attribute(AttributeLoc::Function, inline);
        }
        let is_entry = function.get_name().to_bytes() == entry.as_bytes();
        // The exit routine calls this after the entry returns.
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
