//! Builds the program natively, once, and runs it with the inputs of counterexamples.

use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use clew_frontend_llvm::native::{Instructions, NativeProgram, Place, Recipe, RecipeInput, Source};
use clew_verifier::monitor::{NativeRun, NativeRuns, RunResult};
use signal_hook::low_level::signal_name;

use super::sandbox::{NOT_STARTED, REFUSED};

/// The time for one confirmation, at most: compiling, linking and running.
const TIME: Duration = Duration::from_secs(20);
/// The least time that is worth a try.
const MIN_TIME: Duration = Duration::from_millis(500);
/// The time of the run itself, at most.
const RUN_TIME: Duration = Duration::from_secs(5);
/// The address space of the run, in bytes.
const MEMORY: u64 = 4 << 30;
/// The number of paths that are tried.
const MAX_RUNS: usize = 20;

/// Whether a program may run without a sandbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Confinement {
    /// It does not run then.
    Required,
    /// The user asked for a run.
    IfPossible,
}

/// Runs a program natively.
#[derive(Debug)]
pub struct Runner {
    source: Source,
    confinement: Confinement,
    state: Mutex<State>,
    /// The number of runs so far.
    count: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    /// The compiled program, or why there is none.
    program: Option<Result<NativeProgram, String>>,
    /// Runs so far, with their results.
    done: Vec<(NativeRun, RunResult)>,
}

impl Runner {
    /// A runner of the program.
    pub fn new(source: Source, confinement: Confinement) -> Runner {
        Runner { source, confinement, state: Mutex::default(), count: AtomicU64::new(0) }
    }

    /// The text of a test that fails by this run.
    pub fn harness(&self, run: &NativeRun, property: String, out: &Path) -> Result<String, String> {
        self.with_program(TIME, |program| {
            let instructions = Instructions { property, commands: self.commands(program, out) };
            Ok(program.harness(&recipe(run), Some(&instructions)))
        })
    }

    fn with_program<T>(
        &self,
        limit: Duration,
        work: impl FnOnce(&mut NativeProgram) -> Result<T, String>,
    ) -> Result<T, String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let program = state.program.get_or_insert_with(|| self.source.compile(limit));
        match program {
            Ok(program) => work(program),
            Err(why) => Err(why.clone()),
        }
    }

    /// The commands that build and debug the test.
    fn commands(&self, program: &NativeProgram, out: &Path) -> Vec<String> {
        let mut words =
            vec!["clang".to_string(), "-g".into(), "-O0".into(), "-fwrapv".into(), "-fno-strict-aliasing".into()];
        words.extend(self.source.flags.iter().cloned());
        words.push(out.display().to_string());
        let mut files: Vec<&str> = self.source.parts.iter().map(|part| part.origin.as_str()).collect();
        files.dedup();
        words.extend(files.into_iter().map(String::from));
        words.extend(program.libraries().map(String::from));
        if program.defines_error() {
            words.push("-Wl,-z,muldefs".into());
        }
        words.extend(["-o".into(), "violation".into()]);
        vec![words.join(" "), "./violation".into(), "gdb -ex 'break clew_violation' -ex run ./violation".into()]
    }

    fn try_run(&self, run: &NativeRun, limit: Duration) -> Result<RunResult, String> {
        let end = Instant::now() + limit;
        let left = || end.saturating_duration_since(Instant::now());
        self.with_program(limit, |program| {
            let executable = program.link(&recipe(run), left())?;
            let folder = program.folder().join("run");
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
            let arguments = run.argument_count.unwrap_or(1).saturating_sub(1);
            let ended = self.execute(&executable, &folder, arguments, left().min(RUN_TIME))?;
            Ok(judge(program, run, &ended))
        })
    }

    /// Runs the executable confined, and waits for its end.
    fn execute(&self, program: &Path, folder: &Path, arguments: u32, limit: Duration) -> Result<Ended, String> {
        let text = |error: std::io::Error| error.to_string();
        let mut command = Command::new(std::env::current_exe().map_err(text)?);
        command.arg("__confined").args(["--seconds", &(limit.as_secs() + 1).to_string()]);
        command.args(["--memory", &MEMORY.to_string()]);
        if self.confinement == Confinement::IfPossible {
            command.arg("--unless-possible");
        }
        command.args(["--arguments", &arguments.to_string()]).arg(folder).arg(program);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        clew_frontend_llvm::compile::tie_to_us(&mut command);
        let mut child = command.spawn().map_err(text)?;
        let pipe = child.stderr.take();
        let end = Instant::now() + limit;
        thread::scope(|scope| {
            let messages = scope.spawn(move || last_messages(pipe));
            let status = loop {
                match child.try_wait().map_err(text)? {
                    Some(status) => break Some(status),
                    None if Instant::now() >= end => {
                        let _ = child.kill();
                        let _ = child.wait();
                        break None;
                    }
                    None => thread::sleep(Duration::from_millis(2)),
                }
            };
            Ok(Ended { status, messages: messages.join().unwrap_or_default() })
        })
    }
}

impl NativeRuns for &'static Runner {
    fn run(&self, run: &NativeRun, limit: Option<Duration>) -> RunResult {
        (**self).run(run, limit)
    }

    fn count(&self) -> u64 {
        (**self).count()
    }
}

impl NativeRuns for Runner {
    fn run(&self, run: &NativeRun, limit: Option<Duration>) -> RunResult {
        // The rest of the time is for the report, or for the search of another violation.
        let limit = limit.map_or(TIME, |left| (left / 2).min(TIME));
        if limit < MIN_TIME {
            return RunResult::Unknown("there is no time left".into());
        }
        // Paths that differ in external values only are one and the same run.
        let lock = || self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, result)) = lock().done.iter().find(|(done, _)| done == run) {
            return result.clone();
        }
        if lock().done.len() >= MAX_RUNS {
            return RunResult::Missed(format!("no run of {MAX_RUNS} other paths confirmed one"));
        }
        let result = self.try_run(run, limit).unwrap_or_else(RunResult::Unknown);
        let mut state = lock();
        state.done.push((run.clone(), result.clone()));
        self.count.store(state.done.len() as u64, Ordering::Relaxed);
        result
    }

    fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

/// How a run ended.
struct Ended {
    /// `None` if it took too long.
    status: Option<ExitStatus>,
    /// The lines of the harness on the standard error.
    messages: Vec<String>,
}

/// The lines of the harness; a program may write much else.
fn last_messages(pipe: Option<impl Read>) -> Vec<String> {
    const MAX_KEPT: usize = 16;
    let mut lines = Vec::new();
    let Some(pipe) = pipe else { return lines };
    for line in std::io::BufRead::split(std::io::BufReader::new(pipe), b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        if let Some(at) = line.find("clew: ").filter(|_| lines.len() < MAX_KEPT) {
            lines.push(line[at..].to_string());
        }
    }
    lines
}

/// What a run says about the violation.
fn judge(program: &NativeProgram, run: &NativeRun, ended: &Ended) -> RunResult {
    let (file, line, column) = &run.place;
    let wanted = Place { file: file.clone(), line: *line, column: *column };
    for message in &ended.messages {
        if let Some(why) = message.strip_prefix(REFUSED) {
            return RunResult::Unknown(why.into());
        }
        if let Some(function) = message.strip_prefix("clew: no definition: ") {
            return RunResult::Unknown(match function.starts_with("__clew_") {
                // Streams of C++ are compiled with the headers of the model.
                true => "it reads from a stream, which a run does not repeat".into(),
                false => format!("{function} is defined nowhere"),
            });
        }
        if let Some(violation) = message.strip_prefix("clew: violation ") {
            let number = violation.split(':').next().and_then(|number| number.parse::<usize>().ok());
            return match number.and_then(|number| program.places().get(number)) {
                Some(place) if *place == wanted => RunResult::Reached,
                Some(place) => missed(program, &wanted, format!("it fails at {}:{} instead", place.file, place.line)),
                None => RunResult::Unknown("it fails at an unknown place".into()),
            };
        }
    }
    let Some(status) = ended.status else { return RunResult::Unknown("the run takes too long".into()) };
    if status.code() == Some(NOT_STARTED.into()) {
        return RunResult::Unknown("the program cannot be started".into());
    }
    if let Some(message) = ended.messages.first() {
        return missed(program, &wanted, message.trim_start_matches("clew: ").to_string());
    }
    match (status.code(), status.signal()) {
        // A crash may come from the layout of memory, or from a limit.
        (_, Some(signal)) if signal != libc::SIGABRT => {
            RunResult::Unknown(format!("the run ends with {}", signal_name(signal).unwrap_or("a signal")))
        }
        (_, Some(_)) => missed(program, &wanted, "it ends with abort".into()),
        (Some(code), None) => missed(program, &wanted, format!("it ends with exit code {code}")),
        (None, None) => RunResult::Unknown("the end of the run is unknown".into()),
    }
}

/// A run that ended without the violation.
fn missed(program: &NativeProgram, wanted: &Place, how: String) -> RunResult {
    if !program.places().contains(wanted) {
        return RunResult::Unknown("a run does not show this kind of violation".into());
    }
    if program.uses_addresses() {
        return RunResult::Unknown(format!("{how}, but the program computes with addresses"));
    }
    RunResult::Missed(how)
}

/// The harness of a run.
fn recipe(run: &NativeRun) -> Recipe {
    let input = |input: &clew_verifier::monitor::NativeInput| RecipeInput {
        function: input.function.clone(),
        bits: input.bits,
        place: if input.line > 0 { format!(", line {}", input.line) } else { String::new() },
    };
    Recipe { inputs: run.inputs.iter().map(input).collect(), undefined: Vec::new() }
}
