//! The database of the cache: SQLite, for several processes at once, each of which may be killed at any time.
//!
//! A failure costs time and nothing else. A damaged database is thrown away.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OptionalExtension, params};

/// The file. Another layout of the tables gets another name.
const FILE: &str = "verdicts-1.sqlite";

/// How long to wait for another process.
const PATIENCE: Duration = Duration::from_secs(10);

/// Upper bound of the verdicts kept for one check. Several are kept because switching branches changes the inputs.
const MAX_VERDICTS: u32 = 16;

/// Age at which a verdict is dropped, in days.
const MAX_DAYS: u32 = 90;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS verdicts (
    key BLOB NOT NULL, inputs BLOB NOT NULL, record BLOB NOT NULL, checksum BLOB NOT NULL, made INTEGER NOT NULL,
    PRIMARY KEY (key, inputs));
CREATE TABLE IF NOT EXISTS entries (
    kind TEXT NOT NULL, name TEXT NOT NULL, value BLOB NOT NULL, checksum BLOB NOT NULL, PRIMARY KEY (kind, name));
";

/// An open database.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    /// `None` after a failure: the run goes on without.
    connection: Mutex<Option<Connection>>,
}

impl Store {
    /// Opens the database in `folder`, and makes it if necessary. `None` if that is not possible.
    pub fn open(folder: &Path) -> Option<Store> {
        let path = folder.join(FILE);
        if let Err(error) = fs::create_dir_all(folder) {
            eprintln!("clew: note: no cache, since {} cannot be made: {error}", folder.display());
            return None;
        }
        let store = Store { connection: Mutex::new(None), path };
        let opened = connect(&store.path).or_else(|error| {
            if is_damage(&error) {
                store.discard(&error);
                return connect(&store.path);
            }
            Err(error)
        });
        match opened {
            Ok(connection) => *store.lock() = Some(connection),
            Err(error) => {
                eprintln!("clew: note: no cache, since {} cannot be opened: {error}", store.path.display());
                return None;
            }
        }
        Some(store)
    }

    /// The verdicts with this key, newest first.
    pub fn verdicts(&self, key: &[u8; 32]) -> Vec<Vec<u8>> {
        let read = |connection: &Connection| {
            let mut query =
                connection.prepare_cached("SELECT record, checksum FROM verdicts WHERE key = ? ORDER BY made DESC")?;
            let rows = query.query_map([key], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Vec<u8>>(1)?)))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        let rows = self.attempt(read).unwrap_or_default();
        let is_whole = |(record, sum): &(Vec<u8>, Vec<u8>)| *sum == checksum(&[key, record]);
        rows.into_iter().filter(is_whole).map(|(record, _)| record).collect()
    }

    /// Adds a verdict; `inputs` identifies what it depends on.
    pub fn add_verdict(&self, key: &[u8; 32], inputs: &[u8; 32], record: &[u8]) {
        self.attempt(|connection| {
            let sum = checksum(&[key, record]);
            let all = connection.unchecked_transaction()?;
            all.execute(
                "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, unixepoch())",
                params![key, inputs, record, sum],
            )?;
            all.execute(
                "DELETE FROM verdicts WHERE key = ?1 AND inputs NOT IN
                    (SELECT inputs FROM verdicts WHERE key = ?1 ORDER BY made DESC LIMIT ?2)",
                params![key, MAX_VERDICTS],
            )?;
            all.execute("DELETE FROM verdicts WHERE made < unixepoch() - 86400 * ?", [MAX_DAYS])?;
            all.commit()
        });
    }

    /// What the last proof of a harness tracked.
    pub fn precision(&self, owner: &str) -> Option<Vec<u8>> {
        self.entry("precision", owner)
    }

    /// Replaces it.
    pub fn set_precision(&self, owner: &str, precision: &[u8]) {
        self.set_entry("precision", owner, precision);
    }

    /// The hash of a program that was recorded for this state of its file.
    pub fn program(&self, state: &str) -> Option<Vec<u8>> {
        self.entry("program", state)
    }

    /// Records it.
    pub fn set_program(&self, state: &str, hash: &[u8]) {
        self.set_entry("program", state, hash);
    }

    fn entry(&self, kind: &str, name: &str) -> Option<Vec<u8>> {
        let (value, sum): (Vec<u8>, Vec<u8>) = self
            .attempt(|connection| {
                connection
                    .prepare_cached("SELECT value, checksum FROM entries WHERE kind = ? AND name = ?")?
                    .query_row([kind, name], |row| Ok((row.get(0)?, row.get(1)?)))
                    .optional()
            })
            .flatten()?;
        (sum == checksum(&[kind.as_bytes(), name.as_bytes(), &value])).then_some(value)
    }

    fn set_entry(&self, kind: &str, name: &str, value: &[u8]) {
        self.attempt(|connection| {
            let sum = checksum(&[kind.as_bytes(), name.as_bytes(), value]);
            connection
                .execute("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", params![kind, name, value, sum])
                .map(|_| ())
        });
    }

    fn lock(&self) -> MutexGuard<'_, Option<Connection>> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Uses the database. After a failure, it is not used again in this run.
    fn attempt<T>(&self, action: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Option<T> {
        let mut connection = self.lock();
        match action(connection.as_ref()?) {
            Ok(done) => Some(done),
            Err(error) => {
                *connection = None;
                if is_damage(&error) {
                    self.discard(&error);
                } else {
                    eprintln!("clew: note: the cache {} is not used: {error}", self.path.display());
                }
                None
            }
        }
    }

    /// Removes a damaged database.
    fn discard(&self, error: &rusqlite::Error) {
        eprintln!("clew: note: the cache {} is damaged and thrown away: {error}", self.path.display());
        // The log must not outlive its database: it would be applied to the next one.
        for suffix in ["-wal", "-shm", "-journal", ""] {
            let mut path = self.path.clone().into_os_string();
            path.push(suffix);
            let _ = fs::remove_file(path);
        }
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    // Readers and a writer do not wait for each other; a process that is killed leaves what it has committed.
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "normal")?;
    connection.execute_batch(TABLES)?;
    Ok(connection)
}

/// Whether the file is no database, or not one with these tables.
fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::Error;
    match error {
        Error::SqliteFailure(error, _) => {
            matches!(error.code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown)
        }
        Error::SqlInputError { .. } | Error::InvalidColumnType(..) | Error::FromSqlConversionFailure(..) => true,
        _ => false,
    }
}

fn checksum(parts: &[&[u8]]) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    hasher.finalize().as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: [u8; 32] = [1; 32];

    #[test]
    fn verdicts_are_found_again() {
        let folder = tempfile::tempdir().expect("a folder");
        for round in 0..3 {
            let store = Store::open(folder.path()).expect("it opens");
            assert_eq!(store.verdicts(&KEY).len(), round);
            store.add_verdict(&KEY, &[round as u8; 32], b"text");
            store.set_precision("a", &[round as u8]);
        }
        let store = Store::open(folder.path()).expect("it opens");
        for number in 0..100 {
            store.add_verdict(&KEY, &[number; 32], b"text");
        }
        assert_eq!(store.verdicts(&KEY).len(), MAX_VERDICTS as usize);
        assert_eq!(store.precision("a"), Some(vec![2]));
    }

    #[test]
    fn changed_records_are_not_believed() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).expect("it opens");
        store.add_verdict(&KEY, &KEY, b"UNSAFE");
        store.attempt(|connection| connection.execute("UPDATE verdicts SET record = x'53414645'", []));
        assert!(store.verdicts(&KEY).is_empty());
    }

    #[test]
    fn damaged_files_are_thrown_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(FILE);
        let store = Store::open(folder.path()).expect("it opens");
        (0..50).for_each(|number| store.add_verdict(&KEY, &[number; 32], &[number; 9000]));
        drop(store);
        let whole = fs::read(&file).expect("it is there");
        let mut random = fastrand::Rng::with_seed(7);
        for round in 0..40 {
            let mut bytes = whole.clone();
            match round % 4 {
                0 => bytes.truncate(random.usize(..bytes.len())),
                1 => (0..200).for_each(|_| bytes[random.usize(..whole.len())] = random.u8(..)),
                2 => (0..2000).for_each(|at| bytes[at] = random.u8(..)),
                _ => bytes = b"no database".repeat(1000),
            }
            fs::write(&file, bytes).expect("a file");
            if let Some(store) = Store::open(folder.path()) {
                for record in store.verdicts(&KEY) {
                    assert_eq!(record, [record[0]; 9000], "what is found is whole");
                }
                store.add_verdict(&KEY, &[200; 32], b"text");
            }
            // Whatever happened, the next runs have a cache.
            let works = || {
                Store::open(folder.path()).is_some_and(|store| {
                    store.add_verdict(&[3; 32], &[3; 32], b"text");
                    !store.verdicts(&[3; 32]).is_empty()
                })
            };
            assert!(works() || works(), "round {round}");
        }
    }
}
