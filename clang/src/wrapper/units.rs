//! The record of compiled sources, which `clew build` asks for.

use std::env;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::bitcode::Compiled;
use crate::Driver;
use crate::command::{Command, Makes};

/// The variable with the file that gets one line for each source.
pub const LOG: &str = "CLEW_UNITS";

/// How a source was compiled: an entry of a compilation database.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Unit {
    /// The working directory of the compiler.
    pub directory: String,
    /// The source.
    pub file: String,
    /// The command.
    pub arguments: Vec<String>,
    /// What was made of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Why there is no bitcode of it; not in other compilation databases.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "clew-without-bitcode")]
    pub without_bitcode: Option<String>,
}

/// Adds lines for the sources of a command. Concurrent commands write whole lines.
pub fn record(folder: &Path, driver: Driver, arguments: &[OsString], command: &Command, compiled: &[Compiled<'_>]) {
    let Some(log) = env::var_os(LOG).filter(|log| !log.is_empty()) else { return };
    let text = |text: &dyn AsRef<std::ffi::OsStr>| text.as_ref().to_string_lossy().into_owned();
    let program = if driver == Driver::Cxx { "clang++" } else { "clang" };
    let mut lines = Vec::new();
    for source in compiled {
        let output = if command.makes == Makes::Image { command.image() } else { command.output_of(source.input) };
        let unit = Unit {
            directory: text(&folder),
            file: text(&source.input.path),
            arguments: std::iter::once(program.to_string()).chain(arguments.iter().map(|a| text(a))).collect(),
            output: Some(text(&output)),
            without_bitcode: source.bitcode.as_ref().err().cloned(),
        };
        if serde_json::to_writer(&mut lines, &unit).is_ok() {
            lines.push(b'\n');
        }
    }
    // One write appends the lines as a whole.
    let file = OpenOptions::new().create(true).append(true).open(log);
    let _ = file.and_then(|mut file| file.write_all(&lines));
}
