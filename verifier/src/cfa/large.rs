//! Large-block encoding: the automaton in which one edge stands for all ways from one location to the next that is kept.
//!
//! Beyer, Cimatti, Griggio, Keremoglu and Sebastiani ("Software model checking via large-block encoding") rewrite the
//! automaton of each function by two rules until none applies. *Sequence*: a location with exactly one incoming edge goes,
//! and the edge is put before each of those that leave it. *Choice*: edges between the same two locations become one.
//! Entries, heads of loops, both ends of calls, errors and other ends of paths stay.
//!
//! The order of rules does not matter. This one needs a single pass: locations are in reverse postorder and the heads of
//! loops stay, so that when a location has its turn, all that lead to it have had theirs.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::program::{EdgeId, LocId, LocationKind, Op, Program};

/// What a block does: one thing after the other.
pub type Sequence = Vec<Part>;

/// A part of a block.
#[derive(Clone, Debug)]
pub enum Part {
    /// The operation of an edge of the automaton.
    Edge(EdgeId),
    /// One of several sequences, whose first parts differ.
    Choice(Rc<[Sequence]>),
}

/// An edge that stands for a block.
#[derive(Clone, Debug)]
pub struct BlockEdge {
    /// Where it starts.
    pub from: LocId,
    /// Where it ends; of a call, where the caller goes on.
    pub to: LocId,
    /// What it does.
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
    pub fn new(program: &Program) -> LargeBlocks {
        let kept = kept(program);
        let mut leaving = vec![Vec::new(); program.locations.len()];
        // All ways to each location, by the kept one that they come from.
        let mut arriving: Vec<BTreeMap<LocId, Vec<Sequence>>> = vec![BTreeMap::new(); program.locations.len()];
        for at in (0..program.locations.len() as u32).map(LocId) {
            let gone = if kept[at.index()] { None } else { arriving[at.index()].pop_first() };
            let (from, before) = gone.map_or((at, Sequence::new()), |(from, ways)| (from, choice(ways)));
            for (id, edge) in program.leaving(at) {
                let mut block = before.clone();
                block.push(Part::Edge(id));
                arriving[edge.to.index()].entry(from).or_default().push(block);
            }
        }
        // Only now have back edges arrived.
        for (to, arriving) in (0..).map(LocId).zip(arriving) {
            for (from, ways) in arriving {
                leaving[from.index()].push(BlockEdge { from, to, block: choice(ways) });
            }
        }
        LargeBlocks { kept, leaving }
    }

    /// Is a location still there?
    pub fn keeps(&self, location: LocId) -> bool {
        self.kept[location.index()]
    }

    /// The blocks that begin at a location, by where they end.
    pub fn leaving(&self, location: LocId) -> &[BlockEdge] {
        &self.leaving[location.index()]
    }
}

/// No block has more steps than this on one way: each error in a block has a block of its own, which repeats all steps up to
/// it, so that a function with very many errors would become quadratically long.
const LONGEST: u32 = 250;

/// Which locations are left when no rule applies any more: those that stay, and those that can be reached from several of
/// these without passing another one. Where blocks would be too long, one more is.
pub fn kept(program: &Program) -> Vec<bool> {
    let mut entering = vec![Vec::new(); program.locations.len()];
    for edge in &program.edges {
        entering[edge.to.index()].push(edge.from);
    }
    let mut kept = fixed(program);
    // The last location before each that is kept, and how far it is at most.
    let mut source: Vec<Option<LocId>> = vec![None; program.locations.len()];
    let mut distance = vec![0_u32; program.locations.len()];
    for at in (0..program.locations.len() as u32).map(LocId) {
        let mut sources = entering[at.index()].iter().map(|from| source[from.index()]);
        let only = sources.next().flatten().filter(|first| sources.all(|other| other == Some(*first)));
        let farthest = entering[at.index()].iter().map(|from| distance[from.index()]).max().unwrap_or(0);
        kept[at.index()] |= only.is_none() || farthest >= LONGEST;
        distance[at.index()] = if kept[at.index()] { 0 } else { farthest + 1 };
        source[at.index()] = if kept[at.index()] { Some(at) } else { only };
    }
    kept
}

/// The locations that no rule takes away.
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

/// A choice between sequences. What they begin with in common comes before it: the rule for sequences has made copies of
/// it, and copies of copies would make blocks grow exponentially.
fn choice(mut ways: Vec<Sequence>) -> Sequence {
    if ways.len() == 1 {
        return ways.remove(0);
    }
    let common = (0..).take_while(|&i| is_common(&ways, i)).count();
    let mut block = ways[0][..common].to_vec();
    let mut groups: Vec<Vec<Sequence>> = Vec::new();
    for mut way in ways {
        way.drain(..common);
        match groups.iter_mut().find(|group| is_same(group[0].first(), way.first())) {
            Some(group) => group.push(way),
            None => groups.push(vec![way]),
        }
    }
    // As the automaton has them, whichever way was the longer one.
    groups.sort_by_key(|group| first_edge(&group[0]));
    block.push(Part::Choice(groups.into_iter().map(choice).collect()));
    block
}

fn first_edge(block: &Sequence) -> Option<EdgeId> {
    match block.first()? {
        Part::Edge(id) => Some(*id),
        Part::Choice(ways) => first_edge(&ways[0]),
    }
}

/// Do all ways have the same part at a position?
fn is_common(ways: &[Sequence], position: usize) -> bool {
    ways.iter().all(|way| is_same(way.get(position), ways[0].get(position)))
}

/// Is a part there twice, or two copies of the same?
fn is_same(a: Option<&Part>, b: Option<&Part>) -> bool {
    match (a, b) {
        (Some(Part::Edge(a)), Some(Part::Edge(b))) => a == b,
        (Some(Part::Choice(a)), Some(Part::Choice(b))) => Rc::ptr_eq(a, b),
        _ => false,
    }
}
