//! Counterexamples: what happens on the way to a violation.

use crate::cfa::path::Step;
use crate::cfa::program::{FuncId, Havoc, LocId, Property};
use crate::cfa::source::SourceId;
use crate::cfa::value::Value;

/// A violation of a property that was replayed.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The path to the violation.
    pub path: Vec<Step>,
    /// What is violated.
    pub violation: Violation,
    /// What the program did not determine, in the order in which it was needed.
    pub inputs: Vec<Input>,
    /// What the steps did, one entry for each step of the path.
    pub events: Vec<Event>,
}

/// A violated property.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The property.
    pub property: Property,
    /// The location that stands for it.
    pub location: LocId,
}

/// A value that came from outside.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Input {
    /// The position of the step that needed it.
    pub step: usize,
    /// Why it was unknown.
    pub kind: Havoc,
    /// The value.
    pub value: Value,
    /// Where it was needed.
    pub place: SourceId,
}

/// What one step did.
#[derive(Clone, Debug)]
pub struct Event {
    /// Where it stands in the source.
    pub place: SourceId,
    /// How many functions were under way before it.
    pub depth: usize,
    /// The function that was entered, if one was.
    pub enters: Option<FuncId>,
    /// Was the innermost function left?
    pub leaves: bool,
    /// Values that variables of the source, or objects in memory, took.
    pub changes: Vec<Change>,
}

/// A value that something visible took.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// A variable, or an object in memory with an offset.
    pub name: String,
    /// The value.
    pub value: Value,
    /// The value for people: with its sign, or as the object that a pointer points to.
    pub text: String,
}

impl Counterexample {
    /// The values that the program asked for, for `clew run --inputs`.
    pub fn replay_inputs(&self) -> Vec<String> {
        let asked = self.inputs.iter().filter(|input| input.kind == Havoc::Input);
        asked.map(|input| super::values::as_input(input.value)).collect()
    }
}
