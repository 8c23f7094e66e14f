//! The way back from a simplified program: its run is repeated in the original one.
//!
//! What was sliced away needs inputs too, and gets zeros. What is left draws what it drew in the simplified program:
//! its locations are passed in the same order, as often in both.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::counterexample::{Counterexample, Input};
use super::effects::Watcher;
use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, LocId, Op, Program};
use crate::expr::{Value, Var};
use crate::interpreter::{Inputs, Interpreter, Limits, RunEnd, Unknown, What};

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
    let mut watcher = Watcher::new(original);
    let limits = Limits { steps: max_steps, ..Limits::default() };
    let run = Interpreter::new(original).run_observed(&mut inputs, limits, &mut watcher);
    if run.end != RunEnd::Error(found.violation.location) {
        return Err(format!("in the program before its simplification, the run ended with {:?}", run.end));
    }
    Ok(Counterexample { path: inputs.path, inputs: inputs.inputs, records: watcher.records, ..found })
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
