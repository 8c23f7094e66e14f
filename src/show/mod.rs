//! `clew show`: prints the automaton, the graph or the precision of a program, and the configurations.

mod analysis;
mod configs;
mod tuning;

use std::io::{self, Write};
use std::process::ExitCode;

use clew_verifier::cfa::large::LargeBlocks;
use clew_verifier::cfa::{FuncId, LocId, LocationKind, Op, Program};
use clew_verifier::print;
use clew_verifier::simplify::simplify;
use clew_verifier::tuning::Tuning;

use crate::cli::{EdgeBlocks, Format, ShowCfa};
use crate::exit::Failure;
use crate::load;

pub use analysis::{arg, precision};
pub use configs::{TableFormat, configs};
pub use tuning::tuning;

/// Prints the control-flow automaton.
pub fn cfa(arguments: &ShowCfa) -> Result<ExitCode, Failure> {
    let mut program = load::program(&arguments.program, &load::to_stderr)?.program;
    if arguments.simplified {
        program = simplified(program, arguments);
    }
    if let Some(name) = &arguments.function
        && !program.functions.iter().any(|f| *f.name == **name || *f.display_name == **name)
    {
        return Err(Failure::Usage(format!("no function `{name}` in the program")));
    }
    let large = (arguments.blocks == EdgeBlocks::Large).then(|| LargeBlocks::new(&program, Default::default()));
    print(&program, large.as_ref(), arguments.format, arguments.function.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

/// The program as analyses get it.
fn simplified(program: Program, arguments: &ShowCfa) -> Program {
    let properties = arguments.program.selections().counted();
    let selected = program.error_locations().filter(|(_, property)| properties.contains(property.kind));
    let errors: Vec<LocId> = selected.map(|(location, _)| location).collect();
    let Some(simplified) = simplify(&program, &errors, Tuning::default().simplify) else { return program };
    let edges = |program: &Program| program.locations.iter().map(|location| location.leaving.len()).sum::<usize>();
    let left =
        errors.iter().filter(|error| matches!(simplified.location(**error).kind, LocationKind::Error(_))).count();
    let unsupported =
        |program: &Program| program.edges.iter().filter(|edge| matches!(edge.op, Op::Unsupported(_))).count();
    eprintln!(
        "clew: note: left are {} of {} edges, {left} of {} error locations, {} of {} unsupported operations",
        edges(&simplified),
        edges(&program),
        errors.len(),
        unsupported(&simplified),
        unsupported(&program),
    );
    simplified
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
