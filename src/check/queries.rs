//! `--dump-smt`: writes solver queries to files.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use clew_verifier::monitor::Queries;

use super::session;
use crate::exit::Failure;

/// A folder of queries, numbered from 1.
#[derive(Debug)]
pub struct QueryFiles {
    folder: PathBuf,
    count: AtomicU64,
    /// Whether a write has failed. No more queries are written then.
    failed: AtomicBool,
}

impl QueryFiles {
    /// Creates `folder` if necessary, and removes the queries of an earlier run from it.
    pub fn new(folder: &Path) -> Result<QueryFiles, Failure> {
        let files = QueryFiles { folder: folder.into(), count: AtomicU64::new(0), failed: AtomicBool::new(false) };
        let cannot = |error| Failure::Usage(format!("--dump-smt: cannot write to {}: {error}", folder.display()));
        files.clear().map_err(cannot)?;
        Ok(files)
    }

    fn clear(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if is_query(&path) {
                fs::remove_file(path)?;
            }
        }
        // Fail now if the folder is not writable, not after an hour.
        let first = self.path(1);
        fs::write(&first, "")?;
        fs::remove_file(first)
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{number:06}.smt2"))
    }

    /// Appends to a file. A failure only disables the dump.
    fn append(&self, number: u64, text: &str) {
        if self.failed.load(Ordering::Relaxed) {
            return;
        }
        let path = self.path(number);
        let file = OpenOptions::new().create(true).append(true).open(&path);
        if let Err(error) = file.and_then(|mut file| file.write_all(text.as_bytes()))
            && !self.failed.swap(true, Ordering::Relaxed)
            && let Some(session) = session::current()
        {
            let note = format!("clew: note: --dump-smt ends here: cannot write {}: {error}", path.display());
            session.progress.note(&note);
        }
    }
}

/// Whether the file has the name of a query file.
fn is_query(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.extension().is_some_and(|end| end == "smt2") && stem.len() >= 6 && stem.bytes().all(|b| b.is_ascii_digit())
}

impl Queries for QueryFiles {
    fn asked(&self, text: &str) -> u64 {
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        self.append(number, text);
        number
    }

    fn answered(&self, number: u64, answer: &str) {
        // The solver's reason may contain line breaks, which would end the comment.
        self.append(number, &format!("; {}\n", answer.replace(['\n', '\r'], " ")));
    }
}
