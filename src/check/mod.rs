//! `clew check`: decides whether a program can violate a property.

mod answer;
mod arguments;
mod choices;
mod limits;
mod place;
mod progress;
mod properties;
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
use clew_verifier::strategy::{self, Reason, Verdict};

pub use arguments::Check;
use limits::Limits;
use progress::Progress;
use session::{Output, Session};

use crate::exit::Failure;
use crate::load;

/// Checks the program, says the verdict and ends the process; comes back only with what went wrong.
pub fn check(arguments: &Check, start: Instant) -> Result<ExitCode, Failure> {
    let limits = Limits::new(&arguments.limits);
    let output = Output { json: arguments.json, stats: arguments.stats };
    let options = record::Options::new(arguments, &limits);
    let session = Session::begin(start, limits, output, options, Progress::new(arguments));
    signals::install().map_err(|e| Failure::Internal(format!("cannot handle signals: {e}")))?;
    watchdog::start(session).map_err(|e| Failure::Internal(format!("cannot start a thread: {e}")))?;

    let failure = match load::program(&arguments.program, &|note| session.progress.note(note)) {
        Ok(program) => session.finish(&verdict(&program, arguments, session), &program),
        Err(Failure::Load(error)) if error.class() == ErrorClass::Resources => session.end(Stop::Memory),
        Err(failure) => {
            session.speak_alone();
            failure
        }
    };
    Err(failure)
}

fn verdict(program: &Program, arguments: &Check, session: &Session) -> Verdict {
    let options = arguments.analysis.options();
    if let Some(kind) = properties::unchecked(&options.properties) {
        return Verdict::Unknown(Reason::Property(kind.into()));
    }
    let counts = |kind: &str| options.properties.is_empty() || options.properties.iter().any(|p| p == kind);
    if !program.error_locations().any(|(_, property)| counts(&property.kind)) {
        session.progress.note("clew: note: nothing to violate: the program claims nothing of the kind");
    }
    session.monitor.enter(Phase::Exploring);
    strategy::check(program, &options, &session.monitor).verdict
}
