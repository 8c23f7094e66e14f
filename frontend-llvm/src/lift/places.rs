//! Places of the source for instructions.

use clew_verifier::cfa::{FileId, SourceId, SourcePlace};

use super::Lifter;
use crate::compile::is_model_file;
use crate::ir::{Place, PlaceScope, Value};

/// A block of the source.
#[derive(Clone)]
pub(super) struct ScopeInfo {
    file: FileId,
    function: Box<str>,
    is_model: bool,
}

impl Lifter {
    /// Where an instruction stands, as the programmer sees it: inside of a library model, where that was called.
    pub(super) fn place_of(&mut self, instruction: Value) -> SourceId {
        instruction.place().map_or(SourceId::NONE, |place| self.intern_place(place, instruction))
    }

    /// What is known of a block of the source; finding out is slow, and there are few of them.
    fn scope(&mut self, scope: PlaceScope, value: Value) -> ScopeInfo {
        if let Some(known) = self.scopes.get(&scope) {
            return known.clone();
        }
        let path = scope.file();
        let info = ScopeInfo {
            file: self.builder.sources.file(&path),
            function: scope.function(value).unwrap_or_default().into(),
            is_model: is_model_file(&path) || is_model_file(&scope.directory()),
        };
        self.scopes.insert(scope, info.clone());
        info
    }

    fn intern_place(&mut self, place: Place, value: Value) -> SourceId {
        if let Some(&known) = self.places.get(&place) {
            return known;
        }
        let inlined_at = place.inlined_at().map_or(SourceId::NONE, |at| self.intern_place(at, value));
        let scope = self.scope(place.scope(), value);
        let id = if inlined_at != SourceId::NONE && scope.is_model {
            inlined_at
        } else {
            let (file, function) = (scope.file, scope.function);
            let place = SourcePlace { file, line: place.line(), column: place.column(), function, inlined_at };
            self.builder.sources.intern(place)
        };
        self.places.insert(place, id);
        id
    }
}
