//! Bitcode embedded in objects, executables, libraries and archives.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use clew_clang::section::{MODULES, OFFERED, modules_of_lto_object};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

use super::error::LoadError;
use super::input::{Bitcode, is_bitcode};

/// Sections with bitcode, from `clew-cc`, `clang -fembed-bitcode` and `clang -ffat-lto-objects`. If an object has
/// several, they hold the same code, so the first one is used.
const SECTIONS: [&str; 3] = [MODULES, ".llvmbc", ".llvm.lto"];

pub fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7FELF")
}

pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"!<arch>\n") || bytes.starts_with(b"!<thin>\n")
}

/// The modules in an object, executable or shared library; at least one.
pub fn from_object(bytes: &[u8], name: &str) -> Result<Vec<Bitcode>, LoadError> {
    let damaged = |error: object::Error| LoadError::BadObject { file: name.into(), message: error.to_string() };
    let object = object::File::parse(bytes).map_err(damaged)?;
    let mut modules = Vec::new();
    if let Some(section) = SECTIONS.iter().find_map(|name| object.section_by_name(name)) {
        modules = named(split(section.data().map_err(damaged)?, name)?, name, false);
    }
    if let Some(section) = object.section_by_name(OFFERED) {
        let offered = split(section.data().map_err(damaged)?, name)?;
        modules.extend(named(offered, &format!("{name}, library"), true));
    }
    if modules.is_empty() { Err(LoadError::NoBitcode(name.into())) } else { Ok(modules) }
}

/// The modules of a file of bitcode: itself, or those that the compiler's wrapper has added to an object of `-flto`.
pub fn from_bitcode(bytes: Vec<u8>, name: &str) -> Result<Vec<Bitcode>, LoadError> {
    match modules_of_lto_object(&bytes) {
        Some(added) => Ok(named(split(added, name)?, name, false)),
        None => Ok(vec![Bitcode { origin: name.into(), bytes, is_offered: false }]),
    }
}

/// Modules with names for the user.
fn named(modules: Vec<&[u8]>, name: &str, is_offered: bool) -> Vec<Bitcode> {
    let count = modules.len();
    let origin = |i: usize| if count == 1 { name.into() } else { format!("{name} (module {})", i + 1) };
    let module = |(i, bytes): (usize, &[u8])| Bitcode { origin: origin(i), bytes: bytes.to_vec(), is_offered };
    modules.into_iter().enumerate().map(module).collect()
}

/// Whether this is a program or a shared library.
pub fn is_linked(bytes: &[u8]) -> bool {
    use object::ObjectKind::{Dynamic, Executable};
    object::File::parse(bytes).is_ok_and(|object| matches!(object.kind(), Executable | Dynamic))
}

/// The functions that the machine code of an object, executable or library defines for others. None for a program that is
/// linked statically, which has the whole C library in it.
pub fn functions(bytes: &[u8]) -> BTreeSet<String> {
    let Ok(object) = object::File::parse(bytes) else { return BTreeSet::new() };
    if is_linked(bytes) && object.section_by_name(".dynamic").is_none() {
        return BTreeSet::new();
    }
    let symbols = object.symbols().filter(|s| s.is_definition() && s.is_global() && s.kind() == SymbolKind::Text);
    symbols.filter_map(|symbol| Some(symbol.name().ok()?.to_string())).collect()
}

/// The modules in the members of an archive. Members without bitcode are listed in `tolerated`: their functions are
/// external.
pub fn from_archive(bytes: &[u8], path: &Path, tolerated: &mut Vec<String>) -> Result<Vec<Bitcode>, LoadError> {
    let name = path.display().to_string();
    let damaged = |message: String| LoadError::BadObject { file: name.clone(), message };
    let archive = ArchiveFile::parse(bytes).map_err(|e| damaged(e.to_string()))?;
    let (mut modules, mut without) = (Vec::new(), Vec::new());
    for member in archive.members() {
        let member = member.map_err(|e| damaged(e.to_string()))?;
        let member_name = String::from_utf8_lossy(member.name()).into_owned();
        let origin = format!("{name}({member_name})");
        let contents = if archive.is_thin() {
            // A thin archive has the paths of its members, relative to itself.
            let path = path.parent().unwrap_or(Path::new("")).join(&member_name);
            fs::read(&path).map_err(|error| LoadError::Unreadable { path, error })?
        } else {
            member.data(bytes).map_err(|e| damaged(e.to_string()))?.to_vec()
        };
        let found = if is_bitcode(&contents) {
            from_bitcode(contents, &origin)
        } else if is_elf(&contents) {
            from_object(&contents, &origin)
        } else {
            Err(LoadError::NoBitcode(origin))
        };
        match found {
            Ok(found) => modules.extend(found.into_iter().map(|module| Bitcode { is_offered: true, ..module })),
            Err(LoadError::NoBitcode(origin)) => without.push(origin),
            Err(error) => return Err(error),
        }
    }
    if modules.is_empty() {
        return Err(LoadError::NoBitcode(name));
    }
    tolerated.extend(without.iter().map(|origin| format!("{origin}: carries no bitcode, its functions are external")));
    Ok(modules)
}

/// Splits a section into modules: linkers concatenate the sections of several objects, with padding.
fn split<'a>(section: &'a [u8], name: &str) -> Result<Vec<&'a [u8]>, LoadError> {
    let damaged = |message: &str| LoadError::BadObject { file: name.into(), message: message.into() };
    let mut modules = Vec::new();
    let mut rest = section;
    loop {
        let padding = rest.iter().take_while(|&&b| b == 0).count();
        rest = &rest[padding..];
        if rest.is_empty() {
            return Ok(modules);
        }
        if !rest.starts_with(b"BC\xC0\xDE") {
            return Err(damaged("its bitcode section holds something else"));
        }
        let length = module_length(rest).ok_or_else(|| damaged("its bitcode section ends too early"))?;
        modules.push(&rest[..length]);
        rest = &rest[length..];
    }
}

/// The length of the module at the start of `bytes`: the magic number and the top-level blocks that follow. A block
/// starts with a word whose low two bits are 1 (ENTER_SUBBLOCK), followed by the length of its contents in words.
fn module_length(bytes: &[u8]) -> Option<usize> {
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let mut end = 4;
    while let Some(header) = word(end) {
        if header & 3 != 1 {
            break;
        }
        let next = end.checked_add(8)?.checked_add(4 * word(end + 4)? as usize)?;
        if next > bytes.len() {
            return None;
        }
        end = next;
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module of one block with the given contents.
    fn module(words: &[u32]) -> Vec<u8> {
        let mut bytes = b"BC\xC0\xDE".to_vec();
        for word in [0x0035_1401, words.len() as u32].iter().chain(words) {
            bytes.extend(word.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn concatenated_modules_are_split() {
        let (one, two) = (module(&[7, 1]), module(&[9]));
        let section = [one.as_slice(), &[0; 12], &two, &two].concat();
        assert_eq!(split(&section, "f").unwrap(), [one.as_slice(), &two, &two]);
    }

    #[test]
    fn damaged_sections_are_errors() {
        let whole = module(&[7, 1]);
        assert!(split(&whole[..whole.len() - 1], "f").is_err());
        assert!(split(b"hello", "f").is_err());
        assert!(split(&[0; 8], "f").unwrap().is_empty());
    }
}
