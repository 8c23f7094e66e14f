//! Reports: the result of a run as data, and the formats that render it.
//!
//! Renderers are independent of how the result was found. A format is one file and one row of [`FORMATS`].

mod claim;
mod iterations;
mod json;
mod listing;
mod options;
mod place;
mod reason;
mod sarif;
mod snippet;
mod sources;
mod statistics;
mod text;
mod trail;
mod violation;

use std::io::{self, Write};

use crate::cfa::{Assumption, PropertySet};

pub use claim::Claim;
pub use options::Options;
pub use place::Place;
pub use reason::{Limits, Reason, Undecided};
pub use sources::Sources;
pub use statistics::{Statistics, Usage, bytes};
pub use text::write_verdict;
pub use trail::Passed;
pub use violation::{Input, Step, Violation};

/// The result of a run, with its evidence.
#[derive(Debug)]
pub struct Report<'a> {
    /// The violated properties, each with a run that violates it.
    pub violations: Vec<Violation<'a>>,
    /// Why the run is incomplete: no property is decided, or others may be violated as well.
    pub undecided: Option<Undecided<'a>>,
    /// The kinds of the checked properties.
    pub kinds: PropertySet,
    /// What the verdict rests on that a user could doubt.
    pub assumptions: &'a [Assumption],
    /// Notes about the model of the program.
    pub notes: &'a [String],
    /// The statistics of the run.
    pub statistics: Statistics<'a>,
    /// The options of the run.
    pub options: &'a Options,
    /// The version of Clew.
    pub version: &'static str,
}

/// A verdict without its evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conclusion {
    /// No selected property can be violated.
    Safe,
    /// At least one property can be violated.
    Unsafe,
    /// Neither was shown.
    Unknown,
}

impl Report<'_> {
    /// The verdict.
    pub fn conclusion(&self) -> Conclusion {
        match (self.violations.is_empty(), &self.undecided) {
            (false, _) => Conclusion::Unsafe,
            (true, Some(_)) => Conclusion::Unknown,
            (true, None) => Conclusion::Safe,
        }
    }
}

impl Conclusion {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Conclusion::Safe => "SAFE",
            Conclusion::Unsafe => "UNSAFE",
            Conclusion::Unknown => "UNKNOWN",
        }
    }

    /// The exit code of the command.
    pub const fn exit_code(self) -> u8 {
        match self {
            Conclusion::Safe => 0,
            Conclusion::Unsafe => 10,
            Conclusion::Unknown => 20,
        }
    }
}

/// How much of a path is shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Trace {
    /// The lines of the program: libraries are left out, and most iterations of loops.
    #[default]
    Short,
    /// All lines.
    Full,
}

/// Parameters of all renderers.
#[derive(Clone, Copy)]
pub struct Rendering<'a> {
    /// The text of the source files.
    pub sources: &'a dyn Sources,
    /// Whether text is coloured.
    pub color: bool,
    /// Whether text includes the statistics.
    pub statistics: bool,
    /// How much of a path is shown.
    pub trace: Trace,
}

/// A format of reports.
#[derive(Debug)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The usual extension of files in this format.
    pub extension: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// Whether rendering allocates even if there are no violations, no path and no notes. Such a format cannot be
    /// rendered in a signal handler, or when memory has run out.
    pub allocates: bool,
    /// Writes a report.
    pub render: fn(&Report<'_>, Rendering<'_>, &mut dyn Write) -> io::Result<()>,
}

/// All formats; the first is the default.
pub const FORMATS: &[Format] = &[text::FORMAT, json::FORMAT, sarif::FORMAT];
