//! Progress on the standard error: one live line on terminals, nothing elsewhere unless it is asked for.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write, stderr, stdout};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::harness::Harness;
use crate::check::ProgressArgs;

/// Progress output.
#[derive(Debug)]
pub struct Progress<'a> {
    harnesses: &'a [Harness],
    /// The live line, if there is one.
    bar: Option<ProgressBar>,
    /// Whether a line is written for each harness that begins.
    lines: bool,
    running: Mutex<BTreeSet<usize>>,
}

impl<'a> Progress<'a> {
    /// Progress output as the arguments request it.
    pub fn new(harnesses: &'a [Harness], arguments: &ProgressArgs) -> Progress<'a> {
        let is_live = stderr().is_terminal() && !arguments.no_progress;
        let bar = is_live.then(|| {
            let bar = ProgressBar::with_draw_target(Some(harnesses.len() as u64), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{spinner} {pos}/{len} · {elapsed} · {wide_msg}");
            bar.set_style(style.unwrap_or(ProgressStyle::default_spinner()));
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        });
        let lines = arguments.progress && bar.is_none();
        Progress { harnesses, bar, lines, running: Mutex::default() }
    }

    /// The check of a harness begins.
    pub fn begin(&self, number: usize) {
        if self.lines {
            eprintln!("clew: checking {}", self.harnesses[number].name);
        }
        self.change(|running| running.insert(number));
    }

    /// The check of a harness has ended.
    pub fn end(&self, number: usize) {
        self.change(|running| running.remove(&number));
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    fn change(&self, change: impl FnOnce(&mut BTreeSet<usize>) -> bool) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut running);
        if let Some(bar) = &self.bar {
            let names: Vec<&str> = running.iter().map(|&number| self.harnesses[number].name.as_str()).collect();
            bar.set_message(names.join(", "));
        }
    }

    /// Prints to the standard output without corrupting the live line.
    pub fn print(&self, text: &str) -> io::Result<()> {
        let write = || {
            let mut out = stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        };
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Removes the live line.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
