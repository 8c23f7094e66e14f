//! A path as a sequence of source lines.

use std::io::{self, Write};

use serde::Serialize;

use super::Sources;
use super::place::Place;
use crate::cfa::path::Step;
use crate::cfa::{Op, Program};

/// A source line on a path.
#[derive(Clone, Copy, Serialize, Debug)]
pub struct Passed<'p> {
    /// The place.
    #[serde(flatten)]
    pub place: Place<'p>,
    /// The depth of the call stack.
    pub depth: usize,
}

/// The source lines of `path` in order. Consecutive steps on one line are merged; steps without a source place, or in
/// hidden files, are omitted.
pub(super) fn lines<'p>(program: &'p Program, path: &[Step], sources: &dyn Sources) -> Vec<Passed<'p>> {
    let mut passed: Vec<Passed<'p>> = Vec::new();
    let mut depth = 0usize;
    for step in path {
        let edge = program.edge(step.edge);
        let shown = Place::of(program, edge.source).filter(|place| place.line > 0 && !sources.is_hidden(place.file));
        if let Some(place) = shown {
            let same = |last: &Passed<'_>| {
                last.depth == depth && last.place.line == place.line && last.place.file == place.file
            };
            if !passed.last().is_some_and(same) {
                passed.push(Passed { place, depth });
            }
        }
        match edge.op {
            Op::Call { .. } => depth += 1,
            Op::Return(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    passed
}

/// The number of lines shown of a long path, at its start and at its end.
const MAX_LINES: (usize, usize) = (12, 28);

/// Writes the lines with their text; the middle of a long path is elided.
pub(super) fn write(out: &mut dyn Write, passed: &[Passed<'_>], sources: &dyn Sources) -> io::Result<()> {
    let (first, last) = MAX_LINES;
    let elided = passed.len().saturating_sub(first + last);
    let (head, tail) = passed.split_at(if elided > 0 { first } else { passed.len() });
    let tail = &tail[elided.min(tail.len())..];
    let least = head.iter().chain(tail).map(|line| line.depth).min().unwrap_or(0);
    let width = head.iter().chain(tail).map(|line| position(line).len()).max().unwrap_or(0);
    let line = |out: &mut dyn Write, line: &Passed<'_>| {
        let text = sources.line(&line.place).unwrap_or_default();
        writeln!(out, "  {:width$}  {:indent$}{}", position(line), "", text.trim(), indent = 2 * (line.depth - least))
    };
    head.iter().try_for_each(|passed| line(out, passed))?;
    if elided > 0 {
        writeln!(out, "  … {elided} lines more (--json shows all)")?;
    }
    tail.iter().try_for_each(|passed| line(out, passed))
}

fn position(line: &Passed<'_>) -> String {
    format!("{}:{}", line.place.file, line.place.line)
}
