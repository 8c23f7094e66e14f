//! Verdicts on generated programs agree with native runs. `scripts/fuzz-verdicts` runs this for longer.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use clew_testsuite::fuzz::campaign::{self, Configs, Options};
use clew_testsuite::fuzz::judge::Judge;
use clew_testsuite::fuzz::summary::Summary;
use clew_testsuite::fuzz::{csmith, fragment, program};
use clew_testsuite::{clew, has_csmith, jobs, testsuite};

/// What Clew is given for a program, in seconds. Running out of it is no failure.
const SECONDS: u64 = 2;

fn options(out: &Path, clew: &Path) -> Options {
    Options {
        seed: 1,
        from: 0,
        count: 0,
        configs: Configs::Default,
        jobs: jobs(),
        resume: false,
        out: out.to_owned(),
        only: Vec::new(),
        without: Vec::new(),
        judge: Judge { clew: clew.to_owned(), seconds: SECONDS },
        reduce: 0,
    }
}

fn run(options: &Options) -> Summary {
    campaign::run(options, &|line| eprintln!("{line}")).expect("the campaign runs")
}

/// How many programs got a verdict.
fn count(summary: &Summary, verdict: &str) -> usize {
    summary.records.iter().filter(|record| record.verdict == verdict).count()
}

/// Whether all verdicts are right, and some of both kinds.
fn check(options: &Options) {
    let summary = run(options);
    assert!(summary.wrong().is_empty(), "{summary}");
    assert!(count(&summary, "SAFE") > 0 && count(&summary, "UNSAFE") > 0, "{summary}");
    assert!(count(&summary, "DISCARDED") * 4 < summary.records.len(), "too many programs are undefined:\n{summary}");
}

/// The modules but csmith's, which is not installed everywhere.
fn own_modules() -> Vec<String> {
    let known = fragment::load(&testsuite().join("fuzz")).expect("the fragments can be read");
    program::modules(&known, &[]).into_iter().map(|(module, _)| module).filter(|name| name != csmith::MODULE).collect()
}

#[test]
fn generated_programs_agree_with_native_runs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    check(&Options { count: 56, only: own_modules(), ..options(folder.path(), clew()) });
}

#[test]
fn all_configurations_agree_with_native_runs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let only = ["pointers", "storage", "functions"].map(str::to_owned).to_vec();
    check(&Options { seed: 2, count: 6, configs: Configs::All, only, ..options(folder.path(), clew()) });
}

#[test]
fn csmith_programs_have_the_native_checksum() {
    if has_csmith() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        check(&Options { seed: 3, count: 12, only: vec!["csmith".to_owned()], ..options(folder.path(), clew()) });
    }
}

/// A command that lists configurations as Clew does, and gives all programs the same answer.
fn liar(folder: &Path, answer: &str, code: i32) -> PathBuf {
    let file = folder.join("liar");
    let clew = clew().display();
    fs::write(&file, format!("#!/bin/sh\n[ $1 = check ] || exec {clew} \"$@\"\necho '{answer}'\nexit {code}\n"))
        .expect("the folder takes files");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    file
}

/// A campaign of six bodies, with the files that it leaves behind for wrong verdicts.
fn with_liar(answer: &str, code: i32, reduce: usize) -> (Summary, Vec<(String, String)>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let clew = liar(folder.path(), answer, code);
    let only = vec!["numbers".to_owned(), "pointers".to_owned()];
    let summary = run(&Options { count: 12, only, reduce, ..options(&folder.path().join("out"), &clew) });
    let kept = fs::read_dir(folder.path().join("out/wrong")).expect("the folder of wrong verdicts");
    let kept = kept.map(|entry| entry.expect("the folder is ours").path());
    let name = |path: &Path| path.file_name().expect("a file").to_string_lossy().into_owned();
    let kept = kept.map(|path| (name(&path), fs::read_to_string(&path).expect("a text")));
    (summary, kept.collect())
}

#[test]
fn a_wrong_safe_is_noticed_kept_and_reduced() {
    let (summary, kept) = with_liar("SAFE", 0, 1);
    let wrong = summary.wrong();
    assert!(!wrong.is_empty(), "{summary}");
    // Exactly those whose claim does not hold.
    assert!(wrong.iter().all(|record| !record.holds && record.verdict == "SAFE"), "{summary}");
    assert_eq!(wrong.len(), summary.records.iter().filter(|r| !r.holds && r.verdict != "DISCARDED").count());
    let (reduced, originals): (Vec<_>, Vec<_>) = kept.iter().partition(|(name, _)| name.contains("reduced"));
    assert_eq!((originals.len(), reduced.len()), (wrong.len(), 1));
    // A program that reaches an error needs little more than that.
    let (name, text) = reduced[0];
    let code = text.split("// ---").nth(1).expect("declarations end at the mark");
    assert!(code.contains("reach_error()") || code.contains("assert("), "{name}:\n{text}");
    assert!(code.lines().count() < 12, "{name}:\n{text}");
}

#[test]
fn a_wrong_unsafe_is_noticed() {
    let (summary, kept) = with_liar("UNSAFE: unreach-call", 10, 0);
    let wrong = summary.wrong();
    assert!(!wrong.is_empty() && wrong.iter().all(|record| record.holds && record.verdict == "UNSAFE"), "{summary}");
    assert_eq!(kept.len(), wrong.len());
}

#[test]
fn a_failure_is_noticed() {
    let (summary, _) = with_liar("internal error", 4, 0);
    assert!(count(&summary, "FAILED") > 0 && summary.wrong().len() == count(&summary, "FAILED"), "{summary}");
    // An exit code alone is no verdict.
    let (summary, _) = with_liar("nothing", 0, 0);
    assert!(count(&summary, "FAILED") > 0 && count(&summary, "SAFE") == 0, "{summary}");
    let (summary, _) = with_liar("UNKNOWN: out of time", 20, 0);
    assert!(count(&summary, "UNKNOWN") > 0 && summary.wrong().is_empty(), "{summary}");
}

#[test]
fn a_program_depends_on_its_seed_and_number_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let clew = liar(folder.path(), "SAFE", 0);
    let texts = |seed: u64, from: u64, count: u64, out: &str| {
        let out = folder.path().join(out);
        run(&Options { seed, from, count, only: vec!["numbers".to_owned()], jobs: 1, ..options(&out, &clew) });
        fs::read_to_string(out.join("wrong/5-auto.c"))
    };
    let whole = texts(1, 0, 8, "whole").expect("program 5 has a false claim");
    assert_eq!(texts(1, 4, 2, "alone").expect("program 5 is among them"), whole);
    assert_ne!(texts(2, 4, 2, "other").unwrap_or_default(), whole);
    assert!(texts(1, 0, 4, "before").is_err());
}
