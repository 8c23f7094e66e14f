//! The models of library functions agree with this machine's C library.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clew_testsuite::has_32_bits;

const MODEL_FLAGS: &[&str] = &["-O1", "-fwrapv", "-fno-strict-aliasing", "-fno-builtin", "-ffreestanding", "-msse2"];

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn clang(bits: &str) -> Command {
    let mut clang = Command::new("clang-19");
    clang.arg(bits);
    clang
}

fn c_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension() == Some(OsStr::new("c"))).collect();
    files.sort();
    assert!(!files.is_empty(), "no C files in {}", folder.display());
    files
}

/// The names that a module defines, from its textual IR. Internal names of the models start with `__clew_`.
fn public_names(ir: &str) -> impl Iterator<Item = &str> {
    let definitions = ir.lines().filter(|line| {
        let is_variable = line.starts_with('@') && (line.contains(" global ") || line.contains(" constant "));
        (line.starts_with("define ") || is_variable) && !line.contains(" internal ") && !line.contains(" private ")
    });
    let names = definitions.filter_map(|line| {
        let name = &line[line.find('@')? + 1..];
        Some(&name[..name.find(|c: char| !c.is_alphanumeric() && c != '_')?])
    });
    names.filter(|name| !name.starts_with("__clew_"))
}

/// Renames every model to `model_NAME` in the source, so that calls inserted by clang use the C library, and runs the
/// harness of `testsuite/models`.
fn compare_with_libc(bits: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let models = c_files(&root.join("../frontend-llvm/models"));
    let build = tempfile::tempdir().unwrap();
    let warnings = ["-Wall", "-Wextra", "-Werror"];

    let mut names = BTreeSet::new();
    for model in &models {
        let mut command = clang(bits);
        command.args(MODEL_FLAGS).args(warnings).args([
            "-Xclang",
            "-disable-llvm-passes",
            "-S",
            "-emit-llvm",
            "-o",
            "-",
        ]);
        let ir = run(command.arg(model));
        for name in public_names(&ir) {
            assert!(names.insert(name.to_owned()), "{name} is defined twice");
        }
    }
    let renames: String = names.iter().map(|name| format!("#define {name} model_{name}\n")).collect();
    let rename_header = build.path().join("rename.h");
    fs::write(&rename_header, renames).unwrap();

    let mut objects = Vec::new();
    for model in &models {
        let object = build.path().join(model.file_name().unwrap()).with_extension("model.o");
        run(clang(bits)
            .args(MODEL_FLAGS)
            .arg("-include")
            .arg(&rename_header)
            .arg("-c")
            .arg(model)
            .arg("-o")
            .arg(&object));
        objects.push(object);
    }
    let harness = build.path().join("harness");
    let sources = c_files(&root.join("models"));
    let mut command = clang(bits);
    command.args(["-O1", "-fno-builtin", "-msse2", "-std=gnu17", "-Wall", "-Werror"]);
    run(command.args(sources).args(objects).arg("-lm").arg("-o").arg(&harness));
    let report = run(&mut Command::new(&harness));
    assert!(report.trim_end().ends_with("checks passed"), "{report}");
}

#[test]
fn models_agree_with_libc_in_64_bits() {
    compare_with_libc("-m64");
}

/// Needs the 32-bit C library, which not every machine has.
#[test]
fn models_agree_with_libc_in_32_bits() {
    if has_32_bits("clang-19") {
        compare_with_libc("-m32");
    }
}

/// The definitions of the models precede those of the shared library, under their own names.
#[test]
fn containers_of_cxx_work_on_the_models() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let build = tempfile::tempdir().unwrap();
    let mut objects = Vec::new();
    for name in ["cxx", "cxx_containers"] {
        let object = build.path().join(name).with_extension("o");
        let model = root.join("../frontend-llvm/models").join(name).with_extension("c");
        run(clang("-m64").args(MODEL_FLAGS).arg("-c").arg(model).arg("-o").arg(&object));
        objects.push(object);
    }
    let program = build.path().join("containers");
    let mut command = Command::new("clang++-19");
    command.args(["-std=c++17", "-O1"]).arg(root.join("models/containers.cpp")).args(objects);
    run(command.arg("-o").arg(&program));
    assert_eq!(run(&mut Command::new(&program)), "containers work\n");
}

/// The primitives that the stream headers use, natively.
const STREAM_PRIMITIVES: &str = r#"
#include <stdbool.h>
#include <stdlib.h>
#define ANY(name, type) type __clew_any_##name(void) { return (type)1; }
ANY(bool, bool) ANY(uchar, unsigned char) ANY(short, short) ANY(ushort, unsigned short) ANY(int, int) ANY(uint, unsigned)
ANY(long, long) ANY(ulong, unsigned long) ANY(longlong, long long) ANY(ulonglong, unsigned long long)
ANY(float, float) ANY(double, double) ANY(longdouble, long double)
void __clew_assume(bool fact) { if (!fact) abort(); }
void *__clew_unknown_object(size_t bytes) { return malloc(bytes); }
void __clew_unsupported(const char *what) { (void)what; abort(); }
"#;

/// A program that writes and reads with streams prints the same with Clew's headers and with those of libstdc++.
#[test]
fn streams_agree_with_libstdcxx() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let front_end = root.join("../frontend-llvm");
    let build = tempfile::tempdir().unwrap();
    let primitives = build.path().join("primitives.c");
    fs::write(&primitives, STREAM_PRIMITIVES).unwrap();
    let prelude = build.path().join("prelude.h");
    // As in compile/clang.rs: everything is instantiated in the program.
    let text = "#include <bits/c++config.h>\n#undef _GLIBCXX_EXTERN_TEMPLATE\n#define _GLIBCXX_EXTERN_TEMPLATE 0\n";
    fs::write(&prelude, text).unwrap();
    let mut objects = Vec::new();
    for source in [primitives, front_end.join("models/cxx_text.c")] {
        let object = build.path().join(source.file_name().unwrap()).with_extension("o");
        run(clang("-m64").arg("-c").arg(source).arg("-o").arg(&object));
        objects.push(object);
    }
    let compile = |name: &str, flags: &[&OsStr]| {
        let program = build.path().join(name);
        let mut command = Command::new("clang++-19");
        command.arg("-std=c++17").args(flags).arg(root.join("models/streams.cpp")).args(&objects);
        run(command.arg("-o").arg(&program));
        run(Command::new(&program).current_dir(build.path()))
    };
    let streams = front_end.join("streams");
    let own = [OsStr::new("-isystem"), streams.as_os_str(), OsStr::new("-include"), prelude.as_os_str()];
    let (expected, found) = (compile("theirs", &[]), compile("own", &own));
    assert!(expected.lines().count() > 4000);
    for (expected, found) in expected.lines().zip(found.lines()) {
        assert_eq!(expected, found);
    }
    assert_eq!(expected.lines().count(), found.lines().count());
}
