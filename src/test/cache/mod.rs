//! Verdicts of earlier runs, by the content of all that they depend on.
//!
//! A verdict is found in two steps, so that nothing is compiled: by the command line and the versions of all tools, and
//! then by the contents of the files that were read when it was made. Nothing of this is trusted beyond its checksum.

mod inputs;
mod store;
mod tools;

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use clew_frontend_llvm::compile;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::harness::Harness;
use super::runner::Outcome;
use super::verdict::Verdict;
use inputs::{Contents, Inputs};
use store::Store;

/// The verdicts of earlier runs.
#[derive(Debug)]
pub struct Cache {
    store: Store,
    /// The versions of all that takes part in a check.
    tools: String,
    contents: Contents,
}

/// A verdict with what it depends on.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    inputs: Inputs,
    verdict: Verdict,
    log: Option<Json>,
}

impl Cache {
    /// The cache in `folder`, or in that of the user; `None` if there is no such folder.
    pub fn open(folder: Option<&Path>) -> Option<Cache> {
        let folder = match (folder, compile::Cache::of_user()) {
            (Some(folder), _) => folder.to_path_buf(),
            (None, compile::Cache::Folder(folder)) => folder.join("test"),
            (None, compile::Cache::None) => return None,
        };
        let store = Store::open(&folder)?;
        let tools = tools::versions(&store);
        Some(Cache { store, tools, contents: Contents::default() })
    }

    /// The verdict of an earlier run of the same check on the same files.
    pub fn find(&self, harness: &Harness) -> Option<Outcome> {
        if !is_cacheable(harness) {
            return None;
        }
        let records = self.store.verdicts(&self.key(harness));
        let records = records.iter().filter_map(|record| serde_json::from_slice::<Record>(record).ok());
        let same = records.into_iter().find(|record| record.inputs.are_unchanged(&harness.root, &self.contents))?;
        let started = SystemTime::now();
        Some(Outcome { result: Ok(same.verdict), log: same.log, started, time: Duration::ZERO, cached: true })
    }

    /// Keeps the verdict of a check that has written what it read to `recorded`, if it can be used again.
    pub fn keep(&self, harness: &Harness, recorded: &Path, outcome: &Outcome) {
        let Ok(verdict) = &outcome.result else { return };
        if !verdict.is_repeatable() || !is_cacheable(harness) {
            return;
        }
        let recorded = fs::read(recorded).ok().and_then(|text| serde_json::from_slice(&text).ok());
        let Some(inputs) = recorded.and_then(|recorded| Inputs::new(&harness.root, recorded, outcome.started)) else {
            return;
        };
        let record = Record { inputs, verdict: verdict.clone(), log: outcome.log.clone() };
        if let (Ok(inputs), Ok(record)) = (serde_json::to_vec(&record.inputs), serde_json::to_vec(&record)) {
            self.store.add_verdict(&self.key(harness), blake3::hash(&inputs).as_bytes(), &record);
        }
    }

    /// What the last proof of a harness tracked, if it has been proved before.
    pub fn precision(&self, harness: &Harness) -> Option<Vec<u8>> {
        self.store.precision(&owner(harness))
    }

    /// Keeps what a proof tracked.
    pub fn keep_precision(&self, harness: &Harness, precision: &[u8]) {
        self.store.set_precision(&owner(harness), precision);
    }

    /// The command line and the versions of all tools. Limits do not matter to a verdict that was reached.
    fn key(&self, harness: &Harness) -> [u8; 32] {
        let words = (&harness.file, &harness.words.options, &harness.words.flags);
        let words = serde_json::to_vec(&words).unwrap_or_default();
        *blake3::Hasher::new_derive_key("clew test, key of a verdict, 1")
            .update(&(self.tools.len() as u64).to_le_bytes())
            .update(self.tools.as_bytes())
            .update(&words)
            .finalize()
            .as_bytes()
    }
}

/// Whether all that a check reads is recorded. That is not so for property files, and for files of flags.
fn is_cacheable(harness: &Harness) -> bool {
    let is_file = |word: &String| word.ends_with(".prp") || word.starts_with('@') || word.starts_with("--config=/");
    !harness.words.options.iter().chain(&harness.words.flags).any(is_file)
}

/// What identifies a harness while its contents change.
fn owner(harness: &Harness) -> String {
    let root = fs::canonicalize(&harness.root).unwrap_or_else(|_| harness.root.clone());
    format!("{} {}", root.display(), harness.name)
}
