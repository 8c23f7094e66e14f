//! Places in the source.

use std::fmt;

use serde::Serialize;

use crate::cfa::{Program, SourceId};

/// A place in the source.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub struct Place<'p> {
    /// The file.
    pub file: &'p str,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// The enclosing function in the source.
    pub function: &'p str,
    /// The directory that the file is relative to; empty if it is not known.
    #[serde(skip)]
    pub directory: &'p str,
}

impl<'p> Place<'p> {
    /// The place with this id, if it has one.
    pub(super) fn of(program: &'p Program, id: SourceId) -> Option<Place<'p>> {
        let place = program.sources.place(id)?;
        Some(Place {
            file: program.sources.path(place.file),
            line: place.line,
            column: place.column,
            function: &place.function,
            directory: program.sources.directory(place.file),
        })
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file)?;
        for number in [self.line, self.column] {
            if number == 0 {
                break;
            }
            write!(f, ":{number}")?;
        }
        Ok(())
    }
}
