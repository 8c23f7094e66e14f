//! Options of `clew check` in manifests and headers of harnesses.

use clap::parser::ValueSource;
use clap::{Command, CommandFactory};

use super::place::Line;
use crate::cli::Cli;
use crate::exit::Failure;

/// Options that belong to `clew test` or to the output, by their ids and names.
const RESERVED: &[(&str, &str)] = &[
    ("format", "--format"),
    ("json", "--json"),
    ("stats", "--stats"),
    ("color", "--color"),
    ("dump_smt", "--dump-smt"),
    ("harness", "--harness"),
    ("progress", "--progress"),
    ("no_progress", "--no-progress"),
    ("precision_from", "--precision-from"),
    ("save_precision", "--save-precision"),
    ("record_inputs", "--record-inputs"),
];

/// Options that limit a run, on which its verdict does not depend.
const LIMITS: &[&str] = &["--time-limit", "--memory-limit", "--jobs"];

/// Words of the command line of `clew check`, sorted by what they are.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Words {
    /// Files and options, in their order.
    pub options: Vec<String>,
    /// The limits.
    pub limits: Vec<String>,
    /// Flags for clang.
    pub flags: Vec<String>,
}

impl Words {
    /// Sorts `words`.
    pub fn new(words: Vec<String>) -> Words {
        let mut sorted = Words::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            if word == "--" {
                sorted.flags.extend(words.by_ref());
            } else if LIMITS.contains(&word.as_str()) {
                sorted.limits.push(format!("{word}={}", words.next().unwrap_or_default()));
            } else if word.split_once('=').is_some_and(|(name, _)| LIMITS.contains(&name)) {
                sorted.limits.push(word);
            } else {
                sorted.options.push(word);
            }
        }
        sorted
    }

    /// Adds what follows.
    pub fn extend(&mut self, other: Words) {
        self.options.extend(other.options);
        self.limits.extend(other.limits);
        self.flags.extend(other.flags);
    }

    /// Whether the option `name` is set.
    pub fn sets(&self, name: &str) -> bool {
        let is_it = |word: &String| word.split('=').next() == Some(name);
        self.options.iter().chain(&self.limits).any(is_it)
    }

    /// All of them, for a command line; flags come last.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let mark = (!self.flags.is_empty()).then_some("--");
        let words = self.options.iter().chain(&self.limits).map(String::as_str);
        words.chain(mark).chain(self.flags.iter().map(String::as_str))
    }
}

/// Tells whether words are valid arguments of `clew check`.
#[derive(Debug)]
pub struct Checker(Command);

impl Checker {
    /// Builds the description of the command line.
    pub fn new() -> Checker {
        Checker(Cli::command())
    }

    /// An error at `line` if `clew check FILE` does not take `words`.
    pub fn check<'w>(&mut self, words: impl Iterator<Item = &'w str>, line: &Line) -> Result<(), Failure> {
        let all = ["clew", "check", "file.c"].into_iter().chain(words);
        let matches = self.0.try_get_matches_from_mut(all).map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            line.error(first.strip_prefix("error: ").unwrap_or(first))
        })?;
        let Some(check) = matches.subcommand_matches("check") else {
            return Err(line.error("these are no options of `clew check`"));
        };
        match RESERVED.iter().find(|(id, _)| check.value_source(id) == Some(ValueSource::CommandLine)) {
            Some((_, name)) => Err(line.error(format!("{name} is no option of a harness"))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Words {
        Words::new(text.split(' ').map(String::from).collect())
    }

    #[test]
    fn words_are_sorted() {
        let sorted = words("a.c --time-limit 5s --entry f --memory-limit=1GB -- -Iinclude --time-limit");
        assert_eq!(sorted.options, ["a.c", "--entry", "f"]);
        assert_eq!(sorted.limits, ["--time-limit=5s", "--memory-limit=1GB"]);
        assert_eq!(sorted.flags, ["-Iinclude", "--time-limit"]);
        assert!(sorted.sets("--entry") && sorted.sets("--time-limit") && !sorted.sets("--config"));
        assert_eq!(sorted.all().count(), 8);
    }

    #[test]
    fn bad_words_are_errors() {
        let (mut checker, line) = (Checker::new(), Line { file: "a.c".into(), number: 3 });
        assert!(checker.check(["--entry", "f", "--", "-Iinclude"].into_iter(), &line).is_ok());
        for bad in
            [&["--entri", "f"][..], &["--json"], &["--format", "sarif"], &["--time-limit=5 parsecs"], &["--help"]]
        {
            let Err(Failure::Usage(message)) = checker.check(bad.iter().copied(), &line) else { panic!("{bad:?}") };
            assert!(message.starts_with("a.c:3: "), "{message}");
        }
    }
}
