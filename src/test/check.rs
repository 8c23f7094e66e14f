//! The check of a harness: its verdict of an earlier run, or a new one that is kept for the next.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use tempfile::TempDir;

use super::arguments::Test;
use super::cache::Cache;
use super::harness::Harness;
use super::runner::{Outcome, Settings};
use crate::exit::Failure;

/// Checks harnesses, with a cache.
#[derive(Debug)]
pub struct Checks<'a> {
    settings: &'a Settings,
    cache: Option<Cache>,
    /// For the files that checks write.
    scratch: TempDir,
}

impl<'a> Checks<'a> {
    /// With the cache that the arguments ask for.
    pub fn new(settings: &'a Settings, arguments: &Test) -> Result<Checks<'a>, Failure> {
        let internal = |error: io::Error| Failure::Internal(format!("no temporary folder: {error}"));
        let scratch = TempDir::with_prefix("clew-test-").map_err(internal)?;
        clean_up_on_signals(scratch.path().into()).map_err(internal)?;
        let cache = if arguments.no_cache { None } else { Cache::open(arguments.cache_dir.as_deref()) };
        Ok(Checks { settings, cache, scratch })
    }

    /// The outcome for a harness.
    pub fn outcome(&self, harness: &Harness) -> Outcome {
        let Some(cache) = &self.cache else { return self.settings.run(harness, &[]) };
        if let Some(outcome) = cache.find(harness) {
            return outcome;
        }
        let file = |what: &str| {
            let name = blake3::hash(format!("{what} {}", harness.name).as_bytes()).to_hex();
            self.scratch.path().join(name.as_str())
        };
        let [inputs, known, proof] = ["inputs", "known", "proof"].map(file);
        let option = |name: &str, path: &Path| format!("--{name}={}", path.display());
        let mut options = vec![option("record-inputs", &inputs), option("save-precision", &proof)];
        // A changed harness starts from the last proof of the one before.
        if let Some(precision) = cache.precision(harness)
            && fs::write(&known, precision).is_ok()
        {
            options.push(option("precision-from", &known));
        }
        let outcome = self.settings.run(harness, &options);
        cache.keep(harness, &inputs, &outcome);
        if let Ok(precision) = fs::read(&proof) {
            cache.keep_precision(harness, &precision);
        }
        for file in [&inputs, &known, &proof] {
            let _ = fs::remove_file(file);
        }
        outcome
    }
}

/// Removes the folder if a signal ends this process. The checks that run are told by the kernel.
fn clean_up_on_signals(folder: PathBuf) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::Builder::new().name("signals".into()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _ = fs::remove_dir_all(folder);
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    })?;
    Ok(())
}
