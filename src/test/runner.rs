//! Checks harnesses, each in a child process.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use clew_clang::scratch::tie_gently_to_us;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value as Json;

use super::harness::Harness;
use super::verdict::Verdict;
use crate::exit::{INPUT, INTERNAL, UNKNOWN, USAGE};

/// What became of a harness.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its verdict, or why there is none.
    pub result: Result<Verdict, Broken>,
    /// The SARIF log of its check, if there is one.
    pub log: Option<Json>,
    /// When the check began.
    pub started: SystemTime,
    /// How long it took.
    pub time: Duration,
    /// Whether the verdict is that of an earlier run.
    pub cached: bool,
}

/// A harness that could not be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// What is wrong, in a few words.
    pub what: String,
    /// The messages of the check.
    pub message: String,
    /// The exit code of `clew check`.
    pub code: u8,
}

/// How harnesses are checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// This program.
    pub program: PathBuf,
    /// How many are checked at a time.
    pub jobs: usize,
    /// Limits for those that have none of their own, as arguments of `clew check`.
    pub limits: Vec<String>,
}

/// What happens to the harness with a number.
#[derive(Debug)]
pub enum Event {
    /// Its check begins.
    Begin(usize),
    /// Its check has ended.
    End(usize, Box<Outcome>),
}

/// Beyond its time limit, a check is given this long to say that it has reached it.
const GRACE: Duration = Duration::from_secs(20);

/// How long a check that is asked to end may take.
const FAREWELL: Duration = Duration::from_secs(6);

/// How often a check is looked at.
const INTERVAL: Duration = Duration::from_millis(5);

/// Applies `work` to the numbers below `count`, several at a time, and passes what happens to `see`.
pub fn in_parallel(jobs: usize, count: usize, work: impl Fn(usize) -> Outcome + Sync, see: impl FnMut(Event)) {
    let next = AtomicUsize::new(0);
    let (sender, events) = channel();
    thread::scope(|scope| {
        for _ in 0..jobs.min(count) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count || sender.send(Event::Begin(number)).is_err() {
                        break;
                    }
                    let _ = sender.send(Event::End(number, Box::new(work(number))));
                }
            });
        }
        drop(sender);
        let events: Receiver<Event> = events;
        events.into_iter().for_each(see);
    });
}

impl Settings {
    /// The arguments of the check of `harness`.
    pub fn arguments<'a>(&'a self, harness: &'a Harness) -> Vec<&'a str> {
        let own = |limit: &&String| !harness.words.sets(limit.split('=').next().unwrap_or(limit));
        let limits = self.limits.iter().filter(own).map(String::as_str);
        let mut arguments = vec!["check"];
        arguments.extend(limits);
        arguments.extend(harness.arguments().skip(1));
        arguments
    }

    /// Checks a harness, with additional arguments.
    pub fn run(&self, harness: &Harness, extra: &[String]) -> Outcome {
        let (started, start) = (SystemTime::now(), Instant::now());
        let limit = self.time_limit(harness);
        let (result, log) = match self.check(harness, extra, limit) {
            Ok(Some((status, output, messages))) => judge(status, &output, &messages),
            Ok(None) => {
                let limit = limit.map(|limit| format!(" ({})", humantime::format_duration(limit))).unwrap_or_default();
                (Ok(Verdict::unknown("time", format!("it did not stop at its time limit{limit} and was ended"))), None)
            }
            Err(error) => {
                let what = "it cannot be checked".into();
                (Err(Broken { what, message: error.to_string(), code: INTERNAL }), None)
            }
        };
        Outcome { result, log, started, time: start.elapsed(), cached: false }
    }

    /// The time limit of a harness, if it has one.
    pub fn time_limit(&self, harness: &Harness) -> Option<Duration> {
        let limits = self.limits.iter().chain(&harness.words.limits);
        let text = limits.filter_map(|limit| limit.strip_prefix("--time-limit=")).next_back();
        match text.map(crate::check::time) {
            Some(Ok(limit)) => limit.0,
            // It was checked before.
            _ => Some(crate::check::DEFAULT_TIME),
        }
    }

    /// Runs the check to its end, with its output and messages; `None` if it had to be ended.
    fn check(
        &self,
        harness: &Harness,
        extra: &[String],
        limit: Option<Duration>,
    ) -> io::Result<Option<(ExitStatus, String, String)>> {
        let (mut output, mut messages) = (tempfile::tempfile()?, tempfile::tempfile()?);
        let mut command = Command::new(&self.program);
        // Options come before the flags for clang.
        command.args(["check", "--format=sarif", "--no-progress"]).args(extra).args(&self.arguments(harness)[1..]);
        command.current_dir(folder(&harness.root)).stdin(Stdio::null());
        command.stdout(output.try_clone()?).stderr(messages.try_clone()?);
        let mut child = tie_gently_to_us(&mut command).spawn()?;
        let Some(status) = wait(&mut child, limit.map(|limit| limit + GRACE))? else { return Ok(None) };
        Ok(Some((status, contents(&mut output)?, contents(&mut messages)?)))
    }
}

/// The folder, which must not be empty to be entered.
fn folder(root: &Path) -> &Path {
    if root.as_os_str().is_empty() { Path::new(".") } else { root }
}

fn wait(child: &mut Child, limit: Option<Duration>) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if limit.is_some_and(|limit| start.elapsed() > limit) {
            // It removes its temporary files if it can.
            if let Some(process) = Pid::from_raw(child.id() as i32) {
                let _ = kill_process(process, Signal::TERM);
            }
            let asked = Instant::now();
            while child.try_wait()?.is_none() && asked.elapsed() < FAREWELL {
                thread::sleep(INTERVAL);
            }
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(INTERVAL);
    }
}

fn contents(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What the end of a check means.
fn judge(status: ExitStatus, output: &str, messages: &str) -> (Result<Verdict, Broken>, Option<Json>) {
    let broken = |what: &str, code| {
        let message = messages.trim_end().to_string();
        (Err(Broken { what: what.into(), message, code }), None)
    };
    let log: Option<Json> = serde_json::from_str(output).ok();
    let verdict = log.as_ref().and_then(Verdict::of_sarif);
    match (status.code().map(|code| code as u8), verdict) {
        (Some(code), Some(verdict)) if expected_code(&verdict) == Some(code) => (Ok(verdict), log),
        (Some(USAGE), _) => broken("bad usage", USAGE),
        (Some(INPUT), _) => broken("it does not compile", INPUT),
        // Without a report, memory was missing to compile the program.
        (Some(UNKNOWN), None) => (Ok(Verdict::unknown("memory", messages.trim_end().into())), None),
        (Some(_), _) => broken("internal error", INTERNAL),
        (None, _) => broken(&format!("ended by signal {}", status.signal().unwrap_or(0)), INTERNAL),
    }
}

fn expected_code(verdict: &Verdict) -> Option<u8> {
    use clew_verifier::report::Conclusion::{Safe, Unknown, Unsafe};
    [Safe, Unsafe, Unknown].iter().find(|one| one.name() == verdict.conclusion).map(|one| one.exit_code())
}
