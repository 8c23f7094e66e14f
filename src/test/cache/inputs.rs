//! The files that a check has read, and those whose appearance would change what it reads.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use regex::bytes::Regex;
use serde::{Deserialize, Serialize};

/// What `clew check --record-inputs` writes.
#[derive(Debug, Deserialize)]
pub struct Recorded {
    files: BTreeSet<PathBuf>,
    folders: Vec<PathBuf>,
    incomplete: bool,
}

/// The files that a check has read, with their contents. Paths are relative to the folder of the check.
#[derive(Debug, Serialize, Deserialize)]
pub struct Inputs {
    /// The files with the hashes of their contents.
    files: BTreeMap<PathBuf, String>,
    /// Where headers are looked for, in this order.
    folders: Vec<PathBuf>,
    /// Names that the program asks for with `__has_include`.
    asked: BTreeSet<PathBuf>,
    /// Files that would shadow or answer one of these and exist, but do not matter.
    beside: BTreeSet<PathBuf>,
}

/// The contents of files as hashes, each read once in a run.
#[derive(Debug, Default)]
pub struct Contents(Mutex<HashMap<PathBuf, Option<String>>>);

/// Folders of headers that only an installation changes.
const SYSTEM: &[&str] = &["/usr/include", "/usr/lib", "/usr/local/include", "/lib"];

/// What makes the result of a compilation depend on the clock.
const CLOCK: &str = r"__DATE__|__TIME__|__TIMESTAMP__";

/// A question whether a file exists. One without a literal name cannot be answered here.
const QUESTION: &str = r#"__has_(?:include|include_next|embed)\s*\(\s*(?:[<"]([^>"\n]+)[>"])?"#;

impl Contents {
    /// The hash of a file; `None` if it cannot be read.
    fn hash(&self, path: PathBuf) -> Option<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&path).cloned();
        known.unwrap_or_else(|| {
            let hash = hash(&path);
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(path, hash.clone());
            hash
        })
    }

    /// Whether there is a file. Most of these questions are about files that do not exist.
    fn exists(&self, path: PathBuf) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&path).cloned();
        known.map_or_else(
            || {
                let exists = path.exists();
                if !exists {
                    self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(path, None);
                }
                exists
            },
            |known| known.is_some(),
        )
    }
}

fn hash(path: &Path) -> Option<String> {
    fs::read(path).ok().map(|bytes| blake3::hash(&bytes).to_hex().to_string())
}

fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

impl Inputs {
    /// What a check that started at `start` has read; `None` if that is not known for certain.
    pub fn new(root: &Path, recorded: Recorded, start: SystemTime) -> Option<Inputs> {
        let Recorded { files: names, folders, incomplete } = recorded;
        if incomplete {
            return None;
        }
        let (clock, question) = (Regex::new(CLOCK).ok()?, Regex::new(QUESTION).ok()?);
        let (mut files, mut asked) = (BTreeMap::new(), BTreeSet::new());
        for name in names {
            let path = root.join(&name);
            // What was changed during the check may not be what it has read.
            if fs::metadata(&path).ok()?.modified().ok()? >= start {
                return None;
            }
            let bytes = fs::read(&path).ok()?;
            if !is_of_system(&path) {
                if clock.is_match(&bytes) {
                    return None;
                }
                for question in question.captures_iter(&bytes) {
                    asked.insert(String::from_utf8(question.get(1)?.as_bytes().to_vec()).ok()?.into());
                }
            }
            files.insert(name, blake3::hash(&bytes).to_hex().to_string());
        }
        let mut inputs = Inputs { files, folders, asked, beside: BTreeSet::new() };
        let beside = inputs.candidates().into_iter().filter(|path| root.join(path).exists());
        inputs.beside = beside.filter(|path| !inputs.files.contains_key(path)).collect();
        Some(inputs)
    }

    /// Whether a check would read the same now.
    pub fn are_unchanged(&self, root: &Path, contents: &Contents) -> bool {
        let same = |(path, hash): (&PathBuf, &String)| contents.hash(root.join(path)).as_ref() == Some(hash);
        let expected = |path: &PathBuf| self.beside.contains(path) || self.files.contains_key(path);
        self.files.iter().all(same)
            && self.candidates().iter().all(|path| contents.exists(root.join(path)) == expected(path))
    }

    /// The files that clang would take instead of one that it has read, or that the program asks for.
    ///
    /// An include with quotation marks is looked for next to its file first, so every folder with a file of the program
    /// counts.
    fn candidates(&self) -> BTreeSet<PathBuf> {
        let own: BTreeSet<&Path> =
            self.files.keys().filter(|file| !is_of_system(file)).filter_map(|file| file.parent()).collect();
        let mut found = BTreeSet::new();
        for file in self.files.keys() {
            for &folder in &own {
                if let Ok(rest) = file.strip_prefix(folder) {
                    found.extend(own.iter().map(|other| other.join(rest)));
                }
            }
            for (place, folder) in self.folders.iter().enumerate() {
                if let Ok(rest) = file.strip_prefix(folder) {
                    found.extend(own.iter().map(|other| other.join(rest)));
                    found.extend(self.folders[..place].iter().map(|other| other.join(rest)));
                }
            }
        }
        for name in &self.asked {
            found.extend(own.iter().copied().chain(self.folders.iter().map(PathBuf::as_path)).map(|at| at.join(name)));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    struct Project(tempfile::TempDir);

    impl Project {
        fn new() -> Project {
            let project = Project(tempfile::tempdir().expect("a folder"));
            for (name, text) in [("src/a.c", "int x;"), ("inc/h.h", "int h;"), ("early/other.h", "")] {
                project.write(name, text);
            }
            project
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.0.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }

        fn record(&self) -> Option<Inputs> {
            let files = ["src/a.c", "inc/h.h"].map(PathBuf::from).into();
            let folders = ["early", "inc"].map(PathBuf::from).into();
            let later = SystemTime::now() + Duration::from_secs(5);
            Inputs::new(self.0.path(), Recorded { files, folders, incomplete: false }, later)
        }

        fn is_unchanged(&self, inputs: &Inputs) -> bool {
            inputs.are_unchanged(self.0.path(), &Contents::default())
        }
    }

    #[test]
    fn changed_and_shadowing_files_are_noticed() {
        for (name, matters) in [
            ("inc/h.h", true),
            ("src/a.c", true),
            ("early/h.h", true),
            ("src/h.h", true),
            ("early/other.h", false),
            ("early/new.h", false),
            ("late/h.h", false),
        ] {
            let project = Project::new();
            let inputs = project.record().expect("all is known");
            assert!(project.is_unchanged(&inputs));
            project.write(name, "int changed;");
            assert_eq!(project.is_unchanged(&inputs), !matters, "{name}");
        }
    }

    #[test]
    fn questions_about_files_are_repeated() {
        let project = Project::new();
        project.write("src/a.c", "#if __has_include( <x/config.h> )\n#endif\n");
        let inputs = project.record().expect("all is known");
        assert!(project.is_unchanged(&inputs));
        project.write("inc/x/config.h", "");
        assert!(!project.is_unchanged(&inputs));
        // Now it exists, and its end would be noticed as well.
        let inputs = project.record().expect("all is known");
        assert!(project.is_unchanged(&inputs));
        fs::remove_file(project.0.path().join("inc/x/config.h")).expect("it is there");
        assert!(!project.is_unchanged(&inputs));
    }

    #[test]
    fn what_is_not_known_is_not_kept() {
        for text in ["char *d = __DATE__;", "#if __has_include(NAME)\n#endif\n"] {
            let project = Project::new();
            project.write("src/a.c", text);
            assert!(project.record().is_none(), "{text}");
        }
        let project = Project::new();
        let recorded =
            |incomplete| Recorded { files: ["src/a.c"].map(PathBuf::from).into(), folders: vec![], incomplete };
        let now = SystemTime::now() + Duration::from_secs(5);
        assert!(Inputs::new(project.0.path(), recorded(true), now).is_none());
        // Written after the start.
        assert!(Inputs::new(project.0.path(), recorded(false), SystemTime::UNIX_EPOCH).is_none());
    }
}
