//! Automata in DOT: a cluster for each function, circles for locations, double circles for errors.

use std::fmt::Write;

use super::blocks::{drawn, shown};
use super::text::marks;
use super::{Numbering, Printer};
use crate::cfa::large::LargeBlocks;
use crate::cfa::program::{FuncId, LocationKind, Program};

/// Labels are truncated to this number of characters; tooltips show the rest.
pub(crate) const MAX_LABEL: usize = 60;

/// The automata of `functions` in DOT, as single operations or in large blocks.
pub fn dot(program: &Program, functions: &[FuncId], blocks: Option<&LargeBlocks>) -> String {
    let printer = Printer::new(program);
    let mut out = String::from(
        "digraph cfa {\n  node [shape=circle, fontname=\"monospace\", fontsize=11, margin=0.02];\n  \
         edge [fontname=\"monospace\", fontsize=11];\n",
    );
    for &id in functions {
        function(&mut out, program, &printer.inside(id), id, blocks);
    }
    out + "}\n"
}

fn function(out: &mut String, program: &Program, printer: &Printer<'_>, id: FuncId, blocks: Option<&LargeBlocks>) {
    let numbering = Numbering::new(program, id);
    let (entry, locations) = (program.function(id).entry, shown(&numbering, blocks));
    let _ = writeln!(out, "  subgraph cluster_{} {{", id.0);
    let _ = writeln!(out, "    label={}; labeljust=l; fontname=\"monospace\";", quote(&printer.header(id)));
    let _ = writeln!(out, "    start{} [shape=point, width=0.05, style=invis];", id.0);
    for &at in &locations {
        let location = program.location(at);
        let mut style = String::new();
        match &location.kind {
            LocationKind::Normal => {}
            LocationKind::Exit => style.push_str(", style=bold"),
            LocationKind::Halt => style.push_str(", style=dashed"),
            LocationKind::Error(_) => style.push_str(", shape=doublecircle, color=\"#c00000\", fontcolor=\"#c00000\""),
        }
        if location.loop_head {
            style.push_str(", color=\"#1f5fbf\"");
        }
        if let Some(text) = super::op::describe(&location.kind) {
            let _ = write!(style, ", xlabel={}", quote(&shorten(&text, MAX_LABEL)));
        }
        let marks = marks(program, &numbering, id, at).join(", ");
        if !marks.is_empty() {
            let _ = write!(style, ", tooltip={}", quote(&marks));
        }
        let _ = writeln!(out, "    n{} [label=\"L{}\"{style}];", at.0, numbering.number(at));
    }
    let _ = writeln!(out, "    start{} -> n{};", id.0, entry.0);
    for &at in &locations {
        for edge in drawn(program, printer, blocks, at) {
            let label = edge.label;
            let tooltip = tooltip(printer, &label, edge.source);
            let _ = writeln!(
                out,
                "    n{} -> n{} [label={}, tooltip={tip}, labeltooltip={tip}];",
                edge.from.0,
                edge.to.0,
                quote(&shorten(&label, MAX_LABEL)),
                tip = quote(&tooltip),
            );
        }
    }
    out.push_str("  }\n");
}

/// The tooltip of an edge: its source position, and its full label if that was truncated.
pub(crate) fn tooltip(printer: &Printer<'_>, label: &str, source: crate::cfa::SourceId) -> String {
    let place = printer.place(source);
    match label.chars().count() > MAX_LABEL {
        true if place.is_empty() => label.to_owned(),
        true => format!("{place}: {label}"),
        false => place,
    }
}

/// The text, truncated to `most` characters with an ellipsis.
pub(crate) fn shorten(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some(_) => text.chars().take(max - 1).chain(['…']).collect(),
    }
}

/// A quoted DOT string. Backslashes are doubled, since they would start escapes.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out + "\""
}
