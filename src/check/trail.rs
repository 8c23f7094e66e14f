//! A path as the source lines that it passes.

use std::io::{self, Write};

use clew_frontend_llvm::compile::is_model_file;
use clew_verifier::cfa::path::Step;
use clew_verifier::cfa::{Op, Program};
use serde::Serialize;

use super::place::Place;
use super::sources::Sources;

/// A line that a path passes.
#[derive(Clone, Copy, Serialize, Debug)]
pub struct Passed<'p> {
    /// Where it is.
    #[serde(flatten)]
    pub place: Place<'p>,
    /// How many calls are under way there.
    pub depth: usize,
}

/// The lines that `path` passes, one after the other. Steps on one line count once; the models of the C library, and
/// what the source does not show, are left out.
pub fn lines<'p>(program: &'p Program, path: &[Step]) -> Vec<Passed<'p>> {
    let mut passed: Vec<Passed<'p>> = Vec::new();
    let mut depth = 0usize;
    for step in path {
        let edge = program.edge(step.edge);
        let shown = Place::of(program, edge.source).filter(|place| place.line > 0 && !is_model_file(place.file));
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

/// Of a long path so many lines are shown at its start, and at its end.
const SHOWN: (usize, usize) = (12, 28);

/// Writes the lines with their text; of many, the first and the last.
pub fn write(out: &mut impl Write, passed: &[Passed<'_>]) -> io::Result<()> {
    let sources = Sources::default();
    let (first, last) = SHOWN;
    let elided = passed.len().saturating_sub(first + last);
    let (head, tail) = passed.split_at(if elided > 0 { first } else { passed.len() });
    let tail = &tail[elided.min(tail.len())..];
    let least = head.iter().chain(tail).map(|line| line.depth).min().unwrap_or(0);
    let width = head.iter().chain(tail).map(|line| position(line).len()).max().unwrap_or(0);
    let line = |out: &mut dyn Write, line: &Passed<'_>| {
        let text = sources.line(line.place.file, line.place.line).unwrap_or_default();
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
