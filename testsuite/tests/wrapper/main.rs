//! The wrapper around clang: it does what clang does, and what it makes carries bitcode that `clew check` reads.

#[path = "../common/mod.rs"]
mod common;
mod compare;
mod forms;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use clew_testsuite::{has_tool, in_parallel, skip};
use common::{CommandOutput, Folder};
use forms::{FILES, FORMS, Form};

/// The folder of LLVM's tools.
const LLVM: &str = "/usr/lib/llvm-19/bin";

/// The wrapper, which has the name of its language.
fn wrapper(folder: &Folder, name: &str) -> PathBuf {
    let path = folder.path().join("bin").join(name);
    if !path.exists() {
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder takes folders");
        std::os::unix::fs::symlink(clew_testsuite::clew().with_file_name("clew-cc"), &path).expect("a link");
    }
    path
}

/// What a form leaves: the exit code, the output and the messages, and the files.
type Outcome = ((Option<i32>, String, String), BTreeMap<String, Vec<u8>>);

/// Runs a form in a folder with the name `work`, so that all paths are the same for both compilers.
fn run(form: &Form, folder: &Folder, cc: &Path, cxx: &Path) -> Outcome {
    let work = folder.path().join("work");
    let _ = fs::remove_dir_all(&work);
    for (name, text) in FILES {
        let path = work.join(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder takes folders");
        fs::write(&path, text).expect("the folder takes files");
        // Precompiled headers hold these times.
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        File::options().write(true).open(&path).and_then(|file| file.set_modified(time)).expect("times can be set");
    }
    let _ = fs::remove_dir_all(folder.path().join("cache"));
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(form.script).env("CC", cc).env("CXX", cxx).env("LLVM", LLVM).current_dir(&work);
    let output = shell.output().expect("the shell starts");
    let text = |bytes: &[u8]| without_temporary_names(&String::from_utf8_lossy(bytes));
    ((output.status.code(), text(&output.stdout), text(&output.stderr)), compare::files(&work))
}

/// Leaves out the random part of the names of temporary files: `/tmp/main-1a2b3c.o`.
fn without_temporary_names(text: &str) -> String {
    const RANDOM: usize = "-1a2b3c".len();
    let mut words: Vec<String> = text.split_inclusive([' ', '\n', ':', '"']).map(String::from).collect();
    for word in words.iter_mut().filter(|word| word.starts_with("/tmp/")) {
        if let Some(dot) = word.rfind('.').filter(|&dot| dot > RANDOM && word.as_bytes()[dot - RANDOM] == b'-') {
            word.replace_range(dot - RANDOM..dot, "");
        }
    }
    words.concat()
}

/// What differs for a form; nothing if it cannot be run here.
fn problems(form: &Form) -> Vec<String> {
    let folder = Folder::new();
    let (plain, plain_files) = run(form, &folder, "clang-19".as_ref(), "clang++-19".as_ref());
    let (cc, cxx) = (wrapper(&folder, "clew-cc"), wrapper(&folder, "clew-c++"));
    let (wrapped, wrapped_files) = run(form, &folder, &cc, &cxx);
    let mut problems = compare::differences(&plain_files, &wrapped_files);
    if plain != wrapped {
        problems.push(format!("clang: {plain:?}\n    wrapper: {wrapped:?}"));
    }
    let carriers: BTreeSet<&str> = wrapped_files
        .iter()
        .filter(|(_, bytes)| compare::carries_bitcode(bytes))
        .map(|(name, _)| name.as_str())
        .collect();
    if carriers != form.carriers.iter().copied().collect() {
        problems.push(format!("bitcode in {carriers:?}, expected in {:?}", form.carriers));
    }
    problems
}

#[test]
fn all_forms_do_what_clang_does() {
    clew_testsuite::clew();
    let can_run = |form: &&Form| match form.needs {
        Some("ld.gold") if !Path::new("/usr/bin/ld.gold").exists() => {
            skip(&format!("no gold: {}", form.name));
            false
        }
        Some("ld.lld") => has_tool(&format!("{LLVM}/ld.lld")),
        Some("ccache") => has_tool("/usr/bin/ccache"),
        _ => true,
    };
    let forms: Vec<&Form> = FORMS.iter().filter(can_run).collect();
    let results = in_parallel(&forms, |form| problems(form));
    let failed: Vec<String> = forms
        .iter()
        .zip(results)
        .filter(|(_, problems)| !problems.is_empty())
        .map(|(form, problems)| format!("{}:\n    {}", form.name, problems.join("\n    ")))
        .collect();
    assert!(failed.is_empty(), "{} of {} forms:\n{}", failed.len(), forms.len(), failed.join("\n"));
}

/// A program whose assertion holds if `MAX` is at least 100.
const PROGRAM: &[(&str, &str)] = &[
    ("limit.h", "int limit(int);\n"),
    ("limit.c", "#include \"limit.h\"\nint limit(int x) { return x > 100 ? 100 : x; }\n"),
    (
        "app.c",
        "#include <assert.h>\n#include <stdlib.h>\n#include \"limit.h\"\n\
         int main(void) { int x = limit(rand()); assert(x <= MAX); return 0; }\n",
    ),
    ("more.c", "int more(int x) { return x + 1; }\n"),
];

/// A folder with the program, and how scripts run there.
struct Project(Folder);

impl Project {
    fn new() -> Project {
        let folder = Folder::new();
        for (name, text) in PROGRAM {
            folder.write(name, text);
        }
        clew_testsuite::clew();
        wrapper(&folder, "clew-cc");
        wrapper(&folder, "clew-c++");
        Project(folder)
    }

    fn run_with(&self, script: &str, variables: &[(&str, &str)]) -> CommandOutput {
        let clew = clew_testsuite::clew().parent().expect("it is in a folder").display();
        let path = format!("{}/bin:{clew}:{}", self.0.path().display(), std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        shell.arg("-ec").arg(script).envs(variables.iter().copied()).env("PATH", path).env("LLVM", LLVM);
        let output = shell.current_dir(self.0.path()).output().expect("the shell starts");
        CommandOutput {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    fn run(&self, script: &str) -> CommandOutput {
        self.run_with(script, &[])
    }

    /// Runs a script that builds `app` and `bad`, which differ in `$MAX`, and checks both.
    #[track_caller]
    fn check(&self, script: &str) {
        for (max, code, verdict) in [("100", 0, "SAFE"), ("99", 10, "UNSAFE")] {
            let output = self.run_with(&format!("{script}\nclew check app"), &[("MAX", max)]);
            let last = output.stdout.lines().last().unwrap_or("");
            assert!(
                output.code == Some(code) && last.starts_with(verdict),
                "{script}\nMAX={max}: {:?}\n{}\n{}",
                output.code,
                output.stdout,
                output.stderr
            );
        }
    }
}

#[test]
fn what_is_linked_in_any_way_is_verified() {
    let mut scripts = vec![
        "clew-cc -DMAX=$MAX app.c limit.c more.c -o app",
        "clew-cc -O2 -DMAX=$MAX -c app.c limit.c more.c; clew-cc app.o limit.o more.o -o app; strip -g app",
        "clew-cc -O2 -DMAX=$MAX -c app.c limit.c more.c; ld -r limit.o more.o -o both.o; clew-cc app.o both.o -o app",
        "clew-cc -DMAX=$MAX -c app.c limit.c more.c; rm -f l.a; ar rcs l.a limit.o more.o; ranlib l.a; clew-cc app.o l.a -o app",
        "clew-cc -DMAX=$MAX -c app.c limit.c more.c; rm -f l.a; $LLVM/llvm-ar rcT l.a limit.o more.o; clew-cc app.o l.a -o app",
        "clew-cc -DMAX=$MAX -S app.c limit.c; clew-cc app.s limit.s more.c -o app",
        "clew-cc -m32 -c -DMAX=$MAX app.c limit.c more.c; ld -m elf_i386 -r app.o limit.o more.o -o app",
        "clew-cc -DMAX=$MAX -x c - limit.c more.c -I. -o app < app.c",
        "clew-c++ -DMAX=$MAX -x c app.c limit.c more.c -o app",
        "clew-cc -fsanitize=address,undefined --coverage -DMAX=$MAX app.c limit.c more.c -o app",
    ];
    if has_tool(&format!("{LLVM}/ld.lld")) {
        scripts.push("clew-cc -DMAX=$MAX -c app.c limit.c more.c; clew-cc -fuse-ld=lld app.o limit.o more.o -o app");
        scripts.push(
            "clew-cc -O2 -flto -DMAX=$MAX -c app.c limit.c more.c; rm -f l.a; $LLVM/llvm-ar rcs l.a limit.o more.o; \
             clew-cc -O2 -flto -fuse-ld=lld app.o l.a -o app",
        );
    }
    if Path::new("/usr/bin/ld.gold").exists() {
        scripts.push("clew-cc -DMAX=$MAX -c app.c limit.c more.c; clew-cc -fuse-ld=gold app.o limit.o more.o -o app");
    }
    in_parallel(&scripts, |script| Project::new().check(script));
}

#[test]
fn archives_and_libraries_are_verified_with_a_harness() {
    let scripts = [
        "rm -f l.a; clew-cc -c limit.c; ar rcs l.a limit.o; clew check app.c l.a -- -DMAX=$MAX && cp l.a app",
        "rm -f l.a; clew-cc -c limit.c; ar rcsT l.a limit.o; clew check app.c l.a -- -DMAX=$MAX && cp l.a app",
        "clew-cc -shared -fPIC limit.c -o l.so; clew check app.c l.so -- -DMAX=$MAX",
        "clew-cc -c limit.c; clew check app.c limit.o -- -DMAX=$MAX",
        "clew-cc -O2 -flto -c limit.c; clew check app.c limit.o -- -DMAX=$MAX",
    ];
    in_parallel(&scripts, |script| {
        let project = Project::new();
        for (max, code) in [("100", 0), ("99", 10)] {
            let output = project.run_with(script, &[("MAX", max)]);
            assert_eq!(output.code, Some(code), "{script}: {}{}", output.stdout, output.stderr);
        }
    });
}

#[test]
fn what_has_no_bitcode_is_named() {
    let project = Project::new();
    let output = project.run("clang-19 -c limit.c; clew-cc -DMAX=100 app.c limit.o -o app more.c; clew check app");
    assert_eq!(output.code, Some(20), "{}{}", output.stdout, output.stderr);
    assert!(output.stderr.contains("app: carries no bitcode of `limit`, which is external"), "{}", output.stderr);
    let output = project.run("clang-19 -c limit.c; clew check limit.o");
    assert_eq!(output.code, Some(3));
    assert!(output.stderr.contains("limit.o: carries no bitcode; build it with clew-cc"), "{}", output.stderr);
}

#[test]
fn bitcode_that_does_not_compile_does_not_fail_the_build() {
    let project = Project::new();
    // Bitcode is compiled without sanitizers.
    project.0.write("odd.c", "#if !__has_feature(address_sanitizer)\n#error no sanitizer\n#endif\nint odd;\n");
    let output = project.run("clew build -- sh -c '$CC -fsanitize=address -c odd.c'");
    assert_eq!((output.code, output.stdout.as_str()), (Some(0), ""));
    assert!(output.stderr.contains("odd.c: odd.c:2:2: error: no sanitizer"), "{}", output.stderr);
    let output = project.run("clew check odd.o");
    assert_eq!(output.code, Some(3));
    assert!(output.stderr.contains("odd.o: carries no bitcode"), "{}", output.stderr);
}

#[test]
fn functions_that_the_linker_replaces_are_refused() {
    let project = Project::new();
    project.0.write("wrap.c", "int __wrap_limit(int x) { return x; }\n");
    let output = project.run("clew-cc -DMAX=100 app.c limit.c more.c wrap.c -Wl,--wrap=limit -o app; clew check app");
    assert_eq!(output.code, Some(3), "{}", output.stdout);
    assert!(output.stderr.contains("`__wrap_limit` may replace `limit`"), "{}", output.stderr);
}

#[test]
fn a_violation_fails_the_link() {
    let project = Project::new();
    let build = "clew-cc -DMAX=$MAX app.c limit.c more.c -o app";
    let output = project.run_with(build, &[("MAX", "99"), ("CLEW_CHECK", "1")]);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    assert!(output.stderr.contains("UNSAFE: assert") && output.stderr.contains("clew-cc: error: app violates"));
    assert_eq!(output.stdout, "");
    assert!(!project.0.path().join("app").exists(), "the program is removed");
    let output = project.run_with(&format!("{build} --verify"), &[("MAX", "100")]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert!(output.stderr.ends_with("SAFE\n"), "{}", output.stderr);
    // Without a verdict, the build goes on.
    let flags = [("MAX", "99"), ("CLEW_CHECK", "1"), ("CLEW_CHECK_FLAGS", "--config bmc --bound 1 --externals error")];
    let output = project.run_with("clang-19 -c limit.c; clew-cc -DMAX=$MAX app.c more.c limit.o -o app", &flags);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert!(output.stderr.contains("UNKNOWN"), "{}", output.stderr);
}

#[test]
fn objects_are_the_same_each_time() {
    let project = Project::new();
    project.0.write("s.cpp", "#include <string>\nint f(std::string s) { return s.size(); }\n");
    let output = project.run(
        "clew-c++ -c s.cpp -o one.o; clew-c++ -c s.cpp -o two.o; cmp one.o two.o; \
         clew-cc -DMAX=1 app.c limit.c more.c -o one; clew-cc -DMAX=1 app.c limit.c more.c -o two; cmp one two",
    );
    assert_eq!(output.code, Some(0), "{}{}", output.stdout, output.stderr);
}

#[test]
fn a_build_is_recorded() {
    let project = Project::new();
    project
        .0
        .write("Makefile", "app: app.o limit.o more.o\n\t$(CC) -o $@ $^\n%.o: %.c\n\t$(CC) -DMAX=$(MAX) -c -o $@ $<\n");
    let output = project.run_with("clew build -- make -s -j3", &[("MAX", "99")]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert_eq!(output.stderr, "clew: note: 3 sources compiled, recorded in .clew/compile_commands.json\n");
    assert_eq!(project.run("clew check app").code, Some(10));
    // The database says the same without the objects.
    let all = "clew check --build .clew/compile_commands.json";
    assert_eq!(project.run(&format!("rm app *.o; {all}")).code, Some(10));
    let output =
        project.run(&format!("cd bin; clew check ../app.c --build ../{} --unit limit.c -- -DMAX=100", &all[19..]));
    assert_eq!(output.code, Some(0), "{}{}", output.stdout, output.stderr);
    assert_eq!(project.run("clew build -- sh -c 'exit 7'").code, Some(7));
    assert_eq!(project.run("clew build -- no-such-command").code, Some(2));
    assert_eq!(project.run("clew build").code, Some(2));
}

#[test]
fn a_build_is_verified_by_its_database() {
    let project = Project::new();
    let folder = project.0.path().display().to_string();
    let entry = |file: &str, output: &str, max: u32| {
        format!(
            r#"{{"directory": "{folder}", "file": "{file}", "command": "/usr/bin/cc -O2 -DMAX={max} -o {output} -c {file}"}}"#
        )
    };
    let entries = [
        entry("app.c", "CMakeFiles/good.dir/app.c.o", 100),
        entry("limit.c", "CMakeFiles/good.dir/limit.c.o", 100),
        entry("app.c", "CMakeFiles/bad.dir/app.c.o", 99),
        entry("limit.c", "CMakeFiles/bad.dir/limit.c.o", 99),
    ];
    project.0.write("db.json", format!("[{}]", entries.join(",\n")));
    let verdict = |arguments: &str| project.run(&format!("clew check --build db.json {arguments}"));
    assert_eq!(verdict("--target good").code, Some(0));
    let bad = verdict("--target bad --json");
    assert_eq!(bad.code, Some(10), "{}", bad.stderr);
    project.0.write("report.json", &bad.stdout);
    assert_eq!(project.run("clew replay report.json").code, Some(10));
    let text = verdict("--target bad").stdout;
    assert!(text.contains("replay: clew run --build=db.json --target=bad\n"), "{text}");
    for (arguments, code, message) in [
        ("--target other", 2, "db.json: no target `other`; it has bad, good"),
        ("--unit other.c", 2, "db.json: no unit `other.c`; it has app.c, limit.c"),
        ("", 3, "`main` is defined twice"),
    ] {
        let output = verdict(arguments);
        assert_eq!(output.code, Some(code), "{arguments}: {}", output.stderr);
        assert!(output.stderr.contains(message), "{}", output.stderr);
    }
    for (text, message) in [("[]", "has no entries"), ("{", "it is no compilation database"), ("[{}]", "missing field")]
    {
        project.0.write("db.json", text);
        let output = verdict("");
        assert_eq!(output.code, Some(2));
        assert!(output.stderr.contains(message), "{}", output.stderr);
    }
    assert_eq!(project.run("clew check --build nothing.json").code, Some(2));
    assert_eq!(project.run("clew check app.c --unit limit.c").code, Some(2));
}
