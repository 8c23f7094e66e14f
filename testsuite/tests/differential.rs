//! Hand-written programs behave the same natively and in Clew, from source and from several kinds of bitcode.
//!
//! `programs/check.h` explains the comparison. The native trace, inputs and results in order, is the list of inputs for
//! Clew, where a result that differs from it calls `reach_error`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clew_testsuite::{clew, has_32_bits, in_parallel, run_for, succeed, testsuite};
use tempfile::TempDir;

/// Flags that give native code and bitcode the same semantics.
const COMMON: &[&str] = &["-w", "-g", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off"];

/// As Clew does for sources: std::string must be instantiated in the program and not in the library's binary.
const CXX_PRELUDE: &str = "#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
";

const LIMIT: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, PartialEq)]
enum Bits {
    B32,
    B64,
}

impl Bits {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Bits::B32 => &["-m32", "-msse2", "-mfpmath=sse"],
            Bits::B64 => &["-m64"],
        }
    }

    fn data_model(self) -> &'static str {
        match self {
            Bits::B32 => "--ilp32",
            Bits::B64 => "--lp64",
        }
    }

    fn bitcode_kinds(self) -> &'static [&'static [&'static str]] {
        match self {
            Bits::B32 => &[&["-O1"]],
            Bits::B64 => &[&["-O0"], &["-O1"], &["-O3", "-mavx"]],
        }
    }
}

/// A program on a target, with a directory for its artifacts.
struct Subject<'a> {
    source: &'a Path,
    bits: Bits,
    folder: TempDir,
    problems: Vec<String>,
}

impl Subject<'_> {
    fn is_cxx(&self) -> bool {
        self.source.extension().is_some_and(|extension| extension == "cpp")
    }

    fn compile(&self, flags: &[&str], name: &str) -> Result<PathBuf, String> {
        let output = self.folder.path().join(name);
        let mut clang = Command::new(if self.is_cxx() { "clang++-19" } else { "clang-19" });
        clang.args(self.bits.flags()).args(COMMON).args(flags).arg(self.source).arg("-o").arg(&output);
        succeed(&mut clang).map(|_| output)
    }

    /// C++ takes longer to compile and lift, so it gets fewer seeds.
    fn seeds(&self) -> &'static [u32] {
        match (self.bits, self.is_cxx()) {
            (Bits::B32, _) => &[4],
            (Bits::B64, true) => &[1, 2],
            (Bits::B64, false) => &[1, 2, 3],
        }
    }

    /// The trace of a native run for each seed. An error if the two optimisation levels disagree: then the program has
    /// undefined behaviour.
    fn native_traces(&self) -> Result<Vec<(u32, String)>, String> {
        let plain = self.compile(&["-DNATIVE", "-O0", "-lm"], "plain")?;
        let optimised = self.compile(&["-DNATIVE", "-O2", "-lm"], "optimised")?;
        let trace = |program: &Path, seed: u32| {
            let outcome = run_for(Command::new(program).env("CHECK_SEED", seed.to_string()), LIMIT);
            (outcome.code, outcome.stdout)
        };
        let mut traces = Vec::new();
        for &seed in self.seeds() {
            let (code, text) = trace(&plain, seed);
            if (code, &text) != (Some(0), &trace(&optimised, seed).1) {
                return Err(format!("seed {seed}: the native runs at -O0 (exit code {code:?}) and -O2 differ"));
            }
            if !text.ends_with("0xe0d\n") {
                return Err(format!("seed {seed}: the native run does not come to its end"));
            }
            traces.push((seed, text));
        }
        Ok(traces)
    }

    /// Runs Clew on a file; with a trace of the same program it exits with 0.
    fn run_in_clew(&self, file: &Path, trace: &str) -> (Option<i32>, String) {
        let inputs = self.folder.path().join("inputs");
        fs::write(&inputs, trace).expect("the folder takes files");
        let mut command = Command::new(clew());
        command.arg("run").arg(file).arg("--inputs-file").arg(inputs);
        if file == self.source {
            command.arg(self.bits.data_model());
        }
        let outcome = run_for(&mut command, LIMIT);
        let shown = outcome.stdout.lines().chain(outcome.stderr.lines()).filter(|line| !line.starts_with("input "));
        let end = if outcome.timed_out { "out of time".to_owned() } else { shown.collect::<Vec<_>>().join("\n      ") };
        let results = outcome.stdout.lines().filter(|line| line.starts_with("input ")).count();
        (outcome.code, format!("after {results} of {} numbers: {end}", trace.lines().count()))
    }

    fn expect(&mut self, what: &str, expected: i32, (code, end): (Option<i32>, String)) {
        if code != Some(expected) {
            self.problems.push(format!("{what}: exit code {code:?} instead of {expected}\n      {end}"));
        }
    }

    fn compare(&mut self) -> Result<(), String> {
        let traces = self.native_traces()?;
        for (seed, trace) in &traces {
            let outcome = self.run_in_clew(self.source, trace);
            self.expect(&format!("source, seed {seed}"), 0, outcome);
        }
        let Some((seed, trace)) = traces.first() else { return Ok(()) };
        // Guards against a run that compares nothing: the last number of the trace must matter.
        let damaged = trace.replace("0xe0d\n", "0xbad\n");
        let outcome = self.run_in_clew(self.source, &damaged);
        self.expect("source, with a wrong number at the end of the trace", 10, outcome);

        let prelude = self.folder.path().join("prelude.h");
        fs::write(&prelude, CXX_PRELUDE).map_err(|error| error.to_string())?;
        let prelude = prelude.to_string_lossy().into_owned();
        for kind in self.bits.bitcode_kinds() {
            let mut flags = vec!["-emit-llvm", "-c"];
            flags.extend(*kind);
            if self.is_cxx() {
                flags.extend(["-include", &prelude]);
            }
            let bitcode = self.compile(&flags, "program.bc")?;
            let outcome = self.run_in_clew(&bitcode, trace);
            self.expect(&format!("bitcode {}, seed {seed}", kind.join(" ")), 0, outcome);
        }
        Ok(())
    }
}

/// Compares the programs with this extension, and fails with a list of all that disagree.
fn compare_all(extension: &str, bits: Bits) {
    clew();
    let entries = fs::read_dir(testsuite().join("programs")).expect("the folder of programs");
    let mut programs: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    programs.retain(|path| path.extension().is_some_and(|found| found == extension));
    programs.sort();
    assert!(programs.len() > 5, "only {} programs", programs.len());
    let reports = in_parallel(&programs, |source| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut subject = Subject { source, bits, folder, problems: Vec::new() };
        if let Err(problem) = subject.compare() {
            subject.problems.push(problem);
        }
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        subject.problems.iter().map(|problem| format!("  {name}, {problem}\n")).collect::<String>()
    });
    let failed = reports.iter().filter(|report| !report.is_empty()).count();
    assert!(failed == 0, "{failed} of {} programs disagree:\n{}", programs.len(), reports.concat());
}

#[test]
fn c_in_64_bits() {
    compare_all("c", Bits::B64);
}

#[test]
fn c_in_32_bits() {
    if has_32_bits("clang-19") {
        compare_all("c", Bits::B32);
    }
}

#[test]
fn cxx_in_64_bits() {
    compare_all("cpp", Bits::B64);
}

#[test]
fn cxx_in_32_bits() {
    if has_32_bits("clang++-19") {
        compare_all("cpp", Bits::B32);
    }
}
