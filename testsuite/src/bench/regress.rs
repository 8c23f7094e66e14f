//! What changed since earlier results: tasks lost, gained, and those that take twice as long.

use std::collections::HashMap;
use std::fmt;

use super::results::Outcome;

/// A time below this many seconds counts as this many: start-up varies from run to run.
pub const FLOOR: f64 = 0.5;

/// By what factor a task must be slower to be named.
pub const FACTOR: f64 = 2.0;

/// The difference between two files of results.
#[derive(Debug, Default)]
pub struct Changes {
    /// Tasks that were right and are not.
    pub lost: Vec<String>,
    /// Tasks that are wrong now.
    pub wrong: Vec<String>,
    /// Tasks that are right and were not.
    pub gained: Vec<String>,
    /// Tasks that are right in both, and take longer.
    pub slower: Vec<String>,
    /// How many tasks of a configuration are in both.
    pub compared: usize,
}

impl Changes {
    /// Whether something is worse than before, other than slower.
    pub fn is_regression(&self) -> bool {
        !self.lost.is_empty() || !self.wrong.is_empty()
    }
}

/// Compares results of the same configuration and task. If each has a single configuration, their names do not matter.
pub fn compare(old: &[Outcome], new: &[Outcome]) -> Changes {
    let ignore_names = super::results::configs(old).len() <= 1 && super::results::configs(new).len() <= 1;
    let key = |outcome: &Outcome| {
        let config = if ignore_names { String::new() } else { outcome.config.clone() };
        (config, outcome.id.clone())
    };
    let before: HashMap<(String, String), &Outcome> = old.iter().map(|outcome| (key(outcome), outcome)).collect();
    let mut changes = Changes::default();
    for now in new {
        let name = format!("{} ({})", now.id, now.config);
        if now.is_wrong() {
            changes.wrong.push(format!("{name}: expected {}, got {}", now.expected, now.got));
        }
        let Some(then) = before.get(&key(now)) else { continue };
        changes.compared += 1;
        match (then.is_right(), now.is_right()) {
            (true, false) => changes.lost.push(format!("{name}: was {} in {:.1} s, {}", then.got, then.cpu, now.note)),
            (false, true) => changes.gained.push(format!("{name}: {} in {:.1} s", now.got, now.cpu)),
            (true, true) if now.cpu.max(FLOOR) >= FACTOR * then.cpu.max(FLOOR) => {
                changes.slower.push(format!("{name}: {:.1} s, was {:.1} s", now.cpu, then.cpu));
            }
            _ => {}
        }
    }
    changes
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, tasks) in
            [("WRONG", &self.wrong), ("lost", &self.lost), ("gained", &self.gained), ("slower", &self.slower)]
        {
            for task in tasks {
                writeln!(f, "{what:6} {task}")?;
            }
        }
        writeln!(
            f,
            "{} compared: {} lost, {} gained, {} slower by {FACTOR} or more, {} wrong",
            self.compared,
            self.lost.len(),
            self.gained.len(),
            self.slower.len(),
            self.wrong.len()
        )
    }
}
