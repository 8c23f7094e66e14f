//! Command lines of clang.

mod bitcode;
mod options;
mod parse;
mod words;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

pub use words::split;

use crate::Driver;

/// What a command makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Makes {
    /// An object for each source: `-c`.
    Object,
    /// Assembly for each source: `-S`.
    Assembly,
    /// A program or a library.
    Image,
    /// Something in which bitcode has no place, or nothing: preprocessed text, dependencies, a version.
    Other,
}

/// The language of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C, preprocessed or not.
    C,
    /// C++.
    Cxx,
    /// C++ that is preprocessed.
    PreprocessedCxx,
    /// LLVM assembly or bitcode.
    Ir,
    /// A header, which is precompiled.
    Header,
    /// Assembly, and languages that Clew does not know.
    Other,
    /// An object or library, for the linker.
    Linked,
}

impl Language {
    /// Whether there is bitcode for it.
    pub fn has_bitcode(self) -> bool {
        matches!(self, Language::C | Language::Cxx | Language::PreprocessedCxx | Language::Ir)
    }
}

/// An input of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The file, or `-` for the standard input.
    pub path: PathBuf,
    /// Its language.
    pub language: Language,
    /// What `-x` says of it.
    pub declared: Option<OsString>,
}

impl Input {
    /// Whether it is the standard input.
    pub fn is_stdin(&self) -> bool {
        self.path == Path::new("-")
    }
}

/// A command line of clang, as far as it matters here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The language that clang is called for.
    pub driver: Driver,
    /// What it makes.
    pub makes: Makes,
    /// The files.
    pub inputs: Vec<Input>,
    /// The output, if it is named.
    pub output: Option<PathBuf>,
    /// Whether objects are bitcode for link-time optimisation.
    pub lto: bool,
    /// The optimisation level: `2` of `-O2`.
    level: OsString,
    /// Whether a precompiled header is named.
    has_pch: bool,
    /// What the compilation to bitcode gets.
    kept: Vec<OsString>,
}

impl Command {
    /// The inputs whose bitcode can be compiled.
    pub fn sources(&self) -> impl Iterator<Item = &Input> {
        self.inputs.iter().filter(|input| input.language.has_bitcode())
    }

    /// The file that clang makes of an input with `-c` or `-S`.
    pub fn output_of(&self, input: &Input) -> PathBuf {
        let extension = if self.makes == Makes::Assembly { "s" } else { "o" };
        match &self.output {
            Some(output) => output.clone(),
            None => {
                let name = input.path.file_name().unwrap_or(OsStr::new("-"));
                PathBuf::from(name).with_extension(extension)
            }
        }
    }

    /// Whether it makes a program, and neither a library nor a linked object.
    pub fn makes_program(&self) -> bool {
        let is_other = |flag: &OsString| ["-shared", "--shared", "-r", "-dynamiclib"].iter().any(|other| flag == other);
        self.makes == Makes::Image && !self.kept.iter().any(is_other)
    }

    /// The program or library that it makes.
    pub fn image(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| "a.out".into())
    }
}
