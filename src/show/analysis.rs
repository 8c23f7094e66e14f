//! `clew show arg` and `clew show precision`: the graph and the precision of an analysis.

use std::process::ExitCode;
use std::time::Instant;

use crate::check;
use crate::cli::{Format, PrecisionFormat, ShowAnalysis};
use crate::exit::Failure;

/// Prints the abstract reachability graph.
pub fn arg(arguments: &ShowAnalysis<Format>, start: Instant) -> Result<ExitCode, Failure> {
    check::inspect(arguments.request(), start, |built, names| {
        let graph = built.graph(names);
        Ok(match arguments.format {
            Format::Text => graph.text(names),
            Format::Dot => graph.dot(names),
            Format::Svg => graph.svg(names).map_err(|why| {
                Failure::Usage(format!("{why}; --format dot and --format json take graphs of any size"))
            })?,
            Format::Json => format!("{:#}\n", graph.json(names)),
        })
    })
}

/// Prints the precision.
pub fn precision(arguments: &ShowAnalysis<PrecisionFormat>, start: Instant) -> Result<ExitCode, Failure> {
    check::inspect(arguments.request(), start, |built, names| {
        let precision = built.precision(names);
        Ok(match arguments.format {
            PrecisionFormat::Text => precision.text(names),
            PrecisionFormat::Json => format!("{:#}\n", precision.json(names)),
        })
    })
}
