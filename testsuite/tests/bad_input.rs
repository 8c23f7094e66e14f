//! Bad input gives one clear message, the right exit code and no panic.

mod common;

use std::fs;

use common::Folder;

const USAGE: i32 = 2;
const INPUT: i32 = 3;

/// Runs clew and checks that it fails with this exit code and a message that contains these words.
fn check(folder: &Folder, args: &[&str], code: i32, words: &[&str]) {
    check_with(folder, args, &[], code, words);
}

fn check_with(folder: &Folder, args: &[&str], variables: &[(&str, &str)], code: i32, words: &[&str]) {
    let outcome = folder.clew_with(args, variables);
    assert_eq!(outcome.code, Some(code), "{args:?}: {outcome:?}");
    assert_eq!(outcome.stdout, "", "{args:?}");
    for word in words {
        assert!(outcome.stderr.contains(word), "{args:?}: no {word:?} in: {}", outcome.stderr);
    }
    let messages = outcome.stderr.lines().filter(|line| line.starts_with("error:") || line.starts_with("clew: "));
    assert_eq!(messages.count(), 1, "{args:?}: {}", outcome.stderr);
    assert!(!outcome.stderr.contains("panicked") && !outcome.stderr.contains("internal error"), "{outcome:?}");
}

const PROGRAM: &str = "int main(void) { return 0; }";

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("dir.c")).unwrap();
    check(&folder, &["show", "cfa", "none.c"], USAGE, &["none.c: no such file"]);
    check(&folder, &["run", "none.bc"], USAGE, &["none.bc: no such file"]);
    check(&folder, &["show", "cfa", "dir.c"], USAGE, &["dir.c: is a directory"]);
    check(&folder, &["show", "cfa", "."], USAGE, &["is a directory"]);
}

#[test]
fn empty_files() {
    let folder = Folder::new();
    for name in ["a.c", "a.cpp", "a.ll", "a.bc", "a.o", "a"] {
        folder.write(name, "");
        check(&folder, &["show", "cfa", name], INPUT, &[name, "the file is empty"]);
    }
    folder.write("comment.c", "// nothing\n");
    check(&folder, &["show", "cfa", "comment.c"], INPUT, &["no function `main`"]);
}

#[test]
fn unknown_kinds() {
    let folder = Folder::new();
    folder.write("a.txt", "hello");
    folder.write("noext", "hello");
    for name in ["a.txt", "noext"] {
        check(&folder, &["show", "cfa", name], USAGE, &[name, "neither C, C++"]);
    }
}

#[test]
fn syntax_errors_show_the_words_of_clang() {
    let folder = Folder::new();
    folder.write("a.c", "int main(void) {\n  return 0\n}\n");
    folder.write("a.cpp", "int main() { return nothing; }\n");
    folder.write("binary.c", [0u8, 159, 146, 150, 7].repeat(50));
    check(&folder, &["show", "cfa", "a.c"], INPUT, &["a.c:2:11: error: expected ';'"]);
    check(&folder, &["show", "cfa", "a.cpp"], INPUT, &["a.cpp:1:21: error: use of undeclared identifier 'nothing'"]);
    check(&folder, &["show", "cfa", "binary.c"], INPUT, &["does not compile"]);
}

#[test]
fn missing_headers_and_bad_clang_flags() {
    let folder = Folder::new();
    folder.write("a.c", "#include \"none.h\"\nint main(void) { return 0; }\n");
    folder.write("b.c", PROGRAM);
    check(&folder, &["show", "cfa", "a.c"], INPUT, &["'none.h' file not found"]);
    check(&folder, &["show", "cfa", "b.c", "--", "--no-such-flag"], INPUT, &["--no-such-flag"]);
}

#[test]
fn no_entry() {
    let folder = Folder::new();
    folder.write("a.c", "int helper(void) { return 0; }\n");
    check(&folder, &["show", "cfa", "a.c"], INPUT, &["no function `main`; choose with --entry", "`helper`"]);
    check(&folder, &["show", "cfa", "a.c", "--entry", "x"], INPUT, &["no function `x`; choose with --entry"]);
}

#[test]
fn damaged_bitcode() {
    let folder = Folder::new();
    folder.clang(PROGRAM, &["-c", "-emit-llvm", "-o", "good.bc"]);
    let good = fs::read(folder.path().join("good.bc")).unwrap();
    folder.write("short.bc", &good[..good.len() / 2]);
    folder.write("magic.bc", b"BC\xC0\xDE");
    folder.write("noise.bc", [b"BC\xC0\xDE", &[0xA5u8; 400][..]].concat());
    folder.write("text.bc", "not bitcode at all");
    folder.write("short.c", &good[..good.len() - 8]);
    for name in ["short.bc", "magic.bc", "noise.bc", "text.bc", "short.c"] {
        check(&folder, &["show", "cfa", name], INPUT, &[name, "not valid for LLVM 19"]);
    }
}

#[test]
fn bitcode_of_a_newer_llvm() {
    let folder = Folder::new();
    folder.clang(PROGRAM, &["-c", "-emit-llvm", "-o", "good.bc"]);
    let mut bits = Bits::of(&fs::read(folder.path().join("good.bc")).unwrap());
    bits.replace(&Bits::char6("LLVM19"), &Bits::char6("LLVM97"));
    let newer = bits.bytes();
    // The format is stable: bitcode of a newer LLVM is readable if it uses no new features.
    folder.write("readable.bc", &newer);
    assert_ne!(folder.clew(&["show", "cfa", "readable.bc"]).code, Some(INPUT));
    // An unknown code represents a new feature.
    let mut unknown = newer.clone();
    let middle = unknown.len() / 2;
    unknown[middle..middle + 64].fill(0xFF);
    folder.write("newer.bc", unknown);
    check(&folder, &["show", "cfa", "newer.bc"], INPUT, &["written by LLVM 97", "up to LLVM 19"]);
}

/// A bit stream as in bitcode: least significant bit of each byte first.
struct Bits(Vec<bool>);

impl Bits {
    fn of(bytes: &[u8]) -> Bits {
        Bits(bytes.iter().flat_map(|byte| (0..8).map(move |i| byte >> i & 1 == 1)).collect())
    }

    /// Text in the 6-bit encoding of identifiers in bitcode.
    fn char6(text: &str) -> Bits {
        let code = |c: u8| match c {
            b'a'..=b'z' => c - b'a',
            b'A'..=b'Z' => c - b'A' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            _ => unreachable!("no letter or digit"),
        };
        Bits(text.bytes().flat_map(|c| (0..6).map(move |i| code(c) >> i & 1 == 1)).collect())
    }

    fn replace(&mut self, old: &Bits, new: &Bits) {
        let at = self.0.windows(old.0.len()).position(|window| window == old.0).expect("the producer is there");
        self.0[at..at + new.0.len()].copy_from_slice(&new.0);
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit))).collect()
    }
}

#[test]
fn invalid_assembly() {
    let folder = Folder::new();
    folder.write("syntax.ll", "define i32 @main() { ret i32 }\n");
    folder.write("rules.ll", "define i32 @main() {\n  %a = add i32 %b, 1\n  %b = add i32 %a, 1\n  ret i32 %b\n}\n");
    folder.write("big.ll", "target datalayout = \"E-m:e\"\ndefine i32 @main() { ret i32 0 }\n");
    check(&folder, &["show", "cfa", "syntax.ll"], INPUT, &["syntax.ll", "expected"]);
    check(&folder, &["show", "cfa", "rules.ll"], INPUT, &["rules.ll", "dominate"]);
    check(&folder, &["show", "cfa", "big.ll"], INPUT, &["big.ll", "big-endian"]);
}

#[test]
fn binaries_without_or_with_damaged_bitcode() {
    let folder = Folder::new();
    folder.clang(PROGRAM, &["-o", "app"]);
    check(&folder, &["show", "cfa", "app"], INPUT, &["app: carries no bitcode"]);
    folder.clang(PROGRAM, &["-c", "-fembed-bitcode", "-o", "good.o"]);
    let good = fs::read(folder.path().join("good.o")).unwrap();
    folder.write("short.o", &good[..good.len() / 3]);
    folder.write("elf.o", b"\x7FELF");
    folder.write("archive.a", b"!<arch>\nnonsense");
    folder.write("text.o", "no object");
    for name in ["short.o", "elf.o", "archive.a", "text.o"] {
        check(&folder, &["show", "cfa", name], INPUT, &[name, "damaged object file or archive"]);
    }
}

#[test]
fn files_that_do_not_fit_together() {
    let folder = Folder::new();
    folder.write("a.c", PROGRAM);
    folder.write("b.c", PROGRAM);
    folder.clang("int x;", &["-m32", "-c", "-emit-llvm", "-o", "x.bc"]);
    check(&folder, &["show", "cfa", "a.c", "b.c"], INPUT, &["`main` is defined twice: in a.c and in b.c"]);
    check(&folder, &["show", "cfa", "--lp64", "a.c", "x.bc"], USAGE, &["x.bc: compiled for ILP32", "LP64"]);
}

#[test]
fn bad_command_lines() {
    let folder = Folder::new();
    folder.write("a.c", PROGRAM);
    check(&folder, &["show", "cfa", "--no-such-flag", "a.c"], USAGE, &["--no-such-flag"]);
    check(&folder, &["no-such-command"], USAGE, &["no-such-command"]);
    check(&folder, &["show", "cfa"], USAGE, &["FILES"]);
    check(&folder, &["show", "cfa", "--ilp32", "--lp64", "a.c"], USAGE, &["--lp64"]);
    check(&folder, &["show", "cfa", "--format", "png", "a.c"], USAGE, &["png", "text, dot, svg, json"]);
    check(&folder, &["run", "a.c", "--inputs", "1,two"], USAGE, &["`two` is not a number"]);
    check(&folder, &["run", "a.c", "--inputs-file", "none"], USAGE, &["none", "No such file"]);
}

#[test]
fn no_clang_on_the_machine() {
    let folder = Folder::new();
    folder.write("a.c", PROGRAM);
    let none = [("CLEW_CLANG", "/no/such/clang")];
    check_with(&folder, &["show", "cfa", "a.c"], &none, INPUT, &["/no/such/clang", "scripts/setup"]);
    let other = [("CLEW_CLANG", "/bin/true")];
    check_with(&folder, &["show", "cfa", "a.c"], &other, INPUT, &["not a clang", "scripts/setup"]);
}

#[test]
fn nothing_is_left_behind() {
    let (folder, temporary) = (Folder::new(), Folder::new());
    folder.write("good.c", PROGRAM);
    folder.write("bad.c", "int main(void) {");
    folder.write("bad.bc", b"BC\xC0\xDE");
    let place = temporary.path().display().to_string();
    for name in ["good.c", "bad.c", "bad.bc"] {
        folder.clew_with(&["show", "cfa", name], &[("TMPDIR", &place)]);
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0, "{name}");
    }
}
