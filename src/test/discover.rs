//! Finds harnesses: in folders, in manifests, and by their files.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::harness::Harness;
use super::header;
use super::manifest::{self, Manifest};
use super::words::{Checker, Words};
use crate::exit::Failure;

/// Extensions of files that may have a header with options.
const SOURCES: &[&str] = &["c", "i", "cc", "cpp", "cxx", "c++", "cp", "C", "CPP", "ii"];

/// Finds harnesses.
#[derive(Debug)]
pub struct Discovery {
    checker: Checker,
    /// By name.
    found: BTreeMap<String, Harness>,
}

/// The harnesses that `paths` name, sorted by name.
pub fn harnesses(paths: &[PathBuf]) -> Result<Vec<Harness>, Failure> {
    let mut discovery = Discovery { checker: Checker::new(), found: BTreeMap::new() };
    for path in paths {
        let before = discovery.found.len();
        discovery.path(path)?;
        if path.is_dir() && discovery.found.len() == before {
            return Err(Failure::Usage(format!(
                "{}: no harness there: write a comment `// clew:` into the first line of one, or a {}; `clew init` helps",
                path.display(),
                manifest::NAME
            )));
        }
    }
    let mut owners: BTreeMap<PathBuf, String> = BTreeMap::new();
    for harness in discovery.found.values() {
        if let Some(other) = owners.insert(harness.snapshot.clone(), harness.name.clone()) {
            let (name, snapshot) = (&harness.name, harness.snapshot.display());
            return Err(Failure::Usage(format!("{name} and {other} have the same snapshot {snapshot}: rename one")));
        }
    }
    Ok(discovery.found.into_values().collect())
}

impl Discovery {
    /// What was named on the command line.
    fn path(&mut self, path: &Path) -> Result<(), Failure> {
        if path.is_dir() {
            self.folder(path)
        } else if !path.is_file() {
            Err(Failure::Usage(format!("{}: there is no such file or folder", path.display())))
        } else if path.extension() == Some(OsStr::new("toml")) {
            self.manifest(path)
        } else {
            let words = self.header(path)?.unwrap_or_default();
            self.file(path, words)
        }
    }

    /// The harnesses of a folder: those of its manifest, else all files with a header, also in folders below.
    fn folder(&mut self, folder: &Path) -> Result<(), Failure> {
        let manifest = folder.join(manifest::NAME);
        if manifest.is_file() {
            return self.manifest(&manifest);
        }
        let unreadable = |error| Failure::Usage(format!("{}: it cannot be read: {error}", folder.display()));
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            // Links to folders may lead back here.
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if !is_hidden && (is_folder || entry.path().is_file()) {
                entries.push((entry.path(), is_folder));
            }
        }
        entries.sort();
        for (path, is_folder) in entries {
            if is_folder {
                self.folder(&path)?;
            } else if is_source(&path)
                && let Some(words) = self.header(&path)?
            {
                self.file(&path, words)?;
            }
        }
        Ok(())
    }

    fn manifest(&mut self, file: &Path) -> Result<(), Failure> {
        let manifest = Manifest::read(file)?;
        for entry in manifest.entries(&mut self.checker)? {
            let own = self.header(&manifest.folder().join(&entry.file))?.unwrap_or_default();
            let mut words = entry.words;
            // The header is closer to the harness than the manifest is.
            words.options.retain(|word| !word.starts_with("--") || !own.sets(word.split('=').next().unwrap_or(word)));
            words.limits.retain(|word| !own.sets(word.split('=').next().unwrap_or(word)));
            words.extend(own);
            self.checker.check(words.all(), &entry.line)?;
            self.add(Harness::new(manifest.folder(), &entry.file, entry.name.as_deref(), words))?;
        }
        Ok(())
    }

    /// A harness without a manifest: its paths are relative to its folder.
    fn file(&mut self, path: &Path, words: Words) -> Result<(), Failure> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = Path::new(path.file_name().unwrap_or_default());
        self.add(Harness::new(folder, name, None, words))
    }

    /// The options in the header of a source file; of other files, there are none.
    fn header(&mut self, path: &Path) -> Result<Option<Words>, Failure> {
        if !is_source(path) {
            return Ok(None);
        }
        let bytes = fs::read(path)
            .map_err(|error| Failure::Usage(format!("{}: it cannot be read: {error}", path.display())))?;
        header::options(path, &String::from_utf8_lossy(&bytes), &mut self.checker)
    }

    fn add(&mut self, harness: Harness) -> Result<(), Failure> {
        // Naming a file twice is no mistake; two different harnesses with one name are.
        if let Some(other) = self.found.get(&harness.name)
            && (&other.file, &other.words) != (&harness.file, &harness.words)
        {
            return Err(Failure::Usage(format!("two harnesses are called {}", harness.name)));
        }
        self.found.insert(harness.name.clone(), harness);
        Ok(())
    }
}

fn is_source(path: &Path) -> bool {
    path.extension().and_then(OsStr::to_str).is_some_and(|extension| SOURCES.contains(&extension))
}
