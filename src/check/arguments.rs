//! Arguments of the commands that run an analysis.

use std::io::stdout;
use std::path::PathBuf;
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use clew_verifier::cfa::{Program, PropertySet};
use clew_verifier::report::{FORMATS, Format, Trace};
use clew_verifier::strategy::{
    Abstraction, Blocks, CheckOptions, Config, Interpolation, InvariantDomain, Order, PrecisionScope, RefinedFirst,
    Refinement, Slices, VALUE_THRESHOLD, variables,
};
use clew_verifier::tuning::Tuning;

use super::choices;
use super::choices::{Heuristics, Tuned};
use super::solvers::Selection;
use super::sources::Moved;
use crate::cli::ProgramArgs;
use crate::replay::Confirmation;

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// The analysis.
    #[command(flatten)]
    pub analysis: AnalysisArgs,
    /// Go on after a violation, and report each property that can be violated
    #[arg(long, help_heading = "Analysis")]
    pub all: bool,
    /// SAFE only if the proof rests on no assumption about what is outside of the program, else UNKNOWN
    #[arg(long, help_heading = "Analysis")]
    pub strict: bool,
    /// Start from what an earlier proof of the program, or of another version of it, rests on: a file of --save-precision
    #[arg(long, value_name = "FILE", help_heading = "Analysis")]
    pub precision_from: Option<PathBuf>,
    /// Write what the proof rests on into this file, if there is a proof
    #[arg(long, value_name = "FILE", help_heading = "Analysis")]
    pub save_precision: Option<PathBuf>,
    /// What confirms a violation [default: native, if this system has a sandbox]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Analysis")]
    pub replay: Option<Confirmation>,
    /// The limits.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// The output.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Write each query to the solver into this folder, as SMT-LIB: 000001.smt2 and so on, in place of earlier ones
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub dump_smt: Option<PathBuf>,
    /// Write a test that fails by the violation, as a C file that is linked with the program
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub harness: Option<PathBuf>,
    /// Progress output.
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// The output of a run.
#[derive(Debug, Args)]
pub struct OutputArgs {
    /// The format of the report
    #[arg(long, value_name = "FORMAT", default_value = FORMATS[0].name, value_parser = choices::format())]
    #[arg(help_heading = "Output")]
    format: &'static Format,
    /// The same as --format json
    #[arg(long, overrides_with = "format", help_heading = "Output")]
    json: bool,
    /// Show a table of what the run did
    #[arg(long, help_heading = "Output")]
    pub stats: bool,
    /// How much of the path of a violation is shown
    #[arg(long, value_name = "HOW", default_value = "short", value_parser = choices::parser(choices::TRACES))]
    #[arg(help_heading = "Output")]
    pub trace: Trace,
    /// Read the sources that were compiled in the folder FROM, or below it, in TO
    #[arg(long, value_name = "FROM=TO", value_parser = Moved::parse, help_heading = "Output")]
    pub source_map: Vec<Moved>,
    /// When text has colours; on a terminal by default, unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, help_heading = "Output")]
    color: Color,
}

impl OutputArgs {
    /// The format of the report.
    pub fn format(&self) -> &'static Format {
        let named = |name: &str| FORMATS.iter().find(|format| format.name == name);
        if self.json { named("json").unwrap_or(self.format) } else { self.format }
    }

    /// Whether text output is coloured.
    pub fn color(&self) -> bool {
        self.color.is_on()
    }
}

/// When text has colours.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum Color {
    /// On a terminal
    #[default]
    Auto,
    /// Also in pipes and files
    Always,
    /// Nowhere
    Never,
}

impl Color {
    /// Whether the standard output is coloured.
    pub fn is_on(self) -> bool {
        match self {
            // Respects NO_COLOR and CLICOLOR, and detects terminals without colours.
            Color::Auto => AutoStream::choice(&stdout()) != ColorChoice::Never,
            Color::Always => true,
            Color::Never => false,
        }
    }
}

/// Progress output.
#[derive(Debug, Args)]
pub struct ProgressArgs {
    /// Report progress even if the standard error is no terminal: a line every few seconds
    #[arg(long, overrides_with = "no_progress", help_heading = "Output")]
    pub progress: bool,
    /// Show no progress
    #[arg(long, help_heading = "Output")]
    pub no_progress: bool,
}

/// The arguments that all runs of an analysis share.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The program.
    pub program: &'a ProgramArgs,
    /// The analysis.
    pub analysis: &'a AnalysisArgs,
    /// The limits.
    pub limits: &'a LimitArgs,
    /// Whether the run continues after a violation.
    pub all: bool,
    /// What confirms a violation.
    pub replay: Option<Confirmation>,
    /// Progress output.
    pub progress: &'a ProgressArgs,
}

/// The analysis and its parameters.
#[derive(Debug, Args)]
pub struct AnalysisArgs {
    /// The analysis
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = choices::config())]
    #[arg(help_heading = "Analysis")]
    pub config: Config,
    /// Which states are explored first: dfs, bfs, rpo (reverse postorder), loop-depth, random:SEED [default: bfs for
    /// value, dfs for value-full, rpo for predicate]
    #[arg(long, value_name = "ORDER", value_parser = choices::order, help_heading = "Analysis")]
    pub order: Option<Order>,
    /// Which locations share the result of a refinement [default: global for values, function for predicates]
    #[arg(long, value_name = "SCOPE", value_parser = choices::parser(choices::SCOPES), help_heading = "Analysis")]
    pub precision: Option<PrecisionScope>,
    /// Variables that are tracked from the start, such as x or main::x
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = "Analysis")]
    pub track: Vec<String>,
    /// Where exploration continues after a refinement
    #[arg(long, value_name = "HOW", default_value = "lazy", value_parser = choices::parser(choices::REFINEMENTS))]
    #[arg(help_heading = "Analysis")]
    pub refinement: Refinement,
    /// The maximum number of activations of one function on the call stack
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(help_heading = "Analysis")]
    pub max_recursion: u32,
    /// Where predicate analysis abstracts: sbe (after each step), lbe (at the ends of large blocks), abe-l (at loop heads),
    /// abe-lf (there and at function borders), abe-N (after N steps)
    #[arg(long, value_name = "BLOCKS", default_value = "abe-l", value_parser = choices::blocks)]
    #[arg(help_heading = "Analysis")]
    pub blocks: Blocks,
    /// How predicate analysis abstracts
    #[arg(long, value_name = "HOW", default_value = "boolean", value_parser = choices::parser(choices::ABSTRACTIONS))]
    #[arg(help_heading = "Analysis")]
    pub abstraction: Abstraction,
    /// The interpolation procedures, tried in this order [default: all, in an order that depends on the path]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    #[arg(value_parser = choices::parser(choices::INTERPOLATIONS), help_heading = "Analysis")]
    pub interpolation: Option<Vec<Interpolation>>,
    /// How refinement chooses among several ways to exclude a path, as a list: short or long prefixes, good-domain or
    /// bad-domain types of variables, narrow or wide, shallow or deep, random:SEED; or none [default: good-domain,narrow,
    /// but none for predicates without values]
    #[arg(long, value_name = "NAME,…", value_parser = choices::heuristics, help_heading = "Analysis")]
    pub select: Option<Heuristics>,
    /// The units of the sliced prefixes that --select ranks for predicates
    #[arg(long, value_name = "WHAT", default_value = "steps", value_parser = choices::parser(choices::SLICES))]
    #[arg(help_heading = "Analysis")]
    pub slices: Slices,
    /// With values and predicates: which domain is refined if both can exclude a path
    #[arg(long, value_name = "WHICH", default_value = "selected", help_heading = "Analysis")]
    #[arg(value_parser = choices::parser(choices::REFINED_FIRST))]
    pub refine_first: RefinedFirst,
    /// With values and predicates: the maximum number of values of a variable along a path; beyond, it is left to predicates
    #[arg(long, value_name = "N", default_value_t = VALUE_THRESHOLD, help_heading = "Analysis")]
    pub value_threshold: u32,
    /// With bmc and k-induction: the maximum number of iterations of a loop [default: no bound]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Analysis")]
    pub bound: Option<u32>,
    /// Which solvers answer hard queries: race (Z3 and Bitwuzla, the first answer counts), z3, or a solver on the path or
    /// in CLEW_SOLVERS, such as bitwuzla or cvc5
    #[arg(long, value_name = "NAME", default_value = "race", value_parser = Selection::parse)]
    #[arg(help_heading = "Analysis")]
    pub solver: Selection,
    /// With k-induction: the domain of the loop invariants that it assumes
    #[arg(long, value_name = "DOMAIN", default_value = "octagon", value_parser = choices::parser(choices::INVARIANTS))]
    #[arg(help_heading = "Analysis")]
    pub invariants: InvariantDomain,
    /// Numbers that steer the search, see `clew show tuning`
    #[arg(long, value_name = "NAME=N,…", value_delimiter = ',', value_parser = choices::tuned)]
    #[arg(help_heading = "Analysis", hide_short_help = true)]
    pub tune: Vec<Tuned>,
}

impl AnalysisArgs {
    /// The options of the analysis, with `properties` to check.
    pub fn options(&self, properties: PropertySet) -> CheckOptions {
        CheckOptions {
            config: self.config,
            properties,
            except: Vec::new(),
            order: self.order,
            scope: self.precision,
            track: self.track.clone(),
            refinement: self.refinement,
            recursion: self.max_recursion,
            blocks: self.blocks,
            abstraction: self.abstraction,
            interpolators: self.interpolation.clone(),
            select: self.select.as_ref().map(|list| list.0.clone()),
            slices: self.slices,
            refined_first: self.refine_first,
            value_threshold: self.value_threshold,
            bound: self.bound,
            invariants: self.invariants,
            hint: None,
            keeps_proof: false,
        }
    }

    /// The numbers that steer the search.
    pub fn tuning(&self) -> Tuning {
        let mut tuning = Tuning::default();
        for Tuned { name, value } in &self.tune {
            tuning.set(name, value).expect("the argument parser has tried it");
        }
        tuning
    }

    /// The parameters that were set, with their values.
    pub fn tuned(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let is_set = |name| self.tune.iter().any(|tuned| tuned.name == name);
        let set = self.tuning().parameters().filter(move |parameter| is_set(parameter.name));
        set.map(|parameter| (parameter.name, parameter.value))
    }

    /// The first variable of `--track` that does not exist.
    pub fn unknown_variable(&self, program: &Program) -> Option<&str> {
        self.track.iter().map(String::as_str).find(|name| variables(program, name).is_empty())
    }
}

/// The time limit of a run that sets none: that of `--time-limit` below.
pub const DEFAULT_TIME: Duration = Duration::from_secs(15 * 60);

/// Resource limits.
#[derive(Debug, Args)]
pub struct LimitArgs {
    /// How long it may take, compiling included: 60s, 5min, 1h 30min, none
    #[arg(long, value_name = "TIME", default_value = "15min", value_parser = time)]
    #[arg(allow_hyphen_values = true, help_heading = "Limits")]
    pub time_limit: Limit<Duration>,
    /// How much memory it may use: 4GB, 500MB [default: 85 % of what is available]
    #[arg(long, value_name = "SIZE", value_parser = memory, allow_hyphen_values = true, help_heading = "Limits")]
    pub memory_limit: Option<ByteSize>,
    /// How many analyses may run at the same time, if there are several [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=32), help_heading = "Limits")]
    pub jobs: Option<u16>,
}

/// A limit, or none. Not a plain `Option`, which clap takes for an optional argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit<T>(pub Option<T>);

/// Parses a time limit.
pub fn time(text: &str) -> Result<Limit<Duration>, String> {
    if text == "none" {
        return Ok(Limit(None));
    }
    // A number without a unit is in seconds.
    let with_unit = if text.bytes().all(|b| b.is_ascii_digit()) { format!("{text}s") } else { text.into() };
    let time = humantime::parse_duration(&with_unit).map_err(|e| format!("{e}; write 60s, 5min or none"))?;
    if time.is_zero() {
        return Err("it leaves no time at all".into());
    }
    Ok(Limit(Some(time)))
}

/// Smaller limits are rejected: the unit was probably forgotten.
const MIN_MEMORY: ByteSize = ByteSize::mb(10);

fn memory(text: &str) -> Result<ByteSize, String> {
    let size: ByteSize = text.parse().map_err(|_| "write 500MB, 4GB or 4GiB".to_string())?;
    if size < MIN_MEMORY {
        return Err(format!("it is below {}; write 500MB, 4GB or 4GiB", MIN_MEMORY.display().si()));
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let seconds = |n| Ok(Limit(Some(Duration::from_secs(n))));
        assert_eq!(time("15min"), Ok(Limit(Some(DEFAULT_TIME))));
        assert_eq!(time("60s"), seconds(60));
        assert_eq!(time("5min"), seconds(300));
        assert_eq!(time("1h 30m"), seconds(5400));
        assert_eq!(time("90"), seconds(90));
        assert_eq!(time("250ms"), Ok(Limit(Some(Duration::from_millis(250)))));
        assert_eq!(time("none"), Ok(Limit(None)));
        for bad in ["", "0s", "0", "-5s", "5 parsecs", "99999999999999999999s", "nothing"] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(memory("4GB"), Ok(ByteSize::gb(4)));
        assert_eq!(memory("512MiB"), Ok(ByteSize::mib(512)));
        for bad in ["", "4", "4 apples", "-1GB", "GB", "1kB"] {
            assert!(memory(bad).is_err(), "{bad}");
        }
    }
}
