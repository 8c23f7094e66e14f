//! Printed control-flow automata of small programs. The programs are in `snapshots/`, each next to its automaton.

use std::process::Command;
use std::time::Duration;

use clew_testsuite::{clew, run_for, testsuite};

/// Compares with the stored automaton of a function, or of the whole program.
fn check(file: &str, function: Option<&str>) {
    check_as(file, file, function.map_or(vec![], |function| vec!["--function", function]));
}

/// Compares with the stored automaton of the whole program in large blocks.
fn check_large(file: &str) {
    check_as(&format!("{file}.large"), file, vec!["--blocks", "large"]);
}

fn check_as(name: &str, file: &str, options: Vec<&str>) {
    let mut command = Command::new(clew());
    // In their directory, so that positions have no path.
    command.args(["show", "cfa", file]).args(options).current_dir(testsuite().join("snapshots"));
    let outcome = run_for(&mut command, Duration::from_secs(60));
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, outcome.stdout));
}

#[test]
fn example_2_1_of_paper_002() {
    check("loop_with_branch.c", Some("main"));
}

#[test]
fn example_2_2_of_paper_002() {
    check("assertion.c", Some("main"));
}

#[test]
fn structures() {
    check("structures.c", Some("main"));
}

#[test]
fn arrays() {
    check("arrays.c", Some("main"));
}

#[test]
fn pointers() {
    check("pointers.c", Some("main"));
}

#[test]
fn calls() {
    check("calls.c", None);
}

#[test]
fn lists() {
    check("lists.c", Some("main"));
}

#[test]
fn switches() {
    check("switches.c", Some("main"));
}

#[test]
fn conditions() {
    check("conditions.c", Some("main"));
}

#[test]
fn inputs() {
    check("inputs.c", Some("main"));
}

#[test]
fn conversions() {
    check("conversions.c", Some("main"));
}

#[test]
fn globals() {
    check("globals.c", None);
}

#[test]
fn methods() {
    check("methods.cpp", None);
}

#[test]
fn booleans() {
    check("booleans.c", None);
}

#[test]
fn large_blocks() {
    check_large("loop_with_branch.c");
    check_large("calls.c");
    check_large("switches.c");
}
