//! The list of harnesses is complete, and the native driver tells whether a claim holds. Libraries are not fetched here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use clew_testsuite::bench::task::rows;
use clew_testsuite::{succeed, testsuite};

fn read(name: &str) -> String {
    fs::read_to_string(testsuite().join("harnesses").join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_harness_is_listed_once() {
    let list = read("harnesses.tsv");
    let listed: Vec<&str> = rows(&list).iter().map(|row| row["files"].split(' ').next().expect("a file")).collect();
    let unique: BTreeSet<String> = listed.iter().map(|file| (*file).to_owned()).collect();
    assert_eq!(unique.len(), listed.len(), "a file is listed twice");
    let mut there = BTreeSet::new();
    for folder in ["c", "cpp"] {
        for entry in fs::read_dir(testsuite().join("harnesses").join(folder)).expect("the folder is there") {
            there.insert(format!("{folder}/{}", entry.expect("an entry").file_name().to_string_lossy()));
        }
    }
    assert_eq!(unique, there);
    for row in rows(&list) {
        assert!(["true", "false"].contains(&row["expected"]), "{row:?}");
    }
}

/// What `#include "LIBRARY/…"` and `{libraries}/LIBRARY/…` name.
fn libraries_in(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for mark in ["#include \"", "{libraries}/"] {
        for (at, _) in text.match_indices(mark) {
            let rest = &text[at + mark.len()..];
            let path = &rest[..rest.find(['"', ' ', '\t', '\n']).unwrap_or(rest.len())];
            if let Some((library, _)) = path.split_once('/') {
                names.insert(library.to_owned());
            }
        }
    }
    names
}

#[test]
fn libraries_are_pinned_and_used() {
    let list = read("harnesses.tsv");
    let mut used = libraries_in(&list);
    for row in rows(&list) {
        used.extend(libraries_in(&read(row["files"].split(' ').next().expect("a file"))));
    }
    let pinned = read("libraries.tsv");
    let mut names = BTreeSet::new();
    for row in rows(&pinned) {
        assert!(row["sha256"].len() == 64 && row["sha256"].bytes().all(|byte| byte.is_ascii_hexdigit()), "{row:?}");
        assert!(
            row["url"].starts_with("https://static.crates.io/") || row["url"].starts_with("http://deb.debian.org/")
        );
        assert!(names.insert(row["name"].to_owned()), "{row:?} is there twice");
    }
    assert_eq!(used, names);
}

/// Compiles a harness with the driver, as `scripts/harnesses` does, and runs it.
fn native(folder: &Path, body: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let corpus = testsuite().join("harnesses");
    let (source, object, program) = (folder.join("h.c"), folder.join("h.o"), folder.join("h"));
    fs::write(&source, format!("#include \"harness.h\"\nint main(void) {{ {body} }}\n"))
        .expect("the folder takes files");
    succeed(Command::new("clang-19").arg("-I").arg(&corpus).arg("-c").arg(&source).arg("-o").arg(&object))
        .expect("it compiles");
    succeed(Command::new("objcopy").arg("--redefine-sym").arg("main=harness_main").arg(&object))
        .expect("main is renamed");
    let driver = corpus.join("native.c");
    succeed(Command::new("clang-19").arg(&object).arg(driver).arg("-o").arg(&program)).expect("it links");
    let output = Command::new(&program).args(arguments).output().expect("it starts");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[test]
fn the_driver_enumerates_and_finds() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |body: &str, arguments: &[&str]| native(folder.path(), body, arguments);
    let two = "unsigned char b[2]; any_bytes(b, 2);";
    assert_eq!(run(&format!("{two} claim(b[0] + b[1] < 511);"), &["100"]), (Some(0), "holds, exhaustive".to_owned()));
    assert_eq!(
        run(&format!("{two} claim(b[0] != 255 || b[1] != 254);"), &["100"]),
        (Some(10), "fails: 255,254".to_owned())
    );
    assert_eq!(run(&format!("{two} claim(b[0] != 7);"), &["1", "7,0"]), (Some(10), "fails: 7,0".to_owned()));
    assert_eq!(run(&format!("{two} claim(b[0] != 7);"), &["1", "8,0"]), (Some(0), "holds, 1 run".to_owned()));
    // The second byte is only read sometimes, and the assumption cuts the rest.
    let some = "unsigned a = any_below(3); if (a == 2) claim(__VERIFIER_nondet_uchar() != 99);";
    assert_eq!(run(some, &["100"]), (Some(10), "fails: 2,99".to_owned()));
    let (code, text) = run("unsigned long x = __VERIFIER_nondet_ulong(); claim(x != 0x1122334455667788);", &["0.2"]);
    assert!(code == Some(0) && text.starts_with("holds, ") && text.ends_with(" runs"), "{text}");
}
