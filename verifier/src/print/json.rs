//! Automata as JSON for other tools: the contents of the text format, with ids as cross references.

use rustc_hash::FxHashSet;
use serde_json::{Value, json as object};

use super::blocks::shown;
use super::op::{describe, kind};
use super::{Numbering, Printer};
use crate::cfa::large::{BlockEdge, LargeBlocks, Part};
use crate::cfa::program::{EdgeId, FuncId, LocId, LocationKind, Op, Program, Scope, VarKind};
use crate::cfa::source::SourceId;
use crate::expr::{Expr, Node, Var};

/// The automata of `functions`, as single operations or in large blocks, with their variables and all global ones.
pub fn json(program: &Program, functions: &[FuncId], blocks: Option<&LargeBlocks>) -> Value {
    let printer = Printer::new(program);
    let shown = |var: &Var| match program.var(*var).scope {
        Scope::Global => true,
        Scope::Local(function) => functions.contains(&function),
    };
    let variables: Vec<_> =
        (0..program.vars.len() as u32).map(Var).filter(shown).map(|var| variable(program, var)).collect();
    let functions: Vec<_> = functions.iter().map(|&id| function(program, &printer.inside(id), id, blocks)).collect();
    object!({
        "start": program.start.0,
        "pointer_bits": program.pointer_bits,
        "functions": functions,
        "variables": variables,
        "notes": program.notes,
    })
}

fn variable(program: &Program, var: Var) -> Value {
    let info = program.var(var);
    object!({
        "id": var.0,
        "name": info.name,
        "sort": info.sort.to_string(),
        "type": info.type_name,
        "scope": match info.scope {
            Scope::Global => Value::Null,
            Scope::Local(function) => function.0.into(),
        },
        "kind": match info.kind {
            VarKind::Source => "source",
            VarKind::Temporary => "temporary",
            VarKind::Model => "model",
        },
        "declared": source(program, info.declared),
        "address": info.address,
    })
}

fn function(program: &Program, printer: &Printer<'_>, id: FuncId, blocks: Option<&LargeBlocks>) -> Value {
    let function = program.function(id);
    let numbering = Numbering::new(program, id);
    let shown = shown(&numbering, blocks);
    let locations: Vec<_> = shown.iter().map(|&at| location(program, &numbering, at)).collect();
    let edges: Vec<Value> = match blocks {
        None => shown.iter().flat_map(|&at| program.leaving(at)).map(|(id, _)| edge(program, printer, id)).collect(),
        Some(blocks) => {
            let block = |edge: &BlockEdge| {
                object!({
                    "from": edge.from.0,
                    "to": edge.to.0,
                    "text": printer.block(&edge.block),
                    "block": sequence(program, printer, &edge.block),
                })
            };
            shown.iter().flat_map(|&at| blocks.leaving(at)).map(block).collect()
        }
    };
    object!({
        "id": id.0,
        "name": function.name,
        "display_name": function.display_name,
        "params": function.params.iter().map(|v| v.0).collect::<Vec<_>>(),
        "result": function.result.map(|sort| sort.to_string()),
        "entry": function.entry.0,
        "exit": function.exit.0,
        "declared": source(program, function.declared),
        "locations": locations,
        "edges": edges,
    })
}

fn edge(program: &Program, printer: &Printer<'_>, id: EdgeId) -> Value {
    let edge = program.edge(id);
    let mut value = object!({
        "id": id.0,
        "from": edge.from.0,
        "to": edge.to.0,
        "op": kind(&edge.op),
        "text": printer.op(&edge.op),
        "source": source(program, edge.source),
    });
    let accesses = accesses(program, printer, &edge.op);
    if !accesses.is_empty() {
        value["accesses"] = accesses.into();
    }
    value
}

/// The parts of a block: edges, and choices between lists of parts.
fn sequence(program: &Program, printer: &Printer<'_>, block: &[Part]) -> Value {
    let part = |part: &Part| match part {
        Part::Edge(id) => edge(program, printer, *id),
        Part::Choice(alternatives) => {
            object!({ "choice": alternatives.iter().map(|alternative| sequence(program, printer, alternative)).collect::<Vec<_>>() })
        }
    };
    block.iter().map(part).collect::<Vec<_>>().into()
}

/// The regions that an operation reads and writes, with addresses: the text does not always name them.
fn accesses(program: &Program, printer: &Printer<'_>, op: &Op) -> Vec<Value> {
    let pool = &program.pool;
    let access = |kind: &str, memory: Var, address: Expr| {
        let exact = match pool.as_const(address) {
            Some(constant) => object!(constant.raw() as u64),
            None => printer.expr(address).into(),
        };
        object!({ "kind": kind, "region": program.var(memory).name, "variable": memory.0, "address": exact })
    };
    let mut found = Vec::new();
    let mut rest: Vec<Expr> = match op {
        Op::Assign(_, value) | Op::Assume(value) | Op::Return(Some(value)) => vec![*value],
        Op::Store { memory, address, value } => {
            found.push(access("write", *memory, *address));
            vec![*value, *address]
        }
        Op::Forget { memory, address, bytes } => {
            found.push(access("write", *memory, *address));
            vec![*bytes, *address]
        }
        Op::Fill { memory, address, byte, bytes } => {
            found.push(access("write", *memory, *address));
            vec![*bytes, *byte, *address]
        }
        Op::Copy { target, to, source, from, bytes } => {
            found.extend([access("write", *target, *to), access("read", *source, *from)]);
            vec![*bytes, *from, *to]
        }
        Op::Call { args, .. } => args.iter().rev().copied().collect(),
        Op::Skip | Op::Havoc(..) | Op::Initialize { .. } | Op::Return(None) | Op::Unsupported(_) => Vec::new(),
    };
    let mut seen = FxHashSet::default();
    while let Some(expr) = rest.pop() {
        if !seen.insert(expr) {
            continue;
        }
        if let Node::Read { memory, address, .. } = pool.node(expr)
            && let Node::Var(var) = pool.node(memory)
        {
            found.push(access("read", var, address));
        }
        let children: Vec<_> = pool.children(expr).collect();
        rest.extend(children.into_iter().rev());
    }
    found
}

fn location(program: &Program, numbering: &Numbering, id: LocId) -> Value {
    let location = program.location(id);
    let mut value = object!({
        "id": id.0,
        "name": format!("L{}", numbering.number(id)),
        "kind": match &location.kind {
            LocationKind::Normal => "normal",
            LocationKind::Exit => "exit",
            LocationKind::Halt => "halt",
            LocationKind::Error(_) => "error",
        },
        "loop_head": location.loop_head,
        "reachable": numbering.reaches(id),
    });
    if let LocationKind::Error(property) = &location.kind {
        value["text"] = describe(&location.kind).into();
        value["property"] = object!({
            "kind": property.kind.name(),
            "message": property.message,
            "source": source(program, property.place),
        });
    }
    value
}

/// A source position with the call sites where it was inlined, innermost first; null if there is none.
pub(crate) fn source(program: &Program, id: SourceId) -> Value {
    let place = |id| {
        program.sources.place(id).map(|place| {
            let value = object!({
                "file": program.sources.path(place.file),
                "line": place.line,
                "column": place.column,
                "function": place.function,
            });
            (value, place.inlined_at)
        })
    };
    let Some((mut value, mut outer)) = place(id) else { return Value::Null };
    let mut chain = Vec::new();
    while let Some((frame, next)) = place(outer) {
        chain.push(frame);
        outer = next;
    }
    if !chain.is_empty() {
        value["inlined_at"] = chain.into();
    }
    value
}
