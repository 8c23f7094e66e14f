//! Looks for wrong verdicts with generated programs; `scripts/fuzz-verdicts` builds and runs it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use clew_testsuite::fuzz::campaign::{self, Configs, Options};
use clew_testsuite::fuzz::judge::Judge;

/// Looks for wrong verdicts with generated programs.
///
/// Each program reads inputs from a small domain and makes one claim about what it computes. Native runs on all inputs
/// say whether the claim holds: half of the claims do. Programs with undefined behaviour are discarded.
///
/// Prints a table by module and by configuration. Exits with 1 if a verdict is wrong or Clew fails.
#[derive(Parser)]
#[command(name = "scripts/fuzz-verdicts")]
struct Arguments {
    /// Programs depend on it
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The number of the first program; two programs, one with a true claim and one with a false one, share a body
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,

    /// How many programs
    #[arg(long, value_name = "N", default_value_t = 1000)]
    count: u64,

    /// Which configurations judge them: the default one, all for a tenth of them, or all
    #[arg(long, value_name = "WHICH", default_value = "default", value_parser = ["default", "tenth", "all"])]
    configs: String,

    /// How many programs at the same time [default: all cores]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,

    /// What Clew is given for a program, in seconds
    #[arg(long, value_name = "TIME", default_value = "10s")]
    time_limit: String,

    /// Go on with the campaign in the output folder
    #[arg(long)]
    resume: bool,

    /// Where results go: results.tsv, summary.txt, and wrong/ with programs to reproduce
    #[arg(long, value_name = "DIR", default_value = "fuzz-verdicts-results")]
    out: PathBuf,

    /// The modules that lead programs, the files of testsuite/fuzz [default: all]
    #[arg(long, value_name = "MODULE,…", value_delimiter = ',')]
    only: Vec<String>,

    /// Fragments that programs do without, to look past what is known
    #[arg(long, value_name = "MODULE/NAME,…", value_delimiter = ',')]
    without: Vec<String>,

    /// How many of the programs with a wrong verdict are reduced
    #[arg(long, value_name = "N", default_value_t = 20)]
    reduce: usize,

    /// The command under test
    #[arg(long, value_name = "FILE", default_value = "target/release/clew")]
    clew: PathBuf,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Ok(seconds) = arguments.time_limit.trim_end_matches('s').parse() else {
        eprintln!("--time-limit takes seconds, such as 10s");
        return ExitCode::from(2);
    };
    let options = Options {
        seed: arguments.seed,
        from: arguments.from,
        count: arguments.count,
        configs: match arguments.configs.as_str() {
            "all" => Configs::All,
            "tenth" => Configs::Tenth,
            _ => Configs::Default,
        },
        jobs: arguments.jobs.unwrap_or_else(clew_testsuite::jobs).max(1),
        resume: arguments.resume,
        out: arguments.out,
        only: arguments.only,
        without: arguments.without,
        judge: Judge { clew: arguments.clew, seconds },
        reduce: arguments.reduce,
    };
    match campaign::run(&options, &|line| eprintln!("{line}")) {
        Ok(summary) => {
            print!("{summary}");
            ExitCode::from(u8::from(!summary.wrong().is_empty()))
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}
