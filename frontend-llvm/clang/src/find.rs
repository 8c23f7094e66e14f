//! Finds the clang of the required version.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use thiserror::Error;

use super::{LLVM_VERSION, version};

/// A clang of the required version.
#[derive(Clone, Debug)]
pub struct Clang {
    program: PathBuf,
    version: String,
}

/// There is no clang of the required version.
#[derive(Debug, Error)]
#[error("no usable clang: {why}; run scripts/setup, or set CLEW_CLANG to a clang {LLVM_VERSION}")]
pub struct NoClang {
    /// What was found instead.
    pub why: String,
}

/// The language that a clang is called for, as its name says: `clang` or `clang++`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Driver {
    /// C.
    C,
    /// C++: sources in C are C++ too, and the C++ library is linked.
    Cxx,
}

impl Clang {
    /// Finds clang: `$CLEW_CLANG`, else the first of the required version on the path or in Debian's directory.
    pub fn find() -> Result<Clang, NoClang> {
        if let Some(program) = env::var_os("CLEW_CLANG").filter(|p| !p.is_empty()) {
            return Clang::at(Path::new(&program))
                .map_err(|why| NoClang { why: format!("CLEW_CLANG is {}, but {why}", Path::new(&program).display()) });
        }
        let named = format!("clang-{LLVM_VERSION}");
        let debian = format!("/usr/lib/llvm-{LLVM_VERSION}/bin/clang");
        let found = [named.as_str(), "clang", &debian].iter().find_map(|program| Clang::at(Path::new(program)).ok());
        found.ok_or_else(|| NoClang {
            why: format!("neither {named} nor clang {LLVM_VERSION} is on the path, nor is there {debian}"),
        })
    }

    /// The clang at `program`, or why it is unusable.
    fn at(program: &Path) -> Result<Clang, String> {
        let version = version::of(program)?;
        let major = version.split_once("clang version ").and_then(|(_, v)| v.split('.').next()?.parse::<u32>().ok());
        match major {
            Some(LLVM_VERSION) => Ok(Clang { program: program.into(), version }),
            Some(other) => Err(format!("its version is {other}, not {LLVM_VERSION}")),
            None => Err("it is not a clang".into()),
        }
    }

    /// The full version line, on which the output depends.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// A command without arguments, whose temporary files go to `folder` and whose messages are English.
    pub fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.env("TMPDIR", folder).env("LC_ALL", "C");
        command
    }

    /// A command without arguments, as a user calls clang for a language. Clang knows the language by its name.
    pub fn called(&self, driver: Driver) -> Command {
        let mut command = Command::new(&self.program);
        if driver == Driver::Cxx {
            command.arg0(cxx_name(&self.program));
        }
        command
    }
}

/// `clang++-19` for `clang-19`.
fn cxx_name(program: &Path) -> OsString {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let name = if name.contains("++") { name.into_owned() } else { name.replacen("clang", "clang++", 1) };
    program.with_file_name(name).into_os_string()
}
