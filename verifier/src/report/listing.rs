//! The path of a violation as a listing: consecutive steps of one source line are one line.

use super::Sources;
use super::place::Place;
use super::violation::{Step, Violation, plain_name};

/// A name and its value.
pub(super) type Named<'a> = (&'a str, &'a str);

/// One line of the listing.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// The depth of the call stack.
    pub depth: usize,
    /// The place of its first step.
    pub place: Place<'a>,
    /// The number of steps.
    pub steps: usize,
    /// The values that variables have after the line.
    pub changes: Vec<Named<'a>>,
    /// The function that the line calls, with its arguments.
    pub enters: Option<(&'a str, Vec<Named<'a>>)>,
    /// Whether the line ends with a call or a return, so that no step can be added.
    closed: bool,
}

/// The lines of the path, without steps that have no source place or are in hidden files.
pub(super) fn lines<'a>(violation: &Violation<'a>, sources: &dyn Sources) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'a>> = Vec::new();
    for step in &violation.steps {
        let shown = |place: &Place<'_>| place.line > 0 && !sources.is_hidden(place.file);
        let Some(place) = step.place.filter(shown) else {
            if let Some(line) = lines.last_mut() {
                line.steps += 1;
            }
            continue;
        };
        let same = |line: &Line<'_>| {
            (line.depth, line.place.line, line.place.file) == (step.depth, place.line, place.file) && !line.closed
        };
        match lines.last_mut() {
            Some(line) if same(line) => line.add(step),
            _ => {
                let depth = step.depth;
                let mut line = Line { depth, place, steps: 0, changes: Vec::new(), enters: None, closed: false };
                line.add(step);
                lines.push(line);
            }
        }
    }
    lines
}

impl<'a> Line<'a> {
    fn add(&mut self, step: &Step<'a>) {
        self.steps += 1;
        self.closed |= step.enters.is_some() || step.leaves;
        let changes = step.changes.iter().map(|change| (plain_name(&change.name), &*change.text));
        if let Some(function) = step.enters {
            self.enters = Some((function, changes.collect()));
            return;
        }
        // A loop in one line can set a variable several times; only the last value is kept.
        for (name, value) in changes {
            self.changes.retain(|(old, _)| *old != name);
            self.changes.push((name, value));
        }
    }
}

/// Values as a list: `x = 1, y = 2`.
pub(super) fn listed(values: &[Named<'_>]) -> String {
    let words: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    words.join(", ")
}
