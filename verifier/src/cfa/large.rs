//! Large-block encoding: one edge represents all paths between two locations that are kept.
//!
//! Beyer, Cimatti, Griggio, Keremoglu and Sebastiani ("Software model checking via large-block encoding") rewrite the
//! automaton of each function by two rules up to a fixpoint. *Sequence*: a location with exactly one incoming edge is
//! removed, and that edge is prepended to each outgoing edge. *Choice*: parallel edges are merged. Entries, loop heads,
//! both ends of calls, error locations and other ends of paths are kept.
//!
//! The result does not depend on the order of rules. A single pass suffices here: locations are in reverse postorder
//! and loop heads are kept, so all predecessors of a location are processed before it.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::program::{EdgeId, LocId, LocationKind, Op, Program};
use crate::tuning::BlockLimits;

/// The operations of a block, in order.
pub type Sequence = Vec<Part>;

/// A part of a block.
#[derive(Clone, Debug)]
pub enum Part {
    /// An edge of the original automaton.
    Edge(EdgeId),
    /// One of several sequences, whose first parts differ.
    Choice(Rc<[Sequence]>),
}

/// An edge that represents a block.
#[derive(Clone, Debug)]
pub struct BlockEdge {
    /// The first location.
    pub from: LocId,
    /// The last location; for a call, the location after the call.
    pub to: LocId,
    /// The operations.
    pub block: Sequence,
}

/// The automata of all functions in large blocks.
#[derive(Clone, Debug)]
pub struct LargeBlocks {
    kept: Vec<bool>,
    leaving: Vec<Vec<BlockEdge>>,
}

impl LargeBlocks {
    /// Encodes `program`.
    pub fn new(program: &Program, limits: BlockLimits) -> LargeBlocks {
        let kept = kept(program, limits);
        let mut leaving = vec![Vec::new(); program.locations.len()];
        // All paths to each location, by the kept location that they start from.
        let mut arriving: Vec<BTreeMap<LocId, Vec<Sequence>>> = vec![BTreeMap::new(); program.locations.len()];
        for at in (0..program.locations.len() as u32).map(LocId) {
            let removed = if kept[at.index()] { None } else { arriving[at.index()].pop_first() };
            let (from, before) = removed.map_or((at, Sequence::new()), |(from, paths)| (from, choice(paths)));
            for (id, edge) in program.leaving(at) {
                let mut block = before.clone();
                block.push(Part::Edge(id));
                arriving[edge.to.index()].entry(from).or_default().push(block);
            }
        }
        // Back edges are complete only now.
        for (to, arriving) in (0..).map(LocId).zip(arriving) {
            for (from, paths) in arriving {
                leaving[from.index()].push(BlockEdge { from, to, block: choice(paths) });
            }
        }
        LargeBlocks { kept, leaving }
    }

    /// Whether `location` is kept.
    pub fn keeps(&self, location: LocId) -> bool {
        self.kept[location.index()]
    }

    /// The blocks that begin at `location`, ordered by their ends.
    pub fn leaving(&self, location: LocId) -> &[BlockEdge] {
        &self.leaving[location.index()]
    }
}

/// The locations that are left at the fixpoint: the fixed ones, and those reachable from several kept locations without
/// passing another. Blocks that would be too long are split at one more location.
///
/// Each error location in a block gets its own block, which repeats all steps up to it; without a bound, a function with
/// many errors would grow quadratically.
pub fn kept(program: &Program, limits: BlockLimits) -> Vec<bool> {
    let mut entering = vec![Vec::new(); program.locations.len()];
    for edge in &program.edges {
        entering[edge.to.index()].push(edge.from);
    }
    let mut kept = fixed(program);
    // For each location, the kept location that precedes it and the maximum distance to it.
    let mut source: Vec<Option<LocId>> = vec![None; program.locations.len()];
    let mut distance = vec![0_u32; program.locations.len()];
    for at in (0..program.locations.len() as u32).map(LocId) {
        let mut sources = entering[at.index()].iter().map(|from| source[from.index()]);
        let only = sources.next().flatten().filter(|first| sources.all(|other| other == Some(*first)));
        let farthest = entering[at.index()].iter().map(|from| distance[from.index()]).max().unwrap_or(0);
        kept[at.index()] |= only.is_none() || farthest >= limits.max_steps;
        distance[at.index()] = if kept[at.index()] { 0 } else { farthest + 1 };
        source[at.index()] = if kept[at.index()] { Some(at) } else { only };
    }
    kept
}

/// The locations that no rule removes.
fn fixed(program: &Program) -> Vec<bool> {
    let stays = |l: &super::program::Location| l.loop_head || l.leaving.is_empty() || l.kind != LocationKind::Normal;
    let mut fixed: Vec<bool> = program.locations.iter().map(stays).collect();
    for function in &program.functions {
        fixed[function.entry.index()] = true;
    }
    for edge in program.edges.iter().filter(|edge| matches!(edge.op, Op::Call { .. })) {
        fixed[edge.from.index()] = true;
        fixed[edge.to.index()] = true;
    }
    fixed
}

/// A choice between sequences, with their common prefix factored out. The sequence rule duplicates prefixes; without
/// factoring, blocks would grow exponentially.
fn choice(mut paths: Vec<Sequence>) -> Sequence {
    if paths.len() == 1 {
        return paths.remove(0);
    }
    let common = (0..).take_while(|&i| is_common(&paths, i)).count();
    let mut block = paths[0][..common].to_vec();
    let mut groups: Vec<Vec<Sequence>> = Vec::new();
    for mut path in paths {
        path.drain(..common);
        match groups.iter_mut().find(|group| is_same(group[0].first(), path.first())) {
            Some(group) => group.push(path),
            None => groups.push(vec![path]),
        }
    }
    // In the order of the automaton, regardless of the lengths of the paths.
    groups.sort_by_key(|group| first_edge(&group[0]));
    block.push(Part::Choice(groups.into_iter().map(choice).collect()));
    block
}

fn first_edge(block: &Sequence) -> Option<EdgeId> {
    match block.first()? {
        Part::Edge(id) => Some(*id),
        Part::Choice(paths) => first_edge(&paths[0]),
    }
}

/// Whether all paths have the same part at `position`.
fn is_common(paths: &[Sequence], position: usize) -> bool {
    paths.iter().all(|path| is_same(path.get(position), paths[0].get(position)))
}

/// Whether both are the same edge, or share the same choice.
fn is_same(a: Option<&Part>, b: Option<&Part>) -> bool {
    match (a, b) {
        (Some(Part::Edge(a)), Some(Part::Edge(b))) => a == b,
        (Some(Part::Choice(a)), Some(Part::Choice(b))) => Rc::ptr_eq(a, b),
        _ => false,
    }
}
