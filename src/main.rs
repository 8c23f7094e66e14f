//! The `clew` command: reads the command line and wires the rooms together.

mod cli;
mod exit;
mod load;
mod run;
mod show;

use std::process::ExitCode;

use clap::Parser;
use clew_frontend_llvm::compile;

use cli::{Cli, Command, Show};
use exit::Failure;

fn main() -> ExitCode {
    exit::report_panics();
    let cli = Cli::parse();
    // Programs nest as deep as they like, and so do the functions that walk over them.
    const STACK: usize = 1 << 30;
    let result = match std::thread::Builder::new().stack_size(STACK).spawn(|| execute(cli)) {
        Ok(thread) => thread.join().unwrap_or_else(|_| Err(Failure::Internal("a panic".into()))),
        Err(error) => Err(Failure::Internal(format!("cannot start a thread: {error}"))),
    };
    result.unwrap_or_else(Failure::report)
}

fn execute(cli: Cli) -> Result<ExitCode, Failure> {
    match cli.command {
        Command::Show { what: Show::Cfa(arguments) } => show::cfa(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::ProbeBitcode { file } => std::process::exit(compile::probe_file(&file)),
    }
}
