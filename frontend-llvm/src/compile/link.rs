//! Linking modules into one, with errors that name the files.

use std::collections::BTreeMap;
use std::mem;

use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::values::{FunctionValue, GlobalValue};
use llvm_sys::linker::LLVMLinkModules2;

use super::error::LoadError;
use super::llvm;

/// Collects the modules of a program.
#[derive(Debug, Default)]
pub struct Linker<'ctx> {
    modules: Vec<(String, Module<'ctx>)>,
    offered: Vec<(String, Module<'ctx>)>,
    definers: BTreeMap<String, String>,
}

impl<'ctx> Linker<'ctx> {
    /// Adds a module to the program.
    pub fn add(&mut self, origin: String, module: Module<'ctx>) -> Result<(), LoadError> {
        for symbol in strong_definitions(&module) {
            if let Some(first) = self.definers.insert(symbol.clone(), origin.clone()) {
                return Err(LoadError::DuplicateSymbol { symbol, first, second: origin });
            }
        }
        self.modules.push((origin, module));
        Ok(())
    }

    /// Offers the members of an archive. Those that define missing symbols are added by [`Linker::finish`].
    pub fn offer(&mut self, members: Vec<(String, Module<'ctx>)>) {
        self.offered.extend(members);
    }

    /// Links everything.
    pub fn finish(mut self, context: &'ctx Context) -> Result<Module<'ctx>, LoadError> {
        let offered = mem::take(&mut self.offered);
        if self.modules.is_empty() {
            // A library alone is analysed completely.
            for (origin, module) in offered {
                self.add(origin, module)?;
            }
        } else {
            self.add_needed(offered)?;
        }
        let mut modules = self.modules.into_iter();
        let Some((_, program)) = modules.next() else { return Ok(llvm::empty(context, "empty")) };
        for (origin, module) in modules {
            link(context, &program, module, &origin)?;
        }
        Ok(program)
    }

    /// Adds members that define undefined symbols, until no more are needed.
    fn add_needed(&mut self, mut offered: Vec<(String, Module<'ctx>)>) -> Result<(), LoadError> {
        loop {
            let missing: Vec<String> = self.modules.iter().flat_map(|(_, module)| undefined(module)).collect();
            let needed = offered.iter().position(|(_, module)| {
                strong_definitions(module).any(|s| !self.definers.contains_key(&s) && missing.contains(&s))
            });
            match needed {
                Some(i) => {
                    let (origin, module) = offered.remove(i);
                    self.add(origin, module)?;
                }
                None => return Ok(()),
            }
        }
    }
}

/// Links `module` into `program`.
pub fn link<'ctx>(
    context: &'ctx Context,
    program: &Module<'ctx>,
    module: Module<'ctx>,
    origin: &str,
) -> Result<(), LoadError> {
    // SAFETY: both modules are alive and have the same context. LLVM takes ownership of the second one, so it is
    // forgotten.
    let (failed, errors) = llvm::collecting_errors(context, || unsafe {
        let failed = LLVMLinkModules2(program.as_mut_ptr(), module.as_mut_ptr());
        mem::forget(module);
        failed != 0
    });
    if failed || !errors.is_empty() {
        return Err(LoadError::Link { file: origin.into(), message: errors.join("; ") });
    }
    Ok(())
}

/// The symbols that a module defines and no other module may define.
fn strong_definitions(module: &Module<'_>) -> impl Iterator<Item = String> {
    let functions = module.get_functions().filter(|f| is_defined(f) && f.get_linkage() == Linkage::External);
    let globals = module.get_globals().filter(|g| is_initialized(g) && g.get_linkage() == Linkage::External);
    functions.map(|f| name(f.get_name())).chain(globals.map(|g| name(g.get_name())))
}

/// The symbols that a module defines for others.
pub fn definitions(module: &Module<'_>) -> impl Iterator<Item = String> {
    let is_visible = |linkage| !matches!(linkage, Linkage::Internal | Linkage::Private | Linkage::Appending);
    let functions = module.get_functions().filter(move |f| is_defined(f) && is_visible(f.get_linkage()));
    let globals = module.get_globals().filter(move |g| is_initialized(g) && is_visible(g.get_linkage()));
    functions.map(|f| name(f.get_name())).chain(globals.map(|g| name(g.get_name())))
}

/// The symbols that a module uses and does not define.
pub fn undefined(module: &Module<'_>) -> impl Iterator<Item = String> {
    let functions = module.get_functions().filter(|f| !is_defined(f));
    let globals = module.get_globals().filter(|g| !is_initialized(g));
    functions.map(|f| name(f.get_name())).chain(globals.map(|g| name(g.get_name())))
}

pub fn is_defined(function: &FunctionValue<'_>) -> bool {
    function.count_basic_blocks() > 0
}

pub fn is_initialized(global: &GlobalValue<'_>) -> bool {
    global.get_initializer().is_some()
}

fn name(name: &std::ffi::CStr) -> String {
    name.to_string_lossy().into_owned()
}
