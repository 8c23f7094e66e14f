//! A violation for people: the property first, with its place in the source, then the path that leads there.

use std::io::{self, Write};

use clew_verifier::cfa::{Program, Property};
use clew_verifier::evidence::Counterexample;

use super::place::{Place, violated};
use super::trail::{self, Sources};

/// Writes all that is known about a violation.
pub fn write(out: &mut impl Write, program: &Program, found: &Counterexample) -> io::Result<()> {
    if let Some(property) = violated(program, &found.path) {
        headline(out, program, property)?;
    }
    writeln!(out, "path:")?;
    trail::write(out, &trail::lines(program, &found.path))
}

/// The violated property, and the line where it is violated.
fn headline(out: &mut impl Write, program: &Program, property: &Property) -> io::Result<()> {
    writeln!(out, "violated: {}", sentence(program, property))?;
    let Some(place) = Place::of(program, property.place) else { return Ok(()) };
    let mut sources = Sources::default();
    let Some(text) = sources.line(place.file, place.line) else { return Ok(()) };
    let number = place.line.to_string();
    writeln!(out, "{number} | {text}")?;
    if place.column == 0 {
        return Ok(());
    }
    // Tabs stay, so that the mark stands below its column.
    let before = text.chars().take(place.column as usize - 1).map(|c| if c == '\t' { '\t' } else { ' ' });
    let blank = " ".repeat(number.len());
    writeln!(out, "{blank} | {}^", before.collect::<String>())
}

/// The violated property in one line.
pub fn sentence(program: &Program, property: &Property) -> String {
    let place = Place::of(program, property.place).map_or(String::new(), |place| format!(", at {place}"));
    format!("{}: {}{place}", property.kind, property.message)
}
