//! Places in the source, as verdicts name them.

use std::fmt;

use clew_verifier::cfa::path::Step;
use clew_verifier::cfa::{LocationKind, Program, Property, SourceId};
use serde::Serialize;

/// A place in the source.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub struct Place<'p> {
    /// The file.
    pub file: &'p str,
    /// The line, from 1; 0 if it is not known.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
    /// The function that the source shows there.
    pub function: &'p str,
}

impl<'p> Place<'p> {
    /// The place behind an id, if there is one.
    pub fn of(program: &'p Program, id: SourceId) -> Option<Place<'p>> {
        let place = program.sources.place(id)?;
        Some(Place {
            file: program.sources.path(place.file),
            line: place.line,
            column: place.column,
            function: &place.function,
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

/// The property that is violated where `path` ends.
pub fn violated<'p>(program: &'p Program, path: &[Step]) -> Option<&'p Property> {
    let end = path.last()?.target(program);
    match &program.location(end).kind {
        LocationKind::Error(property) => Some(property),
        _ => None,
    }
}
