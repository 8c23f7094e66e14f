//! Builds the final report of a run and renders it.

use std::io::{self, Write};

use clew_verifier::cfa::{Program, PropertySet};
use clew_verifier::evidence::Counterexample;
use clew_verifier::report::{self, Rendering, Report, Statistics, Undecided, Usage, Violation};
use clew_verifier::strategy::Reason;

use super::session::{Output, Session};
use super::sources::Sources;
use super::{record, usage, workers};

/// The result of a run.
///
/// Writing it without a program allocates nothing, unless the format does. A signal handler or a failed allocation can
/// therefore report a stopped run.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// The run.
    pub session: &'a Session,
    /// The violations that were found.
    pub violations: &'a [Box<Counterexample>],
    /// Why the run is incomplete, if it is.
    pub undecided: Option<&'a Reason>,
    /// The program; `None` before it is loaded.
    pub program: Option<&'a Program>,
    /// The name of the current phase, if known.
    pub phase: Option<&'static str>,
}

impl Answer<'_> {
    /// Writes the report in the selected format. Returns the exit code.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<u8> {
        let output = &self.session.output;
        let sources = Sources::new(&output.moved);
        let report = self.report(&sources);
        if output.aside {
            write!(out, "clew: note: ")?;
            report::write_verdict(&report, false, out)?;
        } else {
            let Output { color, stats: statistics, trace, .. } = *output;
            let rendering = Rendering { sources: &sources, color, statistics, trace };
            (output.format.render)(&report, rendering, out)?;
        }
        Ok(report.conclusion().exit_code())
    }

    fn report(&self, sources: &Sources<'_>) -> Report<'_> {
        let Answer { session, violations, undecided, program, phase } = *self;
        let replay = |inputs: &[String]| record::replay(&session.options, inputs);
        let described = program.into_iter().flat_map(|program| violations.iter().map(move |found| (program, found)));
        let usage = Usage { cpu: usage::now().cpu + workers::usage().cpu, peak_memory: usage::peak_memory() };
        let limits = report::Limits { elapsed: phase.map(|_| session.start.elapsed()), ..session.limits.recorded() };
        Report {
            violations: described.map(|(program, found)| Violation::new(program, found, &replay, sources)).collect(),
            undecided: undecided.map(|reason| Undecided::new(reason, limits, phase, program, sources)),
            kinds: program.map_or(PropertySet::EMPTY, |program| program.claimed().intersection(session.kinds)),
            assumptions: program.map_or(&[], |program| &program.assumptions),
            notes: program.map_or(&[], |program| &program.notes),
            statistics: Statistics::of(&session.monitor, usage),
            options: &session.options,
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}
