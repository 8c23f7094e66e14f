//! Cleanup if the process ends early: temporary directories and child processes.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
use tempfile::TempDir;

/// All existing temporary directories.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A temporary directory, removed on drop.
#[derive(Debug)]
pub struct Scratch(TempDir);

/// The directory of this process and its workers.
static SHARED: OnceLock<Scratch> = OnceLock::new();

/// Whether new directories are created in the shared one.
static IS_NESTED: AtomicBool = AtomicBool::new(false);

/// Creates the directory that this process shares with its workers, unless there is one.
pub fn share_scratch_folder() -> io::Result<()> {
    if SHARED.get().is_none() {
        let _ = SHARED.set(Scratch::new()?);
    }
    Ok(())
}

/// Creates all further directories in the shared one. A worker does this, since it may be killed: the process that
/// started it removes them.
pub fn nest_scratch_folders() {
    IS_NESTED.store(true, Ordering::Relaxed);
}

impl Scratch {
    /// Creates a directory.
    pub fn new() -> io::Result<Scratch> {
        let folder = match SHARED.get().filter(|_| IS_NESTED.load(Ordering::Relaxed)) {
            Some(shared) => TempDir::with_prefix_in("clew-", shared.path())?,
            None => TempDir::with_prefix("clew-")?,
        };
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).push(folder.path().into());
        Ok(Scratch(folder))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| path != self.path());
    }
}

/// Removes all temporary directories, for a process that exits without unwinding.
pub fn remove_scratch_folders() {
    // The lock may be held by a blocked thread.
    let Ok(folders) = FOLDERS.try_lock() else { return };
    for folder in folders.iter() {
        // A running compiler may still add files.
        for _ in 0..3 {
            if std::fs::remove_dir_all(folder).is_ok() {
                break;
            }
        }
    }
}

/// Makes the process that `command` starts end with this one, however this one ends. It is in its own process group, so
/// that signals for this process do not look like a failure of the compiler.
pub fn tie_to_us(command: &mut Command) -> &mut Command {
    tie(command, Signal::KILL)
}

/// The same for a process that removes its temporary files when it is asked to end.
pub fn tie_gently_to_us(command: &mut Command) -> &mut Command {
    tie(command, Signal::TERM)
}

fn tie(command: &mut Command, signal: Signal) -> &mut Command {
    let us = getpid();
    let tie = move || {
        set_parent_process_death_signal(Some(signal))?;
        // The parent may have ended before the signal was set.
        if getppid() == Some(us) { Ok(()) } else { Err(io::ErrorKind::Interrupted.into()) }
    };
    // SAFETY: between fork and exec only system calls happen.
    unsafe { command.process_group(0).pre_exec(tie) }
}
