//! All executions of a program, by enumerating unknown values and choices among edges.
//!
//! A run is identified by its sequence of choices. It follows a prescribed prefix and then takes the first
//! alternatives; the next run differs in the last choice with an alternative left. At joins, a run ends if the state
//! was seen before: the run that saw it first explores all continuations.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use clew_verifier::cfa::{EdgeId, LocId, Op, Program};
use clew_verifier::expr::{Sort, Value};
use clew_verifier::interpreter::{Inputs, Interpreter, Limits, RunEnd, State, Unknown};
use clew_verifier::print::Printer;

use super::trace::{Camera, Snapshot, trace};

/// Limits of the search.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// Steps of one run.
    pub steps: u64,
    /// Depth of the call stack.
    pub depth: usize,
    /// Runs, and the total number of their steps.
    pub runs: usize,
    pub total: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { steps: 3000, depth: 40, runs: 10_000, total: 100_000 }
    }
}

/// The result of the search. The choices can be replayed.
pub struct Reachable {
    /// The error locations that some run reaches.
    pub errors: BTreeMap<LocId, Vec<u32>>,
    /// A run that reaches an unsupported operation.
    pub unsupported: Option<Vec<u32>>,
    /// What made the search incomplete, if anything; the results found are valid anyway.
    pub missed: Option<Missed>,
    pub runs: usize,
}

/// Why the search is incomplete.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Missed {
    LongRun,
    DeepRecursion,
    ManyRuns,
    /// A value with too many alternatives was drawn.
    WideValue,
}

/// Explores `program`.
pub fn explore(program: &Program, bounds: Bounds) -> Reachable {
    let interpreter = Interpreter::new(program);
    let mut reachable = Reachable { errors: BTreeMap::new(), unsupported: None, missed: None, runs: 0 };
    let (mut choices, mut seen, mut total) = (Vec::new(), Seen::new(program), 0);
    loop {
        if reachable.runs == bounds.runs || total > bounds.total {
            reachable.missed = Some(Missed::ManyRuns);
            return reachable;
        }
        let walk = RefCell::new(Walk::new(choices));
        let limits = Limits { steps: bounds.steps, depth: bounds.depth };
        let mut observe = |edge: EdgeId, state: &State<'_>| seen.observe(edge, state, &mut walk.borrow_mut());
        let run = interpreter.run_observed(&mut Follow(&walk), limits, &mut observe);
        seen.end_of_run();
        total += run.steps;
        reachable.runs += 1;
        let Walk { choices: made, pruned, wide, .. } = walk.into_inner();
        let told = || made.iter().map(|choice| choice.taken).collect();
        let missed = match run.end {
            RunEnd::Error(location) => {
                // Prefer a run with few choices, which is easier to read.
                let known = reachable.errors.entry(location).or_insert_with(told);
                if made.len() < known.len() {
                    *known = told();
                }
                None
            }
            RunEnd::Unsupported { .. } => {
                reachable.unsupported.get_or_insert_with(told);
                None
            }
            _ if pruned => None,
            RunEnd::StepLimit => Some(Missed::LongRun),
            RunEnd::DepthLimit => Some(Missed::DeepRecursion),
            RunEnd::OutOfInputs if wide => Some(Missed::WideValue),
            _ => None,
        };
        reachable.missed = reachable.missed.or(missed);
        choices = made;
        if !advance(&mut choices) {
            return reachable;
        }
    }
}

/// The steps of a run as text.
pub fn tell(program: &Program, choices: &[u32]) -> String {
    let prescribed = choices.iter().map(|&taken| Choice { taken, options: taken + 1 }).collect();
    let walk = RefCell::new(Walk::new(prescribed));
    let limits = Limits { steps: Bounds::default().steps, depth: Bounds::default().depth };
    let (moments, run) = trace(program, &mut Follow(&walk), limits);
    let steps = moments.iter().map(|moment| {
        let edge = program.edge(moment.step.edge);
        let printer = Printer::new(program).inside(program.location(edge.from).function);
        let written = match edge.op {
            Op::Assign(var, _) | Op::Havoc(var, _) => moment.after.values.iter().find(|(v, _)| *v == var),
            _ => None,
        };
        let value = written.map_or(String::new(), |(_, value)| format!("  ({:#x})", value.raw()));
        format!("  {}{value}\n", printer.op(&edge.op))
    });
    let steps: String = steps.collect();
    let drawn: Vec<String> = run.record.values.iter().map(|d| format!("{:?} {:#x}", d.kind, d.value.raw())).collect();
    format!("{steps}  {:?}; drawn: {}\n", run.end, drawn.join(", "))
}

/// A choice made by a run.
#[derive(Clone, Copy)]
struct Choice {
    taken: u32,
    options: u32,
}

/// Advances to the next sequence of choices; false after the last one.
fn advance(choices: &mut Vec<Choice>) -> bool {
    while let Some(last) = choices.last_mut() {
        last.taken += 1;
        if last.taken < last.options {
            return true;
        }
        choices.pop();
    }
    false
}

/// A run in progress: the choices so far, and the prescribed ones.
struct Walk {
    choices: Vec<Choice>,
    prescribed: usize,
    position: usize,
    /// Whether the run reached a state that was seen before, so that it need not continue.
    pruned: bool,
    wide: bool,
}

impl Walk {
    fn new(choices: Vec<Choice>) -> Walk {
        Walk { prescribed: choices.len(), choices, position: 0, pruned: false, wide: false }
    }

    fn take(&mut self, options: usize) -> usize {
        if self.pruned {
            return 0;
        }
        if self.position == self.choices.len() {
            self.choices.push(Choice { taken: 0, options: options as u32 });
        }
        self.position += 1;
        self.choices[self.position - 1].taken as usize
    }
}

/// Supplies the chosen values and edges to a run.
struct Follow<'w>(&'w RefCell<Walk>);

impl Inputs for Follow<'_> {
    fn next(&mut self, unknown: Unknown) -> Option<Value> {
        let mut walk = self.0.borrow_mut();
        let options = match unknown.sort {
            Sort::Bool => 2,
            Sort::Bits(width @ 1..=8) => 1 << width,
            _ => {
                walk.wide = true;
                return None;
            }
        };
        let taken = walk.take(options);
        if walk.pruned { None } else { Value::from_raw(unknown.sort, taken as u128) }
    }

    fn choose(&mut self, options: &[EdgeId]) -> usize {
        self.0.borrow_mut().take(options.len())
    }
}

/// A state at a join. Outer functions are identified by the last such state before the call, and the choices since
/// then.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    state: Snapshot,
    callers: Vec<(u32, Vec<u32>)>,
}

/// The states seen at joins.
struct Seen<'p> {
    program: &'p Program,
    camera: Camera<'p>,
    is_join: Vec<bool>,
    states: HashMap<Key, u32>,
    /// The number of this run's last recorded state, and the number of choices made before it.
    last: (u32, usize),
    callers: Vec<(u32, Vec<u32>)>,
}

impl<'p> Seen<'p> {
    fn new(program: &'p Program) -> Seen<'p> {
        let mut entering = vec![0; program.locations.len()];
        for edge in &program.edges {
            // A call may return from several locations.
            entering[edge.to.index()] += if matches!(edge.op, Op::Call { .. }) { 2 } else { 1 };
        }
        let is_join = entering.into_iter().map(|n| n > 1).collect();
        let camera = Camera::new(program);
        Seen { program, camera, is_join, states: HashMap::new(), last: (0, 0), callers: Vec::new() }
    }

    fn observe(&mut self, edge: EdgeId, state: &State<'_>, walk: &mut Walk) {
        if walk.pruned {
            return;
        }
        if let Op::Call { .. } = self.program.edge(edge).op {
            let since = walk.choices[self.last.1..walk.position].iter().map(|choice| choice.taken).collect();
            self.callers.push((self.last.0, since));
        }
        self.callers.truncate(state.call_stack().len() - 1);
        if !self.is_join[state.location().index()] {
            return;
        }
        let key = Key { state: self.camera.take(state), callers: self.callers.clone() };
        let number = self.states.len() as u32 + 1;
        let known = *self.states.entry(key).or_insert(number);
        // All states on the prescribed prefix were seen before.
        walk.pruned = known != number && walk.position >= walk.prescribed;
        self.last = (known, walk.position);
    }

    fn end_of_run(&mut self) {
        self.last = (0, 0);
        self.callers.clear();
    }
}
