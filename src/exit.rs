//! How the command ends: exit codes, and one clear message for what went wrong.

use std::io::{self, ErrorKind};
use std::panic;
use std::process::ExitCode;

use clew_frontend_llvm::compile::{ErrorClass, LoadError};

/// A property is violated.
pub const UNSAFE: u8 = 10;
/// There is no verdict.
pub const UNKNOWN: u8 = 20;
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// The input cannot be turned into a program.
pub const INPUT: u8 = 3;
/// Clew or the machine is at fault.
pub const INTERNAL: u8 = 4;
/// The reader of the output went away; what a shell reports for it.
pub const BROKEN_PIPE: u8 = 141;

/// Why the command ended without a result.
#[derive(Debug)]
pub enum Failure {
    /// The inputs did not become a module.
    Load(LoadError),
    /// An option has a value that makes no sense.
    Usage(String),
    /// The output cannot be written.
    Output(io::Error),
    /// Clew is at fault.
    Internal(String),
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        Failure::Load(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl Failure {
    /// Says what went wrong and gives the exit code.
    pub fn report(self) -> ExitCode {
        let (code, message) = match self {
            Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe => return ExitCode::from(BROKEN_PIPE),
            Failure::Output(error) => (INTERNAL, format!("cannot write the output: {error}")),
            Failure::Usage(message) => (USAGE, message),
            Failure::Internal(message) => (INTERNAL, format!("internal error: {message}; please report it")),
            Failure::Load(error) => match error.class() {
                ErrorClass::Usage => (USAGE, error.to_string()),
                ErrorClass::Input => (INPUT, error.to_string()),
                ErrorClass::Resources => (UNKNOWN, error.to_string()),
                ErrorClass::Internal => (INTERNAL, error.to_string()),
            },
        };
        eprintln!("clew: error: {message}");
        ExitCode::from(code)
    }
}

/// From now on a panic says that it is our fault, not the user's, and ends the process.
pub fn report_panics() {
    panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let message = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let message = message.unwrap_or("a panic");
        // `println!` panics when the reader of the output went away.
        if message.contains("Broken pipe") {
            std::process::exit(BROKEN_PIPE.into());
        }
        let place = info.location().map_or(String::new(), |l| format!(" at {}:{}", l.file(), l.line()));
        eprintln!("clew: internal error: {message}{place}");
        eprintln!("This is a bug in Clew; please report it, with the command and the input that led here.");
        std::process::exit(INTERNAL.into());
    }));
}
