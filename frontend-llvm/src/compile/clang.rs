//! Finds clang and compiles single source files with it, tolerating as many errors as possible.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

pub use clew_clang::FLAGS;
use clew_clang::scratch::{Scratch, tie_to_us};
use clew_clang::{NoClang, cxx_prelude, with_large_stack};
use clew_verifier::cfa::{PropertyKind, PropertySet};
use rustix::process::Signal;

use super::diagnostics::{self, ClangError};
use super::error::LoadError;
use super::input::{Language, Source};
use super::inputs::Recorder;
use super::models::{MODEL_FOLDER, SourceFile};
use super::{CompileOptions, DataModel, HEADERS, STREAM_HEADERS};

/// Makes Clew's header of `std::filesystem` that of the library, which has more than paths.
const LIBRARY_PATHS: &str = "-DCLEW_LIBRARY_FILESYSTEM";

/// A clang of the required version, which compiles for Clew.
#[derive(Clone, Debug)]
pub struct Clang {
    clang: clew_clang::Clang,
    recorder: Option<Arc<Recorder>>,
}

/// A compiled source file.
#[derive(Debug)]
pub struct Compiled {
    pub bitcode: Vec<u8>,
    /// Errors that were tolerated.
    pub tolerated: Vec<String>,
    /// Which headers it was compiled with.
    pub streams: Streams,
}

/// Whose headers of C++ streams a file is compiled with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Streams {
    /// Clew's, which lack what is rarely used.
    Own,
    /// Those of the C++ library.
    Library,
}

/// The paths of Clew's own headers.
#[derive(Debug)]
pub struct Headers {
    pub(super) include: PathBuf,
    cxx_prelude: PathBuf,
    streams: PathBuf,
    streams_prelude: PathBuf,
}

impl Headers {
    /// Writes the embedded headers to the scratch directory.
    pub fn write(scratch: &Scratch) -> Result<Headers, LoadError> {
        let at = |name: &str| scratch.path().join(name);
        let headers = Headers {
            include: at("include"),
            cxx_prelude: at("cxx-prelude.h"),
            streams: at("streams"),
            streams_prelude: at("streams-prelude.h"),
        };
        let write_all = |folder: &Path, files: &[SourceFile]| {
            files.iter().try_for_each(|file| {
                let path = folder.join(file.name);
                fs::create_dir_all(path.parent().unwrap_or(folder))?;
                fs::write(path, file.text)
            })
        };
        let write = || {
            fs::write(&headers.cxx_prelude, cxx_prelude(false))?;
            fs::write(&headers.streams_prelude, cxx_prelude(true))?;
            write_all(&headers.include, HEADERS)?;
            write_all(&headers.streams, STREAM_HEADERS)
        };
        write().map_err(LoadError::Scratch)?;
        Ok(headers)
    }
}

impl Clang {
    /// Finds clang.
    pub fn find() -> Result<Clang, LoadError> {
        Ok(Clang { clang: clew_clang::Clang::find()?, recorder: None })
    }

    /// The same, recording what it reads.
    pub(super) fn recording(self, recorder: Option<Arc<Recorder>>) -> Clang {
        Clang { recorder, ..self }
    }

    /// The full version line, on which the output depends.
    pub fn version(&self) -> &str {
        self.clang.version()
    }

    /// A command without arguments, whose temporary files go to `folder`.
    pub(crate) fn command(&self, folder: &Path) -> Command {
        let mut command = self.clang.command(folder);
        tie_to_us(&mut command);
        command
    }

    /// Compiles a source file of the user, with `prelude` included first. Errors that clang can downgrade to warnings are
    /// tolerated; source that is not valid modern C is tried as C89. What does not compile with Clew's own streams is compiled with the library's.
    pub(super) fn compile_after(
        &self,
        (path, prelude): (&Path, Option<&Path>),
        source: &Source,
        data_model: DataModel,
        options: &CompileOptions,
        (headers, streams): (&Headers, Streams),
        scratch: &Scratch,
    ) -> Result<Compiled, LoadError> {
        let (language, file) = (source.language, (path, source.directory.as_deref()));
        let mut flags: Vec<&OsStr> = vec!["-x".as_ref()];
        flags.push(
            match (language, prelude) {
                (Language::C, _) | (Language::PreprocessedC, Some(_)) => "c",
                (Language::PreprocessedC, None) => "cpp-output",
                (Language::Cxx, _) | (Language::PreprocessedCxx, Some(_)) => "c++",
                (Language::PreprocessedCxx, None) => "c++-cpp-output",
            }
            .as_ref(),
        );
        if let Some(prelude) = prelude {
            flags.extend(["-include".as_ref(), prelude.as_os_str()]);
        }
        flags.extend(["-isystem".as_ref(), headers.include.as_os_str()]);
        let checks = checks(options.properties);
        let for_all = options.clang_flags.iter().map(AsRef::<OsStr>::as_ref);
        let user_flags: Vec<&OsStr> = source.flags.iter().map(AsRef::as_ref).chain(for_all).collect();
        if let Some(recorder) = &self.recorder {
            let all: Vec<&OsStr> = flags.iter().copied().chain(user_flags.iter().copied()).collect();
            recorder.add_folders(self.command(scratch.path()), &all, scratch);
        }
        if language == Language::Cxx && streams == Streams::Own {
            let map = format!("-ffile-prefix-map={}={MODEL_FOLDER}", headers.streams.display());
            let mut flags = flags.clone();
            flags.extend(["-isystem".as_ref(), headers.streams.as_os_str(), map.as_ref()]);
            flags.extend(["-include".as_ref(), headers.streams_prelude.as_os_str()]);
            flags.extend(user_flags.iter().copied().chain(checks.iter().map(AsRef::as_ref)));
            // Only what Clew's headers lack, or an error of the program, does not compile.
            for paths in [None, Some(LIBRARY_PATHS)] {
                flags.extend(paths.map(AsRef::<OsStr>::as_ref));
                match self.run(file, data_model, &flags, scratch)? {
                    Ok(bitcode) => return Ok(Compiled { bitcode, tolerated: Vec::new(), streams }),
                    Err(failure) if !failure.output.contains("filesystem") => break,
                    Err(_) => {}
                }
            }
        }
        if language == Language::Cxx {
            flags.extend(["-include".as_ref(), headers.cxx_prelude.as_os_str()]);
        }
        flags.extend(&user_flags);
        // After the user's flags, which could disable checks.
        flags.extend(checks.iter().map(AsRef::<OsStr>::as_ref));

        let first = match self.tolerate(file, data_model, &flags, scratch)? {
            Ok(compiled) => return Ok(compiled),
            Err(failure) => failure,
        };
        let is_c = matches!(language, Language::C | Language::PreprocessedC);
        if is_c && !user_flags.iter().any(|f| f.as_encoded_bytes().starts_with(b"-std") || *f == "-ansi") {
            flags.push("-std=gnu89".as_ref());
            if let Ok(mut compiled) = self.tolerate(file, data_model, &flags, scratch)? {
                let why = first.errors.iter().find(|e| e.group.is_none()).map_or("", |e| e.text.as_str());
                compiled.tolerated.insert(0, format!("{why} (compiled as C of 1989)"));
                return Ok(compiled);
            }
        }
        let message = diagnostics::excerpt(&first.output);
        Err(LoadError::InputDoesNotCompile { path: path.into(), message })
    }

    /// Compiles, repeatedly with errors downgraded, as long as every remaining error can be.
    fn tolerate(
        &self,
        file: (&Path, Option<&Path>),
        data_model: DataModel,
        flags: &[&OsStr],
        scratch: &Scratch,
    ) -> Result<Result<Compiled, Failure>, LoadError> {
        let mut tolerated = Vec::new();
        let mut demoted = BTreeSet::new();
        loop {
            let demotions: Vec<String> = demoted.iter().map(|group| format!("-Wno-error={group}")).collect();
            let all: Vec<&OsStr> = flags.iter().copied().chain(demotions.iter().map(AsRef::<OsStr>::as_ref)).collect();
            let failure = match self.run(file, data_model, &all, scratch)? {
                Ok(bitcode) => return Ok(Ok(Compiled { bitcode, tolerated, streams: Streams::Library })),
                Err(failure) => failure,
            };
            let groups: Option<BTreeSet<String>> = failure.errors.iter().map(|e| e.group.clone()).collect();
            match groups {
                // Terminates, since each round downgrades another group.
                Some(groups) if !groups.is_empty() && groups.is_disjoint(&demoted) => {
                    tolerated.extend(failure.errors.into_iter().map(|e| e.text));
                    demoted.extend(groups);
                }
                _ => return Ok(Err(failure)),
            }
        }
    }

    /// Runs clang once, on a file and from a folder. Returns the bitcode or clang's messages; the outer error is one of the environment.
    pub(super) fn run(
        &self,
        file: (&Path, Option<&Path>),
        data_model: DataModel,
        flags: &[&OsStr],
        scratch: &Scratch,
    ) -> Result<Result<Vec<u8>, Failure>, LoadError> {
        let target = tempfile::Builder::new().suffix(".bc").tempfile_in(scratch.path()).map_err(LoadError::Scratch)?;
        let mut command = self.command(scratch.path());
        with_large_stack(&mut command).args(FLAGS);
        let (source, directory) = file;
        if let Some(directory) = directory {
            command.current_dir(directory);
        }
        match data_model {
            // With SSE, floating-point arithmetic has the precision of its type, as in the IR.
            DataModel::Ilp32 => command.args(["-m32", "-msse2", "-mfpmath=sse"]),
            DataModel::Lp64 => command.arg("-m64"),
        };
        // clang writes no rule if a header is missing, and an empty file means the same.
        let rule = match &self.recorder {
            Some(_) => Some(tempfile::NamedTempFile::new_in(scratch.path()).map_err(LoadError::Scratch)?),
            None => None,
        };
        if let Some(rule) = &rule {
            command.args(["-MD", "-MF"]).arg(rule.path());
        }
        command.args(flags).arg("-o").arg(target.path()).arg("--").arg(source);
        let output = command.output().map_err(|e| NoClang { why: e.to_string() })?;
        if let (Some(recorder), Some(rule)) = (&self.recorder, &rule) {
            recorder.add_rule(rule.path(), scratch);
        }
        if output.status.success() {
            return Ok(Ok(fs::read(target.path()).map_err(LoadError::Scratch)?));
        }
        let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
        // The messages of LLVM and the C++ library before they abort; the system's OOM killer leaves none.
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

/// The flags that instrument a program with checks for `properties`; empty if they need none.
///
/// With `-fwrapv`, clang omits the checks of signed overflow. Without it, clang marks arithmetic as `nsw`, which the lifter
/// ignores. `-fstrict-flex-arrays=2` treats only `[]` and `[0]` as flexible arrays, not any array at the end of a struct.
fn checks(properties: PropertySet) -> Vec<String> {
    let sanitizers: BTreeSet<&str> = properties.iter().flat_map(PropertyKind::sanitizers).copied().collect();
    if sanitizers.is_empty() {
        return Vec::new();
    }
    let list = sanitizers.into_iter().collect::<Vec<_>>().join(",");
    let mut flags: Vec<String> =
        ["-fno-wrapv", "-fno-sanitize-ignorelist", "-fstrict-flex-arrays=2"].map(String::from).into();
    flags.push(format!("-fsanitize={list}"));
    flags.push(format!("-fsanitize-trap={list}"));
    flags
}

/// Clang's messages when it failed.
#[derive(Debug)]
pub struct Failure {
    pub errors: Vec<ClangError>,
    pub output: String,
}
