//! Bitcode in objects, programs, assembly and objects for link-time optimisation, beside what clang writes.
//!
//! ELF files have a section of their own: it is not loaded, and linkers concatenate it. All else stays where it is.

mod elf;
mod lto;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

pub use lto::modules_of_lto_object;

/// The section with the modules of a program or an object, one after the other.
pub const MODULES: &str = ".clew_bc";

/// The section with the modules of archives for link-time optimisation: the program has those that it needs.
pub const OFFERED: &str = ".clew_bc_lib";

/// Adds modules to the section `name` of a file that clang has written. Returns whether the file has a place for them.
///
/// The file is valid at any moment: what describes the section is written last, and at once.
pub fn attach(path: &Path, name: &str, modules: &[Vec<u8>]) -> io::Result<bool> {
    if !path.metadata()?.is_file() {
        return Ok(false);
    }
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut magic = [0; 4];
    if file.read_exact(&mut magic).is_err() {
        return Ok(false);
    }
    match &magic {
        b"\x7FELF" => elf::append(&mut file, name, &concatenated(modules)),
        b"BC\xC0\xDE" if name == MODULES => lto::append(&mut file, &concatenated(modules)),
        _ => Ok(false),
    }
}

/// Adds modules to a file of assembly. Returns whether it is one for ELF: other formats have other directives.
pub fn attach_to_assembly(path: &Path, modules: &[Vec<u8>]) -> io::Result<bool> {
    const ONLY_IN_ELF: &[u8] = b".note.GNU-stack";
    if !path.metadata()?.is_file() || !fs::read(path)?.windows(ONLY_IN_ELF.len()).any(|text| text == ONLY_IN_ELF) {
        return Ok(false);
    }
    const BYTES_PER_LINE: usize = 64;
    let mut text = format!("\t.section\t{MODULES},\"\",%progbits\n").into_bytes();
    for line in concatenated(modules).chunks(BYTES_PER_LINE) {
        text.extend(b"\t.ascii\t\"");
        for &byte in line {
            match byte {
                b'"' | b'\\' => text.extend([b'\\', byte]),
                b' '..=b'~' => text.push(byte),
                _ => write!(text, "\\{byte:03o}")?,
            }
        }
        text.extend(b"\"\n");
    }
    let mut file = OpenOptions::new().append(true).open(path)?;
    file.write_all(&text)?;
    Ok(true)
}

/// Modules one after the other, each padded to whole words.
fn concatenated(modules: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(modules.iter().map(|module| module.len() + 3).sum());
    for module in modules {
        bytes.extend(module);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    bytes
}

/// Some bytes of a file.
fn read_at(file: &mut File, at: u64, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
