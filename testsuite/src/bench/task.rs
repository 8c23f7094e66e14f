//! A task: a program, a property and the verdict that is known to be right.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::definition;

/// What a verifier says of a task, or what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The property holds.
    True,
    /// The property is violated.
    False,
    /// Nothing is known.
    Unknown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::True => "true",
            Self::False => "false",
            Self::Unknown => "unknown",
        })
    }
}

impl FromStr for Verdict {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "true" => Ok(Self::True),
            "false" => Ok(Self::False),
            "unknown" => Ok(Self::Unknown),
            _ => Err(format!("`{text}` is no verdict: true, false or unknown")),
        }
    }
}

/// One line of a task list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its name, unique in the list.
    pub id: String,
    /// The group that tables show it in.
    pub category: String,
    /// The name of the property, as `--property` takes it.
    pub property: String,
    /// The file with the property, if the list names one.
    pub property_file: Option<PathBuf>,
    /// The right verdict.
    pub expected: Verdict,
    /// Whether `long` and pointers have 32 bits.
    pub ilp32: bool,
    /// The sources of the program.
    pub files: Vec<PathBuf>,
    /// Flags for the compiler.
    pub flags: Vec<String>,
}

/// Reads lists: tables (`.tsv`), task definitions (`.yml`), sets of them (`.set`), and folders of definitions.
/// Paths in tables are relative to `root`; others are relative to their own file.
pub fn read(lists: &[PathBuf], root: &Path) -> Result<Vec<Task>, String> {
    let mut tasks: Vec<Task> = Vec::new();
    for list in lists {
        let extension = list.extension().and_then(|name| name.to_str()).unwrap_or_default();
        tasks.extend(match extension {
            _ if list.is_dir() => definition::folder(list)?,
            "yml" | "yaml" => definition::file(list, list.parent().unwrap_or(Path::new("")))?,
            "set" => definition::set(list)?,
            _ => table(list, root)?,
        });
    }
    let mut seen = HashMap::new();
    for task in &tasks {
        if seen.insert(&task.id, ()).is_some() {
            return Err(format!("two tasks have the name {}", task.id));
        }
        if let Some(missing) = task.files.iter().find(|file| !file.exists()) {
            return Err(format!("task {}: {} does not exist", task.id, missing.display()));
        }
    }
    Ok(tasks)
}

/// Rows of a table by the names in its first line.
pub fn rows(text: &str) -> Vec<HashMap<&str, &str>> {
    let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let names: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    lines.map(|line| names.iter().copied().zip(line.split('\t')).collect()).collect()
}

/// A table has the columns `id`, `path` (or `files`, separated by blanks), `expected`, and at will `category`,
/// `property`, `data_model` and `flags`.
fn table(list: &Path, root: &Path) -> Result<Vec<Task>, String> {
    let text = std::fs::read_to_string(list).map_err(|error| format!("{}: {error}", list.display()))?;
    rows(&text)
        .into_iter()
        .map(|row| {
            let column = |name: &str| row.get(name).copied().filter(|value| !value.is_empty());
            let required =
                |name: &str| column(name).ok_or_else(|| format!("{}: a row has no `{name}`", list.display()));
            let files = match column("files") {
                Some(files) => files.split_whitespace().map(|file| root.join(file)).collect(),
                None => vec![root.join(required("path")?)],
            };
            Ok(Task {
                id: required("id")?.to_owned(),
                category: column("category").unwrap_or("all").to_owned(),
                property: column("property").unwrap_or("unreach-call").to_owned(),
                property_file: None,
                expected: required("expected")?.parse()?,
                ilp32: column("data_model") == Some("ILP32"),
                files,
                flags: column("flags").unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
            })
        })
        .collect()
}
