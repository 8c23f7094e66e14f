//! The run of this process, and its orderly end.
//!
//! Normally, the run itself writes its verdict. If it is stuck, out of memory or cancelled, the watchdog, the allocator or
//! a signal handler writes UNKNOWN. Only the first thread to claim the end writes.

use std::io::{self, Write};
use std::os::fd::BorrowedFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clew_frontend_llvm::compile::remove_scratch_folders;
use clew_verifier::cfa::{Program, PropertySet};
use clew_verifier::evidence::Counterexample;
use clew_verifier::monitor::{Monitor, Queries, StopReason};
use clew_verifier::report::{Format, Options, Trace};
use clew_verifier::strategy::{Findings, Reason};
use clew_verifier::tuning::Tuning;
use signal_hook::low_level::exit;

use super::answer::Answer;
use super::limits::Limits;
use super::progress::Progress;
use super::queries::QueryFiles;
use super::sources::Moved;
use super::workers;
use crate::exit::{Failure, UNKNOWN};

/// How the result is written.
#[derive(Debug)]
pub struct Output {
    /// The format of the report.
    pub format: &'static Format,
    /// Whether text is coloured.
    pub color: bool,
    /// Whether a table of statistics is included.
    pub stats: bool,
    /// How much of a path is shown.
    pub trace: Trace,
    /// Folders of sources that have moved.
    pub moved: Vec<Moved>,
    /// Whether the verdict is only a note on the standard error, because the standard output has other content.
    pub aside: bool,
}

/// A run.
#[derive(Debug)]
pub struct Session {
    /// When the process started.
    pub start: Instant,
    /// Counters and cancellation.
    pub monitor: Monitor,
    /// Resource limits.
    pub limits: Limits,
    /// The output.
    pub output: Output,
    /// The options, for the report.
    pub options: Options,
    /// The kinds of properties to check.
    pub kinds: PropertySet,
    /// Progress output.
    pub progress: Progress,
    ending: AtomicBool,
    stopped: StoppedReports,
}

/// How long an immediate exit waits for another thread that is writing the verdict.
const WRITE_GRACE: Duration = Duration::from_secs(1);

/// Global, since handlers of signals and of failed allocations take no arguments.
static SESSION: OnceLock<Session> = OnceLock::new();

/// Whether this process is a worker of another one, which writes the verdict.
static IS_WORKER: AtomicBool = AtomicBool::new(false);

/// Makes this process a worker: how it ends is told by its exit code alone.
pub fn become_worker() {
    IS_WORKER.store(true, Ordering::Relaxed);
}

/// Whether this process is a worker.
pub fn is_worker() -> bool {
    IS_WORKER.load(Ordering::Relaxed)
}

/// The exit code of a worker that was stopped.
pub const fn worker_code(why: StopReason) -> i32 {
    64 + why as i32
}

/// The run of this process, if it has one.
pub fn current() -> Option<&'static Session> {
    SESSION.get()
}

impl Session {
    /// Starts the run of this process.
    pub fn begin(
        start: Instant,
        limits: Limits,
        output: Output,
        (options, kinds): (Options, PropertySet),
        progress: Progress,
        queries: Option<QueryFiles>,
        tuning: Tuning,
    ) -> &'static Session {
        let session = SESSION.get_or_init(|| Session {
            start,
            monitor: Monitor::new(limits.time.map(|time| start + time))
                .with_budget(limits.shortest())
                .with_tuning(tuning)
                .with_queries(queries.map(|files| Box::new(files) as Box<dyn Queries>)),
            limits,
            output,
            options,
            kinds,
            progress,
            ending: AtomicBool::new(false),
            stopped: StoppedReports::default(),
        });
        if session.output.format.allocates {
            session.prepare_stopped(&[], None);
        }
        session
    }

    /// Renders the reports for a run that is stopped from now on, since a signal handler cannot render them.
    pub fn prepare_stopped(&self, violations: &[Box<Counterexample>], program: Option<&Program>) {
        let render = |why| {
            let reason = Reason::Stopped(why);
            let mut text = Vec::new();
            let answer = Answer { session: self, violations, undecided: Some(&reason), program, phase: None };
            let code = answer.write(&mut text).ok()?;
            Some(Draft { why, text, code })
        };
        self.stopped.add([StopReason::Time, StopReason::Memory, StopReason::Interrupted].map(render));
    }

    /// Writes the verdict and exits. Returns only if it cannot be written.
    pub fn finish(&self, findings: &Findings, program: &Program) -> Failure {
        let mut text = Vec::new();
        let written = self.answer(findings, program).write(&mut text);
        self.claim_end();
        write_and_exit(written.map(|code| (text, code)))
    }

    /// Writes `text`, with the verdict as a note, and exits. Returns only if the text cannot be written.
    pub fn show(&self, text: String, findings: &Findings, program: &Program) -> Failure {
        let mut note = Vec::new();
        let written = self.answer(findings, program).write(&mut note);
        self.claim_end();
        if written.is_ok() {
            eprint!("{}", String::from_utf8_lossy(&note));
        }
        write_and_exit(Ok((text.into_bytes(), 0)))
    }

    fn answer<'a>(&'a self, findings: &'a Findings, program: &'a Program) -> Answer<'a> {
        Answer {
            session: self,
            violations: &findings.violations,
            undecided: findings.undecided.as_ref(),
            program: Some(program),
            phase: Some(self.monitor.phase().name()),
        }
    }

    /// Claims the end: only the caller writes from now on. If another thread has claimed it, blocks until the process exits.
    pub fn claim_end(&self) {
        while self.ending.swap(true, Ordering::AcqRel) {
            std::thread::sleep(Duration::from_secs(1));
        }
        self.progress.clear();
    }

    /// Exits from outside of a run that does not stop by itself.
    pub fn end(&self, why: StopReason) -> ! {
        self.claim_end();
        workers::kill_all();
        let code = self.report_stopped(why);
        remove_scratch_folders();
        exit(code.into())
    }

    /// Exits immediately. Neither allocates nor waits for a lock, so allocators and signal handlers may call it.
    pub fn end_at_once(&self, why: StopReason) -> ! {
        if is_worker() {
            exit(worker_code(why));
        }
        workers::kill_all();
        let mut code = UNKNOWN;
        if self.ending.swap(true, Ordering::AcqRel) {
            // Let the other thread finish writing. The wait is bounded, since that thread may need a lock of this one.
            std::thread::sleep(WRITE_GRACE);
        } else {
            self.progress.erase();
            code = self.report_stopped(why);
        }
        exit(code.into())
    }

    /// Reports that the run was stopped. Returns the exit code.
    fn report_stopped(&self, why: StopReason) -> u8 {
        self.write_stopped(why, if self.output.aside { rustix::stdio::stderr() } else { rustix::stdio::stdout() })
    }

    /// Writes that the run was stopped, without locking or allocating. Output errors are ignored.
    fn write_stopped(&self, why: StopReason, to: BorrowedFd<'_>) -> u8 {
        let mut out = RawOutput::new(to);
        if let Some(draft) = self.stopped.latest(why) {
            let _ = out.write_all(&draft.text).and_then(|()| out.flush());
            return draft.code;
        }
        let reason = Reason::Stopped(why);
        let phase = Some(self.monitor.phase().name());
        let answer = Answer { session: self, violations: &[], undecided: Some(&reason), program: None, phase };
        let _ = answer.write(&mut out).and_then(|_| out.flush());
        UNKNOWN
    }
}

/// Reports for a stopped run, rendered in advance. The list only grows, since a handler may read it at any time.
#[derive(Default, Debug)]
struct StoppedReports {
    drafts: OnceLock<[Option<Draft>; 3]>,
    later: OnceLock<Box<StoppedReports>>,
}

/// The report for one stop reason.
#[derive(Debug)]
struct Draft {
    why: StopReason,
    text: Vec<u8>,
    code: u8,
}

/// Upper bound on the memory of drafts, in bytes. Beyond it, earlier drafts are used.
const MAX_DRAFTED: usize = 64 << 20;

impl StoppedReports {
    /// Must be called by one thread only.
    fn add(&self, drafts: [Option<Draft>; 3]) {
        let (mut last, mut size) = (self, 0);
        while let Some(drafts) = last.drafts.get() {
            size += drafts.iter().flatten().map(|draft| draft.text.len()).sum::<usize>();
            last = last.later.get_or_init(Box::default);
        }
        if size < MAX_DRAFTED {
            let _ = last.drafts.set(drafts);
        }
    }

    /// Neither allocates nor locks.
    fn latest(&self, why: StopReason) -> Option<&Draft> {
        // The end of a turn is reported as the time limit.
        let why = if why == StopReason::Turn { StopReason::Time } else { why };
        let draft = self.drafts.get()?.iter().flatten().find(|draft| draft.why == why);
        self.later.get().and_then(|later| later.latest(why)).or(draft)
    }
}

/// Writes the report and exits. Returns only on failure.
fn write_and_exit(answer: io::Result<(Vec<u8>, u8)>) -> Failure {
    let mut out = io::stdout().lock();
    let written = answer.and_then(|(text, code)| {
        out.write_all(&text)?;
        out.flush()?;
        Ok(code)
    });
    let code = match written {
        Ok(code) => code,
        Err(error) => return error.into(),
    };
    workers::kill_all();
    remove_scratch_folders();
    // Data of the analysis is not dropped: that can take longer than building it.
    exit(code.into())
}

/// Buffered output that neither locks nor allocates.
///
/// Reports no errors, because serde_json would allocate to propagate them.
struct RawOutput<'f> {
    to: BorrowedFd<'f>,
    buffer: [u8; 1024],
    used: usize,
}

impl RawOutput<'_> {
    fn new(to: BorrowedFd<'_>) -> RawOutput<'_> {
        RawOutput { to, buffer: [0; 1024], used: 0 }
    }
}

impl Write for RawOutput<'_> {
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
        let mut rest = &self.buffer[..self.used];
        while !rest.is_empty() {
            match rustix::io::write(self.to, rest) {
                Ok(written) => rest = &rest[written..],
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => break,
            }
        }
        self.used = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{File, OpenOptions};
    use std::io::{Read, Seek};
    use std::os::fd::AsFd;

    use clap::Parser;
    use clew_verifier::monitor::Phase;

    use super::super::arguments::{Check, Request};
    use super::super::record;
    use super::*;
    use crate::allocator::allocations;
    use crate::cli::{Cli, Command};

    /// A session with these arguments and some counters that are not zero.
    fn session(arguments: &[&str]) -> Session {
        let words = ["clew", "check", "a.c", "--config", "value+predicate"];
        let Command::Check(check) = Cli::parse_from(words.iter().chain(arguments)).command else { unreachable!() };
        let limits = Limits::new(&check.limits);
        let Check { program, analysis, limits: arguments, progress, .. } = &*check;
        let request = Request { program, analysis, limits: arguments, all: false, replay: None, progress };
        let session = Session {
            start: Instant::now(),
            monitor: Monitor::new(None),
            output: Output {
                format: check.output.format(),
                color: false,
                stats: check.output.stats,
                trace: Trace::Short,
                moved: Vec::new(),
                aside: false,
            },
            options: record::options(request, &limits),
            kinds: PropertySet::ALL,
            limits,
            progress: Progress::None,
            ending: AtomicBool::new(false),
            stopped: StoppedReports::default(),
        };
        let monitor = &session.monitor;
        monitor.enter(Phase::Refining);
        monitor.transfers.store(1000, Ordering::Relaxed);
        monitor.abstraction.computed.store(3, Ordering::Relaxed);
        monitor.interpolator("wp").expect("the first one").given.store(2, Ordering::Relaxed);
        for number in 0..100 {
            monitor.moved.push(format!("main::variable{number}"));
        }
        session
    }

    /// The report of a stopped run.
    ///
    /// # Panics
    /// If writing it allocates.
    fn text_without_memory(session: &Session, why: StopReason) -> String {
        let path = std::env::temp_dir().join(format!("clew-session-{}-{:p}", std::process::id(), session));
        let mut file = OpenOptions::new().read(true).write(true).create_new(true).open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let before = allocations();
        session.write_stopped(why, file.as_fd());
        assert_eq!(allocations() - before, 0, "allocations while the verdict is written");
        let mut text = String::new();
        file.rewind().unwrap();
        file.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn allocations_are_counted() {
        let before = allocations();
        drop(std::hint::black_box(vec![1, 2, 3]));
        assert_eq!(allocations() - before, 1);
    }

    #[test]
    fn a_stopped_run_writes_its_verdict_without_memory() {
        let session = session(&["--time-limit", "15min", "--stats"]);
        let text = text_without_memory(&session, StopReason::Time);
        assert!(text.contains("left to predicates         100   main::variable0, main::variable1, "), "{text}");
        assert!(text.ends_with("UNKNOWN: out of time, while refining\n"), "{text}");
    }

    #[test]
    fn a_stopped_run_writes_its_document_without_memory() {
        let session = session(&["--memory-limit", "3GB", "--json"]);
        let text = text_without_memory(&session, StopReason::Memory);
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["reason"]["message"], "out of memory (limit 3.0 GB)");
        let moved = document["statistics"]["moved"].as_array().unwrap();
        assert_eq!((moved.len(), moved[99].as_str()), (100, Some("main::variable99")));
    }

    #[test]
    fn an_output_that_fails_takes_no_memory_either() {
        for format in ["--json", "--stats"] {
            let session = session(&[format]);
            // Every write fails, as the file was opened for reading only.
            let file = File::open("/dev/null").unwrap();
            let before = allocations();
            session.write_stopped(StopReason::Interrupted, file.as_fd());
            assert_eq!(allocations() - before, 0, "{format}");
        }
    }
}
