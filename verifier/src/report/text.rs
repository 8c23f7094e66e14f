//! Reports as text: each violation with its path and the command to replay it; the verdict is the last line.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::evidence::Evidence;

use super::iterations::{self, Item};
use super::listing::{self, Line, listed};
use super::reason::Undecided;
use super::violation::Violation;
use super::{Conclusion, Format, Rendering, Report, Sources, Trace, snippet, trail};

pub(super) const FORMAT: Format = Format {
    name: "text",
    help: "For people; the verdict is the last line",
    extension: "txt",
    media_type: "text/plain",
    allocates: false,
    render,
};

/// The middle of longer listings is elided.
const MAX_LINES: usize = 200;
/// The maximum number of changes in one line; the last ones are shown.
const MAX_CHANGES: usize = 6;

/// Writes the report. Allocates nothing without a violation or an undecided path.
fn render(report: &Report<'_>, rendering: Rendering<'_>, out: &mut dyn Write) -> io::Result<()> {
    if rendering.statistics {
        report.statistics.table(out)?;
    }
    let count = report.violations.len();
    for (i, violation) in report.violations.iter().enumerate() {
        if report.options.all {
            writeln!(out, "violation {} of {count}:", i + 1)?;
        }
        writeln!(out, "{}", describe(violation, rendering))?;
    }
    if let Some(undecided) = &report.undecided {
        write_undecided(report, undecided, rendering.sources, out)?;
    }
    if report.options.all && count > 0 {
        match &report.undecided {
            Some(undecided) => writeln!(out, "rest: not decided: {}", undecided.in_context())?,
            None => writeln!(out, "rest: no other property can be violated")?,
        }
    }
    if report.conclusion() == Conclusion::Safe {
        for assumption in report.assumptions {
            writeln!(out, "assumes: {assumption}")?;
        }
    }
    write_verdict(report, rendering.color, out)
}

/// The verdict in one line.
pub fn write_verdict(report: &Report<'_>, color: bool, out: &mut dyn Write) -> io::Result<()> {
    let conclusion = report.conclusion();
    let name = conclusion.name();
    match conclusion {
        _ if !color => write!(out, "{name}")?,
        Conclusion::Safe => write!(out, "\x1b[1;32m{name}\x1b[0m")?,
        Conclusion::Unsafe => write!(out, "\x1b[1;31m{name}\x1b[0m")?,
        Conclusion::Unknown => write!(out, "\x1b[1;33m{name}\x1b[0m")?,
    }
    match (&*report.violations, &report.undecided) {
        ([], None) => {}
        ([], Some(undecided)) => write!(out, ": {}", undecided.in_context())?,
        (violations, _) if report.options.all => write!(out, ": {}", summary(violations))?,
        ([violation, ..], _) => {
            write!(out, ": {}: {}", violation.claim.kind, violation.claim.message)?;
            if let Some(place) = violation.place {
                write!(out, ", at {place}")?;
            }
        }
    }
    writeln!(out)
}

/// The number of violations, in total and by kind.
fn summary(violations: &[Violation<'_>]) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for violation in violations {
        *kinds.entry(violation.claim.kind).or_default() += 1;
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let noun = if violations.len() == 1 { "violation" } else { "violations" };
    format!("{} {noun} ({})", violations.len(), kinds.join(", "))
}

fn write_undecided(
    report: &Report<'_>,
    undecided: &Undecided<'_>,
    sources: &dyn Sources,
    out: &mut dyn Write,
) -> io::Result<()> {
    if let Some(path) = &undecided.path {
        writeln!(out, "path:")?;
        trail::write(out, path, sources)?;
    }
    report.statistics.unconfirmed(out)?;
    report.statistics.tried(out)?;
    writeln!(out, "done: {}", report.statistics)?;
    writeln!(out, "try: {}", undecided.reason.hint(report.options.config))
}

/// A violation with its path and the command to replay it.
fn describe(violation: &Violation<'_>, rendering: Rendering<'_>) -> String {
    let mut out = snippet::draw(violation, rendering.sources, rendering.color);
    out.push_str("\n\n");
    write_path(&mut out, violation, rendering.sources, rendering.trace);
    let _ = writeln!(out, "\nreplay: {}", violation.replay);
    let others = violation.other_unknowns();
    if others > 0 {
        let _ = writeln!(
            out,
            "        {others} more values are unknown to the program (uninitialised, undefined or from outside)"
        );
    }
    match violation.evidence {
        Evidence::Native => out.push_str("confirmed: by running it\n"),
        Evidence::Interpreter(why) if why.is_empty() => {}
        Evidence::Interpreter(why) => {
            let _ = writeln!(out, "confirmed: by the interpreter, not by running it: {why}");
        }
    }
    out
}

fn write_path(out: &mut String, violation: &Violation<'_>, sources: &dyn Sources, trace: Trace) {
    let lines = listing::lines(violation, sources, trace);
    let items = match trace {
        Trace::Short => iterations::shortened(&lines),
        Trace::Full => (0..lines.len()).map(Item::Line).collect(),
    };
    let is_long = trace == Trace::Short && items.len() > MAX_LINES;
    let hidden = if is_long { MAX_LINES / 2..items.len() - MAX_LINES / 2 } else { 0..0 };
    let mut file = None;
    for (i, item) in items.iter().enumerate() {
        if i == hidden.start && !hidden.is_empty() {
            let steps: usize =
                items[hidden.clone()].iter().flat_map(|item| &lines[item.lines()]).map(|line| line.steps).sum();
            let _ = writeln!(out, "  … {steps} steps …");
        }
        if hidden.contains(&i) {
            continue;
        }
        let line = match item {
            Item::Line(index) => &lines[*index],
            Item::Folded(count, left_out) => {
                let indent = "  ".repeat(lines[left_out.start].depth.saturating_sub(1));
                let noun = if *count == 1 { "iteration" } else { "iterations" };
                let _ = writeln!(out, "       | {indent}… {count} more {noun} …");
                continue;
            }
        };
        if file != Some(line.place.file) {
            file = Some(line.place.file);
            let _ = writeln!(out, "{}:", line.place.file);
        }
        write_line(out, line, sources);
    }
}

fn write_line(out: &mut String, line: &Line<'_>, sources: &dyn Sources) {
    let indent = "  ".repeat(line.depth.saturating_sub(1));
    let text = sources.line(&line.place).unwrap_or_default();
    if let Some((function, arguments)) = &line.entered {
        let _ = writeln!(out, "       | {}→ {function}({})", &indent[2.min(indent.len())..], listed(arguments));
    }
    let mut shown = format!("{:>6} | {indent}{}", line.place.line, text.trim());
    if !line.changes.is_empty() {
        let width = shown.chars().count();
        let hidden = line.changes.len().saturating_sub(MAX_CHANGES);
        let more = if hidden > 0 { "…, " } else { "" };
        let _ = write!(shown, "{:1$}  {more}{2}", "", 50usize.saturating_sub(width), listed(&line.changes[hidden..]));
    }
    let _ = writeln!(out, "{}", shown.trim_end());
    if let Some((function, arguments)) = &line.enters {
        let _ = writeln!(out, "       | {indent}→ {function}({})", listed(arguments));
    }
}
