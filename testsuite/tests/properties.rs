//! `--property`: its values, and its verdicts on bitcode that may lack checks.

mod common;

use common::{CommandOutput, Folder};

const SUM: &str = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    return x + 1 > 3;
}
";

const NO_SUM: &str = "int main(void) { return 0; }\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("sum.c", SUM);
    folder.write("none.c", NO_SUM);
    folder
}

fn last_line(outcome: &CommandOutput) -> &str {
    outcome.stdout.lines().last().unwrap_or("")
}

#[track_caller]
fn expect(outcome: &CommandOutput, code: i32, words: &str) {
    assert_eq!(outcome.code, Some(code), "{outcome:?}");
    assert!(last_line(outcome).contains(words), "{outcome:?}");
}

#[test]
fn without_a_selection_nothing_is_added() {
    // Nothing to check is not SAFE.
    expect(&folder().clew(&["check", "sum.c"]), 20, "nothing to check");
}

#[test]
fn lists_and_names_of_the_competition() {
    let folder = folder();
    for list in ["overflow", "no-overflow", "bounds,overflow", "ub", "assert,ub"] {
        let outcome = folder.clew(&["check", "sum.c", "--property", list]);
        expect(&outcome, 10, "UNSAFE: overflow: x + 1 overflows int (x = 2147483647), at sum.c:4:14");
    }
    expect(&folder.clew(&["check", "sum.c", "--property", "bounds,division"]), 0, "SAFE");
}

#[test]
fn the_run_that_is_suggested_violates_the_property() {
    let folder = folder();
    let outcome = folder.clew(&["check", "sum.c", "--property", "overflow"]);
    let replay = outcome.stdout.lines().find_map(|line| line.strip_prefix("replay: clew ")).expect("a command");
    let words: Vec<&str> = replay.split(' ').collect();
    expect(&folder.clew(&words), 10, "violated overflow: x + 1 overflows int");
}

#[test]
fn values_that_are_no_property() {
    let folder = folder();
    folder.write("empty.prp", "\n");
    folder.write("other.prp", "CHECK( init(main()), LTL(G ! call(foo())) )\n");
    folder.write("cover.prp", "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n");
    for bad in ["", "nonsense", "overflow,", "overflow,nonsense", "missing.prp", "empty.prp", "other.prp", "cover.prp"]
    {
        let outcome = folder.clew(&["check", "sum.c", "--property", bad]);
        assert_eq!(outcome.code, Some(2), "{bad}: {outcome:?}");
        assert!(outcome.stdout.is_empty() && outcome.stderr.contains("--property"), "{bad}: {outcome:?}");
    }
}

#[test]
fn property_files() {
    let folder = folder();
    folder.write("overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    folder.write("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n");
    folder.write("memory.prp", "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n");
    expect(&folder.clew(&["check", "sum.c", "--property", "overflow.prp"]), 10, "UNSAFE: overflow: ");
    expect(&folder.clew(&["check", "sum.c", "--property", "reach.prp"]), 0, "SAFE");
    let unknown = "UNKNOWN: the property valid-free cannot be checked yet";
    expect(&folder.clew(&["check", "sum.c", "--property", "memory.prp"]), 20, unknown);
    expect(&folder.clew(&["check", "sum.c", "--property", "reach.prp,overflow.prp"]), 10, "UNSAFE: overflow: ");
}

#[test]
fn flags_of_the_user_do_not_turn_checks_off() {
    let folder = folder();
    for flag in ["-fwrapv", "-fno-sanitize=all", "-fno-strict-overflow", "-fno-sanitize-trap=all"] {
        let outcome = folder.clew(&["check", "sum.c", "--property", "overflow", "--", flag]);
        expect(&outcome, 10, "UNSAFE: overflow: ");
    }
}

#[test]
fn bitcode_without_checks_is_never_safe() {
    let folder = folder();
    folder.clang(SUM, &["-c", "-emit-llvm", "-o", "sum.bc"]);
    let unknown = "UNKNOWN: bitcode may have been compiled without the checks for overflow";
    expect(&folder.clew(&["check", "sum.bc", "--property", "overflow"]), 20, unknown);
    expect(&folder.clew(&["check", "sum.bc", "--property", "assert"]), 0, "SAFE");
    folder.clang("int f(int x) { return x + 1; }\n", &["-c", "-emit-llvm", "-o", "f.bc"]);
    folder.write("main.c", "int f(int);\nint main(void) { return f(3); }\n");
    expect(&folder.clew(&["check", "main.c", "f.bc", "--property", "overflow"]), 20, unknown);
    folder.write("bug.c", "int f(int);\nint main(void) { return 2147483647 + f(3); }\n");
    expect(&folder.clew(&["check", "bug.c", "f.bc", "--property", "overflow"]), 10, "UNSAFE: overflow: ");
}

#[test]
fn checks_in_bitcode_are_told_apart() {
    let folder = folder();
    let source = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int *p = x == 5 ? &y : 0;
    if (y == 7)
        return *p;
    return x / y;
}
";
    let checks = "signed-integer-overflow,integer-divide-by-zero,null,alignment";
    let flags = [format!("-fsanitize={checks}"), format!("-fsanitize-trap={checks}")];
    for level in ["-O0", "-O1"] {
        folder.clang(source, &["-c", "-emit-llvm", "-o", "all.bc", level, &flags[0], &flags[1]]);
        for kind in ["overflow", "division"] {
            let outcome = folder.clew(&["check", "all.bc", "--property", kind]);
            expect(&outcome, 10, &format!("UNSAFE: {kind}: "));
        }
        // The optimizer rewrites the condition, so that it does not determine the kind.
        let (code, words) =
            if level == "-O0" { (10, "UNSAFE: null: p is null") } else { (20, "one of null, alignment") };
        expect(&folder.clew(&["check", "all.bc", "--property", "null"]), code, words);
        // Traps in bitcode count as properties of the program.
        expect(&folder.clew(&["check", "all.bc"]), 10, "UNSAFE: ");
        expect(&folder.clew(&["check", "all.bc", "--property", "unreach-call"]), 0, "SAFE");
    }
}

/// The programs have no undefined behaviour, except for one with misaligned pointers.
#[test]
fn checks_do_not_change_what_programs_do() {
    const KINDS: &str = "overflow,bounds,null,division,shift,return,unreachable,load,nonnull,pointer-overflow";
    let programs = clew_testsuite::testsuite().join("programs");
    let names = std::fs::read_dir(&programs).expect("the folder is there");
    let names = names.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let names: Vec<String> = names.filter(|name| name.ends_with(".c") || name.ends_with(".cpp")).collect();
    let run = |name: &str, more: &[&str]| {
        let mut command = std::process::Command::new(clew_testsuite::clew());
        command.args(["run", name, "--max-steps", "1000000"]).args(more).current_dir(&programs);
        let outcome = clew_testsuite::run_for(&mut command, std::time::Duration::from_secs(120));
        (outcome.code, outcome.stdout.lines().last().unwrap_or("").to_string())
    };
    let differences = clew_testsuite::in_parallel(&names, |name| {
        let (plain, checked) = (run(name, &[]), run(name, &["--property", KINDS]));
        // Checks count as steps.
        let is_cut = checked.1.starts_with("stopped: too many steps");
        (plain != checked && !is_cut).then(|| format!("{name}: {plain:?}, with checks {checked:?}"))
    });
    let differences: Vec<String> = differences.into_iter().flatten().collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
