//! Reading command lines.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::options::{self, Meaning, Shape};
use super::words::expand;
use super::{Command, Input, Language, Makes};
use crate::Driver;

impl Command {
    /// Reads the arguments of a call, without the program. Response files are relative to `folder`.
    pub fn parse(driver: Driver, arguments: &[OsString], folder: &Path) -> Command {
        let mut command = Command {
            driver,
            makes: Makes::Image,
            inputs: Vec::new(),
            output: None,
            lto: false,
            level: OsString::new(),
            has_pch: false,
            kept: Vec::new(),
        };
        let mut declared: Option<OsString> = None;
        let mut only_inputs = false;
        let mut arguments = expand(arguments, folder).into_iter();
        while let Some(argument) = arguments.next() {
            let is_input = only_inputs || !argument.as_bytes().starts_with(b"-") || argument == "-";
            if is_input {
                command.add_input(&argument, declared.as_deref());
            } else if argument == "--" {
                only_inputs = true;
            } else {
                command.add_option(argument, &mut arguments, &mut declared, folder);
            }
        }
        if command.inputs.iter().any(|input| input.language == Language::Header) {
            command.makes = Makes::Other;
        }
        command
    }

    fn add_input(&mut self, path: &OsStr, declared: Option<&OsStr>) {
        let path = Path::new(path);
        let language = match declared {
            Some(name) => of_name(&name.to_string_lossy()),
            None => of_extension(path.extension().and_then(OsStr::to_str).unwrap_or("")),
        };
        let language = match (language, self.driver) {
            (Language::C, Driver::Cxx) if declared.is_none() => Language::Cxx,
            (language, _) => language,
        };
        self.inputs.push(Input { path: path.into(), language, declared: declared.map(Into::into) });
    }

    fn add_option(
        &mut self,
        argument: OsString,
        rest: &mut impl Iterator<Item = OsString>,
        declared: &mut Option<OsString>,
        folder: &Path,
    ) {
        // Names are ASCII, and so is what decides; lossy text is only looked at.
        let text = argument.to_string_lossy().into_owned();
        let Some((shape, meaning, joined)) = options::find(&text) else {
            self.kept.push(argument);
            return;
        };
        let joined: Option<OsString> =
            (!joined.is_empty()).then(|| OsStr::from_bytes(&argument.as_bytes()[text.len() - joined.len()..]).into());
        let apart = match shape {
            Shape::Exact | Shape::Prefix => None,
            Shape::Joined if joined.is_some() => None,
            Shape::Joined | Shape::Separate | Shape::Pair => rest.next(),
        };
        let value = || apart.clone().or(joined.clone());
        match meaning {
            Meaning::Keep => {
                let is_include = text.starts_with("-include") || text == "--include";
                self.has_pch |= is_include && value().is_some_and(|header| has_precompiled(&folder.join(header)));
                self.keep(argument, apart);
            }
            Meaning::Drop => {}
            Meaning::Mode(makes) => self.makes = later(self.makes, makes),
            Meaning::Output => self.output = value().map(Into::into),
            Meaning::Language => *declared = value().filter(|name| name != "none"),
            Meaning::Level => self.level = value().unwrap_or_else(|| "1".into()),
            Meaning::Lto => self.lto = text != "-fno-lto",
            Meaning::Driver => match joined.as_deref().and_then(OsStr::to_str) {
                Some("gcc") => self.driver = Driver::C,
                Some("g++") => self.driver = Driver::Cxx,
                _ => self.makes = Makes::Other,
            },
            Meaning::Pch => {
                self.has_pch = true;
                self.keep(argument, apart);
            }
            Meaning::Xclang => {
                self.has_pch |= apart.as_ref().is_some_and(|value| value == "-include-pch");
                self.keep(argument, apart);
            }
            Meaning::Xpreprocessor => {
                // `-Wp,-MD,FILE` and the like write dependencies.
                let is_for_dependencies = value().is_some_and(|value| {
                    value.as_bytes().split(|&byte| byte == b',').any(|word| word.starts_with(b"-M"))
                });
                if !is_for_dependencies {
                    self.keep(argument, apart);
                }
            }
        }
    }

    fn keep(&mut self, argument: OsString, value: Option<OsString>) {
        self.kept.push(argument);
        self.kept.extend(value);
    }
}

/// Whether clang finds a precompiled header beside a header.
fn has_precompiled(header: &Path) -> bool {
    let with = |extension: &str| {
        let mut path = header.as_os_str().to_owned();
        path.push(extension);
        Path::new(&path).exists()
    };
    with(".pch") || with(".gch")
}

/// The earlier phase counts: `-E -c` preprocesses, `-S -c` makes assembly.
fn later(so_far: Makes, new: Makes) -> Makes {
    let rank = |makes| match makes {
        Makes::Other => 3,
        Makes::Assembly => 2,
        Makes::Object => 1,
        Makes::Image => 0,
    };
    if rank(new) > rank(so_far) { new } else { so_far }
}

/// The language that `-x` names.
fn of_name(name: &str) -> Language {
    match name {
        "c" | "cpp-output" => Language::C,
        "c++" => Language::Cxx,
        "c++-cpp-output" => Language::PreprocessedCxx,
        "ir" => Language::Ir,
        _ if name.contains("header") => Language::Header,
        _ => Language::Other,
    }
}

/// The language of files with an extension. Clang takes other files for inputs of the linker.
fn of_extension(extension: &str) -> Language {
    match extension {
        "c" | "i" => Language::C,
        "C" | "cc" | "CC" | "cp" | "cpp" | "CPP" | "cxx" | "CXX" | "c++" | "C++" => Language::Cxx,
        "ii" => Language::PreprocessedCxx,
        "ll" | "bc" => Language::Ir,
        "h" | "H" | "hh" | "hp" | "hpp" | "hxx" | "h++" | "tcc" => Language::Header,
        "s" | "S" | "asm" | "m" | "mi" | "mm" | "mii" | "M" | "cl" | "clcpp" | "cu" | "cui" | "hip" | "cppm"
        | "ccm" | "cxxm" | "c++m" | "pcm" | "f" | "f90" | "F" | "F90" | "hlsl" | "gch" | "pch" | "ast" => {
            Language::Other
        }
        _ => Language::Linked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(driver: Driver, words: &str) -> Command {
        let arguments: Vec<OsString> = words.split_whitespace().map(Into::into).collect();
        Command::parse(driver, &arguments, Path::new("/"))
    }

    fn outputs(words: &str) -> Vec<String> {
        let command = parse(Driver::C, words);
        command.sources().map(|source| command.output_of(source).display().to_string()).collect()
    }

    #[test]
    fn what_a_command_makes() {
        let makes = |words| parse(Driver::C, words).makes;
        assert_eq!(makes("a.c"), Makes::Image);
        assert_eq!(makes("-c a.c"), Makes::Object);
        assert_eq!(makes("-c -S a.c"), Makes::Assembly);
        assert_eq!(makes("-S -c a.c"), Makes::Assembly);
        for words in ["-E -c a.c", "-MM a.c", "a.h", "-x c++-header a", "-### a.c", "-print-prog-name=ld", "--version"]
        {
            assert_eq!(makes(words), Makes::Other, "{words}");
        }
        assert_eq!(makes("-MMD -c a.c"), Makes::Object);
    }

    #[test]
    fn outputs_of_sources() {
        assert_eq!(outputs("-c d/a.c b.x.cpp e.o f.s"), ["a.o", "b.x.o"]);
        assert_eq!(outputs("-c a.c -o b/x.obj"), ["b/x.obj"]);
        assert_eq!(outputs("-S a.c"), ["a.s"]);
        assert_eq!(outputs("-c -x c -"), ["-.o"]);
        assert_eq!(outputs("-c -xc a.txt -x none b.txt"), ["a.o"]);
        assert_eq!(outputs("-c -I a.c -D b.c -MF c.c d.c"), ["d.o"]);
    }

    #[test]
    fn languages() {
        let of = |driver, words| parse(driver, words).inputs[0].language;
        assert_eq!(of(Driver::C, "a.c"), Language::C);
        assert_eq!(of(Driver::Cxx, "a.c"), Language::Cxx);
        assert_eq!(of(Driver::Cxx, "-x c a.c"), Language::C);
        assert_eq!(of(Driver::C, "--driver-mode=g++ a.c"), Language::Cxx);
        assert_eq!(of(Driver::C, "libx.so.1"), Language::Linked);
        assert_eq!(of(Driver::C, "start.S"), Language::Other);
    }
}
