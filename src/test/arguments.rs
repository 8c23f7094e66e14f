//! Arguments of `clew test`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::check::{Color, ProgressArgs};

/// Arguments of `test`.
#[derive(Debug, Args)]
pub struct Test {
    /// Folders, harnesses (C or C++), or manifests (clew.toml)
    #[arg(value_name = "PATHS", default_value = ".")]
    pub paths: Vec<PathBuf>,
    /// Run the harnesses only whose names contain this, or match it as a regular expression
    #[arg(long, value_name = "PATTERN", help_heading = "Selection")]
    pub filter: Option<String>,
    /// Run part I of N; all N parts together are all harnesses
    #[arg(long, value_name = "I/N", value_parser = shard, help_heading = "Selection")]
    pub shard: Option<Shard>,
    /// List the harnesses and the commands that check them, and run nothing
    #[arg(long, help_heading = "Selection")]
    pub list: bool,
    /// Accept all new and changed verdicts
    #[arg(long, conflicts_with = "review", help_heading = "Snapshots")]
    pub accept: bool,
    /// Ask for each new or changed verdict whether to accept it
    #[arg(long, help_heading = "Snapshots")]
    pub review: bool,
    /// Check all harnesses, whatever is known of earlier runs, and remember nothing
    #[arg(long, conflicts_with = "cache_dir", help_heading = "Cache")]
    pub no_cache: bool,
    /// Keep verdicts of earlier runs in this folder [default: clew/test in the cache folder of the user]
    #[arg(long, value_name = "DIR", help_heading = "Cache")]
    pub cache_dir: Option<PathBuf>,
    /// How many harnesses run at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Limits")]
    pub jobs: Option<u16>,
    /// The time limit of harnesses that have none of their own: 60s, 5min, none
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, help_heading = "Limits")]
    pub time_limit: Option<String>,
    /// The memory limit of harnesses that have none of their own: 4GB, 500MB
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, help_heading = "Limits")]
    pub memory_limit: Option<String>,
    /// The format of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, help_heading = "Output")]
    pub format: Format,
    /// Write a JUnit report to this file as well
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub junit: Option<PathBuf>,
    /// When text has colours; on a terminal by default, unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, help_heading = "Output")]
    pub color: Color,
    /// Progress output.
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// The format of the report.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum Format {
    /// A line for each harness, and a diff for each difference
    #[default]
    Text,
    /// One JSON document
    Json,
    /// One SARIF log with the results of all harnesses
    Sarif,
}

/// A part of the harnesses: every `of`-th one, from number `part`, which counts from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    part: usize,
    of: usize,
}

impl Shard {
    /// Whether the harness at `position` of the sorted list belongs to this part.
    pub fn has(self, position: usize) -> bool {
        position % self.of == self.part - 1
    }
}

fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { part, of }),
        _ => Err("write I/N with I from 1 to N, such as 2/4".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_everything_once() {
        let shards: Vec<Shard> = (1..=3).map(|part| shard(&format!("{part}/3")).expect("it is valid")).collect();
        for position in 0..10 {
            assert_eq!(shards.iter().filter(|shard| shard.has(position)).count(), 1);
        }
        for bad in ["", "0/3", "4/3", "1", "1/0", "a/b", "-1/2"] {
            assert!(shard(bad).is_err(), "{bad}");
        }
    }
}
