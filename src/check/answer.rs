//! What a run says at its end: text with the verdict as its last line, or one JSON document.

use std::io::{self, Write};

use clew_verifier::cfa::{Program, Property};
use clew_verifier::evidence::Counterexample;
use clew_verifier::strategy::{Reason, Verdict};
use serde::{Serialize, Serializer};

use super::place::{Place, violated};
use super::reason::Explanation;
use super::session::Session;
use super::sources::Sources;
use super::statistics::Statistics;
use super::{record, trail};
use crate::exit::{UNKNOWN, UNSAFE};

/// A verdict and what belongs to it.
///
/// Writing that a run was stopped allocates nothing as long as there is no program: so it can be said when memory has
/// run out, and inside of a signal handler.
#[derive(Debug)]
pub struct Answer<'a> {
    /// The run.
    pub session: &'a Session,
    /// What came out.
    pub verdict: &'a Verdict,
    /// The program, unless the run ended before there was one.
    pub program: Option<&'a Program>,
}

impl Answer<'_> {
    /// The exit code.
    pub fn code(&self) -> u8 {
        match self.verdict {
            Verdict::Safe => 0,
            Verdict::Unsafe(_) => UNSAFE,
            Verdict::Unknown(_) => UNKNOWN,
        }
    }

    /// Writes it in the way that the user asked for.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if self.session.output.aside {
            write!(out, "clew: note: ")?;
            return self.last_line(out);
        }
        if self.session.output.json {
            serde_json::to_writer(&mut *out, &self.document())?;
            return writeln!(out);
        }
        let statistics = Statistics::of(&self.session.monitor);
        if self.session.output.stats {
            statistics.table(out)?;
        }
        match self.verdict {
            Verdict::Safe => {}
            Verdict::Unsafe(found) => self.unsafe_because(out, found)?,
            Verdict::Unknown(reason) => self.unknown(out, reason, &statistics)?,
        }
        self.last_line(out)
    }

    /// The verdict in one line.
    fn last_line(&self, out: &mut impl Write) -> io::Result<()> {
        match self.verdict {
            Verdict::Safe => writeln!(out, "SAFE"),
            Verdict::Unsafe(found) => {
                let Property { kind, message, place } = &found.violation.property;
                match self.program.and_then(|program| Place::of(program, *place)) {
                    Some(place) => writeln!(out, "UNSAFE: {kind}: {message}, at {place}"),
                    None => writeln!(out, "UNSAFE: {kind}: {message}"),
                }
            }
            Verdict::Unknown(reason) => {
                let explanation = Explanation::new(reason, &self.session.limits);
                match self.program.and_then(|program| explanation.place(program)) {
                    Some(place) => writeln!(out, "UNKNOWN: {explanation}, at {place}"),
                    None if matches!(reason, Reason::Stopped(_)) => {
                        let phase = self.session.monitor.phase().name();
                        writeln!(out, "UNKNOWN: {explanation}, while {phase}")
                    }
                    None => writeln!(out, "UNKNOWN: {explanation}"),
                }
            }
        }
    }

    fn unsafe_because(&self, out: &mut impl Write, found: &Counterexample) -> io::Result<()> {
        let Some(program) = self.program else { return Ok(()) };
        let sources = Sources::default();
        let text = found.text(program, &sources, &|inputs| self.session.options.replay(inputs));
        writeln!(out, "{text}")
    }

    fn unknown(&self, out: &mut impl Write, reason: &Reason, statistics: &Statistics) -> io::Result<()> {
        let explanation = Explanation::new(reason, &self.session.limits);
        if let (Some(program), Some(path)) = (self.program, explanation.path()) {
            writeln!(out, "path:")?;
            trail::write(out, &trail::lines(program, path))?;
        }
        writeln!(out, "done: {statistics}")?;
        writeln!(out, "try: {}", explanation.hint())
    }

    fn document(&self) -> Document<'_> {
        let program = self.program;
        let (found, reason) = match self.verdict {
            Verdict::Safe => (None, None),
            Verdict::Unsafe(found) => (Some(&**found), None),
            Verdict::Unknown(reason) => (None, Some(Explanation::new(reason, &self.session.limits))),
        };
        let path = reason.and_then(|reason| reason.path()).or(found.map(|found| &*found.path));
        let property = program.zip(path).and_then(|(program, path)| violated(program, path));
        let place = program.and_then(|program| match reason {
            Some(reason) => reason.place(program),
            None => Place::of(program, property?.place),
        });
        Document {
            verdict: match self.verdict {
                Verdict::Safe => "SAFE",
                Verdict::Unsafe(_) => "UNSAFE",
                Verdict::Unknown(_) => "UNKNOWN",
            },
            reason: reason.map(|reason| Cause::new(reason, program)),
            place,
            property: property.map(|p| Violated { kind: &p.kind, message: &p.message }),
            counterexample: program.zip(found).map(|(program, found)| found.json(program)),
            inputs: found.map(|found| found.replay_inputs()),
            statistics: Statistics::of(&self.session.monitor),
            options: &self.session.options,
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// The JSON document: see the user guide. Fields keep their order.
#[derive(Serialize)]
struct Document<'a> {
    verdict: &'static str,
    reason: Option<Cause<'a>>,
    place: Option<Place<'a>>,
    property: Option<Violated<'a>>,
    counterexample: Option<serde_json::Value>,
    inputs: Option<Vec<String>>,
    statistics: Statistics,
    options: &'a record::Options,
    version: &'static str,
}

/// Why there is no verdict.
#[derive(Serialize)]
struct Cause<'a> {
    kind: &'static str,
    #[serde(serialize_with = "as_text")]
    message: Explanation<'a>,
    hint: &'static str,
    path: Option<Vec<trail::Passed<'a>>>,
}

impl<'a> Cause<'a> {
    fn new(reason: Explanation<'a>, program: Option<&'a Program>) -> Cause<'a> {
        Cause {
            kind: reason.kind(),
            message: reason,
            hint: reason.hint(),
            path: program.zip(reason.path()).map(|(program, path)| trail::lines(program, path)),
        }
    }
}

/// The property that is violated, or would be.
#[derive(Serialize)]
struct Violated<'a> {
    kind: &'a str,
    message: &'a str,
}

fn as_text<S: Serializer>(explanation: &Explanation<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(explanation)
}
