//! What a person sees: a line for each harness, diffs, and a summary.

use std::fmt::Write;
use std::path::PathBuf;

use similar::{ChangeTag, TextDiff};

use super::compare::{Compared, State};
use super::harness::Harness;
use super::snapshot;

/// Text, with colours or without.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether there are colours.
    pub color: bool,
}

const RED: &str = "31";
const GREEN: &str = "32";
const YELLOW: &str = "33";
const DIM: &str = "2";

/// The most lines of messages that are shown of a harness that could not be checked.
const MAX_MESSAGES: usize = 12;

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into() }
    }

    /// A harness: a line, and what is different.
    pub fn harness(self, harness: &Harness, compared: &Compared) -> String {
        let name = &harness.name;
        let (mark, code) = match compared.state {
            State::Expected => ("ok", GREEN),
            State::Accepted => ("accepted", GREEN),
            State::Different => ("differs", RED),
            State::New => ("new", YELLOW),
            State::Broken => ("broken", RED),
        };
        let mark = self.paint(code, &format!("{mark:>8}"));
        let what = match &compared.outcome.result {
            Ok(verdict) => verdict.line(),
            Err(broken) => broken.what.clone(),
        };
        let mut text = format!("{mark}  {name}: {what}\n");
        match &compared.outcome.result {
            Ok(_) if compared.is_pending() => text += &self.difference(compared),
            Ok(_) => {}
            Err(broken) => {
                let lines: Vec<&str> = broken.message.lines().collect();
                for line in lines.iter().take(MAX_MESSAGES) {
                    let _ = writeln!(text, "          {line}");
                }
                if lines.len() > MAX_MESSAGES {
                    let _ = writeln!(text, "          ({} more lines)", lines.len() - MAX_MESSAGES);
                }
            }
        }
        text
    }

    /// The difference to the snapshot, and what the check said about its verdict.
    pub fn difference(self, compared: &Compared) -> String {
        let Some(verdict) = compared.verdict() else { return String::new() };
        let (old, new) = (compared.expected.clone().unwrap_or_default(), verdict.text());
        let mut text = String::new();
        for change in TextDiff::from_lines(old.as_str(), new.as_str()).iter_all_changes() {
            let (sign, code) = match change.tag() {
                ChangeTag::Delete => ("-", RED),
                ChangeTag::Insert => ("+", GREEN),
                ChangeTag::Equal => (" ", DIM),
            };
            let line = format!("{sign} {}", change.value().trim_end());
            let _ = writeln!(text, "          {}", self.paint(code, line.trim_end()));
        }
        if let Some(message) = verdict.message() {
            let _ = writeln!(text, "          {}", self.paint(DIM, &format!("({message})")));
        }
        text
    }

    /// Snapshots that belong to no harness.
    pub fn obsolete(self, files: &[PathBuf]) -> String {
        let mark = self.paint(YELLOW, "obsolete");
        files.iter().map(|file| format!("{mark}  {}: no harness has this snapshot\n", file.display())).collect()
    }

    /// Sums, and what to do next.
    pub fn summary(self, harnesses: &[Harness], all: &[Compared]) -> String {
        let count = |state| all.iter().filter(|one| one.state == state).count();
        let parts = [
            (State::Expected, "as expected", GREEN),
            (State::Accepted, "accepted", GREEN),
            (State::Different, "different", RED),
            (State::New, "new", YELLOW),
            (State::Broken, "broken", RED),
        ];
        let parts = parts.iter().filter(|(state, ..)| count(*state) > 0);
        let mut parts: Vec<String> =
            parts.map(|(state, name, code)| self.paint(code, &format!("{} {name}", count(*state)))).collect();
        let cached = all.iter().filter(|one| one.outcome.cached).count();
        if cached > 0 {
            parts.push(format!("{cached} of them cached"));
        }
        let noun = if all.len() == 1 { "harness" } else { "harnesses" };
        let mut text = format!("\n{} {noun}: {}\n", all.len(), parts.join(", "));
        let mut pending = harnesses.iter().zip(all).filter(|(_, one)| one.is_pending());
        if let Some((first, _)) = pending.next() {
            let file = snapshot::pending(first);
            let more = pending.count();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let _ = writeln!(text, "pending: {}{more}; accept with --review or --accept", file.display());
        }
        text
    }
}
