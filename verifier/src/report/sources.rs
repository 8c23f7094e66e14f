//! Access to source files. The verifier does no I/O, so the command implements it.

/// The text of source files.
pub trait Sources {
    /// A line of a file, numbered from 1; `None` if it cannot be read.
    fn line(&self, path: &str, line: u32) -> Option<String>;

    /// Whether listings omit this file, such as a model of the C library.
    fn is_hidden(&self, _path: &str) -> bool {
        false
    }
}

impl<F: Fn(&str, u32) -> Option<String>> Sources for F {
    fn line(&self, path: &str, line: u32) -> Option<String> {
        self(path, line)
    }
}
