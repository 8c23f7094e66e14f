//! Replay: the interpreter runs along a path, with inputs from a model.

use super::counterexample::{Change, Counterexample, Evidence, Input, StepRecord, Violation};
use super::dependence::Dependence;
use super::retrace::{Draw, retrace};
use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, LocId, LocationKind, Op, Program, VarKind};
use crate::cfa::property::Property;
use crate::cfa::source::SourceId;
use crate::expr::{Expr, Value, Var};
use crate::formula::{Execution, PathFormula, Symbol};
use crate::interpreter::{Inputs, Interpreter, Limits, Observer, RunEnd, State, Unknown, What};
use crate::print::Printer;
use crate::print::values::{self, Addresses};
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
    let (found, draws) = replay_here(program, path, formula, model, tuning.formula)?;
    match original {
        Some(original) => retrace(program, original, found, &draws, tuning.simplify.retrace_steps),
        None => Ok(found),
    }
}

fn replay_here(
    program: &Program,
    path: &[Step],
    formula: PathFormula,
    model: &Model,
    tuning: tuning::Formula,
) -> Result<(Counterexample, Vec<Draw>), String> {
    let dependence = Dependence::of(program, path, &formula, model);
    let execution = Execution::with_symbols(program, formula.pool, formula.symbols, tuning);
    let mut oracle =
        Oracle { execution, path, model, diverged: None, inputs: Vec::new(), draws: Vec::new(), stores: Vec::new() };
    let mut watcher = Watcher { program, records: Vec::new(), addresses: Addresses::new(program), depth: 1 };
    let run = Interpreter::new(program).run_observed(&mut oracle, Limits::default(), &mut watcher);
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
    let Watcher { mut records, addresses, .. } = watcher;
    for Store { step, address, value } in oracle.stores {
        records[step].changes.push(stored(program, &addresses, address, value));
    }
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

/// The change that a store makes.
pub(super) fn stored(program: &Program, addresses: &Addresses<'_>, address: u64, value: Value) -> Change {
    let name = addresses.object(address).unwrap_or_else(|| format!("[{address:#x}]"));
    let text = match value {
        Value::Bits { width, bits } if width == program.pointer_bits && addresses.object(bits as u64).is_some() => {
            addresses.pointer(bits as u64)
        }
        _ => values::plain(value),
    };
    Change { name, value, text }
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
    stores: Vec<Store>,
}

/// A write of a step to memory.
struct Store {
    step: usize,
    address: u64,
    value: Value,
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

    /// The address and the value of a store.
    fn store(&mut self, edge: EdgeId) -> Option<(u64, Value)> {
        let Op::Store { address, value, .. } = self.execution.program().edge(edge).op else { return None };
        let (address, value) = (self.execution.expression(address), self.execution.expression(value));
        let address = self.model.value(&self.execution.pool, address).ok()?;
        Some((address.raw() as u64, self.model.value(&self.execution.pool, value).ok()?))
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
            Some(step) if step.edge == edge => {
                let store = self.store(edge);
                self.stores.extend(store.map(|(address, value)| Store { step: position, address, value }));
                self.execution.step(*step).err()
            }
            _ => {
                let place = program.sources.describe(program.edge(edge).source);
                Some(format!("the run left the path at step {position}, {place}"))
            }
        };
        self.diverged = failed;
        self.diverged.is_none()
    }
}

/// Records the effects of every step.
pub(super) struct Watcher<'a> {
    pub program: &'a Program,
    pub records: Vec<StepRecord>,
    pub addresses: Addresses<'a>,
    pub depth: usize,
}

impl Watcher<'_> {
    fn change(&self, state: &State<'_>, var: Var) -> Option<Change> {
        let info = self.program.var(var);
        // Variables without a declaration are temporaries of the compiler.
        if info.kind != VarKind::Source || info.declared == SourceId::NONE {
            return None;
        }
        let value = state.value(var)?;
        Some(Change { name: info.name.to_string(), value, text: values::of_variable(&self.addresses, info, value) })
    }
}

impl Observer for Watcher<'_> {
    fn edge(&mut self, edge: EdgeId, state: &State<'_>) {
        let program = self.program;
        let edge = program.edge(edge);
        let mut record =
            StepRecord { place: edge.source, depth: self.depth, enters: None, leaves: false, changes: Vec::new() };
        if let Some(top) = program.address_space.heap_top.and_then(|top| state.value(top)) {
            self.addresses.grow(top.raw() as u64);
        }
        match edge.op {
            Op::Assign(var, _) | Op::Havoc(var, _) => record.changes.extend(self.change(state, var)),
            Op::Call { callee, .. } => {
                record.enters = Some(callee);
                let params = &program.function(callee).params;
                record.changes.extend(params.iter().filter_map(|&param| self.change(state, param)));
            }
            Op::Return(_) => record.leaves = true,
            _ => {}
        }
        self.depth = state.call_stack().len();
        self.records.push(record);
    }
}
