//! Counterexamples as text: the violation first, then the way to it, line by line of the source.

use std::fmt::Write;

use super::counterexample::{Counterexample, Event};
use crate::cfa::program::{Havoc, Program};
use crate::cfa::source::{SourceId, SourcePlace};

/// What the listing needs to know of the program's files.
pub trait Sources {
    /// A line of a file, by its path and number from 1, if it can be read.
    fn line(&self, path: &str, line: u32) -> Option<String>;

    /// Are the steps in this file to be left out, because the user does not know it?
    fn is_hidden(&self, _path: &str) -> bool {
        false
    }
}

impl<F: Fn(&str, u32) -> Option<String>> Sources for F {
    fn line(&self, path: &str, line: u32) -> Option<String> {
        self(path, line)
    }
}

/// Longer listings lose their middle.
const MAX_LINES: usize = 200;
/// Of more changes in one line, the last ones are shown.
const MAX_CHANGES: usize = 6;

/// One line of the listing: steps in a row that stand in the same line of the source.
struct Line {
    depth: usize,
    place: SourceId,
    steps: usize,
    changes: Vec<String>,
    /// A function that is entered from here.
    enters: Option<String>,
    /// Does another frame follow?
    closed: bool,
}

impl Counterexample {
    /// The counterexample for people. `run` is the command that runs the program with some inputs.
    pub fn text(&self, program: &Program, sources: &dyn Sources, run: &dyn Fn(&[String]) -> String) -> String {
        let mut out = String::new();
        self.write_violation(&mut out, program, sources);
        out.push('\n');
        self.write_path(&mut out, program, sources);
        self.write_replay(&mut out, run);
        out
    }

    fn write_violation(&self, out: &mut String, program: &Program, sources: &dyn Sources) {
        let property = &self.violation.property;
        let _ = writeln!(out, "violated {}: {}", property.kind, property.message);
        let _ = writeln!(out, "  --> {}", program.sources.describe(property.place));
        let Some(place) = program.sources.place(property.place) else { return };
        let Some(line) = sources.line(program.sources.path(place.file), place.line) else { return };
        let number = place.line.to_string();
        let margin = " ".repeat(number.len());
        let _ = writeln!(out, "{margin} |\n{number} | {line}");
        if place.column > 0 {
            // Tabs stay, so that the caret stands below its column whatever they are worth.
            let before = line.chars().take(place.column as usize - 1);
            let indent: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            let _ = writeln!(out, "{margin} | {indent}^");
        }
    }

    fn write_path(&self, out: &mut String, program: &Program, sources: &dyn Sources) {
        let lines = self.lines(program, sources);
        let hidden = if lines.len() > MAX_LINES { MAX_LINES / 2..lines.len() - MAX_LINES / 2 } else { 0..0 };
        let mut file = None;
        for (i, line) in lines.iter().enumerate() {
            if i == hidden.start && !hidden.is_empty() {
                let steps: usize = lines[hidden.clone()].iter().map(|line| line.steps).sum();
                let _ = writeln!(out, "  … {steps} steps …");
            }
            if hidden.contains(&i) {
                continue;
            }
            let Some(place) = program.sources.place(line.place) else { continue };
            if file != Some(place.file) {
                file = Some(place.file);
                let _ = writeln!(out, "{}:", program.sources.path(place.file));
            }
            line.write(out, place, sources.line(program.sources.path(place.file), place.line));
        }
    }

    /// The events, those of one line joined. What the source does not show is left out.
    fn lines(&self, program: &Program, sources: &dyn Sources) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        for event in &self.events {
            let place = program.sources.place(event.place);
            let shown = |place: &&SourcePlace| place.line > 0 && !sources.is_hidden(program.sources.path(place.file));
            let Some(place) = place.filter(shown) else {
                if let Some(line) = lines.last_mut() {
                    line.steps += 1;
                }
                continue;
            };
            let same = |line: &Line| {
                let other = program.sources.place(line.place).expect("lines have places");
                (line.depth, other.file, other.line) == (event.depth, place.file, place.line) && !line.closed
            };
            match lines.last_mut() {
                Some(line) if same(line) => line.add(event, program),
                _ => {
                    let mut line = Line {
                        depth: event.depth,
                        place: event.place,
                        steps: 0,
                        changes: Vec::new(),
                        enters: None,
                        closed: false,
                    };
                    line.add(event, program);
                    lines.push(line);
                }
            }
        }
        lines
    }

    fn write_replay(&self, out: &mut String, run: &dyn Fn(&[String]) -> String) {
        let given = self.replay_inputs();
        let others = self.inputs.iter().filter(|input| input.kind != Havoc::Input).count();
        out.push('\n');
        let _ = writeln!(out, "replay: {}", run(&given));
        if others > 0 {
            let _ = writeln!(
                out,
                "        {others} more values are unknown to the program (uninitialised, undefined or from outside)"
            );
        }
    }
}

impl Line {
    fn add(&mut self, event: &Event, program: &Program) {
        self.steps += 1;
        let changes = event.changes.iter().map(|change| format!("{} = {}", plain_name(&change.name), change.text));
        self.closed |= event.enters.is_some() || event.leaves;
        if let Some(function) = event.enters {
            let arguments: Vec<String> = changes.collect();
            self.enters = Some(format!("→ {}({})", program.function(function).display_name, arguments.join(", ")));
            return;
        }
        // A loop in one line, or a value set twice: the latest counts.
        for (change, new) in changes.zip(&event.changes) {
            self.changes.retain(|old| !old.starts_with(&format!("{} = ", plain_name(&new.name))));
            self.changes.push(change);
        }
    }

    fn write(&self, out: &mut String, place: &SourcePlace, text: Option<String>) {
        let indent = "  ".repeat(self.depth.saturating_sub(1));
        let text = text.as_deref().map_or("", str::trim);
        let mut line = format!("{:>6} | {indent}{text}", place.line);
        if !self.changes.is_empty() {
            let width = line.chars().count();
            let hidden = self.changes.len().saturating_sub(MAX_CHANGES);
            let more = if hidden > 0 { "…, " } else { "" };
            let shown = self.changes[hidden..].join(", ");
            let _ = write!(line, "{}  {more}{shown}", " ".repeat(50usize.saturating_sub(width)));
        }
        let _ = writeln!(out, "{}", line.trim_end());
        if let Some(enters) = &self.enters {
            let _ = writeln!(out, "       | {indent}{enters}");
        }
    }
}

/// The name in the source: numbers tell variables of one name apart.
fn plain_name(name: &str) -> &str {
    match name.split_once('#') {
        Some((plain, number)) if !plain.is_empty() && plain != "heap" && number.chars().all(|c| c.is_ascii_digit()) => {
            plain
        }
        _ => name,
    }
}
