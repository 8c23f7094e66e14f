//! From files of any kind to one verified LLVM module.
//!
//! Sources are compiled by clang. Bitcode, also embedded in objects, is first read by a child process; archives
//! contribute the members that are needed. Everything is linked into one module, to which [`link_models`] adds the C
//! library.

mod cache;
mod clang;
pub(crate) mod conventions;
mod diagnostics;
mod embedded;
mod error;
mod files;
mod input;
pub(crate) mod link;
pub(crate) mod llvm;
mod models;
mod prepare;
mod probe;
mod producer;
pub(crate) mod scratch;
mod version;

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use clew_verifier::cfa::{Checks, PropertySet};
use inkwell::module::Module;

pub use cache::Cache;
pub use clang::Clang;
use clang::Streams;
pub use error::{ErrorClass, LoadError};
pub(crate) use files::WRITES_FILES;
pub use inkwell::context::Context;
pub use llvm::exit_on_fatal_errors;
pub use models::{MODEL_ATTRIBUTE, SourceFile, is_model_file, link_models};
pub use prepare::prepare;
pub use probe::{Probe, probe_file};
pub use scratch::{nest_scratch_folders, remove_scratch_folders, share_scratch_folder, tie_to_us};

use input::{Input, Language};
use link::Linker;
use scratch::Scratch;

include!(concat!(env!("OUT_DIR"), "/embedded_sources.rs"));

/// The LLVM version that Clew is built with. Clang must have the same version, and bitcode must not be newer.
pub const LLVM_VERSION: u32 = 19;

/// The sizes of `int`, `long` and pointers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum DataModel {
    /// All three have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    Lp64,
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        })
    }
}

/// Options for loading inputs.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// The data model; by default that of the bitcode among the inputs, else LP64.
    pub data_model: Option<DataModel>,
    /// More flags for clang.
    pub clang_flags: Vec<String>,
    /// The kinds of properties that clang adds checks for.
    pub properties: PropertySet,
    /// The function where execution starts; it must be defined.
    pub entry: String,
    /// Reads bitcode in a child process first. Without it, malformed bitcode may crash this process.
    pub probe: Option<Probe>,
}

impl Default for CompileOptions {
    fn default() -> Self {
        CompileOptions {
            data_model: None,
            clang_flags: Vec::new(),
            properties: PropertySet::EMPTY,
            entry: "main".into(),
            probe: None,
        }
    }
}

/// The result of loading inputs.
#[derive(Debug)]
pub struct Loaded<'ctx> {
    /// The linked module; variables are described by `dbg.declare` and `dbg.value` calls.
    pub module: Module<'ctx>,
    /// Its data model.
    pub data_model: DataModel,
    /// Problems of the inputs that were tolerated, for the user: `main.c:3:5: call to undeclared function 'foo'`.
    pub tolerated: Vec<String>,
    /// The kinds of properties among those asked for whose checks may be missing: how bitcode was compiled is unknown.
    pub unchecked: PropertySet,
    /// The modules that it was linked from, for a native build.
    pub parts: Vec<Part>,
}

/// A module of the program, as bitcode or assembly.
#[derive(Clone, Debug)]
pub struct Part {
    /// The file, for messages.
    pub origin: String,
    /// Its contents.
    pub bytes: Vec<u8>,
    /// Whether it is a member of an archive, which is linked only if the program needs it.
    pub is_offered: bool,
}

/// Compiles, reads and links `inputs`.
pub fn load<'ctx>(
    context: &'ctx Context,
    inputs: &[PathBuf],
    options: &CompileOptions,
) -> Result<Loaded<'ctx>, LoadError> {
    let scratch = Scratch::new().map_err(LoadError::Scratch)?;
    let mut tolerated = Vec::new();
    let inputs = inputs.iter().map(|path| Input::read(path, &mut tolerated)).collect::<Result<Vec<_>, _>>()?;

    // Bitcode comes first: it determines the data model for sources.
    let mut data_model = options.data_model.map(|model| (model, None));
    let mut parsed = Vec::with_capacity(inputs.len());
    for input in &inputs {
        let mut modules = Vec::new();
        for bitcode in input.bitcode() {
            if let Some(probe) = &options.probe {
                probe.check(bitcode, &scratch)?;
            }
            let module = llvm::parse(context, &bitcode.bytes, &bitcode.origin)?;
            let found = llvm::data_model(&module, &bitcode.origin)?;
            match &data_model {
                None => data_model = Some((found, Some(bitcode.origin.clone()))),
                Some((expected, _)) if *expected == found => {}
                Some((expected, other)) => {
                    return Err(LoadError::DataModelConflict {
                        file: bitcode.origin.clone(),
                        found,
                        expected: *expected,
                        other: other.clone(),
                    });
                }
            }
            modules.push((bitcode.origin.clone(), module));
        }
        parsed.push(modules);
    }
    let data_model = data_model.map_or(DataModel::Lp64, |(model, _)| model);

    let compiled = compile_sources(&inputs, data_model, options, &scratch)?;
    let mut linker = Linker::default();
    let mut parts = Vec::new();
    for ((input, modules), compiled) in inputs.iter().zip(parsed).zip(compiled) {
        parts.extend(input.bitcode().iter().map(|bitcode| Part {
            origin: bitcode.origin.clone(),
            bytes: bitcode.bytes.clone(),
            is_offered: input.is_archive(),
        }));
        match compiled {
            Some(compiled) => {
                tolerated.extend(compiled.tolerated);
                let module = llvm::parse(context, &compiled.bitcode, &input.name())?;
                linker.add(input.name(), module)?;
                parts.push(Part { origin: input.name(), bytes: compiled.bitcode, is_offered: false });
            }
            None if input.is_archive() => linker.offer(modules),
            None => modules.into_iter().try_for_each(|(origin, module)| linker.add(origin, module))?,
        }
    }
    let module = linker.finish(context)?;
    conventions::unmangle(&module);
    llvm::check_entry(&module, &options.entry)?;
    let has_bitcode = inputs.iter().any(|input| input.language().is_none());
    let needs_checks = options.properties.iter().filter(|kind| matches!(kind.checks(), Checks::Clang { .. }));
    let unchecked = needs_checks.filter(|_| has_bitcode).collect();
    Ok(Loaded { module, data_model, tolerated, unchecked, parts })
}

/// Compiles the sources among `inputs`. The streams of Clew and of the C++ library look different in memory, so that all
/// files must use the same; what was compiled elsewhere uses the library's.
fn compile_sources(
    inputs: &[Input],
    data_model: DataModel,
    options: &CompileOptions,
    scratch: &Scratch,
) -> Result<Vec<Option<clang::Compiled>>, LoadError> {
    if inputs.iter().all(|input| input.language().is_some()) {
        let compiled = compile_with(Streams::Own, inputs, data_model, options, scratch)?;
        let is_cxx = |input: &Input| matches!(input.language(), Some(Language::Cxx | Language::PreprocessedCxx));
        let mut streams =
            inputs.iter().zip(&compiled).filter(|(input, _)| is_cxx(input)).filter_map(|(_, c)| c.as_ref());
        let first = streams.next().map(|compiled| compiled.streams);
        if streams.all(|compiled| Some(compiled.streams) == first) {
            return Ok(compiled);
        }
    }
    compile_with(Streams::Library, inputs, data_model, options, scratch)
}

/// Compiles in parallel on all processors.
fn compile_with(
    streams: Streams,
    inputs: &[Input],
    data_model: DataModel,
    options: &CompileOptions,
    scratch: &Scratch,
) -> Result<Vec<Option<clang::Compiled>>, LoadError> {
    let sources: Vec<_> = inputs.iter().enumerate().filter_map(|(i, input)| Some((i, input.language()?))).collect();
    let mut compiled: Vec<_> = inputs.iter().map(|_| None).collect();
    if sources.is_empty() {
        return Ok(compiled);
    }
    let clang = Clang::find()?;
    let headers = clang::Headers::write(scratch)?;
    let results = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get()).min(sources.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(&(i, language)) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let headers = (&headers, streams);
                    let result = clang.compile(&inputs[i].path, language, data_model, options, headers, scratch);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((i, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Report the first failing file in input order, regardless of completion order.
    results.sort_by_key(|&(i, _)| i);
    for (i, result) in results {
        compiled[i] = Some(result?);
    }
    Ok(compiled)
}
