//! Compares the files that clang has written with those of the wrapper: they differ in the bitcode of Clew alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use clew_clang::section::{MODULES, OFFERED, modules_of_lto_object};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, RelocationTarget, SectionKind, SymbolKind};

/// The files in a folder and below, by their paths in it.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).expect("a file can be read"));
        }
    }
    found
}

/// The differences between the files of clang and those of the wrapper.
pub fn differences(plain: &BTreeMap<String, Vec<u8>>, wrapped: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let names: BTreeSet<&String> = plain.keys().chain(wrapped.keys()).collect();
    let difference = |&name: &&String| match (plain.get(name), wrapped.get(name)) {
        (Some(plain), Some(wrapped)) => difference(plain, wrapped).map(|what| format!("{name}: {what}")),
        (Some(_), None) => Some(format!("{name}: only clang writes it")),
        _ => Some(format!("{name}: only the wrapper writes it")),
    };
    names.iter().filter_map(difference).collect()
}

fn difference(plain: &[u8], wrapped: &[u8]) -> Option<String> {
    if plain == wrapped {
        return None;
    }
    if wrapped.starts_with(b"\x7FELF") && plain.starts_with(b"\x7FELF") {
        return elf_difference(plain, wrapped);
    }
    if wrapped.starts_with(b"!<arch>\n") && plain.starts_with(b"!<arch>\n") {
        return archive_difference(plain, wrapped);
    }
    let is_extended = wrapped.starts_with(plain);
    let added = wrapped.get(plain.len()..).unwrap_or_default();
    match is_extended && (modules_of_lto_object(wrapped).is_some() || added.starts_with(section_directive().as_bytes()))
    {
        true => None,
        false => Some(format!("{} and {} bytes that differ", plain.len(), wrapped.len())),
    }
}

/// The first line of bitcode in assembly.
fn section_directive() -> String {
    format!("\t.section\t{MODULES},\"\",%progbits\n")
}

fn elf_difference(plain: &[u8], wrapped: &[u8]) -> Option<String> {
    let (Ok(plain), Ok(wrapped)) = (object::File::parse(plain), object::File::parse(wrapped)) else {
        return Some("an ELF file that is damaged".into());
    };
    // Names of sections may be in the table of the symbols' names. The sum of a program includes all of its sections.
    let is_about_names = |name: &str| [".strtab", ".shstrtab", ".note.gnu.build-id"].contains(&name);
    let sections = |file: &object::File<'_>| {
        let ours = [MODULES, OFFERED];
        let of_clang = file.sections().filter(|section| !ours.contains(&section.name().unwrap_or("")));
        let describe = |section: object::Section<'_, '_>| {
            let name = section.name().unwrap_or("?").to_string();
            let is_loaded = section.address() != 0;
            let data = section.data().map(<[u8]>::to_vec).unwrap_or_default();
            let is_elsewhere = is_about_names(&name) || matches!(section.kind(), SectionKind::Metadata);
            let data = if is_elsewhere { Vec::new() } else { data };
            (name, section.flags(), section.address(), section.align(), is_loaded, data)
        };
        of_clang.map(describe).collect::<Vec<_>>()
    };
    let segments = |file: &object::File<'_>| {
        file.segments().map(|segment| (segment.address(), segment.size(), segment.file_range())).collect::<Vec<_>>()
    };
    let (ours, theirs) = (sections(&wrapped), sections(&plain));
    let names = |sections: &[(String, _, _, _, _, _)]| sections.iter().map(|s| s.0.clone()).collect::<Vec<_>>();
    if names(&ours) != names(&theirs) {
        return Some(format!("sections {:?} instead of {:?}", names(&ours), names(&theirs)));
    }
    if let Some((section, _)) = ours.iter().zip(&theirs).find(|(ours, theirs)| ours != theirs) {
        return Some(format!("another section {}", section.0));
    }
    if symbols(&plain) != symbols(&wrapped) || relocations(&plain) != relocations(&wrapped) {
        return Some("other symbols or relocations".into());
    }
    let is_loaded = wrapped.sections().any(|section| {
        [MODULES, OFFERED].contains(&section.name().unwrap_or(""))
            && (section.address() != 0 || section.kind() == SectionKind::Data)
    });
    let same = segments(&plain) == segments(&wrapped) && plain.entry() == wrapped.entry() && !is_loaded;
    (!same).then(|| "other segments".into())
}

/// The symbols of a file. Their numbers depend on how many sections there are.
fn symbols(file: &object::File<'_>) -> BTreeSet<String> {
    let is_named = |symbol: &object::Symbol<'_, '_>| symbol.kind() != SymbolKind::Section;
    file.symbols().filter(is_named).map(|symbol| describe(file, &symbol)).collect()
}

/// The relocations of a file, by section.
fn relocations(file: &object::File<'_>) -> Vec<String> {
    let of_section = |section: object::Section<'_, '_>| {
        let name = section.name().unwrap_or("?").to_string();
        let relocations = section.relocations().map(move |(offset, relocation)| {
            let target = match relocation.target() {
                RelocationTarget::Symbol(index) => {
                    file.symbol_by_index(index).map(|symbol| describe(file, &symbol)).ok()
                }
                other => Some(format!("{other:?}")),
            };
            format!("{name} {offset} {:?} {} {target:?}", relocation.flags(), relocation.addend())
        });
        relocations.collect::<Vec<_>>()
    };
    file.sections().flat_map(of_section).collect()
}

fn describe(file: &object::File<'_>, symbol: &object::Symbol<'_, '_>) -> String {
    let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
    let section = section.as_ref().and_then(|section| section.name().ok()).unwrap_or("");
    let kind = (symbol.kind(), symbol.scope(), symbol.is_weak());
    format!("{:?} {} {} {kind:?} {section}", symbol.name(), symbol.address(), symbol.size())
}

fn archive_difference(plain: &[u8], wrapped: &[u8]) -> Option<String> {
    let members = |bytes: &[u8]| {
        let archive = ArchiveFile::parse(bytes).expect("an archive");
        let members = archive.members().map(|member| {
            let member = member.expect("a member");
            (String::from_utf8_lossy(member.name()).into_owned(), member.data(bytes).expect("its contents").to_vec())
        });
        members.collect::<BTreeMap<_, _>>()
    };
    differences(&members(plain), &members(wrapped)).pop()
}

/// Whether a file carries bitcode of Clew.
pub fn carries_bitcode(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\x7FELF") {
        let Ok(file) = object::File::parse(bytes) else { return false };
        return file
            .section_by_name(MODULES)
            .is_some_and(|section| section.data().is_ok_and(|data| data.starts_with(b"BC")));
    }
    if let Ok(archive) = ArchiveFile::parse(bytes) {
        let mut members = archive.members().flatten().filter_map(|member| member.data(bytes).ok());
        return members.any(carries_bitcode);
    }
    let text = String::from_utf8_lossy(bytes);
    modules_of_lto_object(bytes).is_some() || text.contains(&section_directive())
}
