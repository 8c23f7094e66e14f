//! Progress of a run on the standard error.

use std::fmt::Write;
use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clew_verifier::monitor::Monitor;
use clew_verifier::report::bytes;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::arguments::ProgressArgs;
use super::session::Session;
use super::{usage, workers};

/// Progress output.
#[derive(Debug)]
pub enum Progress {
    /// No output.
    None,
    /// On a terminal: one line, updated in place.
    Live(ProgressBar, Pace),
    /// Not on a terminal: one line per interval.
    Lines(Pace),
}

/// Limits output to once per interval.
#[derive(Debug)]
pub struct Pace {
    interval: Duration,
    next: Mutex<Instant>,
}

impl Pace {
    fn new(interval: Duration) -> Pace {
        Pace { interval, next: Mutex::new(Instant::now() + interval) }
    }

    fn is_due(&self) -> bool {
        let Ok(mut next) = self.next.try_lock() else { return false };
        let due = Instant::now() >= *next;
        if due {
            *next = Instant::now() + self.interval;
        }
        due
    }
}

impl Progress {
    /// Progress output as the arguments request it.
    pub fn new(arguments: &ProgressArgs) -> Progress {
        if arguments.no_progress {
            Progress::None
        } else if stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(
                ProgressStyle::with_template("{spinner} {wide_msg}").unwrap_or(ProgressStyle::default_spinner()),
            );
            Progress::Live(bar, Pace::new(Duration::from_millis(100)))
        } else if arguments.progress {
            Progress::Lines(Pace::new(Duration::from_secs(5)))
        } else {
            Progress::None
        }
    }

    /// Shows the state of the run if the interval has passed.
    pub fn update(&self, session: &Session) {
        match self {
            Progress::Live(bar, pace) if pace.is_due() => {
                bar.set_message(line(session));
                bar.tick();
            }
            Progress::Lines(pace) if pace.is_due() => eprintln!("clew: {}", line(session)),
            _ => {}
        }
    }

    /// Prints a message to the standard error without corrupting the live line.
    pub fn note(&self, text: &str) {
        match self {
            Progress::Live(bar, _) => bar.suspend(|| eprintln!("{text}")),
            _ => eprintln!("{text}"),
        }
    }

    /// Removes the live line.
    pub fn clear(&self) {
        if let Progress::Live(bar, _) = self {
            bar.finish_and_clear();
        }
    }

    /// Removes the live line without locking or allocating.
    pub fn erase(&self) {
        if let Progress::Live(..) = self {
            let _ = rustix::io::write(rustix::stdio::stderr(), b"\r\x1b[2K");
        }
    }
}

/// The state of the run in one line.
fn line(session: &Session) -> String {
    let monitor: &Monitor = &session.monitor;
    let elapsed = session.start.elapsed();
    let active = monitor.active();
    let doing = if active.is_empty() { monitor.phase().name() } else { &active };
    let mut text = format!("{doing} · {} s", elapsed.as_secs());
    let mut add = |part: std::fmt::Arguments<'_>| {
        let _ = text.write_fmt(format_args!(" · {part}"));
    };
    for (counter, name) in
        [(&monitor.states, "states"), (&monitor.refinements, "refinements"), (&monitor.precision, "tracked")]
    {
        let count = counter.load(Ordering::Relaxed);
        if count > 0 {
            add(format_args!("{count} {name}"));
        }
    }
    let solver = Duration::from_micros(monitor.solver_micros.load(Ordering::Relaxed));
    if !solver.is_zero() {
        add(format_args!("solver {:.0} %", 100.0 * solver.as_secs_f64() / elapsed.as_secs_f64()));
    }
    add(format_args!("{}", bytes(usage::now().resident + workers::usage().resident)));
    if let Some(limit) = session.limits.time {
        add(format_args!("{} s left", limit.saturating_sub(elapsed).as_secs()));
    }
    text
}
