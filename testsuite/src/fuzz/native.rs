//! Native runs of many programs at once, on all inputs, in several builds that must agree.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::fragment::Language;
use super::program::Body;
use crate::{run_for, succeed, testsuite};

/// How long the runs of one build may take.
const LIMIT: Duration = Duration::from_secs(120);

/// Flags that give native code the semantics of Clew.
const COMMON: &[&str] = &["-w", "-Werror=return-type", "-g0", "-fno-strict-aliasing", "-ffp-contract=off"];

/// Builds that differ where a program has undefined behaviour, uses uninitialised values or depends on addresses.
const BUILDS: &[(&str, &[&str])] = &[
    ("-O0, variables filled with a pattern", &["-O0", "-ftrivial-auto-var-init=pattern"]),
    ("-O2, variables filled with zeros", &["-O2", "-ftrivial-auto-var-init=zero"]),
    (
        "address and undefined behaviour sanitizers",
        // Calls through pointers of another type are undefined, but programs have them and the platform defines them.
        &["-O0", "-fsanitize=address,undefined", "-fno-sanitize=function,vptr", "-fno-sanitize-recover=all"],
    ),
    ("memory sanitizer", &["-O1", "-fsanitize=memory"]),
];

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It computed this.
    Result(i64),
    /// An assumption does not hold.
    Excluded,
    /// The claim does not hold.
    Violated,
    /// `main` returned.
    Ended,
    /// A sanitizer, a signal or the time limit ended it.
    Broken,
}

/// Code to run: it stands for a `main` that is not alone.
pub struct Unit<'a> {
    /// Whose inputs and names it has.
    pub body: &'a Body,
    /// The code from `MARK` on.
    pub code: &'a str,
}

/// The outcomes of each unit on all inputs, in the order of `combinations`; for a unit that cannot be used, why.
/// All units have the same language and flags.
pub fn run(units: &[Unit<'_>]) -> Vec<Result<Vec<Outcome>, String>> {
    match run_together(units) {
        Ok(outcomes) => outcomes,
        // One unit that does not compile must not cost the others.
        Err(problem) if units.len() == 1 => vec![Err(problem)],
        Err(_) => {
            let (first, second) = units.split_at(units.len() / 2);
            run(first).into_iter().chain(run(second)).collect()
        }
    }
}

/// All combinations of inputs; the last input changes fastest.
pub fn combinations(body: &Body) -> Vec<Vec<i64>> {
    body.inputs.iter().fold(vec![Vec::new()], |all, input| {
        let longer = |shorter: &Vec<i64>| {
            let shorter = shorter.clone();
            (0..=input.max).map(move |value| shorter.iter().copied().chain([value]).collect())
        };
        all.iter().flat_map(longer).collect()
    })
}

fn run_together(units: &[Unit<'_>]) -> Result<Vec<Result<Vec<Outcome>, String>>, String> {
    let Some(first) = units.first() else { return Ok(Vec::new()) };
    let language = first.body.language;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = folder.path().join(format!("programs.{}", language.extension()));
    fs::write(&source, together(units)).map_err(|error| error.to_string())?;
    let mut results: Vec<Result<Vec<Outcome>, String>> = Vec::new();
    for (index, (name, flags)) in BUILDS.iter().enumerate() {
        // The C++ library is not built for the memory sanitizer.
        if language == Language::Cxx && flags.contains(&"-fsanitize=memory") {
            continue;
        }
        let outcomes = build_and_run(units, language, flags, &source, folder.path())?;
        for (at, outcomes) in outcomes.into_iter().enumerate() {
            if index == 0 {
                results.push(Ok(outcomes.clone()));
            }
            if outcomes.contains(&Outcome::Broken) {
                results[at] = Err(format!("broken: {name}"));
            } else if results[at].as_ref().is_ok_and(|known| *known != outcomes) {
                results[at] = Err(format!("differs: {name}"));
            }
        }
    }
    Ok(results)
}

fn build_and_run(
    units: &[Unit<'_>],
    language: Language,
    flags: &[&str],
    source: &Path,
    folder: &Path,
) -> Result<Vec<Vec<Outcome>>, String> {
    let program = folder.join("programs");
    let mut clang = Command::new(language.compiler());
    succeed(
        clang
            .args(COMMON)
            .args(units.first().map_or(&[][..], |unit| unit.body.flags))
            .args(flags)
            .arg(source)
            .arg("-lm")
            .arg("-o")
            .arg(&program),
    )?;
    let mut command = Command::new(&program);
    command.env("ASAN_OPTIONS", "detect_leaks=0").env("MALLOC_PERTURB_", "165");
    let output = run_for(&mut command, LIMIT);
    if output.code != Some(0) {
        return Err(format!("the native runs failed: {output:?}"));
    }
    let mut outcomes = vec![Vec::new(); units.len()];
    for line in output.stdout.lines() {
        let numbers: Vec<i64> = line.split(' ').filter_map(|number| number.parse().ok()).collect();
        let [unit, state, value] = numbers[..] else { return Err(format!("not an outcome: {line}")) };
        outcomes[unit as usize].push(match state {
            1 => Outcome::Result(value),
            2 => Outcome::Excluded,
            3 => Outcome::Violated,
            4 => Outcome::Ended,
            _ => Outcome::Broken,
        });
    }
    Ok(outcomes)
}

/// One translation unit with all programs; their names are made different by macros.
fn together(units: &[Unit<'_>]) -> String {
    let headers: BTreeSet<_> = units.iter().flat_map(|unit| &unit.body.headers).collect();
    let mut text: String = headers.iter().map(|header| format!("#include <{header}>\n")).collect();
    text += &format!("#include \"{}\"\n", testsuite().join("fuzz/native.h").display());
    let mut table = String::new();
    for (index, unit) in units.iter().enumerate() {
        let names = || unit.body.names.iter().map(String::as_str).chain(["main"]);
        text.extend(names().map(|name| format!("#define {name} {name}_in_{index}\n")));
        text += unit.code;
        text.extend(names().map(|name| format!("#undef {name}\n")));
        let max: Vec<_> = unit.body.inputs.iter().map(|input| input.max.to_string()).collect();
        table += &format!("    {{main_in_{index}, {}, {{{}}}}},\n", max.len(), max.join(", "));
    }
    let main = format!("int main(void) {{ return fuzz_run(fuzz_programs, {}); }}\n", units.len());
    format!("{text}static const struct fuzz_program fuzz_programs[] = {{\n{table}}};\n{main}")
}
