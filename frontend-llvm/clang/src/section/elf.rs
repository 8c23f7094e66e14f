//! Adds a section to an ELF file: its contents, a copy of the section names and a new table of sections go to the end.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

use super::read_at;

/// Where a field is, and how many bytes it has.
type Field = (usize, usize);

/// The places of the fields that matter, for one size of addresses.
struct Layout {
    table: Field,
    count: Field,
    names: Field,
    entry_size: usize,
    name: Field,
    kind: Field,
    offset: Field,
    size: Field,
    link: Field,
    alignment: Field,
}

const ELF32: Layout = Layout {
    table: (0x20, 4),
    count: (0x30, 2),
    names: (0x32, 2),
    entry_size: 40,
    name: (0, 4),
    kind: (4, 4),
    offset: (16, 4),
    size: (20, 4),
    link: (24, 4),
    alignment: (32, 4),
};

const ELF64: Layout = Layout {
    table: (0x28, 8),
    count: (0x3C, 2),
    names: (0x3E, 2),
    entry_size: 64,
    name: (0, 4),
    kind: (4, 4),
    offset: (24, 8),
    size: (32, 8),
    link: (40, 4),
    alignment: (48, 8),
};

/// The length of the file header that holds all of its fields above.
const HEADER: u64 = 0x40;

/// From this count on, the first entry of the table has it.
const MANY: usize = 0xFF00;

/// `SHT_PROGBITS`: contents that the program defines.
const PROGBITS: u64 = 1;

/// Adds `data` to the section `name`, which is made if it is not there. Returns `false` for files that are not
/// little-endian, or that have no sections.
pub fn append(file: &mut File, name: &str, data: &[u8]) -> io::Result<bool> {
    let mut header = match read_at(file, 0, HEADER) {
        Ok(header) => header,
        // 32-bit headers are shorter, but no file with sections ends there.
        Err(_) => return Ok(false),
    };
    let layout = match (header[4], header[5]) {
        (1, 1) => ELF32,
        (2, 1) => ELF64,
        _ => return Ok(false),
    };
    let table = get(&header, 0, layout.table);
    if table == 0 {
        return Ok(false);
    }
    let first = read_at(file, table, layout.entry_size as u64)?;
    let count = match get(&header, 0, layout.count) {
        0 => get(&first, 0, layout.size),
        count => count,
    } as usize;
    let names = match get(&header, 0, layout.names) {
        0xFFFF => get(&first, 0, layout.link),
        index => index,
    } as usize;
    let mut sections = read_at(file, table, (count * layout.entry_size) as u64)?;
    let entry = |index: usize| index * layout.entry_size;
    if names == 0 || names >= count {
        return Ok(false);
    }
    let contents = |file: &mut File, sections: &[u8], index: usize| {
        read_at(file, get(sections, entry(index), layout.offset), get(sections, entry(index), layout.size))
    };
    let mut strings = contents(file, &sections, names)?;
    let named = |index: &usize| {
        let start = get(&sections, entry(*index), layout.name) as usize;
        strings.get(start..).and_then(|text| text.split(|&byte| byte == 0).next()) == Some(name.as_bytes())
    };

    let mut end = file.seek(SeekFrom::End(0))?;
    let mut added = Vec::new();
    // The contents, after those that are there already.
    let existing = (1..count).find(named);
    let before = existing.map(|index| contents(file, &sections, index)).transpose()?.unwrap_or_default();
    let data = [before.as_slice(), data].concat();
    let at = place(&mut end, &mut added, &data);
    match existing {
        Some(index) => {
            put(&mut sections, entry(index), layout.offset, at);
            put(&mut sections, entry(index), layout.size, data.len() as u64);
        }
        None => {
            let name_at = strings.len();
            strings.extend(name.as_bytes());
            strings.push(0);
            let names_at = place(&mut end, &mut added, &strings);
            put(&mut sections, entry(names), layout.offset, names_at);
            put(&mut sections, entry(names), layout.size, strings.len() as u64);
            let mut new = vec![0; layout.entry_size];
            put(&mut new, 0, layout.name, name_at as u64);
            put(&mut new, 0, layout.kind, PROGBITS);
            put(&mut new, 0, layout.offset, at);
            put(&mut new, 0, layout.size, data.len() as u64);
            put(&mut new, 0, layout.alignment, 4);
            sections.extend(new);
            if count + 1 < MANY {
                put(&mut header, 0, layout.count, count as u64 + 1);
            } else {
                put(&mut header, 0, layout.count, 0);
                put(&mut sections, 0, layout.size, count as u64 + 1);
            }
        }
    }
    let table_at = place(&mut end, &mut added, &sections);
    if layout.table.1 == 4 && end > u64::from(u32::MAX) {
        return Ok(false);
    }
    put(&mut header, 0, layout.table, table_at);
    let length = file.seek(SeekFrom::End(0))?;
    debug_assert_eq!(length + added.len() as u64, end);
    file.write_all(&added)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header)?;
    Ok(true)
}

/// Plans `bytes` for the end of the file, aligned. Returns their place.
fn place(end: &mut u64, added: &mut Vec<u8>, bytes: &[u8]) -> u64 {
    const ALIGNMENT: u64 = 16;
    let at = end.next_multiple_of(ALIGNMENT);
    added.resize(added.len() + (at - *end) as usize, 0);
    added.extend(bytes);
    *end = at + bytes.len() as u64;
    at
}

/// A number of at most eight bytes.
fn get(bytes: &[u8], base: usize, (at, width): Field) -> u64 {
    let mut number = [0; 8];
    number[..width].copy_from_slice(&bytes[base + at..][..width]);
    u64::from_le_bytes(number)
}

fn put(bytes: &mut [u8], base: usize, (at, width): Field, number: u64) {
    bytes[base + at..][..width].copy_from_slice(&number.to_le_bytes()[..width]);
}
