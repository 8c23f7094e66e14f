//! `clew test`: checks harnesses and compares their verdicts with accepted ones.

mod arguments;
mod cache;
mod check;
mod compare;
mod discover;
mod harness;
mod header;
mod json;
mod junit;
mod manifest;
mod place;
mod progress;
mod review;
mod runner;
mod sarif;
mod snapshot;
mod text;
mod verdict;
mod words;

use std::env;
use std::fs;
use std::io::{self, Write, stdin, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use regex::Regex;

use arguments::Format;
pub use arguments::Test;
use check::Checks;
use compare::{Compared, State};
use harness::Harness;
use place::Line;
use progress::Progress;
use runner::{Event, Outcome, Settings};
use text::Style;
use words::Checker;

use crate::check::{default_memory, processors};
use crate::exit::Failure;

/// Some verdict is not the accepted one.
const DIFFERENT: u8 = 1;

/// Runs the harnesses and reports.
pub fn test(arguments: &Test) -> Result<ExitCode, Failure> {
    let found = discover::harnesses(&arguments.paths)?;
    let is_part = arguments.filter.is_some() || arguments.shard.is_some();
    let obsolete = if is_part { Vec::new() } else { snapshot::obsolete(&found) };
    let harnesses = select(found, arguments)?;
    let settings = settings(arguments, harnesses.len())?;
    if arguments.list {
        let mut out = stdout().lock();
        for harness in &harnesses {
            writeln!(out, "{}: clew {}", harness.name, settings.arguments(harness).join(" "))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let style = Style { color: arguments.color.is_on() };
    let mut all = run(&harnesses, &settings, arguments, style)?;
    if arguments.review {
        review::review(&harnesses, &mut all, style, &mut stdin().lock(), &mut stdout().lock())?;
    }
    report(&harnesses, &all, &obsolete, arguments, style)?;
    Ok(ExitCode::from(code(&all)))
}

/// The harnesses that the arguments select.
fn select(found: Vec<Harness>, arguments: &Test) -> Result<Vec<Harness>, Failure> {
    let mut harnesses = found;
    if let Some(pattern) = &arguments.filter {
        // What is no regular expression is a part of a name all the same.
        let regex = Regex::new(pattern).ok();
        let is_match = |name: &str| name.contains(pattern) || regex.as_ref().is_some_and(|regex| regex.is_match(name));
        harnesses.retain(|harness| is_match(&harness.name));
        if harnesses.is_empty() {
            return Err(Failure::Usage(format!("--filter: no harness matches `{pattern}`")));
        }
    }
    if let Some(shard) = arguments.shard {
        let mut position = 0..;
        harnesses.retain(|_| position.next().is_some_and(|position| shard.has(position)));
    }
    Ok(harnesses)
}

/// How the harnesses are checked: those that run at the same time share the processors and the memory.
fn settings(arguments: &Test, count: usize) -> Result<Settings, Failure> {
    let program = env::current_exe().map_err(|e| Failure::Internal(format!("cannot find the program itself: {e}")))?;
    let jobs = arguments.jobs.map_or_else(processors, usize::from);
    let at_once = jobs.min(count).max(1);
    let memory = arguments.memory_limit.clone().unwrap_or_else(|| {
        // At least what a small check needs; the option says if that is wrong.
        const LEAST: u64 = 500_000_000;
        format!("{}B", (default_memory() / at_once as u64).max(LEAST))
    });
    let mut limits = vec![format!("--memory-limit={memory}")];
    limits.push(format!("--jobs={}", (processors() / at_once).clamp(1, 32)));
    limits.extend(arguments.time_limit.iter().map(|limit| format!("--time-limit={limit}")));
    let place = Line { file: "the command line".into(), number: 1 };
    Checker::new().check(limits.iter().map(String::as_str), &place).map_err(|error| match error {
        Failure::Usage(message) => Failure::Usage(message.replace("the command line:1: ", "")),
        other => other,
    })?;
    Ok(Settings { program, jobs, limits })
}

/// Checks the harnesses; results are shown in the order of the list, as soon as all before are there.
fn run(harnesses: &[Harness], settings: &Settings, arguments: &Test, style: Style) -> Result<Vec<Compared>, Failure> {
    let progress = Progress::new(harnesses, &arguments.progress);
    let mut outcomes: Vec<Option<Outcome>> = vec![None; harnesses.len()];
    let mut all: Vec<Compared> = Vec::new();
    let mut failed: io::Result<()> = Ok(());
    let checks = Checks::new(settings, arguments)?;
    let work = |number: usize| checks.outcome(&harnesses[number]);
    runner::in_parallel(settings.jobs, harnesses.len(), work, |event| match event {
        Event::Begin(number) => progress.begin(number),
        Event::End(number, outcome) => {
            progress.end(number);
            outcomes[number] = Some(*outcome);
            while let Some(outcome) = outcomes.get_mut(all.len()).and_then(Option::take) {
                let harness = &harnesses[all.len()];
                match conclude(harness, outcome, arguments) {
                    Ok(compared) => {
                        if arguments.format == Format::Text && failed.is_ok() {
                            failed = progress.print(&style.harness(harness, &compared));
                        }
                        all.push(compared);
                    }
                    Err(error) => {
                        failed = Err(error);
                        break;
                    }
                }
            }
        }
    });
    progress.clear();
    failed?;
    Ok(all)
}

/// Compares, and writes what is accepted or pending.
fn conclude(harness: &Harness, outcome: Outcome, arguments: &Test) -> io::Result<Compared> {
    let explain = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", harness.snapshot.display()));
    let mut compared = Compared::new(harness, outcome).map_err(explain)?;
    if arguments.accept && compared.is_pending() {
        compared.accept(harness).map_err(explain)?;
    } else if let Err(error) = compared.keep(harness).map_err(explain) {
        // The tree may be read-only.
        eprintln!("clew: note: the verdict of {} is not written: {error}", harness.name);
    }
    Ok(compared)
}

/// Writes the reports.
fn report(
    harnesses: &[Harness],
    all: &[Compared],
    obsolete: &[PathBuf],
    arguments: &Test,
    style: Style,
) -> Result<(), Failure> {
    if let Some(path) = &arguments.junit {
        let text = junit::document(harnesses, all).map_err(Failure::Internal)?;
        let explain = |error| Failure::Usage(format!("--junit: {} cannot be written: {error}", path.display()));
        fs::write(path, text).map_err(explain)?;
    }
    let document = match arguments.format {
        Format::Text => style.obsolete(obsolete) + &style.summary(harnesses, all),
        Format::Json => format!("{:#}\n", json::document(harnesses, all, obsolete)),
        Format::Sarif => format!("{:#}\n", sarif::document(harnesses, all)),
    };
    let mut out = stdout().lock();
    out.write_all(document.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// The exit code: the worst of what happened.
fn code(all: &[Compared]) -> u8 {
    let broken = all.iter().filter_map(Compared::broken).map(|broken| broken.code);
    match broken.max() {
        Some(code) => code,
        None if all.iter().any(|one| matches!(one.state, State::Different | State::New)) => DIFFERENT,
        None => 0,
    }
}
