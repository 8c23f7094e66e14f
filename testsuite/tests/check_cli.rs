//! End-to-end tests of `clew check`: options, exit codes, the last line, JSON, limits and signals.

mod common;

use std::fs::{self, File};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::{CommandOutput, Folder};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

const SAFE: i32 = 0;
const UNKNOWN: i32 = 20;
const USAGE: i32 = 2;
const INPUT: i32 = 3;

const PROGRAM: &str = "int main(void) { return 0; }";

/// A program that takes clang minutes to compile.
const SLOW_TO_COMPILE: &str = "\
constexpr long count(long n) { long sum = 0; for (long i = 0; i < n; i++) sum += i % 7; return sum; }
static_assert(count(4000000000L) != 1);
int main() { return 0; }
";
const SLOW_FLAGS: [&str; 3] = ["--", "-std=c++17", "-fconstexpr-steps=2147483647"];

/// Upper bound on waiting in tests, long enough for a busy machine.
const SLACK: Duration = Duration::from_secs(60);

/// A directory with test programs.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.c", PROGRAM);
    folder.write("slow.cpp", SLOW_TO_COMPILE);
    folder.write(
        "endless.c",
        "#include <clew.h>\nint main(void) {\n  unsigned long long i = 0;\n  while (1) clew_assert(++i);\n}\n",
    );
    fs::create_dir(folder.path().join("tmp")).unwrap();
    folder
}

/// The command on a file, with its own directory for temporary files.
fn clew(folder: &Folder, args: &[&str]) -> Command {
    let mut command = Command::new(clew_testsuite::clew());
    command.arg("check").args(args).current_dir(folder.path()).env("TMPDIR", folder.path().join("tmp"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn outcome(child: Child) -> CommandOutput {
    let output = child.wait_with_output().expect("the command ends");
    CommandOutput {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Asserts that the last line is a complete UNKNOWN that starts with `starts`, and that no temporary files are left.
fn assert_unknown(folder: &Folder, outcome: &CommandOutput, starts: &str) {
    assert_eq!(outcome.code, Some(UNKNOWN), "{outcome:?}");
    let last = outcome.stdout.lines().last().unwrap_or("");
    assert!(last.starts_with(&format!("UNKNOWN: {starts}")) && outcome.stdout.ends_with('\n'), "{outcome:?}");
    assert_eq!(outcome.stdout.matches("UNKNOWN").count(), 1, "{outcome:?}");
    assert!(outcome.stdout.contains("done: ") && outcome.stdout.contains("try: "), "{outcome:?}");
    assert_eq!(outcome.stderr, "");
    assert_eq!(fs::read_dir(folder.path().join("tmp")).unwrap().count(), 0);
}

/// Starts a run on the file that takes clang minutes.
fn spawn_slow(folder: &Folder, args: &[&str]) -> Child {
    let args: Vec<&str> = ["slow.cpp"].iter().chain(args).chain(&SLOW_FLAGS).copied().collect();
    clew(folder, &args).spawn().expect("clew starts")
}

/// Starts such a run, and waits until clang runs.
fn start_slow(folder: &Folder, args: &[&str]) -> Child {
    let child = spawn_slow(folder, args);
    let start = Instant::now();
    while compilers_of(child.id()).is_empty() {
        assert!(start.elapsed() < SLACK, "no clang appears");
        thread::sleep(Duration::from_millis(10));
    }
    child
}

/// The processes that compile `slow.cpp` for `parent`.
fn compilers_of(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").expect("/proc is there").flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_compiler = |id: &u32| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let command = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        let parent_of = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        parent_of == Some(parent) && String::from_utf8_lossy(&command).contains("slow.cpp")
    };
    ids.filter(is_compiler).collect()
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("the process is there");
}

#[test]
fn bad_values_of_options() {
    let folder = folder();
    for (args, words) in [
        (&["--config", "magic"][..], "value, value-full"),
        (&["--property", "nonsense"], "unreach-call, assert"),
        (&["--property", "unreach-call,nonsense"], "nonsense"),
        (&["--property", ""], "no such kind"),
        (&["--time-limit", "soon"], "60s, 5min or none"),
        (&["--time-limit", "0s"], "no time at all"),
        (&["--time-limit", "-1s"], "--time-limit"),
        (&["--memory-limit", "much"], "500MB, 4GB"),
        (&["--memory-limit", "4"], "below"),
        (&["--order", "sideways"], "random:SEED"),
        (&["--order", "random:x"], "`x` is not a number"),
        (&["--precision", "high"], "location, function, global"),
        (&["--refinement", "none"], "lazy, restart"),
        (&["--max-recursion", "0"], "max-recursion"),
        (&["--max-recursion", "99999999999"], "max-recursion"),
        (&["--json=yes"], "--json"),
        (&["--no-such-flag"], "--no-such-flag"),
    ] {
        let args: Vec<&str> = ["check", "a.c"].iter().chain(args).copied().collect();
        let outcome = folder.clew(&args);
        assert_eq!(outcome.code, Some(USAGE), "{args:?}: {outcome:?}");
        assert_eq!(outcome.stdout, "", "{args:?}");
        assert!(outcome.stderr.contains(words), "{args:?}: {}", outcome.stderr);
    }
    assert_eq!(folder.clew(&["check"]).code, Some(USAGE));
    assert_eq!(folder.clew(&["check", "none.c"]).code, Some(USAGE));
}

#[test]
fn bad_input_is_no_verdict() {
    let folder = folder();
    folder.write("bad.c", "int main(void) {");
    for args in [&["check", "bad.c"][..], &["check", "bad.c", "--json", "--stats"]] {
        let outcome = folder.clew(args);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(INPUT), ""), "{outcome:?}");
        assert!(outcome.stderr.starts_with("clew: error: bad.c: does not compile"), "{outcome:?}");
    }
}

#[test]
fn kinds_that_are_not_checked_yet_are_unknown() {
    let folder = folder();
    for kind in ["valid-memsafety", "termination", "def-behavior", "assert,valid-deref"] {
        let outcome = outcome(clew(&folder, &["a.c", "--property", kind]).spawn().unwrap());
        let missing = kind.split(',').next_back().unwrap();
        assert_eq!(outcome.code, Some(UNKNOWN), "{outcome:?}");
        let last = format!("UNKNOWN: the property {missing} cannot be checked yet\n");
        assert!(outcome.stdout.ends_with(&last), "{outcome:?}");
    }
}

#[test]
fn json_says_it_all() {
    let folder = folder();
    let args = ["check", "a.c", "--json", "--property", "termination", "--order", "random:7", "--time-limit", "5min"];
    let outcome = folder.clew(&args);
    assert_eq!(outcome.code, Some(UNKNOWN), "{outcome:?}");
    let json: Value = serde_json::from_str(&outcome.stdout).expect("one document");
    let place = |key: &str| outcome.stdout.find(&format!("\"{key}\":")).unwrap_or_else(|| panic!("no {key}"));
    let keys = [
        "verdict",
        "reason",
        "place",
        "property",
        "counterexample",
        "inputs",
        "assumptions",
        "statistics",
        "options",
        "version",
    ];
    assert!(keys.windows(2).all(|pair| place(pair[0]) < place(pair[1])), "{}", outcome.stdout);
    assert_eq!(json.as_object().unwrap().len(), keys.len());
    assert_eq!(json["verdict"], "UNKNOWN");
    assert_eq!(json["reason"]["kind"], "property");
    assert_eq!(json["options"]["order"], "random:7");
    assert_eq!(json["options"]["time_limit_seconds"], 300.0);
    assert_eq!(json["options"]["properties"][0], "termination");
    assert!(json["statistics"]["peak_memory_bytes"].as_u64().unwrap() > 1_000_000);
    assert!(json["statistics"]["seconds_by_phase"]["loading"].as_f64().unwrap() > 0.0);
}

#[test]
fn assumptions_are_listed_and_strictly_none_are_allowed() {
    let folder = folder();
    let unknown = "#include <clew.h>\nint sensor(void);\nint main(void) { int x = sensor(); clew_assert(x == x); }\n";
    folder.write("unknown.c", unknown);
    folder.write(
        "closed.c",
        "#include <clew.h>\nint sensor(void) { return 1; }\nint main(void) { clew_assert(sensor()); }\n",
    );
    let assumed = "sensor: unknown; returns any value, writes only what the call gives it, throws nothing";
    let relaxed = folder.clew(&["check", "unknown.c"]);
    assert_eq!((relaxed.code, relaxed.stdout), (Some(SAFE), format!("assumes: {assumed}\nSAFE\n")));
    let strict = folder.clew(&["check", "unknown.c", "--strict"]);
    assert_eq!(strict.code, Some(UNKNOWN), "{strict:?}");
    assert!(strict.stdout.ends_with(&format!("rests on assumptions: {assumed}\n")), "{strict:?}");
    let json = folder.clew(&["check", "unknown.c", "--strict", "--json"]);
    let json: Value = serde_json::from_str(&json.stdout).expect("one document");
    assert_eq!(json["reason"]["kind"], "assumptions");
    assert_eq!(json["assumptions"][0]["kind"], "unknown-function");
    assert_eq!(json["assumptions"][0]["function"], "sensor");
    let closed = folder.clew(&["check", "closed.c", "--strict"]);
    assert_eq!((closed.code, closed.stdout.as_str()), (Some(SAFE), "SAFE\n"));
}

#[test]
fn statistics_come_before_the_verdict() {
    let folder = folder();
    let outcome = outcome(clew(&folder, &["a.c", "--property", "termination", "--stats"]).spawn().unwrap());
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    for name in ["states", "transfers", "covered", "refinements", "precision", "solver calls", "time", "peak memory"] {
        let count = lines[..lines.len() - 1].iter().filter(|line| line.starts_with(name)).count();
        assert_eq!(count, 1, "{name}: {outcome:?}");
    }
    assert!(lines.last().unwrap().starts_with("UNKNOWN: "), "{outcome:?}");
}

#[test]
fn the_time_limit_holds_while_clang_runs() {
    let folder = folder();
    let start = Instant::now();
    // Clang must have started before the time is up, even on a busy machine.
    let child = start_slow(&folder, &["--time-limit", "5s"]);
    let compilers = compilers_of(child.id());
    let outcome = outcome(child);
    assert!(start.elapsed() < SLACK);
    assert_unknown(&folder, &outcome, "out of time (limit 5s), while loading");
    assert!(all_end(&compilers), "clang outlives clew");
}

#[test]
fn the_time_limit_in_json() {
    let folder = folder();
    let outcome = outcome(spawn_slow(&folder, &["--time-limit", "1s", "--json"]));
    assert_eq!(outcome.code, Some(UNKNOWN), "{outcome:?}");
    let json: Value = serde_json::from_str(&outcome.stdout).expect("one document");
    assert_eq!((&json["verdict"], &json["reason"]["kind"]), (&"UNKNOWN".into(), &"time".into()));
    assert_eq!(json["statistics"]["phase"], "loading");
}

/// A format that allocates is rendered before a signal handler needs it.
#[test]
fn a_run_that_is_stopped_in_sarif() {
    let folder = folder();
    for (args, reason, words) in [
        (&["--time-limit", "1s"][..], "time", "UNKNOWN: out of time (limit 1s). Try: "),
        (&[], "interrupted", "UNKNOWN: interrupted. Try: "),
    ] {
        let child = start_slow(&folder, &[args, &["--format", "sarif"]].concat());
        if args.is_empty() {
            send(&child, Signal::INT);
        }
        let outcome = outcome(child);
        assert_eq!(outcome.code, Some(UNKNOWN), "{outcome:?}");
        let json: Value = serde_json::from_str(&outcome.stdout).expect("one document");
        let invocation = &json["runs"][0]["invocations"][0];
        assert_eq!((&invocation["executionSuccessful"], &invocation["exitCode"]), (&false.into(), &UNKNOWN.into()));
        let notification = &invocation["toolExecutionNotifications"][0];
        assert_eq!(notification["descriptor"]["id"], reason, "{notification}");
        assert!(notification["message"]["text"].as_str().expect("text").starts_with(words), "{notification}");
    }
}

/// Whether all of these processes end soon.
fn all_end(processes: &[u32]) -> bool {
    let start = Instant::now();
    let runs = |id: &u32| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
    };
    while processes.iter().any(runs) {
        if start.elapsed() > SLACK {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
    true
}

#[test]
fn signals_end_a_run_in_order() {
    let folder = folder();
    for (signal, words) in [
        (Signal::INT, "interrupted, while loading"),
        (Signal::TERM, "interrupted, while loading"),
        (Signal::HUP, "interrupted, while loading"),
        (Signal::XCPU, "out of time, while loading"),
    ] {
        let child = start_slow(&folder, &[]);
        let compilers = compilers_of(child.id());
        send(&child, signal);
        assert_unknown(&folder, &outcome(child), words);
        assert!(all_end(&compilers), "clang outlives clew");
    }
}

#[test]
fn a_killed_run_takes_clang_along() {
    let folder = folder();
    let mut child = start_slow(&folder, &[]);
    let compilers = compilers_of(child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(all_end(&compilers), "clang outlives clew");
}

/// Runs the command under system limits set by a shell.
fn clew_within(folder: &Folder, ulimit: &str, args: &[&str]) -> CommandOutput {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {ulimit}; exec \"$0\" check \"$@\"")]).arg(clew_testsuite::clew()).args(args);
    command.current_dir(folder.path()).env("TMPDIR", folder.path().join("tmp"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    outcome(command.spawn().expect("sh starts"))
}

#[test]
fn the_limit_of_cpu_time_holds_while_clang_runs() {
    let folder = folder();
    // Soft and hard limit: otherwise the system kills the process without a message.
    let args: Vec<&str> = ["slow.cpp"].iter().chain(&SLOW_FLAGS).copied().collect();
    let outcome = clew_within(&folder, "-t 2", &args);
    assert_unknown(&folder, &outcome, "out of time (limit 2s of CPU time), while loading");
}

#[test]
fn the_memory_limit_holds() {
    let folder = folder();
    let outcome = outcome(clew(&folder, &["a.c", "--memory-limit", "20MB"]).spawn().unwrap());
    assert_unknown(&folder, &outcome, "out of memory (limit 20.0 MB), while loading");
}

/// A program that takes hundreds of megabytes to compile and lift.
fn large_program() -> String {
    let mut text = String::from("int a[100];\n");
    for function in 0..400 {
        text += &format!("int f{function}(int x) {{ int y = x;\n");
        for i in 0..100 {
            text += &format!("  if (x > {i}) y = y * {} + a[{i}]; else a[{i}] = y - {i};\n", i + 3);
        }
        text += "  return y; }\n";
    }
    let calls: Vec<String> = (0..400).map(|f| format!("f{f}({f})")).collect();
    text + &format!("int main(void) {{ return {}; }}\n", calls.join(" + "))
}

#[test]
fn a_small_address_space_is_no_crash() {
    let folder = folder();
    folder.write("large.c", large_program());
    // Smaller limits do not even fit the libraries.
    for megabytes in [320, 400, 480, 560, 640] {
        let outcome = clew_within(&folder, &format!("-v {}", megabytes * 1024), &["large.c", "--property", "assert"]);
        assert!(matches!(outcome.code, Some(0 | UNKNOWN)), "{megabytes} MB: {outcome:?}");
        let last = outcome.stdout.lines().last().unwrap_or("");
        assert!(last == "SAFE" || last.starts_with("UNKNOWN: "), "{megabytes} MB: {outcome:?}");
        if megabytes == 320 {
            assert!(last.starts_with("UNKNOWN: out of memory (limit 335.5 MB of address space)"), "{outcome:?}");
        }
    }
}

#[test]
fn a_violation_is_shown_and_replays() {
    let folder = folder();
    folder
        .write("bug.c", "#include <clew.h>\nint main(void) {\n  int x = clew_any_int();\n  clew_assert(x != N);\n}\n");
    let outcome = folder.clew(&["check", "bug.c", "--", "-DN=-7"]);
    assert_eq!(outcome.code, Some(10), "{outcome:?}");
    assert!(outcome.stdout.starts_with("violated assert: "), "{outcome:?}");
    assert!(outcome.stdout.ends_with("\nUNSAFE: assert: assertion fails: x != N, at bug.c:4:3\n"), "{outcome:?}");
    assert!(outcome.stdout.contains("  clew_assert(x != N);\n"), "{outcome:?}");
    let command = outcome.stdout.lines().find_map(|line| line.strip_prefix("replay: clew ")).expect("how to replay");
    assert_eq!(command, "run bug.c --inputs=-7 -- -DN=-7");
    assert_eq!(folder.clew(&command.split(' ').collect::<Vec<_>>()).code, Some(10));

    let outcome = folder.clew(&["check", "bug.c", "--json", "--", "-DN=-7"]);
    assert_eq!(outcome.code, Some(10), "{outcome:?}");
    let json: Value = serde_json::from_str(&outcome.stdout).expect("one document");
    assert_eq!((&json["verdict"], &json["inputs"][0]), (&"UNSAFE".into(), &"-7".into()));
    assert_eq!((&json["place"]["line"], &json["property"]["kind"]), (&4.into(), &"assert".into()));
    assert_eq!(json["counterexample"]["violation"]["kind"], "assert");
}

#[test]
fn only_selected_kinds_count() {
    let folder = folder();
    folder.write("bug.c", "#include <clew.h>\nint main(void) { clew_assert(clew_any_int()); return 0; }\n");
    assert_eq!(folder.clew(&["check", "bug.c"]).code, Some(10));
    assert_eq!(folder.clew(&["check", "bug.c", "--property", "assert,unreach-call"]).code, Some(10));
    let other = folder.clew(&["check", "bug.c", "--property", "unreach-call"]);
    assert_eq!((other.code, other.stdout.as_str()), (Some(0), "SAFE\n"), "{other:?}");
    assert!(other.stderr.contains("nothing to violate"), "{other:?}");
}

#[test]
fn a_path_that_values_cannot_exclude() {
    let folder = folder();
    folder.write(
        "larger.c",
        "#include <clew.h>\nint main(void) {\n  int x = clew_any_int();\n  if (x > 2)\n  clew_assert(x > 1);\n}\n",
    );
    assert_eq!(folder.clew(&["check", "larger.c"]).code, Some(0));
    let outcome = folder.clew(&["check", "larger.c", "--config", "value"]);
    assert_eq!(outcome.code, Some(UNKNOWN), "{outcome:?}");
    assert!(outcome.stdout.contains("larger.c:3  int x = clew_any_int();\n"), "{outcome:?}");
    assert!(outcome.stdout.contains("try: "), "{outcome:?}");
    let last = outcome.stdout.lines().last().unwrap();
    assert!(last.starts_with("UNKNOWN: needs predicates") && last.ends_with(", at larger.c:5:3"), "{outcome:?}");
}

/// Starts the command and waits until the analysis is running.
fn start_endless(folder: &Folder, args: &[&str]) -> Child {
    // Simplification would remove the loop.
    let tuning = "simplify.slice=0,simplify.constants=0";
    let args: Vec<&str> =
        ["endless.c", "--config", "value-full", "--tune", tuning].iter().chain(args).copied().collect();
    let child = clew(folder, &args).spawn().expect("clew starts");
    // Loading takes about 70 MB; more means that the analysis has started.
    let start = Instant::now();
    while resident_megabytes(child.id()) < 90 {
        assert!(start.elapsed() < SLACK, "no analysis starts");
        thread::sleep(Duration::from_millis(10));
    }
    child
}

fn resident_megabytes(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let kilobytes =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok());
    kilobytes.unwrap_or(0u64) / 1024
}

#[test]
fn limits_hold_while_the_analysis_runs() {
    let folder = folder();
    let start = Instant::now();
    // The analysis must have started before the time is up, even on a busy machine.
    let child = start_endless(&folder, &["--time-limit", "10s", "--stats"]);
    let timed = outcome(child);
    assert!(start.elapsed() < SLACK);
    assert_unknown(&folder, &timed, "out of time (limit 10s), while exploring");

    let outcome = outcome(start_endless(&folder, &["--memory-limit", "200MB"]));
    assert_unknown(&folder, &outcome, "out of memory (limit 200.0 MB), while exploring");
    let outcome = clew_within(&folder, "-t 3", &["endless.c", "--config", "value-full"]);
    assert_unknown(&folder, &outcome, "out of time (limit 3s of CPU time), while exploring");
    let outcome = clew_within(&folder, "-v 700000", &["endless.c", "--config", "value-full"]);
    assert_unknown(&folder, &outcome, "out of memory (limit 716.8 MB of address space), while exploring");
}

#[test]
fn signals_reach_a_run_that_waits_for_the_solver() {
    let folder = folder();
    folder.write(
        "hard.c",
        "#include <clew.h>\n\
         int main(void) {\n\
           unsigned a = clew_any_uint(), b = clew_any_uint();\n\
           clew_assume(a > 1 && a <= b && b < 4194304);\n\
           clew_assert((unsigned long long)a * b != 0xb574aad53ULL);\n\
         }\n",
    );
    let child = clew(&folder, &["hard.c", "--dump-smt", "queries"]).spawn().expect("clew starts");
    let start = Instant::now();
    while fs::read_dir(folder.path().join("queries")).map_or(0, Iterator::count) == 0 {
        assert!(start.elapsed() < SLACK, "the solver is not asked");
        thread::sleep(Duration::from_millis(10));
    }
    send(&child, Signal::INT);
    assert_unknown(&folder, &outcome(child), "interrupted, while ");
}

#[test]
fn signals_end_an_analysis_in_order() {
    let folder = folder();
    for (signal, words) in [
        (Signal::INT, "interrupted, while exploring"),
        (Signal::TERM, "interrupted, while exploring"),
        (Signal::HUP, "interrupted, while exploring"),
        (Signal::XCPU, "out of time, while exploring"),
    ] {
        let child = start_endless(&folder, &[]);
        send(&child, signal);
        assert_unknown(&folder, &outcome(child), words);
    }
}

/// Violations found before the run was stopped are reported, even by a signal handler.
#[test]
fn signals_keep_violations() {
    let folder = folder();
    folder.write(
        "endless.c",
        "#include <clew.h>\nint main(void) {\n  unsigned long long i = 0;\n  clew_assert(clew_any_int() != 3);\n  \
         while (1) clew_assert(++i);\n}\n",
    );
    for signals in 1..=2 {
        let child = start_endless(&folder, &["--all"]);
        // Confirming the violation takes less memory; the states of the loop after it grow without bound.
        while resident_megabytes(child.id()) < 150 {
            thread::sleep(Duration::from_millis(10));
        }
        (0..signals).for_each(|_| send(&child, Signal::INT));
        let outcome = outcome(child);
        assert_eq!(outcome.code, Some(10), "{outcome:?}");
        assert!(outcome.stdout.starts_with("violation 1 of 1:\nviolated assert: "), "{outcome:?}");
        assert!(outcome.stdout.contains("\nrest: not decided: interrupted"), "{outcome:?}");
        assert!(outcome.stdout.ends_with("\nUNSAFE: 1 violation (1 assert)\n"), "{outcome:?}");
    }
}

#[test]
fn an_output_that_takes_nothing() {
    let folder = folder();
    let args = ["a.c", "--property", "termination"];
    let full = File::options().write(true).open("/dev/full").expect("Linux has /dev/full");
    let outcome = outcome(clew(&folder, &args).stdout(full).spawn().unwrap());
    assert_eq!(outcome.code, Some(4), "{outcome:?}");
    assert!(outcome.stderr.contains("cannot write the output"), "{outcome:?}");

    let mut child = clew(&folder, &args).spawn().unwrap();
    drop(child.stdout.take());
    let outcome = self::outcome(child);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(141), ""));
}
