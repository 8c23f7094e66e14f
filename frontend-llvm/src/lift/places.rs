//! Source positions of instructions.

use clew_verifier::cfa::{FileId, SourceId, SourcePlace};

use super::{Lifter, environment};
use crate::compile::is_model_file;
use crate::entry;
use crate::ir::{DebugLocation, DebugScope, Value};

/// A lexical scope of the source.
#[derive(Clone)]
pub(super) struct ScopeInfo {
    file: FileId,
    function: Box<str>,
    is_model: bool,
    /// Whether it is a part of the model of input streams.
    is_input: bool,
}

/// The headers that model reading from streams.
const INPUT: [&str; 4] = ["/bits/clew_input.h", "/fstream", "/istream", "/streambuf"];

/// The function of these that makes up texts, which allows more than can be read: lines that have ends of lines in them.
const LOOSE_TEXT: &str = "__any_text";

/// Library functions that make sense only if there are several threads or signals.
const CONCURRENT: [&str; 7] = ["cnd_", "mtx_", "pthread_", "raise", "sem_", "sig", "tss_"];

impl Lifter {
    /// The library function whose model an instruction belongs to, as the program has called it.
    pub(super) fn library_function(&mut self, instruction: Value) -> Option<Box<str>> {
        let mut called = None;
        let mut location = instruction.debug_location();
        while let Some(at) = location {
            let scope = self.scope(at.scope(), instruction);
            if !scope.is_model {
                break;
            }
            called = Some(scope.function);
            location = at.inlined_at();
        }
        // Models call helpers of their own names, and the start of the program calls some.
        called.filter(|name| !name.starts_with("__clew_"))
    }

    /// The source position of an instruction from the user's view: code inlined from a model has the position of the
    /// call.
    pub(super) fn place_of(&mut self, instruction: Value) -> SourceId {
        // What makes the arguments of an entry has no source, and calls models.
        let location = instruction.debug_location().filter(|_| instruction.function().name() != entry::NAME);
        location.map_or(SourceId::NONE, |location| self.intern_location(location, instruction))
    }

    /// The same, or the function that `instruction` calls or is a part of.
    pub(super) fn called_function(&mut self, instruction: Value) -> Box<str> {
        if let Some(at) = instruction.debug_location() {
            let scope = self.scope(at.scope(), instruction);
            if scope.is_input {
                let is_text = scope.function.starts_with(LOOSE_TEXT);
                return if is_text { environment::STREAM_TEXT } else { environment::STREAM }.into();
            }
        }
        let name = self.library_function(instruction);
        let callee = || if Lifter::is_call(instruction) { instruction.callee() } else { instruction.function() };
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| callee().name().into())
    }

    /// Information about a scope, cached because it is slow to compute.
    fn scope(&mut self, scope: DebugScope, value: Value) -> ScopeInfo {
        if let Some(known) = self.scopes.get(&scope) {
            return known.clone();
        }
        let (path, directory) = (scope.file(value), scope.directory());
        let info = ScopeInfo {
            file: self.builder.sources.file_in(&directory, &path),
            function: scope.function(value).unwrap_or_default().into(),
            is_model: is_model_file(&path) || is_model_file(&directory),
            is_input: is_model_file(&path) && INPUT.iter().any(|file| path.ends_with(file)),
        };
        if info.is_model && CONCURRENT.iter().any(|prefix| info.function.starts_with(prefix)) {
            self.is_concurrent = true;
        }
        self.scopes.insert(scope, info.clone());
        info
    }

    fn intern_location(&mut self, location: DebugLocation, value: Value) -> SourceId {
        if let Some(&known) = self.source_ids.get(&location) {
            return known;
        }
        let inlined_at = location.inlined_at().map_or(SourceId::NONE, |at| self.intern_location(at, value));
        let scope = self.scope(location.scope(), value);
        let id = if inlined_at != SourceId::NONE && scope.is_model {
            inlined_at
        } else {
            let (file, function) = (scope.file, scope.function);
            let place = SourcePlace { file, line: location.line(), column: location.column(), function, inlined_at };
            self.builder.sources.intern(place)
        };
        self.source_ids.insert(location, id);
        id
    }
}
