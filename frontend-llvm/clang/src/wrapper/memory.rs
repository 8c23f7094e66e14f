//! Files in memory, which other processes open by a path. They need no cleanup, however this process ends.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;

use rustix::fs::{MemfdFlags, memfd_create};

/// A file in memory, which children of this process inherit.
pub struct MemoryFile(File);

impl MemoryFile {
    /// A file with these contents.
    pub fn new(contents: &[u8]) -> io::Result<MemoryFile> {
        let mut file = File::from(memfd_create("clew", MemfdFlags::empty())?);
        file.write_all(contents)?;
        Ok(MemoryFile(file))
    }

    /// A copy of the standard input.
    pub fn of_stdin() -> io::Result<MemoryFile> {
        let mut file = MemoryFile::new(&[])?;
        io::copy(&mut io::stdin().lock(), &mut file.0)?;
        Ok(file)
    }

    /// Its path, for children.
    pub fn path(&self) -> OsString {
        format!("/proc/self/fd/{}", self.0.as_raw_fd()).into()
    }

    /// Opens it at its start.
    pub fn reader(&self) -> io::Result<File> {
        File::open(self.path())
    }
}
