//! Runs one command with limits on all its processes together, and leaves none behind.
//!
//! This needs a process for each run: orphans become its children, so that it can tell them from those of other runs.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, Signal, WaitOptions};

use super::tree::{self, Group};

/// Limits on all processes of a run together.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// CPU time in seconds.
    pub cpu: f64,
    /// Wall-clock time in seconds.
    pub wall: f64,
    /// Memory in MB.
    pub memory: u64,
    /// Whether a control group may enforce and measure it, where the system has them.
    pub groups: bool,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// The exit code of the command; none if a signal or a limit ended it.
    pub code: Option<i32>,
    /// The limit or signal that ended it: `cpu`, `wall`, `memory`, `stopped`, `signal N`, or nothing.
    pub by: String,
    /// CPU time of all processes, in seconds.
    pub cpu: f64,
    /// Wall-clock time, in seconds.
    pub wall: f64,
    /// The largest memory of all processes together, in MB.
    pub memory: u64,
    /// How many processes outlived the command and were ended.
    pub left: usize,
}

impl Ended {
    /// One line, for `parse`.
    fn line(&self) -> String {
        let code = self.code.map_or(String::new(), |code| code.to_string());
        format!("{code}\t{}\t{:.3}\t{:.3}\t{}\t{}", self.by, self.cpu, self.wall, self.memory, self.left)
    }

    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.trim_end_matches('\n').split('\t');
        let mut next = || fields.next();
        Some(Self {
            code: next()?.parse().ok(),
            by: next()?.to_owned(),
            cpu: next()?.parse().ok()?,
            wall: next()?.parse().ok()?,
            memory: next()?.parse().ok()?,
            left: next()?.parse().ok()?,
        })
    }
}

/// Has another process of this program (`program`) run `command`; its output goes to a file.
pub fn run(program: &Path, command: &[String], limits: &Limits, output: &Path) -> Result<Ended, String> {
    let mut supervisor = Command::new(program);
    supervisor.arg("supervise").args(["--parent", &std::process::id().to_string()]);
    supervisor.args(["--cpu-limit", &limits.cpu.to_string(), "--wall-limit", &limits.wall.to_string()]);
    if !limits.groups {
        supervisor.arg("--no-cgroup");
    }
    supervisor.args(["--memory-limit", &limits.memory.to_string()]).arg("--output").arg(output).arg("--").args(command);
    let answer = supervisor.stdin(Stdio::null()).output().map_err(|error| format!("{}: {error}", program.display()))?;
    let line = String::from_utf8_lossy(&answer.stdout).into_owned();
    Ended::parse(&line).ok_or_else(|| {
        format!("{}: {}", command.join(" "), String::from_utf8_lossy(&answer.stderr).trim().replace('\n', " "))
    })
}

/// What the supervising process does: runs the command, and prints one line.
pub fn supervise(parent: u32, command: &[String], limits: &Limits, output: &PathBuf) -> Result<(), String> {
    let problem = |error: io::Error| format!("{}: {error}", command.join(" "));
    let stopped = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT, signal_hook::consts::SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&stopped)).map_err(problem)?;
    }
    // If the parent is killed, its runs end too.
    rustix::process::set_parent_process_death_signal(Some(Signal::TERM)).map_err(|error| problem(error.into()))?;
    if rustix::process::getppid().is_none_or(|id| id.as_raw_nonzero().get().cast_unsigned() != parent) {
        return Err("the parent has ended".to_owned());
    }
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).map_err(|error| problem(error.into()))?;
    let ended = watch(command, limits, output, &stopped).map_err(problem)?;
    println!("{}", ended.line());
    Ok(())
}

fn watch(command: &[String], limits: &Limits, output: &PathBuf, stopped: &AtomicBool) -> io::Result<Ended> {
    let group = limits.groups.then(|| Group::new(limits.memory << 20)).flatten();
    let file = File::create(output)?;
    let (name, arguments) = command.split_first().ok_or_else(|| io::Error::other("no command"))?;
    let mut child = Command::new(name);
    child.args(arguments).stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
    let door = group.as_ref().map(|group| group.door.try_clone()).transpose()?;
    let seconds = limits.cpu.ceil() as u64;
    // SAFETY: between fork and exec there are only system calls, which allocate nothing and take no locks.
    unsafe {
        child.pre_exec(move || {
            rustix::process::setsid()?;
            // Programs that look for a limit find one; it is also the last resort if this process is killed.
            let cpu = Rlimit { current: Some(seconds), maximum: Some(seconds + 5) };
            rustix::process::setrlimit(Resource::Cpu, cpu)?;
            rustix::process::setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
            if let Some(door) = &door {
                rustix::io::write(door.as_fd(), b"0")?;
            }
            Ok(())
        });
    }
    let start = Instant::now();
    let child = child.spawn()?;
    let id = rustix::process::Pid::from_child(&child);
    let (mut peak, mut status, mut by) = (0, None, String::new());
    let mut pause = Duration::from_millis(5);
    let mut cpu_now = || {
        let usage = tree::usage(&tree::descendants());
        peak = peak.max(usage.memory);
        (group.as_ref().and_then(Group::cpu).unwrap_or(0.0).max(usage.cpu), peak >> 20)
    };
    while status.is_none() && by.is_empty() {
        while let Ok(Some((ended, how))) = rustix::process::wait(WaitOptions::NOHANG) {
            if ended == id {
                status = Some(ExitStatus::from_raw(how.as_raw()));
            }
        }
        let (cpu, memory) = cpu_now();
        if status.is_some() {
        } else if stopped.load(Ordering::Relaxed) {
            by = "stopped".to_owned();
        } else if cpu > limits.cpu {
            by = "cpu".to_owned();
        } else if start.elapsed().as_secs_f64() > limits.wall {
            by = "wall".to_owned();
        } else if memory > limits.memory {
            by = "memory".to_owned();
        } else {
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }
    let wall = start.elapsed().as_secs_f64();
    // Whoever is about to end may do so.
    let mut wait = 0;
    while by.is_empty() && wait < 20 && !tree::descendants().is_empty() {
        while let Ok(Some(_)) = rustix::process::wait(WaitOptions::NOHANG) {}
        thread::sleep(Duration::from_millis(10));
        wait += 1;
    }
    let before_the_end = cpu_now();
    let left = tree::kill_descendants(group.as_ref());
    let (cpu, memory) = cpu_now();
    let cpu = cpu.max(before_the_end.0);
    if group.as_ref().is_some_and(Group::is_out_of_memory) {
        by = "memory".to_owned();
    } else if by.is_empty() && cpu > limits.cpu {
        by = "cpu".to_owned();
    } else if let (true, Some(signal)) = (by.is_empty(), status.and_then(|status| status.signal())) {
        by = format!("signal {signal}");
    }
    let left = if status.is_some() { left } else { 0 };
    Ok(Ended { code: status.and_then(|status| status.code()), by, cpu, wall, memory, left })
}
