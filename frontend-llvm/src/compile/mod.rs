//! From files of any kind to one verified LLVM module.
//!
//! Sources are compiled by clang. Bitcode, also embedded in objects, is first read by a child process; archives
//! contribute the members that are needed. Everything is linked into one module, to which [`link_models`] adds the C
//! library.

mod clang;
pub(crate) mod conventions;
mod cprover;
mod diagnostics;
mod embedded;
mod error;
mod files;
mod input;
mod inputs;
pub(crate) mod link;
pub(crate) mod llvm;
mod models;
mod prepare;
mod probe;
mod producer;

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use clew_clang::database::Entry;
use clew_verifier::cfa::{Checks, PropertySet};
use inkwell::module::Module;

pub use clang::Clang;
use clang::Streams;
pub(crate) use clew_clang::scratch;
pub use clew_clang::scratch::{nest_scratch_folders, remove_scratch_folders, share_scratch_folder, tie_to_us};
pub use clew_clang::{Cache, LLVM_VERSION};
pub use error::{ErrorClass, LoadError};
pub(crate) use files::WRITES_FILES;
pub use inkwell::context::Context;
pub use inputs::{Inputs, Recorder};
pub use llvm::exit_on_fatal_errors;
pub use models::{MODEL_ATTRIBUTE, SourceFile, is_model_file, link_models};
pub use prepare::prepare;
pub use probe::{Probe, probe_file};

use crate::entry::{self, Arguments, Made};
use input::{Input, Language, Source};
use link::Linker;
use scratch::Scratch;

include!(concat!(env!("OUT_DIR"), "/embedded_sources.rs"));

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
    /// Units of a build, which are part of the program.
    pub units: Vec<Entry>,
    /// The kinds of properties that clang adds checks for.
    pub properties: PropertySet,
    /// The function where execution starts; it must be defined.
    pub entry: String,
    /// What the arguments of another entry than `main` are like.
    pub arguments: Arguments,
    /// Reads bitcode in a child process first. Without it, malformed bitcode may crash this process.
    pub probe: Option<Probe>,
    /// Where to record what is read.
    pub recorder: Option<Arc<Recorder>>,
}

impl Default for CompileOptions {
    fn default() -> Self {
        CompileOptions {
            data_model: None,
            clang_flags: Vec::new(),
            units: Vec::new(),
            properties: PropertySet::EMPTY,
            entry: "main".into(),
            arguments: Arguments::default(),
            probe: None,
            recorder: None,
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
    /// The function where execution starts: the one that was asked for, or one that makes its arguments.
    pub entry: String,
    /// The function that was asked for, or the only proof.
    pub asked: String,
    /// The arguments that were made.
    pub made: Option<Made>,
    /// Problems of the inputs that were tolerated, for the user: `main.c:3:5: call to undeclared function 'foo'`.
    pub tolerated: Vec<String>,
    /// What else the user should know of how the program is understood.
    pub notes: Vec<String>,
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
    let mut inputs = inputs.iter().map(|path| Input::read(path, &mut tolerated)).collect::<Result<Vec<_>, _>>()?;
    for unit in &options.units {
        inputs.push(Input::of_unit(unit)?);
    }
    if let Some(recorder) = &options.recorder {
        inputs.iter().for_each(|input| recorder.add_file(&input.path));
    }

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
            modules.push((bitcode, module));
        }
        parsed.push(modules);
    }
    let has_32_bits = |input: &Input| input.source().is_some_and(Source::has_32_bits);
    let by_flags = || if inputs.iter().any(has_32_bits) { DataModel::Ilp32 } else { DataModel::Lp64 };
    let data_model = data_model.map_or_else(by_flags, |(model, _)| model);

    let compiled = compile_sources(&inputs, data_model, options, &scratch)?;
    let mut linker = Linker::default();
    let mut parts = Vec::new();
    for ((input, modules), compiled) in inputs.iter().zip(parsed).zip(compiled) {
        parts.extend(input.bitcode().iter().map(|bitcode| Part {
            origin: bitcode.origin.clone(),
            bytes: bitcode.bytes.clone(),
            is_offered: bitcode.is_offered,
        }));
        if let Some(compiled) = compiled {
            tolerated.extend(compiled.tolerated);
            let module = llvm::parse(context, &compiled.bitcode, &input.name())?;
            let found = llvm::data_model(&module, &input.name())?;
            if found != data_model {
                let (file, expected) = (input.name(), data_model);
                return Err(LoadError::DataModelConflict { file, found, expected, other: None });
            }
            linker.add(input.name(), module)?;
            parts.push(Part { origin: input.name(), bytes: compiled.bitcode, is_offered: false });
        }
        for (bitcode, module) in modules {
            match bitcode.is_offered {
                true => linker.offer(vec![(bitcode.origin.clone(), module)]),
                false => linker.add(bitcode.origin.clone(), module)?,
            }
        }
    }
    let module = linker.finish(context)?;
    for input in &inputs {
        refuse_wrapped(input, &module)?;
        tolerated.extend(without_bitcode(input, &module));
    }
    let mut notes = conventions::adapt(&module).notes;
    let asked = match entry::only_proof(&module).filter(|_| options.entry == "main") {
        Some(proof) => {
            notes.push(format!("there is no `main`: execution starts in `{proof}`, which is marked by CLEW_PROOF"));
            proof
        }
        None => options.entry.clone(),
    };
    llvm::check_entry(&module, &asked)?;
    let made = entry::add(context, &module, &asked, &options.arguments)?;
    let entry = made.as_ref().map_or(&*asked, |_| entry::NAME).to_string();
    let has_bitcode = inputs.iter().any(|input| input.source().is_none());
    let needs_checks = options.properties.iter().filter(|kind| matches!(kind.checks(), Checks::Clang { .. }));
    let unchecked = needs_checks.filter(|_| has_bitcode).collect();
    Ok(Loaded { module, data_model, entry, asked, made, tolerated, notes, unchecked, parts })
}

/// Refuses a program whose linker may have replaced functions: with `--wrap=f`, calls of `f` go to `__wrap_f`.
fn refuse_wrapped(input: &Input, module: &Module<'_>) -> Result<(), LoadError> {
    if !input.is_linked {
        return Ok(());
    }
    let names = module.get_functions().map(|function| function.get_name().to_string_lossy().into_owned());
    let mut wrapped = names.filter_map(|name| name.strip_prefix("__wrap_").map(String::from));
    match wrapped.find(|function| module.get_function(function).is_some()) {
        Some(function) => Err(LoadError::Wrapped { file: input.name(), function }),
        None => Ok(()),
    }
}

/// Names the functions that the program calls and that are in the machine code of an input, but in no bitcode: files in
/// assembly, and files that were compiled otherwise.
fn without_bitcode(input: &Input, module: &Module<'_>) -> Option<String> {
    const MAX_NAMES: usize = 8;
    let mut names: Vec<String> =
        link::undefined(module).filter(|name| input.functions.contains(name)).map(|name| format!("`{name}`")).collect();
    names.sort();
    if names.len() > MAX_NAMES {
        let more = names.len() - MAX_NAMES;
        names.truncate(MAX_NAMES);
        names.push(format!("and {more} more"));
    }
    let are = if names.len() == 1 { "is external" } else { "are external" };
    (!names.is_empty()).then(|| format!("{}: carries no bitcode of {}, which {are}", input.name(), names.join(", ")))
}

/// Compiles the sources among `inputs`. The streams of Clew and of the C++ library look different in memory, so that all
/// files must use the same; what was compiled elsewhere uses the library's.
fn compile_sources(
    inputs: &[Input],
    data_model: DataModel,
    options: &CompileOptions,
    scratch: &Scratch,
) -> Result<Vec<Option<clang::Compiled>>, LoadError> {
    if inputs.iter().all(|input| input.source().is_some()) {
        let compiled = compile_with(Streams::Own, inputs, data_model, options, scratch)?;
        let is_cxx = |input: &Input| {
            input.source().is_some_and(|s| matches!(s.language, Language::Cxx | Language::PreprocessedCxx))
        };
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
    let sources: Vec<_> = inputs.iter().enumerate().filter_map(|(i, input)| Some((i, input.source()?))).collect();
    let mut compiled: Vec<_> = inputs.iter().map(|_| None).collect();
    if sources.is_empty() {
        return Ok(compiled);
    }
    let clang = Clang::find()?.recording(options.recorder.clone());
    let headers = clang::Headers::write(scratch)?;
    let results = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get()).min(sources.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(&(i, source)) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let headers = (&headers, streams);
                    let result = clang.compile(&inputs[i].path, source, data_model, options, headers, scratch);
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
