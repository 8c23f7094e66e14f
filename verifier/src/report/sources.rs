//! Access to source files. The verifier does no I/O, so the command implements it.

use super::Place;

/// The text of source files.
pub trait Sources {
    /// The line of a place; `None` if it cannot be read.
    fn line(&self, place: &Place<'_>) -> Option<String>;

    /// Whether listings omit this file, such as a model of the C library.
    fn is_hidden(&self, _path: &str) -> bool {
        false
    }

    /// Whether the place is in a library that comes with the system.
    fn is_library(&self, _place: &Place<'_>) -> bool {
        false
    }
}

impl<F: Fn(&str, u32) -> Option<String>> Sources for F {
    fn line(&self, place: &Place<'_>) -> Option<String> {
        self(place.file, place.line)
    }
}
