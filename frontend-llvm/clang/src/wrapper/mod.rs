//! The wrapper around clang: `clew-cc` and `clew-c++`.
//!
//! Clang runs as it was called. Beside it, the sources are compiled to bitcode, which is added to what clang has written.
//! The wrapper ends as clang does: what becomes of the bitcode changes neither messages nor exit codes.

mod bitcode;
mod check;
mod link;
mod memory;
mod units;

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitCode, ExitStatus};

use rustix::process::{Signal, getpid, kill_process};

use crate::command::{Command, Input, Makes};
use crate::section::{self, MODULES, OFFERED};
use crate::{Clang, Driver};
use bitcode::{Compiled, compile_all};
use memory::MemoryFile;
pub use units::LOG;

/// Set for clang itself: a wrapper that finds it would call itself for ever.
const INNER: &str = "CLEW_CC_INNER";

/// Has the wrapper verify programs when it has linked them.
const CHECK: &str = "CLEW_CHECK";

/// Runs the wrapper for the arguments of this process. Its name says the language.
pub fn main() -> ExitCode {
    let mut arguments = env::args_os();
    let name = arguments.next().map(PathBuf::from).unwrap_or_default();
    let name = name.file_name().unwrap_or(OsStr::new("clew-cc")).to_string_lossy().into_owned();
    let driver = if name.contains("++") || name.contains("cxx") { Driver::Cxx } else { Driver::C };
    let (asked, arguments): (Vec<_>, Vec<_>) = arguments.partition(|argument| argument == "--verify");
    let verify = !asked.is_empty() || env::var_os(CHECK).is_some_and(|value| !value.is_empty() && value != "0");
    match run(driver, &arguments, verify) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{name}: error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(driver: Driver, arguments: &[OsString], verify: bool) -> Result<ExitCode, String> {
    if env::var_os(INNER).is_some() {
        return Err("it was called as clang by itself; set CLEW_CLANG to the clang that it shall call".into());
    }
    let clang = Clang::find().map_err(|error| error.to_string())?;
    let folder = env::current_dir().unwrap_or_default();
    let command = Command::parse(driver, arguments, &folder);
    let mut plain = clang.called(driver);
    plain.args(arguments).env(INNER, "1");

    let sources: Vec<&Input> = command.sources().filter(|input| can_be_read_twice(&input.path)).collect();
    let lto = if command.makes == Makes::Image { link::lto_modules(&command) } else { link::LtoModules::default() };
    let verify = verify && command.makes_program() && !command.inputs.is_empty();
    let has_work = !sources.is_empty() || !lto.is_empty() || verify;
    if command.makes == Makes::Other || !has_work {
        return Err(format!("cannot start clang: {}", plain.exec()));
    }

    let stdin = match sources.iter().any(|input| input.is_stdin()) {
        true => Some(MemoryFile::of_stdin().map_err(|error| format!("cannot read the standard input: {error}"))?),
        false => None,
    };
    if let Some(stdin) = &stdin {
        plain.stdin(stdin.reader().map_err(|error| error.to_string())?);
    }
    let mut child = plain.spawn().map_err(|error| format!("cannot start clang: {error}"))?;
    let (compiled, status) = std::thread::scope(|scope| {
        // Ends this process if clang fails, and the other compilers with it.
        let waiting = scope.spawn(|| finish(&mut child));
        let compiled = compile_all(&clang, &command, &sources, stdin.as_ref());
        (compiled, waiting.join())
    });
    if status.is_err() {
        return Err("cannot wait for clang".into());
    }
    attach(&command, &compiled, &lto);
    units::record(&folder, driver, arguments, &command, &compiled);
    match verify {
        true => check::verify(&command.image()),
        false => Ok(ExitCode::SUCCESS),
    }
}

/// Waits for clang. Ends as clang does if it fails.
fn finish(child: &mut Child) {
    match child.wait() {
        Ok(status) if status.success() => {}
        Ok(status) => end_like(status),
        Err(error) => {
            eprintln!("clew-cc: error: cannot wait for clang: {error}");
            std::process::exit(1);
        }
    }
}

/// Ends this process with the exit code or the signal of another one.
fn end_like(status: ExitStatus) -> ! {
    if let Some(signal) = status.signal().and_then(Signal::from_named_raw) {
        // The default action of all signals that end clang ends this process too.
        let _ = kill_process(getpid(), signal);
    }
    std::process::exit(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
}

/// Whether a file is still there after clang has read it: pipes are not. The standard input is copied.
fn can_be_read_twice(path: &Path) -> bool {
    let is_pseudo = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder)) && path != Path::new("/dev/null");
    path == Path::new("-") || path == Path::new("/dev/null") || !is_pseudo && path.is_file()
}

/// Adds the bitcode to what clang has written. What fails leaves the file without bitcode.
fn attach(command: &Command, compiled: &[Compiled<'_>], lto: &link::LtoModules) {
    let modules = |source: &Compiled<'_>| source.bitcode.as_ref().ok().cloned();
    match command.makes {
        Makes::Object | Makes::Assembly => {
            for source in compiled {
                let (path, Some(module)) = (command.output_of(source.input), modules(source)) else { continue };
                let _ = match command.makes {
                    Makes::Object => section::attach(&path, MODULES, &[module]),
                    // It is LLVM assembly then.
                    _ if command.lto => Ok(false),
                    _ => section::attach_to_assembly(&path, &[module]),
                };
            }
        }
        Makes::Image => {
            let path = command.image();
            let program: Vec<Vec<u8>> = compiled.iter().filter_map(modules).chain(lto.linked.iter().cloned()).collect();
            for (name, modules) in [(MODULES, &program), (OFFERED, &lto.offered)] {
                if !modules.is_empty() {
                    let _ = section::attach(&path, name, modules);
                }
            }
        }
        Makes::Other => {}
    }
}
