//! Reports as one JSON document. The user guide documents its fields, whose order is stable.

use std::io::{self, Write};

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::claim::Claim;
use super::place::Place;
use super::reason::Undecided;
use super::trail::Passed;
use super::violation::{Input, Step, Violation};
use super::{Format, Options, Rendering, Report, Statistics};
use crate::cfa::Assumption;
use crate::cfa::program::Havoc;
use crate::evidence::{Change, Evidence};
use crate::expr::Value;
use crate::print::values::plain as plain_value;

pub(super) const FORMAT: Format = Format {
    name: "json",
    help: "One JSON document, for programs",
    extension: "json",
    media_type: "application/json",
    allocates: false,
    render,
};

/// Writes the document. Allocates nothing without a violation.
fn render(report: &Report<'_>, _: Rendering<'_>, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Document::new(report))?;
    writeln!(out)
}

#[derive(Serialize)]
struct Document<'a> {
    verdict: &'static str,
    reason: Option<Cause<'a>>,
    place: Option<Place<'a>>,
    property: Option<&'a Claim<'a>>,
    counterexample: Option<Json>,
    inputs: Option<&'a [String]>,
    assumptions: Assumptions<'a>,
    /// Only with `--all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    violations: Option<Vec<Violated<'a>>>,
    statistics: &'a Statistics<'a>,
    options: &'a Options,
    version: &'static str,
}

impl<'a> Document<'a> {
    fn new(report: &'a Report<'a>) -> Document<'a> {
        let (first, undecided) = (report.violations.first(), report.undecided.as_ref());
        Document {
            verdict: report.conclusion().name(),
            reason: undecided.map(|undecided| Cause::new(undecided, report.options.config)),
            place: first.map_or(undecided.and_then(|undecided| undecided.place), |first| first.place),
            property: first.map(|first| &first.claim).or(undecided.and_then(|undecided| undecided.property.as_ref())),
            counterexample: first.map(counterexample),
            inputs: first.map(|first| &*first.replay_inputs),
            assumptions: Assumptions(report.assumptions),
            violations: report.options.all.then(|| report.violations.iter().map(Violated::new).collect()),
            statistics: &report.statistics,
            options: report.options,
            version: report.version,
        }
    }
}

/// What the verdict rests on.
struct Assumptions<'a>(&'a [Assumption]);

impl Serialize for Assumptions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct One<'a> {
            kind: &'static str,
            function: Option<&'a str>,
            statement: &'static str,
        }
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for assumption in self.0 {
            let (kind, function) = (assumption.kind(), assumption.function());
            list.serialize_element(&One { kind, function, statement: assumption.statement() })?;
        }
        list.end()
    }
}

/// One of several violations.
#[derive(Serialize)]
struct Violated<'a> {
    property: &'a Claim<'a>,
    place: Option<Place<'a>>,
    counterexample: Json,
    inputs: &'a [String],
}

impl<'a> Violated<'a> {
    fn new(violation: &'a Violation<'a>) -> Violated<'a> {
        Violated {
            property: &violation.claim,
            place: violation.place,
            counterexample: counterexample(violation),
            inputs: &violation.replay_inputs,
        }
    }
}

/// Why there is no verdict.
#[derive(Serialize)]
struct Cause<'a> {
    kind: &'static str,
    #[serde(serialize_with = "as_text")]
    message: &'a Undecided<'a>,
    hint: &'static str,
    path: Option<&'a [Passed<'a>]>,
}

impl<'a> Cause<'a> {
    fn new(undecided: &'a Undecided<'a>, config: &str) -> Cause<'a> {
        Cause {
            kind: undecided.reason.kind(),
            message: undecided,
            hint: undecided.reason.hint(config),
            path: undecided.path.as_deref(),
        }
    }
}

fn as_text<S: Serializer>(undecided: &&Undecided<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(undecided)
}

/// A violation with every step of its path.
fn counterexample(violation: &Violation<'_>) -> Json {
    json!({
        "violation": {
            "kind": violation.claim.kind,
            "message": violation.claim.message,
            "location": violation.location.0,
            "place": violation.place,
        },
        "inputs": violation.inputs.iter().map(input).collect::<Vec<_>>(),
        "arguments": violation.arguments,
        "replay": violation.replay_inputs,
        "confirmed": confirmed(violation.evidence),
        "steps": violation.steps.iter().map(step).collect::<Vec<_>>(),
    })
}

fn confirmed(evidence: &Evidence) -> Json {
    match evidence {
        Evidence::Native => json!({ "by": "native", "why": null }),
        Evidence::Interpreter(why) => json!({ "by": "interpreter", "why": (!why.is_empty()).then_some(why) }),
    }
}

fn step(step: &Step<'_>) -> Json {
    let mut object = json!({ "place": step.place, "depth": step.depth, "edge": step.edge.0 });
    if let Some(function) = step.enters {
        object["enters"] = json!(function);
    }
    if step.leaves {
        object["leaves"] = true.into();
    }
    let (values, contents): (Vec<&Change>, Vec<&Change>) = step.changes.iter().partition(|one| one.value.is_some());
    if !values.is_empty() {
        object["changes"] = values.into_iter().filter_map(change).collect();
    }
    // Structures and arrays have no bits of their own.
    if !contents.is_empty() {
        let content = |one: &Change| json!({ "name": one.name, "value": one.text, "type": one.ty });
        object["contents"] = contents.into_iter().map(content).collect();
    }
    object
}

fn change(change: &Change) -> Option<Json> {
    let value = change.value?;
    let (bits, sort) = (bits(value), value.sort().to_string());
    Some(json!({ "name": change.name, "value": change.text, "bits": bits, "sort": sort, "type": change.ty }))
}

fn input(input: &Input<'_>) -> Json {
    let kind = match input.kind {
        Havoc::Input => "input",
        Havoc::Uninitialized => "uninitialized",
        Havoc::External(_) => "external",
        Havoc::Undefined => "undefined",
    };
    json!({
        "step": input.step,
        "kind": kind,
        "value": plain_value(input.value),
        "bits": bits(input.value),
        "sort": input.value.sort().to_string(),
        "place": input.place,
        "function": input.function,
    })
}

/// As a string, since many JSON readers keep only 53 bits of a number.
fn bits(value: Value) -> String {
    format!("{:#x}", value.raw())
}
