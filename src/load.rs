//! From the command line to a module with the C library linked in, and to the program that it stands for.

use std::env;

use clew_frontend_llvm::compile::{
    self, CompileOptions, Context, Loaded, MODELS, ModelCache, Probe, exit_on_fatal_errors, link_models, prepare,
};
use clew_frontend_llvm::{self as frontend, LiftOptions};
use clew_verifier::cfa::Program;

use crate::cli::{Externals, ProgramArgs};
use crate::exit::{Failure, INTERNAL};

/// Reads the program that the arguments name; tells `note` what the user should know about it.
pub fn program(arguments: &ProgramArgs, note: &dyn Fn(&str)) -> Result<Program, Failure> {
    exit_on_fatal_errors(INTERNAL.into(), "clew: internal error: ");
    let context = Context::create();
    let loaded = module(&context, arguments, note)?;
    let program = lift(&loaded, arguments)?;
    for text in &program.notes {
        note(&format!("clew: note: {text}"));
    }
    Ok(program)
}

/// Notes of a command that writes nothing else to the standard error.
pub fn to_stderr(note: &str) {
    eprintln!("{note}");
}

/// Compiles, links, and says what was tolerated.
fn module<'ctx>(context: &'ctx Context, arguments: &ProgramArgs, note: &dyn Fn(&str)) -> Result<Loaded<'ctx>, Failure> {
    let this = env::current_exe().map_err(|e| Failure::Internal(format!("cannot find the program itself: {e}")))?;
    let options = CompileOptions {
        data_model: arguments.data_model(),
        clang_flags: arguments.clang_flags.clone(),
        entry: arguments.entry.clone(),
        probe: Some(Probe { program: this, args: vec!["__probe-bitcode".into()] }),
    };
    let loaded = compile::load(context, &arguments.files, &options)?;
    link_models(context, &loaded.module, loaded.data_model, MODELS, &ModelCache::of_user())?;
    prepare(&loaded.module, &arguments.entry)?;
    report_tolerated(&loaded.tolerated, note);
    Ok(loaded)
}

/// Tells what is wrong with the input but did not stop us: the first few, as old programs have hundreds.
fn report_tolerated(tolerated: &[String], note: &dyn Fn(&str)) {
    const MOST: usize = 10;
    for text in tolerated.iter().take(MOST) {
        note(&format!("clew: note: tolerated: {text}"));
    }
    if tolerated.len() > MOST {
        note(&format!("clew: note: tolerated: {} more of this kind", tolerated.len() - MOST));
    }
}

/// Lifts the module into a control-flow automaton.
fn lift(loaded: &Loaded<'_>, arguments: &ProgramArgs) -> Result<Program, Failure> {
    let externals = match arguments.externals {
        Externals::Pure => frontend::Externals::Pure,
        Externals::Havoc => frontend::Externals::Havoc,
        Externals::Error => frontend::Externals::Error,
    };
    let options = LiftOptions { entry: arguments.entry.clone(), externals };
    frontend::lift(&loaded.module, &options).map_err(|e| Failure::Usage(e.to_string()))
}
