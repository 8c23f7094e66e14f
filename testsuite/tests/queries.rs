//! `clew check --dump-smt`: every query is a file that Z3 can read and that has the same answer.

mod common;

use std::fs;
use std::path::Path;

use common::Folder;
use serde_json::Value;
use z3::{SatResult, Solver};

const LOOP: &str = "\
#include <clew.h>
int main(void) {
    int n = clew_any_int();
    clew_assume(n >= 0 && n < 3);
    int left = n;
    while (left > 0)
        left--;
    clew_assert(left == 0);
}
";

/// Uses the theories of arrays and floats.
const THEORIES: &str = "\
#include <clew.h>
int main(void) {
    unsigned i = clew_any_uint(), cells[4] = {1, 2, 3, 4};
    float f = clew_any_float();
    clew_assume(i < 4 && f > 0.5f);
    cells[i] = clew_any_uint();
    clew_assert(f < 1.5f || cells[3] != 7);
}
";

const CONFIGS: [&str; 5] = ["value", "value-full", "predicate", "bmc", "k-induction"];

/// The files of a directory with their contents, in order.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read"))
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

/// Z3's answer to the text of a query.
fn answer(text: &str) -> &'static str {
    let solver = Solver::new();
    solver.from_string(text);
    // Z3 asserts nothing if it cannot parse the text.
    assert_eq!(solver.get_assertions().len(), text.matches("(assert").count(), "{text}");
    match solver.check() {
        SatResult::Sat => "; sat",
        SatResult::Unsat => "; unsat",
        SatResult::Unknown => "; unknown",
    }
}

#[test]
fn queries_are_files_with_their_answers() {
    let folder = Folder::new();
    folder.write("loop.c", LOOP);
    folder.write("theories.c", THEORIES);
    for program in ["loop.c", "theories.c"] {
        for config in CONFIGS {
            let outcome = folder.clew(&["check", program, "--config", config, "--dump-smt", "new/queries", "--json"]);
            let json: Value = serde_json::from_str(&outcome.stdout).expect("one document");
            let files = files(&folder.path().join("new/queries"));
            assert_eq!(json["statistics"]["solver_calls"], files.len(), "{program}, {config}: {outcome:?}");
            assert!(!files.is_empty(), "{program}, {config}");
            for (position, (name, text)) in files.iter().enumerate() {
                assert_eq!(*name, format!("{:06}.smt2", position + 1));
                assert!(text.starts_with("; asked while ") && text.contains("(check-sat)"), "{text}");
                assert_eq!(text.lines().last().unwrap(), answer(text), "{program}, {config}, {name}");
            }
            let says = |what: &str| files.iter().any(|(_, text)| text.ends_with(what));
            assert!(says("; sat\n") || says("; unsat\n"), "{program}, {config}");
        }
    }
}

#[test]
fn queries_of_an_earlier_run_go_and_all_else_stays() {
    let folder = Folder::new();
    folder.write("loop.c", LOOP);
    for name in ["999999.smt2", "mine.smt2", "000001.txt"] {
        fs::create_dir_all(folder.path().join("queries")).unwrap();
        folder.write(&format!("queries/{name}"), "");
    }
    assert_eq!(folder.clew(&["check", "loop.c", "--config", "predicate", "--dump-smt", "queries"]).code, Some(0));
    let names: Vec<String> = files(&folder.path().join("queries")).into_iter().map(|(name, _)| name).collect();
    assert!(names.contains(&"mine.smt2".into()) && names.contains(&"000001.txt".into()), "{names:?}");
    assert!(names.contains(&"000001.smt2".into()) && !names.contains(&"999999.smt2".into()), "{names:?}");
}

#[test]
fn a_folder_that_takes_no_files_is_bad_usage() {
    let folder = Folder::new();
    folder.write("loop.c", LOOP);
    // Root can write to any directory, so these are paths that cannot be created at all.
    for bad in ["loop.c", "loop.c/queries", "/proc/queries"] {
        let outcome = folder.clew(&["check", "loop.c", "--dump-smt", bad]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{outcome:?}");
        let start = format!("clew: error: --dump-smt: cannot write to {bad}: ");
        assert!(outcome.stderr.starts_with(&start) && outcome.stderr.lines().count() == 1, "{outcome:?}");
    }
}
