//! Properties in reports.

use serde::Serialize;

use crate::cfa::path::Step;
use crate::cfa::{LocationKind, Program, Property};

/// A property that is, or may be, violated.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub struct Claim<'a> {
    /// The name of its kind.
    pub kind: &'a str,
    /// The description of the violation.
    pub message: &'a str,
}

impl<'a> Claim<'a> {
    pub(super) fn of(property: &'a Property) -> Claim<'a> {
        Claim { kind: property.kind.name(), message: &property.message }
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
