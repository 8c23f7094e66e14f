//! The record of compiled sources, which `clew build` asks for.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use super::bitcode::Compiled;
use crate::Driver;
use crate::command::{Command, Makes};
use crate::database::Entry;

/// The variable with the file that gets one line for each source.
pub const LOG: &str = "CLEW_UNITS";

/// Adds lines for the sources of a command. Concurrent commands write whole lines.
pub fn record(folder: &Path, driver: Driver, arguments: &[OsString], command: &Command, compiled: &[Compiled<'_>]) {
    let Some(log) = env::var_os(LOG).filter(|log| !log.is_empty()) else { return };
    let program = if driver == Driver::Cxx { "clang++" } else { "clang" };
    let words = std::iter::once(OsStr::new(program)).chain(arguments.iter().map(OsString::as_os_str));
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let mut lines = Vec::new();
    for source in compiled {
        let output = if command.makes == Makes::Image { command.image() } else { command.output_of(source.input) };
        let entry = Entry {
            directory: folder.into(),
            file: source.input.path.clone(),
            arguments: words.clone(),
            output: Some(output),
            without_bitcode: source.bitcode.as_ref().err().cloned(),
            ..Entry::default()
        };
        if serde_json::to_writer(&mut lines, &entry).is_ok() {
            lines.push(b'\n');
        }
    }
    // One write appends the lines as a whole.
    let file = OpenOptions::new().create(true).append(true).open(log);
    let _ = file.and_then(|mut file| file.write_all(&lines));
}
