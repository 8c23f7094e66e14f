//! Loading: compiles and links the inputs with the models of the C library, and lifts the module.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use clew_frontend_llvm::compile::{
    self, Cache, CompileOptions, Context, Inputs, LoadError, MODELS, Probe, exit_on_fatal_errors, link_models, prepare,
};
use clew_frontend_llvm::entry::{claims_anything, may_claim};
use clew_frontend_llvm::native::Source;
use clew_frontend_llvm::{self as frontend, LiftOptions};
use clew_verifier::cfa::Program;
use serde_json::json;

use crate::cli::{Externals, ProgramArgs};
use crate::exit::{Failure, INTERNAL};

/// A loaded program.
#[derive(Debug)]
pub struct Loaded {
    /// The automaton.
    pub program: Program,
    /// What a native build needs.
    pub source: Source,
    /// Whether the program claims anything, even if the automaton needs no error location for it.
    pub has_claims: bool,
}

/// Loads the program. Notes for the user go to `note`.
pub fn program(arguments: &ProgramArgs, note: &dyn Fn(&str)) -> Result<Loaded, Failure> {
    exit_on_fatal_errors(INTERNAL.into(), "clew: internal error: ");
    let context = Context::create();
    let (loaded, has_claims) = module(&context, arguments, note)?;
    let program = lift(&loaded, arguments)?;
    for text in &program.notes {
        note(&format!("clew: note: {text}"));
    }
    let source = Source {
        parts: loaded.parts,
        data_model: loaded.data_model,
        entry: loaded.asked,
        arguments: arguments.entry_arguments(),
        assume_any: arguments.assume_any.clone(),
        flags: arguments.clang_flags.clone(),
    };
    Ok(Loaded { program, source, has_claims })
}

/// Prints a note, for commands without progress output.
pub fn to_stderr(note: &str) {
    eprintln!("{note}");
}

/// Compiles and links, and reports tolerated errors. The result tells whether the program claims anything.
fn module<'ctx>(
    context: &'ctx Context,
    arguments: &ProgramArgs,
    note: &dyn Fn(&str),
) -> Result<(compile::Loaded<'ctx>, bool), Failure> {
    let this = env::current_exe().map_err(|e| Failure::Internal(format!("cannot find the program itself: {e}")))?;
    let options = CompileOptions {
        data_model: arguments.data_model(),
        clang_flags: arguments.clang_flags.clone(),
        units: arguments.units().map_err(LoadError::from)?,
        entry: arguments.entry.clone(),
        arguments: arguments.entry_arguments(),
        properties: arguments.selections().requested(),
        probe: Some(Probe { program: this, args: vec!["__probe-bitcode".into()] }),
        recorder: arguments.record_inputs.as_ref().map(|_| Arc::default()),
    };
    if let (Some(database), Some(recorder)) = (&arguments.build, &options.recorder) {
        recorder.add_file(database);
    }
    let loaded = compile::load(context, &arguments.files, &options)?;
    if let (Some(path), Some(recorder)) = (&arguments.record_inputs, &options.recorder) {
        record(path, &recorder.inputs())?;
    }
    link_models(context, &loaded.module, loaded.data_model, MODELS, &Cache::of_user())?;
    // Preparation inlines claims, and removes those that hold by themselves.
    let may_claim = |file: &PathBuf| fs::read(file).is_ok_and(|text| may_claim(&text));
    let has_claims = claims_anything(&loaded.module) || arguments.files.iter().any(may_claim);
    prepare(&loaded.module, &loaded.entry)?;
    report_tolerated(&loaded.tolerated, note);
    loaded.notes.iter().for_each(|text| note(&format!("clew: note: {text}")));
    Ok((loaded, has_claims))
}

/// Writes what was read, as JSON.
fn record(path: &Path, inputs: &Inputs) -> Result<(), Failure> {
    fn names<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Option<Vec<&'p str>> {
        paths.into_iter().map(|path| path.to_str()).collect()
    }
    let (files, folders) = (names(&inputs.files), names(&inputs.folders));
    // JSON has no other names than those in Unicode.
    let incomplete = inputs.incomplete || files.is_none() || folders.is_none();
    let (files, folders) = (files.unwrap_or_default(), folders.unwrap_or_default());
    let text = json!({ "files": files, "folders": folders, "incomplete": incomplete });
    fs::write(path, text.to_string())
        .map_err(|error| Failure::Usage(format!("--record-inputs: {} cannot be written: {error}", path.display())))
}

/// Reports errors that were tolerated. Old programs have hundreds, so only the first ones are listed.
fn report_tolerated(tolerated: &[String], note: &dyn Fn(&str)) {
    const MAX_LISTED: usize = 10;
    for text in tolerated.iter().take(MAX_LISTED) {
        note(&format!("clew: note: tolerated: {text}"));
    }
    if tolerated.len() > MAX_LISTED {
        note(&format!("clew: note: tolerated: {} more of this kind", tolerated.len() - MAX_LISTED));
    }
}

fn lift(loaded: &compile::Loaded<'_>, arguments: &ProgramArgs) -> Result<Program, Failure> {
    let externals = match arguments.externals {
        Externals::Pure => frontend::Externals::Pure,
        Externals::Havoc => frontend::Externals::Havoc,
        Externals::Error => frontend::Externals::Error,
    };
    let options = LiftOptions {
        entry: loaded.entry.clone(),
        made: loaded.made.clone(),
        externals,
        assume_any: arguments.assume_any.clone(),
        properties: arguments.selections().counted(),
        gaps: None,
    };
    let mut program = frontend::lift(&loaded.module, &options).map_err(|e| Failure::Usage(e.to_string()))?;
    program.unchecked = loaded.unchecked;
    Ok(program)
}
