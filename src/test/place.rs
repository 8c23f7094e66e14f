//! Places in manifests and headers of harnesses, for messages.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The file.
    pub file: PathBuf,
    /// Its number, from 1.
    pub number: usize,
}

impl Line {
    /// The line of `text`, the contents of `file`, at a byte.
    pub fn at(file: &Path, text: &str, byte: usize) -> Line {
        let before = text.as_bytes().iter().take(byte);
        Line { file: file.into(), number: 1 + before.filter(|&&byte| byte == b'\n').count() }
    }

    /// An error in this line.
    pub fn error(&self, message: impl fmt::Display) -> Failure {
        Failure::Usage(format!("{self}: {message}"))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.number)
    }
}
