//! The thread that keeps a run within its limits, whatever the run is busy with.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use clew_verifier::monitor::{Phase, Stop};

use super::session::Session;
use super::signals;
use super::usage::{self, Usage};

/// How often it looks.
const INTERVAL: Duration = Duration::from_millis(20);

/// At every how many looks it looks for child processes as well, which takes longer.
const CHILDREN_EVERY: u32 = 10;

/// Watches over `session` from now on.
pub fn start(session: &'static Session) -> io::Result<()> {
    let watch = move || Watchdog { session, asked: None, children: Usage::default(), rounds: 0 }.watch();
    thread::Builder::new().name("watchdog".into()).stack_size(1 << 20).spawn(watch)?;
    Ok(())
}

struct Watchdog {
    session: &'static Session,
    /// When the run was asked to stop.
    asked: Option<Instant>,
    /// What child processes used when they were last looked at.
    children: Usage,
    rounds: u32,
}

impl Watchdog {
    fn watch(mut self) {
        loop {
            thread::sleep(INTERVAL);
            self.session.progress.update(self.session);
            if self.asked.is_none()
                && let Some(why) = self.exceeded()
            {
                self.session.monitor.request_stop(why);
                self.asked = Some(Instant::now());
            }
            if let (Some(asked), Err(why)) = (self.asked, self.session.monitor.check())
                && self.must_end(asked)
            {
                self.session.end(why);
            }
            self.rounds = self.rounds.wrapping_add(1);
        }
    }

    /// Why the run has to stop, if it has to.
    fn exceeded(&mut self) -> Option<Stop> {
        let limits = &self.session.limits;
        if let Some(why) = signals::asked() {
            return Some(why);
        }
        if self.session.monitor.phase() != Phase::Loading {
            self.children = Usage::default();
        } else if self.rounds.is_multiple_of(CHILDREN_EVERY) {
            self.children = usage::of_children();
        }
        let usage = usage::now();
        // The system kills at its limit, so that we have to be done by then.
        let cpu_is_up = limits.cpu.is_some_and(|limit| usage.cpu + self.children.cpu + limits.grace() >= limit);
        if cpu_is_up || limits.time.is_some_and(|limit| self.session.start.elapsed() >= limit) {
            return Some(Stop::Time);
        }
        let space_is_full = limits.address_space.is_some_and(|limit| usage.address_space > limit / 100 * 97);
        (space_is_full || usage.resident + self.children.resident > limits.memory).then_some(Stop::Memory)
    }

    /// Has the run had its chance to stop by itself?
    fn must_end(&self, asked: Instant) -> bool {
        // Compilers and linkers do not listen.
        let deaf = self.session.monitor.phase() == Phase::Loading;
        // A run that ignores the limit of memory must not take the machine down meanwhile.
        let greedy = usage::now().resident > self.session.limits.memory / 100 * 105;
        deaf || greedy || asked.elapsed() > self.session.limits.grace()
    }
}
