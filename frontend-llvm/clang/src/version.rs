//! The version of a clang, remembered between runs: asking for it takes as long as compiling a small program.

use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, io::Read};

use super::Cache;

/// The name of the file in the cache.
const FILE: &str = "version";

/// The first line that `program` prints for `--version`, or why there is none.
pub fn of(program: &Path) -> Result<String, String> {
    let cache = Cache::of_user();
    let key = key(program);
    let known = key.as_ref().and_then(|key| String::from_utf8(cache.read(key, FILE)?).ok());
    if let Some(version) = known {
        return Ok(version);
    }
    let output = Command::new(program).arg("--version").output().map_err(|e| format!("it cannot be started: {e}"))?;
    let version = String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or("").trim().to_string();
    // Scripts and failures have no key or may end differently next time.
    if let Some(key) = key.filter(|_| output.status.success() && !version.is_empty()) {
        cache.write(&key, &[(FILE, version.as_bytes())]);
    }
    Ok(version)
}

/// What identifies the executable: where it is, and when and as what it was written. A script has none, since what it
/// calls may change.
fn key(program: &Path) -> Option<String> {
    let path = fs::canonicalize(on_path(program)?).ok()?;
    let mut magic = [0; 4];
    fs::File::open(&path).ok()?.read_exact(&mut magic).ok()?;
    if magic != *b"\x7fELF" {
        return None;
    }
    let data = fs::metadata(&path).ok()?;
    let mut hasher = DefaultHasher::new();
    (program, path, data.len(), data.mtime(), data.mtime_nsec(), data.ino()).hash(&mut hasher);
    Some(format!("clang-{:016x}", hasher.finish()))
}

/// The file that starts when `program` is called.
fn on_path(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return Some(program.into());
    }
    let folders = env::var_os("PATH").unwrap_or_else(|| OsStr::new("/bin:/usr/bin").into());
    env::split_paths(&folders).map(|folder| folder.join(program)).find(|file| file.is_file())
}
