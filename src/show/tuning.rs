//! `clew show tuning`: the numbers that steer the search.

use std::io::{self, Write};
use std::process::ExitCode;

use clew_verifier::tuning::{Parameter, Tuning};
use serde_json::json;

use super::TableFormat;
use crate::exit::Failure;

/// Prints all tuning parameters.
pub fn tuning(format: TableFormat) -> Result<ExitCode, Failure> {
    let all: Vec<Parameter> = Tuning::default().parameters().collect();
    let text = match format {
        TableFormat::Text => text(&all),
        TableFormat::Markdown => markdown(&all),
        TableFormat::Json => format!("{:#}\n", all.iter().map(row).collect::<serde_json::Value>()),
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The allowed values as people read them.
fn range(parameter: &Parameter) -> String {
    format!("{} to {}", parameter.range.start(), parameter.range.end())
}

fn text(all: &[Parameter]) -> String {
    let widest = |width: fn(&Parameter) -> usize| all.iter().map(width).max().unwrap_or(0);
    let (name, default) = (widest(|one| one.name.len()), widest(|one| one.default.to_string().len()));
    let span = widest(|one| range(one).len());
    let line =
        |one: &Parameter| format!("{:name$}  {:default$}  {:span$}  {}\n", one.name, one.default, range(one), one.doc);
    all.iter().map(line).collect()
}

fn markdown(all: &[Parameter]) -> String {
    let rows = all.iter().map(|one| format!("| `{}` | {} | {} | {} |\n", one.name, one.default, range(one), one.doc));
    format!("| parameter | default | range | what it steers |\n|---|---|---|---|\n{}", rows.collect::<String>())
}

fn row(one: &Parameter) -> serde_json::Value {
    json!({
        "name": one.name,
        "default": one.default,
        "min": one.range.start(),
        "max": one.range.end(),
        "help": one.doc,
    })
}
