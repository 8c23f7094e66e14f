//! `clew replay`: runs a violation from a report again, natively.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clew_verifier::monitor::{NativeInput, NativeRun, NativeRuns, RunResult};
use serde_json::Value as Json;

use super::runner::{Confinement, Runner};
use crate::cli::{Cli, Command};
use crate::exit::{Failure, UNKNOWN, UNSAFE};
use crate::load;

/// Arguments of `replay`.
#[derive(Debug, Args)]
pub struct Replay {
    /// A report that `clew check --json` wrote
    #[arg(value_name = "REPORT")]
    pub report: PathBuf,
    /// Write a test that fails by this violation, as a C file
    #[arg(long, value_name = "FILE")]
    pub harness: Option<PathBuf>,
    /// Run the program even if this system has no sandbox
    #[arg(long)]
    pub unconfined: bool,
}

/// Runs the program of a report with the inputs of its violation.
pub fn replay(arguments: &Replay) -> Result<ExitCode, Failure> {
    let path = arguments.report.display();
    let failed = |why: String| Failure::Usage(format!("{path}: {why}"));
    let text = fs::read_to_string(&arguments.report).map_err(|error| failed(error.to_string()))?;
    let report: Json = serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
    let run =
        run(&report).ok_or_else(|| failed("it is no report of a violation; write one with check --json".into()))?;
    let words = program_arguments(&report["options"]).ok_or_else(|| failed("it names no program".into()))?;
    let Ok(Cli { command: Command::Run(parsed) }) = <Cli as clap::Parser>::try_parse_from(words) else {
        return Err(failed("its options are not those of this version".into()));
    };
    let loaded = load::program(&parsed.program, &load::to_stderr)?;
    let confinement = if arguments.unconfined { Confinement::IfPossible } else { Confinement::Required };
    let runner = Runner::new(loaded.source, confinement);
    let message = report["property"]["message"].as_str().unwrap_or("a property is violated");
    let place = format!("{}:{}:{}", run.place.0, run.place.1, run.place.2);
    let property = format!("{message}, at {place}");
    if let Some(out) = &arguments.harness {
        write_harness(&runner, &run, property.clone(), out)?;
    }
    let (code, text) = match runner.run(&run, None) {
        RunResult::Reached => (UNSAFE, format!("violated: {property}")),
        RunResult::Missed(how) => (0, format!("not violated: {how}")),
        RunResult::Unknown(why) => (UNKNOWN, format!("not comparable: {why}")),
    };
    println!("{text}");
    Ok(ExitCode::from(code))
}

/// Writes the harness of a run.
pub fn write_harness(runner: &Runner, run: &NativeRun, property: String, out: &Path) -> Result<(), Failure> {
    let failed = |why: String| Failure::Usage(format!("--harness: {why}"));
    let text = runner.harness(run, property, out).map_err(failed)?;
    fs::write(out, text).map_err(|error| failed(format!("cannot write {}: {error}", out.display())))
}

/// The run that violates the property.
fn run(report: &Json) -> Option<NativeRun> {
    let mut inputs = Vec::new();
    for input in report["counterexample"]["inputs"].as_array()?.iter().filter(|input| input["kind"] == "input") {
        let bits = u128::from_str_radix(input["bits"].as_str()?.strip_prefix("0x")?, 16).ok()?;
        let line = input["place"]["line"].as_u64().unwrap_or(0) as u32;
        inputs.push(NativeInput { function: input["function"].as_str()?.into(), bits, line });
    }
    let place = &report["place"];
    let number = |name: &str| u32::try_from(place[name].as_u64().unwrap_or(0)).ok();
    let place = (place["file"].as_str()?.to_string(), number("line")?, number("column")?);
    let argument_count = report["counterexample"]["arguments"].as_u64().and_then(|count| u32::try_from(count).ok());
    Some(NativeRun { inputs, argument_count, place })
}

/// The command line that loads the program of a report.
fn program_arguments(options: &Json) -> Option<Vec<String>> {
    let list = |name: &str| {
        let values = options[name].as_array().into_iter().flatten();
        values.filter_map(|value| value.as_str().map(String::from)).collect::<Vec<_>>()
    };
    let mut words = vec!["clew".to_string(), "run".into()];
    words.extend(list("files"));
    words.push(format!("--entry={}", options["entry"].as_str()?));
    words.extend(list("entry_arguments"));
    for name in ["build", "target"] {
        words.extend(options[name].as_str().map(|value| format!("--{name}={value}")));
    }
    words.extend(list("unit").iter().map(|file| format!("--unit={file}")));
    words.extend(options["data_model"].as_str().map(|model| format!("--{}", model.to_lowercase())));
    for (name, flag) in [("properties", "--property"), ("assume_any", "--assume-any")] {
        let values = list(name);
        if !values.is_empty() {
            words.push(format!("{flag}={}", values.join(",")));
        }
    }
    words.push("--".into());
    words.extend(list("clang_flags"));
    Some(words)
}
