//! The watchdog thread, which enforces the limits of a run even if the run is blocked.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use clew_verifier::monitor::{Phase, StopReason};

use super::session::Session;
use super::signals;
use super::usage::{self, Usage};
use super::workers;

/// The polling interval.
const INTERVAL: Duration = Duration::from_millis(20);

/// Child processes are checked only in every n-th round, since reading `/proc` takes longer.
const CHILDREN_EVERY: u32 = 10;

/// Starts the watchdog of `session`.
pub fn start(session: &'static Session) -> io::Result<()> {
    let watch = move || Watchdog { session, requested: None, children: Usage::default(), rounds: 0 }.watch();
    thread::Builder::new().name("watchdog".into()).stack_size(1 << 20).spawn(watch)?;
    Ok(())
}

struct Watchdog {
    session: &'static Session,
    /// The time of the stop request.
    requested: Option<Instant>,
    /// The usage of child processes when last measured.
    children: Usage,
    rounds: u32,
}

impl Watchdog {
    fn watch(mut self) {
        loop {
            thread::sleep(INTERVAL);
            self.session.progress.update(self.session);
            if self.requested.is_none()
                && let Some(why) = self.exceeded()
            {
                self.session.monitor.request_stop(why);
                self.requested = Some(Instant::now());
            }
            if let (Some(requested), Err(why)) = (self.requested, self.session.monitor.check())
                && self.must_end(requested)
            {
                self.session.end(why);
            }
            self.rounds = self.rounds.wrapping_add(1);
        }
    }

    /// The reason to stop the run, if there is one.
    fn exceeded(&mut self) -> Option<StopReason> {
        let limits = &self.session.limits;
        if let Some(why) = signals::received() {
            return Some(why);
        }
        if self.session.monitor.phase() != Phase::Loading {
            self.children = workers::usage();
        } else if self.rounds.is_multiple_of(CHILDREN_EVERY) {
            self.children = usage::of_children();
        }
        let usage = usage::now();
        let children_are_large =
            self.session.monitor.phase() == Phase::Loading && usage.resident + self.children.resident > limits.memory;
        // The kernel kills the process at its CPU limit, so the report must be written before.
        let cpu_is_up = limits.cpu.is_some_and(|limit| usage.cpu + self.children.cpu + limits.grace() >= limit);
        if cpu_is_up || limits.time.is_some_and(|limit| self.session.start.elapsed() >= limit) {
            return Some(StopReason::Time);
        }
        let space_is_full = limits.address_space.is_some_and(|limit| usage.address_space > limit / 100 * 97);
        // The memory of workers is limited by whoever starts them.
        (space_is_full || children_are_large || usage.resident > limits.memory).then_some(StopReason::Memory)
    }

    /// Whether the run must be ended from outside, because it has not stopped by itself.
    fn must_end(&self, requested: Instant) -> bool {
        // Compilers and linkers cannot be cancelled.
        let cannot_stop = self.session.monitor.phase() == Phase::Loading;
        // Memory usage must not grow further while waiting.
        let exceeds_memory = usage::now().resident > self.session.limits.memory / 100 * 105;
        cannot_stop || exceeds_memory || requested.elapsed() > self.session.limits.grace()
    }
}
