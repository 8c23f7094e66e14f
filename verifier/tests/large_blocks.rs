//! Large-block encoding: blocks represent exactly the paths between kept locations, and no rule applies any more.

mod small;

use std::collections::BTreeSet;

use clew_verifier::cfa::large::{LargeBlocks, Part, kept};
use clew_verifier::cfa::{EdgeId, LocId, LocationKind, Op, Program, ProgramBuilder, SourceId};
use clew_verifier::cpa::predicate::blocks::{BlockEnds, Blocks};
use proptest::prelude::*;
use small::{generate, programs, show};

/// The maximum number of paths that are compared individually.
const MAX_PATHS: usize = 20_000;

type Path = Vec<EdgeId>;

fn locations(program: &Program) -> impl Iterator<Item = LocId> {
    (0..program.locations.len() as u32).map(LocId)
}

/// All paths from `from` to the next kept location; `None` if there are too many.
fn paths_between(program: &Program, kept: &[bool], from: LocId) -> Option<Vec<(LocId, Path)>> {
    let mut open = vec![(from, Path::new())];
    let mut paths = Vec::new();
    while let Some((at, path)) = open.pop() {
        for (id, edge) in program.leaving(at) {
            let mut path = path.clone();
            path.push(id);
            if kept[edge.to.index()] { paths.push((edge.to, path)) } else { open.push((edge.to, path)) }
        }
        if open.len() + paths.len() > MAX_PATHS {
            return None;
        }
    }
    Some(paths)
}

/// All paths through a block.
fn paths_through(block: &[Part]) -> Vec<Path> {
    let mut paths = vec![Path::new()];
    for part in block {
        let ends = match part {
            Part::Edge(id) => vec![vec![*id]],
            Part::Choice(ways) => ways.iter().flat_map(|way| paths_through(way)).collect(),
        };
        paths = paths.iter().flat_map(|path| ends.iter().map(|end| [&path[..], end].concat())).collect();
    }
    paths
}

fn must_stay(program: &Program, location: LocId) -> bool {
    let info = program.location(location);
    let is_entry = program.function(info.function).entry == location;
    let has_call = |edge: &clew_verifier::cfa::Edge| {
        matches!(edge.op, Op::Call { .. }) && (edge.from == location || edge.to == location)
    };
    let ends = info.leaving.is_empty() || matches!(info.kind, LocationKind::Error(_));
    is_entry || info.loop_head || ends || program.edges.iter().any(has_call)
}

/// Compares the blocks of a program with its paths. Returns the number of paths compared.
fn check(program: &Program) -> usize {
    let (blocks, kept) = (LargeBlocks::new(program, Default::default()), kept(program, Default::default()));
    let mut entering = vec![Vec::new(); program.locations.len()];
    let mut compared = 0;
    for at in locations(program) {
        assert_eq!(blocks.keeps(at), kept[at.index()]);
        if !blocks.keeps(at) {
            assert!(!must_stay(program, at), "{at:?} is gone in\n{}", show(program));
            assert!(blocks.leaving(at).is_empty(), "a block begins at {at:?}, which is gone");
            continue;
        }
        for edge in blocks.leaving(at) {
            assert!(edge.from == at && blocks.keeps(edge.to));
            entering[edge.to.index()].push(at);
        }
        let Some(expected) = paths_between(program, &kept, at) else { continue };
        let through = |edge: &clew_verifier::cfa::large::BlockEdge| {
            paths_through(&edge.block).into_iter().map(|path| (edge.to, path)).collect::<Vec<_>>()
        };
        let found: Vec<(LocId, Path)> = blocks.leaving(at).iter().flat_map(through).collect();
        assert_eq!(found.len(), expected.len(), "no path is there twice, from {at:?} in\n{}", show(program));
        let (found, expected): (BTreeSet<_>, BTreeSet<_>) =
            (found.into_iter().collect(), expected.into_iter().collect());
        assert_eq!(found, expected, "from {at:?} in\n{}", show(program));
        compared += expected.len();
    }
    // No rule applies: no two blocks are parallel, and no removable location has a single incoming block.
    for at in locations(program).filter(|&at| blocks.keeps(at)) {
        let from = &entering[at.index()];
        assert_eq!(from.iter().collect::<BTreeSet<_>>().len(), from.len(), "two blocks to {at:?}");
        assert!(must_stay(program, at) || from.len() != 1, "{at:?} could go in\n{}", show(program));
    }
    // The predicate analysis abstracts at the ends of blocks.
    let ends = BlockEnds::new(program, Blocks::Large, Default::default());
    for at in locations(program) {
        let goes_on = !program.location(at).leaving.is_empty();
        assert_eq!(ends.ends_at(at, 1), blocks.keeps(at) && goes_on, "{at:?}");
    }
    compared
}

#[test]
fn blocks_of_small_programs_are_their_paths() {
    let compared: usize = programs(300).map(|(seed, size)| check(&generate(seed, size))).sum();
    assert!(compared > 3000, "{compared}");
}

/// An arbitrary automaton of two functions: each triple is an edge with its source, target and operation.
fn random(edges: &[(u8, u8, u8)]) -> Program {
    const NOWHERE: SourceId = SourceId::NONE;
    let mut b = ProgramBuilder::new(64);
    let (main, callee) = (b.add_function("main", "main", None, NOWHERE), b.add_function("f", "f", None, NOWHERE));
    b.add_return(b.function(callee).entry, None, NOWHERE);
    let mut locations = vec![b.function(main).entry];
    locations.extend((0..8).map(|_| b.add_location(main, LocationKind::Normal)));
    locations.push(b.add_location(main, LocationKind::Halt));
    let condition = b.pool.bool(true);
    for &(from, to, op) in edges {
        // Locations that end the program have no edges.
        let (from, to) = (locations[usize::from(from) % 9], locations[usize::from(to) % 10]);
        match op % 16 {
            0 => b.add_edge(from, Op::Call { callee, args: [].into(), result: None }, to, NOWHERE),
            1 => b.add_return(from, None, NOWHERE),
            2 => b.add_edge(from, Op::Unsupported("this".into()), to, NOWHERE),
            _ => b.add_edge(from, Op::Assume(condition), to, NOWHERE),
        };
    }
    b.finish(main)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_shrink_iters: 1000, cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn blocks_of_any_automaton_are_its_paths(edges in prop::collection::vec(any::<(u8, u8, u8)>(), 0..24)) {
        check(&random(&edges));
    }
}

/// The number of steps in a block.
fn steps(block: &[Part]) -> usize {
    let of = |part: &Part| match part {
        Part::Edge(_) => 1,
        Part::Choice(ways) => ways.iter().map(|way| steps(way)).sum(),
    };
    block.iter().map(of).sum()
}

/// 40 decisions, each with two exits to the same location (as with `continue`): too many paths to enumerate, but blocks
/// stay small.
#[test]
fn blocks_do_not_grow_with_the_number_of_paths() {
    const NOWHERE: SourceId = SourceId::NONE;
    let mut b = ProgramBuilder::new(64);
    let main = b.add_function("main", "main", None, NOWHERE);
    let yes = b.pool.bool(true);
    let done = b.add_location(main, LocationKind::Halt);
    let mut at = b.function(main).entry;
    for _ in 0..40 {
        let next = b.add_location(main, LocationKind::Normal);
        for _ in 0..2 {
            let side = b.add_step(at, Op::Assume(yes), NOWHERE);
            b.add_edge(side, Op::Assume(yes), done, NOWHERE);
            b.add_edge(side, Op::Assume(yes), next, NOWHERE);
        }
        at = next;
    }
    b.add_return(at, None, NOWHERE);
    let program = b.finish(main);
    let blocks = LargeBlocks::new(&program, Default::default());
    let entry = program.function(main).entry;
    let sizes: Vec<usize> = blocks.leaving(entry).iter().map(|edge| steps(&edge.block)).collect();
    assert_eq!(sizes.len(), 2);
    assert!(sizes.iter().all(|&size| size <= 2 * program.edges.len()), "{sizes:?}");
}
