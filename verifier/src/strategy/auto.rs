//! The configuration `auto`: one analysis after the other, each for its share of the time.
//!
//! Values come first, since they decide many programs within a second. Bounded unrolling with induction follows, which finds
//! most errors, and then predicates, which prove what needs relations between variables. None of them repeats another.

use std::time::Duration;

use super::options::{CheckOptions, Config};
use super::report::{Reason, Verdict};
use crate::cfa::Program;
use crate::monitor::{Monitor, Stop};

/// The analyses, with their shares of the time in percent. The last one has what is left.
const TURNS: [(Config, u32); 3] = [(Config::Value, 20), (Config::KInduction, 50), (Config::Predicate, 100)];
/// What counts as the whole time where there is no limit.
const UNLIMITED: Duration = Duration::from_secs(300);

/// Runs the analyses.
pub(super) fn check(program: &Program, options: &CheckOptions, monitor: &Monitor) -> Verdict {
    let mut doubt = None;
    for (turn, (config, percent)) in TURNS.into_iter().enumerate() {
        let is_last = turn + 1 == TURNS.len();
        let time = monitor.budget().unwrap_or(UNLIMITED) * percent / 100;
        monitor.begin_turn((!is_last).then_some(time));
        let verdict = super::decide(program, &CheckOptions { config, ..options.clone() }, monitor);
        monitor.begin_turn(None);
        match verdict {
            Verdict::Safe | Verdict::Unsafe(_) => return verdict,
            Verdict::Unknown(Reason::Stopped(stop)) if stop != Stop::Turn => {
                return Verdict::Unknown(Reason::Stopped(stop));
            }
            // What a later analysis says about why it failed is the better hint.
            Verdict::Unknown(reason) if !matches!(reason, Reason::Stopped(_)) => doubt = Some(reason),
            Verdict::Unknown(_) => {}
        }
    }
    Verdict::Unknown(doubt.unwrap_or(Reason::Stopped(Stop::Time)))
}
