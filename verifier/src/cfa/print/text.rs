//! Automata as text: one line for each edge, the source place at its end.

use std::fmt::Write;

use super::op::describe;
use super::{Numbering, Printer};
use crate::cfa::program::{FuncId, LocId, Program};

/// Operations longer than this do not push the source places of all others to the right.
const MAX_COLUMN: usize = 56;

/// The automata of `functions`, in that order.
pub fn text(program: &Program, functions: &[FuncId]) -> String {
    let printer = Printer::new(program);
    let mut out = String::new();
    for (i, &id) in functions.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        function(&mut out, program, &printer.inside(id), id);
    }
    out
}

/// Numbers, what happens, where: the columns of one edge.
struct Row {
    step: String,
    op: String,
    place: String,
}

fn function(out: &mut String, program: &Program, printer: &Printer<'_>, id: FuncId) {
    let numbering = Numbering::new(program, id);
    let rows: Vec<Vec<Row>> = numbering
        .locations()
        .iter()
        .map(|&location| {
            let from = numbering.number(location);
            let row = |edge: &crate::cfa::Edge| Row {
                step: format!("L{from} -> L{}", numbering.number(edge.to)),
                op: printer.op(&edge.op),
                place: printer.place(edge.source),
            };
            program.leaving(location).map(|(_, edge)| row(edge)).collect()
        })
        .collect();
    let widest = |width: fn(&Row) -> usize| rows.iter().flatten().map(width).max().unwrap_or(0);
    let step_width = widest(|row| row.step.len());
    let op_width = widest(|row| Some(row.op.chars().count()).filter(|&n| n <= MAX_COLUMN).unwrap_or(0));

    let place = printer.place(program.function(id).declared);
    let _ = writeln!(out, "{}{}{place}", printer.header(id), if place.is_empty() { "" } else { "   " });
    for (&location, rows) in numbering.locations().iter().zip(&rows) {
        let marks = marks(program, &numbering, id, location);
        if !marks.is_empty() {
            let _ = writeln!(out, "  L{}: {}", numbering.number(location), marks.join(", "));
        }
        for Row { step, op, place } in rows {
            let line = format!("  {step:step_width$}   {op:op_width$}   {place}");
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
}

/// What is to be said about a location beyond its edges.
pub(super) fn marks(program: &Program, numbering: &Numbering, function: FuncId, id: LocId) -> Vec<String> {
    let location = program.location(id);
    let mut marks = Vec::new();
    if program.function(function).entry == id {
        marks.push("entry".into());
    }
    if location.loop_head {
        marks.push("loop head".into());
    }
    marks.extend(describe(&location.kind));
    if !numbering.reaches(id) {
        marks.push("unreachable".into());
    }
    marks
}
