//! Counterexamples: the path to a violation, its inputs, and the changes of its steps.

use super::dependence::Dependence;
use crate::cfa::path::Step;
use crate::cfa::program::{FuncId, Havoc, LocId};
use crate::cfa::property::Property;
use crate::cfa::source::SourceId;
use crate::expr::{Value, Var};
use serde::{Deserialize, Serialize};

/// A replayed violation of a property.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Counterexample {
    /// The path to the violation.
    pub path: Vec<Step>,
    /// The violated property.
    pub violation: Violation,
    /// The nondeterministic values, in the order of their use.
    pub inputs: Vec<Input>,
    /// One record for each step of the path.
    pub records: Vec<StepRecord>,
    /// What the path depends on, beside the inputs.
    pub dependence: Dependence,
    /// What has confirmed it.
    pub evidence: Evidence,
}

/// What has confirmed a counterexample.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Evidence {
    /// A run of the compiled program.
    Native,
    /// The interpreter; the text says why the compiled program has not confirmed it. It is empty if that was not asked.
    Interpreter(String),
}

/// A violated property.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Violation {
    /// The property.
    pub property: Property,
    /// The error location.
    pub location: LocId,
}

/// A nondeterministic value.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Input {
    /// The position of the step that used it.
    pub step: usize,
    /// Why it was nondeterministic.
    pub kind: Havoc,
    /// The value.
    pub value: Value,
    /// The place of its use.
    pub place: SourceId,
}

/// The effects of one step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StepRecord {
    /// The place in the source.
    pub place: SourceId,
    /// The depth of the call stack before the step.
    pub depth: usize,
    /// The function that the step called, if it is a call.
    pub enters: Option<FuncId>,
    /// Whether the step returned from a function.
    pub leaves: bool,
    /// The new values of source variables and of objects in memory.
    pub changes: Vec<Change>,
}

/// A new value of a source variable, or of an object or a part of one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Change {
    /// Its name, as in the source where possible.
    pub name: String,
    /// The value; `None` for several at once, as in a structure.
    pub value: Option<Value>,
    /// The value as people write it in the source.
    pub text: String,
    /// Its type in the source, if known.
    pub ty: Option<String>,
    /// Where the value is.
    pub origin: Origin,
    /// Whether it is an object in memory or a part of one, so that others than its function may know it.
    pub is_object: bool,
    /// The text that it is a character or a part of, by name and contents.
    pub whole: Option<(String, String)>,
}

/// Where a value is in a state of the interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Origin {
    /// A variable.
    Variable(#[serde(with = "number")] Var),
    /// Some bits of a variable, from this one on.
    Part(#[serde(with = "number")] Var, u16),
    /// Bytes of a memory, from this address and bit on.
    Memory(#[serde(with = "number")] Var, u64, u16),
    /// Cells of a memory.
    Cell(#[serde(with = "number")] Var, u64),
}

/// Variables as their numbers.
mod number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::expr::Var;

    pub(super) fn serialize<S: Serializer>(var: &Var, to: S) -> Result<S::Ok, S::Error> {
        var.0.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Var, D::Error> {
        u32::deserialize(from).map(Var)
    }
}

impl Counterexample {
    /// The inputs of the program, as `clew run --inputs` takes them.
    pub fn replay_inputs(&self) -> Vec<String> {
        let inputs = self.inputs.iter().filter(|input| input.kind == Havoc::Input);
        inputs.map(|input| crate::print::values::as_input(input.value)).collect()
    }
}
