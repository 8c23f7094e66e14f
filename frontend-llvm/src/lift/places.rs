//! Places of the source for instructions.

use clew_verifier::cfa::{SourceId, SourcePlace};

use super::Lifter;
use crate::compile::is_model_file;
use crate::ir::{Place, Value};

impl Lifter {
    /// Where an instruction stands, as the programmer sees it: inside of a library model, where that was called.
    pub(super) fn place_of(&mut self, instruction: Value) -> SourceId {
        instruction.place().map_or(SourceId::NONE, |place| self.intern_place(place, instruction))
    }

    fn intern_place(&mut self, place: Place, value: Value) -> SourceId {
        if let Some(&known) = self.places.get(&place) {
            return known;
        }
        let inlined_at = place.inlined_at().map_or(SourceId::NONE, |at| self.intern_place(at, value));
        let path = place.file();
        let id = if inlined_at != SourceId::NONE && is_model_file(&path) {
            inlined_at
        } else {
            let file = self.builder.sources.file(&path);
            let function = place.function(value).unwrap_or_default().into();
            let place = SourcePlace { file, line: place.line(), column: place.column(), function, inlined_at };
            self.builder.sources.intern(place)
        };
        self.places.insert(place, id);
        id
    }
}
