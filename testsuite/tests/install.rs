//! `scripts/install`, `scripts/package`, `clew config`: what is installed works without the folder it came from.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clew_testsuite::testsuite;
use common::{CommandOutput, Folder};

const UNSAFE: &str = "#include <clew.h>\nint main(void) {\n    clew_assert(clew_any_int() != 7);\n}\n";

fn root() -> &'static Path {
    testsuite().parent().expect("the package is in the repository")
}

/// Runs a command without the variables that lead to this build.
fn run(folder: &Path, program: impl AsRef<Path>, args: &[&str]) -> CommandOutput {
    let program = program.as_ref();
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).env_remove("LD_LIBRARY_PATH").env_remove("CLEW");
    let output = command.output().unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    CommandOutput {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The folder of the built commands.
fn built() -> String {
    clew_testsuite::clew().parent().expect("a folder").display().to_string()
}

/// Installs from a copy of what the script needs, which is removed before this returns.
fn install(folder: &Folder) -> PathBuf {
    let copy = folder.path().join("copy");
    fs::create_dir(&copy).expect("a folder");
    for name in ["scripts", "docs", "README.md", "LICENSE-MIT", "LICENSE-APACHE", ".solvers"] {
        let from = root().join(name).display().to_string();
        let copied = run(folder.path(), "cp", &["-a", &from, &copy.display().to_string()]);
        assert_eq!(copied.code, Some(0), "{copied:?}");
    }
    let prefix = folder.path().join("an installation");
    let script = copy.join("scripts/install");
    let output = run(folder.path(), script, &["--prefix", &prefix.display().to_string(), "--from", &built()]);
    assert_eq!(output.code, Some(0), "{output:?}");
    fs::remove_dir_all(copy).expect("it is there");
    prefix
}

/// Checks that an installation works.
fn works(folder: &Folder, prefix: &Path) {
    let clew = prefix.join("bin/clew");
    folder.write("unsafe.c", UNSAFE);
    let output = run(folder.path(), &clew, &["check", "unsafe.c"]);
    assert_eq!(output.code, Some(10), "{output:?}");
    assert!(output.stdout.contains("confirmed: by running it"), "{output:?}");
    // Bitwuzla and Z3 are those of the installation.
    let output = run(folder.path(), &clew, &["check", "unsafe.c", "--solver", "bitwuzla"]);
    assert_eq!(output.code, Some(10), "{output:?}");
    let libraries = run(folder.path(), "ldd", &[&clew.display().to_string()]);
    let z3 = libraries.stdout.lines().find(|line| line.contains("libz3.so.5")).expect("it is linked").to_string();
    assert!(z3.contains(&*prefix.join("bin/../lib/clew").display().to_string()), "{z3}");
    let bitwuzla = prefix.join("lib/clew/bitwuzla/bin/bitwuzla");
    let original = fs::read(&bitwuzla).expect("it is installed");
    fs::write(&bitwuzla, "#!/bin/sh\necho 77.7\n").expect("it is ours");
    let output = run(folder.path(), &clew, &["--version"]);
    assert!(output.stdout.contains("Bitwuzla 77.7"), "{output:?}");
    fs::write(&bitwuzla, original).expect("it is ours");

    // Files for builds are found from the command.
    let config = |what: &str| PathBuf::from(run(folder.path(), &clew, &["config", what]).stdout.trim());
    assert_eq!(config("include-dir"), prefix.join("include"));
    assert!(config("cmake-dir").join("ClewConfig.cmake").is_file());
    let include = format!("-I{}", config("include-dir").display());
    let pass = format!("-fpass-plugin={}", config("plugin").display());
    folder.write("proof.c", "#include <clew.h>\nCLEW_PROOF void f(void) { clew_assert(clew_any_int() != 7); }\n");
    let output = run(folder.path(), "clang-19", &["-g", &include, &pass, "-c", "proof.c"]);
    assert!(output.stderr.starts_with("proof.c:2:27: warning: clew: assertion fails"), "{output:?}");
    let native = run(folder.path(), "clang-19", &["-DCLEW_NATIVE", &include, "unsafe.c", "-o", "native"]);
    assert_eq!(native.code, Some(0), "{native:?}");
}

#[test]
fn an_installation_works_without_its_source() {
    let folder = Folder::new();
    let prefix = install(&folder);
    works(&folder, &prefix);
    // Everything that is there is listed, and the other way round.
    let manifest = fs::read_to_string(prefix.join("share/clew/manifest")).expect("it is installed");
    let found = run(&prefix, "find", &[".", "-type", "f", "-printf", "%P\n"]).stdout;
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&manifest), sorted(&found));
    for page in ["clew.1", "clew-check.1", "clew-show-cfa.1"] {
        assert!(prefix.join("share/man/man1").join(page).is_file(), "{page}");
    }
    // No page, completion or text tells where it was built.
    let output = run(&prefix, "grep", &["-rlI", &root().display().to_string(), "."]);
    assert_eq!(output.stdout, "");
}

#[test]
fn completions_are_valid_scripts() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let output = folder.clew(&["completions", shell]);
        assert_eq!(output.code, Some(0));
        assert!(output.stdout.contains("time-limit"), "{shell}");
        assert!(!output.stdout.contains("__confined"), "{shell} completes hidden commands");
        folder.write(shell, &output.stdout);
        if is_there(shell) {
            let checked = run(folder.path(), shell, &["-n", shell]);
            assert_eq!((checked.code, checked.stderr.as_str()), (Some(0), ""), "{shell}");
        }
    }
    assert_eq!(folder.clew(&["completions", "tcsh"]).code, Some(2));
}

#[test]
fn a_command_that_is_not_installed_keeps_its_files_in_the_cache() {
    let folder = Folder::new();
    let cache = folder.path().join("cache").display().to_string();
    let with = |args: &[&str]| folder.clew_with(args, &[("XDG_CACHE_HOME", &cache)]);
    let output = with(&["config"]);
    assert_eq!(output.code, Some(0), "{output:?}");
    let names: Vec<&str> = output.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["include-dir", "cflags", "plugin", "cmake-dir"]);
    let include = PathBuf::from(with(&["config", "include-dir"]).stdout.trim());
    assert!(include.starts_with(&cache) && include.join("clew.h").is_file());
    // A file that is missing is written again with the next version; the mark says whether all were written.
    fs::remove_file(include.join("../share/clew/version")).expect("it is there");
    fs::remove_file(include.join("clew.h")).expect("it is there");
    with(&["config", "include-dir"]);
    assert!(include.join("clew.h").is_file());
    // Without a cache there is no place for files.
    let output = folder.clew_with(&["config"], &[("XDG_CACHE_HOME", ""), ("HOME", "")]);
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("set HOME or XDG_CACHE_HOME"), "{output:?}");
    assert_eq!(folder.clew(&["config", "nonsense"]).code, Some(2));
}

#[test]
fn scripts_reject_bad_usage() {
    let folder = Folder::new();
    for script in ["install", "package"] {
        let path = root().join("scripts").join(script);
        let help = run(folder.path(), &path, &["--help"]);
        assert!(help.code == Some(0) && help.stdout.starts_with("Usage: "), "{help:?}");
        for args in [&["--nonsense"][..], &["--from"]] {
            assert_eq!(run(folder.path(), &path, args).code, Some(2), "{script} {args:?}");
        }
    }
    let prefix = folder.path().join("prefix").display().to_string();
    let args = ["--prefix", &prefix, "--from", "/nowhere"];
    let output = run(folder.path(), root().join("scripts/install"), &args);
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.stderr.contains("there is no /nowhere/clew"), "{output:?}");
}

#[test]
fn a_debian_package_works_where_it_is_unpacked() {
    // CI builds the tool if it is missing.
    let has_tool = is_there("cargo-deb") || root().join("target/tools/bin/cargo-deb").is_file();
    if !is_there("dpkg-deb") || !has_tool && std::env::var_os("CI").is_none() {
        println!("skipped: no dpkg-deb or cargo-deb");
        return;
    }
    let folder = Folder::new();
    let output = folder.path().display().to_string();
    let made = run(folder.path(), root().join("scripts/package"), &["--from", &built(), "--output", &output]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let package = made.stdout.trim();
    assert!(package.starts_with(&output) && package.ends_with(".deb"), "{made:?}");
    let control = run(folder.path(), "dpkg-deb", &["-I", package]).stdout;
    assert!(control.contains("Package: clew") && control.contains("clang-19"), "{control}");
    let contents = run(folder.path(), "dpkg-deb", &["-c", package]).stdout;
    for path in [
        "./usr/bin/clew",
        "./usr/include/clew.h",
        "./usr/lib/libclew.so",
        "./usr/lib/clew/libz3.so.5.4",
        "./usr/lib/cmake/Clew/ClewConfig.cmake",
        "./usr/share/man/man1/clew-check.1.gz",
        "./usr/share/bash-completion/completions/clew",
        "./usr/share/zsh/vendor-completions/_clew",
        "./usr/share/fish/vendor_completions.d/clew.fish",
        "./usr/share/doc/clew/user-guide.md",
    ] {
        assert!(contents.lines().any(|line| line.contains(path)), "{path} is missing:\n{contents}");
    }
    let of_root = |line: &str| line.contains(" 0/0 ") || line.contains(" root/root ");
    assert!(contents.lines().all(of_root), "{contents}");
    let unpacked = folder.path().join("unpacked");
    let done = run(folder.path(), "dpkg-deb", &["-x", package, &unpacked.display().to_string()]);
    assert_eq!(done.code, Some(0), "{done:?}");
    works(&folder, &unpacked.join("usr"));
}

#[test]
fn the_cmake_package_compares_verdicts() {
    if !is_there("cmake") || !is_there("ctest") {
        println!("skipped: no cmake");
        return;
    }
    let folder = Folder::new();
    folder.write("unsafe.c", UNSAFE);
    fs::create_dir(folder.path().join("inc")).expect("a folder");
    folder.write("inc/limit.h", "#define LIMIT 10\n");
    let safe = "#include <clew.h>\n#include <limit.h>\nint f(void) {\n    unsigned x = clew_any_uint();\n    \
                clew_assert(x % LIMIT < BOUND);\n    return 0;\n}\n";
    folder.write("safe.c", safe);
    folder.write("lib.c", "#include <limit.h>\nint limit(void) { return LIMIT; }\n");
    let lists = "\
cmake_minimum_required(VERSION 3.20)
project(demo C)
enable_testing()
find_package(Clew 0.1 REQUIRED)
add_library(lib lib.c)
target_include_directories(lib PUBLIC inc)
target_compile_definitions(lib PUBLIC BOUND=10)
clew_add_test(safe SOURCES safe.c ENTRY f TARGET lib TIME_LIMIT 60s)
clew_add_test(bug SOURCES unsafe.c EXPECT UNSAFE)
clew_add_test(wrong SOURCES unsafe.c)
clew_add_test(broken SOURCES missing.c EXPECT UNKNOWN)
";
    folder.write("CMakeLists.txt", lists);
    let found = format!("-DClew_DIR={}", folder.clew(&["config", "cmake-dir"]).stdout.trim());
    let configured = run(folder.path(), "cmake", &["-S", ".", "-B", "build", "-DCMAKE_C_COMPILER=clang-19", &found]);
    assert_eq!(configured.code, Some(0), "{configured:?}");
    let tested = run(&folder.path().join("build"), "ctest", &["--output-on-failure"]);
    for (name, result) in [("safe", "Passed"), ("bug", "Passed"), ("wrong", "***Failed"), ("broken", "***Failed")] {
        let line = tested.stdout.lines().find(|line| line.contains(&format!(": {name} ."))).unwrap_or_default();
        assert!(line.contains(result), "{name}: {}", tested.stdout);
    }
    assert!(tested.stdout.contains("exit code 10 instead of 0"), "{}", tested.stdout);
    // The plugin, while a target is built.
    let verify = "clew_verify(TARGET proofs ENTRY f ERROR)\n";
    let lists = "cmake_minimum_required(VERSION 3.20)\nproject(demo C)\nfind_package(Clew REQUIRED)\n\
                 add_library(proofs OBJECT proofs.c)\n";
    folder.write("proofs.c", UNSAFE.replace("main", "f"));
    folder.write("CMakeLists.txt", format!("{lists}{verify}"));
    let args = ["-S", ".", "-B", "plugin", "-DCMAKE_C_COMPILER=clang-19", &found];
    let configured = run(folder.path(), "cmake", &args);
    assert_eq!(configured.code, Some(0), "{configured:?}");
    let built = run(folder.path(), "cmake", &["--build", "plugin"]);
    assert_ne!(built.code, Some(0));
    let text = format!("{}{}", built.stdout, built.stderr);
    assert!(text.contains("proofs.c:3:5: error: clew: assertion fails"), "{text}");
}
