//! Removal of edges without a change of ids.

use crate::cfa::program::{Edge, LocId, Location, LocationKind, Op, Program};

/// Removes the edges that are not in `keeps` and those that cannot be reached without them.
///
/// A location that is no longer reached, or has no edge left, becomes an end of the program. Removed edges lead from a
/// location that is in no function to itself, so that facts about control flow do not see them.
pub(super) fn rebuild(program: &mut Program, mut keeps: Vec<bool>) {
    let reached = reached(program, &keeps);
    for (keep, edge) in keeps.iter_mut().zip(&program.edges) {
        *keep &= reached[edge.from.index()];
    }
    let nowhere = nowhere(program);
    let never = program.pool.bool(false);
    let mut loop_heads = vec![false; program.locations.len()];
    for (edge, _) in program.edges.iter().zip(&keeps).filter(|(_, keep)| **keep) {
        // Locations are in reverse postorder, so each cycle has such an edge.
        if edge.from >= edge.to && !matches!(edge.op, Op::Return(_)) {
            loop_heads[edge.to.index()] = true;
        }
    }
    for (at, location) in program.locations.iter_mut().enumerate() {
        let all = location.leaving.clone();
        let mut kept = all.clone().filter(|&edge| keeps[edge as usize]);
        let first = kept.next();
        location.leaving = first.map_or(all.start..all.start, |first| first..kept.next_back().unwrap_or(first) + 1);
        location.loop_head = loop_heads[at];
        let is_reached = reached.get(at).is_some_and(|reached| *reached);
        let ends = first.is_none() && location.kind == LocationKind::Normal;
        if ends || !is_reached && matches!(location.kind, LocationKind::Error(_)) {
            location.kind = LocationKind::Halt;
        }
    }
    let targets: Vec<LocId> = program.edges.iter().map(|edge| edge.to).collect();
    for (edge, keep) in program.edges.iter_mut().zip(0..keeps.len() as u32) {
        if keeps[keep as usize] {
            continue;
        }
        // The edges of a location are consecutive, so one between two others has to stay.
        let kept = program.locations[edge.from.index()].leaving.clone();
        if kept.contains(&keep) {
            (edge.to, edge.op) = (targets[kept.start as usize], Op::Assume(never));
        } else {
            (edge.from, edge.to, edge.op) = (nowhere, nowhere, Op::Skip);
        }
    }
}

/// The locations that execution reaches along the edges in `keeps`.
fn reached(program: &Program, keeps: &[bool]) -> Vec<bool> {
    let mut reached = vec![false; program.locations.len()];
    let mut stack = vec![program.function(program.start).entry];
    while let Some(location) = stack.pop() {
        if std::mem::replace(&mut reached[location.index()], true) {
            continue;
        }
        for (id, Edge { op, to, .. }) in program.leaving(location).filter(|(id, _)| keeps[id.index()]) {
            debug_assert_eq!(program.edge(id).from, location);
            match op {
                Op::Return(_) | Op::Unsupported(_) => {}
                Op::Call { callee, .. } => stack.extend([program.function(*callee).entry, *to]),
                _ => stack.push(*to),
            }
        }
    }
    reached
}

/// The location that removed edges start from; it is in no function.
fn nowhere(program: &mut Program) -> LocId {
    let end = program.functions.iter().map(|function| function.locations.end).max().unwrap_or(0);
    if program.locations.len() as u32 == end {
        let leaving = program.edges.len() as u32;
        program.locations.push(Location {
            function: program.start,
            kind: LocationKind::Halt,
            leaving: leaving..leaving,
            loop_head: false,
        });
    }
    LocId(end)
}
