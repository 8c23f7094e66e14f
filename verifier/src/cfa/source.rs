//! Source positions: files, lines, columns and the frames of inlined code.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A source file of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// The name of a source file.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
struct File {
    /// Where the compiler ran.
    directory: Box<str>,
    /// The path, as it was given to the compiler.
    path: Box<str>,
}

/// A position in the source, interned in a [`SourceMap`]; `SourceId::NONE` if there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct SourceId(pub u32);

impl SourceId {
    /// The position of code without a counterpart in the source.
    pub const NONE: SourceId = SourceId(0);
}

/// A position in the source.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SourcePlace {
    /// The file.
    pub file: FileId,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// The source function at this position, which differs from that of the CFA if it was inlined.
    pub function: Box<str>,
    /// The call site if the function was inlined, else `NONE`.
    pub inlined_at: SourceId,
}

/// All files and source positions of a program.
#[derive(Clone, Debug)]
pub struct SourceMap {
    files: Vec<File>,
    file_ids: FxHashMap<File, FileId>,
    places: Vec<SourcePlace>,
    ids: FxHashMap<SourcePlace, SourceId>,
}

impl Default for SourceMap {
    fn default() -> Self {
        let nowhere =
            SourcePlace { file: FileId(0), line: 0, column: 0, function: "".into(), inlined_at: SourceId::NONE };
        SourceMap {
            files: vec![File::default()],
            file_ids: FxHashMap::default(),
            places: vec![nowhere],
            ids: FxHashMap::default(),
        }
    }
}

impl SourceMap {
    /// The id of the file at `path`.
    pub fn file(&mut self, path: &str) -> FileId {
        self.file_in("", path)
    }

    /// The id of the file at `path`, which is relative to `directory` unless it is absolute.
    pub fn file_in(&mut self, directory: &str, path: &str) -> FileId {
        let directory = if path.starts_with('/') { "" } else { directory };
        let file = File { directory: directory.into(), path: path.into() };
        if let Some(&id) = self.file_ids.get(&file) {
            return id;
        }
        let id = FileId(self.files.len() as u32);
        self.files.push(file.clone());
        self.file_ids.insert(file, id);
        id
    }

    /// Interns `place`.
    pub fn intern(&mut self, place: SourcePlace) -> SourceId {
        if let Some(&id) = self.ids.get(&place) {
            return id;
        }
        let id = SourceId(self.places.len() as u32);
        self.places.push(place.clone());
        self.ids.insert(place, id);
        id
    }

    /// The position with this id; `None` for `SourceId::NONE`.
    pub fn place(&self, id: SourceId) -> Option<&SourcePlace> {
        (id != SourceId::NONE).then(|| &self.places[id.0 as usize])
    }

    /// The path of a file, as it was given to the compiler.
    pub fn path(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].path
    }

    /// The directory that the path of a file is relative to; empty if it is not known.
    pub fn directory(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].directory
    }

    /// `file:line:column` of a position, shortened to what is known.
    pub fn describe(&self, id: SourceId) -> String {
        match self.place(id) {
            None => "no source position".into(),
            Some(p) if p.line == 0 => self.path(p.file).into(),
            Some(p) if p.column == 0 => format!("{}:{}", self.path(p.file), p.line),
            Some(p) => format!("{}:{}:{}", self.path(p.file), p.line, p.column),
        }
    }
}
