//! What a run says at its end: text with the verdict as its last line, or one JSON document.

use std::io::{self, Write};

use clew_verifier::cfa::Program;
use clew_verifier::strategy::{Reason, Verdict};
use serde::{Serialize, Serializer};

use super::place::{Place, violated};
use super::reason::Explanation;
use super::session::Session;
use super::statistics::Statistics;
use super::{counterexample, record, trail};
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
        if self.session.output.json {
            serde_json::to_writer(&mut *out, &self.document())?;
            return writeln!(out);
        }
        let statistics = Statistics::of(&self.session.monitor);
        if self.session.output.stats {
            statistics.table(out)?;
        }
        match (self.verdict, self.program) {
            (Verdict::Safe, _) => writeln!(out, "SAFE"),
            (Verdict::Unsafe(found), Some(program)) => {
                counterexample::write(out, program, found)?;
                match violated(program, &found.path) {
                    Some(property) => writeln!(out, "UNSAFE: {}", counterexample::sentence(program, property)),
                    None => writeln!(out, "UNSAFE"),
                }
            }
            (Verdict::Unsafe(_), None) => writeln!(out, "UNSAFE"),
            (Verdict::Unknown(reason), program) => self.unknown(out, reason, program, &statistics),
        }
    }

    fn unknown(
        &self,
        out: &mut impl Write,
        reason: &Reason,
        program: Option<&Program>,
        statistics: &Statistics,
    ) -> io::Result<()> {
        let explanation = Explanation::new(reason, &self.session.limits);
        if let (Some(program), Some(path)) = (program, explanation.path()) {
            writeln!(out, "path:")?;
            trail::write(out, &trail::lines(program, path))?;
        }
        writeln!(out, "done: {statistics}")?;
        writeln!(out, "try: {}", explanation.hint())?;
        match program.and_then(|program| explanation.place(program)) {
            Some(place) => writeln!(out, "UNKNOWN: {explanation}, at {place}"),
            None if matches!(reason, Reason::Stopped(_)) => {
                writeln!(out, "UNKNOWN: {explanation}, while {}", statistics.phase())
            }
            None => writeln!(out, "UNKNOWN: {explanation}"),
        }
    }

    fn document(&self) -> Document<'_> {
        let (program, limits) = (self.program, &self.session.limits);
        let path = match self.verdict {
            Verdict::Safe => None,
            Verdict::Unsafe(found) => Some(found.path.as_slice()),
            Verdict::Unknown(reason) => Explanation::new(reason, limits).path(),
        };
        let reason = match self.verdict {
            Verdict::Unknown(reason) => Some(Explanation::new(reason, limits)),
            _ => None,
        };
        let property = program.zip(path).and_then(|(program, path)| violated(program, path));
        let place = match (program, &reason) {
            (Some(program), Some(reason)) => reason.place(program),
            (Some(program), None) => property.and_then(|property| Place::of(program, property.place)),
            (None, _) => None,
        };
        Document {
            verdict: match self.verdict {
                Verdict::Safe => "SAFE",
                Verdict::Unsafe(_) => "UNSAFE",
                Verdict::Unknown(_) => "UNKNOWN",
            },
            reason: reason.map(|r| Cause { kind: r.kind(), message: r, hint: r.hint() }),
            place,
            property: property.map(|p| Violated { kind: &p.kind, message: &p.message }),
            path: program.zip(path).map(|(program, path)| trail::lines(program, path)),
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
    path: Option<Vec<trail::Passed<'a>>>,
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
