//! `clew show`: prints the automaton, the graph or the precision of a program, and the configurations.

mod analysis;
mod configs;
mod tuning;

use std::io::{self, Write};
use std::process::ExitCode;

use clew_verifier::cfa::large::LargeBlocks;
use clew_verifier::cfa::{FuncId, Program};
use clew_verifier::print;

use crate::cli::{EdgeBlocks, Format, ShowCfa};
use crate::exit::Failure;
use crate::load;

pub use analysis::{arg, precision};
pub use configs::{TableFormat, configs};
pub use tuning::tuning;

/// Prints the control-flow automaton.
pub fn cfa(arguments: &ShowCfa) -> Result<ExitCode, Failure> {
    let program = load::program(&arguments.program, &load::to_stderr)?.program;
    if let Some(name) = &arguments.function
        && !program.functions.iter().any(|f| *f.name == **name || *f.display_name == **name)
    {
        return Err(Failure::Usage(format!("no function `{name}` in the program")));
    }
    let large = (arguments.blocks == EdgeBlocks::Large).then(|| LargeBlocks::new(&program, Default::default()));
    print(&program, large.as_ref(), arguments.format, arguments.function.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

fn print(
    program: &Program,
    blocks: Option<&LargeBlocks>,
    format: Format,
    function: Option<&str>,
) -> Result<(), Failure> {
    let chosen: Vec<FuncId> = (0..program.functions.len() as u32)
        .map(FuncId)
        .filter(|&id| {
            let f = program.function(id);
            function.is_none_or(|name| *f.name == *name || *f.display_name == *name)
        })
        .collect();
    let text = match format {
        Format::Text => print::text(program, &chosen, blocks),
        Format::Dot => print::dot(program, &chosen, blocks),
        Format::Svg => print::svg(program, &chosen, blocks),
        Format::Json => format!("{:#}\n", print::json(program, &chosen, blocks)),
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}
