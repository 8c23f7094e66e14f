//! The one run of this process, and how it ends: once, in order, and from wherever it has to.
//!
//! The run itself ends it with a verdict. If it cannot, since it is stuck, out of memory or not wanted any more, the
//! watchdog, the allocator or a signal handler does so with UNKNOWN. Whoever comes first speaks; nobody else does.

use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clew_frontend_llvm::compile::remove_scratch_folders;
use clew_verifier::cfa::Program;
use clew_verifier::monitor::{Monitor, Queries, Stop};
use clew_verifier::strategy::{Reason, Verdict};
use signal_hook::low_level::exit;

use super::answer::Answer;
use super::limits::Limits;
use super::progress::Progress;
use super::queries::QueryFiles;
use super::record;
use crate::exit::{Failure, UNKNOWN};

/// How the user wants to see the result.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// As a JSON document.
    pub json: bool,
    /// With a table of statistics.
    pub stats: bool,
    /// As a note on the standard error: the standard output is for something else.
    pub aside: bool,
}

/// A run.
#[derive(Debug)]
pub struct Session {
    /// When the process started.
    pub start: Instant,
    /// Counters, and the request to stop.
    pub monitor: Monitor,
    /// What it may use.
    pub limits: Limits,
    /// How it speaks.
    pub output: Output,
    /// What it was asked to do.
    pub options: record::Options,
    /// What it shows while it works.
    pub progress: Progress,
    ending: AtomicBool,
}

/// Handlers of signals and of failed allocations are not passed anything: they find the run here.
static SESSION: OnceLock<Session> = OnceLock::new();

/// The run of this process, if it has one.
pub fn current() -> Option<&'static Session> {
    SESSION.get()
}

impl Session {
    /// Begins the one run of this process.
    pub fn begin(
        start: Instant,
        limits: Limits,
        output: Output,
        options: record::Options,
        progress: Progress,
        queries: Option<QueryFiles>,
    ) -> &'static Session {
        SESSION.get_or_init(|| Session {
            start,
            monitor: Monitor::new(limits.time.map(|time| start + time))
                .with_budget(limits.shortest())
                .with_queries(queries.map(|files| Box::new(files) as Box<dyn Queries>)),
            limits,
            output,
            options,
            progress,
            ending: AtomicBool::new(false),
        })
    }

    /// The run is over: says its verdict and ends the process. Comes back only if that cannot be written.
    pub fn finish(&self, verdict: &Verdict, program: &Program) -> Failure {
        let answer = Answer { session: self, verdict, program: Some(program) };
        let mut text = Vec::new();
        let written = answer.write(&mut text);
        self.speak_alone();
        leave(written.map(|()| text), answer.code())
    }

    /// The run is over: shows what it was for, with the verdict as a note, and ends the process.
    pub fn show(&self, text: String, verdict: &Verdict, program: &Program) -> Failure {
        let mut note = Vec::new();
        let written = Answer { session: self, verdict, program: Some(program) }.write(&mut note);
        self.speak_alone();
        if written.is_ok() {
            eprint!("{}", String::from_utf8_lossy(&note));
        }
        leave(Ok(text.into_bytes()), 0)
    }

    /// From here on only the caller writes; waits for the end of the process if somebody else does already.
    pub fn speak_alone(&self) {
        while self.ending.swap(true, Ordering::AcqRel) {
            std::thread::sleep(Duration::from_secs(1));
        }
        self.progress.clear();
    }

    /// Ends the process from outside of the run, which does not come to an end.
    pub fn end(&self, why: Stop) -> ! {
        self.speak_alone();
        self.say_stopped(why);
        remove_scratch_folders();
        exit(UNKNOWN.into())
    }

    /// Ends the process at once: neither allocates nor waits for a lock, so that allocators and signal handlers may
    /// call it.
    pub fn end_at_once(&self, why: Stop) -> ! {
        if !self.ending.swap(true, Ordering::AcqRel) {
            self.progress.erase();
            self.say_stopped(why);
        }
        exit(UNKNOWN.into())
    }

    fn say_stopped(&self, why: Stop) {
        let verdict = Verdict::Unknown(Reason::Stopped(why));
        let mut out = RawOutput::new(self.output.aside);
        // Nobody is left to tell if this fails.
        let _ = Answer { session: self, verdict: &verdict, program: None }.write(&mut out).and_then(|()| out.flush());
    }
}

/// Writes the last words and ends the process.
fn leave(text: io::Result<Vec<u8>>, code: u8) -> Failure {
    let mut out = io::stdout().lock();
    if let Err(error) = text.and_then(|text| out.write_all(&text)).and_then(|()| out.flush()) {
        return error.into();
    }
    // What the analysis has built is not taken down: that can take longer than building it.
    exit(code.into())
}

/// The standard output, or the standard error, without a lock and without memory of its own.
struct RawOutput {
    to_stderr: bool,
    buffer: [u8; 1024],
    used: usize,
}

impl RawOutput {
    fn new(to_stderr: bool) -> RawOutput {
        RawOutput { to_stderr, buffer: [0; 1024], used: 0 }
    }
}

impl Write for RawOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.used == self.buffer.len() {
            self.flush()?;
        }
        let room = &mut self.buffer[self.used..];
        let length = bytes.len().min(room.len());
        room[..length].copy_from_slice(&bytes[..length]);
        self.used += length;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        let to = if self.to_stderr { rustix::stdio::stderr() } else { rustix::stdio::stdout() };
        let mut rest = &self.buffer[..self.used];
        while !rest.is_empty() {
            match rustix::io::write(to, rest) {
                Ok(written) => rest = &rest[written..],
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.used = 0;
        Ok(())
    }
}
