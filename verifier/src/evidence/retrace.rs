//! The way back from a simplified program: its run is repeated in the original one.
//!
//! What was sliced away needs inputs too, and gets zeros. What is left draws what it drew in the simplified program:
//! its locations are passed in the same order, as often in both.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::counterexample::{Counterexample, Input};
use super::replay::{Watcher, stored};
use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, LocId, Op, Program};
use crate::expr::eval::{self, Env, Undefined, evaluate};
use crate::expr::{Expr, MemorySort, Sort, Value, Var};
use crate::interpreter::{Inputs, Interpreter, Limits, Observer, RunEnd, State, Unknown, What};
use crate::print::values::Addresses;

/// A value that a run of the simplified program drew.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw {
    /// The position of the step that used it.
    pub step: usize,
    /// What it was for.
    pub what: What,
    /// The value.
    pub value: Value,
}

/// Repeats a counterexample of `simplified` in `original`. An error says how that run ended instead.
pub(super) fn retrace(
    simplified: &Program,
    original: &Program,
    found: Counterexample,
    draws: &[Draw],
    max_steps: u64,
) -> Result<Counterexample, String> {
    let mut inputs = Repeat::new(simplified, original, &found.path, draws);
    let watcher = Watcher { program: original, records: Vec::new(), addresses: Addresses::new(original), depth: 1 };
    let mut recorder = Recorder { watcher };
    let limits = Limits { steps: max_steps, ..Limits::default() };
    let run = Interpreter::new(original).run_observed(&mut inputs, limits, &mut recorder);
    if run.end != RunEnd::Error(found.violation.location) {
        return Err(format!("in the program before its simplification, the run ended with {:?}", run.end));
    }
    Ok(Counterexample { path: inputs.path, inputs: inputs.inputs, records: recorder.watcher.records, ..found })
}

/// Gives the original program what the simplified one drew.
struct Repeat<'a> {
    original: &'a Program,
    /// What was drawn at a visit of a location, except for variables and memory.
    drawn: FxHashMap<(LocId, u32), VecDeque<Value>>,
    /// The edges that were taken at each visit of a location.
    taken: FxHashMap<(LocId, u32), EdgeId>,
    /// Values of variables and memory, which are drawn where they are read first.
    unwritten: FxHashMap<Unwritten, VecDeque<Value>>,
    visits: FxHashMap<LocId, u32>,
    location: LocId,
    calls: Vec<EdgeId>,
    path: Vec<Step>,
    inputs: Vec<Input>,
}

/// A variable, or bytes of a memory.
type Unwritten = (Var, Option<(u64, u16, u16)>);

fn unwritten(what: What) -> Option<Unwritten> {
    match what {
        What::Variable(var) => Some((var, None)),
        What::Memory { memory, address, cells, offset } => Some((memory, Some((address, cells, offset)))),
        What::Havoc(_) | What::Expression(_) => None,
    }
}

impl<'a> Repeat<'a> {
    fn new(simplified: &Program, original: &'a Program, path: &[Step], draws: &[Draw]) -> Repeat<'a> {
        let mut repeat = Repeat {
            original,
            drawn: FxHashMap::default(),
            taken: FxHashMap::default(),
            unwritten: FxHashMap::default(),
            visits: FxHashMap::default(),
            location: original.function(original.start).entry,
            calls: Vec::new(),
            path: Vec::new(),
            inputs: Vec::new(),
        };
        let mut draws = draws.iter().peekable();
        for (at, step) in path.iter().enumerate() {
            let visit = repeat.visit(simplified.edge(step.edge).from);
            repeat.taken.insert(visit, step.edge);
            while let Some(draw) = draws.next_if(|draw| draw.step == at) {
                match unwritten(draw.what) {
                    Some(what) => repeat.unwritten.entry(what).or_default().push_back(draw.value),
                    None => repeat.drawn.entry(visit).or_default().push_back(draw.value),
                }
            }
        }
        repeat.visits.clear();
        repeat
    }

    /// Counts a visit of a location.
    fn visit(&mut self, location: LocId) -> (LocId, u32) {
        let visits = self.visits.entry(location).or_default();
        *visits += 1;
        (location, *visits - 1)
    }

    /// The current visit.
    fn here(&self) -> (LocId, u32) {
        (self.location, self.visits.get(&self.location).copied().unwrap_or(0))
    }
}

impl Inputs for Repeat<'_> {
    fn next(&mut self, unknown: Unknown) -> Option<Value> {
        let here = self.here();
        let values = match unwritten(unknown.what) {
            Some(what) => self.unwritten.get_mut(&what),
            None => self.drawn.get_mut(&here),
        };
        let value = values.and_then(VecDeque::pop_front).map_or(0, Value::raw);
        let value = Value::from_raw(unknown.sort, value)?;
        self.inputs.push(Input { step: self.path.len(), kind: unknown.kind, value, place: unknown.source });
        Some(value)
    }

    fn choose(&mut self, options: &[EdgeId]) -> usize {
        let wanted = self.taken.get(&self.here());
        options.iter().position(|edge| Some(edge) == wanted).unwrap_or(0)
    }

    fn taken(&mut self, edge: EdgeId) -> bool {
        let Op::Return(_) = self.original.edge(edge).op else {
            self.go(Step::along(edge));
            return true;
        };
        match self.calls.pop() {
            Some(call) => self.go(Step::back(edge, call)),
            None => self.path.push(Step::along(edge)),
        }
        true
    }
}

impl Repeat<'_> {
    fn go(&mut self, step: Step) {
        self.visit(self.original.edge(step.edge).from);
        if let Op::Call { .. } = self.original.edge(step.edge).op {
            self.calls.push(step.edge);
        }
        self.location = step.target(self.original);
        self.path.push(step);
    }
}

/// Records the effects of every step, those on memory included.
struct Recorder<'a> {
    watcher: Watcher<'a>,
}

impl Observer for Recorder<'_> {
    fn edge(&mut self, id: EdgeId, state: &State<'_>) {
        self.watcher.edge(id, state);
        let program = self.watcher.program;
        let Op::Store { memory, address, value } = program.edge(id).op else { return };
        // The new contents are read back, as the operands of the store may have changed by it.
        let Some(address) = evaluate(&program.pool, address, &mut Known { state }).ok() else { return };
        let sort = program.pool.sort(value);
        let Some(value) = read_back(state, memory, sort, address.raw() as u64) else { return };
        let change = stored(program, &self.watcher.addresses, address.raw() as u64, value);
        self.watcher.records.last_mut().expect("the step was recorded").changes.push(change);
    }
}

/// A value in memory, if all its bytes are known.
fn read_back(state: &State<'_>, memory: Var, sort: Sort, address: u64) -> Option<Value> {
    let bytes = match sort {
        Sort::Bool => 1,
        Sort::Bits(width) => u64::from(width.div_ceil(8)),
        Sort::Float(format) => u64::from(format.bits().div_ceil(8)),
        Sort::Memory(_) => return None,
    };
    let bytes = (0..bytes).map(|i| state.byte(memory, address.wrapping_add(i)));
    let raw = bytes.rev().try_fold(0_u128, |raw, byte| Some(raw << 8 | u128::from(byte?)))?;
    Value::from_raw(sort, raw)
}

/// Evaluates expressions in a state, without drawing values.
struct Known<'a, 'p> {
    state: &'a State<'p>,
}

/// There is no value.
struct NoValue;

impl From<Undefined> for NoValue {
    fn from(_: Undefined) -> NoValue {
        NoValue
    }
}

impl Env for Known<'_, '_> {
    type Stop = NoValue;

    fn var(&mut self, var: Var) -> Result<Value, NoValue> {
        self.state.value(var).ok_or(NoValue)
    }

    fn read(&mut self, memory: Var, sort: MemorySort, address: u128, cells: u16) -> Result<Value, NoValue> {
        read_back(self.state, memory, eval::read_sort(sort, cells), address as u64).ok_or(NoValue)
    }

    fn undefined(&mut self, _: Expr, _: Undefined) -> Result<Value, NoValue> {
        Err(NoValue)
    }
}
