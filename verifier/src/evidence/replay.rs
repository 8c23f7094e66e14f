//! Replay: the interpreter follows a path with the values of a model.

use super::counterexample::{Change, Counterexample, Event, Input, Violation};
use super::values::{self, Addresses};
use crate::cfa::interpreter::{Inputs, Interpreter, Limits, Observer, Outcome, State, Unknown, What};
use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, LocationKind, Op, Program, Var, VarKind};
use crate::cfa::source::SourceId;
use crate::cfa::value::Value;
use crate::formula::{Execution, PathFormula, Symbol};
use crate::smt::Model;

/// Runs `program` along `path` with the inputs that `model`, a model of the path's formula, gives. It must end at the error
/// location that the path leads to; else an error says where it went instead.
pub fn replay(program: &Program, path: &[Step], formula: PathFormula, model: &Model) -> Result<Counterexample, String> {
    let execution = Execution::with_symbols(program, formula.pool, formula.symbols);
    let mut oracle = Oracle { execution, path, model, diverged: None, inputs: Vec::new(), stores: Vec::new() };
    let mut watcher = Watcher { program, events: Vec::new(), addresses: Addresses::new(program), depth: 1 };
    let run = Interpreter::new(program).run_observed(&mut oracle, Limits::default(), &mut watcher);
    if let Some(diverged) = oracle.diverged {
        return Err(diverged);
    }
    let position = oracle.execution.position();
    let target = path.last().map(|step| step.target(program));
    let location = match run.outcome {
        Outcome::Error(location) if Some(location) == target && position == path.len() => location,
        outcome => return Err(format!("after {position} of {} steps the run ended with {outcome:?}", path.len())),
    };
    let LocationKind::Error(property) = &program.location(location).kind else {
        return Err("the location is not one of an error".into());
    };
    let Watcher { mut events, addresses, .. } = watcher;
    for Store { step, address, value } in oracle.stores {
        let name = addresses.object(address).unwrap_or_else(|| format!("[{address:#x}]"));
        let text = match value {
            Value::Bits { width, bits } if width == program.pointer_bits && addresses.object(bits as u64).is_some() => {
                addresses.pointer(bits as u64)
            }
            _ => values::plain(value),
        };
        events[step].changes.push(Change { name, value, text });
    }
    let violation = Violation { property: property.clone(), location };
    Ok(Counterexample { path: path.to_vec(), violation, inputs: oracle.inputs, events })
}

/// Answers what the interpreter asks by what symbolic execution, step for step beside it, says under the model.
struct Oracle<'a> {
    execution: Execution<'a>,
    path: &'a [Step],
    model: &'a Model,
    diverged: Option<String>,
    inputs: Vec<Input>,
    stores: Vec<Store>,
}

/// What a step wrote to memory.
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
        // An operator without a value leaves the choice open.
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

/// Notes what every step changes.
struct Watcher<'a> {
    program: &'a Program,
    events: Vec<Event>,
    addresses: Addresses<'a>,
    depth: usize,
}

impl Watcher<'_> {
    fn change(&self, state: &State<'_>, var: Var) -> Option<Change> {
        let info = self.program.var(var);
        // What has no declaration is the compiler's.
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
        let mut event =
            Event { place: edge.source, depth: self.depth, enters: None, leaves: false, changes: Vec::new() };
        if let Some(top) = program.address_space.heap_top.and_then(|top| state.value(top)) {
            self.addresses.grow(top.raw() as u64);
        }
        match edge.op {
            Op::Assign(var, _) | Op::Havoc(var, _) => event.changes.extend(self.change(state, var)),
            Op::Call { callee, .. } => {
                event.enters = Some(callee);
                let params = &program.function(callee).params;
                event.changes.extend(params.iter().filter_map(|&param| self.change(state, param)));
            }
            Op::Return(_) => event.leaves = true,
            _ => {}
        }
        self.depth = state.call_stack().len();
        self.events.push(event);
    }
}
