//! One line of results for each task and configuration; the columns are those of `run.py` of the task lists, and two more.

use std::fmt::Write;
use std::path::Path;

use super::score;
use super::task::{Verdict, rows};

/// What one configuration said of one task, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The name of the configuration.
    pub config: String,
    /// The name of the task.
    pub id: String,
    /// The group of the task.
    pub category: String,
    /// The right verdict.
    pub expected: Verdict,
    /// The verdict of the configuration.
    pub got: Verdict,
    /// CPU time of all processes, in seconds.
    pub cpu: f64,
    /// Wall-clock time, in seconds.
    pub wall: f64,
    /// The largest memory of all processes together, in MB.
    pub memory: u64,
    /// Why there is no verdict.
    pub note: String,
}

/// The first line of a file of results.
pub const HEADER: &str = "config\tid\tcategory\texpected\tgot\tscore\tcpu_s\twall_s\tmem_mb\tnote\n";

impl Outcome {
    /// Whether the verdict is right.
    pub fn is_right(&self) -> bool {
        self.got == self.expected && self.got != Verdict::Unknown
    }

    /// Whether the verdict is wrong.
    pub fn is_wrong(&self) -> bool {
        self.got != self.expected && self.got != Verdict::Unknown
    }

    /// The line in a file of results.
    pub fn line(&self) -> String {
        let mut line = format!("{}\t{}\t{}\t{}\t{}\t", self.config, self.id, self.category, self.expected, self.got);
        let score = score::points(self.expected, self.got);
        let note = self.note.replace(['\t', '\n', '\r'], " ");
        let _ = writeln!(line, "{score}\t{:.2}\t{:.2}\t{}\t{note}", self.cpu, self.wall, self.memory);
        line
    }
}

/// Reads a file of results. Without a column `config`, as in the files of `run.py`, the file's name is the configuration.
/// A last line that was cut off is left out.
pub fn read(path: &Path) -> Result<Vec<Outcome>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    rows(whole)
        .into_iter()
        .map(|row| {
            let column = |name: &str| row.get(name).copied().unwrap_or_default();
            let number = |name: &str| column(name).parse::<f64>().map_err(|_| format!("{}: `{name}`", path.display()));
            Ok(Outcome {
                config: row.get("config").map_or_else(|| name.clone().into_owned(), |config| (*config).to_owned()),
                id: column("id").to_owned(),
                category: column("category").to_owned(),
                expected: column("expected").parse()?,
                got: column("got").parse()?,
                cpu: number("cpu_s")?,
                wall: number("wall_s")?,
                memory: number("mem_mb")? as u64,
                note: column("note").to_owned(),
            })
        })
        .collect()
}

/// The names of the configurations, in the order of their first results.
pub fn configs(outcomes: &[Outcome]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for outcome in outcomes {
        if !names.contains(&outcome.config) {
            names.push(outcome.config.clone());
        }
    }
    names
}
