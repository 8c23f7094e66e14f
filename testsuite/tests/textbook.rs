//! Verdicts on `textbook/`: C++ programs that use the standard library as textbooks do.
//!
//! The first lines of a program are comments: `// truth: safe` or `// truth: unsafe`, and perhaps `// input: 5 0`, what
//! it reads from its standard input to violate an assertion. Native runs confirm the truth.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clew_testsuite::{clew, in_parallel, run_for, succeed, testsuite};

/// The time that `clew check` gets for a program, and its time to end.
const LIMIT: &str = "15s";
const GRACE: Duration = Duration::from_secs(60);

/// In the tests, one program of so many is checked; `scripts/textbook` checks all.
const SLICE: usize = 9;

struct Program {
    name: String,
    is_safe: bool,
    input: String,
}

/// What `clew check` said about a program.
struct Answer {
    verdict: String,
    seconds: f64,
    /// The last line of the report.
    line: String,
}

fn programs() -> Vec<Program> {
    let names = fs::read_dir(testsuite().join("textbook")).expect("the folder is there");
    let mut names: Vec<String> =
        names.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names.into_iter().map(Program::read).collect()
}

impl Program {
    fn read(name: String) -> Program {
        let text = fs::read_to_string(testsuite().join("textbook").join(&name)).expect("a program can be read");
        let key = |key: &str| text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(key));
        let is_safe = match key("truth: ") {
            Some("safe") => true,
            Some("unsafe") => false,
            _ => panic!("{name}: `// truth: safe` or `// truth: unsafe` is missing"),
        };
        let input = key("input: ").unwrap_or_default().to_string();
        Program { name, is_safe, input }
    }

    /// Compiles and runs the program: it aborts if and only if it is unsafe. The error says what is wrong.
    fn confirm(&self, folder: &Path) -> Result<(), String> {
        let binary = folder.join(&self.name).with_extension("out");
        let mut clang = Command::new("clang++-19");
        clang.arg("-w").arg(testsuite().join("textbook").join(&self.name)).arg("-o").arg(&binary);
        succeed(&mut clang)?;
        let input = folder.join(&self.name).with_extension("in");
        fs::write(&input, &self.input).map_err(|error| error.to_string())?;
        let stdin = File::open(&input).map_err(|error| error.to_string())?;
        let mut command = Command::new(&binary);
        command.stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null()).current_dir(folder);
        let status = command.status().map_err(|error| error.to_string())?;
        let aborted = status.code().is_none();
        if aborted == self.is_safe { Err(format!("{}: natively {status}", self.name)) } else { Ok(()) }
    }

    fn check(&self) -> Answer {
        let start = Instant::now();
        let mut command = Command::new(clew());
        command.args(["check", "--no-progress", "--time-limit", LIMIT, &self.name]);
        let outcome = run_for(command.current_dir(testsuite().join("textbook")), GRACE);
        let verdict = match outcome.code {
            Some(0) => "SAFE".into(),
            Some(10) => "UNSAFE".into(),
            Some(20) => "UNKNOWN".into(),
            code => format!("{code:?}: {}", outcome.stderr),
        };
        let line = outcome.stdout.lines().last().unwrap_or_default().to_string();
        Answer { verdict, seconds: start.elapsed().as_secs_f64(), line }
    }

    fn is_right(&self, answer: &Answer) -> bool {
        answer.verdict == if self.is_safe { "SAFE" } else { "UNSAFE" }
    }
}

/// Checks programs, and returns those that are not decided right, as lines of a table. Any other answer than one of the
/// three verdicts is an error, as is a wrong one.
fn check(programs: &[Program]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    clew();
    let answers = in_parallel(programs, |program| (program.confirm(folder.path()), program.check()));
    let (mut undecided, mut errors) = (Vec::new(), Vec::new());
    for (program, (native, answer)) in programs.iter().zip(&answers) {
        let truth = if program.is_safe { "safe" } else { "unsafe" };
        let line =
            format!("{:28} {truth:8} {:8} {:5.1} s  {}", program.name, answer.verdict, answer.seconds, answer.line);
        println!("{line}");
        errors.extend(native.as_ref().err().cloned());
        if answer.verdict == "UNKNOWN" {
            undecided.push(line);
        } else if !program.is_right(answer) {
            errors.push(line);
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    undecided
}

#[test]
fn a_slice_is_decided() {
    let slice: Vec<Program> = programs().into_iter().step_by(SLICE).collect();
    let undecided = check(&slice);
    // Machines differ in speed, so one program may run out of time.
    assert!(undecided.len() <= 1, "{}", undecided.join("\n"));
}

#[test]
fn half_of_the_programs_are_unsafe() {
    let programs = programs();
    let unsafe_programs = programs.iter().filter(|program| !program.is_safe).count();
    assert_eq!(programs.len(), 100);
    assert!((40..=60).contains(&unsafe_programs), "{unsafe_programs} programs are unsafe");
}

#[test]
#[ignore = "takes minutes; scripts/textbook runs it"]
fn at_least_ninety_are_decided() {
    let all = programs();
    let undecided = check(&all);
    println!("{} of {} programs are decided right, none wrong", all.len() - undecided.len(), all.len());
    assert!(undecided.len() * 10 <= all.len(), "{} programs are undecided", undecided.len());
}
