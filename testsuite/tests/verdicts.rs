//! Verdicts of `clew check` on the programs in `verdicts/`, each next to its answers.
//!
//! The first lines of a program are comments with the expected verdicts and the ground truth:
//!
//! ```text
//! // expect: value SAFE, value-full UNKNOWN    the verdict of each configuration; others may follow
//! // truth: safe                               no verdict may contradict it
//! // flags: --time-limit 2s                    further arguments of `clew check`
//! // inputs: 1,-3                              with these the program violates the property
//! ```

use std::fs;
use std::panic::catch_unwind;
use std::process::Command;
use std::time::Duration;

use clew_testsuite::{clew, in_parallel, run_for, testsuite};

const LIMIT: Duration = Duration::from_secs(120);
/// The exit code of `clew run` and `clew check` for a violated property.
const VIOLATED: Option<i32> = Some(10);

/// A program and the annotations in its first lines.
#[derive(Default)]
struct Subject {
    file: String,
    /// Configurations and their verdicts.
    expected: Vec<(String, String)>,
    is_safe: bool,
    flags: Vec<String>,
    inputs: Option<String>,
}

impl Subject {
    fn read(file: String) -> Subject {
        let text = fs::read_to_string(testsuite().join("verdicts").join(&file)).expect("a program can be read");
        let mut subject = Subject { file, ..Subject::default() };
        let mut truth = None;
        for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
            let Some((key, value)) = line.split_once(": ") else { continue };
            let words = || value.split_whitespace().map(String::from);
            match key {
                "expect" => {
                    let pair = |text: &str| text.trim().split_once(' ').map(|(c, v)| (c.into(), v.into()));
                    subject.expected = value.split(',').filter_map(pair).collect();
                }
                "truth" => truth = Some(value.to_string()),
                "flags" => subject.flags = words().collect(),
                "inputs" => subject.inputs = Some(value.into()),
                _ => {}
            }
        }
        let file = &subject.file;
        subject.is_safe = match truth.as_deref() {
            Some("safe") => true,
            Some("unsafe") => false,
            _ => panic!("{file}: `// truth: safe` or `// truth: unsafe` is missing"),
        };
        let configs: Vec<&str> = subject.expected.iter().map(|(config, _)| config.as_str()).collect();
        assert!(configs.starts_with(&["value", "value-full"]), "{file}: `// expect: value …, value-full …` is missing");
        subject
    }

    fn clew(&self, words: &[&str]) -> clew_testsuite::LimitedOutput {
        let mut command = Command::new(clew());
        // In their directory, so that positions have no path.
        command.args(words).arg(&self.file).current_dir(testsuite().join("verdicts"));
        run_for(&mut command, LIMIT)
    }

    /// Checks with one configuration. Returns the errors, and the output without numbers that vary between runs.
    fn check(&self, config: &str, expected: &str) -> (Vec<String>, String) {
        let mut words = vec!["check", "--no-progress", "--config", config];
        words.extend(self.flags.iter().map(String::as_str));
        let outcome = self.clew(&words);
        let name = format!("{} with {config}", self.file);
        let mut wrong = Vec::new();
        let verdict = match outcome.code {
            Some(0) => "SAFE",
            VIOLATED => "UNSAFE",
            Some(20) => "UNKNOWN",
            _ => {
                wrong.push(format!("{name} ends with {:?}: {}{}", outcome.code, outcome.stdout, outcome.stderr));
                return (wrong, String::new());
            }
        };
        if !outcome
            .stdout
            .lines()
            .last()
            .is_some_and(|line| line == verdict || line.starts_with(&format!("{verdict}:")))
        {
            wrong.push(format!("{name} ends with the code of {verdict}, but says {}", outcome.stdout));
        }
        if verdict == if self.is_safe { "UNSAFE" } else { "SAFE" } {
            wrong.push(format!("{name} is WRONG: {verdict}\n{}", outcome.stdout));
        }
        if verdict != expected {
            wrong.push(format!("{name} is {verdict} instead of {expected}\n{}", outcome.stdout));
        }
        let lines = outcome.stdout.lines().filter(|line| !line.starts_with("done: "));
        (wrong, lines.map(|line| format!("{line}\n")).collect())
    }

    /// Whether `clew run` with these arguments violates a relevant property.
    fn violated(&self, words: &[&str]) -> bool {
        let selected = self.flags.iter().skip_while(|flag| *flag != "--property").nth(1);
        let mut all = vec!["run", "--max-steps", "200000"];
        all.extend(words);
        // Those about the entry say what the program is.
        let about_entry =
            ["--entry=", "--array=", "--string=", "--non-null", "--max-length=", "--max-depth=", "--any-globals"];
        let is_about_entry = |flag: &&String| about_entry.iter().any(|start| flag.starts_with(start));
        all.extend(self.flags.iter().filter(is_about_entry).map(String::as_str));
        // Programs are instrumented only for selected properties.
        all.extend(selected.iter().flat_map(|selected| ["--property", selected]));
        let outcome = self.clew(&all);
        let kind = outcome.stdout.lines().last().and_then(|line| line.strip_prefix("violated ")?.split(':').next());
        let is_claim = matches!(kind, Some("assert" | "unreach-call"));
        let is_named = |selected: &String| selected.split(',').any(|one| Some(one) == kind);
        outcome.code == VIOLATED && (!is_claim || selected.is_none_or(is_named))
    }

    /// Runs the program: its inputs must violate the property, and a safe program must not be violated by others.
    fn try_out(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        if let Some(inputs) = &self.inputs
            && !self.violated(&["--inputs", inputs])
        {
            wrong.push(format!("{}: the inputs violate no property", self.file));
        }
        if self.is_safe && self.violated(&["--seed", "1"]) {
            wrong.push(format!("{}: random inputs violate a property", self.file));
        }
        wrong
    }
}

fn subjects() -> Vec<Subject> {
    let entries = fs::read_dir(testsuite().join("verdicts")).expect("the folder is there");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".c") || name.ends_with(".cpp")).collect();
    names.sort();
    names.into_iter().map(Subject::read).collect()
}

fn report(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} problems\n\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_truth_about_the_programs() {
    let wrong = in_parallel(&subjects(), Subject::try_out);
    report(&wrong.concat());
}

#[test]
fn verdicts() {
    let subjects = subjects();
    let checks: Vec<_> =
        subjects.iter().flat_map(|subject| subject.expected.iter().map(move |expected| (subject, expected))).collect();
    let answers = in_parallel(&checks, |(subject, (config, verdict))| subject.check(config, verdict));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../verdicts");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _bound = settings.bind_to_scope();
    let mut wrong = Vec::new();
    for ((subject, (config, _)), (problems, answer)) in checks.iter().zip(answers) {
        let name = format!("{}.{config}", subject.file);
        wrong.extend(problems);
        // The output of bounded analyses depends on the solver's model.
        if !config.starts_with("value") {
            continue;
        }
        // Report all differences, not only the first.
        if catch_unwind(|| insta::assert_snapshot!(name.as_str(), answer)).is_err() {
            wrong.push(format!("{name} says something new"));
        }
    }
    report(&wrong);
}
