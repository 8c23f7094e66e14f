//! What can be wrong with the inputs, said so that the user knows what to do.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::{DataModel, LLVM_VERSION};

/// Why inputs did not become a module.
#[derive(Debug, Error)]
pub enum LoadError {
    /// There is no such file.
    #[error("{}: no such file", .0.display())]
    NoSuchFile(PathBuf),
    /// A folder was given.
    #[error("{}: is a directory; give the files in it", .0.display())]
    IsDirectory(PathBuf),
    /// The file cannot be read.
    #[error("{}: cannot read it: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file has no contents.
    #[error("{}: the file is empty", .0.display())]
    Empty(PathBuf),
    /// The kind of the file is unknown.
    #[error(
        "{}: neither C, C++, LLVM assembly, bitcode nor an object file; \
         known names end in .c .i .cc .cpp .cxx .c++ .C .ii .ll .bc, objects are known by their contents",
        .0.display()
    )]
    UnknownKind(PathBuf),
    /// An object, executable or archive that carries no bitcode.
    #[error("{0}: carries no bitcode; compile it with clang -fembed-bitcode, or give the sources or .bc files")]
    NoBitcode(String),
    /// An object or archive that cannot be parsed.
    #[error("{file}: a damaged object file or archive: {message}")]
    BadObject {
        /// The file.
        file: String,
        /// What is wrong.
        message: String,
    },
    /// Bitcode or assembly that LLVM cannot read, or that breaks LLVM's rules.
    #[error("{file}: not valid for LLVM {LLVM_VERSION}: {message}")]
    BadModule {
        /// The file.
        file: String,
        /// What LLVM said.
        message: String,
    },
    /// Bitcode that a newer LLVM wrote.
    #[error(
        "{file}: written by LLVM {producer}, but Clew reads bitcode up to LLVM {LLVM_VERSION}; \
         compile it with clang {LLVM_VERSION} ({message})"
    )]
    NewerBitcode {
        /// The file.
        file: String,
        /// The version that wrote it.
        producer: String,
        /// What LLVM said.
        message: String,
    },
    /// Code for a machine that the model of memory does not fit.
    #[error("{file}: compiled for an unsupported target: {why}")]
    UnsupportedTarget {
        /// The file.
        file: String,
        /// What does not fit.
        why: String,
    },
    /// Files of different data models.
    #[error("{file}: compiled for {found}, but {} {expected}", match .other {
        Some(other) => format!("{other} is"),
        None => "the options ask for".to_string(),
    })]
    DataModelConflict {
        /// The file.
        file: String,
        /// Its data model.
        found: DataModel,
        /// The data model of all before.
        expected: DataModel,
        /// Which file settled it; the options if none.
        other: Option<String>,
    },
    /// clang rejects the source.
    #[error("{}: does not compile:\n{message}", .path.display())]
    InputDoesNotCompile {
        /// The file.
        path: PathBuf,
        /// clang's own words.
        message: String,
    },
    /// clang needs more memory than there is.
    #[error("{}: there is not enough memory to compile it", .0.display())]
    NoMemory(PathBuf),
    /// There is no clang of the right version.
    #[error("no usable clang: {why}; run scripts/setup, or set CLEW_CLANG to a clang {LLVM_VERSION}")]
    NoClang {
        /// What was found instead.
        why: String,
    },
    /// Two files define the same symbol.
    #[error("`{symbol}` is defined twice: in {first} and in {second}")]
    DuplicateSymbol {
        /// The symbol.
        symbol: String,
        /// One file.
        first: String,
        /// The other.
        second: String,
    },
    /// LLVM's linker gave up.
    #[error("{file}: cannot be linked with the files before it: {message}")]
    Link {
        /// The file.
        file: String,
        /// What LLVM said.
        message: String,
    },
    /// The function where execution is to start is not there.
    #[error("no function `{entry}`; choose with --entry{}", match .defined.as_slice() {
        [] => " (the program defines no function at all)".to_string(),
        some => format!(" (the program defines {})", some.join(", ")),
    })]
    NoEntry {
        /// The function asked for.
        entry: String,
        /// Some that are there.
        defined: Vec<String>,
    },
    /// The models of the C library do not compile: not the user's fault.
    #[error("the models of the C library cannot be built: {0}")]
    Models(Box<LoadError>),
    /// No room for temporary files.
    #[error("cannot write temporary files: {0}")]
    Scratch(io::Error),
    /// The child process that tries bitcode cannot be started.
    #[error("cannot start the process that tries bitcode: {0}")]
    ProbeFailed(io::Error),
}

/// Who has to act on an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorClass {
    /// The command line is wrong.
    Usage,
    /// The input cannot be turned into a program.
    Input,
    /// The machine does not have what it takes.
    Resources,
    /// Clew or the machine is at fault.
    Internal,
}

impl LoadError {
    /// Who has to act.
    pub fn class(&self) -> ErrorClass {
        use LoadError::*;
        match self {
            NoSuchFile(_) | IsDirectory(_) | Unreadable { .. } | UnknownKind(_) | DataModelConflict { .. } => {
                ErrorClass::Usage
            }
            Empty(_)
            | NoBitcode(_)
            | BadObject { .. }
            | BadModule { .. }
            | NewerBitcode { .. }
            | UnsupportedTarget { .. }
            | InputDoesNotCompile { .. }
            | NoClang { .. }
            | DuplicateSymbol { .. }
            | Link { .. }
            | NoEntry { .. } => ErrorClass::Input,
            NoMemory(_) => ErrorClass::Resources,
            Models(error) if error.class() == ErrorClass::Resources => ErrorClass::Resources,
            Models(_) | Scratch(_) | ProbeFailed(_) => ErrorClass::Internal,
        }
    }
}
