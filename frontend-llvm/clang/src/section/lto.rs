//! Bitcode of Clew in the bitcode of clang: objects of `-flto` are modules that the optimizer has seen. A block of a kind
//! that LLVM does not know follows them, which LLVM skips.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

/// The header of the block: its kind, below 128 and far from those of LLVM, in the encoding of a bit stream. The low two
/// bits enter a block, eight bits are its kind, and four the width of its abbreviations.
const HEADER: u32 = 1 | 119 << 2 | 4 << 10;

/// Appends the block to a file.
pub fn append(file: &mut File, data: &[u8]) -> io::Result<bool> {
    let Ok(words) = u32::try_from(data.len() / 4) else { return Ok(false) };
    if file.seek(SeekFrom::End(0))? % 4 != 0 {
        return Ok(false);
    }
    let block = [&HEADER.to_le_bytes(), &words.to_le_bytes(), data].concat();
    file.write_all(&block)?;
    Ok(true)
}

/// The modules in the block, one after the other, if there is one.
pub fn modules_of_lto_object(bytes: &[u8]) -> Option<&[u8]> {
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let mut at = if bytes.starts_with(b"BC\xC0\xDE") { 4 } else { return None };
    loop {
        let header = word(at)?;
        // Anything but the start of a block.
        if header & 3 != 1 {
            return None;
        }
        let start = at + 8;
        let end = start.checked_add(4 * word(at + 4)? as usize)?;
        if header == HEADER {
            return bytes.get(start..end);
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_is_found() {
        let mut file = tempfile::tempfile().unwrap();
        let module: Vec<u8> = [0xDEC0_4342u32, 0x0035_1401, 1, 7].into_iter().flat_map(u32::to_le_bytes).collect();
        file.write_all(&module).unwrap();
        assert!(append(&mut file, b"12345678").unwrap());
        let length = file.stream_position().unwrap();
        let bytes = super::super::read_at(&mut file, 0, length).unwrap();
        assert_eq!(modules_of_lto_object(&bytes), Some(&b"12345678"[..]));
        assert_eq!(modules_of_lto_object(&module), None);
        assert_eq!(modules_of_lto_object(&bytes[..bytes.len() - 1]), None);
    }
}
