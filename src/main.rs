//! The `clew` command: reads the command line and wires the rooms together.

mod allocator;
mod build;
mod check;
mod cli;
mod exit;
mod init;
mod install;
mod load;
mod properties;
mod replay;
mod run;
mod show;
mod test;
mod version;

use std::ffi::OsString;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use clap::Parser;
use clew_frontend_llvm::compile;
use rustix::process::{Resource, getrlimit};

use cli::{Cli, Command, Show};
use exit::Failure;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

fn main() -> ExitCode {
    let start = Instant::now();
    exit::report_panics();
    if std::env::args_os().skip(1).eq([OsString::from("--version")]) {
        println!("{}", version::text());
        return ExitCode::SUCCESS;
    }
    let cli = Cli::parse();
    let work = || execute(&cli, start);
    let result =
        thread::scope(|scope| match thread::Builder::new().stack_size(stack_size()).spawn_scoped(scope, work) {
            Ok(thread) => thread.join().unwrap_or_else(|_| Err(Failure::Internal("a panic".into()))),
            Err(error) => Err(Failure::Internal(format!("cannot start a thread: {error}"))),
        });
    result.unwrap_or_else(Failure::report)
}

/// Recursion over the program is as deep as the program nests, so the stack is large: 1 GiB, but at most an eighth of
/// the address space.
fn stack_size() -> usize {
    const MAX_STACK: u64 = 1 << 30;
    getrlimit(Resource::As).current.map_or(MAX_STACK, |space| MAX_STACK.min(space / 8)) as usize
}

fn execute(cli: &Cli, start: Instant) -> Result<ExitCode, Failure> {
    match &cli.command {
        Command::Check(arguments) => check::check(arguments, start),
        Command::Show { what: Show::Cfa(arguments) } => show::cfa(arguments),
        Command::Show { what: Show::Arg(arguments) } => show::arg(arguments, start),
        Command::Show { what: Show::Precision(arguments) } => show::precision(arguments, start),
        Command::Show { what: Show::Configs { format } } => show::configs(*format),
        Command::Show { what: Show::Tuning { format } } => show::tuning(*format),
        Command::Test(arguments) => test::test(arguments),
        Command::Init(arguments) => init::init(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Build(arguments) => build::build(arguments),
        Command::Replay(arguments) => replay::replay(arguments),
        Command::Config(arguments) => install::config(arguments),
        Command::Completions(arguments) => install::completions(arguments),
        Command::Install(arguments) => install::install(arguments),
        Command::Confined(arguments) => Ok(replay::become_confined(arguments)),
        Command::ProbeBitcode { file } => std::process::exit(compile::probe_file(file)),
    }
}
