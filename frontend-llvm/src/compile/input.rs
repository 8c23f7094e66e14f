//! The kind of an input file: by its first bytes if they are conclusive, else by its extension.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{fs, io};

use clew_clang::command;
use clew_clang::database::Entry;

use super::embedded;
use super::error::LoadError;

/// A source language, as clang knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    C,
    PreprocessedC,
    Cxx,
    PreprocessedCxx,
}

/// One module in LLVM's binary or textual form.
#[derive(Debug)]
pub struct Bitcode {
    /// Its origin, for the user: `a.bc`, `libz.a(inflate.o)`, `app (module 2)`.
    pub origin: String,
    pub bytes: Vec<u8>,
    /// Whether it is part of the program only if the program needs it.
    pub is_offered: bool,
}

/// How a source is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    pub language: Language,
    /// The working directory of the compiler; by default that of this process.
    pub directory: Option<PathBuf>,
    /// Flags of its own, before those for all sources.
    pub flags: Vec<OsString>,
}

impl Source {
    /// Whether its flags ask for 32-bit code.
    pub fn has_32_bits(&self) -> bool {
        self.flags.iter().rfind(|flag| *flag == "-m32" || *flag == "-m64").is_some_and(|flag| flag == "-m32")
    }
}

/// An input file.
#[derive(Debug)]
pub struct Input {
    pub path: PathBuf,
    kind: Kind,
    /// The functions that its machine code defines, if it is an object, a program or a library.
    pub functions: BTreeSet<String>,
    /// Whether a linker has made a program or a library of it.
    pub is_linked: bool,
}

#[derive(Debug)]
enum Kind {
    Source(Source),
    Modules(Vec<Bitcode>),
}

impl Input {
    /// Reads and classifies a file. Parts without bitcode, if others have some, are added to `tolerated`.
    pub fn read(path: &Path, tolerated: &mut Vec<String>) -> Result<Input, LoadError> {
        let bytes = read(path)?;
        let name = path.display().to_string();
        let (mut functions, mut is_linked) = (BTreeSet::new(), false);
        let source = |language| Kind::Source(Source { language, directory: None, flags: Vec::new() });
        let kind = if is_bitcode(&bytes) {
            Kind::Modules(embedded::from_bitcode(bytes, &name)?)
        } else if embedded::is_elf(&bytes) {
            functions = embedded::functions(&bytes);
            is_linked = embedded::is_linked(&bytes);
            Kind::Modules(embedded::from_object(&bytes, &name)?)
        } else if embedded::is_archive(&bytes) {
            Kind::Modules(embedded::from_archive(&bytes, path, tolerated)?)
        } else {
            match path.extension().and_then(|e| e.to_str()).unwrap_or("") {
                "c" => source(Language::C),
                "i" => source(Language::PreprocessedC),
                "cc" | "cpp" | "cxx" | "c++" | "cp" | "C" | "CPP" => source(Language::Cxx),
                "ii" => source(Language::PreprocessedCxx),
                "ll" => Kind::Modules(vec![Bitcode { origin: name, bytes, is_offered: false }]),
                "bc" => {
                    let message = "it does not start with the bytes `BC` 0xC0DE of bitcode".into();
                    return Err(LoadError::BadModule { file: name, message });
                }
                "o" | "so" | "a" => {
                    return Err(LoadError::BadObject { file: name, message: "neither ELF nor an ar archive".into() });
                }
                _ => return Err(LoadError::UnknownKind(path.into())),
            }
        };
        Ok(Input { path: path.into(), kind, functions, is_linked })
    }

    /// The source of a unit of a build.
    pub fn of_unit(entry: &Entry) -> Result<Input, LoadError> {
        let command = entry.parse();
        let bad = |why: &str| LoadError::BadUnit { file: entry.path(), why: why.into() };
        let is_ours = |input: &&command::Input| entry.directory.join(&input.path) == entry.path();
        let named = command.sources().find(is_ours).or_else(|| command.sources().next());
        let source = named.ok_or_else(|| bad("its command compiles no C or C++"))?;
        let is_preprocessed = match &source.declared {
            Some(name) => name == "cpp-output",
            None => source.path.extension() == Some(OsStr::new("i")),
        };
        let language = match source.language {
            command::Language::C if is_preprocessed => Language::PreprocessedC,
            command::Language::C => Language::C,
            command::Language::Cxx => Language::Cxx,
            command::Language::PreprocessedCxx => Language::PreprocessedCxx,
            _ => return Err(bad("its command compiles no C or C++")),
        };
        if !entry.path().is_file() {
            return Err(bad("there is no such file"));
        }
        let source = Source { language, directory: Some(entry.directory.clone()), flags: command.source_flags() };
        Ok(Input { path: entry.file.clone(), kind: Kind::Source(source), functions: BTreeSet::new(), is_linked: false })
    }

    /// Its name, for the user.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// How it is compiled, if it is source code.
    pub fn source(&self) -> Option<&Source> {
        match &self.kind {
            Kind::Source(source) => Some(source),
            Kind::Modules(_) => None,
        }
    }

    /// The modules that it contains.
    pub fn bitcode(&self) -> &[Bitcode] {
        match &self.kind {
            Kind::Source(_) => &[],
            Kind::Modules(modules) => modules,
        }
    }
}

/// Whether this is bitcode, raw or in Apple's wrapper.
pub fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xC0\xDE") || bytes.starts_with(b"\xDE\xC0\x17\x0B")
}

fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    if path.is_dir() {
        return Err(LoadError::IsDirectory(path.into()));
    }
    match fs::read(path) {
        Ok(bytes) if bytes.is_empty() => Err(LoadError::Empty(path.into())),
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(LoadError::NoSuchFile(path.into())),
        Err(error) => Err(LoadError::Unreadable { path: path.into(), error }),
    }
}
