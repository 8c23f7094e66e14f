//! Counterexamples as text: the violation first, then the way to it, line by line of the source.

use std::fmt::Write;

use super::counterexample::{Counterexample, Event};
use crate::cfa::program::{Havoc, Program};
use crate::cfa::source::{SourceId, SourcePlace};

/// Gives a line of a source file, by its path and number from 1.
pub type Source<'a> = dyn Fn(&str, u32) -> Option<String> + 'a;

/// Longer listings lose their middle.
const MAX_LINES: usize = 200;

/// One line of the listing: steps in a row that stand in the same line of the source.
struct Line {
    depth: usize,
    place: SourceId,
    steps: usize,
    changes: Vec<String>,
    /// What follows: functions that are entered or left.
    frames: Vec<String>,
}

impl Counterexample {
    /// The counterexample for people. `source` gives lines of the program's files where it can; `run` is the command
    /// that runs the program with some inputs.
    pub fn text(&self, program: &Program, source: &Source<'_>, run: &dyn Fn(&[String]) -> String) -> String {
        let mut out = String::new();
        self.write_violation(&mut out, program, source);
        out.push('\n');
        self.write_path(&mut out, program, source);
        self.write_replay(&mut out, run);
        out
    }

    fn write_violation(&self, out: &mut String, program: &Program, source: &Source<'_>) {
        let property = &self.violation.property;
        let _ = writeln!(out, "violated {}: {}", property.kind, property.message);
        let _ = writeln!(out, "  --> {}", program.sources.describe(property.place));
        let Some(place) = program.sources.place(property.place) else { return };
        let Some(line) = source(program.sources.path(place.file), place.line) else { return };
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

    fn write_path(&self, out: &mut String, program: &Program, source: &Source<'_>) {
        let lines = self.lines(program);
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
            line.write(out, place, source(program.sources.path(place.file), place.line));
        }
    }

    /// The events, those of one line joined. What the source does not show is left out, unless it changes frames.
    fn lines(&self, program: &Program) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        for event in &self.events {
            let place = program.sources.place(event.place);
            let Some(place) = place.filter(|place| place.line > 0) else {
                if let Some(line) = lines.last_mut() {
                    line.steps += 1;
                }
                continue;
            };
            let same = |line: &Line| {
                let other = program.sources.place(line.place).expect("lines have places");
                (line.depth, other.file, other.line) == (event.depth, place.file, place.line) && line.frames.is_empty()
            };
            match lines.last_mut() {
                Some(line) if same(line) => line.add(event, program),
                _ => {
                    let mut line = Line {
                        depth: event.depth,
                        place: event.place,
                        steps: 0,
                        changes: Vec::new(),
                        frames: Vec::new(),
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
        let changes = event.changes.iter().map(|change| format!("{} = {}", change.name, change.text));
        if let Some(function) = event.enters {
            let arguments: Vec<String> = changes.collect();
            self.frames.push(format!("→ {}({})", program.function(function).display_name, arguments.join(", ")));
        } else {
            // A loop in one line, or a value set twice: the latest counts.
            for (change, new) in changes.zip(&event.changes) {
                self.changes.retain(|old| !old.starts_with(&format!("{} = ", new.name)));
                self.changes.push(change);
            }
            if event.leaves {
                self.frames.push("←".into());
            }
        }
    }

    fn write(&self, out: &mut String, place: &SourcePlace, text: Option<String>) {
        let indent = "  ".repeat(self.depth.saturating_sub(1));
        let text = text.as_deref().map_or("", str::trim);
        let mut line = format!("{:>6} | {indent}{text}", place.line);
        if !self.changes.is_empty() {
            let width = line.chars().count();
            let _ = write!(line, "{}  {}", " ".repeat(50usize.saturating_sub(width)), self.changes.join(", "));
        }
        let _ = writeln!(out, "{}", line.trim_end());
        for frame in self.frames.iter().filter(|frame| *frame != "←") {
            let _ = writeln!(out, "       | {indent}{frame}");
        }
    }
}
