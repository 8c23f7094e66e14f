//! The compiler plugin: what clang, opt and lld report with it, and that they are otherwise as they were.

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use common::{CommandOutput, Folder};
use serde_json::Value as Json;

const BUG: &str = "\
#include <clew.h>

static int twice(int v) { return v + v; }

void proof(void) {
    int x = clew_any_int();
    if (x > 5 && x < 100) {
        int y = twice(x);
        clew_assert(y != 24);
    }
}
";

const SAFE: &str = "\
#include <clew.h>

CLEW_PROOF static void proof(void) {
    int x = clew_any_int();
    if (x > 5)
        clew_assert(x != 3);
}
";

/// What `clew config` prints.
fn config(what: &str) -> PathBuf {
    let output = Command::new(clew_testsuite::clew()).args(["config", what]).output().expect("clew starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    PathBuf::from(String::from_utf8(output.stdout).expect("a path").trim())
}

fn plugin() -> &'static Path {
    static PLUGIN: OnceLock<PathBuf> = OnceLock::new();
    PLUGIN.get_or_init(|| config("plugin"))
}

/// A run of a compiler or linker in a folder, with environment variables before its arguments.
fn run(folder: &Folder, program: &str, variables: &[(&str, &str)], args: &[&str]) -> CommandOutput {
    let mut command = Command::new(program);
    for name in ["CLEW", "CLEW_ENTRY", "CLEW_ERROR", "CLEW_UNKNOWN", "CLEW_VERDICTS", "CLEW_OPTIONS", "CLEW_SAVE"] {
        command.env_remove(name);
    }
    let output = command.args(args).envs(variables.iter().copied()).current_dir(folder.path()).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    CommandOutput {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs clang with the plugin on a file.
fn clang(folder: &Folder, file: &str, variables: &[(&str, &str)], args: &[&str]) -> CommandOutput {
    let program = if file.ends_with(".cpp") { "clang++-19" } else { "clang-19" };
    let pass = format!("-fpass-plugin={}", plugin().display());
    let include = format!("-I{}", config("include-dir").display());
    let mut all = vec!["-c", file, &pass, &include];
    all.extend(args);
    run(folder, program, variables, &all)
}

/// Runs opt with the plugin on a module of `BUG`.
fn opt(folder: &Folder, args: &[&str]) -> CommandOutput {
    folder.write("bug.c", BUG);
    let include = format!("-I{}", config("include-dir").display());
    let made = run(folder, "clang-19", &[], &["-g", "-c", "-emit-llvm", &include, "bug.c", "-o", "bug.bc"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let load = format!("-load-pass-plugin={}", plugin().display());
    let mut all = vec![load.as_str(), "-passes=clew", "bug.bc", "-disable-output"];
    all.extend(args);
    run(folder, "opt-19", &[], &all)
}

/// Checks that a text has these parts, one after the other.
fn in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part:?} is missing, or not in order:\n{text}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn a_violation_is_a_warning_with_notes_along_the_path() {
    for level in ["-O0", "-O2"] {
        let folder = Folder::new();
        folder.write("bug.c", BUG);
        let output = clang(&folder, "bug.c", &[("CLEW_ENTRY", "proof")], &["-g", level]);
        assert_eq!(output.code, Some(0));
        assert!(folder.path().join("bug.o").exists());
        in_order(
            &output.stderr,
            &[
                "bug.c:9:9: warning: clew: assertion fails",
                " in a run of 'proof' [-Wsource-mgr]\n    9 |         clew_assert(y != 24);\n      |         ^\n",
                "bug.c:6:13: note: x = 12\n    6 |     int x = clew_any_int();\n      |             ^\n",
                "bug.c:8:17: note: ",
                "calls twice(v = 12)\n",
                "bug.c:5:1: note: inputs of this run: 12\n",
                "1 warning generated.\n",
            ],
        );
    }
}

#[test]
fn a_safe_file_compiles_in_silence_to_the_same_object() {
    for level in ["-O0", "-O2"] {
        let folder = Folder::new();
        folder.write("safe.c", SAFE);
        let verdicts = [("CLEW_VERDICTS", "verdicts")];
        let output = clang(&folder, "safe.c", &verdicts, &["-g", level, "-o", "with.o"]);
        assert_eq!((output.code, output.stdout.as_str(), output.stderr.as_str()), (Some(0), "", ""));
        let line = fs::read_to_string(folder.path().join("verdicts")).expect("there are verdicts");
        assert!(line.contains("\"verdict\":\"SAFE\""), "{line}");
        let output = clang(&folder, "safe.c", &[("CLEW_PLUGIN", "off")], &["-g", level, "-o", "without.o"]);
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
        let read = |name: &str| fs::read(folder.path().join(name)).expect("an object");
        assert!(read("with.o") == read("without.o"));
    }
}

#[test]
fn nothing_runs_without_an_entry_point() {
    let folder = Folder::new();
    folder.write("bug.c", BUG);
    for entry in ["", "other"] {
        let output = clang(&folder, "bug.c", &[("CLEW_ENTRY", entry), ("CLEW", "/nowhere/clew")], &[]);
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    }
}

#[test]
fn functions_of_cpp_are_named_as_in_the_source() {
    let source = "\
#include <clew.h>
#include <vector>

namespace shop {
struct Cart {
    int items = 0;
    void add(int count) { items += count; }
};
CLEW_PROOF void proof() {
    Cart cart;
    cart.add(clew_any_bool());
    clew_assert(cart.items == 0);
}
template <int N> void holds() { clew_assert(N > 2); }
void all() { holds<3>(); }
}
";
    for level in ["-O0", "-O2"] {
        let folder = Folder::new();
        folder.write("shop.cpp", source);
        let variables = [("CLEW_ENTRY", "shop::all,_ZN4shop5proofEv"), ("CLEW_VERDICTS", "verdicts")];
        let output = clang(&folder, "shop.cpp", &variables, &["-g", level]);
        let first = "shop.cpp:12:5: warning: clew: assertion fails";
        assert!(
            output.stderr.starts_with(first) && output.stderr.contains("in a run of 'shop::proof()'"),
            "{output:?}"
        );
        assert!(output.stderr.contains("1 warning generated"), "{output:?}");
        let verdicts = fs::read_to_string(folder.path().join("verdicts")).expect("there are verdicts");
        let lines: Vec<Json> = verdicts.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let of = |name: &str| lines.iter().find(|line| line["name"] == name).map(|line| line["verdict"].clone());
        assert_eq!(of("shop::proof()"), Some("UNSAFE".into()));
        assert_eq!(of("shop::all()"), Some("SAFE".into()));
    }
}

#[test]
fn options_are_known_to_clang_if_the_plugin_is_loaded_early() {
    let folder = Folder::new();
    folder.write("bug.c", BUG);
    let load = format!("-fplugin={}", plugin().display());
    let args = ["-g", &load, "-mllvm", "-clew-entry=proof,none", "-mllvm", "-clew-error", "-mllvm"];
    let output = clang(&folder, "bug.c", &[("CLEW_ENTRY", "other")], &[&args[..], &["-clew-verdicts=v"]].concat());
    assert_eq!(output.code, Some(1));
    assert!(output.stderr.starts_with("bug.c:9:9: error: clew: assertion fails"), "{output:?}");
    assert!(!folder.path().join("bug.o").exists());
    let text = fs::read_to_string(folder.path().join("v")).expect("there are verdicts");
    let line: Json = serde_json::from_str(&text).expect("one line of JSON");
    assert_eq!((&line["verdict"], &line["source"]), (&"UNSAFE".into(), &"bug.c".into()));
    let violation = &line["violations"][0];
    assert_eq!((&violation["file"], &violation["line"], &violation["column"]), (&"bug.c".into(), &9.into(), &9.into()));
    assert_eq!((&violation["kind"], &violation["inputs"][0]), (&"assert".into(), &"12".into()));
    assert_eq!(violation["path"][0]["message"], "x = 12");
}

#[test]
fn without_debug_information_clang_knows_the_function() {
    let folder = Folder::new();
    folder.write("bug.c", BUG);
    let output = clang(&folder, "bug.c", &[("CLEW_ENTRY", "proof")], &[]);
    assert!(output.stderr.starts_with("bug.c:5:6: warning: clew: assertion fails"), "{output:?}");
    assert!(output.stderr.contains("note: compile with -g or -gline-tables-only"), "{output:?}");
    assert!(!output.stderr.contains("assert.c"), "{output:?}");
    // Line tables are enough for places.
    let output = clang(&folder, "bug.c", &[("CLEW_ENTRY", "proof")], &["-gline-tables-only"]);
    assert!(output.stderr.starts_with("bug.c:9:9: warning: clew: assertion fails"), "{output:?}");
}

#[test]
fn a_violation_in_a_header_is_shown_there() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("inc")).expect("a folder");
    folder.write("inc/limit.h", "#include <clew.h>\n\tstatic void limit(int x) { /* é */ clew_assert(x < 10); }\n");
    folder.write("use.c", "#include \"inc/limit.h\"\nCLEW_PROOF void proof(void) { limit(clew_any_int()); }\n");
    let output = clang(&folder, "use.c", &[], &["-g"]);
    // clang counts bytes, as debug information does.
    let place = "inc/limit.h:2:38: warning: clew: assertion fails";
    assert!(output.stderr.contains(place), "{output:?}");
}

#[test]
fn what_is_undecided_is_a_warning_unless_told_otherwise() {
    let folder = Folder::new();
    folder.write("safe.c", SAFE);
    let with = |how: &str| {
        let variables = [("CLEW_OPTIONS", "--time-limit 1ms"), ("CLEW_UNKNOWN", how)];
        clang(&folder, "safe.c", &variables, &["-g"])
    };
    for how in ["", "warning"] {
        let output = with(how);
        assert_eq!(output.code, Some(0));
        assert!(output.stderr.contains("warning: clew: 'proof' is undecided: out of time"), "{output:?}");
    }
    let output = with("error");
    assert_eq!(output.code, Some(1));
    assert!(output.stderr.contains("error: clew: 'proof' is undecided: out of time"), "{output:?}");
    let output = with("ignore");
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    let output = with("nonsense");
    assert_eq!(output.code, Some(1));
    assert!(output.stderr.contains("-clew-unknown is ignore, warning or error, not 'nonsense'"), "{output:?}");
}

/// A script in place of `clew`.
fn impostor(folder: &Folder, text: &str) -> String {
    let path = folder.write("impostor", format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    path.display().to_string()
}

#[test]
fn a_failing_child_is_a_warning_and_never_silent() {
    let folder = Folder::new();
    folder.write("safe.c", SAFE);
    let proof = r#"{"runs":[{"properties":{"verdict":"SAFE"}}]}"#;
    for (script, expected) in [
        ("kill -SEGV $$", "was ended by a signal: Segmentation fault"),
        ("echo 'clew: error: out of luck' >&2; exit 4", "failed with exit code 4: out of luck"),
        ("exit 0", "its report is damaged"),
        ("echo nonsense; exit 0", "its report is damaged"),
        ("echo '{}'; exit 0", "its report says '', but its exit code is 0"),
        (&format!("echo '{proof}'; exit 20"), "its report says 'SAFE', but its exit code is 20"),
        (&format!("echo '{}'; exit 10", proof.replace("SAFE", "UNSAFE")), "its report says UNSAFE with 0 violations"),
    ] {
        let clew = impostor(&folder, script);
        let output = clang(&folder, "safe.c", &[("CLEW", &clew), ("CLEW_UNKNOWN", "ignore")], &["-g"]);
        assert_eq!(output.code, Some(0), "{script}: {output:?}");
        assert!(folder.path().join("safe.o").exists());
        assert!(output.stderr.starts_with("safe.c:3:1: warning: clew: 'proof' cannot be verified: "), "{output:?}");
        assert!(output.stderr.contains(expected), "{script}: {output:?}");
        fs::remove_file(folder.path().join("safe.o")).expect("it is there");
    }
    // What is quiet otherwise is quiet here too: the impostor itself is not at fault.
    let clew = impostor(&folder, &format!("echo '{proof}'"));
    let output = clang(&folder, "safe.c", &[("CLEW", &clew)], &["-g"]);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_missing_command_is_named() {
    let folder = Folder::new();
    folder.write("safe.c", SAFE);
    let output = clang(&folder, "safe.c", &[("CLEW", "/nowhere/clew")], &["-g"]);
    assert_eq!(output.code, Some(0));
    assert!(output.stderr.contains("'/nowhere/clew' is not found"), "{output:?}");
    // A copy of the plugin has no command beside it.
    let nested = folder.path().join("no/command/here");
    fs::create_dir_all(&nested).expect("a folder");
    let copy = nested.join("copy.so");
    fs::copy(plugin(), &copy).expect("the folder takes files");
    let pass = format!("-fpass-plugin={}", copy.display());
    let include = format!("-I{}", config("include-dir").display());
    let args = ["-g", "-c", "safe.c", &pass, &include];
    let tools = "/usr/lib/llvm-19/bin:/usr/bin:/bin";
    let output = run(&folder, "clang-19", &[("PATH", tools)], &args);
    assert!(output.stderr.contains("the command 'clew' is not found; install it, or set CLEW"), "{output:?}");
    // One on the path is found.
    let path = format!("{}:{tools}", clew_testsuite::clew().parent().expect("a folder").display());
    let output = run(&folder, "clang-19", &[("PATH", &path)], &args);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
}

#[test]
fn modules_are_kept_to_run_them_again() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("src")).expect("a folder");
    folder.write("src/bug.c", BUG);
    let output = clang(&folder, "src/bug.c", &[("CLEW_ENTRY", "proof"), ("CLEW_SAVE", "kept/here")], &["-g"]);
    assert!(output.stderr.contains("src/bug.c:9:9: warning"), "{output:?}");
    let output = folder.clew(&["run", "kept/here/src_bug.c.bc", "--entry=proof", "--inputs=12"]);
    assert_eq!(output.code, Some(10), "{output:?}");
}

#[test]
fn unwritable_files_are_reported() {
    let folder = Folder::new();
    folder.write("safe.c", SAFE);
    let output = clang(&folder, "safe.c", &[("CLEW_VERDICTS", "no/such/file")], &["-g"]);
    assert_eq!(output.code, Some(0));
    assert!(output.stderr.contains("warning: clew: cannot write 'no/such/file': No such file"), "{output:?}");
    let output = clang(&folder, "safe.c", &[("TMPDIR", "/proc/nowhere")], &["-g"]);
    assert!(!output.stderr.is_empty(), "{output:?}");
}

#[test]
fn opt_prints_one_message_with_all_lines() {
    let folder = Folder::new();
    let output = opt(&folder, &["-clew-entry=proof"]);
    assert_eq!(output.code, Some(0));
    in_order(
        &output.stderr,
        &[
            "warning: bug.c:9:9: clew: assertion fails",
            " in a run of 'proof'\n        clew_assert(y != 24);\n        ^\n",
            "bug.c:6:13: note: x = 12\n",
            "calls twice(v = 12)\n",
            "bug.c:5:1: note: inputs of this run: 12\n",
        ],
    );
    let output = opt(&folder, &["-clew-entry=proof", "-clew-error"]);
    assert_eq!(output.code, Some(1));
    assert!(output.stderr.starts_with("error: bug.c:9:9: clew: assertion fails"), "{output:?}");
    assert!(output.stderr.contains("bug.c:6:13: note: x = 12"), "{output:?}");
    let output = opt(&folder, &["-clew-entry=twice"]);
    assert!(!output.stderr.contains("assertion"), "{output:?}");
    let output = opt(&folder, &[]);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    // The same file through the pipelines of opt and of clang for bitcode.
    let load = format!("-load-pass-plugin={}", plugin().display());
    let args = [load.as_str(), "-passes=default<O2>", "bug.bc", "-disable-output", "-clew-entry=proof"];
    let output = run(&folder, "opt-19", &[], &args);
    assert!(output.stderr.starts_with("warning: bug.c:9:9: clew: assertion fails"), "{output:?}");
    let output = clang(&folder, "bug.bc", &[("CLEW_ENTRY", "proof")], &[]);
    in_order(&output.stderr, &["\nwarning: bug.c:9:9: clew: assertion fails", "bug.c:6:13: note: x = 12\n"]);
    assert!(!output.stderr.contains("inline asm"), "{output:?}");
}

#[test]
fn lld_verifies_across_files() {
    let Some(lld) = ["ld.lld-19", "/usr/lib/llvm-19/bin/ld.lld"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
    else {
        println!("skipped: lld 19 is not installed");
        return;
    };
    let folder = Folder::new();
    folder.write(
        "main.c",
        "#include <clew.h>\nint half(int);\nint main(void) {\n    clew_assert(half(clew_any_int()) != 8);\n}\n",
    );
    folder.write("half.c", "int half(int v) { return v / 2; }\n");
    folder.write(
        "runtime.c",
        "int clew_any_int(void) { return 0; }\nvoid clew_fail_(const char *claim) { (void)claim; }\n",
    );
    let include = format!("-I{}", config("include-dir").display());
    for file in ["main.c", "half.c", "runtime.c"] {
        let flto = if file == "runtime.c" { "-O0" } else { "-flto" };
        let made = run(&folder, "clang-19", &[], &["-g", "-c", flto, &include, file]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
    }
    let load = format!("-Wl,--load-pass-plugin={}", plugin().display());
    let with = format!("--ld-path={}", which(lld).display());
    let args = ["-flto", &with, &load, "main.o", "half.o", "runtime.o", "-o", "app"];
    let output = run(&folder, "clang-19", &[("CLEW_ENTRY", "main")], &args);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.stderr.contains("warning: main.c:4:5: clew: assertion fails"), "{output:?}");
    let output = run(&folder, "clang-19", &[("CLEW_ENTRY", "main"), ("CLEW_ERROR", "1")], &args);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.stderr.contains("error: main.c:4:5: clew: assertion fails"), "{output:?}");
}

fn which(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").expect("a path");
    let found = std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file());
    found.unwrap_or_else(|| program.into())
}
