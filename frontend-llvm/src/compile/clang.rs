//! Finding clang and compiling one source file with it, as leniently as clang can be told to be.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use rustix::process::Signal;

use super::diagnostics::{self, ClangError};
use super::error::LoadError;
use super::input::Language;
use super::scratch::{Scratch, tie_to_us};
use super::{DataModel, HEADERS, LLVM_VERSION};

/// Flags of every compilation.
///
/// `-O1` makes clang emit what optimizers would use (lifetimes, and no `optnone`), but none of them runs. Nothing may
/// exploit undefined behaviour before the lift, hence wrapping arithmetic and no aliasing by types; no contraction, as
/// `a * b + c` is rounded twice on the machine. The names of values help people who look inside.
pub const FLAGS: &[&str] = &[
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    // their clean-up code would hide `return` and `break` behind a variable; the lifter goes by declarations
    "-Xclang",
    "-disable-lifetime-markers",
    "-g",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-fno-discard-value-names",
    "-fbracket-depth=100000",
    "-fno-color-diagnostics",
    "-fno-crash-diagnostics",
    "-ferror-limit=0",
    "-w",
    "-emit-llvm",
    "-c",
];

/// Makes libstdc++ instantiate `std::string` in the program instead of leaving it to the library's binary, which Clew
/// does not see. The macro cannot be set on the command line since the library's configuration defines it.
const CXX_PRELUDE: &str = "\
#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
";

/// clang recurses into nested brackets and expressions, and crashes on those of generated programs with the usual 8 MB.
const WITH_LARGE_STACK: &str = r#"ulimit -s 1000000 2>/dev/null; exec "$0" "$@""#;

/// A clang of the right version.
#[derive(Clone, Debug)]
pub struct Clang {
    program: PathBuf,
    version: String,
}

/// A compiled source file.
#[derive(Debug)]
pub struct Compiled {
    pub bitcode: Vec<u8>,
    /// Errors that clang was told to tolerate.
    pub tolerated: Vec<String>,
}

/// Where our own headers lie.
#[derive(Debug)]
pub struct Headers {
    include: PathBuf,
    cxx_prelude: PathBuf,
}

impl Headers {
    /// Writes the headers that are built into Clew to the scratch folder.
    pub fn write(scratch: &Scratch) -> Result<Headers, LoadError> {
        let include = scratch.path().join("include");
        let cxx_prelude = scratch.path().join("cxx-prelude.h");
        let write = || {
            fs::create_dir_all(&include)?;
            fs::write(&cxx_prelude, CXX_PRELUDE)?;
            HEADERS.iter().try_for_each(|header| fs::write(include.join(header.name), header.text))
        };
        write().map_err(LoadError::Scratch)?;
        Ok(Headers { include, cxx_prelude })
    }
}

impl Clang {
    /// Finds clang: `$CLEW_CLANG`, else the first of the right version on the path and where Debian puts it.
    pub fn find() -> Result<Clang, LoadError> {
        if let Some(program) = env::var_os("CLEW_CLANG").filter(|p| !p.is_empty()) {
            return Clang::at(Path::new(&program)).map_err(|why| LoadError::NoClang {
                why: format!("CLEW_CLANG is {}, but {why}", Path::new(&program).display()),
            });
        }
        let named = format!("clang-{LLVM_VERSION}");
        let debian = format!("/usr/lib/llvm-{LLVM_VERSION}/bin/clang");
        let found = [named.as_str(), "clang", &debian].iter().find_map(|program| Clang::at(Path::new(program)).ok());
        found.ok_or_else(|| LoadError::NoClang {
            why: format!("neither {named} nor clang {LLVM_VERSION} is on the path, nor is there {debian}"),
        })
    }

    /// The clang at `program`, or why it will not do.
    fn at(program: &Path) -> Result<Clang, String> {
        let output =
            Command::new(program).arg("--version").output().map_err(|e| format!("it cannot be started: {e}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let version = text.lines().next().unwrap_or("").trim().to_string();
        let major = version.split_once("clang version ").and_then(|(_, v)| v.split('.').next()?.parse::<u32>().ok());
        match major {
            Some(LLVM_VERSION) => Ok(Clang { program: program.into(), version }),
            Some(other) => Err(format!("its version is {other}, not {LLVM_VERSION}")),
            None => Err("it is not a clang".into()),
        }
    }

    /// The whole version line: what it compiles depends on it.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Compiles a source file of the user. Errors that clang can treat as warnings are tolerated; what is no valid C of
    /// today is tried as C of 1989.
    pub(super) fn compile(
        &self,
        source: &Path,
        language: Language,
        data_model: DataModel,
        user_flags: &[String],
        headers: &Headers,
        scratch: &Scratch,
    ) -> Result<Compiled, LoadError> {
        let mut flags: Vec<&OsStr> = vec!["-x".as_ref()];
        flags.push(
            match language {
                Language::C => "c",
                Language::PreprocessedC => "cpp-output",
                Language::Cxx => "c++",
                Language::PreprocessedCxx => "c++-cpp-output",
            }
            .as_ref(),
        );
        flags.extend(["-isystem".as_ref(), headers.include.as_os_str()]);
        if language == Language::Cxx {
            flags.extend(["-include".as_ref(), headers.cxx_prelude.as_os_str()]);
        }
        flags.extend(user_flags.iter().map(AsRef::<OsStr>::as_ref));

        let first = match self.tolerate(source, data_model, &flags, scratch)? {
            Ok(compiled) => return Ok(compiled),
            Err(failure) => failure,
        };
        let is_c = matches!(language, Language::C | Language::PreprocessedC);
        if is_c && !user_flags.iter().any(|f| f.starts_with("-std") || f == "-ansi") {
            flags.push("-std=gnu89".as_ref());
            if let Ok(mut compiled) = self.tolerate(source, data_model, &flags, scratch)? {
                let why = first.errors.iter().find(|e| e.group.is_none()).map_or("", |e| e.text.as_str());
                compiled.tolerated.insert(0, format!("{why} (compiled as C of 1989)"));
                return Ok(compiled);
            }
        }
        let message = diagnostics::excerpt(&first.output);
        Err(LoadError::InputDoesNotCompile { path: source.into(), message })
    }

    /// Compiles, and again with errors demoted as long as every one that is left can be.
    fn tolerate(
        &self,
        source: &Path,
        data_model: DataModel,
        flags: &[&OsStr],
        scratch: &Scratch,
    ) -> Result<Result<Compiled, Failure>, LoadError> {
        let mut tolerated = Vec::new();
        let mut demoted = BTreeSet::new();
        loop {
            let demotions: Vec<String> = demoted.iter().map(|group| format!("-Wno-error={group}")).collect();
            let all: Vec<&OsStr> = flags.iter().copied().chain(demotions.iter().map(AsRef::<OsStr>::as_ref)).collect();
            let failure = match self.run(source, data_model, &all, scratch)? {
                Ok(bitcode) => return Ok(Ok(Compiled { bitcode, tolerated })),
                Err(failure) => failure,
            };
            let groups: Option<BTreeSet<String>> = failure.errors.iter().map(|e| e.group.clone()).collect();
            match groups {
                // Each round demotes a group more, so that this ends.
                Some(groups) if !groups.is_empty() && groups.is_disjoint(&demoted) => {
                    tolerated.extend(failure.errors.into_iter().map(|e| e.text));
                    demoted.extend(groups);
                }
                _ => return Ok(Err(failure)),
            }
        }
    }

    /// Runs clang once; gives the bitcode, or what it said. The outer error is one of the machine.
    pub(super) fn run(
        &self,
        source: &Path,
        data_model: DataModel,
        flags: &[&OsStr],
        scratch: &Scratch,
    ) -> Result<Result<Vec<u8>, Failure>, LoadError> {
        let target = tempfile::Builder::new().suffix(".bc").tempfile_in(scratch.path()).map_err(LoadError::Scratch)?;
        let mut command = Command::new("sh");
        command.args(["-c", WITH_LARGE_STACK]).arg(&self.program);
        command.args(FLAGS).env("TMPDIR", scratch.path()).env("LC_ALL", "C");
        match data_model {
            // With SSE, floating-point arithmetic has the precision of its type, as in the IR.
            DataModel::Ilp32 => command.args(["-m32", "-msse2", "-mfpmath=sse"]),
            DataModel::Lp64 => command.arg("-m64"),
        };
        command.args(flags).arg("-o").arg(target.path()).arg("--").arg(source);
        let output = tie_to_us(&mut command).output().map_err(|e| LoadError::NoClang { why: e.to_string() })?;
        if output.status.success() {
            return Ok(Ok(fs::read(target.path()).map_err(LoadError::Scratch)?));
        }
        let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
        // What LLVM and the C++ library say before they abort; the system kills without a word.
        let exhausted = ["LLVM ERROR: out of memory", "std::bad_alloc"].iter().any(|words| text.contains(words));
        if exhausted || output.status.signal() == Some(Signal::KILL.as_raw()) {
            return Err(LoadError::NoMemory(source.into()));
        }
        if text.trim().is_empty() {
            text = format!("clang ended with {}", output.status);
        }
        Ok(Err(Failure { errors: diagnostics::errors(&text), output: text }))
    }
}

/// What clang said when it failed.
#[derive(Debug)]
pub struct Failure {
    pub errors: Vec<ClangError>,
    pub output: String,
}
