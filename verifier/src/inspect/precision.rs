//! Precisions as text and JSON.

use std::fmt::Write;

use serde_json::{Value, json as object};

use crate::cpa::show::{Dropped, Scope, Tracked};
use crate::print::Names;

impl Tracked {
    /// One line for each scope: `main: flag`.
    pub fn text(&self, names: &Names<'_>) -> String {
        let mut out = String::new();
        if self.everything {
            out += "everywhere: all that has a value\n";
        } else if self.scopes.is_empty() && self.dropped.is_empty() {
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
        for Dropped { name, location, threshold } in &self.dropped {
            let place = names.location(*location);
            let _ = writeln!(out, "left to predicates: {name}, which has more than {threshold} values at {place}");
        }
        out
    }

    /// The precision as JSON.
    pub fn json(&self, names: &Names<'_>) -> Value {
        let scope = |(scope, tracked): &(Scope, Vec<String>)| {
            let (function, location) = match *scope {
                Scope::Location(location) => (Some(names.function(location)), Some(names.number(location))),
                Scope::Function(function) => (Some(names.outside.function(function)), None),
                Scope::Global => (None, None),
            };
            object!({ "function": function, "location": location, "tracked": tracked })
        };
        let dropped = |Dropped { name, location, threshold }: &Dropped| {
            let (function, location) = (names.function(*location), names.number(*location));
            object!({ "name": name, "function": function, "location": location, "threshold": threshold })
        };
        object!({
            "everything": self.everything,
            "scopes": self.scopes.iter().map(scope).collect::<Vec<_>>(),
            "moved": self.dropped.iter().map(dropped).collect::<Vec<_>>(),
        })
    }
}
