//! The source files of a program.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use clew_frontend_llvm::compile::is_model_file;
use clew_verifier::report::{self, Place};

/// Where the sources of a folder are now: `--source-map FROM=TO`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moved {
    from: PathBuf,
    to: PathBuf,
}

/// Folders of headers that come with the system.
const LIBRARIES: [&str; 3] = ["/usr/include", "/usr/lib", "/usr/local/include"];

/// Source files, read on demand and cached.
#[derive(Debug)]
pub struct Sources<'a> {
    moved: &'a [Moved],
    /// The lines of files, by directory and path.
    files: RefCell<BTreeMap<(String, String), File>>,
}

/// A source file.
#[derive(Debug)]
struct File {
    lines: Vec<String>,
    is_library: bool,
}

impl Moved {
    /// Reads `FROM=TO`.
    pub fn parse(text: &str) -> Result<Moved, String> {
        match text.split_once('=') {
            Some((from, to)) if !from.is_empty() && !to.is_empty() => Ok(Moved { from: from.into(), to: to.into() }),
            _ => Err("write FROM=TO, two folders".into()),
        }
    }
}

impl<'a> Sources<'a> {
    /// The files of a program some of whose folders have moved.
    pub fn new(moved: &'a [Moved]) -> Sources<'a> {
        Sources { moved, files: RefCell::default() }
    }

    /// Looks at a file.
    fn with<T>(&self, place: &Place<'_>, look: impl FnOnce(&File) -> T) -> T {
        let mut files = self.files.borrow_mut();
        let key = (place.directory.to_string(), place.file.to_string());
        look(files.entry(key).or_insert_with(|| self.open(place)))
    }

    fn open(&self, place: &Place<'_>) -> File {
        let built = normal(&Path::new(place.directory).join(place.file));
        let moved =
            self.moved.iter().find_map(|Moved { from, to }| Some(to.join(built.strip_prefix(normal(from)).ok()?)));
        // The compiler may have run elsewhere: on another machine, or in a folder that is gone.
        let here = PathBuf::from(place.file);
        let bytes = moved.iter().chain([&built, &here]).find_map(|path| fs::read(path).ok()).unwrap_or_default();
        let lines = String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect();
        File { lines, is_library: LIBRARIES.iter().any(|folder| built.starts_with(folder)) }
    }
}

impl report::Sources for Sources<'_> {
    fn line(&self, place: &Place<'_>) -> Option<String> {
        let index = (place.line as usize).checked_sub(1)?;
        self.with(place, |file| file.lines.get(index).cloned())
    }

    fn is_hidden(&self, file: &str) -> bool {
        is_model_file(file)
    }

    fn is_library(&self, place: &Place<'_>) -> bool {
        self.with(place, |file| file.is_library)
    }
}

/// A path without `.` and `..`, as far as its text tells.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_simplified() {
        let of = |path: &str| normal(Path::new(path)).display().to_string();
        assert_eq!(of("/usr/bin/../lib/gcc/../../include/c++/14/vector"), "/usr/include/c++/14/vector");
        assert_eq!(of("../src/./x.c"), "../src/x.c");
        assert_eq!(of("a/../../b"), "../b");
    }

    #[test]
    fn moved_folders() {
        assert!(Moved::parse("/build/x=/home/y").is_ok());
        for bad in ["", "=", "/a", "/a=", "=/b"] {
            assert!(Moved::parse(bad).is_err(), "{bad}");
        }
    }
}
