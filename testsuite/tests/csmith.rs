//! Random csmith programs behave the same natively and in Clew.
//!
//! A small sample runs with the tests; `scripts/fuzz-frontend` sets the variables `CLEW_FUZZ_*` for a long campaign.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clew_testsuite::{clew, has_32_bits, has_csmith, in_parallel, run_for, succeed, testsuite};

const NATIVE_LIMIT: Duration = Duration::from_secs(10);
const CLEW_LIMIT: Duration = Duration::from_secs(120);

/// Options for small programs.
const SMALL: &[&str] =
    &["--max-funcs", "4", "--max-block-depth", "3", "--max-array-len-per-dim", "5", "--max-expr-complexity", "6"];

/// Options for csmith, used in turn. `-m32` is for clang.
const VARIANTS: &[&[&str]] = &[
    &[],
    &["--no-volatiles", "--no-bitfields"],
    &["--float"],
    &["-m32"],
    &["--builtins", "--enable-builtin-kinds", "generic"],
    &["--max-struct-fields", "20", "--max-union-fields", "8", "--max-pointer-depth", "4"],
    &["--no-arrays", "--max-funcs", "20"],
    &["--float", "-m32", "--no-packed-struct"],
    &["--inline-function", "--inline-function-prob", "80"],
];

enum Verdict {
    Agrees,
    Skipped(&'static str),
    Differs(String),
}

fn clang(flags: &[&str], output: &Path) -> Result<(), String> {
    let mut clang = Command::new("clang-19");
    clang.args(["-w", "-g", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off"]).args(flags);
    clang.args(["-I", "/usr/include/csmith"]).arg(testsuite().join("csmith/wrap.c")).arg("-o").arg(output);
    succeed(&mut clang).map(drop)
}

fn variant(seed: u64) -> &'static [&'static str] {
    VARIANTS[seed as usize % VARIANTS.len()]
}

fn is_32(seed: u64) -> bool {
    variant(seed).contains(&"-m32")
}

/// Makes the program of a seed and runs it; a program that differs is kept in `keep`.
fn try_seed(seed: u64, small: bool, keep: Option<&Path>) -> Result<Verdict, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let at = |name: &str| folder.path().join(name);
    let variant = variant(seed);
    let is_32 = is_32(seed);
    let program = at("program.c");
    let mut csmith = Command::new("csmith");
    csmith.args(["--seed", &seed.to_string(), "--no-argc", "--output"]).arg(&program);
    csmith.args(variant.iter().filter(|word| **word != "-m32")).args(if small { SMALL } else { &[] });
    // csmith writes a file to the working directory.
    succeed(csmith.current_dir(folder.path()))?;

    let include = format!("-DPROGRAM=\"{}\"", program.display());
    let bits: &[&str] = if is_32 { &["-m32", "-msse2", "-mfpmath=sse"] } else { &["-m64"] };
    let native = |level: &str, name: &str| -> Result<Option<String>, String> {
        let flags: Vec<_> = bits.iter().copied().chain([level, "-DNATIVE", &include]).collect();
        clang(&flags, &at(name))?;
        let outcome = run_for(&mut Command::new(at(name)), NATIVE_LIMIT);
        Ok((outcome.code == Some(0)).then(|| outcome.stdout.lines().last().unwrap_or_default().to_owned()))
    };
    let Some(checksum) = native("-O0", "plain")? else { return Ok(Verdict::Skipped("slow or crashing natively")) };
    if native("-O2", "optimised")?.as_ref() != Some(&checksum) {
        return Ok(Verdict::Skipped("undefined: -O0 and -O2 differ natively"));
    }

    let mut problems = String::new();
    for level in ["-O0", "-O1"] {
        let flags: Vec<_> = bits.iter().copied().chain([level, "-emit-llvm", "-c", &include]).collect();
        clang(&flags, &at("program.bc"))?;
        let mut run = Command::new(clew());
        run.arg("run").arg(at("program.bc")).args(["--inputs", &checksum, "--max-steps", "300000000"]);
        let outcome = run_for(&mut run, CLEW_LIMIT);
        if outcome.code != Some(0) {
            let end = if outcome.timed_out { "out of time" } else { outcome.stdout.trim_end() };
            problems += &format!("  seed {seed} {} {level}: {end} {}\n", variant.join(" "), outcome.stderr.trim_end());
        }
    }
    if problems.is_empty() {
        return Ok(Verdict::Agrees);
    }
    if let Some(keep) = keep {
        fs::create_dir_all(keep).map_err(|error| error.to_string())?;
        fs::copy(&program, keep.join(format!("seed-{seed}.c"))).map_err(|error| error.to_string())?;
    }
    Ok(Verdict::Differs(problems))
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}

#[test]
fn random_programs_of_64_bits_agree() {
    if has_csmith() {
        random_programs_agree(|seed| !is_32(seed));
    }
}

#[test]
fn random_programs_of_32_bits_agree() {
    if has_csmith() && has_32_bits("clang-19") {
        random_programs_agree(is_32);
    }
}

/// Tries the seeds that are `meant`.
fn random_programs_agree(meant: impl Fn(u64) -> bool) {
    clew();
    let (count, first) = (number("CLEW_FUZZ_COUNT"), number("CLEW_FUZZ_SEED").unwrap_or(1));
    let keep = env::var_os("CLEW_FUZZ_KEEP").map(PathBuf::from);
    let seeds: Vec<u64> = (first..first + count.unwrap_or(12)).filter(|&seed| meant(seed)).collect();
    let verdicts = in_parallel(&seeds, |&seed| {
        let verdict = try_seed(seed, count.is_none(), keep.as_deref());
        let verdict = verdict.unwrap_or_else(|problem| Verdict::Differs(format!("  seed {seed}: {problem}\n")));
        if count.is_some() {
            match &verdict {
                Verdict::Agrees => eprintln!("  seed {seed} agrees"),
                Verdict::Skipped(why) => eprintln!("  seed {seed} skipped: {why}"),
                Verdict::Differs(how) => eprint!("{how}"),
            }
        }
        verdict
    });
    let (mut agree, mut skipped, mut differ, mut report) = (0, 0, 0, String::new());
    for verdict in &verdicts {
        match verdict {
            Verdict::Agrees => agree += 1,
            Verdict::Skipped(_) => skipped += 1,
            Verdict::Differs(how) => {
                differ += 1;
                report += how;
            }
        }
    }
    eprintln!("{agree} agree, {differ} differ, {skipped} skipped");
    assert!(differ == 0, "{differ} of {} programs differ:\n{report}", seeds.len());
    assert!(agree > 0 || seeds.is_empty(), "all {skipped} programs were skipped");
}
