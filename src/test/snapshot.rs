//! Snapshots: the accepted verdicts, as text files next to the harnesses.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::harness::Harness;

/// What starts the first line of a snapshot. Lines that start with `#` are not compared.
const HEADER: &str = "# verdict of ";

/// The accepted text of a harness; `None` if there is none yet.
pub fn read(harness: &Harness) -> io::Result<Option<String>> {
    match fs::read_to_string(&harness.snapshot) {
        Ok(text) => Ok(Some(without_comments(&text))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The file of a pending verdict.
pub fn pending(harness: &Harness) -> PathBuf {
    harness.snapshot.with_extension("snap.new")
}

/// Accepts a text.
pub fn accept(harness: &Harness, text: &str) -> io::Result<()> {
    write(&harness.snapshot, harness, text)?;
    clear(harness)
}

/// Keeps a text until it is accepted.
pub fn suggest(harness: &Harness, text: &str) -> io::Result<()> {
    write(&pending(harness), harness, text)
}

/// Removes what is pending.
pub fn clear(harness: &Harness) -> io::Result<()> {
    match fs::remove_file(pending(harness)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes the file as a whole, so that an interrupted run leaves the old one.
fn write(path: &Path, harness: &Harness, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let contents = format!("{HEADER}{}\n{text}", harness.file);
    if fs::read_to_string(path).is_ok_and(|old| old == contents) {
        return Ok(());
    }
    let file = tempfile::Builder::new().prefix(".clew-").permissions(readable()).tempfile_in(folder)?;
    fs::write(file.path(), contents)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// What a new file usually has, instead of the mode of temporary ones.
fn readable() -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::Permissions::from_mode(0o666)
}

/// Snapshots next to the harnesses that belong to none of them, pending ones included.
pub fn obsolete(harnesses: &[Harness]) -> Vec<PathBuf> {
    let owned: BTreeSet<PathBuf> = harnesses.iter().flat_map(|one| [one.snapshot.clone(), pending(one)]).collect();
    let folders: BTreeSet<PathBuf> =
        harnesses.iter().filter_map(|one| one.snapshot.parent().map(Path::to_path_buf)).collect();
    let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    found.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_snapshot = name.ends_with(".snap") || name.ends_with(".snap.new");
        // Other tools keep snapshots in folders of this name too.
        is_snapshot && !owned.contains(path) && fs::read_to_string(path).is_ok_and(|text| text.starts_with(HEADER))
    });
    found.sort();
    found
}
