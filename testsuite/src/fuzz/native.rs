//! Native runs of many programs at once, on all inputs, in several builds that must agree.

use std::collections::{BTreeMap, BTreeSet};
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

/// What clang calls the text of a unit, before its number.
const UNIT: &str = "unit-";

/// The builds of a language.
fn builds(language: Language) -> impl Iterator<Item = &'static (&'static str, &'static [&'static str])> {
    // The C++ library is not built for the memory sanitizer.
    BUILDS.iter().filter(move |(_, flags)| language == Language::C || !flags.contains(&"-fsanitize=memory"))
}

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

/// Whether this machine can make all builds; otherwise why not. Without it, each program would be discarded.
pub fn probe() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    for language in [Language::C, Language::Cxx] {
        let source = folder.path().join(format!("probe.{}", language.extension()));
        fs::write(&source, "int main(void) { return 0; }\n").map_err(|error| error.to_string())?;
        for (name, flags) in builds(language) {
            build(language, &[], flags, &source, &folder.path().join("probe")).map_err(|problem| {
                format!(
                    "this machine cannot build programs with {name}; scripts/setup installs what is needed\n{problem}"
                )
            })?;
        }
    }
    Ok(())
}

/// The outcomes of each unit on all inputs, in the order of `combinations`; for a unit that cannot be used, why.
/// All units have the same language and flags.
pub fn run(units: &[Unit<'_>]) -> Vec<Result<Vec<Outcome>, String>> {
    match run_together(units) {
        Ok(outcomes) => outcomes,
        // One unit that does not compile must not cost the others.
        Err(problem) if units.len() == 1 => vec![Err(problem)],
        Err(problem) => {
            let broken = with_errors(&problem);
            if broken.is_empty() || broken.len() == units.len() {
                let (first, second) = units.split_at(units.len() / 2);
                return run(first).into_iter().chain(run(second)).collect();
            }
            let good = units.iter().enumerate().filter(|(at, _)| !broken.contains_key(at));
            let good: Vec<Unit<'_>> = good.map(|(_, unit)| Unit { body: unit.body, code: unit.code }).collect();
            let mut outcomes = run(&good).into_iter();
            let of_unit = |at: usize| match broken.get(&at) {
                Some(error) => Err(error.clone()),
                None => outcomes.next().expect("a result for each unit"),
            };
            (0..units.len()).map(of_unit).collect()
        }
    }
}

/// The linker's message if it is why none of several units has outcomes.
pub fn unlinked(outcomes: &[Result<Vec<Outcome>, String>]) -> Option<String> {
    let fails = |result: &Result<_, String>| result.as_ref().is_err_and(|why| why.contains("linker command failed"));
    (outcomes.len() > 1 && outcomes.iter().all(fails)).then(|| outcomes[0].clone().unwrap_err())
}

/// The units in whose text clang finds errors, each with the first one.
fn with_errors(messages: &str) -> BTreeMap<usize, String> {
    let mut errors = BTreeMap::new();
    for line in messages.lines().filter(|line| line.contains(" error: ")) {
        let number = line.strip_prefix(UNIT).and_then(|rest| rest.split(':').next()?.parse().ok());
        if let Some(number) = number {
            errors.entry(number).or_insert_with(|| line.to_owned());
        }
    }
    errors
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
    for (index, (name, flags)) in builds(language).enumerate() {
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

fn build(
    language: Language,
    of_program: &[&str],
    of_build: &[&str],
    source: &Path,
    program: &Path,
) -> Result<(), String> {
    let mut clang = Command::new(language.compiler());
    clang.args(COMMON).args(of_program).args(of_build).arg(source).arg("-lm").arg("-o").arg(program);
    succeed(&mut clang).map(drop)
}

fn build_and_run(
    units: &[Unit<'_>],
    language: Language,
    flags: &[&str],
    source: &Path,
    folder: &Path,
) -> Result<Vec<Vec<Outcome>>, String> {
    let program = folder.join("programs");
    build(language, units.first().map_or(&[][..], |unit| unit.body.flags), flags, source, &program)?;
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
        // Errors name the unit.
        text += &format!("#line 1 \"{UNIT}{index}\"\n{}\n#line 1 \"{UNIT}end\"\n", unit.code);
        text.extend(names().map(|name| format!("#undef {name}\n")));
        let max: Vec<_> = unit.body.inputs.iter().map(|input| input.max.to_string()).collect();
        table += &format!("    {{main_in_{index}, {}, {{{}}}}},\n", max.len(), max.join(", "));
    }
    let main = format!("int main(void) {{ return fuzz_run(fuzz_programs, {}); }}\n", units.len());
    format!("{text}static const struct fuzz_program fuzz_programs[] = {{\n{table}}};\n{main}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::program::Input;

    fn body(code: &str) -> Body {
        Body {
            number: 0,
            module: String::new(),
            used: BTreeSet::new(),
            language: Language::C,
            flags: &[],
            inputs: vec![Input { name: "a", spelling: "int", c_type: "int", max: 1 }],
            headers: BTreeSet::new(),
            names: BTreeSet::from(["f".to_owned()]),
            declarations: String::new(),
            code: code.to_owned(),
        }
    }

    #[test]
    fn units_that_do_not_compile_cost_only_themselves() {
        let good = |value: u8| body(&format!("int main(void) {{ FUZZ_RESULT({value} + __VERIFIER_nondet_int()); }}\n"));
        let undefined = body("int f(void);\nint main(void) { FUZZ_RESULT(f()); }\n");
        let bodies = [good(4), body("int main(void) { return missing; }\n"), undefined, good(7)];
        let units: Vec<_> = bodies.iter().map(|body| Unit { body, code: &body.code }).collect();
        let outcomes = run(&units);
        assert_eq!(outcomes[0], Ok(vec![Outcome::Result(4), Outcome::Result(5)]));
        assert_eq!(outcomes[3], Ok(vec![Outcome::Result(7), Outcome::Result(8)]));
        assert!(outcomes[1].as_ref().is_err_and(|why| why.contains("missing")), "{outcomes:?}");
        assert!(outcomes[2].as_ref().is_err_and(|why| why.contains("f_in_")), "{outcomes:?}");
    }

    #[test]
    fn a_machine_that_cannot_link_is_told_from_programs_that_cannot_be_linked() {
        let link = || Err("clang: error: linker command failed with exit code 1".to_owned());
        assert!(unlinked(&[link(), link()]).is_some_and(|why| why.contains("linker")));
        assert_eq!(unlinked(&[link(), Ok(vec![Outcome::Ended])]), None);
        assert_eq!(unlinked(&[link(), Err("differs: -O2".to_owned())]), None);
        assert_eq!(unlinked(&[link()]), None);
        probe().expect("scripts/setup installs what is needed");
    }
}
