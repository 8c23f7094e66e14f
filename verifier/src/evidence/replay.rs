//! Replay: the interpreter runs along a path, with inputs from a model.

use super::counterexample::{Counterexample, Evidence, Input, Violation};
use super::dependence::Dependence;
use super::effects::Watcher;
use super::retrace::{Draw, retrace};
use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, LocId, LocationKind, Program};
use crate::cfa::property::Property;
use crate::expr::{Expr, Value};
use crate::formula::{Execution, PathFormula, Symbol};
use crate::interpreter::{Inputs, Interpreter, Limits, Observer, RunEnd, State, Unknown, What};
use crate::print::Printer;
use crate::print::values;
use crate::smt::Model;
use crate::tuning::{self, Tuning};

/// Runs `program` along `path` with the inputs of `model`, a model of the path formula. If the program was simplified,
/// the run is repeated in the `original` one, and the counterexample is about that. An error says where the run left the
/// path, or how it ended without reaching the error location.
///
/// The tuning of formulas must be that of the formula, since it determines its symbols.
pub fn replay(
    program: &Program,
    path: &[Step],
    formula: PathFormula,
    model: &Model,
    tuning: &Tuning,
    original: Option<&Program>,
) -> Result<Counterexample, String> {
    // What the steps change is recorded in the program that people know.
    let (found, draws) = replay_here(program, path, formula, model, tuning.formula, original.is_none())?;
    let found = match original {
        Some(original) => retrace(program, original, found, &draws, tuning.simplify.retrace_steps)?,
        None => found,
    };
    #[cfg(debug_assertions)]
    super::effects::verify(original.unwrap_or(program), &found);
    Ok(found)
}

fn replay_here(
    program: &Program,
    path: &[Step],
    formula: PathFormula,
    model: &Model,
    tuning: tuning::Formula,
    watched: bool,
) -> Result<(Counterexample, Vec<Draw>), String> {
    let dependence = Dependence::of(program, path, &formula, model);
    let execution = Execution::with_symbols(program, formula.pool, formula.symbols, tuning);
    let mut oracle = Oracle { execution, path, model, diverged: None, inputs: Vec::new(), draws: Vec::new() };
    let mut watcher = watched.then(|| Watcher::new(program));
    let mut watch = |edge: EdgeId, state: &State<'_>| {
        if let Some(watcher) = &mut watcher {
            watcher.edge(edge, state);
        }
    };
    let run = Interpreter::new(program).run_observed(&mut oracle, Limits::default(), &mut watch);
    if let Some(diverged) = oracle.diverged {
        return Err(diverged);
    }
    let position = oracle.execution.position();
    let target = path.last().map(|step| step.target(program));
    let location = match run.end {
        RunEnd::Error(location) if Some(location) == target && position == path.len() => location,
        end => return Err(format!("after {position} of {} steps the run ended with {end:?}", path.len())),
    };
    let LocationKind::Error(property) = &program.location(location).kind else {
        return Err("the location is not one of an error".into());
    };
    let records = watcher.map_or(Vec::new(), |watcher| watcher.records);
    let mut property = property.clone();
    property.message = with_values(program, location, &property, |operand| {
        let value = oracle.execution.expression(operand);
        oracle.model.value(&oracle.execution.pool, value).ok()
    });
    let violation = Violation { property, location };
    let evidence = Evidence::Interpreter(String::new());
    let inputs = oracle.inputs;
    Ok((Counterexample { path: path.to_vec(), violation, inputs, records, dependence, evidence }, oracle.draws))
}

/// The message of a violation with the values of its operands: `x + 1 overflows int (x = 2147483647)`.
pub(super) fn with_values(
    program: &Program,
    location: LocId,
    property: &Property,
    mut value: impl FnMut(Expr) -> Option<Value>,
) -> Box<str> {
    let printer = Printer::new(program).inside(program.location(location).function);
    let mut shown: Vec<String> = Vec::new();
    for operand in &property.operands {
        let Some(value) = value(operand.value).filter(|_| program.pool.as_const(operand.value).is_none()) else {
            continue;
        };
        let number = match value {
            Value::Bits { bits, .. } if !operand.is_signed => bits.to_string(),
            _ => values::plain(value),
        };
        let text = format!("{} = {number}", printer.expr(operand.value));
        if !shown.contains(&text) {
            shown.push(text);
        }
    }
    if shown.is_empty() {
        return property.message.clone();
    }
    format!("{} ({})", property.message, shown.join(", ")).into()
}

/// Gives the interpreter its inputs: symbolic execution runs in lock step, and the model evaluates its symbols.
struct Oracle<'a> {
    execution: Execution<'a>,
    path: &'a [Step],
    model: &'a Model,
    diverged: Option<String>,
    inputs: Vec<Input>,
    draws: Vec<Draw>,
}

impl Oracle<'_> {
    fn value(&mut self, unknown: Unknown) -> Value {
        let execution = &mut self.execution;
        let step = execution.position() as u32;
        let expr = match unknown.what {
            What::Havoc(var) => execution.symbols.expr(&mut execution.pool, Symbol::After { step, var }, unknown.sort),
            What::Expression(expr) => {
                execution.symbols.expr(&mut execution.pool, Symbol::Undefined { step, expr }, unknown.sort)
            }
            What::Variable(var) => execution.variable(var),
            What::Memory { memory, address, cells, .. } => execution.memory_cells(memory, address, cells),
        };
        // Where the model has no value, any value will do.
        let raw = self.model.value(&execution.pool, expr).map_or(0, Value::raw);
        let raw = match unknown.what {
            What::Memory { offset, .. } => raw >> (8 * offset),
            _ => raw,
        };
        Value::from_raw(unknown.sort, raw).expect("only scalars are asked for")
    }
}

impl Inputs for Oracle<'_> {
    fn next(&mut self, unknown: Unknown) -> Option<Value> {
        let value = self.value(unknown);
        let step = self.execution.position();
        self.inputs.push(Input { step, kind: unknown.kind, value, place: unknown.source });
        self.draws.push(Draw { step, what: unknown.what, value });
        Some(value)
    }

    fn choose(&mut self, options: &[EdgeId]) -> usize {
        let wanted = self.path.get(self.execution.position()).map(|step| step.edge);
        options.iter().position(|&edge| Some(edge) == wanted).unwrap_or(0)
    }

    fn taken(&mut self, edge: EdgeId) -> bool {
        let position = self.execution.position();
        let program = self.execution.program();
        let failed = match self.path.get(position) {
            Some(step) if step.edge == edge => self.execution.step(*step).err(),
            _ => {
                let place = program.sources.describe(program.edge(edge).source);
                Some(format!("the run left the path at step {position}, {place}"))
            }
        };
        self.diverged = failed;
        self.diverged.is_none()
    }
}
