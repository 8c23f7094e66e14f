//! What is kept on disk between runs: compiled models, versions of compilers.

use std::path::PathBuf;
use std::{env, fs, io};

/// A cache of folders of files. A missing one only costs time.
#[derive(Clone, Debug)]
pub enum Cache {
    /// Nowhere.
    None,
    /// A directory, which may not exist yet.
    Folder(PathBuf),
}

impl Cache {
    /// The user's cache directory, if there is one.
    pub fn of_user() -> Cache {
        let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        match absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache"))) {
            Some(folder) => Cache::Folder(folder.join("clew")),
            None => Cache::None,
        }
    }

    /// A file of the entry `key`.
    pub fn read(&self, key: &str, name: &str) -> Option<Vec<u8>> {
        match self {
            Cache::None => None,
            Cache::Folder(folder) => fs::read(folder.join(key).join(name)).ok(),
        }
    }

    /// Writes the entry `key` if possible. It appears as a whole, so concurrent runs never see a part of it.
    pub fn write(&self, key: &str, files: &[(&str, &[u8])]) {
        let Cache::Folder(folder) = self else { return };
        let attempt = || -> io::Result<()> {
            fs::create_dir_all(folder)?;
            let entry = tempfile::TempDir::with_prefix_in(".new-", folder)?;
            for (name, bytes) in files {
                fs::write(entry.path().join(name), bytes)?;
            }
            let place = folder.join(key);
            fs::rename(entry.path(), &place).or_else(|_| {
                // The entry there is damaged, or another run was faster.
                fs::remove_dir_all(&place)?;
                fs::rename(entry.path(), &place)
            })
        };
        let _ = attempt();
    }

    /// Removes the entry `key` if it is there.
    pub fn remove(&self, key: &str) {
        if let Cache::Folder(folder) = self {
            let _ = fs::remove_dir_all(folder.join(key));
        }
    }
}
