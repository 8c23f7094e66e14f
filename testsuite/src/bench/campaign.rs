//! Runs all commands on all tasks, and writes each result as it comes.

use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::results::{self, HEADER, Outcome};
use super::supervise::{self, Ended, Limits};
use super::task::{Task, Verdict};

/// A verifier: a name for the tables, and the words of its command with placeholders.
#[derive(Clone, Debug)]
pub struct Verifier {
    /// The name in results.
    pub name: String,
    /// The command, such as `clew check {model} {property} {file}`.
    pub words: Vec<String>,
}

impl Verifier {
    /// From `NAME=COMMAND`, with the quotes of a shell.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, command) = text.split_once('=').ok_or("a command is given as NAME=COMMAND")?;
        let words = shlex::split(command).ok_or_else(|| format!("`{command}` has an open quote"))?;
        if words.is_empty() || name.is_empty() {
            return Err("a command is given as NAME=COMMAND".to_owned());
        }
        Ok(Self { name: name.to_owned(), words })
    }

    /// The command for a task. `{file}` and `{flags}` as words of their own become several words, or none.
    pub fn command(&self, task: &Task, limits: &Limits) -> Vec<String> {
        let files: Vec<String> = task.files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
        let property_file = task.property_file.as_ref().map(|file| file.to_string_lossy().into_owned());
        let fills = [
            ("{file}", files.join(" ")),
            ("{model}", if task.ilp32 { "--ilp32" } else { "--lp64" }.to_owned()),
            ("{bits}", if task.ilp32 { "32" } else { "64" }.to_owned()),
            ("{property}", format!("--property={}", task.property)),
            ("{property_file}", property_file.unwrap_or_else(|| task.property.clone())),
            ("{flags}", task.flags.join(" ")),
            ("{cpu}", limits.cpu.to_string()),
            ("{memory}", limits.memory.to_string()),
        ];
        let mut command = Vec::new();
        for word in &self.words {
            match word.as_str() {
                "{file}" => command.extend(files.iter().cloned()),
                "{flags}" => command.extend(task.flags.iter().cloned()),
                _ => command.push(fills.iter().fold(word.clone(), |word, (name, fill)| word.replace(name, fill))),
            }
        }
        command
    }
}

/// What is run, and how.
pub struct Campaign {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The verifiers, each of which gets every task.
    pub verifiers: Vec<Verifier>,
    /// Limits of each run.
    pub limits: Limits,
    /// How many runs at the same time.
    pub jobs: usize,
    /// The file of results.
    pub out: PathBuf,
    /// Whether to go on with what the file has.
    pub resume: bool,
    /// This program, which supervises each run in a process of its own.
    pub supervisor: PathBuf,
}

impl Campaign {
    /// Runs what is missing, and returns all results in the order of verifiers and tasks.
    pub fn run(&self, say: &(dyn Fn(&str) + Sync)) -> Result<Vec<Outcome>, String> {
        let problem = |error: std::io::Error| format!("{}: {error}", self.out.display());
        let mut outcomes = match self.out.exists() {
            true if self.resume => results::read(&self.out)?,
            true => return Err(format!("{} exists: --resume goes on with it", self.out.display())),
            false => Vec::new(),
        };
        // A line that was cut off is gone after this.
        let temporary = self.out.with_extension("tsv.new");
        let lines: String = outcomes.iter().map(Outcome::line).collect();
        std::fs::write(&temporary, format!("{HEADER}{lines}")).map_err(problem)?;
        std::fs::rename(&temporary, &self.out).map_err(problem)?;
        let file = Mutex::new(File::options().append(true).open(&self.out).map_err(problem)?);

        let done: HashSet<(&str, &str)> = outcomes.iter().map(|old| (old.config.as_str(), old.id.as_str())).collect();
        // Task by task, so that whatever is done when a run is stopped can be compared.
        let pairs = self.tasks.iter().flat_map(|task| self.verifiers.iter().map(move |verifier| (verifier, task)));
        let todo: Vec<(&Verifier, &Task)> =
            pairs.filter(|(verifier, task)| !done.contains(&(verifier.name.as_str(), task.id.as_str()))).collect();
        let count = Mutex::new(0);
        let new = crate::in_parallel_with(self.jobs, &todo, |(verifier, task)| {
            let outcome = self.one(verifier, task)?;
            // One write for a line: nothing else is lost if this process is killed.
            let written = file.lock().expect("no panic under the lock").write_all(outcome.line().as_bytes());
            written.map_err(problem)?;
            let mut count = count.lock().expect("no panic under the lock");
            *count += 1;
            say(&format!(
                "{}/{} {} {}: {} {:.1} s",
                count,
                todo.len(),
                verifier.name,
                task.id,
                outcome.got,
                outcome.cpu
            ));
            Ok::<Outcome, String>(outcome)
        });
        for outcome in new {
            outcomes.push(outcome?);
        }
        let rank = |outcome: &Outcome| {
            let verifier = self.verifiers.iter().position(|verifier| verifier.name == outcome.config);
            let task = self.tasks.iter().position(|task| task.id == outcome.id);
            (verifier.unwrap_or(usize::MAX), task.unwrap_or(usize::MAX))
        };
        outcomes.sort_by_cached_key(rank);
        Ok(outcomes)
    }

    fn one(&self, verifier: &Verifier, task: &Task) -> Result<Outcome, String> {
        let output = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
        let command = verifier.command(task, &self.limits);
        let ended = supervise::run(&self.supervisor, &command, &self.limits, output.path())?;
        if ended.by == "stopped" {
            return Err("stopped by a signal".to_owned());
        }
        let got = match (ended.by.as_str(), ended.code) {
            ("", Some(0)) => Verdict::True,
            ("", Some(10)) => Verdict::False,
            _ => Verdict::Unknown,
        };
        Ok(Outcome {
            config: verifier.name.clone(),
            id: task.id.clone(),
            category: task.category.clone(),
            expected: task.expected,
            got,
            cpu: ended.cpu,
            wall: ended.wall,
            memory: ended.memory,
            note: note(got, &ended, output.path()),
        })
    }
}

/// Why there is no verdict: the limit, or the exit code with the last line of the output.
fn note(got: Verdict, ended: &Ended, output: &Path) -> String {
    let left = if ended.left > 0 { format!("{} processes left behind; ", ended.left) } else { String::new() };
    if got != Verdict::Unknown {
        return left;
    }
    let text = std::fs::read(output).unwrap_or_default();
    let text = String::from_utf8_lossy(&text[text.len().saturating_sub(20_000)..]).into_owned();
    let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let why = match (ended.by.as_str(), ended.code) {
        ("cpu" | "wall" | "memory", _) => format!("limit: {}", ended.by),
        ("", Some(code)) => format!("exit {code}"),
        (by, _) => by.to_owned(),
    };
    let last: String = last.chars().take(160).collect();
    format!("{left}{why}: {last}")
}
