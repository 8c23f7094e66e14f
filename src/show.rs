//! `clew show`: what Clew sees in a program.

use std::process::ExitCode;

use clew_verifier::cfa::Program;

use crate::cli::{Format, ShowCfa};
use crate::exit::Failure;
use crate::load;

/// Prints the control-flow automaton.
pub fn cfa(arguments: &ShowCfa) -> Result<ExitCode, Failure> {
    let program = load::program(&arguments.program)?;
    if let Some(name) = &arguments.function
        && !program.functions.iter().any(|f| *f.name == **name || *f.display_name == **name)
    {
        return Err(Failure::Usage(format!("no function `{name}` in the program")));
    }
    print(&program, arguments.format, arguments.function.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the automaton, or one function of it, to the standard output. The printers go here.
fn print(_program: &Program, _format: Format, _function: Option<&str>) -> Result<(), Failure> {
    Err(Failure::NotYet("printing control-flow automata"))
}
