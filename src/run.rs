//! `clew run`: runs a program with the concrete interpreter.

use std::fs;
use std::process::ExitCode;

use clew_verifier::cfa::Program;

use crate::cli::Run;
use crate::exit::Failure;
use crate::load;

/// Runs the program.
pub fn run(arguments: &Run) -> Result<ExitCode, Failure> {
    let inputs = inputs(arguments)?;
    let program = load::program(&arguments.program)?;
    interpret(&program, &inputs, arguments)
}

/// An input that the user gave.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Input {
    /// An integer; its low bits are the value.
    Integer(i128),
    /// A number with a fraction or an exponent.
    Float(f64),
}

/// Runs the program to its end, a violation or a limit. The interpreter goes here.
fn interpret(_program: &Program, _inputs: &[Input], _arguments: &Run) -> Result<ExitCode, Failure> {
    Err(Failure::NotYet("running control-flow automata"))
}

/// The inputs that the arguments give.
fn inputs(arguments: &Run) -> Result<Vec<Input>, Failure> {
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

/// Numbers that are separated by commas or space.
fn parse(text: &str) -> Result<Vec<Input>, String> {
    text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty()).map(parse_one).collect()
}

fn parse_one(word: &str) -> Result<Input, String> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let integer = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        // A value with the top bit of 128 set is as good as any: only its bits count.
        Some(hex) => u128::from_str_radix(hex, 16).map(|bits| bits as i128),
        None => digits.parse::<u128>().map(|bits| bits as i128),
    };
    match integer {
        Ok(value) if digits.len() < word.len() => Ok(Input::Integer(value.wrapping_neg())),
        Ok(value) => Ok(Input::Integer(value)),
        Err(_) => word.parse().map(Input::Float).map_err(|_| format!("`{word}` is not a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_kinds() {
        use Input::{Float, Integer};
        let parsed = parse("1,-2 0x10\n-0xf, 1.5,-1e3").unwrap();
        assert_eq!(parsed, [Integer(1), Integer(-2), Integer(16), Integer(-15), Float(1.5), Float(-1000.0)]);
        assert_eq!(parse("3,x").unwrap_err(), "`x` is not a number");
        assert_eq!(parse("").unwrap(), []);
    }
}
