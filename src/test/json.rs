//! The report as one JSON document.

use std::path::PathBuf;

use serde_json::{Value as Json, json};

use super::compare::{Compared, State};
use super::harness::Harness;
use super::verdict::Finding;

/// The document.
pub fn document(harnesses: &[Harness], all: &[Compared], obsolete: &[PathBuf]) -> Json {
    let count = |state| all.iter().filter(|one| one.state == state).count();
    let states = [State::Expected, State::Accepted, State::Different, State::New, State::Broken];
    let mut summary: serde_json::Map<String, Json> =
        states.into_iter().map(|state| (state.name().into(), count(state).into())).collect();
    summary.insert("cached".into(), all.iter().filter(|one| one.outcome.cached).count().into());
    let harnesses: Vec<Json> = harnesses.iter().zip(all).map(|(harness, one)| entry(harness, one)).collect();
    json!({
        "harnesses": harnesses,
        "obsolete": obsolete,
        "summary": summary,
        "version": env!("CARGO_PKG_VERSION"),
    })
}

fn entry(harness: &Harness, compared: &Compared) -> Json {
    let verdict = compared.verdict();
    let findings = |list: &[Finding]| list.iter().map(finding).collect::<Vec<_>>();
    json!({
        "name": harness.name,
        "file": harness.locate(&harness.file),
        "arguments": harness.arguments().collect::<Vec<_>>(),
        "state": compared.state.name(),
        "verdict": verdict.map(|verdict| &verdict.conclusion),
        "violations": verdict.map_or(Vec::new(), |verdict| findings(&verdict.violations)),
        "reason": verdict.and_then(|verdict| verdict.undecided.as_ref()).map(finding),
        "error": compared.broken().map(|broken| json!({ "what": broken.what, "message": broken.message })),
        "expected": compared.expected,
        "actual": verdict.map(|verdict| verdict.text()),
        "snapshot": harness.snapshot,
        "cached": compared.outcome.cached,
        "seconds": compared.outcome.time.as_secs_f64(),
    })
}

fn finding(one: &Finding) -> Json {
    let (file, line) = one.place.clone().unzip();
    json!({ "kind": one.kind, "file": file, "line": line, "message": one.message })
}
