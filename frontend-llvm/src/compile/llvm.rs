//! Reading, verifying and inspecting LLVM modules, without LLVM ending the process.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use llvm_sys::LLVMDiagnosticSeverity;
use llvm_sys::core::{
    LLVMContextSetDiagnosticHandler, LLVMDisposeMessage, LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
    LLVMSetIsNewDbgInfoFormat,
};
use llvm_sys::error_handling::LLVMInstallFatalErrorHandler;
use llvm_sys::prelude::LLVMDiagnosticInfoRef;
use llvm_sys::target::{LLVMByteOrder, LLVMByteOrdering, LLVMGetModuleDataLayout, LLVMPointerSize};

use super::error::LoadError;
use super::input::is_bitcode;
use super::{DataModel, LLVM_VERSION, producer};

/// The buffer name in LLVM's messages.
const BUFFER: &str = "module";

/// Parses and verifies bitcode or assembly.
pub fn parse<'ctx>(context: &'ctx Context, bytes: &[u8], origin: &str) -> Result<Module<'ctx>, LoadError> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(bytes, BUFFER);
    let (parsed, errors) = collecting_errors(context, || context.create_module_from_ir(buffer));
    let module = match parsed {
        Ok(module) if errors.is_empty() => module,
        Ok(_) => return Err(unreadable(origin, bytes, &errors.join("\n"))),
        Err(message) => return Err(unreadable(origin, bytes, &message.to_string())),
    };
    verify(&module, origin)?;
    describe_variables_by_calls(&module);
    Ok(module)
}

/// Parses bitcode that Clew wrote itself, without verifying it again.
pub fn parse_own<'ctx>(context: &'ctx Context, bytes: &[u8]) -> Option<Module<'ctx>> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(bytes, BUFFER);
    let (parsed, errors) = collecting_errors(context, || Module::parse_bitcode_from_buffer(&buffer, context));
    let module = parsed.ok().filter(|_| errors.is_empty())?;
    describe_variables_by_calls(&module);
    Some(module)
}

/// An empty module.
pub fn empty<'ctx>(context: &'ctx Context, name: &str) -> Module<'ctx> {
    let module = context.create_module(name);
    describe_variables_by_calls(&module);
    module
}

/// LLVM's C API exposes variables only as calls of `dbg.declare` and `dbg.value`. Modules must have that form before
/// they are linked, since LLVM only converts whole modules.
fn describe_variables_by_calls(module: &Module<'_>) {
    // SAFETY: the module is alive and not shared.
    unsafe { LLVMSetIsNewDbgInfoFormat(module.as_mut_ptr(), 0) };
}

/// Verifies a module.
pub fn verify(module: &Module<'_>, origin: &str) -> Result<(), LoadError> {
    module
        .verify()
        .map_err(|message| LoadError::BadModule { file: origin.into(), message: message.to_string().trim().into() })
}

/// The data model that the module was compiled for.
pub fn data_model(module: &Module<'_>, origin: &str) -> Result<DataModel, LoadError> {
    // SAFETY: the layout belongs to the module, which is alive.
    let (order, bytes) = unsafe {
        let layout = LLVMGetModuleDataLayout(module.as_mut_ptr());
        (LLVMByteOrder(layout), LLVMPointerSize(layout))
    };
    let unsupported = |why: String| LoadError::UnsupportedTarget { file: origin.into(), why };
    if !matches!(order, LLVMByteOrdering::LLVMLittleEndian) {
        return Err(unsupported("it is big-endian".into()));
    }
    match bytes {
        4 => Ok(DataModel::Ilp32),
        8 => Ok(DataModel::Lp64),
        other => Err(unsupported(format!("its pointers have {other} bytes"))),
    }
}

/// Checks that the entry function has a body.
pub fn check_entry(module: &Module<'_>, entry: &str) -> Result<(), LoadError> {
    if module.get_function(entry).is_some_and(|f| f.count_basic_blocks() > 0) {
        return Ok(());
    }
    const MAX_NAMES: usize = 5;
    let names = module.get_functions().filter(|f| f.count_basic_blocks() > 0);
    let mut defined: Vec<String> =
        names.take(MAX_NAMES + 1).map(|f| format!("`{}`", f.get_name().to_string_lossy())).collect();
    if defined.len() > MAX_NAMES {
        defined[MAX_NAMES] = "more".into();
    }
    Err(LoadError::NoEntry { entry: entry.into(), defined })
}

/// The error for a module that LLVM could not read: invalid, or written by a newer version.
pub fn unreadable(origin: &str, bytes: &[u8], message: &str) -> LoadError {
    let message = message.trim().trim_start_matches(BUFFER).trim_start_matches(':').trim_start();
    let (file, message) = (origin.to_string(), message.trim_start_matches("error: ").to_string());
    match producer::llvm_version(bytes).filter(|_| is_bitcode(bytes)) {
        Some(producer) if major(&producer).is_some_and(|major| major > LLVM_VERSION) => {
            LoadError::NewerBitcode { producer, file, message }
        }
        _ => LoadError::BadModule { file, message },
    }
}

fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}

/// Runs `action` and collects LLVM's diagnostics; by default LLVM prints them and exits on errors.
pub fn collecting_errors<T>(context: &Context, action: impl FnOnce() -> T) -> (T, Vec<String>) {
    extern "C" fn collect(info: LLVMDiagnosticInfoRef, errors: *mut c_void) {
        // SAFETY: `errors` is the cell below, alive as long as this handler is set; `info` is valid during the call.
        unsafe {
            if matches!(LLVMGetDiagInfoSeverity(info), LLVMDiagnosticSeverity::LLVMDSError) {
                let text = LLVMGetDiagInfoDescription(info);
                let errors = &*errors.cast::<RefCell<Vec<String>>>();
                errors.borrow_mut().push(CStr::from_ptr(text).to_string_lossy().into_owned());
                LLVMDisposeMessage(text);
            }
        }
    }
    let errors = RefCell::new(Vec::new());
    // SAFETY: the context is alive, and the handler is replaced before the cell dies.
    let result = unsafe {
        LLVMContextSetDiagnosticHandler(context.raw(), Some(collect), (&raw const errors).cast_mut().cast());
        let result = action();
        LLVMContextSetDiagnosticHandler(context.raw(), Some(ignore), std::ptr::null_mut());
        result
    };
    (result, errors.into_inner())
}

extern "C" fn ignore(_: LLVMDiagnosticInfoRef, _: *mut c_void) {}

static ON_FATAL_ERROR: OnceLock<(i32, &str)> = OnceLock::new();

/// Makes LLVM's fatal errors print one line that starts with `prefix` and exit with `exit_code`, instead of aborting.
/// Only the first call has an effect.
pub fn exit_on_fatal_errors(exit_code: i32, prefix: &'static str) {
    extern "C" fn give_up(reason: *const c_char) {
        // SAFETY: LLVM passes a valid string.
        let reason = unsafe { CStr::from_ptr(reason) };
        let (exit_code, prefix) = ON_FATAL_ERROR.get().copied().unwrap_or((1, ""));
        eprintln!("{prefix}LLVM gave up: {}", reason.to_string_lossy());
        std::process::exit(exit_code);
    }
    if ON_FATAL_ERROR.set((exit_code, prefix)).is_ok() {
        // SAFETY: the handler is a plain function, and LLVM gets only this one.
        unsafe { LLVMInstallFatalErrorHandler(Some(give_up)) };
    }
}

/// Runs a pass pipeline, given as for `opt -passes`.
pub(super) fn run_passes(module: &Module<'_>, passes: &std::ffi::CStr) -> Result<(), String> {
    use llvm_sys::transforms::pass_builder::{
        LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
    };
    // SAFETY: the module and the options are alive, the string is NUL-terminated, and these passes need no target
    // machine.
    unsafe {
        let options = LLVMCreatePassBuilderOptions();
        let error = LLVMRunPasses(module.as_mut_ptr(), passes.as_ptr(), std::ptr::null_mut(), options);
        LLVMDisposePassBuilderOptions(options);
        if error.is_null() {
            return Ok(());
        }
        let text = llvm_sys::error::LLVMGetErrorMessage(error);
        let message = std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned();
        llvm_sys::error::LLVMDisposeErrorMessage(text);
        Err(message)
    }
}
