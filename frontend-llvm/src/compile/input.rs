//! The kind of an input file: by its first bytes if they are conclusive, else by its extension.

use std::path::{Path, PathBuf};
use std::{fs, io};

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
}

/// An input file.
#[derive(Debug)]
pub struct Input {
    pub path: PathBuf,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Source(Language),
    /// Modules that are all part of the program.
    Modules(Vec<Bitcode>),
    /// Modules that are part of the program only if it needs them.
    Archive(Vec<Bitcode>),
}

impl Input {
    /// Reads and classifies a file. Parts without bitcode, if others have some, are added to `tolerated`.
    pub fn read(path: &Path, tolerated: &mut Vec<String>) -> Result<Input, LoadError> {
        let bytes = read(path)?;
        let name = path.display().to_string();
        let kind = if is_bitcode(&bytes) {
            Kind::Modules(vec![Bitcode { origin: name, bytes }])
        } else if embedded::is_elf(&bytes) {
            Kind::Modules(embedded::from_object(&bytes, &name)?)
        } else if embedded::is_archive(&bytes) {
            Kind::Archive(embedded::from_archive(&bytes, &name, tolerated)?)
        } else {
            match path.extension().and_then(|e| e.to_str()).unwrap_or("") {
                "c" => Kind::Source(Language::C),
                "i" => Kind::Source(Language::PreprocessedC),
                "cc" | "cpp" | "cxx" | "c++" | "cp" | "C" | "CPP" => Kind::Source(Language::Cxx),
                "ii" => Kind::Source(Language::PreprocessedCxx),
                "ll" => Kind::Modules(vec![Bitcode { origin: name, bytes }]),
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
        Ok(Input { path: path.into(), kind })
    }

    /// Its name, for the user.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Its language, if it is source code.
    pub fn language(&self) -> Option<Language> {
        match self.kind {
            Kind::Source(language) => Some(language),
            _ => None,
        }
    }

    /// The modules that it contains.
    pub fn bitcode(&self) -> &[Bitcode] {
        match &self.kind {
            Kind::Source(_) => &[],
            Kind::Modules(modules) | Kind::Archive(modules) => modules,
        }
    }

    /// Whether only those of its modules that are needed are linked.
    pub fn is_archive(&self) -> bool {
        matches!(self.kind, Kind::Archive(_))
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
