//! The worker processes of `auto`: what kills them changes no verdict, and none outlives the process that started it.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use clew_testsuite::clew;

/// Each iteration of the loop needs the solver, for 32 bits; bounded unrolling proves it. So several workers take part.
const PROVED_LATE: &str = "
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 64, sum = 0;
    for (unsigned i = 1; i <= n; i++)
        sum += i;
    if (2 * sum != n * (n + 1))
        reach_error();
    return 0;
}
";

/// No analysis decides it soon.
const UNDECIDED: &str = "
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), hash = 17;
    while (__VERIFIER_nondet_uint()) {
        hash = (hash ^ x) * 16777619u + (hash >> 3) * x;
        x = hash * x + __VERIFIER_nondet_uint() % 7;
        if (hash == 123456789u && x == 987654321u)
            reach_error();
    }
    return 0;
}
";

/// A run of Clew with a folder of its own for temporary files.
struct Run {
    folder: tempfile::TempDir,
    child: Child,
}

impl Run {
    fn start(program: &str, arguments: &[&str]) -> Run {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("program.c");
        fs::write(&file, program).expect("the folder takes files");
        let scratch = folder.path().join("scratch");
        fs::create_dir(&scratch).expect("the folder takes folders");
        let child = Command::new(clew())
            .args(["check", "--replay", "none"])
            .args(arguments)
            .arg(&file)
            .env("TMPDIR", &scratch)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("clew starts");
        Run { folder, child }
    }

    /// Waits for some of its workers, up to a time.
    fn workers(&self, at_least: usize) -> Vec<i32> {
        let start = Instant::now();
        loop {
            let found = children(self.child.id() as i32);
            if found.len() >= at_least || start.elapsed() > Duration::from_secs(60) {
                return found;
            }
            sleep(Duration::from_millis(5));
        }
    }

    fn finish(self) -> (tempfile::TempDir, Output) {
        (self.folder, self.child.wait_with_output().expect("clew ends"))
    }
}

/// The child processes of `parent` that are copies of it.
fn children(parent: i32) -> Vec<i32> {
    let processes = fs::read_dir("/proc").expect("/proc is there").flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    numbers.filter(|&process| is_worker(process, parent)).collect()
}

fn is_worker(process: i32, parent: i32) -> bool {
    let read = |process: i32, name: &str| fs::read(format!("/proc/{process}/{name}")).unwrap_or_default();
    let stat = String::from_utf8_lossy(&read(process, "stat")).into_owned();
    let parent_of = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
    parent_of == Some(parent) && read(process, "cmdline") == read(parent, "cmdline")
}

fn kill(signal: &str, process: i32) {
    let _ = Command::new("kill").args([signal, &process.to_string()]).stderr(Stdio::null()).status();
}

fn is_alive(process: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

/// Whether all processes end soon.
fn all_end(processes: &[i32]) -> bool {
    let start = Instant::now();
    while processes.iter().any(|&process| is_alive(process)) {
        if start.elapsed() > Duration::from_secs(20) {
            return false;
        }
        sleep(Duration::from_millis(10));
    }
    true
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).expect("the folder is there").next().is_none()
}

fn last_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_killed_worker_changes_no_verdict() {
    let mut random = fastrand::Rng::with_seed(1);
    for signal in ["-KILL", "-SEGV", "-TERM"] {
        let run = Run::start(PROVED_LATE, &["--jobs", "2"]);
        let mut seen = Vec::new();
        // One of the first, and one that may be a second attempt or another stage.
        for at_least in [1, 2] {
            sleep(Duration::from_millis(random.u64(..300)));
            let workers = run.workers(at_least);
            seen.extend(&workers);
            if let Some(&victim) = random.choice(&workers) {
                kill(signal, victim);
            }
        }
        seen.extend(run.workers(1));
        let (folder, output) = run.finish();
        assert_eq!((output.status.code(), last_line(&output)), (Some(0), "SAFE".to_owned()), "{signal}: {output:?}");
        assert!(!seen.is_empty() && all_end(&seen), "{signal}: {seen:?}");
        assert!(is_empty(&folder.path().join("scratch")), "{signal}");
    }
}

#[test]
fn workers_end_with_their_parent() {
    for (signal, code) in [("-KILL", None), ("-TERM", Some(20)), ("-INT", Some(20))] {
        let run = Run::start(UNDECIDED, &["--jobs", "2"]);
        let workers = run.workers(2);
        assert!(workers.len() >= 2, "{workers:?}");
        kill(signal, run.child.id() as i32);
        let (folder, output) = run.finish();
        assert_eq!(output.status.code(), code, "{output:?}");
        assert!(all_end(&workers), "{signal}: {workers:?}");
        // Nobody can clean up after a process that was killed.
        assert!(code.is_none() || is_empty(&folder.path().join("scratch")), "{signal}");
    }
}

#[test]
fn a_time_limit_ends_all_workers() {
    let run = Run::start(UNDECIDED, &["--jobs", "2", "--time-limit", "6s", "--stats"]);
    let workers = run.workers(1);
    let (_folder, output) = run.finish();
    assert_eq!(output.status.code(), Some(20), "{output:?}");
    assert!(last_line(&output).starts_with("UNKNOWN: out of time (limit 6s)"), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("tried: value+predicate (time)"), "{text}");
    assert!(!workers.is_empty() && all_end(&workers), "{workers:?}");
}

#[test]
fn one_job_takes_turns() {
    let run = Run::start(PROVED_LATE, &["--jobs", "1"]);
    let start = Instant::now();
    while is_alive(run.child.id() as i32) && start.elapsed() < Duration::from_secs(120) {
        let is_running = |&worker: &i32| {
            let stat = fs::read_to_string(format!("/proc/{worker}/stat")).unwrap_or_default();
            stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with(['R', 'D']))
        };
        // A worker that was just told to pause may still be listed as running.
        let running = children(run.child.id() as i32).iter().filter(|worker| is_running(worker)).count();
        assert!(running <= 2, "{running} workers run at the same time");
        sleep(Duration::from_millis(20));
    }
    let (_folder, output) = run.finish();
    assert_eq!(last_line(&output), "SAFE", "{output:?}");
}
