//! The text of the source files that a program was made of.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;

use clew_verifier::evidence;

/// Source files, read when they are asked for.
#[derive(Default, Debug)]
pub struct Sources {
    files: RefCell<BTreeMap<String, Vec<String>>>,
}

impl Sources {
    /// The text of a line, from 1; none if the file is not there any more.
    pub fn line(&self, file: &str, line: u32) -> Option<String> {
        let mut files = self.files.borrow_mut();
        let lines = files.entry(file.into()).or_insert_with(|| {
            let bytes = fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect()
        });
        lines.get((line as usize).checked_sub(1)?).cloned()
    }
}

impl evidence::Sources for Sources {
    fn line(&self, path: &str, line: u32) -> Option<String> {
        Sources::line(self, path, line)
    }
}
