//! Manifests: the file `clew.toml`, which names harnesses and their options.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use super::place::Line;
use super::words::{Checker, Words};
use crate::exit::Failure;

/// The name of a manifest.
pub const NAME: &str = "clew.toml";

/// A string with its place.
type Text = Spanned<String>;

/// A manifest.
#[derive(Debug)]
pub struct Manifest {
    file: PathBuf,
    text: String,
    tables: Tables,
}

/// The contents of a manifest.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    /// Glob patterns; each matching file is a harness.
    #[serde(default)]
    harnesses: Vec<Text>,
    #[serde(default)]
    defaults: Settings,
    /// Harnesses by name.
    #[serde(default)]
    harness: BTreeMap<String, Spanned<Settings>>,
}

/// Settings of a harness, or defaults of all.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    file: Option<Text>,
    sources: Option<Vec<Text>>,
    includes: Option<Vec<Text>>,
    flags: Option<Vec<Text>>,
    entry: Option<Text>,
    properties: Option<Vec<Text>>,
    config: Option<Text>,
    time_limit: Option<Text>,
    memory_limit: Option<Text>,
    options: Option<Vec<Text>>,
}

impl Settings {
    /// These, with `defaults` for what is not set.
    fn or(&self, defaults: &Settings) -> Settings {
        let lists = |own: &Option<Vec<Text>>, other: &Option<Vec<Text>>| own.clone().or_else(|| other.clone());
        let one = |own: &Option<Text>, other: &Option<Text>| own.clone().or_else(|| other.clone());
        Settings {
            file: self.file.clone(),
            sources: lists(&self.sources, &defaults.sources),
            includes: lists(&self.includes, &defaults.includes),
            flags: lists(&self.flags, &defaults.flags),
            entry: one(&self.entry, &defaults.entry),
            properties: lists(&self.properties, &defaults.properties),
            config: one(&self.config, &defaults.config),
            time_limit: one(&self.time_limit, &defaults.time_limit),
            memory_limit: one(&self.memory_limit, &defaults.memory_limit),
            options: lists(&self.options, &defaults.options),
        }
    }
}

/// A harness of a manifest.
#[derive(Debug)]
pub struct Entry {
    /// Its name, if its table has one.
    pub name: Option<String>,
    /// Its file, relative to the folder of the manifest.
    pub file: PathBuf,
    /// What the manifest says about its check.
    pub words: Words,
    /// Where it is named.
    pub line: Line,
}

impl Manifest {
    /// Reads a manifest.
    pub fn read(file: &Path) -> Result<Manifest, Failure> {
        let text = fs::read_to_string(file)
            .map_err(|error| Failure::Usage(format!("{}: it cannot be read: {error}", file.display())))?;
        let tables = toml::from_str(&text).map_err(|error: toml::de::Error| {
            let line = Line::at(file, &text, error.span().map_or(0, |span| span.start));
            line.error(error.message().replace('\n', " "))
        })?;
        Ok(Manifest { file: file.into(), text, tables })
    }

    /// Its folder, to which all paths are relative.
    pub fn folder(&self) -> &Path {
        self.file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// Its harnesses: those with a name first, then the files of the patterns that have none.
    pub fn entries(&self, checker: &mut Checker) -> Result<Vec<Entry>, Failure> {
        if let Some(file) = &self.tables.defaults.file {
            return Err(self.line(file).error("`file` belongs to the table of a harness"));
        }
        let mut entries = Vec::new();
        for (name, table) in &self.tables.harness {
            let here = self.line(table);
            let is_plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
            if name.is_empty() || name.starts_with('.') || !name.chars().all(is_plain) {
                return Err(here.error(format!("the name `{name}` must consist of letters, digits, `-`, `_` and `.`")));
            }
            let Some(file) = &table.get_ref().file else {
                return Err(here.error(format!("the harness `{name}` needs a `file`")));
            };
            let line = self.line(file);
            let file = PathBuf::from(file.get_ref());
            if !self.folder().join(&file).is_file() {
                return Err(line.error(format!("there is no file {}", file.display())));
            }
            let words = self.words(&table.get_ref().or(&self.tables.defaults), checker)?;
            entries.push(Entry { name: Some(name.clone()), file, words, line });
        }
        for pattern in &self.tables.harnesses {
            let words = self.words(&self.tables.defaults, checker)?;
            for file in self.glob(pattern)? {
                if !entries.iter().any(|entry| entry.file == file) {
                    entries.push(Entry { name: None, file, words: words.clone(), line: self.line(pattern) });
                }
            }
        }
        if entries.is_empty() {
            let what = "it names no harness: add `harnesses = [\"*.c\"]`, or a table [harness.NAME] with a `file`";
            return Err(Line { file: self.file.clone(), number: 1 }.error(what));
        }
        Ok(entries)
    }

    fn line<T>(&self, of: &Spanned<T>) -> Line {
        Line::at(&self.file, &self.text, of.span().start)
    }

    /// The files that match a pattern, relative to the folder of the manifest and sorted.
    fn glob(&self, pattern: &Text) -> Result<Vec<PathBuf>, Failure> {
        let (here, text) = (self.line(pattern), pattern.get_ref());
        let folder = self.folder();
        let absolute = format!("{}/{text}", glob::Pattern::escape(&folder.to_string_lossy()));
        let found = glob::glob(&absolute).map_err(|error| here.error(format!("the pattern `{text}`: {error}")))?;
        let mut files = Vec::new();
        for path in found {
            let path = path.map_err(|error| here.error(error))?;
            if path.is_file() {
                files.push(path.strip_prefix(folder).unwrap_or(&path).to_path_buf());
            }
        }
        if files.is_empty() {
            return Err(here.error(format!("no file matches `{text}`")));
        }
        files.sort();
        Ok(files)
    }

    /// The arguments of `clew check` that mean the same as `settings`.
    fn words(&self, settings: &Settings, checker: &mut Checker) -> Result<Words, Failure> {
        let mut words = Words::default();
        for pattern in settings.sources.iter().flatten() {
            for file in self.glob(pattern)? {
                words.options.push(file.to_string_lossy().into_owned());
            }
        }
        let mut option = |name: &str, value: &Text, list: &mut Vec<String>| {
            let word = format!("--{name}={}", value.get_ref());
            checker.check([word.as_str()].into_iter(), &self.line(value))?;
            list.push(word);
            Ok::<(), Failure>(())
        };
        let single = [("entry", &settings.entry), ("config", &settings.config)];
        for (name, value) in single {
            value.iter().try_for_each(|value| option(name, value, &mut words.options))?;
        }
        let mut properties = Vec::new();
        for property in settings.properties.iter().flatten() {
            option("property", property, &mut Vec::new())?;
            properties.push(property.get_ref().as_str());
        }
        if !properties.is_empty() {
            words.options.push(format!("--property={}", properties.join(",")));
        }
        let limits = [("time-limit", &settings.time_limit), ("memory-limit", &settings.memory_limit)];
        for (name, value) in limits {
            value.iter().try_for_each(|value| option(name, value, &mut words.limits))?;
        }
        if let Some(options) = &settings.options {
            for option in options {
                let (here, word) = (self.line(option), option.get_ref());
                // A header replaces options by their names, so a value must not stand alone.
                if !word.starts_with("--") || word == "--" {
                    return Err(here.error(format!("`{word}` is no option; write options as --NAME or --NAME=VALUE")));
                }
                checker.check([word.as_str()].into_iter(), &here)?;
            }
            words.extend(Words::new(options.iter().map(|option| option.get_ref().clone()).collect()));
        }
        words.flags.extend(settings.includes.iter().flatten().map(|folder| format!("-I{}", folder.get_ref())));
        words.flags.extend(settings.flags.iter().flatten().map(|flag| flag.get_ref().clone()));
        Ok(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(text: &str) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.c", "b.c", "lib.c"] {
            fs::write(folder.path().join(name), "").expect("a file");
        }
        let file = folder.path().join(NAME);
        fs::write(&file, text).expect("a file");
        let entries = Manifest::read(&file).and_then(|manifest| manifest.entries(&mut Checker::new()));
        let text = |entry: Entry| {
            let name = entry.name.map(|name| format!("{name}: ")).unwrap_or_default();
            let words: Vec<&str> = entry.words.all().collect();
            format!("{name}{} {} #{}", entry.file.display(), words.join(" "), entry.line.number)
        };
        match entries {
            Ok(entries) => Ok(entries.into_iter().map(text).collect()),
            Err(Failure::Usage(message)) => Err(message.replace(&folder.path().display().to_string(), "")),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn harnesses() {
        let text = "\
harnesses = [\"[ab].c\"]
[defaults]
sources = [\"lib.c\"]
includes = [\"include\"]
flags = [\"-DX=1\"]
properties = [\"assert\", \"ub\"]
time-limit = \"5s\"
[harness.second]
file = \"b.c\"
entry = \"f\"
sources = []
options = [\"--strict\", \"--bound=3\"]
";
        let expected = [
            "second: b.c --entry=f --property=assert,ub --strict --bound=3 --time-limit=5s -- -Iinclude -DX=1 #9",
            "a.c lib.c --property=assert,ub --time-limit=5s -- -Iinclude -DX=1 #1",
        ];
        assert_eq!(entries(text).expect("it is valid"), expected);
    }

    #[test]
    fn errors_name_their_line() {
        for (text, error) in [
            ("", "/clew.toml:1: it names no harness"),
            ("harnesses = [\"a.c\"]\nharnes = 1\n", "/clew.toml:2: unknown field `harnes`"),
            ("harnesses = [\"a.c\"]\n[defaults]\nflag = []\n", "/clew.toml:3: unknown field `flag`"),
            ("[harness.x]\nfile = \"a.c\"\n\nsource = []\n", "/clew.toml:4: unknown field `source`"),
            ("[harness.x]\nentry = \"f\"\n", "/clew.toml:1: the harness `x` needs a `file`"),
            ("[harness.x]\nfile = \"no.c\"\n", "/clew.toml:2: there is no file no.c"),
            ("[harness.\"x/y\"]\nfile = \"a.c\"\n", "/clew.toml:1: the name `x/y`"),
            ("\nharnesses = [\"x*.c\"]\n", "/clew.toml:2: no file matches `x*.c`"),
            ("harnesses = [\"a***\"]\n", "/clew.toml:1: the pattern `a***`"),
            ("harnesses = [\"a.c\"]\n[defaults]\nfile = \"a.c\"\n", "/clew.toml:3: `file` belongs"),
            (
                "harnesses = [\"a.c\"]\n[defaults]\ntime-limit = \"5 parsecs\"\n",
                "/clew.toml:3: invalid value '5 parsecs'",
            ),
            (
                "harnesses = [\"a.c\"]\n[defaults]\nproperties = [\"assert\",\n  \"x\"]\n",
                "/clew.toml:4: invalid value 'x'",
            ),
            ("harnesses = [\"a.c\"]\n[defaults]\noptions = [\"--json\"]\n", "/clew.toml:3: --json is no option"),
            (
                "harnesses = [\"a.c\"]\n[defaults]\noptions = [\"--bound\", \"3\"]\n",
                "/clew.toml:3: a value is required",
            ),
            ("harnesses = 3\n", "/clew.toml:1: invalid type"),
            ("harnesses = [\n\"a.c\n]\n", "/clew.toml:2: "),
        ] {
            let found = entries(text).expect_err(text);
            assert!(found.starts_with(error), "{found}\n{error}");
        }
    }
}
