//! The logs of all harnesses as one SARIF log with one run, for code scanning.

use std::fmt::Write;

use serde_json::{Value as Json, json};

use super::compare::{Compared, State};
use super::harness::Harness;

const SCHEMA: &str = "https://schemastore.azurewebsites.net/schemas/json/sarif-2.1.0.json";

/// The document. Without any harness that was checked, it has no results.
pub fn document(harnesses: &[Harness], all: &[Compared]) -> Json {
    let mut rules: Vec<Json> = Vec::new();
    let mut notifications: Vec<Json> = Vec::new();
    let (mut results, mut invocations) = (Vec::new(), Vec::new());
    for (harness, compared) in harnesses.iter().zip(all) {
        let Some(run) = compared.outcome.log.as_ref().map(|log| &log["runs"][0]) else {
            invocations.push(without_log(harness, compared));
            continue;
        };
        let driver = &run["tool"]["driver"];
        unite(&mut rules, &driver["rules"]);
        unite(&mut notifications, &driver["notifications"]);
        for result in list(&run["results"]) {
            let mut result = located(result, harness);
            result["ruleIndex"] = rules.iter().position(|rule| rule["id"] == result["ruleId"]).into();
            // An accepted violation is no news.
            let is_known = matches!(compared.state, State::Expected | State::Accepted);
            result["baselineState"] = if is_known { "unchanged" } else { "new" }.into();
            result["properties"]["harness"] = harness.name.as_str().into();
            results.push(result);
        }
        for invocation in list(&run["invocations"]) {
            let mut invocation = located(invocation, harness);
            invocation["properties"]["harness"] = harness.name.as_str().into();
            invocation["properties"]["state"] = compared.state.name().into();
            invocations.push(invocation);
        }
    }
    let version = env!("CARGO_PKG_VERSION");
    let driver = json!({
        "name": "Clew", "version": version, "semanticVersion": version,
        "rules": rules, "notifications": notifications,
    });
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "invocations": invocations,
            "results": results,
        }],
    })
}

fn list(json: &Json) -> &[Json] {
    json.as_array().map_or(&[], Vec::as_slice)
}

/// Adds what has a new id.
fn unite(all: &mut Vec<Json>, more: &Json) {
    for one in list(more) {
        if !all.iter().any(|other| other["id"] == one["id"]) {
            all.push(one.clone());
        }
    }
}

/// A harness whose check left no log: its verdict or what went wrong, as a notification.
fn without_log(harness: &Harness, compared: &Compared) -> Json {
    let text = match &compared.outcome.result {
        Ok(verdict) => format!("{}: {}", verdict.line(), verdict.message().unwrap_or_default()),
        Err(broken) => format!("{}: {}", broken.what, broken.message),
    };
    json!({
        "executionSuccessful": false,
        "toolExecutionNotifications": [{ "level": "error", "message": { "text": text } }],
        "properties": { "harness": harness.name, "state": compared.state.name() },
    })
}

/// A copy whose relative paths start where `clew test` was started.
fn located(json: &Json, harness: &Harness) -> Json {
    match json {
        Json::Array(items) => items.iter().map(|item| located(item, harness)).collect(),
        Json::Object(fields) => {
            let mut copy: serde_json::Map<String, Json> =
                fields.iter().map(|(name, value)| (name.clone(), located(value, harness))).collect();
            if fields.contains_key("uriBaseId")
                && let Some(uri) = fields.get("uri").and_then(Json::as_str)
            {
                copy.insert("uri".into(), format!("{}{uri}", prefix(harness)).into());
            }
            Json::Object(copy)
        }
        other => other.clone(),
    }
}

/// The folder of the harness as the beginning of a URI.
fn prefix(harness: &Harness) -> String {
    let mut uri = String::new();
    for byte in harness.locate("").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}
