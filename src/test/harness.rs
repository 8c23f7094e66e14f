//! A harness: a program that is checked, and where its verdict is kept.

use std::path::{Path, PathBuf};

use super::words::Words;

/// A harness.
#[derive(Clone, Debug)]
pub struct Harness {
    /// How it is called: the path of its file, or its name in the manifest.
    pub name: String,
    /// The folder in which it is checked, and to which its paths are relative.
    pub root: PathBuf,
    /// Its file, relative to that folder.
    pub file: String,
    /// More files, options and flags.
    pub words: Words,
    /// The file of its accepted verdict.
    pub snapshot: PathBuf,
}

/// The folder of snapshots, next to the harness.
pub const SNAPSHOTS: &str = "snapshots";

impl Harness {
    /// The harness `file`, relative to `root`, with a name if the manifest has one.
    pub fn new(root: &Path, file: &Path, name: Option<&str>, words: Words) -> Harness {
        let path = plain(root).join(file);
        let own = file.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.unwrap_or(&own);
        let shown = match name {
            Some(name) => plain(root).join(name),
            None => path.clone(),
        };
        Harness {
            name: shown.to_string_lossy().into_owned(),
            root: root.into(),
            file: file.to_string_lossy().into_owned(),
            words,
            snapshot: path.with_file_name(SNAPSHOTS).join(format!("{stem}.snap")),
        }
    }

    /// The arguments of `clew` that check it, without the flags of `clew test` itself.
    pub fn arguments(&self) -> impl Iterator<Item = &str> {
        ["check", self.file.as_str()].into_iter().chain(self.words.all())
    }

    /// A path of its report, relative to the folder where `clew test` was started.
    pub fn locate(&self, path: &str) -> String {
        let path = Path::new(path);
        if path.is_absolute() { path.to_path_buf() } else { plain(&self.root).join(path) }
            .to_string_lossy()
            .into_owned()
    }
}

/// Without a leading `./`.
pub fn plain(path: &Path) -> &Path {
    let path = path.strip_prefix("./").unwrap_or(path);
    if path == Path::new(".") { Path::new("") } else { path }
}
