//! Solvers in processes of their own, which speak SMT-LIB.
//!
//! A process ends with the thread that has started it, however that ends, and is in the process group of its worker, so
//! that it is paused with it.

#[cfg(test)]
mod tests;

use std::env;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clew_verifier::monitor::{Capabilities, SolverProcess, SolverProgram, Solvers};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, getpid, getppid, set_parent_process_death_signal};

use super::usage;

/// A solver that is known by name.
struct Known {
    name: &'static str,
    program: &'static str,
    /// What makes it read SMT-LIB from its input.
    arguments: &'static [&'static str],
    capabilities: Capabilities,
}

const ALL: Capabilities = Capabilities::ALL;

const KNOWN: &[Known] = &[
    // Bitwuzla supports other formats only in builds of one's own.
    known("bitwuzla", "bitwuzla", &[], Capabilities { other_formats: false, ..ALL }),
    known("cvc5", "cvc5", &["--incremental", "--lang=smt2", "--quiet"], Capabilities { other_formats: false, ..ALL }),
    known("mathsat", "mathsat", &["-input=smt2"], ALL),
    known("yices", "yices-smt2", &["--incremental"], Capabilities { floats: false, other_formats: false, ..ALL }),
    known("z3-process", "z3", &["-in"], ALL),
];

const fn known(
    name: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    capabilities: Capabilities,
) -> Known {
    Known { name, program, arguments, capabilities }
}

/// The environment variable with further solvers: `NAME=COMMAND ARGUMENTS; …`.
pub const VARIABLE: &str = "CLEW_SOLVERS";

/// Which solvers answer hard queries.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Selection {
    /// All that are installed with Clew or named in the environment.
    #[default]
    Race,
    /// Z3 in this process.
    Z3,
    /// A program.
    Program(String),
}

impl Selection {
    /// Parses the value of `--solver`.
    pub fn parse(text: &str) -> Result<Selection, String> {
        match text {
            "race" => Ok(Selection::Race),
            "z3" => Ok(Selection::Z3),
            name => match find(name) {
                Some(_) => Ok(Selection::Program(name.into())),
                None => {
                    Err(format!("there is no such solver; write race, z3, or a solver on the path or in {VARIABLE}"))
                }
            },
        }
    }

    /// Its name on the command line.
    pub fn name(&self) -> &str {
        match self {
            Selection::Race => "race",
            Selection::Z3 => "z3",
            Selection::Program(name) => name,
        }
    }
}

/// The command of a solver: a program and its arguments.
type Words = Vec<String>;

/// The solvers of the environment variable.
fn further(text: &str) -> impl Iterator<Item = (&str, Words)> {
    let entries = text.split(';').filter_map(|entry| entry.split_once('='));
    let entries = entries.map(|(name, command)| (name.trim(), command.split_whitespace().map(String::from).collect()));
    entries.filter(|(_, command): &(_, Words)| !command.is_empty())
}

/// The command of the solver `name`; `None` if there is none.
fn find(name: &str) -> Option<Words> {
    let text = env::var(VARIABLE).unwrap_or_default();
    if let Some((_, command)) = further(&text).find(|(known, _)| *known == name) {
        return Some(command);
    }
    let Known { program, arguments, .. } = KNOWN.iter().find(|known| known.name == name)?;
    let installed = || installed_bitwuzla().into_iter().find(|path| path.exists());
    let path = match name {
        "bitwuzla" => installed().or_else(|| on_path(program))?,
        _ => on_path(program)?,
    };
    let arguments = arguments.iter().map(|&argument| argument.to_owned());
    Some(std::iter::once(path.display().to_string()).chain(arguments).collect())
}

/// Where Bitwuzla may be: beside an installed Clew, and where `scripts/setup` installs it.
fn installed_bitwuzla() -> [PathBuf; 2] {
    let beside =
        env::current_exe().ok().and_then(|this| Some(this.parent()?.join("../lib/clew/bitwuzla/bin/bitwuzla")));
    [beside.unwrap_or_default(), env!("CLEW_BITWUZLA").into()]
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// The version of Bitwuzla, if there is one.
pub fn bitwuzla_version() -> Option<String> {
    let command = find("bitwuzla")?;
    let output = Command::new(&command[0]).args(&command[1..]).arg("--version").stdin(Stdio::null()).output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| version.trim().to_owned())
}

/// The solvers of a run.
#[derive(Debug)]
pub struct Programs {
    programs: Vec<SolverProgram>,
    commands: Vec<Words>,
    includes_z3: bool,
    /// The memory limit of this process and a solver, in bytes.
    memory: u64,
    idle: Idle,
}

/// Processes that wait for a query, with the index of their program.
type Idle = Arc<Mutex<Vec<(usize, Process)>>>;

fn lock(idle: &Idle) -> MutexGuard<'_, Vec<(usize, Process)>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Programs {
    /// The selected solvers.
    pub fn new(selection: &Selection, memory: u64) -> Programs {
        let names: Vec<String> = match selection {
            Selection::Race => {
                let text = env::var(VARIABLE).unwrap_or_default();
                let further = further(&text).map(|(name, _)| name.to_owned()).filter(|name| name != "bitwuzla");
                std::iter::once("bitwuzla".to_owned()).chain(further).collect()
            }
            Selection::Z3 => Vec::new(),
            Selection::Program(name) => vec![name.clone()],
        };
        let found: Vec<(String, Words)> =
            names.into_iter().filter_map(|name| Some((name.clone(), find(&name)?))).collect();
        let includes_z3 = !matches!(selection, Selection::Program(_));
        Programs::of(found, includes_z3, memory)
    }

    fn of(found: Vec<(String, Words)>, includes_z3: bool, memory: u64) -> Programs {
        let program = |name: &String| {
            let known = KNOWN.iter().find(|known| known.name == name);
            let capabilities = known.map_or(ALL, |known| known.capabilities);
            // Names live as long as the process.
            SolverProgram { name: Box::leak(name.clone().into_boxed_str()), capabilities }
        };
        let programs = found.iter().map(|(name, _)| program(name)).collect();
        let commands = found.into_iter().map(|(_, command)| command).collect();
        Programs { programs, commands, includes_z3, memory, idle: Idle::default() }
    }
}

impl Solvers for Programs {
    fn programs(&self) -> &[SolverProgram] {
        &self.programs
    }

    fn includes_z3(&self) -> bool {
        self.includes_z3
    }

    fn start(&self, program: usize) -> Result<Box<dyn SolverProcess>, String> {
        let mut idle = lock(&self.idle);
        // Processes of the process that this one was forked from are not ours.
        let ours = idle.iter().position(|(of, process)| *of == program && process.owner == getpid());
        let mut process = match ours.map(|at| idle.swap_remove(at).1) {
            Some(process) => process,
            None => Process::start(&self.commands[program], self.memory).map_err(|error| error.to_string())?,
        };
        process.home = Some((program, Arc::clone(&self.idle)));
        Ok(Box::new(process))
    }
}

/// A process of a solver.
#[derive(Debug)]
struct Process {
    owner: Pid,
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// Input that is not sent yet.
    pending: Vec<u8>,
    /// Its time on the processors that was reported.
    reported: Duration,
    memory: u64,
    /// Where it goes when it is idle.
    home: Option<(usize, Idle)>,
}

impl Process {
    fn start(command: &Words, memory: u64) -> std::io::Result<Process> {
        let us = getpid();
        let tie = move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // The parent may have ended before the signal was set.
            if getppid() == Some(us) { Ok(()) } else { Err(ErrorKind::Interrupted.into()) }
        };
        let mut starter = Command::new(&command[0]);
        starter.args(&command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // SAFETY: between fork and exec only system calls happen.
        let mut child = unsafe { starter.pre_exec(tie) }.spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else { return Err(ErrorKind::BrokenPipe.into()) };
        for end in [input.as_fd(), output.as_fd()] {
            fcntl_setfl(end, fcntl_getfl(end)? | OFlags::NONBLOCK)?;
        }
        let (pending, reported) = (Vec::new(), Duration::ZERO);
        Ok(Process { owner: us, child, input, output, pending, reported, memory, home: None })
    }

    fn usage(&self) -> usage::Usage {
        Pid::from_raw(self.child.id().cast_signed()).map_or_else(usage::Usage::default, usage::of)
    }

    /// Writes what the pipe takes.
    fn flush(&mut self) -> Result<(), String> {
        while !self.pending.is_empty() {
            match self.input.write(&self.pending) {
                Ok(0) => return Err("it reads no more".into()),
                Ok(written) => drop(self.pending.drain(..written)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok(())
    }
}

impl SolverProcess for Process {
    fn send(&mut self, text: &str) {
        self.pending.extend_from_slice(text.as_bytes());
    }

    fn receive(&mut self, time: Duration) -> Result<String, String> {
        self.flush()?;
        let usage = self.usage();
        if usage.resident + usage::now().resident > self.memory {
            return Err("out of memory".into());
        }
        let mut polled = vec![PollFd::new(&self.output, PollFlags::IN)];
        if !self.pending.is_empty() {
            polled.push(PollFd::new(&self.input, PollFlags::OUT));
        }
        let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() };
        // An interrupted call only waits for a shorter time.
        let _ = poll(&mut polled, Some(&time));
        drop(polled);
        self.flush()?;
        let mut buffer = [0; 1 << 14];
        match self.output.read(&mut buffer) {
            Ok(0) => Err("it has ended".into()),
            Ok(length) => Ok(String::from_utf8_lossy(&buffer[..length]).into_owned()),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(String::new()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn cpu(&mut self) -> Duration {
        let now = self.usage().cpu;
        let since = now.saturating_sub(self.reported);
        self.reported = self.reported.max(now);
        since
    }

    fn release(mut self: Box<Self>) {
        if let Some((program, idle)) = self.home.take()
            && self.flush().is_ok()
            && self.pending.is_empty()
        {
            lock(&idle).push((program, *self));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // After a fork, the process is still that of the parent.
        if self.owner == getpid() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
