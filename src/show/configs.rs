//! `clew show configs`: the table of configurations.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::ValueEnum;
use clew_verifier::strategy::Config;
use serde_json::json;

use crate::exit::Failure;

/// Output formats of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TableFormat {
    /// Readable text
    Text,
    /// A table in Markdown
    Markdown,
    /// For programs
    Json,
}

/// Prints the table of configurations.
pub fn configs(format: TableFormat) -> Result<ExitCode, Failure> {
    let text = match format {
        TableFormat::Text => {
            let width = Config::all().map(|config| config.name().len()).max().unwrap_or(0);
            Config::all().map(|config| format!("{:width$}  {}\n", config.name(), config.help())).collect()
        }
        TableFormat::Markdown => markdown(),
        TableFormat::Json => format!("{:#}\n", Config::all().map(row).collect::<serde_json::Value>()),
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn row(config: Config) -> serde_json::Value {
    json!({
        "name": config.name(),
        "help": config.help(),
        "paper": config.paper(),
        "builds_graph": config.builds_graph(),
    })
}

fn markdown() -> String {
    let rows = Config::all().map(|config| {
        let shows = if config.builds_graph() { "graph, precision" } else { "" };
        format!("| `{}` | {} | {} | {shows} |\n", config.name(), config.help(), config.paper())
    });
    format!("| configuration | what it is | paper | shows |\n|---|---|---|---|\n{}", rows.collect::<String>())
}
