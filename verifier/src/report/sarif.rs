//! Reports as SARIF 2.1.0, for code scanning and editors.
//!
//! SAFE is a run without results, which closes alerts of earlier runs. UNKNOWN is one too, but its invocation is marked
//! as not successful, with a notification that holds the reason. Nothing depends on the clock or the machine.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Value as Json, json};
use serde_sarif::sarif::{
    ArtifactLocation, CodeFlow, Invocation, Location, LogicalLocation, Message, MultiformatMessageString, Notification,
    PhysicalLocation, PropertyBag, Region, ReportingConfiguration, ReportingDescriptor, ReportingDescriptorReference,
    Result as Finding, ResultLevel, Run, SCHEMA_URL, Sarif, ThreadFlow, ThreadFlowLocation, ToolComponent,
};

use super::listing::{self, Line, listed};
use super::reason::Undecided;
use super::snippet::{extent, line_of, values_in};
use super::violation::Violation;
use super::{Conclusion, Format, Place, Rendering, Report, Sources, Trace};
use crate::cfa::{PropertyKind, PropertySet};

pub(super) const FORMAT: Format = Format {
    name: "sarif",
    help: "SARIF 2.1.0, for code scanning and editors",
    extension: "sarif",
    media_type: "application/sarif+json",
    allocates: true,
    render,
};

/// The middle of longer code flows is elided: GitHub accepts 10,000 locations and shows 1,000.
const MAX_LOCATIONS: usize = 1000;

fn render(report: &Report<'_>, rendering: Rendering<'_>, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(report, rendering.sources, rendering.trace))?;
    writeln!(out)
}

fn document(report: &Report<'_>, sources: &dyn Sources, trace: Trace) -> Sarif {
    let finding = |each| finding(each, report.kinds, sources, trace);
    let results: Vec<Finding> = report.violations.iter().map(finding).collect();
    let run = Run::builder()
        .tool(driver(report))
        .invocations(vec![invocation(report, sources)])
        .results(results)
        .column_kind("unicodeCodePoints")
        .properties(properties([("verdict", report.conclusion().name().into())]))
        .build();
    Sarif::builder().schema(SCHEMA_URL).version("2.1.0").runs(vec![run]).build()
}

/// Clew, with a rule for each checked kind of property.
fn driver(report: &Report<'_>) -> ToolComponent {
    let rule = |kind: PropertyKind| {
        ReportingDescriptor::builder()
            .id(kind.name())
            .short_description(MultiformatMessageString::builder().text(description(kind)).build())
            .default_configuration(ReportingConfiguration::builder().level("error").build())
            .build()
    };
    let reasons = report.undecided.iter().map(|each| ReportingDescriptor::builder().id(each.reason.kind()).build());
    ToolComponent::builder()
        .name("Clew")
        .version(report.version)
        .semantic_version(report.version)
        .rules(report.kinds.iter().map(rule).collect::<Vec<_>>())
        .notifications(reasons.collect::<Vec<_>>())
        .build()
}

/// A sentence that describes a violation of this kind.
fn description(kind: PropertyKind) -> String {
    let mut letters = kind.message().chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

fn invocation(report: &Report<'_>, sources: &dyn Sources) -> Invocation {
    let conclusion = report.conclusion();
    let note = |text: &String| Notification::builder().level("note").message(&**text).build();
    let assumptions: Vec<String> = report.assumptions.iter().map(|one| format!("assumes: {one}")).collect();
    let undecided = report.undecided.iter().map(|each| notification(each, report.options.config, conclusion, sources));
    Invocation::builder()
        .execution_successful(conclusion != Conclusion::Unknown)
        .exit_code(conclusion.exit_code())
        .exit_code_description(conclusion.name())
        .tool_execution_notifications(
            report.notes.iter().chain(&assumptions).map(note).chain(undecided).collect::<Vec<_>>(),
        )
        .build()
}

/// An error if there is no verdict, else a warning that there may be more violations.
fn notification(
    undecided: &Undecided<'_>,
    config: &str,
    conclusion: Conclusion,
    sources: &dyn Sources,
) -> Notification {
    let (level, what) = match conclusion {
        Conclusion::Unknown => ("error", "UNKNOWN"),
        _ => ("warning", "Further violations are not excluded"),
    };
    let text = format!("{what}: {}. Try: {}.", undecided.in_context(), undecided.reason.hint(config));
    Notification::builder()
        .descriptor(ReportingDescriptorReference::builder().id(undecided.reason.kind()).build())
        .level(level)
        .message(&*text)
        .locations(undecided.place.iter().map(|place| location(place, sources)).collect::<Vec<_>>())
        .build()
}

fn finding(violation: &Violation<'_>, kinds: PropertySet, sources: &dyn Sources, trace: Trace) -> Finding {
    let line = violation.place.and_then(|place| line_of(&place, sources));
    let values = line.map_or(Vec::new(), |line| values_in(&line, violation));
    let message = match values.is_empty() {
        true => violation.claim.message.to_string(),
        false => format!("{} with {}", violation.claim.message, listed(&values)),
    };
    let rule_index = kinds.iter().position(|kind| kind.name() == violation.claim.kind).map_or(-1, |index| index as i64);
    let details = properties([
        ("function", violation.place.map(|place| place.function).into()),
        ("inputs", json!(violation.replay_inputs)),
        ("otherUnknownValues", violation.other_unknowns().into()),
        ("replay", json!(violation.replay)),
    ]);
    Finding::builder()
        .rule_id(violation.claim.kind)
        .rule_index(rule_index)
        .level(ResultLevel::Error)
        .message(&*message)
        .locations(violation.place.iter().map(|place| location(place, sources)).collect::<Vec<_>>())
        .code_flows(code_flow(violation, &message, sources, trace).into_iter().collect::<Vec<_>>())
        .properties(details)
        .build()
}

/// The path, line by line, with the violation at its end; `None` if no step has a source line.
fn code_flow(violation: &Violation<'_>, message: &str, sources: &dyn Sources, trace: Trace) -> Option<CodeFlow> {
    let lines = listing::lines(violation, sources, trace);
    let depth = violation.steps.last().map_or(0, |step| step.depth);
    let count = lines.len();
    let left_out = if count > MAX_LOCATIONS { MAX_LOCATIONS / 2..count - MAX_LOCATIONS / 2 } else { 0..0 };
    let shown = lines.iter().enumerate().filter(|(order, _)| !left_out.contains(order));
    let mut locations: Vec<ThreadFlowLocation> =
        shown.map(|(order, line)| flow_location(line, order, sources)).collect();
    if let Some(place) = &violation.place {
        let end = ThreadFlowLocation::builder()
            .location(with_message(location(place, sources), message))
            .importance("essential")
            .nesting_level(depth.saturating_sub(1) as i64)
            .execution_order(count as i64);
        locations.push(end.build());
    }
    if locations.is_empty() {
        return None;
    }
    let flow = ThreadFlow::builder().locations(locations).build();
    let mut text = format!("A run that violates the property: {}", violation.replay);
    if !left_out.is_empty() {
        let _ = write!(text, " ({} lines of the path are left out)", left_out.len());
    }
    Some(CodeFlow::builder().message(&*text).thread_flows(vec![flow]).build())
}

fn flow_location(line: &Line<'_>, order: usize, sources: &dyn Sources) -> ThreadFlowLocation {
    let calls = line.entered.iter().chain(&line.enters);
    let arguments = calls.flat_map(|(_, arguments)| arguments);
    let value = |text: &str| MultiformatMessageString::builder().text(text).build();
    let state: BTreeMap<String, MultiformatMessageString> =
        line.changes.iter().chain(arguments).map(|(name, text)| (name.to_string(), value(text))).collect();
    let mut words: Vec<String> = Vec::new();
    if let Some((function, arguments)) = &line.entered {
        words.push(format!("{function}({}) is called", listed(arguments)));
    }
    if !line.changes.is_empty() {
        words.push(listed(&line.changes));
    }
    if let Some((function, arguments)) = &line.enters {
        words.push(format!("calls {function}({})", listed(arguments)));
    }
    let matters = !words.is_empty();
    if !matters {
        words.extend(sources.line(&line.place).map(|text| text.trim().to_string()));
    }
    let mut location = ThreadFlowLocation::builder()
        .location(with_message(location(&line.place, sources), &words.join("; ")))
        .importance(if matters { "important" } else { "unimportant" })
        .nesting_level(line.depth.saturating_sub(1) as i64)
        .execution_order(order as i64)
        .build();
    location.state = (!state.is_empty()).then_some(state);
    location.kinds = line.enters.as_ref().map(|_| vec!["call".into()]);
    location
}

fn with_message(mut location: Location, text: &str) -> Location {
    if !text.is_empty() {
        location.message = Some(Message::from(text));
    }
    location
}

fn location(place: &Place<'_>, sources: &dyn Sources) -> Location {
    let mut physical = PhysicalLocation::builder().artifact_location(artifact(place.file)).build();
    physical.region = region(place, sources);
    let mut location = Location::builder().physical_location(physical).build();
    if !place.function.is_empty() {
        let function = LogicalLocation::builder().name(place.function).kind("function").build();
        location.logical_locations = Some(vec![function]);
    }
    location
}

/// The place with its extent. Columns count characters, so without the text of the line there is only the line.
fn region(place: &Place<'_>, sources: &dyn Sources) -> Option<Region> {
    if place.line == 0 {
        return None;
    }
    let mut region = Region::builder().start_line(place.line).build();
    if let Some(text) = line_of(place, sources) {
        let span = extent(&text, place.column);
        let column = |byte: usize| text[..byte].chars().count() as i64 + 1;
        (region.start_column, region.end_column) = (Some(column(span.start)), Some(column(span.end)));
    }
    Some(region)
}

/// A file as a URI. Relative paths are resolved against the source root, as code scanning expects.
fn artifact(path: &str) -> ArtifactLocation {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    if path.starts_with('/') {
        return ArtifactLocation::builder().uri(format!("file://{uri}")).build();
    }
    ArtifactLocation::builder().uri(uri).uri_base_id("%SRCROOT%").build()
}

fn properties<const N: usize>(entries: [(&str, Json); N]) -> PropertyBag {
    let entries: BTreeMap<String, Json> = entries.map(|(name, value)| (name.to_string(), value)).into();
    PropertyBag::builder().additional_properties(entries).build()
}
