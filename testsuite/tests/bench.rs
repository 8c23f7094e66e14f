//! `scripts/bench`, with verifiers that are shell scripts: right, wrong, hanging, crashing, and with children of their own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A folder with tasks and a verifier.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    /// The verifier is a script; `$1` is the task's file, whose text is its name.
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let verifier = folder.path().join("verifier");
        fs::write(&verifier, format!("#!/bin/bash\n{script}\n")).expect("the folder takes files");
        fs::set_permissions(&verifier, fs::Permissions::from_mode(0o755)).expect("permissions can be set");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A table of tasks `(id, expected)`, all in one group.
    fn tasks(self, tasks: &[(&str, &str)]) -> Self {
        let mut table = "id\tpath\tproperty\texpected\tcategory\tdata_model\n".to_owned();
        for (id, expected) in tasks {
            fs::write(self.path(id), id).expect("the folder takes files");
            table.push_str(&format!("{id}\t{id}\tunreach-call\t{expected}\tgroup\tILP32\n"));
        }
        fs::write(self.path("tasks.tsv"), table).expect("the folder takes files");
        self
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench"));
        command.arg(self.path("tasks.tsv")).arg("--out").arg(self.path("out"));
        command.arg("--command").arg(format!("fake={} {{file}} {{model}}", self.path("verifier").display()));
        command.args(arguments).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the bench starts")
    }

    /// The line of a task in the results, as columns.
    fn result(&self, id: &str) -> Vec<String> {
        let results = fs::read_to_string(self.path("out/results.tsv")).expect("there are results");
        let line = results.lines().find(|line| line.split('\t').nth(1) == Some(id));
        line.unwrap_or_else(|| panic!("no {id} in\n{results}")).split('\t').map(str::to_owned).collect()
    }
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Whether a process is still there that sleeps for so many seconds: each test has a number of its own.
fn sleeps(seconds: u32) -> bool {
    let wanted = format!("sleep\0{seconds}\0");
    fs::read_dir("/proc")
        .expect("there is /proc")
        .filter_map(Result::ok)
        .any(|entry| fs::read(entry.path().join("cmdline")).is_ok_and(|line| line == wanted.as_bytes()))
}

fn is_gone(seconds: u32) -> bool {
    let end = Instant::now() + Duration::from_secs(10);
    while sleeps(seconds) {
        if Instant::now() > end {
            return false;
        }
        thread::sleep(Duration::from_millis(20));
    }
    true
}

#[test]
fn verdicts_are_scored_by_group() {
    let bench = Bench::new("case $(cat $1) in safe) exit 0;; unsafe) exit 10;; *) echo gave up; exit 20;; esac");
    let bench = bench.tasks(&[("safe", "true"), ("unsafe", "false"), ("open", "true")]);
    let output = bench.run(&[]);
    assert!(output.status.success(), "{}", text(&output));
    let table = fs::read_to_string(bench.path("out/table.txt")).expect("there is a table");
    let sums: Vec<&str> =
        table.lines().find(|line| line.starts_with("ALL")).expect("sums").split_whitespace().collect();
    assert_eq!(sums[..8], ["ALL", "3", "1", "1", "0", "1", "3", "5"], "{table}");
    assert_eq!(bench.result("open")[4], "unknown");
    assert_eq!(bench.result("open")[9], "exit 20: gave up");
    let page = fs::read_to_string(bench.path("out/page.html")).expect("there is a page");
    assert!(page.contains("<svg") && page.contains("<polyline") && page.contains("group / safe"), "{page}");
    assert!(!page.contains("http://") && !page.contains("https://"), "the page needs the network");
}

#[test]
fn wrong_verdicts_cost_points_and_fail() {
    let bench = Bench::new("case $(cat $1) in missed) exit 0;; *) exit 10;; esac");
    let bench = bench.tasks(&[("missed", "false"), ("alarm", "true")]);
    let output = bench.run(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("WRONG missed (fake): expected false, got true"), "{}", text(&output));
    assert_eq!((bench.result("missed")[5].as_str(), bench.result("alarm")[5].as_str()), ("-32", "-16"));
}

#[test]
fn crashes_are_no_verdicts() {
    let bench = Bench::new("case $(cat $1) in segv) kill -SEGV $$;; *) exit 3;; esac")
        .tasks(&[("segv", "true"), ("code", "true")]);
    assert!(bench.run(&[]).status.success());
    assert_eq!((bench.result("segv")[4].as_str(), bench.result("segv")[9].as_str()), ("unknown", "signal 11: "));
    assert_eq!((bench.result("code")[4].as_str(), bench.result("code")[9].as_str()), ("unknown", "exit 3: "));
}

#[test]
fn a_hanging_verifier_ends_with_all_its_children() {
    a_hanging_verifier_ends_with_all_its_children_with(&[], 0);
}

#[test]
fn a_hanging_verifier_ends_with_all_its_children_without_groups() {
    a_hanging_verifier_ends_with_all_its_children_with(&["--no-cgroup"], 5);
}

fn a_hanging_verifier_ends_with_all_its_children_with(more: &[&str], offset: u32) {
    // One child leaves the session, one loses its parent, and one ignores signals.
    let [a, b, c, d] = [86011, 86012, 86013, 86014].map(|number| number + offset);
    let script = format!("setsid sleep {a} & (sleep {b} & ) ; (trap '' TERM HUP INT; sleep {c}) & sleep {d}");
    let bench = Bench::new(&script).tasks(&[("hang", "true")]);
    let output = bench.run(&[&["--wall-limit", "1"], more].concat());
    assert!(output.status.success(), "{}", text(&output));
    assert!(bench.result("hang")[9].starts_with("limit: wall"), "{:?}", bench.result("hang"));
    for seconds in [a, b, c, d] {
        assert!(is_gone(seconds), "sleep {seconds} outlives the bench");
    }
}

#[test]
fn children_that_outlive_the_verdict_are_ended_and_named() {
    children_that_outlive_the_verdict_are_ended_and_named_with(&[], 0);
}

#[test]
fn children_that_outlive_the_verdict_are_ended_and_named_without_groups() {
    children_that_outlive_the_verdict_are_ended_and_named_with(&["--no-cgroup"], 5);
}

fn children_that_outlive_the_verdict_are_ended_and_named_with(more: &[&str], offset: u32) {
    let number = 86021 + offset;
    let bench = Bench::new(&format!("(setsid sleep {number} &) ; exit 0")).tasks(&[("left", "true")]);
    assert!(bench.run(more).status.success());
    assert_eq!(bench.result("left")[4], "true");
    assert!(bench.result("left")[9].starts_with("1 processes left behind"), "{:?}", bench.result("left"));
    assert!(is_gone(number));
}

#[test]
fn cpu_time_counts_over_all_processes() {
    cpu_time_counts_over_all_processes_with(&[], 0);
}

#[test]
fn cpu_time_counts_over_all_processes_without_groups() {
    cpu_time_counts_over_all_processes_with(&["--no-cgroup"], 5);
}

fn cpu_time_counts_over_all_processes_with(more: &[&str], _: u32) {
    // Neither of the children reaches the limit alone, and the parent uses nothing.
    let spin = "(while :; do :; done) & (while :; do :; done) & (while :; do :; done) & wait";
    let bench = Bench::new(spin).tasks(&[("spin", "true")]);
    let start = Instant::now();
    assert!(bench.run(&[&["--cpu-limit", "1.5", "--wall-limit", "60"], more].concat()).status.success());
    assert!(bench.result("spin")[9].starts_with("limit: cpu"), "{:?}", bench.result("spin"));
    let cpu: f64 = bench.result("spin")[6].parse().expect("a number");
    assert!((1.5..4.0).contains(&cpu), "{cpu}");
    assert!(start.elapsed() < Duration::from_secs(50));
}

#[test]
fn a_verdict_beyond_the_cpu_limit_does_not_count() {
    // Children that end between two looks count as well.
    let script = "for i in 1 2; do bash -c 'ulimit -t 1; while :; do :; done'; done; exit 0";
    let bench = Bench::new(script).tasks(&[("late", "true")]);
    assert!(bench.run(&["--cpu-limit", "1.5", "--wall-limit", "100"]).status.success());
    assert_eq!(bench.result("late")[4], "unknown");
}

#[test]
fn memory_counts_over_all_processes() {
    memory_counts_over_all_processes_with(&[], 0);
}

#[test]
fn memory_counts_over_all_processes_without_groups() {
    memory_counts_over_all_processes_with(&["--no-cgroup"], 5);
}

fn memory_counts_over_all_processes_with(more: &[&str], offset: u32) {
    let number = 86031 + offset;
    let eat = format!("eat() {{ x=$(head -c 60000000 /dev/zero | tr '\\0' x); sleep {number}; }}; eat & eat & wait");
    let bench = Bench::new(&eat).tasks(&[("eat", "true")]);
    let output = bench.run(&[&["--memory-limit", "100", "--wall-limit", "60"], more].concat());
    assert!(output.status.success(), "{}", text(&output));
    assert!(bench.result("eat")[9].starts_with("limit: memory"), "{:?}", bench.result("eat"));
    assert!(is_gone(number));
}

#[test]
fn a_killed_bench_leaves_no_process_and_can_be_resumed() {
    let script = "case $(cat $1) in slow) [ -e $(dirname $1)/go ] || sleep 86041;; esac; echo $(cat $1) >> $(dirname $1)/log; exit 0";
    let bench = Bench::new(script).tasks(&[("one", "true"), ("slow", "true"), ("three", "true")]);
    let mut first =
        bench.command(&["--jobs", "1"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let end = Instant::now() + Duration::from_secs(30);
    while !sleeps(86041) {
        assert!(Instant::now() < end, "the second task does not start");
        thread::sleep(Duration::from_millis(20));
    }
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    assert!(is_gone(86041), "the verifier outlives the bench");
    // What a kill in the middle of a write leaves.
    let results = bench.path("out/results.tsv");
    let before = fs::read_to_string(&results).expect("there are results");
    fs::write(&results, format!("{before}fake\tslow\tgro")).expect("results can be written");

    assert_eq!(bench.run(&[]).status.code(), Some(2), "results are not overwritten");
    fs::write(bench.path("go"), "").expect("the folder takes files");
    let output = bench.run(&["--resume", "--jobs", "1"]);
    assert!(output.status.success(), "{}", text(&output));
    let log = fs::read_to_string(bench.path("log")).expect("there is a log");
    assert_eq!(log, "one\nslow\nthree\n", "each task ran once");
    assert_eq!(fs::read_to_string(&results).expect("results").lines().count(), 4);
}

fn old_results(bench: &Bench, lines: &str) -> String {
    let path = bench.path("old.tsv");
    let header = "id\tcategory\texpected\tgot\tscore\tcpu_s\twall_s\tmem_mb\tnote\n";
    fs::write(&path, format!("{header}{lines}")).expect("the folder takes files");
    path.to_string_lossy().into_owned()
}

#[test]
fn regressions_are_named() {
    let bench =
        Bench::new("case $(cat $1) in lost) exit 20;; slow) bash -c 'ulimit -t 2; while :; do :; done';; esac; exit 0");
    let bench = bench.tasks(&[("lost", "true"), ("gained", "true"), ("slow", "true"), ("same", "true")]);
    let old = "lost\tgroup\ttrue\ttrue\t2\t0.10\t0.1\t9\t\ngained\tgroup\ttrue\tunknown\t0\t15\t15\t9\ttimeout\n\
               slow\tgroup\ttrue\ttrue\t2\t0.30\t0.3\t9\t\nsame\tgroup\ttrue\ttrue\t2\t0.01\t0.1\t9\t\n";
    let output = bench.run(&["--regress", &old_results(&bench, old)]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("lost   lost (fake): was true in 0.1 s, exit 20"), "{text}");
    assert!(text.contains("gained gained (fake)") && text.contains("slower slow (fake)"), "{text}");
    assert!(text.contains("4 compared: 1 lost, 1 gained, 1 slower by 2 or more, 0 wrong"), "{text}");
}

#[test]
fn a_gain_is_no_regression() {
    let bench = Bench::new("exit 0").tasks(&[("gained", "true")]);
    let old = "gained\tgroup\ttrue\tunknown\t0\t15\t15\t9\ttimeout\n";
    let output = bench.run(&["--regress", &old_results(&bench, old)]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

/// A definition of SV-COMP with two properties, one of which has no verdict.
fn definition(folder: &Path, name: &str, expected: &str) {
    fs::create_dir_all(folder).expect("a folder");
    fs::write(folder.join(format!("{name}.c")), name).expect("the folder takes files");
    let text = format!(
        "format_version: '2.0'\ninput_files: '{name}.c'\nproperties:\n  - property_file: ../properties/coverage.prp\n  \
         - property_file: ../properties/unreach-call.prp\n    expected_verdict: {expected}\noptions:\n  language: C\n  \
         data_model: LP64\n"
    );
    fs::write(folder.join(format!("{name}.yml")), text).expect("the folder takes files");
}

#[test]
fn task_definitions_are_read_from_folders_and_sets() {
    let bench = Bench::new("echo $2; case $(cat $1) in a) exit 0;; *) exit 10;; esac");
    definition(&bench.path("c/loops"), "a", "true");
    definition(&bench.path("c/loops"), "b", "false");
    definition(&bench.path("c/heap"), "d", "false");
    fs::write(bench.path("c/Loops.set"), "# loops\nloops/*.yml\n").expect("the folder takes files");
    for (list, expected) in [("c", 3), ("c/Loops.set", 2), ("c/heap/d.yml", 1)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench"));
        command.arg(bench.path(list)).arg("--out").arg(bench.path(&format!("out-{expected}")));
        command.arg("--command").arg(format!("fake={} {{file}} {{property}}", bench.path("verifier").display()));
        let output = command.output().expect("the bench starts");
        assert!(output.status.success(), "{}", text(&output));
        let path = bench.path(&format!("out-{expected}/results.tsv"));
        let results = fs::read_to_string(path).expect("there are results");
        assert_eq!(results.lines().count(), expected + 1, "{results}");
        assert!(results.lines().skip(1).all(|line| line.contains(":unreach-call\t")), "{results}");
    }
    let results = fs::read_to_string(bench.path("out-3/results.tsv")).expect("there are results");
    assert!(results.contains("fake\tloops/a:unreach-call\tloops\ttrue\ttrue\t2"), "{results}");
}

#[test]
fn clew_is_run_with_its_configurations() {
    let bench = Bench::new("exit 20").tasks(&[]);
    let program = |claim: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
             int main(void) {{ int x = __VERIFIER_nondet_int(); if (x {claim}) reach_error(); return 0; }}\n"
        )
    };
    fs::write(bench.path("safe.c"), program("!= x")).expect("the folder takes files");
    fs::write(bench.path("unsafe.c"), program("== 41 + STEP")).expect("the folder takes files");
    let table = "id\tpath\tproperty\texpected\tcategory\tdata_model\tflags\n\
                 safe\tsafe.c\tunreach-call\ttrue\tgroup\tLP64\t\n\
                 unsafe\tunsafe.c\tunreach-call\tfalse\tgroup\tLP64\t-DSTEP=1\n";
    fs::write(bench.path("tasks.tsv"), table).expect("the folder takes files");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench"));
    command.arg(bench.path("tasks.tsv")).arg("--out").arg(bench.path("out")).arg("--clew").arg(clew_testsuite::clew());
    let output = command.args(["--config", "auto,bmc", "--cpu-limit", "60"]).output().expect("the bench starts");
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("auto alone 0, bmc alone 0, both 2: "), "{}", text(&output));
}
