//! States and precisions of a domain as text, in terms of the source.

use super::Cpa;
use super::sharing::Sharing;
use crate::cfa::{FuncId, LocId};
use crate::print::{Names, Printer};

/// A domain that can show its states and precisions.
pub trait Show: Cpa {
    /// The facts that a state holds, such as `x = 0`.
    fn facts(&self, state: &Self::State, precision: &Self::Precision, printer: &Printer<'_>) -> Vec<String>;

    /// The facts that a precision tracks; by default everything.
    fn tracked(&self, _precision: &Self::Precision, _names: &Names<'_>) -> Tracked {
        Tracked::everything()
    }
}

/// The facts that a precision tracks.
#[derive(Debug, Default)]
pub struct Tracked {
    /// Whether everything with a value is tracked.
    pub everything: bool,
    /// The tracked variables and predicates by scope, in the order of the program.
    pub scopes: Vec<(Scope, Vec<String>)>,
    /// Variables and cells dropped from the value domain.
    pub dropped: Vec<Dropped>,
}

/// A variable, or a cell of memory, that was dropped from the value domain.
#[derive(Debug)]
pub struct Dropped {
    /// Its name.
    pub name: String,
    /// The loop head where it had too many values.
    pub location: LocId,
    /// The number of values that is allowed along a path.
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
    /// The scope of a set of a shared precision, by its number.
    pub fn of(sharing: Sharing, number: u32) -> Scope {
        match sharing {
            Sharing::Location => Scope::Location(LocId(number)),
            Sharing::Function => Scope::Function(FuncId(number)),
            Sharing::Global => Scope::Global,
        }
    }

    /// The printer for names in this scope.
    pub fn printer<'n>(self, names: &'n Names<'_>) -> &'n Printer<'n> {
        match self {
            Scope::Location(location) => names.inside(location),
            Scope::Function(function) => names.inside(names.program.function(function).entry),
            Scope::Global => &names.outside,
        }
    }
}

impl Tracked {
    /// Everything with a value.
    pub fn everything() -> Tracked {
        Tracked { everything: true, ..Tracked::default() }
    }

    /// Only the listed facts.
    pub fn these(scopes: Vec<(Scope, Vec<String>)>) -> Tracked {
        Tracked { scopes, ..Tracked::default() }
    }

    /// Adds what another domain tracks.
    pub fn with(mut self, other: Tracked) -> Tracked {
        for (scope, tracked) in other.scopes {
            match self.scopes.iter_mut().find(|(there, _)| *there == scope) {
                Some((_, already)) => already.extend(tracked),
                None => self.scopes.push((scope, tracked)),
            }
        }
        self.scopes.sort_by_key(|&(scope, _)| scope);
        self
    }
}
