//! Arguments of `clew check`, and of what else runs an analysis.

use std::path::PathBuf;
use std::time::Duration;

use bytesize::ByteSize;
use clap::Args;
use clew_verifier::cfa::Program;
use clew_verifier::strategy::{
    Abstraction, Blocks, CheckOptions, Config, Interpolation, Order, PrecisionScope, RefinedFirst, Refinement, Slices,
    VALUE_THRESHOLD, variables,
};

use super::choices::Heuristics;
use super::{choices, properties};
use crate::cli::ProgramArgs;

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// The analysis.
    #[command(flatten)]
    pub analysis: AnalysisArgs,
    /// The limits.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Write one JSON document instead of text
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Show a table of what the run did
    #[arg(long, help_heading = "Output")]
    pub stats: bool,
    /// Write each query to the solver into this folder, as SMT-LIB: 000001.smt2 and so on, in place of earlier ones
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub dump_smt: Option<PathBuf>,
    /// What it shows while it works.
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// What a run shows while it works.
#[derive(Debug, Args)]
pub struct ProgressArgs {
    /// Report progress even if the standard error is no terminal: a line every few seconds
    #[arg(long, overrides_with = "no_progress", help_heading = "Output")]
    pub progress: bool,
    /// Show no progress
    #[arg(long, help_heading = "Output")]
    pub no_progress: bool,
}

/// A run: of which analysis, on which program, within which limits.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The program.
    pub program: &'a ProgramArgs,
    /// The analysis.
    pub analysis: &'a AnalysisArgs,
    /// The limits.
    pub limits: &'a LimitArgs,
    /// What it shows while it works.
    pub progress: &'a ProgressArgs,
}

/// Which analysis runs, and how.
#[derive(Debug, Args)]
pub struct AnalysisArgs {
    /// The analysis
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = choices::parser(choices::CONFIGS))]
    #[arg(help_heading = "Analysis")]
    pub config: Config,
    /// What must hold: kinds such as unreach-call or assert, separated by commas [default: all in the program]
    #[arg(long = "property", value_name = "KIND,…", value_delimiter = ',', value_parser = properties::kind)]
    #[arg(help_heading = "Analysis")]
    pub properties: Vec<String>,
    /// Which states are explored first: dfs, bfs, rpo (reverse postorder), loop-depth, random:SEED [default: bfs for
    /// value, dfs for value-full, rpo for predicate]
    #[arg(long, value_name = "ORDER", value_parser = choices::order, help_heading = "Analysis")]
    pub order: Option<Order>,
    /// How far what a refinement finds is shared [default: global for values, function for predicates]
    #[arg(long, value_name = "SCOPE", value_parser = choices::parser(choices::SCOPES), help_heading = "Analysis")]
    pub precision: Option<PrecisionScope>,
    /// Variables that are tracked from the start, such as x or main::x
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = "Analysis")]
    pub track: Vec<String>,
    /// Where exploration goes on after a refinement
    #[arg(long, value_name = "HOW", default_value = "lazy", value_parser = choices::parser(choices::REFINEMENTS))]
    #[arg(help_heading = "Analysis")]
    pub refinement: Refinement,
    /// How often a function may be under way at the same time
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(help_heading = "Analysis")]
    pub max_recursion: u32,
    /// Where predicate analysis abstracts: sbe (after each step), lbe (where large blocks end: loop heads, calls, returns,
    /// and where ways from there meet), abe-l (at loop heads), abe-lf (there and at function borders), abe-N (after N steps)
    #[arg(long, value_name = "BLOCKS", default_value = "abe-l", value_parser = choices::blocks)]
    #[arg(help_heading = "Analysis")]
    pub blocks: Blocks,
    /// How predicate analysis abstracts
    #[arg(long, value_name = "HOW", default_value = "boolean", value_parser = choices::parser(choices::ABSTRACTIONS))]
    #[arg(help_heading = "Analysis")]
    pub abstraction: Abstraction,
    /// Who finds predicates, one after the other [default: all, in an order that suits what a path is about]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    #[arg(value_parser = choices::parser(choices::INTERPOLATIONS), help_heading = "Analysis")]
    pub interpolation: Option<Vec<Interpolation>>,
    /// What is preferred where a path can be excluded in several ways, as a list: short or long prefixes, good-domain or
    /// bad-domain types of variables, narrow or wide, shallow or deep, random:SEED; or none [default: good-domain,narrow,
    /// but none for predicates without values]
    #[arg(long, value_name = "NAME,…", value_parser = choices::heuristics, help_heading = "Analysis")]
    pub select: Option<Heuristics>,
    /// What the prefixes of a path consist of that --select chooses predicates by
    #[arg(long, value_name = "WHAT", default_value = "steps", value_parser = choices::parser(choices::SLICES))]
    #[arg(help_heading = "Analysis")]
    pub slices: Slices,
    /// With values and predicates: which of them are refined where both can exclude a path
    #[arg(long, value_name = "WHICH", default_value = "selected", help_heading = "Analysis")]
    #[arg(value_parser = choices::parser(choices::REFINED_FIRST))]
    pub refine_first: RefinedFirst,
    /// With values and predicates: how many values a variable may take along a path before it is left to predicates
    #[arg(long, value_name = "N", default_value_t = VALUE_THRESHOLD, help_heading = "Analysis")]
    pub value_threshold: u32,
    /// With bmc and k-induction: how often loops are gone through at most [default: no bound]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Analysis")]
    pub bound: Option<u32>,
}

impl AnalysisArgs {
    /// The same for the analysis.
    pub fn options(&self) -> CheckOptions {
        CheckOptions {
            config: self.config,
            properties: self.properties.clone(),
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
        }
    }

    /// A variable that is to be tracked but does not exist.
    pub fn unknown_variable(&self, program: &Program) -> Option<&str> {
        self.track.iter().map(String::as_str).find(|name| variables(program, name).is_empty())
    }
}

/// What a run may use.
#[derive(Debug, Args)]
pub struct LimitArgs {
    /// How long it may take, compiling included: 60s, 5min, 1h 30min, none
    #[arg(long, value_name = "TIME", default_value = "none", value_parser = time)]
    #[arg(allow_hyphen_values = true, help_heading = "Limits")]
    pub time_limit: Limit<Duration>,
    /// How much memory it may use: 4GB, 500MB [default: 85 % of what is available]
    #[arg(long, value_name = "SIZE", value_parser = memory, allow_hyphen_values = true, help_heading = "Limits")]
    pub memory_limit: Option<ByteSize>,
}

/// A limit, or none. (clap takes an `Option` for an argument that may be left out.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit<T>(pub Option<T>);

fn time(text: &str) -> Result<Limit<Duration>, String> {
    if text == "none" {
        return Ok(Limit(None));
    }
    // A number alone means seconds.
    let with_unit = if text.bytes().all(|b| b.is_ascii_digit()) { format!("{text}s") } else { text.into() };
    let time = humantime::parse_duration(&with_unit).map_err(|e| format!("{e}; write 60s, 5min or none"))?;
    if time.is_zero() {
        return Err("it leaves no time at all".into());
    }
    Ok(Limit(Some(time)))
}

/// Less than this is no limit that anybody means, but a forgotten unit.
const LEAST_MEMORY: ByteSize = ByteSize::mb(10);

fn memory(text: &str) -> Result<ByteSize, String> {
    let size: ByteSize = text.parse().map_err(|_| "write 500MB, 4GB or 4GiB".to_string())?;
    if size < LEAST_MEMORY {
        return Err(format!("it is below {}; write 500MB, 4GB or 4GiB", LEAST_MEMORY.display().si()));
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let seconds = |n| Ok(Limit(Some(Duration::from_secs(n))));
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
