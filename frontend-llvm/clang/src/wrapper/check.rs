//! Verification of a program that was just linked.

use std::env;
use std::fs;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use super::CHECK;
use crate::command::split;

/// The variable with options of `clew check`.
const FLAGS: &str = "CLEW_CHECK_FLAGS";

/// The exit code of `clew check` for a violation.
const UNSAFE: i32 = 10;

/// Verifies a program. Its report goes to the standard error. A program with a violation is removed, as clang removes
/// what it could not finish.
pub fn verify(program: &Path) -> Result<ExitCode, String> {
    let flags = split(env::var_os(FLAGS).unwrap_or_default().as_encoded_bytes());
    let stderr = std::io::stderr().as_fd().try_clone_to_owned().map_err(|error| error.to_string())?;
    let status = Command::new(clew())
        .arg("check")
        .args(flags)
        .arg(program)
        .env_remove(CHECK)
        .stdin(Stdio::null())
        .stdout(stderr)
        .status()
        .map_err(|error| format!("cannot start clew: {error}"))?;
    if status.code() == Some(UNSAFE) {
        let _ = fs::remove_file(program);
        return Err(format!("{} violates a property", program.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// The command `clew` beside this one, else the one on the path.
fn clew() -> PathBuf {
    let beside = env::current_exe().ok().map(|this| this.with_file_name("clew"));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| "clew".into())
}
