//! Runs Clew on a program and compares its verdict with the truth.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::{run_for, succeed};

/// What Clew said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The claim holds.
    Safe,
    /// The claim can be violated. Reached functions without a body, on which that may rest.
    Unsafe(String),
    /// Neither, for this reason.
    Unknown(String),
    /// No verdict: an internal error, a crash, or a run that does not end.
    Failed(String),
}

impl Verdict {
    /// Whether it is wrong for a program whose claim holds, or does not.
    pub fn is_wrong(&self, holds: bool) -> bool {
        match self {
            Verdict::Safe => !holds,
            Verdict::Unsafe(_) => holds,
            Verdict::Unknown(_) => false,
            Verdict::Failed(_) => true,
        }
    }

    /// Whether it is a wrong answer of the same sort.
    pub fn is_like(&self, other: &Verdict) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// One word, and the reason.
    pub fn words(&self) -> (&'static str, &str) {
        match self {
            Verdict::Safe => ("SAFE", ""),
            Verdict::Unsafe(externals) => ("UNSAFE", externals),
            Verdict::Unknown(why) => ("UNKNOWN", why),
            Verdict::Failed(why) => ("FAILED", why),
        }
    }
}

/// The command under test.
pub struct Judge {
    /// The command.
    pub clew: PathBuf,
    /// The limit that it is given, in seconds.
    pub seconds: u64,
}

impl Judge {
    /// The arguments of a check.
    pub fn arguments(&self, config: &str) -> Vec<String> {
        ["check", "--config", config, "--time-limit", &format!("{}s", self.seconds)].map(str::to_owned).to_vec()
    }

    /// The verdict on a file that clang compiles with some flags, and how many seconds it took.
    pub fn check(&self, file: &Path, flags: &[&str], config: &str) -> (Verdict, f64) {
        let start = Instant::now();
        let mut command = Command::new(&self.clew);
        command.args(self.arguments(config)).arg(file);
        if !flags.is_empty() {
            command.arg("--").args(flags);
        }
        let output = run_for(&mut command, Duration::from_secs(self.seconds + 30));
        let last = output.stdout.lines().last().unwrap_or_default();
        // Whatever the other workers say.
        if let Some(line) = output.stderr.lines().find(|line| line.contains("a worker failed")) {
            return (Verdict::Failed(line.to_owned()), start.elapsed().as_secs_f64());
        }
        let verdict = match output.code {
            Some(0) if last.starts_with("SAFE") => Verdict::Safe,
            Some(10) if last.starts_with("UNSAFE") => Verdict::Unsafe(externals(&output.stderr)),
            Some(20) if last.starts_with("UNKNOWN") => Verdict::Unknown(reason(last)),
            _ if output.timed_out => Verdict::Failed("does not end".to_owned()),
            code => {
                let why = output.stderr.lines().find(|line| line.contains("error") || line.contains("panic"));
                let code = code.map_or("a signal".to_owned(), |code| format!("exit code {code}"));
                Verdict::Failed(format!("{code}: {}", why.unwrap_or(last)))
            }
        };
        (verdict, start.elapsed().as_secs_f64())
    }

    /// The names of all configurations; the first one is the default.
    pub fn configs(&self) -> Result<Vec<String>, String> {
        let output = succeed(Command::new(&self.clew).args(["show", "configs"]))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let first_words = text.lines().filter_map(|line| line.split_whitespace().next());
        let names: Vec<String> = first_words.map(str::to_owned).collect();
        if names.first().is_none_or(|first| first != "auto") {
            return Err(format!("`clew show configs` does not begin with auto:\n{text}"));
        }
        Ok(names)
    }
}

/// The reason of an UNKNOWN without what differs from program to program: places, names with numbers.
fn reason(line: &str) -> String {
    let text = line.trim_start_matches("UNKNOWN").trim_matches([' ', ':', '(', ')']);
    let words = text.split(' ').map(|word| {
        let is_place = word.contains(".c:") || word.contains(".cpp:");
        if is_place { "PLACE".to_owned() } else { word.replace(|c: char| c.is_ascii_digit(), "#") }
    });
    words.collect::<Vec<_>>().join(" ").replace('\t', " ")
}

/// The functions that Clew notes as external.
fn externals(messages: &str) -> String {
    let names = messages.lines().filter_map(|line| line.split_once("external function ")?.1.split_once(':'));
    let names: BTreeSet<&str> = names.map(|(name, _)| name).collect();
    let names: Vec<&str> = names.into_iter().collect();
    if names.is_empty() { String::new() } else { format!("with external {}", names.join(", ")) }
}
