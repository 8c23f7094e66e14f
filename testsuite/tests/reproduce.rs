//! `scripts/reproduce` on programs of this suite, with canned answers, and on invalid input.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clew_testsuite::{LimitedOutput, clew, run_for, testsuite};
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(600);
const TABLES: [&str; 3] = ["table-1.svg", "table-2.svg", "table-3.svg"];

/// A safe program, one with a bug, and one with another property, whose file is missing and which is skipped.
const TASKS: &str = "\
id\tpath\tproperty\texpected\tcategory\tdata_model\tlines_of_code
safe:unreach-call\tsafe.c\tunreach-call\ttrue\tloops\tILP32\t1
bug:unreach-call\tbug.c\tunreach-call\tfalse\tlocks\tLP64\t1
more:no-overflow\tmore.c\tno-overflow\ttrue\tloops\tILP32\t1
";

/// A stand-in for clew: correct answers, with a refinement for the safe program, but unknown with the values of all
/// variables.
const ANSWERS: &str = r#"#!/bin/sh
case "$*" in
    --version) echo clew 0.0.0 ;;
    "show configs --format json") echo '[{"name":"value-full","paper":"000, CPA-EXPL"},{"name":"value","paper":"000, CPA-EXPLitp"},{"name":"predicate","paper":"000, CPA-PRED"},{"name":"value-full+predicate","paper":"000, CPA-EXPL-PRED"},{"name":"value+predicate","paper":"000, CPA-EXPLitp-PRED"}]' ;;
    *"--config value-full"*) echo '{"verdict":"UNKNOWN","reason":{"kind":"time"},"statistics":{"refinements":0}}' ;;
    *--ilp32*) echo '{"verdict":"SAFE","reason":null,"statistics":{"refinements":1}}' ;;
    *) echo '{"verdict":"UNSAFE","reason":null,"statistics":{"refinements":0}}' ;;
esac
"#;

/// A stand-in that reports SAFE for any program.
const CALLS_ALL_SAFE: &str = r#"#!/bin/sh
case "$*" in
    --version) echo clew 0.0.0 ;;
    "show configs --format json") echo '[{"name":"value-full","paper":"000, CPA-EXPL"},{"name":"value","paper":"000, CPA-EXPLitp"},{"name":"predicate","paper":"000, CPA-PRED"},{"name":"value-full+predicate","paper":"000, CPA-EXPL-PRED"},{"name":"value+predicate","paper":"000, CPA-EXPLitp-PRED"}]' ;;
    *) echo '{"verdict":"SAFE","reason":null,"statistics":{"refinements":0}}' ;;
esac
"#;

/// A peer that is right about one program after 9 s and wrong about the other.
const PEER: &str = "\
id\tcategory\texpected\tgot\tscore\tcpu_s\twall_s\tmem_mb\tnote
safe:unreach-call\tloops\ttrue\ttrue\t2\t9.00\t9.00\t10\t
bug:unreach-call\tlocks\tfalse\ttrue\t-32\t0.10\t0.10\t10\t
";

fn reproduce(args: &[&str], clew: &Path, out: &Path) -> LimitedOutput {
    let script = testsuite().parent().expect("the package is in the repository").join("scripts/reproduce");
    let mut command = Command::new(script);
    command.args(args).arg("--clew").arg(clew).arg("--out").arg(out);
    let outcome = run_for(&mut command, LIMIT);
    assert!(!outcome.timed_out && !outcome.stderr.contains("Traceback"), "{outcome:?}");
    outcome
}

/// A directory with the tasks, their programs, and a stand-in for clew.
struct Folder(TempDir);

impl Folder {
    fn new(command: &str) -> Folder {
        let folder = Folder(TempDir::new().expect("a temporary folder"));
        for (name, contents) in [("tasks.tsv", TASKS), ("peer.tsv", PEER), ("safe.c", ""), ("bug.c", "")] {
            fs::write(folder.file(name), contents).expect("the folder takes files");
        }
        fs::write(folder.file("clew"), command).expect("the folder takes files");
        fs::set_permissions(folder.file("clew"), Permissions::from_mode(0o755)).expect("it is our file");
        folder
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn reproduce(&self, args: &[&str]) -> LimitedOutput {
        let tasks = self.file("tasks.tsv");
        let all: Vec<&str> = args.iter().copied().chain(["--tasks", tasks.to_str().expect("UTF-8")]).collect();
        reproduce(&all, &self.file("clew"), &self.file("out"))
    }
}

fn assert_says(outcome: &LimitedOutput, code: i32, lines: &[&str]) {
    assert_eq!(outcome.code, Some(code), "{outcome:?}");
    for line in lines {
        assert!(outcome.stdout.contains(line), "no {line:?} in: {}", outcome.stdout);
    }
}

#[test]
fn own_programs_and_what_is_done_already() {
    let out = TempDir::new().expect("a temporary folder");
    let run = || reproduce(&["000", "--sample", "6", "--limit", "5"], clew(), out.path());
    let first = run();
    assert_says(&first, 0, &["6 tasks, 5 s of CPU time each, clew "]);
    assert!(!first.stdout.contains("WRONG"), "{}", first.stdout);
    let overall = first.stdout.lines().filter(|line| line.starts_with("| Overall  ")).count();
    assert_eq!(overall, TABLES.len(), "{}", first.stdout);
    assert_eq!(first.stderr.matches(": 6 of 6 tasks run").count(), 5, "{}", first.stderr);
    for name in TABLES {
        let plot = fs::read_to_string(out.path().join(name)).expect("the plot is there");
        assert!(plot.starts_with("<svg") && plot.ends_with("</svg>\n"), "{name}: {plot}");
    }
    let second = run();
    assert_says(&second, 0, &[]);
    assert_eq!(second.stdout, first.stdout);
    assert_eq!(second.stderr.matches(": 0 of 6 tasks run").count(), 5, "{}", second.stderr);
}

#[test]
fn canned_answers_give_points_and_relations() {
    let folder = Folder::new(ANSWERS);
    let peer = format!("Peer={}", folder.file("peer.tsv").display());
    let outcome = folder.reproduce(&["000", "--limit", "60", "--peer", &peer]);
    assert_says(
        &outcome,
        0,
        &[
            "2 tasks, 60 s of CPU time each, clew 0.0.0.",
            "- solved: CPA-EXPL < CPA-EXPLitp: paper 152 < 164, here 0 < 2: holds\n",
            "- points: CPA-EXPL < CPA-EXPLitp: paper 217 < 244, here 0 < 3: holds\n",
            "- solved: CPA-PRED < CPA-EXPLitp-PRED: paper 163 < 211, here 2 = 2: equal\n",
            "- solved: CPA-PRED < CPA-EXPL-PRED: paper 163 < 192, here 2 > 0: does not hold\n",
            "all tools were given: 2 of 2.",
            "- solved: Peer < CPA-EXPLitp-PRED: paper 158 (BLAST), 147 (SATABS), 209 (CPA-MEMO) < 211, here 1 < 2: holds\n",
        ],
    );
    let families = ["| ControlFlowInteger ", "| Loops ", "| Overall  "];
    assert!(families.iter().all(|family| outcome.stdout.matches(family).count() == 3), "{}", outcome.stdout);

    // A peer that exceeds the limit has not solved the task; earlier results belong to another limit.
    let outcome = folder.reproduce(&["000", "--limit", "5", "--table", "3", "--peer", &peer]);
    assert_says(&outcome, 0, &["here 0 < 2: holds\n"]);
    assert!(outcome.stderr.contains("another limit; starting anew"), "{}", outcome.stderr);
}

#[test]
fn only_tasks_with_refinements_count() {
    let outcome = Folder::new(ANSWERS).reproduce(&["003", "--limit", "5"]);
    assert_says(
        &outcome,
        0,
        &[
            "Only those count on which any of the configurations did a refinement: 1 of 2.",
            "- solved: all others < Combination (good, narrow): paper 1339 < 1363, here 1 = 1: equal\n",
            "- solved: Domain-type score (bad) <= No refinement selection: paper 1134 < 1139, here 1 = 1: holds\n",
            "- solved on Loops: VA + PA < (VA_RefSel + PA_RefSel)_RefSel: paper 69 < 79, here 1 = 1: equal\n",
        ],
    );
    // Tables 1 and 3 share a configuration, which runs only once.
    assert_eq!(outcome.stderr.matches("reproduce: predicate: 2 of 2 tasks run").count(), 1, "{}", outcome.stderr);
}

#[test]
fn wrong_verdicts_stand_out() {
    let outcome = Folder::new(CALLS_ALL_SAFE).reproduce(&["000", "--limit", "5", "--table", "1"]);
    assert_says(
        &outcome,
        1,
        &["- WRONG: value on bug:unreach-call: expected false, got true\n", "here -2 = -2: equal\n"],
    );
}

#[test]
fn bad_input_is_named() {
    let folder = Folder::new(ANSWERS);
    let rejected = |args: &[&str], words: &[&str]| {
        let outcome = reproduce(args, &folder.file("clew"), &folder.file("out"));
        assert_eq!(outcome.code, Some(2), "{args:?}: {outcome:?}");
        assert_eq!(outcome.stdout, "", "{args:?}");
        for word in words {
            assert!(outcome.stderr.contains(word), "{args:?}: no {word:?} in: {}", outcome.stderr);
        }
    };
    let write = |name: &str, contents: &str| {
        fs::write(folder.file(name), contents).expect("the folder takes files");
        folder.file(name).to_str().expect("UTF-8").to_string()
    };
    rejected(&["999"], &["'999'", "'000'", "'003'"]);
    rejected(&["000", "--limit", "0"], &["--limit", "0 is not a positive whole number"]);
    rejected(&["000", "--tasks", "/no/list.tsv"], &["/no/list.tsv: no such file"]);
    rejected(&["003", "--peer", "A=a.tsv"], &["--peer is for Table 3 of 000 only"]);
    rejected(&["000", "--peer", "A=/no/peer.tsv"], &["/no/peer.tsv: no such file"]);
    let missing = write("missing.tsv", &TASKS.replace("bug.c", "gone.c"));
    rejected(&["000", "--tasks", &missing], &["gone.c: no such program", "1 of 2", "--root"]);
    let column = write("column.tsv", &TASKS.replace("data_model", "model"));
    rejected(&["000", "--tasks", &column], &["column.tsv: no column data_model"]);
    let expected = write("expected.tsv", &TASKS.replace("\tfalse\t", "\tmaybe\t"));
    rejected(&["000", "--tasks", &expected], &["bug:unreach-call: expected is 'maybe'"]);
    let none = reproduce(&["000"], Path::new("/no/clew"), &folder.file("out"));
    assert_eq!(none.code, Some(2), "{none:?}");
    assert!(none.stderr.contains("/no/clew: does not start"), "{none:?}");
}
