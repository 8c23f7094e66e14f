//! The command line.

use std::fmt;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clew_frontend_llvm::compile::DataModel;

use crate::check::{AnalysisArgs, Check, LimitArgs, ProgressArgs, Request};
use crate::install::{Completions, Config, Install};
use crate::properties::{self, Selections};
use crate::replay::{Confined, Confirmation, Replay};
use crate::show::TableFormat;

const EXAMPLES: &str = "\
Examples:
  clew check examples/lock.c                     can an assertion fail?
  clew check main.c util.c --time-limit 60s      several files are linked
  clew show cfa examples/sum.c                   the program as a control-flow automaton
  clew show cfa main.c util.c --format svg       as a picture; several files are linked
  clew show arg prog.c                           the abstract states that the analysis reaches
  clew run prog.c --inputs 3,-1,0x10             run it with these inputs
  clew run prog.bc --seed 7 --trace              run bitcode with random inputs, showing each step
  clew run old.c --ilp32 -- -DDEBUG -Iinclude    what follows `--` goes to clang

Exit codes: 0 safe (show, run: done), 10 a property is violated, 20 no answer (unsupported, limits),
  2 bad usage, 3 the input does not compile, 4 internal error.";

/// Verifies compiled C and C++.
#[derive(Debug, Parser)]
#[command(name = "clew", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// The subcommand.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Decide whether a program can violate a property
    ///
    /// The last line says SAFE, UNSAFE (with the violated property) or UNKNOWN (with the reason), and so does the exit
    /// code: 0, 10, 20.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Box<Check>),
    /// Show what Clew sees in a program
    Show {
        /// The subcommand.
        #[command(subcommand)]
        what: Show,
    },
    /// Run a program step by step, with given or random inputs
    ///
    /// Inputs are what the functions __VERIFIER_nondet_* return, in the order of the calls. Exits with 0 if the program
    /// ends, with 10 if it violates a property, with 20 if it meets something unsupported or a limit.
    #[command(after_help = RUN_EXAMPLES)]
    Run(Run),
    /// Run a violation again: the compiled program, with the inputs of a report
    ///
    /// The program is confined: it has no network, and no files but its libraries and a folder of its own. Exits with 10
    /// if it violates the property at the same place, with 0 if it does not, with 20 if that cannot be said.
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(Replay),
    /// Say where Clew's files for builds are: headers, the compiler plugin, the CMake package
    #[command(after_help = CONFIG_EXAMPLES)]
    Config(Config),
    /// Write the completions of a shell to the standard output
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(Completions),
    /// Write all files that belong to an installation, but the executables and solvers
    #[command(name = "__install", hide = true)]
    Install(Install),
    /// Confine this process and become a program
    #[command(name = "__confined", hide = true)]
    Confined(Confined),
    /// Read a module and exit: run as a child process, since LLVM may crash on malformed bitcode
    #[command(name = "__probe-bitcode", hide = true)]
    ProbeBitcode {
        /// The module.
        file: PathBuf,
    },
}

const CHECK_EXAMPLES: &str = "\
Examples:
  clew check prog.c                                 no assertion fails, and no call of reach_error is reached
  clew check prog.c --property unreach-call         the latter only
  clew check prog.c --property overflow,bounds      no signed overflow, no index out of bounds
  clew check main.c util.c --time-limit 5min        UNKNOWN after five minutes
  clew check prog.c --config value-full --stats     another analysis, and what it did
  clew check prog.c --harness test.c                a test that fails, if there is a violation
  clew check prog.c --all                           all violations, not only the first
  clew check prog.c --json | jq .verdict            for programs
  clew check prog.c --dump-smt queries              what the solver is asked, as files
  clew check old.i --ilp32 -- -std=gnu89            what follows `--` goes to clang

Exit codes: 0 SAFE, 10 UNSAFE, 20 UNKNOWN, 2 bad usage, 3 the input does not compile, 4 internal error.";

const REPLAY_EXAMPLES: &str = "\
Examples:
  clew check prog.c --json > report.json; clew replay report.json
  clew replay report.json --harness test.c          a test that fails, with build instructions";

const CONFIG_EXAMPLES: &str = "\
Examples:
  clang -g $(clew config cflags) -fpass-plugin=$(clew config plugin) -c proof.c
  cmake -DClew_DIR=$(clew config cmake-dir) ..";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  source <(clew completions bash)
  clew completions fish > ~/.config/fish/completions/clew.fish";

const RUN_EXAMPLES: &str = "\
Examples:
  clew run prog.c --inputs 3,-1,0x10
  clew run prog.c --inputs-file values.txt --trace
  clew run prog.c --seed 7 --max-steps 1000000";

/// The subcommands of `show`.
#[derive(Debug, Subcommand)]
pub enum Show {
    /// The control-flow automaton: one edge a statement
    #[command(after_help = SHOW_EXAMPLES)]
    Cfa(ShowCfa),
    /// The abstract reachability graph: the abstract states that an analysis reaches, and how
    ///
    /// The analysis keeps a state at every location. Its verdict is a note on the standard error.
    #[command(after_help = SHOW_ARG_EXAMPLES)]
    Arg(Box<ShowAnalysis<Format>>),
    /// The precision: what an analysis tracks in the end, and where
    #[command(after_help = SHOW_PRECISION_EXAMPLES)]
    Precision(Box<ShowAnalysis<PrecisionFormat>>),
    /// The configurations that --config takes
    Configs {
        /// How to show them
        #[arg(long, value_enum, default_value_t = TableFormat::Text)]
        format: TableFormat,
    },
    /// The numbers that steer the search, which --tune takes
    Tuning {
        /// How to show them
        #[arg(long, value_enum, default_value_t = TableFormat::Text)]
        format: TableFormat,
    },
}

const SHOW_ARG_EXAMPLES: &str = "\
Examples:
  clew show arg prog.c
  clew show arg prog.c --config value-full --time-limit 10s --format dot | dot -Tpdf -o prog.pdf
  clew show arg prog.c --format svg > prog.svg";

const SHOW_PRECISION_EXAMPLES: &str = "\
Examples:
  clew show precision prog.c
  clew show precision prog.c --precision location --format json";

const SHOW_EXAMPLES: &str = "\
Examples:
  clew show cfa prog.c --function main
  clew show cfa prog.c --blocks large
  clew show cfa prog.c --simplified
  clew show cfa prog.c --format dot | dot -Tpdf -o prog.pdf
  clew show cfa prog.c --format svg > prog.svg";

/// Arguments of `show cfa`.
#[derive(Debug, Args)]
pub struct ShowCfa {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// How much an edge holds
    #[arg(long, value_enum, default_value_t = EdgeBlocks::Single)]
    pub blocks: EdgeBlocks,
    /// As analyses get it, without what no violation depends on; how much is left goes to the standard error
    #[arg(long)]
    pub simplified: bool,
    /// Show this function only
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
}

/// The encoding of edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EdgeBlocks {
    /// One step
    Single,
    /// All paths to the next loop head, call, return, end, or join of paths from several of these
    Large,
}

/// Arguments of `show arg` and `show precision`.
#[derive(Debug, Args)]
pub struct ShowAnalysis<F: ValueEnum + Send + Sync + 'static> {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// The analysis.
    #[command(flatten)]
    pub analysis: AnalysisArgs,
    /// The limits.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How to show it
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    pub format: F,
    /// Progress output.
    #[command(flatten)]
    pub progress: ProgressArgs,
}

impl<F: ValueEnum + Send + Sync> ShowAnalysis<F> {
    /// The run to perform.
    pub fn request(&self) -> Request<'_> {
        let ShowAnalysis { program, analysis, limits, progress, .. } = self;
        Request { program, analysis, limits, all: false, replay: Some(Confirmation::None), progress }
    }
}

/// Output formats of a precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PrecisionFormat {
    /// Readable text
    Text,
    /// For programs
    Json,
}

/// Output formats of an automaton or a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// Readable text
    Text,
    /// Input of Graphviz
    Dot,
    /// A picture
    Svg,
    /// For programs
    Json,
}

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct Run {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// The first inputs: numbers, separated by commas
    #[arg(long, value_name = "N,N,…", allow_hyphen_values = true, conflicts_with = "inputs_file")]
    pub inputs: Option<String>,
    /// A file with the first inputs: numbers, separated by commas or space; `#` starts a comment
    #[arg(long, value_name = "FILE")]
    pub inputs_file: Option<PathBuf>,
    /// The seed of the random inputs that follow the given ones
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop after this many edges
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub max_steps: u64,
    /// Show each step
    #[arg(long)]
    pub trace: bool,
}

/// The program, and how to compile it.
#[derive(Debug, Args)]
pub struct ProgramArgs {
    /// C, C++, preprocessed (.i .ii), LLVM assembly (.ll), bitcode (.bc), or binaries that carry bitcode
    #[arg(required = true, value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// `int`, `long` and pointers have 32 bits
    #[arg(long, conflicts_with = "lp64", help_heading = "Program")]
    pub ilp32: bool,
    /// `int` has 32 bits, `long` and pointers have 64 (the default for sources)
    #[arg(long, help_heading = "Program")]
    pub lp64: bool,
    /// The function where execution starts
    #[arg(long, value_name = "NAME", default_value = "main", help_heading = "Program")]
    pub entry: String,
    /// What functions without a body do, unless they are known library functions
    #[arg(long, value_enum, value_name = "HOW", default_value_t, help_heading = "Program")]
    pub externals: Externals,
    /// Functions that may return any value, whatever their real ones do: a device, a network
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = "Program")]
    pub assume_any: Vec<String>,
    /// What must hold: kinds, groups (ub: undefined behaviour), property files (.prp), separated by commas [default: what
    /// the program claims: unreach-call, assert]
    #[arg(long = "property", value_name = "KIND,…", value_parser = properties::parse, long_help = properties::help())]
    #[arg(help_heading = "Program")]
    pub properties: Option<Selections>,
    /// Flags for clang
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub clang_flags: Vec<String>,
}

/// The effect of functions without a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Externals {
    /// Return any value and write nothing
    Pure,
    /// Return any value and write any value to all that they can reach
    #[default]
    Havoc,
    /// Are not supported
    Error,
}

impl fmt::Display for Externals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_possible_value().as_ref().map_or("", |value| value.get_name()))
    }
}

impl ProgramArgs {
    /// The selected properties; empty for the default.
    pub fn selections(&self) -> Selections {
        self.properties.clone().unwrap_or_default()
    }

    /// The requested data model; `None` for the default.
    pub fn data_model(&self) -> Option<DataModel> {
        match (self.ilp32, self.lp64) {
            (true, _) => Some(DataModel::Ilp32),
            (_, true) => Some(DataModel::Lp64),
            _ => None,
        }
    }
}
