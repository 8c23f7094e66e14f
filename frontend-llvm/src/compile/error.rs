//! Errors in the inputs, worded so that the user knows how to fix them.

use std::io;
use std::path::PathBuf;

use clew_clang::NoClang;
use clew_clang::database::DatabaseError;
use thiserror::Error;

use super::{DataModel, LLVM_VERSION};

/// Why the inputs could not be loaded.
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
        /// The system error.
        error: io::Error,
    },
    /// The file is empty.
    #[error("{}: the file is empty", .0.display())]
    Empty(PathBuf),
    /// The kind of the file is unknown.
    #[error(
        "{}: neither C, C++, LLVM assembly, bitcode nor an object file; \
         known names end in .c .i .cc .cpp .cxx .c++ .C .ii .ll .bc, objects are known by their contents",
        .0.display()
    )]
    UnknownKind(PathBuf),
    /// An object, executable or archive without bitcode.
    #[error("{0}: carries no bitcode; build it with clew-cc, or give the sources or .bc files")]
    NoBitcode(String),
    /// An object or archive that cannot be parsed.
    #[error("{file}: a damaged object file or archive: {message}")]
    BadObject {
        /// The file.
        file: String,
        /// The problem.
        message: String,
    },
    /// Invalid bitcode or assembly.
    #[error("{file}: not valid for LLVM {LLVM_VERSION}: {message}")]
    BadModule {
        /// The file.
        file: String,
        /// LLVM's message.
        message: String,
    },
    /// Bitcode written by a newer LLVM.
    #[error(
        "{file}: written by LLVM {producer}, but Clew reads bitcode up to LLVM {LLVM_VERSION}; \
         compile it with clang {LLVM_VERSION} ({message})"
    )]
    NewerBitcode {
        /// The file.
        file: String,
        /// The version that wrote it.
        producer: String,
        /// LLVM's message.
        message: String,
    },
    /// Code for a target that the memory model does not support.
    #[error("{file}: compiled for an unsupported target: {why}")]
    UnsupportedTarget {
        /// The file.
        file: String,
        /// The unsupported property.
        why: String,
    },
    /// Files with different data models.
    #[error("{file}: compiled for {found}, but {} {expected}", match .other {
        Some(other) => format!("{other} is"),
        None => "the options ask for".to_string(),
    })]
    DataModelConflict {
        /// The file.
        file: String,
        /// Its data model.
        found: DataModel,
        /// The data model of the previous files.
        expected: DataModel,
        /// The file that determined it; `None` for the options.
        other: Option<String>,
    },
    /// clang rejects the source.
    #[error("{}: does not compile:\n{message}", .path.display())]
    InputDoesNotCompile {
        /// The file.
        path: PathBuf,
        /// Clang's message.
        message: String,
    },
    /// The compilation database, or what it says of a source, is no use.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A unit of a build that cannot be compiled.
    #[error("{}: {why}", .file.display())]
    BadUnit {
        /// The source.
        file: PathBuf,
        /// The problem.
        why: String,
    },
    /// Clang ran out of memory.
    #[error("{}: there is not enough memory to compile it", .0.display())]
    NoMemory(PathBuf),
    /// No clang of the required version.
    #[error(transparent)]
    NoClang(#[from] NoClang),
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
    /// LLVM's linker failed.
    #[error("{file}: cannot be linked with the files before it: {message}")]
    Link {
        /// The file.
        file: String,
        /// LLVM's message.
        message: String,
    },
    /// The linker may have replaced a function by another one.
    #[error(
        "{file}: `__wrap_{function}` may replace `{function}` (--wrap), which is not modelled; give the objects instead"
    )]
    Wrapped {
        /// The program or library.
        file: String,
        /// The function.
        function: String,
    },
    /// The entry function is missing.
    #[error("no function `{entry}`; choose with --entry{}", match .defined.as_slice() {
        [] => " (the program defines no function at all)".to_string(),
        some => format!(" (the program defines {})", some.join(", ")),
    })]
    NoEntry {
        /// The requested function.
        entry: String,
        /// Some of the defined functions.
        defined: Vec<String>,
    },
    /// The arguments of the entry function cannot be made as the options say.
    #[error("cannot make the arguments: {0}")]
    Arguments(String),
    /// The models of the C library do not compile; an internal error.
    #[error("the models of the C library cannot be built: {0}")]
    Models(Box<LoadError>),
    /// Temporary files cannot be written.
    #[error("cannot write temporary files: {0}")]
    Scratch(io::Error),
    /// The probe process cannot be started.
    #[error("cannot start the process that tries bitcode: {0}")]
    ProbeFailed(io::Error),
}

/// The class of an error, which determines the exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorClass {
    /// The command line is wrong.
    Usage,
    /// The input cannot be turned into a program.
    Input,
    /// The machine lacks resources.
    Resources,
    /// An internal error, or a problem of the machine.
    Internal,
}

impl LoadError {
    /// The class of the error.
    pub fn class(&self) -> ErrorClass {
        use LoadError::*;
        match self {
            NoSuchFile(_)
            | IsDirectory(_)
            | Unreadable { .. }
            | UnknownKind(_)
            | DataModelConflict { .. }
            | Arguments(_)
            | Database(_)
            | BadUnit { .. } => ErrorClass::Usage,
            Empty(_)
            | NoBitcode(_)
            | BadObject { .. }
            | BadModule { .. }
            | NewerBitcode { .. }
            | UnsupportedTarget { .. }
            | InputDoesNotCompile { .. }
            | NoClang(_)
            | DuplicateSymbol { .. }
            | Link { .. }
            | Wrapped { .. }
            | NoEntry { .. } => ErrorClass::Input,
            NoMemory(_) => ErrorClass::Resources,
            Models(error) if error.class() == ErrorClass::Resources => ErrorClass::Resources,
            Models(_) | Scratch(_) | ProbeFailed(_) => ErrorClass::Internal,
        }
    }
}
