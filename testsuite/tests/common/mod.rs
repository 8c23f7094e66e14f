//! Runs the built command on files in a temporary directory.

// Every test uses a part of this.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The result of a command.
#[derive(Debug)]
pub struct CommandOutput {
    /// Its exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// A temporary directory with files.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(TempDir::new().expect("a temporary folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, contents).expect("the folder takes files");
        path
    }

    /// Compiles a C program with clang in the directory.
    // Not used by every test.
    #[allow(dead_code)]
    pub fn clang(&self, source: &str, args: &[&str]) {
        self.write("input.c", source);
        let status = Command::new("clang-19").args(["-g", "input.c"]).args(args).current_dir(self.path()).status();
        assert!(status.expect("clang-19 is there").success());
    }

    /// Runs clew in the directory.
    // Not used by every test.
    #[allow(dead_code)]
    pub fn clew(&self, args: &[&str]) -> CommandOutput {
        self.clew_with(args, &[])
    }

    /// Runs clew in the directory with additional environment variables.
    // Not used by every test.
    #[allow(dead_code)]
    pub fn clew_with(&self, args: &[&str], variables: &[(&str, &str)]) -> CommandOutput {
        let mut command = Command::new(clew_testsuite::clew());
        command.args(args).envs(variables.iter().copied()).current_dir(self.path());
        let output = command.output().expect("clew starts");
        CommandOutput {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
