//! Counterexamples from concrete runs: the interpreter repeats a run to an error and records it.

use super::check::{PathCheck, check_path};
use super::confirm::confirm;
use super::counterexample::{Counterexample, Evidence, Input, Violation};
use super::dependence::Dependence;
use super::effects::{Watcher, value_of};
use super::replay::with_values;
use super::retrace::Draw;
use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, Havoc, LocId, LocationKind, Op, Program};
use crate::expr::Value;
use crate::interpreter::{Inputs, Interpreter, Limits, Observer, RunEnd, State, Unknown};
use crate::monitor::{Monitor, Phase};

/// Longer paths are not executed symbolically.
const MAX_SYMBOLIC: usize = 10_000;

/// Runs `program` on `inputs`, which lead to the error location `target`. `None` if they do not, or if the run is no
/// evidence.
///
/// A run that draws more than inputs may depend on that. Symbolic execution of the path tells; if the path is too long,
/// only a native run counts.
pub fn check_run(
    program: &Program,
    inputs: &mut dyn Inputs,
    target: LocId,
    limits: Limits,
    monitor: &Monitor,
) -> Option<PathCheck> {
    let LocationKind::Error(property) = &program.location(target).kind else { return None };
    let before = monitor.enter(Phase::Replaying);
    let mut tape = Tape { program, inputs, path: Vec::new(), calls: Vec::new(), drawn: Vec::new(), draws: Vec::new() };
    let mut witness = Witness { program, target, watcher: Watcher::new(program), message: None };
    let run = Interpreter::new(program).run_observed(&mut tape, limits, &mut witness);
    monitor.enter(before);
    if run.end != RunEnd::Error(target) {
        return None;
    }
    let Tape { path, drawn, draws, .. } = tape;
    let dependence = Dependence::of_draws(program, &path, &draws);
    let is_determined = dependence == Dependence::default();
    if !is_determined && path.len() <= MAX_SYMBOLIC {
        return Some(check_path(program, &path, monitor));
    }
    let mut property = property.clone();
    property.message = witness.message.unwrap_or(property.message);
    let found = Counterexample {
        violation: Violation { property, location: target },
        dependence,
        path,
        inputs: drawn,
        records: witness.watcher.records,
        evidence: Evidence::Interpreter(String::new()),
    };
    match confirm(program, found, monitor) {
        Ok(found) if is_determined || found.evidence == Evidence::Native => Some(PathCheck::Feasible(Box::new(found))),
        Ok(_) => None,
        Err(reason) => Some(PathCheck::Undecided(reason)),
    }
}

/// Passes inputs on and keeps them, with the steps of the run.
struct Tape<'a> {
    program: &'a Program,
    inputs: &'a mut dyn Inputs,
    path: Vec<Step>,
    calls: Vec<EdgeId>,
    drawn: Vec<Input>,
    draws: Vec<(Havoc, Draw)>,
}

impl Inputs for Tape<'_> {
    fn next(&mut self, unknown: Unknown) -> Option<Value> {
        let value = self.inputs.next(unknown)?;
        let step = self.path.len();
        self.drawn.push(Input { step, kind: unknown.kind, value, place: unknown.source });
        self.draws.push((unknown.kind, Draw { step, what: unknown.what, value }));
        Some(value)
    }

    fn choose(&mut self, options: &[EdgeId]) -> usize {
        self.inputs.choose(options)
    }

    fn taken(&mut self, edge: EdgeId) -> bool {
        let step = match self.program.edge(edge).op {
            Op::Return(_) => self.calls.pop().map_or(Step::along(edge), |call| Step::back(edge, call)),
            Op::Call { .. } => {
                self.calls.push(edge);
                Step::along(edge)
            }
            _ => Step::along(edge),
        };
        self.path.push(step);
        self.inputs.taken(edge)
    }
}

/// Records the steps, and the message of the violation in the state where it happens.
struct Witness<'a> {
    program: &'a Program,
    target: LocId,
    watcher: Watcher<'a>,
    message: Option<Box<str>>,
}

impl Observer for Witness<'_> {
    fn edge(&mut self, id: EdgeId, state: &State<'_>) {
        self.watcher.edge(id, state);
        if state.location() == self.target
            && let LocationKind::Error(property) = &self.program.location(self.target).kind
        {
            let value = |operand| value_of(state, operand);
            self.message = Some(with_values(self.program, self.target, property, value));
        }
    }
}
