//! Graphs as JSON, with the contents of the text form. Nodes are numbered by their positions; locations and edges of the
//! automaton have the numbers of `clew show cfa`.

use serde_json::{Value, json as object};

use super::{Edge, Fate, Graph, Node};
use crate::cpa::control::Event;
use crate::print::Names;
use crate::print::{op_kind, source_json};

impl Graph {
    /// The whole graph.
    pub fn json(&self, names: &Names<'_>) -> Value {
        let nodes: Vec<_> = self.nodes.iter().enumerate().map(|(id, node)| describe(id, node, names)).collect();
        let edges =
            self.nodes.iter().enumerate().flat_map(|(from, node)| node.edges.iter().map(move |edge| (from, edge)));
        let edges: Vec<_> = edges.map(|(from, edge)| describe_edge(from, edge, names)).collect();
        object!({ "nodes": nodes, "edges": edges })
    }
}

fn describe(id: usize, node: &Node, names: &Names<'_>) -> Value {
    let call = |&call: &crate::cfa::EdgeId| {
        let edge = names.program.edge(call);
        object!({
            "edge": call.0,
            "function": names.function(edge.from),
            "location": names.number(edge.from),
            "source": source_json(names.program, edge.source),
        })
    };
    let (status, covered_by, target) = match node.fate {
        Fate::Waiting => ("waiting", None, None),
        Fate::Expanded => ("expanded", None, None),
        Fate::Covered(by) => ("covered", Some(by), None),
        Fate::End => ("end", None, None),
        Fate::Target(Event::Error) => ("target", None, Some("error")),
        Fate::Target(Event::Unsupported) => ("target", None, Some("unsupported")),
        Fate::Target(Event::Recursion) => ("target", None, Some("recursion")),
    };
    object!({
        "id": id,
        "function": names.function(node.location),
        "location": names.number(node.location),
        "location_id": node.location.0,
        "calls": node.calls.iter().map(call).collect::<Vec<_>>(),
        "facts": node.facts,
        "status": status,
        "covered_by": covered_by,
        "target": target,
    })
}

fn describe_edge(from: usize, edge: &Edge, names: &Names<'_>) -> Value {
    let steps = edge.steps.iter().map(|step| {
        let passed = names.program.edge(step.edge);
        object!({
            "edge": step.edge.0,
            "op": op_kind(&passed.op),
            "text": names.inside(passed.from).op(&passed.op),
            "source": source_json(names.program, passed.source),
        })
    });
    object!({ "from": from, "to": edge.to, "steps": steps.collect::<Vec<_>>() })
}
