//! Mistakes of the points-to analysis never make a verdict wrong.
//!
//! Random constraints are left out while pointers are analysed. Accesses then miss their objects, calls their callees
//! and copies their contents; all of that must be noticed when the program is lifted, or at the latest where a pointer
//! is used.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clew_frontend_llvm::compile::{self, Cache, CompileOptions, Context, MODELS, link_models, prepare};
use clew_frontend_llvm::{Gaps, LiftOptions, lift};
use clew_testsuite::{in_parallel, testsuite};
use clew_verifier::monitor::Monitor;
use clew_verifier::strategy::{CheckOptions, Config, Verdict, check};

/// For programs that need long once nothing is known about their pointers.
const LIMIT: Duration = Duration::from_secs(1);

/// What fractions of the constraints are left out, and how often that is tried for each program.
const GAPS: [(u64, u64); 3] = [(20, 4), (100, 6), (500, 6)];

/// The programs about pointers, with the truth about them.
fn subjects() -> Vec<(PathBuf, bool)> {
    let entries = fs::read_dir(testsuite().join("verdicts")).expect("the folder is there");
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "c") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a program can be read");
        let uses_pointers = text.contains('*') || text.contains('&');
        if uses_pointers && !text.contains("// flags:") {
            found.push((path, text.contains("// truth: safe")));
        }
    }
    found.sort();
    found
}

/// How often each verdict was given.
fn verdicts(path: &Path, is_safe: bool) -> BTreeMap<&'static str, usize> {
    let context = Context::create();
    let options = CompileOptions { entry: "main".into(), ..CompileOptions::default() };
    let loaded = compile::load(&context, &[path.to_path_buf()], &options).expect("the program compiles");
    link_models(&context, &loaded.module, loaded.data_model, MODELS, &Cache::of_user()).expect("models link");
    prepare(&loaded.module, &loaded.entry).expect("the module can be prepared");
    let mut counts = BTreeMap::new();
    for (one_in, times) in GAPS {
        for seed in 0..times {
            let gaps = Some(Gaps { seed, one_in });
            let lifted =
                lift(&loaded.module, &LiftOptions { gaps, entry: loaded.entry.clone(), ..LiftOptions::default() });
            let program = lifted.expect("it is lifted");
            let options =
                CheckOptions { config: Config::named("value").expect("a configuration"), ..CheckOptions::default() };
            let monitor = Monitor::new(Some(Instant::now() + LIMIT));
            let verdict = match check(&program, &options, &monitor) {
                Verdict::Safe if !is_safe => "wrong SAFE",
                Verdict::Unsafe(_) if is_safe => "wrong UNSAFE",
                Verdict::Safe | Verdict::Unsafe(_) => "right",
                Verdict::Unknown(_) => "unknown",
            };
            if verdict.starts_with("wrong") {
                eprintln!("{}: {verdict} with one in {one_in} constraints left out, seed {seed}", path.display());
            }
            *counts.entry(verdict).or_default() += 1;
        }
    }
    counts
}

#[test]
fn what_points_to_misses_is_noticed() {
    let subjects = subjects();
    let mut total = BTreeMap::new();
    for counts in in_parallel(&subjects, |(path, is_safe)| verdicts(path, *is_safe)) {
        for (verdict, count) in counts {
            *total.entry(verdict).or_insert(0) += count;
        }
    }
    println!("{} programs: {total:?}", subjects.len());
    assert!(total.keys().all(|verdict| !verdict.starts_with("wrong")), "{total:?}");
    // Neither are the gaps too small to matter, nor is everything given up.
    assert!(total["unknown"] > subjects.len() && total["right"] > subjects.len(), "{total:?}");
}
