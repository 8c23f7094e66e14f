//! Words of command lines as text: response files and compilation databases.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// Splits text into words at blanks, as clang does for response files: quotes and backslashes protect.
pub fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            // In single quotes, the shell takes backslashes literally, and clang does not: paths have neither.
            (_, b'\\') => word.get_or_insert_default().extend(bytes.next()),
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(byte),
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (None, _) if byte.is_ascii_whitespace() => words.extend(word.take().map(OsString::from_vec)),
            (None, _) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word.map(OsString::from_vec));
    words
}

/// Replaces each `@FILE` by the words of the file, also in such files. What cannot be read stays, as in clang.
pub fn expand(arguments: &[OsString], folder: &Path) -> Vec<OsString> {
    const MAX_DEPTH: u32 = 20;
    fn add(argument: &OsStr, folder: &Path, depth: u32, to: &mut Vec<OsString>) {
        let text = match argument.as_bytes().strip_prefix(b"@") {
            Some(name) if depth < MAX_DEPTH => fs::read(folder.join(OsStr::from_bytes(name))).ok(),
            _ => None,
        };
        match text {
            Some(text) => split(&text).iter().for_each(|word| add(word, folder, depth + 1, to)),
            None => to.push(argument.into()),
        }
    }
    let mut expanded = Vec::with_capacity(arguments.len());
    arguments.iter().for_each(|argument| add(argument, folder, 0, &mut expanded));
    expanded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split() {
        let text = b" -DA=\\\"x\\\"  \"-DB=a b\"\n'-I c d' '' e\\ f";
        assert_eq!(split(text), ["-DA=\"x\"", "-DB=a b", "-I c d", "", "e f"]);
    }

    #[test]
    fn response_files_nest() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("outer"), "-c @inner").unwrap();
        fs::write(folder.path().join("inner"), "a.c").unwrap();
        let expanded = expand(&["@outer".into(), "@missing".into()], folder.path());
        assert_eq!(expanded, ["-c", "a.c", "@missing"]);
    }
}
