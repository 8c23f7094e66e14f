//! Violations in reports: the property, the path and the inputs.

use std::collections::BTreeMap;

use super::Sources;
use super::claim::Claim;
use super::place::Place;
use crate::cfa::program::{EdgeId, Havoc, LocId, Op, Program, Scope};
use crate::evidence::{Change, Counterexample, Evidence, Origin, StepRecord, native_run};
use crate::expr::{Value, Var};

/// A violated property, and a run that violates it.
#[derive(Debug)]
pub struct Violation<'a> {
    /// The violated property.
    pub claim: Claim<'a>,
    /// The place of the violation.
    pub place: Option<Place<'a>>,
    /// The error location.
    pub location: LocId,
    /// The steps of the run.
    pub steps: Vec<Step<'a>>,
    /// The nondeterministic values, in the order of their use.
    pub inputs: Vec<Input<'a>>,
    /// The inputs of the program, as `clew run --inputs` takes them.
    pub replay_inputs: Vec<String>,
    /// The command that runs the program with these inputs.
    pub replay: String,
    /// What has confirmed it.
    pub evidence: &'a Evidence,
    /// The number of arguments of the program, if it matters.
    pub arguments: Option<u32>,
    /// The known values of the variables in scope at the violation, by their names in the source.
    pub values: BTreeMap<&'a str, &'a str>,
}

/// One step of a run.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The edge of the program.
    pub edge: EdgeId,
    /// The place in the source.
    pub place: Option<Place<'a>>,
    /// The depth of the call stack before the step.
    pub depth: usize,
    /// The function that the step called, if it is a call.
    pub enters: Option<&'a str>,
    /// The declaration of that function.
    pub callee: Option<Place<'a>>,
    /// Whether the step returned from a function.
    pub leaves: bool,
    /// The new values of source variables and of objects in memory.
    pub changes: &'a [Change],
}

/// A nondeterministic value.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The position of the step that used it.
    pub step: usize,
    /// Why it was nondeterministic.
    pub kind: Havoc,
    /// The value.
    pub value: Value,
    /// The place of its use.
    pub place: Option<Place<'a>>,
    /// The function that returned it, if it is an input or from outside.
    pub function: Option<&'a str>,
}

impl<'a> Violation<'a> {
    /// `replay` gives the command that runs the program with some inputs.
    pub fn new(
        program: &'a Program,
        found: &'a Counterexample,
        replay: &dyn Fn(&[String]) -> String,
        sources: &dyn Sources,
    ) -> Violation<'a> {
        let property = &found.violation.property;
        let place = Place::of(program, property.place);
        let steps = found.path.iter().zip(&found.records).map(|(step, record)| Step {
            edge: step.edge,
            place: Place::of(program, record.place),
            depth: record.depth,
            enters: record.enters.map(|function| &*program.function(function).display_name),
            callee: record.enters.and_then(|function| Place::of(program, program.function(function).declared)),
            leaves: record.leaves,
            changes: &record.changes,
        });
        let inputs = found.inputs.iter().map(|input| Input {
            step: input.step,
            kind: input.kind,
            value: input.value,
            place: Place::of(program, input.place),
            function: match input.kind {
                Havoc::Input => program.input_function(program.edge(found.path[input.step].edge).from),
                Havoc::External(function) => Some(&*program.external(function).name),
                _ => None,
            },
        });
        let replay_inputs = found.replay_inputs();
        Violation {
            claim: Claim::of(property).with_text(place.as_ref(), sources),
            place,
            location: found.violation.location,
            steps: steps.collect(),
            inputs: inputs.collect(),
            replay: replay(&replay_inputs),
            evidence: &found.evidence,
            replay_inputs,
            arguments: native_run(program, found).ok().and_then(|run| run.argument_count),
            values: final_values(program, found),
        }
    }

    /// The number of nondeterministic values that are not inputs: uninitialised, undefined, or from external functions.
    pub fn other_unknowns(&self) -> usize {
        self.inputs.iter().filter(|input| input.kind != Havoc::Input).count()
    }
}

/// The last known values of the variables in scope at the end of the run.
fn final_values<'a>(program: &'a Program, found: &'a Counterexample) -> BTreeMap<&'a str, &'a str> {
    let mut globals: BTreeMap<Var, &'a str> = BTreeMap::new();
    // The variables of each function on the call stack, with the variable that receives its result.
    let mut frames: Vec<(BTreeMap<Var, &'a str>, Option<Var>)> = vec![Default::default()];
    for (step, record) in found.path.iter().zip(&found.records) {
        let op = &program.edge(step.edge).op;
        if let Op::Call { callee, result, .. } = op {
            // Parameters without a declaration in the source have no change.
            let params = program.function(*callee).params.iter();
            let known = params.filter_map(|&param| {
                let change = record.changes.iter().find(|change| change.origin == Origin::Variable(param))?;
                Some((param, &*change.text))
            });
            frames.push((known.collect(), *result));
            continue;
        }
        let (written, value) = match op {
            Op::Assign(var, _) | Op::Havoc(var, _) => (Some(*var), value_of(record, *var)),
            Op::Return(_) => {
                let result = frames.pop().and_then(|(_, result)| result);
                (result, result.and_then(|var| value_of(record, var)))
            }
            _ => continue,
        };
        let Some(var) = written else { continue };
        let store = match (program.var(var).scope, frames.last_mut()) {
            (Scope::Local(_), Some((locals, _))) => locals,
            _ => &mut globals,
        };
        match value {
            Some(value) => store.insert(var, value),
            None => store.remove(&var),
        };
    }
    let locals = frames.pop().unwrap_or_default().0;
    let mut values = by_name(program, &globals);
    values.extend(by_name(program, &locals));
    values
}

/// The value that a step gives to a variable.
fn value_of(record: &StepRecord, var: Var) -> Option<&str> {
    let change = record.changes.iter().find(|change| change.origin == Origin::Variable(var))?;
    Some(&change.text)
}

/// Values by name. A name of several variables is omitted, since it is unknown which of them is in scope.
fn by_name<'a>(program: &'a Program, values: &BTreeMap<Var, &'a str>) -> BTreeMap<&'a str, &'a str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for &var in values.keys() {
        *counts.entry(plain_name(&program.var(var).name)).or_default() += 1;
    }
    let named = values.iter().map(|(&var, &value)| (plain_name(&program.var(var).name), value));
    named.filter(|(name, _)| counts[name] == 1).collect()
}

/// The name in the source, without the number that distinguishes variables of the same name.
fn plain_name(name: &str) -> &str {
    match name.split_once('#') {
        Some((plain, number)) if !plain.is_empty() && plain != "heap" && number.chars().all(|c| c.is_ascii_digit()) => {
            plain
        }
        _ => name,
    }
}
