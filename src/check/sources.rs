//! The source files of a program.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;

use clew_frontend_llvm::compile::is_model_file;
use clew_verifier::report;

/// Source files, read on demand and cached.
#[derive(Default, Debug)]
pub struct Sources {
    files: RefCell<BTreeMap<String, Vec<String>>>,
}

impl report::Sources for Sources {
    fn line(&self, file: &str, line: u32) -> Option<String> {
        let mut files = self.files.borrow_mut();
        let lines = files.entry(file.into()).or_insert_with(|| {
            let bytes = fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect()
        });
        lines.get((line as usize).checked_sub(1)?).cloned()
    }

    fn is_hidden(&self, file: &str) -> bool {
        is_model_file(file)
    }
}
