//! What would outlive this process if it ends in the middle: folders with temporary files, and child processes.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
use tempfile::TempDir;

/// All folders that exist now.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder for temporary files, which goes away with this value.
#[derive(Debug)]
pub struct Scratch(TempDir);

impl Scratch {
    /// A new folder.
    pub fn new() -> io::Result<Scratch> {
        let folder = TempDir::with_prefix("clew-")?;
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).push(folder.path().into());
        Ok(Scratch(folder))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| path != self.path());
    }
}

/// Removes the folders of temporary files, for a process that is about to end without leaving its functions.
pub fn remove_scratch_folders() {
    // Whoever holds the lock may be stuck.
    let Ok(folders) = FOLDERS.try_lock() else { return };
    for folder in folders.iter() {
        // A compiler that still runs may add a file meanwhile.
        for _ in 0..3 {
            if std::fs::remove_dir_all(folder).is_ok() {
                break;
            }
        }
    }
}

/// Makes the process that `command` starts end with this one, however this one ends; and not by signals that are meant
/// for this one, since then it would look as if the compiler had failed.
pub fn tie_to_us(command: &mut Command) -> &mut Command {
    let us = getpid();
    let tie = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have ended before we asked to be told.
        if getppid() == Some(us) { Ok(()) } else { Err(io::ErrorKind::Interrupted.into()) }
    };
    // SAFETY: between fork and exec only system calls happen.
    unsafe { command.process_group(0).pre_exec(tie) }
}
