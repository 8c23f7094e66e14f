//! `clew check`: decides whether a program can violate a property.

mod answer;
mod arguments;
mod choices;
mod limits;
mod place;
mod progress;
mod properties;
mod queries;
mod reason;
mod record;
pub mod session;
mod signals;
mod sources;
mod statistics;
mod trail;
mod usage;
mod watchdog;

use std::process::ExitCode;
use std::time::Instant;

use clew_frontend_llvm::compile::ErrorClass;
use clew_verifier::cfa::Program;
use clew_verifier::monitor::{Phase, Stop};
use clew_verifier::strategy::inspect::{Names, View};
use clew_verifier::strategy::{self, CheckOptions, Config, Reason, Verdict};

pub use arguments::{AnalysisArgs, Check, LimitArgs, ProgressArgs, Request};
use limits::Limits;
use progress::Progress;
use queries::QueryFiles;
use session::{Output, Session};

use crate::exit::Failure;
use crate::load;

/// Checks the program, says the verdict and ends the process; comes back only with what went wrong.
pub fn check(arguments: &Check, start: Instant) -> Result<ExitCode, Failure> {
    let Check { program, analysis, limits, json, stats, dump_smt, progress } = arguments;
    let output = Output { json: *json, stats: *stats, aside: false };
    let queries = dump_smt.as_deref().map(QueryFiles::new).transpose()?;
    let (session, program) = begin(Request { program, analysis, limits, progress }, output, queries, start)?;
    let options = analysis.options();
    let verdict = match properties::unchecked(&options.properties) {
        Some(kind) => Verdict::Unknown(Reason::Property(kind.into())),
        None => {
            prepare(session, &program, &options);
            strategy::check(&program, &options, &session.monitor).verdict
        }
    };
    Err(session.finish(&verdict, &program))
}

/// Runs the analysis, shows what `text` makes of what it has built, and ends the process; comes back only with what went
/// wrong.
pub fn inspect(
    request: Request<'_>,
    start: Instant,
    text: impl FnOnce(&dyn View, &Names<'_>) -> Result<String, Failure>,
) -> Result<ExitCode, Failure> {
    let options = request.analysis.options();
    if let Some(kind) = properties::unchecked(&options.properties) {
        return Err(Failure::Usage(format!("the property `{kind}` is not checked yet: there is nothing to show")));
    }
    if matches!(options.config, Config::Bmc | Config::KInduction) {
        return Err(Failure::Usage(
            "this configuration builds no graph and keeps no precision: there is nothing to show".into(),
        ));
    }
    let output = Output { json: false, stats: false, aside: true };
    let (session, program) = begin(request, output, None, start)?;
    prepare(session, &program, &options);
    let look = |built: &dyn View| text(built, &Names::new(&program));
    let failure = match strategy::inspect(&program, &options, &session.monitor, look) {
        Some((verdict, Ok(text))) => return Err(session.show(text, &verdict, &program)),
        Some((_, Err(failure))) => failure,
        None => Failure::Usage("this analysis builds no graph; try --config value or predicate".into()),
    };
    session.speak_alone();
    Err(failure)
}

/// Begins the run, which is kept within its limits from here on, and loads the program.
fn begin(
    request: Request<'_>,
    output: Output,
    queries: Option<QueryFiles>,
    start: Instant,
) -> Result<(&'static Session, Program), Failure> {
    let limits = Limits::new(request.limits);
    let options = record::Options::new(request.program, request.analysis, &limits);
    let session = Session::begin(start, limits, output, options, Progress::new(request.progress), queries);
    signals::install().map_err(|e| Failure::Internal(format!("cannot handle signals: {e}")))?;
    watchdog::start(session).map_err(|e| Failure::Internal(format!("cannot start a thread: {e}")))?;
    match load::program(request.program, &|note| session.progress.note(note)) {
        Ok(program) => match request.analysis.unknown_variable(&program) {
            None => Ok((session, program)),
            Some(name) => {
                session.speak_alone();
                Err(Failure::Usage(format!("--track: no scalar variable `{name}` in the program")))
            }
        },
        Err(Failure::Load(error)) if error.class() == ErrorClass::Resources => session.end(Stop::Memory),
        Err(failure) => {
            session.speak_alone();
            Err(failure)
        }
    }
}

/// From here on the analysis runs.
fn prepare(session: &Session, program: &Program, options: &CheckOptions) {
    let counts = |kind: &str| options.properties.is_empty() || options.properties.iter().any(|p| p == kind);
    if !program.error_locations().any(|(_, property)| counts(&property.kind)) {
        session.progress.note("clew: note: nothing to violate: the program claims nothing of the kind");
    }
    session.monitor.enter(Phase::Exploring);
}
