//! Precisions without their domain, as text and JSON.

use std::fmt::Write;

use serde_json::{Value, json as object};

use super::Names;
use crate::cfa::print::Printer;
use crate::cfa::{FuncId, LocId};
use crate::cpa::sharing::Sharing;

/// What an analysis keeps of states.
#[derive(Debug, Default)]
pub struct Precision {
    /// Is all tracked that has a value?
    pub everything: bool,
    /// What is tracked, in the order of the program; nothing else is.
    pub scopes: Vec<(Scope, Vec<String>)>,
    /// What has left the precision.
    pub moved: Vec<Moved>,
}

/// A variable, or a cell of memory, that has left one precision for another.
#[derive(Debug)]
pub struct Moved {
    /// Its name.
    pub name: String,
    /// Where it had too many values.
    pub location: LocId,
    /// How many are allowed along a path.
    pub threshold: u32,
}

/// Where something is tracked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// At a location.
    Location(LocId),
    /// In a function.
    Function(FuncId),
    /// Everywhere.
    Global,
}

impl Scope {
    /// The scope of a set of a precision that is shared, by its number.
    pub(super) fn of(sharing: Sharing, number: u32) -> Scope {
        match sharing {
            Sharing::Location => Scope::Location(LocId(number)),
            Sharing::Function => Scope::Function(FuncId(number)),
            Sharing::Global => Scope::Global,
        }
    }

    /// How names are written there.
    pub(super) fn printer<'n>(self, names: &'n Names<'_>) -> &'n Printer<'n> {
        match self {
            Scope::Location(location) => names.inside(location),
            Scope::Function(function) => names.inside(names.program.function(function).entry),
            Scope::Global => &names.outside,
        }
    }
}

impl Precision {
    /// All that has a value.
    pub(super) fn everything() -> Precision {
        Precision { everything: true, ..Precision::default() }
    }

    /// Only these.
    pub(super) fn these(scopes: Vec<(Scope, Vec<String>)>) -> Precision {
        Precision { scopes, ..Precision::default() }
    }

    /// The same, with what another domain tracks.
    pub(super) fn with(mut self, other: Precision) -> Precision {
        for (scope, tracked) in other.scopes {
            match self.scopes.iter_mut().find(|(there, _)| *there == scope) {
                Some((_, already)) => already.extend(tracked),
                None => self.scopes.push((scope, tracked)),
            }
        }
        self.scopes.sort_by_key(|&(scope, _)| scope);
        self
    }

    /// One line for each scope: `main: flag`.
    pub fn text(&self, names: &Names<'_>) -> String {
        let mut out = String::new();
        if self.everything {
            out += "everywhere: all that has a value\n";
        } else if self.scopes.is_empty() && self.moved.is_empty() {
            out += "nothing is tracked\n";
        }
        for (scope, tracked) in &self.scopes {
            let scope = match *scope {
                Scope::Location(location) => names.location(location),
                Scope::Function(function) => names.outside.function(function).into(),
                Scope::Global => "everywhere".into(),
            };
            let _ = writeln!(out, "{scope}: {}", tracked.join(", "));
        }
        for Moved { name, location, threshold } in &self.moved {
            let place = names.location(*location);
            let _ = writeln!(out, "left to predicates: {name}, which has more than {threshold} values at {place}");
        }
        out
    }

    /// The same for programs.
    pub fn json(&self, names: &Names<'_>) -> Value {
        let scope = |(scope, tracked): &(Scope, Vec<String>)| {
            let (function, location) = match *scope {
                Scope::Location(location) => (Some(names.function(location)), Some(names.number(location))),
                Scope::Function(function) => (Some(names.outside.function(function)), None),
                Scope::Global => (None, None),
            };
            object!({ "function": function, "location": location, "tracked": tracked })
        };
        let moved = |Moved { name, location, threshold }: &Moved| {
            let (function, location) = (names.function(*location), names.number(*location));
            object!({ "name": name, "function": function, "location": location, "threshold": threshold })
        };
        object!({
            "everything": self.everything,
            "scopes": self.scopes.iter().map(scope).collect::<Vec<_>>(),
            "moved": self.moved.iter().map(moved).collect::<Vec<_>>(),
        })
    }
}
