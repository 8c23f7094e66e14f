//! Models of the C library in C and of the C++ runtime in C++: linked as far as the program needs them.

mod library;

use std::collections::BTreeSet;

use inkwell::attributes::AttributeLoc;
use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::types::BasicTypeEnum;
use inkwell::values::AsValueRef;
use llvm_sys::comdat::LLVMSetComdat;
use llvm_sys::prelude::LLVMValueRef;

use super::error::LoadError;
use super::link::{is_defined, is_initialized, link, undefined};
use super::{Cache, DataModel, llvm};

/// A file embedded in Clew.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SourceFile {
    /// Its name, relative to its folder.
    pub name: &'static str,
    /// Its contents.
    pub text: &'static str,
}

/// The attribute of functions from models.
pub const MODEL_ATTRIBUTE: &str = "clew-model";

/// The directory of models in debug info, independent of where they were compiled.
pub(super) const MODEL_FOLDER: &str = "/clew/models";

/// Whether a path in debug info is that of a model.
pub fn is_model_file(path: &str) -> bool {
    path.starts_with(MODEL_FOLDER)
}

/// Functions that register handlers for `__clew_run_atexit`, which runs when the program ends.
const REGISTERS_HANDLERS: &[&str] = &["atexit", "on_exit", "__cxa_atexit", "__cxa_thread_atexit"];

/// Links the definitions in `models` that `module` uses but does not define, and what these need in turn. Definitions
/// of the user take precedence.
pub fn link_models<'ctx>(
    context: &'ctx Context,
    module: &Module<'ctx>,
    data_model: DataModel,
    models: &[SourceFile],
    cache: &Cache,
) -> Result<(), LoadError> {
    let mut missing: BTreeSet<String> = undefined(module).collect();
    if REGISTERS_HANDLERS.iter().any(|&name| missing.contains(name)) {
        missing.insert("__clew_run_atexit".into());
    }
    let failed = |error| LoadError::Models(Box::new(error));
    if missing.is_empty() || models.is_empty() {
        return Ok(());
    }
    let library = library::needed(context, data_model, models, cache, &missing).map_err(failed)?;
    library.set_data_layout(&module.get_data_layout());
    library.set_triple(&module.get_triple());
    keep_needed(context, &library, module, &missing);
    remove_unreachable(&library).map_err(failed)?;
    // Modules compiled with special flags, such as a short `wchar_t`, are incompatible; this is reported as a link
    // error.
    link(context, module, library, "the models of the C library")
}

/// Makes all symbols of `library` internal except those that the program misses. Symbols that the program defines
/// become declarations, so that the models use them too.
fn keep_needed(context: &Context, library: &Module<'_>, program: &Module<'_>, missing: &BTreeSet<String>) {
    let mark = context.create_string_attribute(MODEL_ATTRIBUTE, "");
    let is_visible = |linkage| !matches!(linkage, Linkage::Internal | Linkage::Private);
    for function in library.get_functions().filter(is_defined).collect::<Vec<_>>() {
        leave_comdat(function.as_value_ref());
        function.add_attribute(AttributeLoc::Function, mark);
        if !is_visible(function.get_linkage()) {
            continue;
        }
        let name = function.get_name().to_string_lossy().into_owned();
        if program.get_function(&name).is_some_and(|f| is_defined(&f) && is_visible(f.get_linkage())) {
            function.as_global_value().set_name(&format!("{name}.unused"));
            function.replace_all_uses_with(library.add_function(&name, function.get_type(), None));
            function.set_linkage(Linkage::Internal);
        } else if !missing.contains(&name) {
            function.set_linkage(Linkage::Internal);
        }
    }
    for global in library.get_globals().filter(is_initialized).collect::<Vec<_>>() {
        leave_comdat(global.as_value_ref());
        let name = global.get_name().to_string_lossy().into_owned();
        if !is_visible(global.get_linkage()) || name.starts_with("llvm.") {
            continue;
        }
        let of_user = program.get_global(&name).is_some_and(|g| is_initialized(&g) && is_visible(g.get_linkage()));
        if let (true, Ok(of_type)) = (of_user, BasicTypeEnum::try_from(global.get_value_type())) {
            global.set_name(&format!("{name}.unused"));
            let declaration = library.add_global(of_type, None, &name);
            global.as_pointer_value().replace_all_uses_with(declaration.as_pointer_value());
            global.set_linkage(Linkage::Internal);
        } else if !missing.contains(&name) {
            global.set_linkage(Linkage::Internal);
        }
    }
}

/// Removes a global from its COMDAT group. The linker replaces a group as a whole by one of the same name in the
/// program, which would remove symbols that were made internal.
fn leave_comdat(global: LLVMValueRef) {
    // SAFETY: the global is alive; a null group means none.
    unsafe { LLVMSetComdat(global, std::ptr::null_mut()) };
}

/// Removes globals that no visible symbol references.
fn remove_unreachable(module: &Module<'_>) -> Result<(), LoadError> {
    llvm::run_passes(module, c"globaldce").map_err(|message| LoadError::Link { file: "the models".into(), message })
}
