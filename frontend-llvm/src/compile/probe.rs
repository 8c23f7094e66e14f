//! Reading untrusted bitcode in a child process: LLVM may crash or hang on malformed input.

use std::ffi::OsString;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io};

use inkwell::context::Context;

use super::error::LoadError;
use super::input::Bitcode;
use super::llvm;
use super::scratch::{Scratch, tie_to_us};

/// The command that probes a file: it gets the path as its last argument and calls [`probe_file`].
#[derive(Clone, Debug)]
pub struct Probe {
    /// The program.
    pub program: PathBuf,
    /// Its arguments before the path.
    pub args: Vec<OsString>,
}

/// The time limit for reading a module; the SQLite amalgamation takes a second.
const PROBE_TIMEOUT: Duration = Duration::from_secs(120);

/// The prefix of the error message, to separate it from other output of LLVM.
const MESSAGE_PREFIX: &str = "clew probe: ";

impl Probe {
    /// Reads a module in a child process.
    pub(super) fn check(&self, bitcode: &Bitcode, scratch: &Scratch) -> Result<(), LoadError> {
        let path = scratch.path().join("probed");
        fs::write(&path, &bitcode.bytes).map_err(LoadError::Scratch)?;
        // A file accepts any amount of output; a full pipe would block the child.
        let mut answers = tempfile::tempfile_in(scratch.path()).map_err(LoadError::Scratch)?;
        let stderr = answers.try_clone().map_err(LoadError::Scratch)?;
        let child = tie_to_us(&mut Command::new(&self.program))
            .args(&self.args)
            .arg(&path)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn();
        let status = child.and_then(wait).map_err(LoadError::ProbeFailed)?;
        let bad = |message: String| LoadError::BadModule { file: bitcode.origin.clone(), message };
        match status {
            None => Err(bad(format!("LLVM does not come to an end after {} s", PROBE_TIMEOUT.as_secs()))),
            Some(status) if status.success() => Ok(()),
            Some(status) => {
                let mut text = Vec::new();
                answers.rewind().and_then(|()| answers.read_to_end(&mut text)).map_err(LoadError::Scratch)?;
                let text = String::from_utf8_lossy(&text).into_owned();
                match text.split_once(MESSAGE_PREFIX) {
                    Some((_, answer)) => Err(llvm::unreadable(&bitcode.origin, &bitcode.bytes, answer)),
                    None => Err(bad(format!("LLVM crashes on it ({status})"))),
                }
            }
        }
    }
}

/// Waits for a child process with a time limit.
fn wait(mut child: std::process::Child) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > PROBE_TIMEOUT {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// The child's side: reads and verifies a module, and prints errors. Returns the exit code.
pub fn probe_file(path: &Path) -> i32 {
    llvm::exit_on_fatal_errors(1, MESSAGE_PREFIX);
    let context = Context::create();
    let result = match fs::read(path) {
        Ok(bytes) => llvm::parse(&context, &bytes, "module").map(drop).map_err(|error| match error {
            LoadError::BadModule { message, .. } | LoadError::NewerBitcode { message, .. } => message,
            other => other.to_string(),
        }),
        Err(error) => Err(error.to_string()),
    };
    match result {
        Ok(()) => 0,
        Err(message) => {
            eprintln!("{MESSAGE_PREFIX}{message}");
            1
        }
    }
}
