//! `clew check`: decides whether a program can violate a property.

mod answer;
mod arguments;
mod choices;
mod limits;
mod progress;
mod queries;
mod record;
pub mod session;
mod signals;
pub mod solvers;
mod sources;
mod usage;
mod watchdog;
mod workers;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use clew_frontend_llvm::compile::ErrorClass;
use clew_verifier::cfa::Program;
use clew_verifier::evidence::{Counterexample, native_run};
use clew_verifier::inspect::View;
use clew_verifier::monitor::{Monitor, Phase, StopReason};
use clew_verifier::print::Names;
use clew_verifier::report::{FORMATS, Trace};
use clew_verifier::reuse::Hint;
use clew_verifier::strategy::{self, CheckOptions, Reason, Verdict};

pub use arguments::{AnalysisArgs, Check, Color, DEFAULT_TIME, LimitArgs, ProgressArgs, Request, time};
use limits::Limits;
pub use limits::default_memory;
use progress::Progress;
use queries::QueryFiles;
use session::{Output, Session};
use solvers::Programs;
use workers::Processes;
pub use workers::processors;

use crate::exit::Failure;
use crate::load::{self, Loaded};
use crate::replay::{Confinement, Confirmation, NoRuns, Runner, write_harness};

/// Checks the program, writes the verdict and exits. Returns only on failure.
pub fn check(arguments: &Check, start: Instant) -> Result<ExitCode, Failure> {
    let Check { program, analysis, all, strict, replay, limits, output, dump_smt, harness, progress, .. } = arguments;
    let output = Output {
        format: output.format(),
        color: output.color(),
        stats: output.stats,
        trace: output.trace,
        moved: output.source_map.clone(),
        aside: false,
    };
    let hint = arguments.precision_from.as_deref().map(read_hint).transpose()?;
    let queries = dump_smt.as_deref().map(QueryFiles::new).transpose()?;
    let request = Request { program, analysis, limits, all: *all, replay: *replay, progress };
    let (session, Loaded { mut program, has_claims, .. }, runner) = begin(request, output, queries, start)?;
    let selections = arguments.program.selections();
    let keeps_proof = arguments.save_precision.is_some();
    let options = CheckOptions { hint, keeps_proof, ..analysis.options(selections.counted()) };
    let findings = match selections.unimplemented() {
        Some(kind) => Verdict::Unknown(Reason::Property(kind.into())).into(),
        None => {
            prepare(session, &program, &options);
            if *all {
                // Keeps the violations found so far, in case the run is stopped later.
                let found = |violations: &[_]| session.prepare_stopped(violations, Some(&program));
                strategy::check_all(&program, &options, &session.monitor, found)
            } else {
                strategy::check(&program, &options, &session.monitor).into()
            }
        }
    };
    let is_safe = findings.violations.is_empty() && findings.undecided.is_none();
    let findings = if is_safe && !has_claims && arguments.program.properties.is_none() {
        Verdict::Unknown(Reason::NothingToCheck).into()
    } else {
        findings
    };
    if is_safe && has_claims {
        note_unreached_claims(session, &mut program, &options);
    }
    let findings = if *strict { findings.strictly(&program) } else { findings };
    if let (Some(path), Some(found)) = (harness, findings.violations.first()) {
        write_test(&program, found, runner, path).inspect_err(|_| session.claim_end())?;
    }
    if let (Some(path), Some(proof)) = (&arguments.save_precision, session.monitor.proof()) {
        let failed = |error| Failure::Usage(format!("--save-precision: {}: {error}", path.display()));
        fs::write(path, proof).map_err(failed).inspect_err(|_| session.claim_end())?;
    }
    Err(session.finish(&findings, &program))
}

/// Reads what an earlier proof rests on.
fn read_hint(path: &Path) -> Result<Arc<Hint>, Failure> {
    let bytes =
        fs::read(path).map_err(|error| Failure::Usage(format!("--precision-from: {}: {error}", path.display())))?;
    Ok(Arc::new(Hint::parse(&String::from_utf8_lossy(&bytes))))
}

/// Writes the test that fails by a violation.
fn write_test(program: &Program, found: &Counterexample, runner: &Runner, path: &Path) -> Result<(), Failure> {
    let run = native_run(program, found).map_err(|why| Failure::Usage(format!("--harness: {why}")))?;
    let property = &found.violation.property;
    let text = format!("{}: {}, at {}", property.kind, property.message, program.sources.describe(property.place));
    write_harness(runner, &run, text, path)
}

/// Runs the analysis, prints what `text` makes of its result, and exits. Returns only on failure.
pub fn inspect(
    request: Request<'_>,
    start: Instant,
    text: impl FnOnce(&dyn View, &Names<'_>) -> Result<String, Failure>,
) -> Result<ExitCode, Failure> {
    let selections = request.program.selections();
    let options = request.analysis.options(selections.counted());
    if let Some(kind) = selections.unimplemented() {
        return Err(Failure::Usage(format!("the property `{kind}` is not checked yet: there is nothing to show")));
    }
    if !options.config.builds_graph() {
        return Err(Failure::Usage(
            "this configuration builds no graph and keeps no precision: there is nothing to show".into(),
        ));
    }
    let (trace, moved) = (Trace::Short, Vec::new());
    let output = Output { format: &FORMATS[0], color: false, stats: false, trace, moved, aside: true };
    let (session, Loaded { program, .. }, _) = begin(request, output, None, start)?;
    prepare(session, &program, &options);
    let look = |built: &dyn View| text(built, &Names::new(&program));
    let failure = match strategy::inspect(&program, &options, &session.monitor, look) {
        Some((verdict, Ok(text))) => return Err(session.show(text, &verdict.into(), &program)),
        Some((_, Err(failure))) => failure,
        None => Failure::Usage("this analysis builds no graph; try --config value or predicate".into()),
    };
    session.claim_end();
    Err(failure)
}

/// Starts the run, which is limited from here on, and loads the program.
fn begin(
    request: Request<'_>,
    output: Output,
    queries: Option<QueryFiles>,
    start: Instant,
) -> Result<(&'static Session, Loaded, &'static Runner), Failure> {
    let limits = Limits::new(request.limits);
    let options = record::options(request, &limits);
    let kinds = request.program.selections().counted();
    let (progress, tuning) = (Progress::new(request.progress), request.analysis.tuning());
    let session = Session::begin(start, limits, output, (options, kinds), progress, queries, tuning);
    signals::install().map_err(|e| Failure::Internal(format!("cannot handle signals: {e}")))?;
    watchdog::start(session).map_err(|e| Failure::Internal(format!("cannot start a thread: {e}")))?;
    match load::program(request.program, &|note| session.progress.note(note)) {
        Ok(loaded) => match request.analysis.unknown_variable(&loaded.program) {
            None => {
                let asked = request.replay == Some(Confirmation::Native);
                let confinement = if asked { Confinement::IfPossible } else { Confinement::Required };
                // The files of queries are numbered, so only one process writes them.
                if session.monitor.queries().is_none() {
                    let jobs = request.limits.jobs.map_or_else(workers::processors, usize::from);
                    session.monitor.set_workers(Box::new(Processes::new(jobs, session.limits.memory)));
                }
                session.monitor.set_solvers(Box::new(Programs::new(&request.analysis.solver, session.limits.memory)));
                // It lives as long as the process.
                let runner: &'static Runner = Box::leak(Box::new(Runner::new(loaded.source.clone(), confinement)));
                match request.replay {
                    None | Some(Confirmation::Native) => session.monitor.set_native_runs(Box::new(runner)),
                    Some(Confirmation::Interpreter) => session.monitor.set_native_runs(Box::new(NoRuns)),
                    Some(Confirmation::None) => {}
                }
                Ok((session, loaded, runner))
            }
            Some(name) => {
                session.claim_end();
                Err(Failure::Usage(format!("--track: no scalar variable `{name}` in the program")))
            }
        },
        Err(Failure::Load(error)) if error.class() == ErrorClass::Resources => session.end(StopReason::Memory),
        Err(failure) => {
            session.claim_end();
            Err(failure)
        }
    }
}

/// Whether the program has a property that is to be checked.
fn claims_anything(program: &Program, options: &CheckOptions) -> bool {
    program.error_locations().any(|(_, property)| options.properties.contains(property.kind))
}

/// Notes the claims of a safe program that no run reaches, if that is quickly shown.
fn note_unreached_claims(session: &Session, program: &mut Program, options: &CheckOptions) {
    const LEAST: Duration = Duration::from_millis(100);
    const MOST: Duration = Duration::from_secs(1);
    const STACK: usize = 256 << 20;
    let time = session.start.elapsed().clamp(LEAST, MOST);
    if session.monitor.until_deadline().is_some_and(|left| left < 4 * time) {
        return;
    }
    let monitor = Monitor::new(Some(Instant::now() + time)).with_tuning(session.monitor.tuning);
    let (options, asked) = (options.clone(), program.clone());
    let (sender, receiver) = mpsc::channel();
    // In a thread that is left alone if it takes too long: the verdict is known.
    let look = move || sender.send(strategy::unreached_claims(&asked, &options, &monitor));
    if thread::Builder::new().stack_size(STACK).spawn(look).is_err() {
        return;
    }
    for claim in receiver.recv_timeout(2 * time).unwrap_or_default() {
        let text = format!("no run reaches the claim at {}", program.sources.describe(claim.place));
        session.progress.note(&format!("clew: note: {text}"));
        program.notes.push(text);
    }
}

/// Ends loading: the analysis starts.
fn prepare(session: &Session, program: &Program, options: &CheckOptions) {
    if !claims_anything(program, options) {
        session.progress.note("clew: note: nothing to violate: the program claims nothing of the kind");
    }
    session.monitor.enter(Phase::Exploring);
}
