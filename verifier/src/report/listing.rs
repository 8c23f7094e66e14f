//! The path of a violation as a listing: consecutive steps of one source line are one line.

use super::place::Place;
use super::violation::{Step, Violation};
use super::{Sources, Trace};
use crate::evidence::Change;

/// A name and its value.
pub(super) type Named<'a> = (&'a str, &'a str);

/// One line of the listing.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// The depth of the call stack, without the frames that are left out.
    pub depth: usize,
    /// The place of its first step.
    pub place: Place<'a>,
    /// The number of steps.
    pub steps: usize,
    /// The function that starts with this line, with its arguments, if no line calls it.
    pub entered: Option<Call<'a>>,
    /// The values that variables have after the line.
    pub changes: Vec<Named<'a>>,
    /// The function that the line calls, with its arguments.
    pub enters: Option<Call<'a>>,
    /// The texts that changes are parts of, by the names of the changes.
    wholes: Vec<(&'a str, &'a str)>,
    /// Whether the line ends with a call or a return, so that no step can be added.
    closed: bool,
}

/// A function with its arguments.
pub(super) type Call<'a> = (&'a str, Vec<Named<'a>>);

/// A frame of the call stack.
struct Frame<'a> {
    /// Whether its lines are shown.
    is_shown: bool,
    /// The place of its call.
    call: Option<Place<'a>>,
}

/// The lines of the path, without steps that have no source place or are in hidden files. Unless all are asked for,
/// libraries are left out; what they change in the program belongs to the line that calls them.
pub(super) fn lines<'a>(violation: &Violation<'a>, sources: &dyn Sources, trace: Trace) -> Vec<Line<'a>> {
    let is_shown = |place: &Place<'_>| {
        place.line > 0 && !sources.is_hidden(place.file) && (trace == Trace::Full || !sources.is_library(place))
    };
    let mut lines: Vec<Line<'a>> = Vec::new();
    let mut frames = vec![Frame { is_shown: false, call: None }];
    let mut entered: Option<Call<'a>> = None;
    for step in &violation.steps {
        let depth = 1 + frames.iter().filter(|frame| frame.is_shown).count();
        let place = step.place.filter(is_shown);
        let callee_is_shown = step.enters.is_some() && step.callee.as_ref().is_none_or(is_shown);
        match place {
            Some(place) => {
                let same = |line: &Line<'_>| {
                    (line.depth, line.place.line, line.place.file) == (depth, place.line, place.file)
                        && (!line.closed && entered.is_none())
                };
                if !lines.last().is_some_and(same) {
                    lines.push(Line::new(depth, place, entered.take()));
                }
                let line = lines.last_mut().expect("it was just added");
                line.steps += 1;
                if let (Some(function), true) = (step.enters, callee_is_shown) {
                    line.enters = Some((function, arguments(step)));
                    line.closed = true;
                } else if step.leaves {
                    line.closed = true;
                } else if step.enters.is_none() {
                    step.changes
                        .iter()
                        .filter(|change| trace == Trace::Full || !is_internal(change))
                        .for_each(|c| line.add(c));
                }
            }
            None => {
                if let Some(line) = lines.last_mut() {
                    line.steps += 1;
                    if step.enters.is_none() && !step.leaves {
                        step.changes.iter().filter(|change| matters(change)).for_each(|change| line.add(change));
                    }
                }
                if let (Some(function), true) = (step.enters, callee_is_shown) {
                    entered = Some((function, arguments(step))).filter(|(_, arguments)| !arguments.is_empty());
                }
            }
        }
        if step.enters.is_some() {
            let call = place.or(frames.last().filter(|frame| !frame.is_shown).and_then(|frame| frame.call));
            frames.push(Frame { is_shown: callee_is_shown, call });
        }
        if step.leaves && frames.len() > 1 {
            let left = frames.pop().expect("it is not empty");
            let is_caller_shown = frames.last().is_some_and(|frame| frame.is_shown);
            if let (Some(place), true, false) = (left.call, is_caller_shown, step.changes.is_empty()) {
                let depth = 1 + frames.iter().filter(|frame| frame.is_shown).count();
                // The line of the call, again, since the callee has lines of its own.
                if left.is_shown {
                    lines.push(Line::new(depth, place, None));
                }
                if let Some(line) = lines.last_mut() {
                    step.changes.iter().for_each(|change| line.add(change));
                }
            }
        }
    }
    lines
}

fn arguments<'a>(step: &Step<'a>) -> Vec<Named<'a>> {
    step.changes.iter().map(|change| (&*change.name, &*change.text)).collect()
}

/// Whether a change in code that is not shown matters to the program: it is one of an object, not of a local variable.
fn matters(change: &Change) -> bool {
    change.is_object && change.ty.is_some() && !is_internal(change)
}

/// Whether the name is one that C and C++ reserve for libraries. A text is known by the name of its variable.
fn is_internal(change: &Change) -> bool {
    let is_reserved = |word: &str| {
        let mut letters = word.chars();
        letters.next() == Some('_') && letters.next().is_some_and(|c| c == '_' || c.is_ascii_uppercase())
    };
    let name = whole(change).map_or(&*change.name, |(name, ..)| name);
    name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(is_reserved)
}

impl<'a> Line<'a> {
    fn new(depth: usize, place: Place<'a>, entered: Option<Call<'a>>) -> Line<'a> {
        let (changes, wholes) = (Vec::new(), Vec::new());
        Line { depth, place, steps: 0, entered, changes, enters: None, wholes, closed: false }
    }

    /// Adds a change. A loop in one line can set a variable several times; only the last value is kept. Several
    /// characters of a text are shown as the text.
    fn add(&mut self, change: &'a Change) {
        if let Some((name, text, rest)) = whole(change) {
            let others = self.wholes.iter().any(|(part, whole)| *whole == name && *part != change.name);
            if others || !rest.starts_with('[') {
                let wholes = &self.wholes;
                let is_part = |old: &str| wholes.iter().any(|(part, whole)| *part == old && *whole == name);
                self.changes.retain(|(old, _)| *old != name && !is_part(old));
                return self.changes.push((name, text));
            }
            self.wholes.push((&change.name, name));
        }
        self.changes.retain(|(old, _)| *old != change.name);
        self.changes.push((&change.name, &change.text));
    }
}

/// The text that a change is inside of: its name and value, and the rest of the name of the change.
fn whole(change: &Change) -> Option<(&str, &str, &str)> {
    let (name, text) = change.whole.as_ref()?;
    let rest = change.name.strip_prefix(&**name).filter(|rest| !rest.is_empty())?;
    Some((name, text, rest))
}

/// Values as a list: `x = 1, y = 2`.
pub(super) fn listed(values: &[Named<'_>]) -> String {
    let words: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    words.join(", ")
}
