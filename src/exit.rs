//! Exit codes, and the one error message of a failed command.

use std::io::{self, ErrorKind};
use std::panic;
use std::process::ExitCode;

use clew_frontend_llvm::compile::{ErrorClass, LoadError};
use clew_verifier::report::Conclusion;

use crate::check::session;

/// A property is violated.
pub const UNSAFE: u8 = Conclusion::Unsafe.exit_code();
/// There is no verdict.
pub const UNKNOWN: u8 = Conclusion::Unknown.exit_code();
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// The input cannot be turned into a program.
pub const INPUT: u8 = 3;
/// Clew or the machine is at fault.
pub const INTERNAL: u8 = 4;
/// The reader of the output closed it: 128 + SIGPIPE, as shells report it.
pub const BROKEN_PIPE: u8 = 141;

/// Why the command ended without a result.
#[derive(Debug)]
pub enum Failure {
    /// The inputs did not become a module.
    Load(LoadError),
    /// An option has an invalid value.
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
    /// Prints the error. Returns the exit code.
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

/// Installs a panic hook that reports an internal error and ends the process.
pub fn report_panics() {
    panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let message = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let message = message.unwrap_or("a panic");
        // `println!` panics when the reader has closed the output.
        if message.contains("Broken pipe") {
            std::process::exit(BROKEN_PIPE.into());
        }
        let place = info.location().map_or(String::new(), |l| format!(" at {}:{}", l.file(), l.line()));
        if session::is_worker() {
            // The process that started it goes on.
            eprintln!("clew: note: a worker failed: {message}{place}");
            signal_hook::low_level::exit(INTERNAL.into());
        }
        eprintln!("clew: internal error: {message}{place}");
        eprintln!("This is a bug in Clew; please report it, with the command and the input that led here.");
        std::process::exit(INTERNAL.into());
    }));
}
