//! `clew test` and `clew init`: harnesses, snapshots, manifests, formats, and precisions that are used again.

mod common;

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use common::{CommandOutput, Folder};
use serde_json::Value;

const SAFE: &str = "// clew:\n#include <clew.h>\nint main(void) {\n  clew_assert(1 + 1 == 2);\n}\n";
const BUG: &str = "// clew: --property assert\n#include <clew.h>\nint main(void) {\n  int x = clew_any_int();\n  \
                   clew_assert(x != 7);\n}\n";

/// Two harnesses and a file that is none.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("proofs")).expect("a folder");
    folder.write("proofs/safe.c", SAFE);
    folder.write("proofs/bug.c", BUG);
    folder.write("proofs/helper.c", "int helper(void) { return 1; }\n");
    folder
}

fn test(folder: &Folder, args: &[&str]) -> CommandOutput {
    let all: Vec<&str> = ["test", "--cache-dir=cache"].iter().chain(args).copied().collect();
    folder.clew(&all)
}

fn read(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn exists(folder: &Folder, name: &str) -> bool {
    folder.path().join(name).exists()
}

#[test]
fn new_verdicts_are_pending_until_they_are_accepted() {
    let folder = folder();
    let first = test(&folder, &["proofs"]);
    insta::assert_snapshot!(first.stdout, @r"
         new  proofs/bug.c: UNSAFE assert at bug.c:5
              + UNSAFE
              + assert at bug.c:5
              (assertion fails: x != 7 with x = 7)
         new  proofs/safe.c: SAFE
              + SAFE

    2 harnesses: 2 new
    pending: proofs/snapshots/bug.c.snap.new and 1 more; accept with --review or --accept
    ");
    assert_eq!((first.code, first.stderr.as_str()), (Some(1), ""));
    assert!(exists(&folder, "proofs/snapshots/safe.c.snap.new") && !exists(&folder, "proofs/snapshots/safe.c.snap"));

    let accepted = test(&folder, &["proofs", "--accept"]);
    insta::assert_snapshot!(accepted.stdout, @r"
    accepted  proofs/bug.c: UNSAFE assert at bug.c:5
    accepted  proofs/safe.c: SAFE

    2 harnesses: 2 accepted, 2 of them cached
    ");
    assert_eq!(accepted.code, Some(0));
    assert_eq!(read(&folder, "proofs/snapshots/bug.c.snap"), "# verdict of bug.c\nUNSAFE\nassert at bug.c:5\n");
    assert!(!exists(&folder, "proofs/snapshots/bug.c.snap.new"));

    let again = test(&folder, &["proofs/bug.c", "proofs"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.stdout.contains("2 harnesses: 2 as expected, 2 of them cached"), "{again:?}");
}

#[test]
fn changed_verdicts_are_differences() {
    let folder = folder();
    test(&folder, &["proofs", "--accept"]);
    folder.write("proofs/bug.c", BUG.replace("!= 7", "== x"));
    folder.write("proofs/safe.c", SAFE.replace("== 2", "== 3").replace("  clew", "\n  clew"));
    let changed = test(&folder, &["proofs"]);
    insta::assert_snapshot!(changed.stdout, @r"
     differs  proofs/bug.c: SAFE
              - UNSAFE
              - assert at bug.c:5
              + SAFE
     differs  proofs/safe.c: UNSAFE assert at safe.c:5
              - SAFE
              + UNSAFE
              + assert at safe.c:5
              (assertion fails: 1 + 1 == 3)

    2 harnesses: 2 different
    pending: proofs/snapshots/bug.c.snap.new and 1 more; accept with --review or --accept
    ");
    assert_eq!(changed.code, Some(1));
    let colored = test(&folder, &["proofs", "--color", "always"]);
    assert!(colored.stdout.contains("\x1b[31m- UNSAFE\x1b[0m") && colored.stdout.contains("\x1b[32m+ SAFE\x1b[0m"));
    // What is pending goes when the old verdict is back.
    folder.write("proofs/bug.c", BUG);
    folder.write("proofs/safe.c", SAFE);
    assert_eq!(test(&folder, &["proofs"]).code, Some(0));
    assert!(!exists(&folder, "proofs/snapshots/bug.c.snap.new"));
}

#[test]
fn a_verdict_that_becomes_unknown_is_a_difference() {
    let folder = folder();
    test(&folder, &["proofs", "--accept"]);
    // No compiler is that fast.
    folder.write("proofs/safe.c", SAFE.replace("// clew:", "// clew: --time-limit 1ms --property assert"));
    let late = test(&folder, &["proofs/safe.c"]);
    assert_eq!(late.code, Some(1), "{late:?}");
    assert!(late.stdout.contains(" differs  proofs/safe.c: UNKNOWN time\n"), "{late:?}");
    assert!(late.stdout.contains("out of time"), "{late:?}");
    // The same once more: a limit is no verdict to remember.
    let again = test(&folder, &["proofs/safe.c", "--format", "json"]);
    let report: Value = serde_json::from_str(&again.stdout).expect("one document");
    assert_eq!(
        (&report["harnesses"][0]["cached"], &report["harnesses"][0]["verdict"]),
        (&false.into(), &"UNKNOWN".into())
    );
}

/// Runs a review with these answers.
fn review(folder: &Folder, answers: &str) -> CommandOutput {
    let mut command = Command::new(clew_testsuite::clew());
    command.args(["test", "--cache-dir=cache", "proofs", "--review"]).current_dir(folder.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("clew starts");
    child.stdin.take().expect("a pipe").write_all(answers.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    CommandOutput {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn reviews_accept_reject_and_skip() {
    let folder = folder();
    let first = review(&folder, "what?\ns\nr\n");
    assert_eq!(first.code, Some(1), "{first:?}");
    assert!(first.stdout.contains("1/2  proofs/bug.c\n") && first.stdout.contains("2/2  proofs/safe.c\n"), "{first:?}");
    assert!(exists(&folder, "proofs/snapshots/bug.c.snap.new"), "skipped: it is still pending");
    assert!(!exists(&folder, "proofs/snapshots/safe.c.snap.new"), "rejected");
    let second = review(&folder, "a\n");
    assert_eq!(second.code, Some(1), "the end of the input skips the rest: {second:?}");
    assert!(exists(&folder, "proofs/snapshots/bug.c.snap") && !exists(&folder, "proofs/snapshots/safe.c.snap"));
    let third = review(&folder, "A\n");
    assert_eq!(third.code, Some(0), "{third:?}");
    assert!(exists(&folder, "proofs/snapshots/safe.c.snap"));
}

#[test]
fn obsolete_snapshots_are_named() {
    let folder = folder();
    test(&folder, &["proofs", "--accept"]);
    fs::rename(folder.path().join("proofs/bug.c"), folder.path().join("proofs/defect.c")).expect("it is there");
    // Of other tools.
    folder.write("proofs/snapshots/other.snap", "---\nsource: x\n");
    let outcome = test(&folder, &["proofs"]);
    let line = "obsolete  proofs/snapshots/bug.c.snap: no harness has this snapshot\n";
    assert!(outcome.stdout.contains(line) && outcome.stdout.matches("obsolete").count() == 1, "{outcome:?}");
    let part = test(&folder, &["proofs", "--filter", "safe"]);
    assert!(part.code == Some(0) && !part.stdout.contains("obsolete"), "{part:?}");
}

/// A project with a manifest.
fn project() -> Folder {
    let folder = Folder::new();
    for name in ["proofs", "src", "inc"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    folder.write("inc/half.h", "int half(int n);\n");
    folder.write("src/half.c", "#include <half.h>\nint half(int n) { return n / DIVISOR; }\n");
    let harness = "#include <clew.h>\n#include <half.h>\nint main(void) {\n  int n = clew_any_int();\n  \
                   clew_assert(n < 0 || half(n) <= n);\n}\nvoid other(void) {\n  clew_assert(half(8) == 4);\n}\n";
    folder.write("proofs/half.c", harness);
    folder.write("proofs/sign.c", harness.replace("n < 0 || half(n) <= n", "half(n) > 0 || n != -6"));
    folder.write(
        "clew.toml",
        "harnesses = [\"proofs/*.c\"]\n\n[defaults]\nsources = [\"src/*.c\"]\nincludes = [\"inc\"]\n\
         flags = [\"-DDIVISOR=2\"]\ntime-limit = \"5min\"\n\n[harness.eight]\nfile = \"proofs/half.c\"\nentry = \"other\"\n\
         properties = [\"assert\"]\n\n[harness.half]\nfile = \"proofs/half.c\"\n",
    );
    folder
}

#[test]
fn manifests_name_harnesses() {
    let folder = project();
    let listed = test(&folder, &["--list", "--jobs", "1", "--memory-limit", "2GB"]);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    insta::assert_snapshot!(listed.stdout.replace(&format!("--jobs={jobs}"), "--jobs=N"), @r"
    eight: clew check --memory-limit=2GB --jobs=N proofs/half.c src/half.c --entry=other --property=assert --time-limit=5min -- -Iinc -DDIVISOR=2
    half: clew check --memory-limit=2GB --jobs=N proofs/half.c src/half.c --time-limit=5min -- -Iinc -DDIVISOR=2
    proofs/sign.c: clew check --memory-limit=2GB --jobs=N proofs/sign.c src/half.c --time-limit=5min -- -Iinc -DDIVISOR=2
    ");
    let outcome = test(&folder, &[]);
    insta::assert_snapshot!(outcome.stdout, @r"
         new  eight: SAFE
              + SAFE
         new  half: SAFE
              + SAFE
         new  proofs/sign.c: UNSAFE assert at proofs/sign.c:5
              + UNSAFE
              + assert at proofs/sign.c:5
              (assertion fails: half(n) > 0 || n != -6 with n = -6)

    3 harnesses: 3 new
    pending: proofs/snapshots/eight.snap.new and 2 more; accept with --review or --accept
    ");
    // The header of a harness is stronger than the manifest.
    let text = read(&folder, "proofs/sign.c");
    folder.write("proofs/sign.c", format!("// clew: --time-limit 1min --entry=other -- -DX\n{text}"));
    let listed = test(&folder, &["clew.toml", "--list", "--filter", "^proofs/s.gn"]);
    assert!(
        listed.stdout.contains(" proofs/sign.c src/half.c --entry=other --time-limit=1min -- -Iinc -DDIVISOR=2 -DX\n"),
        "{listed:?}"
    );
    // Harnesses of a manifest below are found from above.
    let above = Folder::new();
    let place = folder.path().display().to_string();
    let from_above = above.clew(&["test", "--no-cache", "--list", &place]);
    assert!(from_above.stdout.contains("/eight: clew check "), "{from_above:?}");
}

#[test]
fn bad_manifests_and_arguments_are_errors() {
    let folder = folder();
    for (manifest, error) in [
        ("harnesses = [\"proofs/*.c\"]\n[default]\n", "clew.toml:2: unknown field `default`"),
        ("harnesses = [\"proofs/*.c\"]\n[defaults]\nincluds = []\n", "clew.toml:3: unknown field `includs`"),
        ("harnesses = [\"*.cc\"]\n", "clew.toml:1: no file matches `*.cc`"),
        ("[harness.a]\nfile = \"proofs/safe.c\"\nconfig = \"magic\"\n", "clew.toml:3: invalid value 'magic'"),
        ("[harness.a]\nfile = 3\n", "clew.toml:2: invalid type"),
        ("harnesses = [\n", "clew.toml:"),
    ] {
        folder.write("clew.toml", manifest);
        let outcome = test(&folder, &[]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{manifest}: {outcome:?}");
        assert!(outcome.stderr.starts_with("clew: error: ") && outcome.stderr.contains(error), "{outcome:?}");
    }
    fs::remove_file(folder.path().join("clew.toml")).expect("it is there");
    folder.write("proofs/odd.c", "// clew: --propertie assert\nint main(void) {}\n");
    let outcome = test(&folder, &["proofs"]);
    assert!(outcome.code == Some(2) && outcome.stderr.contains("proofs/odd.c:1: unexpected argument"), "{outcome:?}");
    folder.write("proofs/odd.c", "int main(void) {}\n// clew: --property assert\n");
    let outcome = test(&folder, &["proofs"]);
    assert!(outcome.code == Some(2) && outcome.stderr.contains("proofs/odd.c:2: options belong to"), "{outcome:?}");
    fs::remove_file(folder.path().join("proofs/odd.c")).expect("it is there");
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    for (arguments, error) in [
        (&["no-such-folder"][..], "no-such-folder: there is no such file"),
        (&["empty"], "empty: no harness there"),
        (&["proofs", "--filter", "nothing"], "no harness matches `nothing`"),
        (&["proofs", "--shard", "3/2"], "write I/N"),
        (&["proofs", "--time-limit", "5 parsecs"], "--time-limit"),
        (&["proofs", "--accept", "--review"], "cannot be used with"),
        (&["proofs", "--junit", "no/such/folder.xml"], "--junit: no/such/folder.xml cannot be written"),
    ] {
        let outcome = test(&folder, arguments);
        assert!(outcome.code == Some(2) && outcome.stderr.contains(error), "{outcome:?}");
    }
}

#[test]
fn what_does_not_compile_is_broken() {
    let folder = folder();
    folder.write("proofs/bad.c", "// clew:\n#include \"missing.h\"\nint main(void) {}\n");
    let outcome = test(&folder, &["proofs", "--accept"]);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    assert!(outcome.stdout.contains("  broken  proofs/bad.c: it does not compile\n"), "{outcome:?}");
    assert!(outcome.stdout.contains("missing.h") && outcome.stdout.contains("2 accepted, 1 broken"), "{outcome:?}");
    assert!(!exists(&folder, "proofs/snapshots/bad.c.snap"));
}

#[test]
fn shards_are_parts() {
    let folder = folder();
    for name in ["a", "b", "c"] {
        folder.write(&format!("proofs/{name}.c"), SAFE);
    }
    let list = |shard: &str| {
        let outcome = test(&folder, &["proofs", "--list", "--shard", shard]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let name = |line: &str| line.split(':').next().unwrap_or_default().to_owned();
        outcome.stdout.lines().map(name).collect::<Vec<_>>()
    };
    assert_eq!(list("1/2"), ["proofs/a.c", "proofs/bug.c", "proofs/safe.c"]);
    assert_eq!(list("2/2"), ["proofs/b.c", "proofs/c.c"]);
    assert!(list("6/6").is_empty());
    assert_eq!(test(&folder, &["proofs", "--shard", "6/6"]).code, Some(0));
}

#[test]
fn reports_for_programs() {
    let folder = folder();
    test(&folder, &["proofs/safe.c", "--accept"]);
    folder.write("proofs/bad.c", "// clew:\nint main(void) { return }\n");
    let outcome = test(&folder, &["proofs", "--format", "json", "--junit", "junit.xml"]);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    let report: Value = serde_json::from_str(&outcome.stdout).expect("one document");
    assert_eq!(report["summary"]["new"], 1);
    assert_eq!(report["summary"]["cached"], 1);
    let states: Vec<&str> = report["harnesses"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["state"].as_str().expect("text"))
        .collect();
    assert_eq!(states, ["broken", "new", "expected"]);
    let bug = &report["harnesses"][1];
    assert_eq!((&bug["verdict"], &bug["violations"][0]["kind"]), (&"UNSAFE".into(), &"assert".into()));
    assert_eq!((&bug["violations"][0]["file"], &bug["violations"][0]["line"]), (&"bug.c".into(), &5.into()));
    assert!(
        bug["seconds"].is_f64() && bug["expected"].is_null() && report["harnesses"][0]["error"]["what"].is_string()
    );

    let xml = read(&folder, "junit.xml");
    for part in [
        "tests=\"3\" failures=\"1\" errors=\"1\"",
        "<testcase name=\"proofs/safe.c\"",
        "message=\"new verdict: UNSAFE assert at bug.c:5\"",
        "<error message=\"it does not compile\"",
    ] {
        assert!(xml.contains(part), "{part} in {xml}");
    }

    let sarif = test(&folder, &["proofs", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&sarif.stdout).expect("one document");
    let runs = log["runs"].as_array().expect("a list");
    assert_eq!((&log["version"], runs.len()), (&"2.1.0".into(), 1));
    let result = &runs[0]["results"][0];
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "proofs/bug.c");
    assert_eq!((&result["ruleId"], &result["baselineState"]), (&"assert".into(), &"new".into()));
    let rule = result["ruleIndex"].as_u64().expect("a number") as usize;
    assert_eq!(runs[0]["tool"]["driver"]["rules"][rule]["id"], "assert");
    assert_eq!(runs[0]["invocations"].as_array().expect("a list").len(), 3);
    assert_eq!(runs[0]["results"].as_array().expect("a list").len(), 1);
}

#[test]
fn init_writes_what_is_missing() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("include")).expect("a folder");
    let outcome = folder.clew(&["init"]);
    insta::assert_snapshot!(outcome.stdout, @r"
    wrote proofs/first.c
    wrote clew.toml

    Next:
      clew test             checks the harness; its verdict is new, so the run fails
      clew test --review    shows the verdict and asks whether to accept it
    Commit the accepted verdict in proofs/snapshots, and add harnesses to proofs.
    ");
    assert_eq!(outcome.code, Some(0));
    assert!(read(&folder, "clew.toml").contains("\nincludes = [\"include\"]\n"));
    let first = test(&folder, &[]);
    assert!(first.code == Some(1) && first.stdout.contains("new  proofs/first.c: SAFE\n"), "{first:?}");
    folder.write("proofs/first.c", "mine");
    let again = folder.clew(&["init"]);
    assert!(again.code == Some(2) && again.stderr.contains("clew.toml is there already"), "{again:?}");
    fs::remove_file(folder.path().join("clew.toml")).expect("it is there");
    let third = folder.clew(&["init"]);
    assert!(third.code == Some(0) && third.stdout.contains("kept  proofs/first.c\nwrote clew.toml"), "{third:?}");
    assert_eq!(read(&folder, "proofs/first.c"), "mine");
}

/// A machine with states, whose flags refinement asks for one after the other.
const MACHINE: &str = "\
#include <clew.h>
int main(void) {
  int state = 0, opened = 0, locked = 0, dirty = 0;
  while (state != 3) {
    int event = clew_any_int();
    if (state == 0 && event == 1) {
      state = 1;
      opened = 1;
    } else if (state == 1 && event == 2) {
      locked = 1;
      state = 2;
    } else if (state == 1 && event == 4) {
      clew_assert(opened && !locked && !dirty);
      opened = 0;
      state = 3;
    } else if (state == 2) {
      clew_assert(opened && locked);
      dirty = event != 6;
      if (!dirty) {
        locked = 0;
        state = 1;
      }
    }
  }
  clew_assert(!opened && !locked && !dirty);
}
";

/// The verdict and the number of refinements of a run.
fn refinements(folder: &Folder, config: &str, args: &[&str]) -> (String, u64) {
    let all: Vec<&str> = ["check", "--json", "--config", config].iter().chain(args).copied().collect();
    let outcome = folder.clew(&all);
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{outcome:?}"));
    let count = report["statistics"]["refinements"].as_u64().expect("a number");
    (report["verdict"].as_str().expect("text").to_owned(), count)
}

#[test]
fn precisions_are_used_again() {
    let folder = Folder::new();
    folder.write("machine.c", MACHINE);
    folder.write("renamed.c", MACHINE.replace("locked", "busy"));
    folder.write("wrong.c", MACHINE.replace("      opened = 0;", "      opened = event == 4;"));
    folder.write("nonsense", "clew precision 1\ntrack\npredicate main (\ninvariant x\n\u{1}");
    for (config, kind) in [("value+predicate", "\ntrack "), ("value", "\ntrack "), ("predicate", "\npredicate main ")] {
        let first = refinements(&folder, config, &["machine.c", "--save-precision", "saved"]);
        assert!(first.0 == "SAFE" && first.1 > 1, "{config}: {first:?}");
        let text = read(&folder, "saved");
        assert!(text.starts_with(&format!("clew precision 1\nengine {config}\n")) && text.contains(kind), "{text}");
        let with = |file: &str, precision: &str| refinements(&folder, config, &[file, "--precision-from", precision]);
        assert_eq!(with("machine.c", "saved"), ("SAFE".into(), 0), "{config}: {text}");
        // Names that are gone cost refinements.
        let renamed = with("renamed.c", "saved");
        assert!(renamed.0 == "SAFE" && (1..=first.1).contains(&renamed.1), "{config}: {renamed:?}");
        // What is wrong is found all the same.
        assert_eq!(with("wrong.c", "saved").0, "UNSAFE");
        assert_eq!(with("machine.c", "nonsense"), first);
    }
    let missing = folder.clew(&["check", "machine.c", "--precision-from", "missing"]);
    assert!(missing.code == Some(2) && missing.stderr.contains("--precision-from: missing"), "{missing:?}");
}

#[test]
fn invariants_are_used_again() {
    let folder = Folder::new();
    let text = "#include <clew.h>\nint main(void) {\n  unsigned n = clew_any_uint(), left = n, done = 0;\n  \
                while (left > 0) {\n    left--;\n    done++;\n  }\n  clew_assert(done == n);\n}\n";
    folder.write("equal.c", text);
    folder.write("wrong.c", text.replace("done++", "done += n == 5 ? 2 : 1"));
    let run = |file: &str, args: &[&str]| {
        let all: Vec<&str> = ["check", file, "--json", "--config", "k-induction"].iter().chain(args).copied().collect();
        let outcome = folder.clew(&all);
        let report: Value = serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{outcome:?}"));
        (report["verdict"].clone(), report["statistics"]["bound"].as_u64())
    };
    // Guesses are made after some bounds have failed; what is known is tried at once.
    let first = run("equal.c", &["--invariants", "none", "--save-precision", "saved"]);
    let text = read(&folder, "saved");
    assert!(first.0 == "SAFE" && text.contains("\ninvariant main 1 "), "{first:?}, {text}");
    let again = run("equal.c", &["--invariants", "none", "--precision-from", "saved"]);
    assert!(again.0 == "SAFE" && again.1 == Some(1) && first.1 > Some(1), "{first:?}, {again:?}");
    // Invariants of another program are only guesses.
    assert_eq!(run("wrong.c", &["--precision-from", "saved"]).0, "UNSAFE");
}
