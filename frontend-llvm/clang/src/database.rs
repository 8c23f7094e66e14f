//! Compilation databases (`compile_commands.json`): how each source of a build was compiled.

use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Driver;
use crate::command::{Command, split};

/// An entry: how a source was compiled.
#[derive(Clone, Default, Serialize, Deserialize, Debug)]
pub struct Entry {
    /// The working directory of the compiler.
    pub directory: PathBuf,
    /// The source.
    pub file: PathBuf,
    /// The command, as words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The command, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// What was made of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// Why there is no bitcode of it; only databases of Clew have this.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "clew-without-bitcode")]
    pub without_bitcode: Option<String>,
}

/// Why a database has nothing to offer.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// The file cannot be read.
    #[error("{}: {why}", .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The problem.
        why: String,
    },
    /// Nothing fits.
    #[error("{}: no {what}; {}", .file.display(), offers(.known))]
    Nothing {
        /// The file.
        file: PathBuf,
        /// What was asked for.
        what: String,
        /// What there is instead.
        known: Vec<String>,
    },
}

fn offers(known: &[String]) -> String {
    const MAX_NAMES: usize = 12;
    match known {
        [] => "it has none at all".into(),
        known => {
            let names = known.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ");
            format!("it has {names}{}", if known.len() > MAX_NAMES { " and more" } else { "" })
        }
    }
}

/// Reads a database.
pub fn read(file: &Path) -> Result<Vec<Entry>, DatabaseError> {
    let unreadable = |why: String| DatabaseError::Unreadable { file: file.into(), why };
    let text = fs::read(file).map_err(|error| unreadable(error.to_string()))?;
    let entries: Vec<Entry> =
        serde_json::from_slice(&text).map_err(|error| unreadable(format!("it is no compilation database: {error}")))?;
    match entries.as_slice() {
        [] => Err(unreadable("the database has no entries".into())),
        _ => Ok(entries),
    }
}

/// The entries of a target, and of them those of some sources; all, if nothing is named.
pub fn select(
    file: &Path,
    entries: Vec<Entry>,
    target: Option<&str>,
    units: &[PathBuf],
) -> Result<Vec<Entry>, DatabaseError> {
    let nothing = |what: String, known: Vec<String>| {
        let known = known.into_iter().collect::<std::collections::BTreeSet<_>>().into_iter().collect();
        DatabaseError::Nothing { file: file.into(), what, known }
    };
    let of_target: Vec<Entry> = match target {
        None => entries,
        Some(target) => {
            let found: Vec<Entry> = entries.iter().filter(|e| e.target().as_deref() == Some(target)).cloned().collect();
            if found.is_empty() {
                let known = entries.iter().filter_map(Entry::target).collect();
                return Err(nothing(format!("target `{target}`"), known));
            }
            found
        }
    };
    if units.is_empty() {
        return Ok(of_target);
    }
    let mut selected = Vec::new();
    for unit in units {
        // The last entry counts: a database that is appended to has earlier commands, too.
        let Some(entry) = of_target.iter().rev().find(|entry| entry.is_for(unit)) else {
            let known = of_target.iter().map(|entry| entry.file.display().to_string()).collect();
            return Err(nothing(format!("unit `{}`", unit.display()), known));
        };
        selected.push(entry.clone());
    }
    Ok(selected)
}

impl Entry {
    /// The source, as a path that is valid here.
    pub fn path(&self) -> PathBuf {
        self.directory.join(&self.file)
    }

    /// The command, with the program's name or a launcher before it left out.
    pub fn parse(&self) -> Command {
        let mut words: Vec<OsString> = match &self.command {
            Some(text) if self.arguments.is_empty() => split(text.as_bytes()),
            _ => self.arguments.iter().map(Into::into).collect(),
        };
        let name = |word: Option<&OsString>| {
            word.and_then(|word| Path::new(word).file_name()).unwrap_or_default().to_string_lossy().into_owned()
        };
        const LAUNCHERS: [&str; 4] = ["ccache", "sccache", "distcc", "icecc"];
        while words.len() > 1 && LAUNCHERS.contains(&name(words.first()).as_str()) {
            words.remove(0);
        }
        let driver = if name(words.first()).contains("++") { Driver::Cxx } else { Driver::C };
        words.drain(..words.len().min(1));
        Command::parse(driver, &words, &self.directory)
    }

    /// Whether this is the entry of a source: by its path, or by the end of it.
    fn is_for(&self, unit: &Path) -> bool {
        let path = self.path();
        let is_same = || Some(fs::canonicalize(unit).ok()? == fs::canonicalize(&path).ok()?);
        path.ends_with(unit) || self.file == unit || is_same() == Some(true)
    }

    /// The target that CMake or Meson builds of it, as the folder of the object says: `CMakeFiles/app.dir/a.c.o` and
    /// `libz.a.p/a.c.o`. Libraries are also known by their plain names.
    fn target(&self) -> Option<String> {
        let output = self.output.clone().or_else(|| self.parse().output)?;
        let folders = output.components().rev().skip(1).filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        });
        let mut names = folders.filter_map(|name| name.strip_suffix(".dir").or_else(|| name.strip_suffix(".p")));
        let name = names.next()?;
        let plain = name.strip_prefix("lib").and_then(|rest| Some(rest.split_once(".a").or(rest.split_once(".so"))?.0));
        Some(plain.unwrap_or(name).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(command: &str, file: &str) -> Entry {
        Entry { directory: "/b".into(), file: file.into(), command: Some(command.into()), ..Entry::default() }
    }

    #[test]
    fn targets_are_folders_of_objects() {
        let target = |output: &str| entry(&format!("cc -c a.c -o {output}"), "a.c").target();
        assert_eq!(target("CMakeFiles/app.dir/src/a.c.o").as_deref(), Some("app"));
        assert_eq!(target("lib/libz.a.p/a.c.o").as_deref(), Some("z"));
        assert_eq!(target("libz.so.1.2.p/a.c.o").as_deref(), Some("z"));
        assert_eq!(target("app.p/a.c.o").as_deref(), Some("app"));
        assert_eq!(target("a.o"), None);
    }

    #[test]
    fn units_are_found_by_the_ends_of_their_paths() {
        let entries = vec![entry("cc -c src/a.c", "src/a.c"), entry("cc -DB -c b.c", "b.c")];
        let select = |unit: &str| select(Path::new("db"), entries.clone(), None, &[unit.into()]);
        assert_eq!(select("a.c").unwrap()[0].file, Path::new("src/a.c"));
        assert_eq!(select("src/a.c").unwrap().len(), 1);
        assert_eq!(select("c.c").unwrap_err().to_string(), "db: no unit `c.c`; it has b.c, src/a.c");
    }

    #[test]
    fn launchers_and_compilers_are_left_out() {
        let command = entry("ccache /usr/bin/clang++ -DA='x y' -c a.c", "a.c").parse();
        assert_eq!(command.driver, Driver::Cxx);
        assert_eq!(command.source_flags()[0], "-DA=x y");
    }
}
