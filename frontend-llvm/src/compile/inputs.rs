//! What compiling reads, and where it looks for headers: for caches of what comes out of it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use super::scratch::Scratch;

/// What compiling has read. Clew's own headers are left out, since they belong to its version.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// The files: sources, headers, objects.
    pub files: BTreeSet<PathBuf>,
    /// The folders of headers, in the order in which clang looks there. Some may not exist.
    pub folders: Vec<PathBuf>,
    /// Whether some compilation did not say what it read, as after a header that is missing.
    pub incomplete: bool,
}

/// Collects the inputs of several compilations.
#[derive(Debug, Default)]
pub struct Recorder(Mutex<Inputs>);

impl Recorder {
    /// All inputs so far.
    pub fn inputs(&self) -> Inputs {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Adds a file that is no source.
    pub fn add_file(&self, path: &Path) {
        self.change(|inputs| {
            inputs.files.insert(path.into());
        });
    }

    /// Adds what the file that clang wrote for `-MD` says.
    pub(super) fn add_rule(&self, rule: &Path, scratch: &Scratch) {
        let files = fs::read_to_string(rule).ok().filter(|text| !text.is_empty()).map(|text| prerequisites(&text));
        self.change(|inputs| match files {
            Some(files) => inputs.files.extend(files.into_iter().filter(|file| !file.starts_with(scratch.path()))),
            None => inputs.incomplete = true,
        });
    }

    /// Asks clang, which `command` starts, where it looks for headers with `flags`.
    pub(super) fn add_folders(&self, mut command: Command, flags: &[&OsStr], scratch: &Scratch) {
        let command = command.args(flags).args(["-E", "-v", "-o", "/dev/null", "/dev/null"]).stdin(Stdio::null());
        let output = command.output().map(|output| String::from_utf8_lossy(&output.stderr).into_owned());
        let folders = output.ok().and_then(|text| searched(&text));
        self.change(|inputs| match folders {
            Some(folders) => {
                let new = folders.into_iter().filter(|folder| !folder.starts_with(scratch.path()));
                let new: Vec<PathBuf> = new.filter(|folder| !inputs.folders.contains(folder)).collect();
                inputs.folders.extend(new);
            }
            None => inputs.incomplete = true,
        });
    }

    fn change(&self, change: impl FnOnce(&mut Inputs)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// The prerequisites of the first rule of a makefile, as clang writes it.
fn prerequisites(text: &str) -> Vec<PathBuf> {
    let list = text.split_once(": ").map_or("", |(_, list)| list);
    let (mut files, mut word) = (Vec::new(), String::new());
    let mut rest = list.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('\\', Some(&next @ (' ' | '#' | '\\'))) => {
                word.push(next);
                rest.next();
            }
            ('$', Some('$')) => {
                word.push('$');
                rest.next();
            }
            ('\\', Some('\n')) => {
                files.push(std::mem::take(&mut word));
                rest.next();
            }
            (' ', _) => files.push(std::mem::take(&mut word)),
            ('\n', _) => break,
            _ => word.push(c),
        }
    }
    files.push(word);
    files.into_iter().filter(|file| !file.trim().is_empty()).map(|file| file.trim().into()).collect()
}

/// The folders that clang lists with `-v`, those that do not exist first.
fn searched(text: &str) -> Option<Vec<PathBuf>> {
    let missing = text.lines().filter_map(|line| line.strip_prefix("ignoring nonexistent directory \""));
    let mut folders: Vec<PathBuf> = missing.map(|line| line.trim_end_matches('"').into()).collect();
    let (_, list) = text.split_once("#include \"...\" search starts here:")?;
    let (list, _) = list.split_once("End of search list.")?;
    folders.extend(list.lines().filter_map(|line| line.strip_prefix(' ')).map(PathBuf::from));
    Some(folders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules() {
        let text = "a.o: a.c \\\n  inc/a\\ b.h /usr/include/x.h \\\n  c$$d.h\n\nx.h:\n";
        let files: Vec<_> = prerequisites(text).iter().map(|file| file.display().to_string()).collect();
        assert_eq!(files, ["a.c", "inc/a b.h", "/usr/include/x.h", "c$d.h"]);
        assert!(prerequisites("").is_empty());
    }

    #[test]
    fn folders() {
        let text = "ignoring nonexistent directory \"/no\"\n#include \"...\" search starts here:\n q\n\
            #include <...> search starts here:\n inc\n /usr/include\nEnd of search list.\n";
        let folders: Vec<_> = searched(text).expect("a list");
        assert_eq!(folders, ["/no", "q", "inc", "/usr/include"].map(PathBuf::from));
        assert_eq!(searched("error"), None);
    }
}
