//! Precisions without their domain, as text and JSON.

use std::fmt::Write;

use serde_json::{Value, json as object};

use super::Names;
use crate::cfa::{FuncId, LocId};

/// What an analysis keeps of states.
#[derive(Debug)]
pub enum Precision {
    /// All that it can.
    Everything,
    /// These, in the order of the program; nothing elsewhere.
    These(Vec<(Scope, Vec<String>)>),
}

/// Where something is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// At a location.
    Location(LocId),
    /// In a function.
    Function(FuncId),
    /// Everywhere.
    Global,
}

impl Precision {
    /// One line for each scope: `main: flag`.
    pub fn text(&self, names: &Names<'_>) -> String {
        let Precision::These(scopes) = self else { return "everywhere: all that has a value\n".into() };
        if scopes.is_empty() {
            return "nothing is tracked\n".into();
        }
        let mut out = String::new();
        for (scope, tracked) in scopes {
            let scope = match *scope {
                Scope::Location(location) => names.location(location),
                Scope::Function(function) => names.outside.function(function).into(),
                Scope::Global => "everywhere".into(),
            };
            let _ = writeln!(out, "{scope}: {}", tracked.join(", "));
        }
        out
    }

    /// The same for programs.
    pub fn json(&self, names: &Names<'_>) -> Value {
        let Precision::These(scopes) = self else { return object!({ "everything": true, "scopes": [] }) };
        let scope = |(scope, tracked): &(Scope, Vec<String>)| {
            let (function, location) = match *scope {
                Scope::Location(location) => (Some(names.function(location)), Some(names.number(location))),
                Scope::Function(function) => (Some(names.outside.function(function)), None),
                Scope::Global => (None, None),
            };
            object!({ "function": function, "location": location, "tracked": tracked })
        };
        object!({ "everything": false, "scopes": scopes.iter().map(scope).collect::<Vec<_>>() })
    }
}
