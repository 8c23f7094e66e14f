//! The paths of violations as people see them: values by type, claims, libraries, loops, and where the sources are.

mod common;

use std::fs;
use std::process::Command;

use clew_testsuite::testsuite;
use common::Folder;
use serde_json::Value;

/// A folder with all programs of `traces/`.
fn folder() -> Folder {
    let folder = Folder::new();
    for entry in fs::read_dir(testsuite().join("traces")).expect("there are programs") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_string();
        folder.write(&name, fs::read(&path).expect("a program can be read"));
    }
    folder
}

/// The report of a violation. Values come from the interpreter alone.
fn report(folder: &Folder, args: &[&str]) -> String {
    let all = ["check", "--config", "value", "--replay", "interpreter"].iter().chain(args).copied();
    let outcome = folder.clew(&all.collect::<Vec<_>>());
    assert_eq!(outcome.code, Some(10), "{outcome:?}");
    outcome.stdout
}

/// The document of a violation.
fn document(folder: &Folder, args: &[&str]) -> Value {
    let args: Vec<&str> = args.iter().chain(&["--json"]).copied().collect();
    serde_json::from_str(&report(folder, &args)).expect("one document")
}

/// All changes of the steps.
fn changes(document: &Value) -> Vec<Value> {
    let steps = document["counterexample"]["steps"].as_array().expect("a list");
    steps.iter().filter_map(|step| step["changes"].as_array()).flatten().cloned().collect()
}

/// The last value of a variable.
fn last(changes: &[Value], name: &str) -> String {
    let found = changes.iter().rev().find(|change| change["name"] == name);
    found.unwrap_or_else(|| panic!("{name} has a value"))["value"].as_str().expect("a text").to_string()
}

#[test]
fn scalars() {
    insta::assert_snapshot!(report(&folder(), &["scalars.c"]));
}

#[test]
fn objects() {
    insta::assert_snapshot!(report(&folder(), &["objects.c"]));
}

#[test]
fn pointers() {
    insta::assert_snapshot!(report(&folder(), &["pointers.c"]));
}

#[test]
fn loops() {
    insta::assert_snapshot!(report(&folder(), &["loops.c"]));
}

#[test]
fn classes() {
    insta::assert_snapshot!(report(&folder(), &["classes.cpp"]));
}

#[test]
fn claims() {
    let folder = folder();
    let text = report(&folder, &["claims.c", "--all"]);
    let claims: Vec<&str> = text.lines().filter(|line| line.starts_with("violated ")).collect();
    let mut claims = claims;
    claims.sort_unstable();
    insta::assert_debug_snapshot!(claims);
}

#[test]
fn everything_is_shown_if_asked_for() {
    let folder = folder();
    let (short, full) = (report(&folder, &["loops.c"]), report(&folder, &["loops.c", "--trace", "full"]));
    assert!(short.contains("… 18 more iterations …"), "{short}");
    assert!(!full.contains("more iterations"), "{full}");
    assert!(full.lines().count() > 100 && short.lines().count() < 60, "{short}");
    let (short, full) = (report(&folder, &["classes.cpp"]), report(&folder, &["classes.cpp", "--trace", "full"]));
    assert!(!short.contains("/include/c++/"), "{short}");
    assert!(full.contains("/include/c++/"), "{full}");
    // Both say the same of the violation.
    assert_eq!(short.lines().last(), full.lines().last());
}

/// The text of each value says what its bits say, as far as it is a number.
#[test]
fn texts_are_those_of_the_bits() {
    let folder = folder();
    let mut compared = 0;
    for program in ["scalars.c", "objects.c", "pointers.c", "loops.c", "classes.cpp"] {
        for change in changes(&document(&folder, &[program])) {
            let text = change["value"].as_str().expect("a text").split(' ').next().expect("a word").to_string();
            let bits = change["bits"].as_str().expect("a text").trim_start_matches("0x").to_string();
            let bits = u128::from_str_radix(&bits, 16).expect("a number");
            let width: u32 = match change["sort"].as_str().expect("a text") {
                "f32" => 32,
                "f64" => 64,
                sort => match sort.trim_start_matches(|c: char| c.is_alphabetic()).parse() {
                    Ok(width) => width,
                    Err(_) => continue,
                },
            };
            let mask = u128::MAX >> (128 - width);
            let number = text.parse::<i128>().map(|n| n as u128).or_else(|_| text.parse::<u128>());
            let shown = match change["type"].as_str() {
                Some("float") => text.parse().ok().map(|n: f32| u128::from(n.to_bits())),
                Some("double") => text.parse().ok().map(|n: f64| u128::from(n.to_bits())),
                _ => number.ok().map(|n| n & mask),
            };
            // There are many numbers that are none.
            if let Some(shown) = shown.filter(|_| !text.contains("nan")) {
                assert_eq!(shown, bits, "{program}: {change}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared} numbers were compared");
}

#[test]
fn types_and_values_are_in_the_document() {
    let folder = folder();
    let scalars = changes(&document(&folder, &["scalars.c"]));
    for (name, value) in [
        ("byte", "200"),
        ("color", "BLUE"),
        ("none", "3 (no enumerator)"),
        ("both", "READ | WRITE"),
        ("letter", "120 'x'"),
        ("yes", "true"),
        ("minus_zero", "-0.0"),
        ("infinite", "inf"),
        ("wider", "1267650600228229401496703205376"),
    ] {
        assert_eq!(last(&scalars, name), value, "{name}");
    }
    let kind = |name: &str| scalars.iter().find(|change| change["name"] == name).expect("it changes")["type"].clone();
    assert_eq!((kind("byte"), kind("word")), ("unsigned char".into(), "uint16_t".into()));
}

#[test]
fn sources_are_found_from_elsewhere() {
    let folder = Folder::new();
    for sub in ["src", "build", "moved"] {
        fs::create_dir(folder.path().join(sub)).expect("a new folder");
    }
    let text =
        "#include <assert.h>\nextern int input(void);\nint main(void) {\n  int x = input();\n  assert(x < 7);\n}\n";
    fs::write(folder.path().join("src/x.c"), text).expect("the folder takes files");
    let compile = |source: &str, object: &str| {
        let mut clang = Command::new("clang-19");
        clang.args(["-g", "-O1", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", source, "-o", object]);
        assert!(clang.current_dir(folder.path().join("build")).status().expect("clang-19 is there").success());
    };
    let check = |args: &[&str]| {
        let args: Vec<&str> = args.iter().chain(&["--assume-any", "input"]).copied().collect();
        report(&folder, &args)
    };
    // The path is shown as it was given, and the text comes from where the compiler ran.
    compile("../src/x.c", "x.bc");
    let shown = check(&["build/x.bc"]);
    assert!(shown.contains(" --> ../src/x.c:5:3") && shown.contains("assert(x < 7);"), "{shown}");
    assert!(shown.contains("UNSAFE: assert: assertion fails: x < 7, at ../src/x.c:5:3"), "{shown}");
    // clang splits absolute paths.
    let absolute = folder.path().join("src/x.c").display().to_string();
    compile(&absolute, "y.bc");
    let shown = check(&["build/y.bc"]);
    assert!(shown.contains(&format!(" --> {absolute}:5:3")) && shown.contains("assert(x < 7);"), "{shown}");
    // Without the sources there is no text; they may have moved.
    fs::rename(folder.path().join("src/x.c"), folder.path().join("moved/x.c")).expect("it moves");
    let shown = check(&["build/x.bc"]);
    assert!(shown.contains("../src/x.c:5:3") && !shown.contains("assert(x < 7);"), "{shown}");
    let root = folder.path().canonicalize().expect("a path").display().to_string();
    let shown = check(&["build/x.bc", "--source-map", &format!("{root}/src={root}/moved")]);
    assert!(shown.contains("assert(x < 7);"), "{shown}");
    let wrong = folder.clew(&["check", "build/x.bc", "--source-map", "nowhere"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn parameters_of_the_entry_are_shown() {
    let folder = Folder::new();
    let text =
        "#include <assert.h>\nint half(unsigned char n, char *text) {\n  assert(n != 250);\n  return n / 2;\n}\n";
    folder.write("half.c", text);
    let shown = report(&folder, &["half.c", "--entry", "half"]);
    assert!(shown.contains("→ half(n = 250, text = "), "{shown}");
}
