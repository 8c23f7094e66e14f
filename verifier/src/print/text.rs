//! Automata as text: one line for each edge, ending with its source position.

use std::fmt::Write;

use super::blocks::shown;
use super::op::describe;
use super::{Numbering, Printer};
use crate::cfa::large::{LargeBlocks, Part};
use crate::cfa::program::{EdgeId, FuncId, LocId, Program};

/// Longer operations do not widen the column of operations.
const MAX_COLUMN: usize = 56;

/// The automata of `functions`, in order, as single operations or in large blocks.
pub fn text(program: &Program, functions: &[FuncId], blocks: Option<&LargeBlocks>) -> String {
    let printer = Printer::new(program);
    let mut out = String::new();
    for (i, &id) in functions.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        function(&mut out, program, &printer.inside(id), id, blocks);
    }
    out
}

/// The columns of a line.
struct Row {
    step: String,
    op: String,
    place: String,
}

fn function(out: &mut String, program: &Program, printer: &Printer<'_>, id: FuncId, blocks: Option<&LargeBlocks>) {
    let numbering = Numbering::new(program, id);
    let locations = shown(&numbering, blocks);
    let rows: Vec<Vec<Row>> = locations
        .iter()
        .map(|&location| {
            let mut rows = Vec::new();
            let mut add = |to: LocId, block: &[Part]| {
                let first = rows.len();
                add_rows(&mut rows, program, printer, block, 0);
                rows[first].step = format!("L{} -> L{}", numbering.number(location), numbering.number(to));
            };
            match blocks {
                None => program.leaving(location).for_each(|(id, edge)| add(edge.to, &[Part::Edge(id)])),
                Some(blocks) => blocks.leaving(location).iter().for_each(|edge| add(edge.to, &edge.block)),
            }
            rows
        })
        .collect();
    let widest = |width: fn(&Row) -> usize| rows.iter().flatten().map(width).max().unwrap_or(0);
    let step_width = widest(|row| row.step.len());
    let op_width = widest(|row| Some(row.op.chars().count()).filter(|&n| n <= MAX_COLUMN).unwrap_or(0));

    let place = printer.place(program.function(id).declared);
    let _ = writeln!(out, "{}{}{place}", printer.header(id), if place.is_empty() { "" } else { "   " });
    for (&location, rows) in locations.iter().zip(&rows) {
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

/// Adds a row for each operation of a block and for the delimiters of choices.
fn add_rows(rows: &mut Vec<Row>, program: &Program, printer: &Printer<'_>, block: &[Part], depth: usize) {
    let indented = |text: &str| format!("{:1$}{text}", "", 2 * depth);
    let border = |text: &str| Row { step: String::new(), op: indented(text), place: String::new() };
    let step = |id: EdgeId| {
        let edge = program.edge(id);
        Row { step: String::new(), op: indented(&printer.op(&edge.op)), place: printer.place(edge.source) }
    };
    for part in block {
        match part {
            Part::Edge(id) => rows.push(step(*id)),
            Part::Choice(alternatives) => {
                for (i, alternative) in alternatives.iter().enumerate() {
                    rows.push(border(if i == 0 { "{" } else { "|" }));
                    add_rows(rows, program, printer, alternative, depth + 1);
                }
                rows.push(border("}"));
            }
        }
    }
}

/// The annotations of a location.
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
