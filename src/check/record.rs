//! The options of a run as its report records them, and the command that replays a violation.

use clew_verifier::report::Options;

use super::arguments::Request;
use super::choices;
use super::limits::Limits;
use crate::cli::Externals;
use crate::replay::Confirmation;

/// The options of a run, from its arguments.
pub fn options(request: Request<'_>, limits: &Limits) -> Options {
    let Request { program, analysis, all, replay, .. } = request;
    let interpolation = |&one| choices::name(choices::INTERPOLATIONS, one);
    Options {
        files: program.files.iter().map(|file| file.display().to_string()).collect(),
        build: program.build.as_ref().map(|file| file.display().to_string()),
        target: program.target.clone(),
        unit: program.unit.iter().map(|file| file.display().to_string()).collect(),
        entry: program.entry.clone(),
        entry_arguments: program.arguments.words(),
        data_model: program.data_model().map(|model| model.to_string()),
        externals: program.externals.to_string(),
        assume_any: program.assume_any.clone(),
        clang_flags: program.clang_flags.clone(),
        config: analysis.config.name(),
        properties: program.selections().0.into_iter().map(|one| one.text).collect(),
        instrumented: program.selections().requested().iter().any(|kind| !kind.sanitizers().is_empty()),
        order: analysis.order.map(choices::order_name),
        precision: analysis.precision.map(|scope| choices::name(choices::SCOPES, scope)),
        track: analysis.track.clone(),
        refinement: choices::name(choices::REFINEMENTS, analysis.refinement),
        max_recursion: analysis.max_recursion,
        blocks: choices::blocks_name(analysis.blocks),
        abstraction: choices::name(choices::ABSTRACTIONS, analysis.abstraction),
        interpolation: analysis.interpolation.as_ref().map(|list| list.iter().map(interpolation).collect()),
        select: analysis.select.as_ref().map(choices::heuristics_names),
        slices: choices::name(choices::SLICES, analysis.slices),
        refine_first: choices::name(choices::REFINED_FIRST, analysis.refine_first),
        value_threshold: analysis.value_threshold,
        bound: analysis.bound,
        solver: Some(analysis.solver.name().to_owned()).filter(|name| name != "race"),
        invariants: choices::name(choices::INVARIANTS, analysis.invariants),
        all,
        replay: replay.map(Confirmation::name),
        tune: analysis.tuned().collect(),
        time_limit_seconds: limits.time.map(|time| time.as_secs_f64()),
        cpu_time_limit_seconds: limits.cpu.map(|time| time.as_secs_f64()),
        memory_limit_bytes: limits.memory,
    }
}

/// More inputs are not part of a command.
const MAX_SHOWN: usize = 500;

/// The command that runs the program with `inputs`.
pub fn replay(options: &Options, inputs: &[String]) -> String {
    let mut words = vec!["clew".to_string(), "run".into()];
    words.extend(options.files.iter().map(|file| quoted(file)));
    words.extend(options.build.as_ref().map(|file| format!("--build={}", quoted(file))));
    words.extend(options.target.as_ref().map(|name| format!("--target={}", quoted(name))));
    words.extend(options.unit.iter().map(|file| format!("--unit={}", quoted(file))));
    words.extend(options.data_model.as_ref().map(|model| format!("--{}", model.to_lowercase())));
    if options.entry != "main" {
        words.push(format!("--entry={}", quoted(&options.entry)));
    }
    words.extend(options.entry_arguments.iter().map(|word| quoted(word)));
    if options.externals != Externals::default().to_string() {
        words.push(format!("--externals={}", options.externals));
    }
    if !options.assume_any.is_empty() {
        words.push(format!("--assume-any={}", quoted(&options.assume_any.join(","))));
    }
    if options.instrumented {
        words.push(format!("--property={}", options.properties.join(",")));
    }
    let is_long = inputs.len() > MAX_SHOWN;
    if is_long {
        words.push("--inputs-file=INPUTS".into());
    } else if !inputs.is_empty() {
        words.push(format!("--inputs={}", inputs.join(",")));
    }
    if !options.clang_flags.is_empty() {
        words.push("--".into());
        words.extend(options.clang_flags.iter().map(|flag| quoted(flag)));
    }
    if is_long {
        words.push(format!("# INPUTS: a file with the {} numbers in `inputs` of --json", inputs.len()));
    }
    words.join(" ")
}

/// Quotes a word for a POSIX shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:@%,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
