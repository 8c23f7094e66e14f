//! The command line.

use std::fmt;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clew_clang::database::{self, DatabaseError, Entry};
use clew_frontend_llvm::compile::DataModel;
use clew_frontend_llvm::entry::{Arguments, Length};

use crate::build::Build;
use crate::check::{AnalysisArgs, Check, LimitArgs, ProgressArgs, Request};
use crate::init::Init;
use crate::install::{Completions, Config, Install};
use crate::properties::{self, Selections};
use crate::replay::{Confined, Confirmation, Replay};
use crate::show::TableFormat;
use crate::test::Test;

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
    Run(Box<Run>),
    /// Run a build with compilers that put bitcode into objects and programs
    ///
    /// Sets CC and CXX to clew-cc and clew-c++, and AR and RANLIB to those of LLVM, for a command such as make or cmake. The
    /// sources that it compiles are recorded. Exits as the command does.
    #[command(after_help = BUILD_EXAMPLES)]
    Build(Build),
    /// Run a violation again: the compiled program, with the inputs of a report
    ///
    /// The program is confined: it has no network, and no files but its libraries and a folder of its own. Exits with 10
    /// if it violates the property at the same place, with 0 if it does not, with 20 if that cannot be said.
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(Replay),
    /// Check harnesses, and compare their verdicts with accepted ones
    ///
    /// A harness is a C or C++ file with a comment `// clew: OPTIONS` at its head, or one that a manifest (clew.toml)
    /// names. Accepted verdicts are files in folders `snapshots` next to the harnesses, to be committed.
    #[command(after_help = TEST_EXAMPLES)]
    Test(Box<Test>),
    /// Write a first manifest and a first harness for `clew test`; existing files are kept
    Init(Init),
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

const TEST_EXAMPLES: &str = "\
Examples:
  clew test                                      the harnesses of ./clew.toml, or those below this folder
  clew test proofs --filter parse                those of a folder whose names contain `parse`
  clew test --review                             ask for each new or changed verdict whether to accept it
  clew test --shard 1/4 --junit report.xml       a quarter of them, for continuous integration

Exit codes: 0 all verdicts are the accepted ones, 1 some differ or are new, 2 bad usage or a bad manifest,
  3 a harness does not compile, 4 internal error.";

const REPLAY_EXAMPLES: &str = "\
Examples:
  clew check prog.c --json > report.json; clew replay report.json
  clew replay report.json --harness test.c          a test that fails, with build instructions";

const BUILD_EXAMPLES: &str = "\
Examples:
  clew build -- make -j4; clew check ./app
  clew build -- sh -c './configure && make'; clew check harness.c .libs/libz.a
  clew build -- cmake -B build; clew build -- cmake --build build
  clew check harness.c --build .clew/compile_commands.json --unit src/parse.c";

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
    Cfa(Box<ShowCfa>),
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
    #[arg(required_unless_present = "build", value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// A compilation database: its units are part of the program, compiled as in the build
    #[arg(long, value_name = "compile_commands.json", help_heading = "Program")]
    pub build: Option<PathBuf>,
    /// Only the units of this target, as CMake or Meson name it
    #[arg(long, value_name = "NAME", requires = "build", help_heading = "Program")]
    pub target: Option<String>,
    /// Only this source of the build; may be repeated
    #[arg(long, value_name = "FILE", requires = "build", help_heading = "Program")]
    pub unit: Vec<PathBuf>,
    /// `int`, `long` and pointers have 32 bits
    #[arg(long, conflicts_with = "lp64", help_heading = "Program")]
    pub ilp32: bool,
    /// `int` has 32 bits, `long` and pointers have 64 (the default for sources)
    #[arg(long, help_heading = "Program")]
    pub lp64: bool,
    /// The function where execution starts
    #[arg(long, value_name = "NAME", default_value = "main", help_heading = "Program")]
    pub entry: String,
    /// The arguments of another entry.
    #[command(flatten)]
    pub arguments: EntryArgs,
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
    /// Write what is read, and where headers are looked for, into this file, as JSON
    #[arg(long, value_name = "FILE", hide = true)]
    pub record_inputs: Option<PathBuf>,
    /// Flags for clang
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub clang_flags: Vec<String>,
}

/// What the arguments of an entry function are like.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Arguments of the entry")]
pub struct EntryArgs {
    /// Parameters that point to arrays, with their lengths in elements: numbers, or other parameters
    #[arg(long = "array", value_name = "NAME:LENGTH,…", value_delimiter = ',', value_parser = array)]
    pub arrays: Vec<(String, Length)>,
    /// Parameters that point to texts that end with a zero
    #[arg(long = "string", value_name = "NAME,…", value_delimiter = ',')]
    pub strings: Vec<String>,
    /// Pointers are never null
    #[arg(long)]
    pub non_null: bool,
    /// The largest length of arrays and texts
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(..1 << 32))]
    pub max_length: u64,
    /// How many pointers lead from a parameter to objects; beyond, they point outside of the program
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(..16))]
    pub max_depth: u32,
    /// Global variables have any values, not their initial ones
    #[arg(long)]
    pub any_globals: bool,
}

impl EntryArgs {
    /// What differs from the defaults, as words of the command line.
    pub fn words(&self) -> Vec<String> {
        let default = Arguments::default();
        let length = |length: &Length| match length {
            Length::Constant(count) => count.to_string(),
            Length::Parameter(name) => name.clone(),
        };
        let mut words: Vec<String> =
            self.arrays.iter().map(|(name, count)| format!("--array={name}:{}", length(count))).collect();
        words.extend(self.strings.iter().map(|name| format!("--string={name}")));
        words.extend(self.non_null.then(|| "--non-null".into()));
        words.extend((self.max_length != default.max_length).then(|| format!("--max-length={}", self.max_length)));
        words.extend((self.max_depth != default.depth).then(|| format!("--max-depth={}", self.max_depth)));
        words.extend(self.any_globals.then(|| "--any-globals".into()));
        words
    }
}

fn array(text: &str) -> Result<(String, Length), String> {
    let (name, length) = text.split_once(':').ok_or("write NAME:LENGTH")?;
    Ok((name.into(), length.parse()?))
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

    /// What the arguments of the entry function are like.
    pub fn entry_arguments(&self) -> Arguments {
        let EntryArgs { arrays, strings, non_null, max_length, max_depth, any_globals } = &self.arguments;
        Arguments {
            arrays: arrays.clone(),
            strings: strings.clone(),
            non_null: *non_null,
            max_length: *max_length,
            depth: *max_depth,
            any_globals: *any_globals,
        }
    }

    /// The units of the build.
    pub fn units(&self) -> Result<Vec<Entry>, DatabaseError> {
        let Some(file) = &self.build else { return Ok(Vec::new()) };
        database::select(file, database::read(file)?, self.target.as_deref(), &self.unit)
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
