//! Counterexamples as JSON, with every step.

use serde_json::{Value as Json, json};

use super::counterexample::{Change, Counterexample, Event, Input};
use crate::cfa::program::{Havoc, Program};
use crate::cfa::source::SourceId;
use crate::cfa::value::Value;

impl Counterexample {
    /// The counterexample for programs.
    pub fn json(&self, program: &Program) -> Json {
        let property = &self.violation.property;
        let steps = self.path.iter().zip(&self.events).map(|(step, event)| {
            let mut object = event_json(program, event);
            object["edge"] = step.edge.0.into();
            object
        });
        json!({
            "violation": {
                "kind": property.kind,
                "message": property.message,
                "location": self.violation.location.0,
                "place": place_json(program, property.place),
            },
            "inputs": self.inputs.iter().map(|input| input_json(program, input)).collect::<Vec<_>>(),
            "replay": self.replay_inputs(),
            "steps": steps.collect::<Vec<_>>(),
        })
    }
}

fn event_json(program: &Program, event: &Event) -> Json {
    let mut object = json!({ "place": place_json(program, event.place), "depth": event.depth });
    if let Some(function) = event.enters {
        object["enters"] = json!(program.function(function).display_name);
    }
    if event.leaves {
        object["leaves"] = true.into();
    }
    if !event.changes.is_empty() {
        object["changes"] = event.changes.iter().map(change_json).collect();
    }
    object
}

fn change_json(change: &Change) -> Json {
    json!({ "name": change.name, "value": change.text, "bits": bits(change.value), "sort": change.value.sort().to_string() })
}

fn input_json(program: &Program, input: &Input) -> Json {
    let kind = match input.kind {
        Havoc::Input => "input",
        Havoc::Uninitialized => "uninitialized",
        Havoc::External => "external",
        Havoc::Undefined => "undefined",
    };
    json!({
        "step": input.step,
        "kind": kind,
        "value": super::values::plain(input.value),
        "bits": bits(input.value),
        "sort": input.value.sort().to_string(),
        "place": place_json(program, input.place),
    })
}

/// As text: numbers of JSON are not that wide.
fn bits(value: Value) -> String {
    format!("{:#x}", value.raw())
}

fn place_json(program: &Program, id: SourceId) -> Json {
    match program.sources.place(id) {
        None => Json::Null,
        Some(place) => json!({
            "file": program.sources.path(place.file),
            "line": place.line,
            "column": place.column,
            "function": place.function,
        }),
    }
}
