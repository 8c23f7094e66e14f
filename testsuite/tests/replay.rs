//! Native replay through the command line: confirmation, harnesses, and the sandbox of the runs.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use clew_testsuite::{LimitedOutput, clew, has_32_bits, run_for};
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(120);
const UNSAFE: Option<i32> = Some(10);
const UNKNOWN: Option<i32> = Some(20);
const CONFIRMED: &str = "\nconfirmed: by running it\n";

/// Runs Clew in a folder.
fn run(folder: &Path, words: &[&str]) -> LimitedOutput {
    run_for(Command::new(clew()).args(words).current_dir(folder), LIMIT)
}

/// Checks a program in a folder of its own.
fn check(text: &str, words: &[&str]) -> (TempDir, LimitedOutput) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("program.c"), text).expect("the folder takes files");
    let mut all = vec!["check", "program.c", "--no-progress", "--time-limit", "60s"];
    all.extend(words);
    let output = run(folder.path(), &all);
    (folder, output)
}

const TWO_INPUTS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    char c = __VERIFIER_nondet_char();
    if (x == 123456 && c == -7)
        reach_error();
    return 0;
}
";

#[test]
fn a_violation_is_confirmed_by_running_it() {
    let (_folder, output) = check(TWO_INPUTS, &[]);
    assert_eq!(output.code, UNSAFE, "{}{}", output.stdout, output.stderr);
    assert!(output.stdout.contains(CONFIRMED), "{}", output.stdout);
}

#[test]
fn a_violation_in_32_bits_is_confirmed_by_running_it() {
    if !has_32_bits("clang-19") {
        return;
    }
    let (_folder, output) = check(TWO_INPUTS, &["--ilp32"]);
    assert!(output.code == UNSAFE && output.stdout.contains(CONFIRMED), "{}", output.stdout);
}

#[test]
fn undefined_behaviour_is_confirmed_by_running_it() {
    let text = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (y < 1000)
        return 0;
    return x + y > 0;
}
";
    let (_folder, output) = check(text, &["--property", "overflow"]);
    assert!(output.code == UNSAFE && output.stdout.contains(CONFIRMED), "{}", output.stdout);
}

#[test]
fn the_cost_of_runs_is_reported() {
    let (_folder, output) = check(TWO_INPUTS, &["--json"]);
    let report: serde_json::Value = serde_json::from_str(&output.stdout).expect("a JSON document");
    assert_eq!(report["statistics"]["native_runs"], 1);
    assert!(report["statistics"]["seconds_by_phase"]["running"].as_f64().expect("a number") > 0.0);
    assert_eq!(report["counterexample"]["confirmed"]["by"], "native");
    let (_folder, output) = check(TWO_INPUTS, &["--replay", "none", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&output.stdout).expect("a JSON document");
    assert_eq!(report["statistics"]["native_runs"], 0);
    assert_eq!(report["counterexample"]["confirmed"]["by"], "interpreter");
}

/// A function of the library without a model, whose result is always the same.
const IMPOSSIBLE: &str = "\
#include <assert.h>
#include <stdlib.h>
int main(void) {
    long value = a64l(\"/\");
    assert(value == 1);
    return 0;
}
";

#[test]
fn a_value_that_the_real_function_does_not_return_is_no_violation() {
    let (_folder, output) = check(IMPOSSIBLE, &[]);
    assert_eq!(output.code, UNKNOWN, "{}{}", output.stdout, output.stderr);
    assert!(output.stdout.contains("depends on a64l giving "), "{}", output.stdout);
    // Without a run there is no evidence either way; without evidence the model is believed.
    let (_folder, output) = check(IMPOSSIBLE, &["--replay", "interpreter"]);
    assert!(output.code == UNKNOWN && output.stdout.contains("depends on a64l"), "{}", output.stdout);
    let (_folder, output) = check(IMPOSSIBLE, &["--replay", "none"]);
    assert_eq!(output.code, UNSAFE, "{}", output.stdout);
}

#[test]
fn a_violation_beside_an_external_value_is_found() {
    let text = "\
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    assert(a64l(\"/\") == 1);
    assert(__VERIFIER_nondet_int() != 99);
    return 0;
}
";
    let (_folder, output) = check(text, &[]);
    assert!(output.code == UNSAFE && output.stdout.contains(CONFIRMED), "{}", output.stdout);
    assert!(output.stdout.contains("program.c:6"), "{}", output.stdout);
}

const SENSOR: &str = "\
#include <assert.h>
int read_sensor(int channel);
int main(void) {
    assert(read_sensor(1) < 100);
    return 0;
}
";

#[test]
fn a_function_without_a_definition_confirms_nothing_unless_it_may_return_anything() {
    let (_folder, output) = check(SENSOR, &[]);
    assert_eq!(output.code, UNKNOWN, "{}{}", output.stdout, output.stderr);
    let last = output.stdout.lines().last().unwrap_or_default();
    assert!(last.contains("read_sensor") && last.contains("is defined nowhere"), "{last}");
    let (_folder, output) = check(SENSOR, &["--assume-any", "read_sensor"]);
    assert!(output.code == UNSAFE && output.stdout.contains(CONFIRMED), "{}", output.stdout);
}

#[test]
fn what_the_environment_gives_counts_without_a_run() {
    let text = "\
#include <assert.h>
#include <stdio.h>
int main(void) {
    assert(getchar() != 'x');
    return 0;
}
";
    let (_folder, output) = check(text, &[]);
    assert_eq!(output.code, UNSAFE, "{}{}", output.stdout, output.stderr);
    assert!(output.stdout.contains("confirmed: by the interpreter"), "{}", output.stdout);
}

#[test]
fn a_harness_is_a_test_that_fails() {
    for (text, flags) in [(TWO_INPUTS, vec![]), (SENSOR, vec!["--assume-any", "read_sensor"])] {
        let mut words = vec!["--harness", "test.c"];
        words.extend(flags);
        let (folder, output) = check(text, &words);
        assert_eq!(output.code, UNSAFE, "{}{}", output.stdout, output.stderr);
        let harness = fs::read_to_string(folder.path().join("test.c")).expect("the harness was written");
        let build = harness.lines().find_map(|line| line.trim_start_matches(" * ").trim().strip_prefix("clang "));
        let words = build.expect("the harness says how to build it").split(' ');
        let mut compiler = Command::new("clang-19");
        let built = compiler.args(words).current_dir(folder.path()).output().expect("clang starts");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let ran = Command::new(folder.path().join("violation")).output().expect("the test starts");
        assert_eq!(ran.status.signal(), Some(6), "{ran:?}");
        assert!(String::from_utf8_lossy(&ran.stderr).contains("clew: violation"), "{ran:?}");
    }
}

#[test]
fn a_report_is_replayed() {
    let (folder, output) = check(TWO_INPUTS, &["--json"]);
    fs::write(folder.path().join("report.json"), &output.stdout).expect("the folder takes files");
    let again = run(folder.path(), &["replay", "report.json", "--harness", "test.c"]);
    assert_eq!(again.code, UNSAFE, "{}{}", again.stdout, again.stderr);
    assert!(again.stdout.starts_with("violated: "), "{}", again.stdout);
    assert!(folder.path().join("test.c").exists());
    // The same inputs do not violate another program.
    fs::write(folder.path().join("program.c"), TWO_INPUTS.replace("123456", "123457")).expect("the folder takes files");
    let other = run(folder.path(), &["replay", "report.json"]);
    assert!(other.code == Some(0) && other.stdout.starts_with("not violated: "), "{}{}", other.stdout, other.stderr);
    let bad = run(folder.path(), &["replay", "program.c"]);
    assert_eq!(bad.code, Some(2), "{}{}", bad.stdout, bad.stderr);
}

/// A program that violates its property only where `denied` holds; a native run that confirms it shows that.
fn program_with(includes: &str, denied: &str) -> String {
    format!(
        "#include <stddef.h>\n{includes}\nextern void reach_error(void);\n\
         int main(void) {{\n    if ({denied})\n        reach_error();\n    return 0;\n}}\n"
    )
}

/// Checks that a native run takes the path where `denied` holds.
fn is_denied(includes: &str, denied: &str, flags: &[&str]) {
    let (_folder, output) = check(&program_with(includes, denied), flags);
    assert_eq!(output.code, UNSAFE, "{denied}: {}{}", output.stdout, output.stderr);
    assert!(output.stdout.contains(CONFIRMED), "{denied} is not so: {}", output.stdout);
}

/// The data models in which programs can be linked here.
fn data_models() -> Vec<&'static str> {
    let mut models = vec!["--lp64"];
    models.extend(has_32_bits("clang-19").then_some("--ilp32"));
    models
}

#[test]
fn a_run_writes_no_file_outside_of_its_folder() {
    let outside = tempfile::tempdir().expect("a temporary folder");
    let target = outside.path().join("written");
    for model in data_models() {
        let open = format!("open(\"{}\", O_CREAT | O_WRONLY, 0600)", target.display());
        is_denied("#include <fcntl.h>", &format!("{open} == -1"), &[model]);
        assert!(!target.exists());
        is_denied("#include <fcntl.h>", "open(\"/etc/passwd\", O_RDONLY) == -1", &[model]);
        is_denied("#include <sys/stat.h>", &format!("mkdir(\"{}\", 0700) == -1", target.display()), &[model]);
        assert!(!target.exists());
        // Its own folder is writable.
        is_denied("#include <fcntl.h>", "open(\"own\", O_CREAT | O_WRONLY, 0600) >= 0", &[model]);
    }
}

#[test]
fn a_run_has_no_network() {
    for model in data_models() {
        is_denied("#include <sys/socket.h>", "socket(AF_INET, SOCK_STREAM, 0) == -1", &[model]);
        is_denied("#include <sys/socket.h>", "socket(AF_INET, SOCK_DGRAM, 0) == -1", &[model]);
        is_denied("#include <sys/socket.h>", "socket(AF_UNIX, SOCK_STREAM, 0) == -1", &[model]);
    }
}

#[test]
fn a_run_touches_no_other_process() {
    let mut victim = Command::new("sleep").arg("600").stdin(Stdio::null()).spawn().expect("sleep starts");
    for model in data_models() {
        let victim = victim.id();
        is_denied("#include <signal.h>", &format!("kill({victim}, SIGKILL) == -1"), &[model]);
        let trace = format!("syscall(SYS_ptrace, PTRACE_ATTACH, {victim}, NULL, NULL) == -1");
        let headers = "#define _GNU_SOURCE\n#include <sys/ptrace.h>\n#include <sys/syscall.h>\n#include <unistd.h>";
        is_denied(headers, &trace, &[model]);
        is_denied("#include <sys/resource.h>", &format!("setpriority(PRIO_PROCESS, {victim}, 19) == -1"), &[model]);
        is_denied("#include <stdlib.h>", "system(\"true\") != 0", &[model]);
    }
    let alive = victim.try_wait().expect("the process can be asked").is_none();
    let _ = victim.kill();
    let _ = victim.wait();
    assert!(alive, "the other process was ended");
}

#[test]
fn a_run_that_does_not_end_is_ended() {
    let text = "\
#include <unistd.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    if (__VERIFIER_nondet_int() != 3)
        return 0;
    sleep(3600);
    reach_error();
    return 0;
}
";
    let (_folder, output) = check(text, &[]);
    assert_eq!(output.code, UNSAFE, "{}{}", output.stdout, output.stderr);
    assert!(output.stdout.contains("the run takes too long"), "{}", output.stdout);
}
