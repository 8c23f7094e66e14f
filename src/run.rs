//! `clew run`: runs a program with the concrete interpreter.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clew_verifier::cfa::{EdgeId, Havoc, LocationKind, Op, Program, SourceId};
use clew_verifier::expr::value::signed;
use clew_verifier::expr::{FloatFormat, Value};
use clew_verifier::interpreter::{
    Given, GivenInputs, Inputs, Interpreter, Limits, RunEnd, SeededInputs, State, Unknown,
};
use clew_verifier::print::Printer;

use crate::cli::Run;
use crate::exit::{Failure, UNKNOWN, UNSAFE};
use crate::load;

/// Runs the program.
pub fn run(arguments: &Run) -> Result<ExitCode, Failure> {
    let inputs = inputs(arguments)?;
    let program = load::program(&arguments.program, &load::to_stderr)?.program;
    interpret(&program, inputs, arguments)
}

/// Runs the program to its end, a violation or a limit.
fn interpret(program: &Program, inputs: Vec<Given>, arguments: &Run) -> Result<ExitCode, Failure> {
    let limits = Limits { steps: arguments.max_steps, ..Limits::default() };
    let mut inputs = ZeroExternals(GivenInputs::new(inputs, SeededInputs::new(arguments.seed)));
    let interpreter = Interpreter::new(program);
    let mut out = BufWriter::new(io::stdout().lock());
    let mut failed = None;
    let run = if arguments.trace {
        interpreter.run_observed(&mut inputs, limits, &mut |edge: EdgeId, state: &State<'_>| {
            if failed.is_none() {
                failed = trace(&mut out, program, edge, state).err();
            }
        })
    } else {
        interpreter.run(&mut inputs, limits)
    };
    if let Some(error) = failed {
        return Err(error.into());
    }
    for drawn in run.record.values.iter().filter(|d| d.kind == Havoc::Input) {
        writeln!(out, "input {} at {}", value_text(drawn.value), program.sources.describe(drawn.source))?;
    }
    let (code, text) = exit_code_and_text(program, &run.end);
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(ExitCode::from(code))
}

/// Inputs where external functions return zero, so that the models of the C library take their default branches.
struct ZeroExternals<I>(I);

impl<I: Inputs> Inputs for ZeroExternals<I> {
    fn next(&mut self, unknown: Unknown) -> Option<Value> {
        match unknown.kind {
            Havoc::External(_) => Value::from_raw(unknown.sort, 0),
            _ => self.0.next(unknown),
        }
    }

    fn choose(&mut self, options: &[EdgeId]) -> usize {
        self.0.choose(options)
    }

    fn taken(&mut self, edge: EdgeId) -> bool {
        self.0.taken(edge)
    }
}

/// Writes one step: its operation, and the value that it assigned.
fn trace(out: &mut impl Write, program: &Program, edge: EdgeId, state: &State<'_>) -> io::Result<()> {
    let edge = program.edge(edge);
    let function = program.location(edge.from).function;
    let printer = Printer::new(program).inside(function);
    write!(out, "{:20} {}", program.sources.describe(edge.source), printer.op(&edge.op))?;
    let written = match &edge.op {
        Op::Assign(var, _) | Op::Havoc(var, _) => state.value(*var),
        _ => None,
    };
    match written {
        Some(value) => writeln!(out, "  ({})", value_text(value)),
        None => writeln!(out),
    }
}

fn value_text(value: Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Bits { width, bits } => signed(width, bits).to_string(),
        Value::Float { format: FloatFormat::Single, bits } => f32::from_bits(bits as u32).to_string(),
        Value::Float { format: FloatFormat::Double, bits } => f64::from_bits(bits as u64).to_string(),
        Value::Float { format, bits } => format!("{format} 0x{bits:x}"),
    }
}

/// The exit code and the last line.
fn exit_code_and_text(program: &Program, end: &RunEnd) -> (u8, String) {
    let at = |edge: EdgeId| program.sources.describe(program.edge(edge).source);
    match end {
        RunEnd::Returned(Some(value)) => (0, format!("returned {}", value_text(*value))),
        RunEnd::Returned(None) => (0, "returned".into()),
        RunEnd::Halted(_) => (0, "halted".into()),
        RunEnd::Stuck(location) => {
            let edge = program.leaving(*location).next().map_or(SourceId::NONE, |(_, e)| e.source);
            (0, format!("ended by an assumption at {}", program.sources.describe(edge)))
        }
        RunEnd::Error(location) => {
            let text = match &program.location(*location).kind {
                LocationKind::Error(p) => format!("{}: {} at {}", p.kind, p.message, program.sources.describe(p.place)),
                _ => String::new(),
            };
            (UNSAFE, format!("violated {text}"))
        }
        RunEnd::Crash { why, at: edge } => (UNKNOWN, format!("crashed: {why} at {}", at(*edge))),
        RunEnd::Unsupported { why, at: edge } => (UNKNOWN, format!("unsupported: {why} at {}", at(*edge))),
        RunEnd::StepLimit => (UNKNOWN, "stopped: too many steps (raise --max-steps)".into()),
        RunEnd::DepthLimit => (UNKNOWN, "stopped: too many calls under way".into()),
        RunEnd::OutOfInputs => (UNKNOWN, "stopped: out of inputs".into()),
    }
}

fn inputs(arguments: &Run) -> Result<Vec<Given>, Failure> {
    match (&arguments.inputs, &arguments.inputs_file) {
        (Some(text), _) => parse(text).map_err(|why| Failure::Usage(format!("--inputs: {why}"))),
        (None, Some(path)) => {
            let failed = |why: String| Failure::Usage(format!("{}: {why}", path.display()));
            let text = fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
            let lines: Vec<&str> = text.lines().map(|line| line.split('#').next().unwrap_or("")).collect();
            parse(&lines.join("\n")).map_err(failed)
        }
        (None, None) => Ok(Vec::new()),
    }
}

/// Parses numbers separated by commas or white space.
fn parse(text: &str) -> Result<Vec<Given>, String> {
    text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty()).map(parse_one).collect()
}

fn parse_one(word: &str) -> Result<Given, String> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let integer = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        // Only the bits matter, so a value of 128 bits may become negative.
        Some(hex) => u128::from_str_radix(hex, 16).map(|bits| bits as i128),
        None => digits.parse::<u128>().map(|bits| bits as i128),
    };
    match integer {
        Ok(value) if digits.len() < word.len() => Ok(Given::Integer(value.wrapping_neg())),
        Ok(value) => Ok(Given::Integer(value)),
        Err(_) => word.parse().map(Given::Float).map_err(|_| format!("`{word}` is not a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_kinds() {
        use Given::{Float, Integer};
        let parsed = parse("1,-2 0x10\n-0xf, 1.5,-1e3").unwrap();
        assert_eq!(parsed, [Integer(1), Integer(-2), Integer(16), Integer(-15), Float(1.5), Float(-1000.0)]);
        assert_eq!(parse("3,x").unwrap_err(), "`x` is not a number");
        assert_eq!(parse("").unwrap(), []);
    }
}
