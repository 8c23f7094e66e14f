//! The cache of `clew test`: what is used again, what is not, and what a killed run leaves.

mod common;

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use common::{CommandOutput, Folder};
use serde_json::Value;

/// Harnesses over a header, with their accepted verdicts.
fn folder(count: usize) -> Folder {
    let folder = Folder::new();
    for name in ["proofs", "early", "inc"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    folder.write("inc/limit.h", "#define LIMIT 10\n");
    for number in 0..count {
        let flags = "// clew: -- -I../early -I../inc";
        let text = format!(
            "{flags}\n#include <clew.h>\n#include <limit.h>\nint main(void) {{\n  \
             clew_assert({number} % 3 == 2 || LIMIT == 10);\n}}\n"
        );
        folder.write(&format!("proofs/p{number}.c"), text);
    }
    let first = test(&folder, &["--accept"]);
    assert_eq!(first.code, Some(0), "{first:?}");
    folder
}

fn test(folder: &Folder, args: &[&str]) -> CommandOutput {
    let all: Vec<&str> = ["test", "--cache-dir=cache", "proofs"].iter().chain(args).copied().collect();
    folder.clew(&all)
}

/// The names of the harnesses that were checked anew; the exit code must be `code`.
fn checked(folder: &Folder, code: i32) -> Vec<String> {
    let outcome = test(folder, &["--format", "json"]);
    assert_eq!(outcome.code, Some(code), "{outcome:?}");
    assert_eq!(outcome.stderr, "");
    let report: Value = serde_json::from_str(&outcome.stdout).expect("one document");
    let harnesses = report["harnesses"].as_array().expect("a list");
    let anew = harnesses.iter().filter(|one| one["cached"] == false);
    anew.map(|one| one["name"].as_str().expect("a name").trim_start_matches("proofs/").to_owned()).collect()
}

#[test]
fn only_what_changed_is_checked_again() {
    let folder = folder(3);
    let none: Vec<String> = Vec::new();
    assert_eq!(checked(&folder, 0), none);
    // A touched file with the same text is the same.
    let text = fs::read_to_string(folder.path().join("proofs/p1.c")).expect("it is there");
    folder.write("proofs/p1.c", &text);
    assert_eq!(checked(&folder, 0), none);
    folder.write("proofs/p1.c", format!("{text}\n"));
    assert_eq!(checked(&folder, 0), ["p1.c"]);
    // The text before is still known.
    folder.write("proofs/p1.c", &text);
    assert_eq!(checked(&folder, 0), none);
    // Other options are another check; limits are not.
    folder.write("proofs/p1.c", text.replace("// clew:", "// clew: --time-limit 1h"));
    assert_eq!(checked(&folder, 0), ["p1.c"], "the comment is a part of the file");
    folder.write("proofs/p1.c", &text);
    // A header belongs to all.
    folder.write("inc/limit.h", "#define LIMIT 11\n");
    assert_eq!(checked(&folder, 1), ["p0.c", "p1.c", "p2.c"]);
    folder.write("inc/limit.h", "#define LIMIT 10\n");
    assert_eq!(checked(&folder, 0), none);
    // So does one that is found before it, and its end.
    folder.write("early/limit.h", "#define LIMIT 12\n");
    assert_eq!(checked(&folder, 1), ["p0.c", "p1.c", "p2.c"]);
    fs::remove_file(folder.path().join("early/limit.h")).expect("it is there");
    folder.write("early/unrelated.h", "");
    assert_eq!(checked(&folder, 0), none);
    let without = folder.clew(&["test", "--no-cache", "proofs"]);
    assert!(without.code == Some(0) && !without.stdout.contains("cached"), "{without:?}");
}

#[test]
fn other_tools_are_another_check() {
    let folder = folder(1);
    let count = |variables: &[(&str, &str)]| {
        let outcome = folder.clew_with(&["test", "--cache-dir=cache", "proofs"], variables);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        outcome.stdout.matches("cached").count()
    };
    assert_eq!((count(&[]), count(&[("CPATH", "/nowhere")])), (1, 0));
    // Another build of Clew: the same program with something behind its end.
    let other = folder.path().join("clew-other");
    fs::copy(clew_testsuite::clew(), &other).expect("it can be copied");
    let run = || {
        let mut command = Command::new(&other);
        let output = command.args(["test", "--cache-dir=cache", "proofs"]).current_dir(folder.path()).output();
        String::from_utf8_lossy(&output.expect("it starts").stdout).matches("cached").count()
    };
    assert_eq!(run(), 1, "the same build elsewhere");
    let mut bytes = fs::read(&other).expect("it is there");
    bytes.push(0);
    fs::remove_file(&other).expect("it is there");
    fs::write(&other, bytes).expect("a file");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&other, executable).expect("it is ours");
    assert_eq!(run(), 0);
}

#[test]
fn a_damaged_cache_is_thrown_away() {
    let folder = folder(2);
    let place = folder.path().join("cache/verdicts-1.sqlite");
    for damage in ["no database".repeat(2000), String::new()] {
        assert!(place.exists());
        fs::write(&place, &damage).expect("it is there");
        let outcome = test(&folder, &[]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert!(damage.is_empty() || outcome.stderr.contains("is damaged and thrown away"), "{outcome:?}");
        assert!(outcome.stdout.contains("2 harnesses: 2 as expected\n"), "{outcome:?}");
        assert!(checked(&folder, 0).is_empty());
    }
    // Without a place for it, all works.
    fs::write(folder.path().join("file"), "").expect("a file");
    let outcome = folder.clew(&["test", "--cache-dir=file/cache", "proofs"]);
    assert!(outcome.code == Some(0) && outcome.stderr.contains("note: no cache"), "{outcome:?}");
}

#[test]
fn runs_at_the_same_time_share_a_cache() {
    let folder = folder(4);
    fs::remove_dir_all(folder.path().join("cache")).expect("it is there");
    let outcomes: Vec<CommandOutput> = thread::scope(|scope| {
        let runs: Vec<_> = (0..3).map(|_| scope.spawn(|| test(&folder, &[]))).collect();
        runs.into_iter().map(|run| run.join().expect("no panic")).collect()
    });
    for outcome in outcomes {
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{outcome:?}");
    }
    assert!(checked(&folder, 0).is_empty());
}

/// Kills a run at twenty moments. The cache must stay whole each time: the next run notes no damage.
#[test]
fn a_killed_run_leaves_a_whole_cache() {
    const ROUNDS: u64 = 20;
    let folder = folder(6);
    for round in 0..ROUNDS {
        // Something is left to do in each round.
        for number in 0..6 {
            let path = folder.path().join(format!("proofs/p{number}.c"));
            let text = fs::read_to_string(&path).expect("it is there");
            fs::write(&path, format!("{text}// {round}\n")).expect("it is there");
        }
        let mut command = Command::new(clew_testsuite::clew());
        command.args(["test", "--cache-dir=cache", "proofs", "--no-progress"]).current_dir(folder.path());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("clew starts");
        // Spread over a run, from its start to after its end, and never the same.
        thread::sleep(Duration::from_millis(round * 37 % 400 + round * 20));
        let _ = child.kill();
        child.wait().expect("it is ours");
        let list = folder.clew(&["test", "--cache-dir=cache", "proofs", "--filter", "p0"]);
        assert_eq!((list.code, list.stderr.as_str()), (Some(0), ""), "round {round}: {list:?}");
    }
    let last = test(&folder, &[]);
    assert_eq!((last.code, last.stderr.as_str()), (Some(0), ""), "{last:?}");
    assert!(checked(&folder, 0).is_empty());
}

#[test]
fn a_changed_harness_starts_from_its_last_proof() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("proofs")).expect("a folder");
    let text = "// clew: --config k-induction\n#include <clew.h>\nint main(void) {\n  \
                unsigned n = clew_any_uint(), left = n, done = 0;\n  while (left > 0) {\n    left--;\n    done++;\n  }\n  \
                clew_assert(done == n);\n}\n";
    folder.write("proofs/equal.c", text);
    assert_eq!(test(&folder, &["--accept"]).code, Some(0));
    folder.write("proofs/equal.c", format!("{text}\n"));
    assert_eq!(test(&folder, &[]).code, Some(0));
    // A precision is no verdict: with an error in the program, it is found.
    folder.write("proofs/equal.c", text.replace("done++", "done += n == 5 ? 2 : 1"));
    let wrong = test(&folder, &[]);
    assert!(wrong.code == Some(1) && wrong.stdout.contains("UNSAFE assert at equal.c:9"), "{wrong:?}");
}
