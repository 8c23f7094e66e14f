//! The verdict of a harness, as the report of its check gives it.

use std::fmt;

use clew_verifier::report::Conclusion;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// A verdict, with the places that matter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// `SAFE`, `UNSAFE` or `UNKNOWN`.
    pub conclusion: String,
    /// The violations.
    pub violations: Vec<Finding>,
    /// Why something is undecided, if it is.
    pub undecided: Option<Finding>,
}

/// A violation, or a reason.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The kind of the property or reason.
    pub kind: String,
    /// The file and line, if known.
    pub place: Option<(String, u64)>,
    /// What it is, for the user.
    pub message: String,
}

/// Reasons that do not depend on limits, the load of the machine or the course of a native run.
const REPEATABLE: &[&str] = &["unsupported", "recursion", "assumptions", "property", "needs-predicates", "bound"];

impl Finding {
    /// Whether the same run gives the same reason, at the same place.
    fn is_repeatable(&self) -> bool {
        REPEATABLE.contains(&self.kind.as_str())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        match &self.place {
            Some((file, line)) => write!(f, " at {file}:{line}"),
            None => Ok(()),
        }
    }
}

impl Verdict {
    /// UNKNOWN for this reason.
    pub fn unknown(kind: &str, message: String) -> Verdict {
        let reason = Finding { kind: kind.into(), place: None, message };
        Verdict { conclusion: Conclusion::Unknown.name().into(), violations: Vec::new(), undecided: Some(reason) }
    }

    /// The verdict of a SARIF log; `None` if it is none of Clew.
    pub fn of_sarif(log: &Json) -> Option<Verdict> {
        let run = log["runs"].get(0)?;
        let conclusion = run["properties"]["verdict"].as_str()?;
        let mut violations: Vec<Finding> =
            run["results"].as_array()?.iter().map(|one| finding(one, &one["ruleId"])).collect::<Option<_>>()?;
        violations.sort();
        let notifications = run["invocations"][0]["toolExecutionNotifications"].as_array()?;
        let reason = notifications.iter().find(|one| one["descriptor"]["id"].is_string());
        let undecided = match reason {
            Some(one) => Some(finding(one, &one["descriptor"]["id"])?),
            None => None,
        };
        Some(Verdict { conclusion: conclusion.into(), violations, undecided })
    }

    /// Whether the same run gives the same verdict: only then can it be kept for the next time.
    pub fn is_repeatable(&self) -> bool {
        self.undecided.as_ref().is_none_or(Finding::is_repeatable)
    }

    /// What is kept as a snapshot and compared: nothing that depends on the clock or on what is next to the place.
    pub fn text(&self) -> String {
        let mut lines = vec![self.conclusion.clone()];
        lines.extend(self.violations.iter().map(Finding::to_string));
        if let Some(reason) = &self.undecided {
            let rest = if self.violations.is_empty() { "" } else { "rest undecided: " };
            // Where a limit was reached is chance.
            let reason = if reason.is_repeatable() { reason.to_string() } else { reason.kind.clone() };
            lines.push(format!("{rest}{reason}"));
        }
        lines.dedup();
        lines.join("\n") + "\n"
    }

    /// In one line.
    pub fn line(&self) -> String {
        self.text().trim_end().replacen('\n', " ", 1).replace('\n', ", ")
    }

    /// The message to show with it, if there is one.
    pub fn message(&self) -> Option<&str> {
        self.violations.first().or(self.undecided.as_ref()).map(|finding| finding.message.as_str())
    }
}

/// A result or notification of a SARIF log.
fn finding(one: &Json, kind: &Json) -> Option<Finding> {
    let physical = &one["locations"][0]["physicalLocation"];
    let file = physical["artifactLocation"]["uri"].as_str().map(path);
    let place = file.map(|file| (file, physical["region"]["startLine"].as_u64().unwrap_or(0)));
    Some(Finding { kind: kind.as_str()?.into(), place, message: one["message"]["text"].as_str()?.into() })
}

/// The path that a URI of a report stands for.
fn path(uri: &str) -> String {
    let mut parts = uri.strip_prefix("file://").unwrap_or(uri).split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend(&part.as_bytes()[2..]);
            }
            None => {
                bytes.push(b'%');
                bytes.extend(part.as_bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        assert_eq!(path("src/a%20b.c"), "src/a b.c");
        assert_eq!(path("file:///tmp/gr%C3%B6%C3%9Fe.c"), "/tmp/größe.c");
    }

    #[test]
    fn limits_have_no_place() {
        let reason = |kind: &str| Finding { kind: kind.into(), place: Some(("a.c".into(), 3)), message: String::new() };
        let verdict = |kind| Verdict { undecided: Some(reason(kind)), ..Verdict::unknown("", String::new()) };
        assert_eq!(verdict("time").text(), "UNKNOWN\ntime\n");
        assert_eq!(verdict("unsupported").text(), "UNKNOWN\nunsupported at a.c:3\n");
        assert!(!verdict("time").is_repeatable() && verdict("unsupported").is_repeatable());
    }
}
