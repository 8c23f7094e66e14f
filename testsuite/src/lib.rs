//! Shared by the end-to-end tests: the built command, compilers, processes with time limits, and parallel work.
//! `fuzz` generates programs whose truth is known; `bench` runs verifiers over lists of tasks.

pub mod bench;
pub mod fuzz;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// Builds the command once in the profile of the tests, and returns its path. Cargo only builds the binaries of the
/// package under test, which is a different one.
pub fn clew() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        // Tests run from TARGET/PROFILE/deps.
        let test = std::env::current_exe().expect("a test knows its own path");
        let profile_dir = test.parent().and_then(Path::parent).expect("tests run from the target folder");
        let profile = match profile_dir.file_name().and_then(|name| name.to_str()) {
            Some("debug") | None => "dev",
            Some(name) => name,
        };
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--package", "clew", "--profile", profile, "--target-dir"]);
        cargo.arg(profile_dir.parent().expect("the profile has a folder in the target folder"));
        let status = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status().expect("cargo starts");
        assert!(status.success(), "clew does not build");
        profile_dir.join("clew")
    })
}

/// The root of this package.
pub fn testsuite() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The result of a command with a time limit.
#[derive(Debug)]
pub struct LimitedOutput {
    /// Its exit code; `None` if a signal or the time limit ended it.
    pub code: Option<i32>,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// Whether the time limit ended it.
    pub timed_out: bool,
}

/// Runs a command for at most `limit`.
pub fn run_for(command: &mut Command, limit: Duration) -> LimitedOutput {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (id, start) = (child.id(), Instant::now());
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        // Both pipes are drained while the child runs: a full pipe would block it.
        let stdout = scope.spawn(move || read_all(stdout));
        let stderr = scope.spawn(move || read_all(stderr));
        let mut timed_out = false;
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if !timed_out && start.elapsed() > limit => {
                    timed_out = true;
                    let _ = child.kill();
                }
                Ok(None) => thread::sleep(Duration::from_millis(2)),
                Err(error) => panic!("process {id}: {error}"),
            }
        };
        let read = |reader: thread::ScopedJoinHandle<'_, String>| reader.join().expect("reading a pipe");
        LimitedOutput { code: status.code(), stdout: read(stdout), stderr: read(stderr), timed_out }
    })
}

fn read_all(pipe: Option<impl std::io::Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_end(&mut bytes).expect("a pipe can be read");
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs a command that must succeed; otherwise its messages are the error.
pub fn succeed(command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    Err(format!("{command:?}\n{}", String::from_utf8_lossy(&output.stderr)))
}

/// The number of threads: `CLEW_FUZZ_JOBS`, or one for each core.
pub fn jobs() -> usize {
    let chosen = std::env::var("CLEW_FUZZ_JOBS").ok().and_then(|jobs| jobs.parse().ok());
    chosen.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).max(1)
}

/// Applies `work` to all items in parallel; results keep the order of the items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    in_parallel_with(jobs(), items, work)
}

/// The same with a number of threads.
pub fn in_parallel_with<T: Sync, R: Send>(jobs: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    done.lock().expect("no thread panics with the lock").push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("all threads ended");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Whether this machine can link 32-bit programs, which needs more libraries for C++ than for C. `false` also reports the
/// test as skipped.
pub fn has_32_bits(compiler: &str) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let is_cxx = compiler.contains("++");
    let source = folder.path().join(if is_cxx { "probe.cpp" } else { "probe.c" });
    std::fs::write(&source, "#include <math.h>\nint main(void) { return 0; }\n").expect("the folder takes files");
    let program = folder.path().join("probe");
    let linked = succeed(Command::new(compiler).arg("-m32").arg(&source).arg("-lm").arg("-o").arg(program));
    is_installed(if is_cxx { "the C++ library of 32 bits" } else { "the C library of 32 bits" }, linked.is_ok())
}

/// Whether csmith is installed. `false` also reports the test as skipped.
pub fn has_csmith() -> bool {
    is_installed("csmith", succeed(Command::new("csmith").arg("--version")).is_ok())
}

/// Whether a program of `scripts/setup` is installed, by its path. `false` also reports the test as skipped.
pub fn has_tool(path: &str) -> bool {
    is_installed(path, Path::new(path).exists())
}

/// Reports a test as skipped if a dependency from `scripts/setup` is missing. In continuous integration, the test fails
/// instead.
fn is_installed(what: &str, is_there: bool) -> bool {
    if !is_there {
        let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
        assert!(!in_ci, "{what} is missing: scripts/setup installs it");
        skip(&format!("{what} is missing; scripts/setup installs it"));
    }
    is_there
}

/// Reports this test as skipped. `scripts/test` counts these lines.
pub fn skip(reason: &str) {
    let test = thread::current().name().unwrap_or("a test").to_owned();
    // Not `eprintln!`, which the test harness captures for passing tests. One call writes the whole line, so that other
    // output does not interleave.
    let _ = std::io::stderr().write_all(format!("skipped: {reason} ({test})\n").as_bytes());
}
