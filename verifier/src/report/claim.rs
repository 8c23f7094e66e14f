//! Properties in reports.

use std::borrow::Cow;

use serde::Serialize;

use super::snippet::{extent, line_of};
use super::{Place, Sources};
use crate::cfa::path::Step;
use crate::cfa::{LocationKind, Program, Property};

/// A property that is, or may be, violated.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Claim<'a> {
    /// The name of its kind.
    pub kind: &'a str,
    /// The description of the violation.
    pub message: Cow<'a, str>,
}

/// Functions whose argument is the claim.
const CLAIMING: [&str; 2] = ["__VERIFIER_assert", "__CPROVER_assert"];

impl<'a> Claim<'a> {
    pub(super) fn of(property: &'a Property) -> Claim<'a> {
        Claim { kind: property.kind.name(), message: Cow::Borrowed(&property.message) }
    }

    /// Adds the text of the claim, where it is the argument of a call in the source.
    pub(super) fn with_text(mut self, place: Option<&Place<'_>>, sources: &dyn Sources) -> Claim<'a> {
        let text = place.and_then(|place| {
            let line = line_of(place, sources)?;
            argument(&line[extent(&line, place.column)]).map(str::to_string)
        });
        // A message with a colon has a text of its own.
        if let Some(text) = text.filter(|_| !self.message.contains(": ")) {
            self.message = format!("{}: {text}", self.message).into();
        }
        self
    }
}

/// The property that is violated where `path` ends.
pub(super) fn violated<'p>(program: &'p Program, path: &[Step]) -> Option<&'p Property> {
    let end = path.last()?.target(program);
    match &program.location(end).kind {
        LocationKind::Error(property) => Some(property),
        _ => None,
    }
}

/// The claim of a call, its first argument.
fn argument(call: &str) -> Option<&str> {
    let arguments = CLAIMING.iter().find_map(|name| call.strip_prefix(name))?.trim_start().strip_prefix('(')?;
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (at, c) in arguments.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ',' | ')') if depth == 0 => return Some(arguments[..at].trim()).filter(|text| !text.is_empty()),
            (None, ')' | ']' | '}') => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::argument;

    #[test]
    fn arguments() {
        assert_eq!(argument("__VERIFIER_assert(x == 0)"), Some("x == 0"));
        assert_eq!(argument("__CPROVER_assert(f(a, b)[1] < 2, \"a, b\")"), Some("f(a, b)[1] < 2"));
        assert_eq!(argument("__VERIFIER_assert( c != ')' )"), Some("c != ')'"));
        assert_eq!(argument("__VERIFIER_assert()"), None);
        assert_eq!(argument("__VERIFIER_assert"), None);
        assert_eq!(argument("check(x)"), None);
    }
}
