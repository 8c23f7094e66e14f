//! What the end-to-end tests share: the built command, compilers, traces, and work spread over the cores.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// Builds the command in the profile of the tests, once, and returns its path: cargo builds the binaries of the
/// package under test only, and this one is another.
pub fn clew() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        // A test runs from TARGET/PROFILE/deps.
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

/// What a command did within its time.
#[derive(Debug)]
pub struct Outcome {
    /// Its exit code; `None` if a signal or the time limit ended it.
    pub code: Option<i32>,
    /// What it wrote to its standard output.
    pub stdout: String,
    /// What it wrote to its standard error.
    pub stderr: String,
    /// It was ended since it took too long.
    pub timed_out: bool,
}

/// Runs a command for at most `limit`.
pub fn run_for(command: &mut Command, limit: Duration) -> Outcome {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (id, start) = (child.id(), Instant::now());
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        // Both pipes are read while the child runs: a full pipe would block it.
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
        Outcome { code: status.code(), stdout: read(stdout), stderr: read(stderr), timed_out }
    })
}

fn read_all(pipe: Option<impl std::io::Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_end(&mut bytes).expect("a pipe can be read");
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs a command that has to succeed; else its messages are the error.
pub fn succeed(command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    Err(format!("{command:?}\n{}", String::from_utf8_lossy(&output.stderr)))
}

/// How many threads work at the same time: `CLEW_FUZZ_JOBS`, or one for each core.
fn jobs() -> usize {
    let chosen = std::env::var("CLEW_FUZZ_JOBS").ok().and_then(|jobs| jobs.parse().ok());
    chosen.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).max(1)
}

/// Applies `work` to all items, several at the same time; what comes out keeps their order.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs() {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let outcome = work(item);
                    done.lock().expect("no thread panics with the lock").push((index, outcome));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("all threads ended");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

/// Can this machine link programs of 32 bits? In C++ that needs more than in C.
pub fn has_32_bits(compiler: &str) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join(if compiler.contains("++") { "probe.cpp" } else { "probe.c" });
    std::fs::write(&source, "#include <stdlib.h>\nint main(void) { return 0; }\n").expect("the folder takes files");
    succeed(Command::new(compiler).arg("-m32").arg(&source).arg("-o").arg(folder.path().join("probe"))).is_ok()
}
