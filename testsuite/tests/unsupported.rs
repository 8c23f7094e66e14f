//! Constructs that Clew does not model become `unsupported` edges that name the construct and its line; reaching one is
//! not a verdict.

use std::fs;
use std::process::Command;
use std::time::Duration;

use clew_testsuite::{clew, run_for};

/// Checks that the program has the edge at `file:line`, and that running it stops there with exit code 20.
fn check(file: &str, source: &str, what: &str, line: u32) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join(file), source).expect("the folder takes files");
    let clew = |words: &[&str]| {
        run_for(Command::new(clew()).args(words).arg(file).current_dir(folder.path()), Duration::from_secs(60))
    };
    let place = format!("{file}:{line}:");
    let shown = clew(&["show", "cfa"]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    let named =
        shown.stdout.lines().any(|edge| edge.contains("unsupported: ") && edge.contains(what) && edge.contains(&place));
    assert!(named, "no edge `unsupported: …{what}… {place}` in\n{}", shown.stdout);
    let run = clew(&["run"]);
    assert_eq!(run.code, Some(20), "{}{}", run.stdout, run.stderr);
    let last = run.stdout.lines().last().unwrap_or_default();
    assert!(last.starts_with("unsupported: ") && last.contains(what) && last.contains(&place), "{last}");
}

#[test]
fn jump_past_destructors() {
    let source = "#include <csetjmp>
static std::jmp_buf place;
struct Guard { ~Guard() {} };
static void leave() { std::longjmp(place, 1); }
static void work() {
    Guard guard;
    leave();
}
int main() {
    if (setjmp(place) == 0)
        work();
}
";
    check("jump.cpp", source, "longjmp past objects with destructors", 7);
}

#[test]
fn inline_assembly() {
    let source = "int main(void) {
    int x = 1;
    __asm__(\"addl $1, %0\" : \"+r\"(x));
    return x;
}
";
    check("assembly.c", source, "inline assembly", 3);
}

/// An assembly statement without outputs and operands can still have any effect.
#[test]
fn assembly_without_operands() {
    check("assembly.c", "int main(void) {\n    __asm__ volatile(\"hlt\");\n    return 0;\n}\n", "inline assembly", 2);
}

#[test]
fn asm_goto() {
    let source = "int main(void) {
    __asm__ goto(\"jmp %l0\" : : : : away);
    return 1;
away:
    return 0;
}
";
    check("assembly.c", source, "asm goto", 2);
}

#[test]
fn threads() {
    let source = "#include <pthread.h>
static int shared;
static void *work(void *argument) { shared = 1; return argument; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    return shared;
}
";
    check("threads.c", source, "threads", 6);
}

#[test]
fn callbacks_of_external_functions() {
    let source = "static int called;
static int on_event(int x) { called = x; return x; }
int subscribe(int (*handler)(int));
int main(void) {
    int (*handler)(int) = on_event;
    subscribe(handler);
    return called;
}
";
    check("callback.c", source, "the external function subscribe, which may call on_event", 6);
}

#[test]
fn processes() {
    check("processes.c", "#include <unistd.h>\nint main(void) {\n    return fork();\n}\n", "fork", 3);
}

#[test]
fn integers_of_more_than_128_bits() {
    let source = "int main(void) {
    unsigned _BitInt(300) x = 1;
    for (int i = 0; i < 40; i++)
        x *= 3;
    return (int)x & 1;
}
";
    check("big.c", source, "128 bits", 4);
}

/// Code after an unsupported operation is not executed with invented results.
#[test]
fn nothing_runs_behind_it() {
    let source = "extern void reach_error(void);
int main(void) {
    int x;
    __asm__(\"movl $1, %0\" : \"=r\"(x));
    reach_error();
}
";
    check("assembly.c", source, "inline assembly", 4);
}

#[test]
fn function_chosen_by_a_resolver() {
    let source = "static int one(void) { return 1; }
static int (*choose(void))(void) { return one; }
int chosen(void) __attribute__((ifunc(\"choose\")));
int main(void) {
    return chosen();
}
";
    check("resolver.c", source, "a call through a pointer to an unknown function", 5);
}
