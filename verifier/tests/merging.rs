//! Exploration with a merging domain: after pruning and further exploration, the graph is closed.
//!
//! The domain is that of intervals: joins are imprecise, and merging changes states from which others were derived.

mod small;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use clew_verifier::algorithm::{Exploration, Explorer, NodePolicy, Settings};
use clew_verifier::arg::{NodeId, Order, Status};
use clew_verifier::cfa::{LocId, Program, Step};
use clew_verifier::cpa::control::{Control, Controlled, Event};
use clew_verifier::cpa::interval::{IntervalState, Intervals};
use clew_verifier::cpa::predicate::precision::PredicatePrecision;
use clew_verifier::cpa::predicate::{self, Predicates};
use clew_verifier::cpa::sharing::Sharing;
use clew_verifier::cpa::value::Values;
use clew_verifier::cpa::value::precision::ValuePrecision;
use clew_verifier::cpa::{Cpa, Index, Successors};
use clew_verifier::expr::{Sort, Value, Var};
use clew_verifier::facts::Facts;
use clew_verifier::interpreter::{Limits, SeededInputs};
use clew_verifier::monitor::Monitor;
use small::Random;
use small::trace::trace;

const PROGRAMS: u64 = 250;

/// When states are merged.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Merge {
    /// As the domain does.
    Join,
    /// If both states restrict the same variables.
    Alike,
    Never,
}

/// The interval domain, with a precision: a set of variables that are not tracked.
struct Varied<'p> {
    intervals: Intervals<'p>,
    merge: Merge,
}

impl Cpa for Varied<'_> {
    type State = IntervalState;
    type Precision = BTreeSet<Var>;

    fn initial(&self) -> IntervalState {
        self.intervals.initial()
    }

    fn transfer(&self, state: IntervalState, _: &BTreeSet<Var>, step: Step) -> Successors<IntervalState> {
        self.intervals.transfer(state, &(), step)
    }

    fn merge(&self, new: &IntervalState, old: &IntervalState, _: &BTreeSet<Var>) -> Option<IntervalState> {
        let variables = |state: &IntervalState| state.iter().map(|(var, _)| var).collect::<Vec<Var>>();
        let wanted = match self.merge {
            Merge::Join => true,
            Merge::Alike => variables(new) == variables(old),
            Merge::Never => false,
        };
        self.intervals.merge(new, old, &()).filter(|_| wanted)
    }

    fn covers(&self, old: &IntervalState, new: &IntervalState) -> bool {
        self.intervals.covers(old, new)
    }

    fn adjust(&self, state: IntervalState, untracked: &BTreeSet<Var>, location: LocId) -> IntervalState {
        let mut state = self.intervals.adjust(state, &(), location);
        untracked.iter().for_each(|&var| state.forget(var));
        if self.merge != Merge::Join {
            // There is no widening then, so ranges must be small.
            let is_narrow = |sort| matches!(sort, Sort::Bool | Sort::Bits(..=8));
            let program = self.intervals.program();
            let wide: Vec<Var> =
                state.iter().map(|(var, _)| var).filter(|&var| !is_narrow(program.var(var).sort)).collect();
            wide.into_iter().for_each(|var| state.forget(var));
        }
        state
    }
}

impl Index for Varied<'_> {}

type Analysis<'p> = Controlled<'p, Varied<'p>>;
type Exploring<'a, 'p> = Explorer<'a, 'p, Varied<'p>>;

/// Whether nodes of this status may cover others: those that are expanded or will be.
fn is_standing(status: Status) -> bool {
    matches!(status, Status::Expanded | Status::Waiting)
}

/// Violated invariants of the graph that must always hold.
fn broken(explorer: &Exploring<'_, '_>) -> Option<String> {
    let (graph, cpa) = (&explorer.reached.graph, explorer.cpa);
    if graph.nodes().count() != graph.len() {
        return Some(format!("{} nodes instead of {}", graph.nodes().count(), graph.len()));
    }
    let children = |node| graph.children(node).into_iter().map(move |child| (child, node));
    let family: HashMap<NodeId, NodeId> = graph.nodes().flat_map(children).collect();
    graph.nodes().find_map(|node| {
        let status = graph.status(node);
        for (parent, _) in graph.parents(node) {
            if graph.status(parent) == Status::Gone {
                return Some(format!("a parent of {node:?} is gone"));
            }
        }
        if graph.parent(node).map(|(parent, _)| parent) != family.get(&node).copied() {
            return Some(format!("{node:?} is no child of its parent"));
        }
        match (status == Status::Covered, graph.coverer(node)) {
            (false, None) => None,
            (true, Some(by)) if !is_standing(graph.status(by)) => {
                Some(format!("{node:?} is covered by {by:?}, which is {:?}", graph.status(by)))
            }
            (true, Some(by)) if graph.state(by).0 != graph.state(node).0 => Some(format!("{by:?} is elsewhere")),
            (true, Some(by)) if !cpa.covers(graph.state(by), graph.state(node)) => {
                Some(format!("{by:?} does not cover {node:?}"))
            }
            (true, Some(_)) => None,
            (_, by) => Some(format!("{node:?} is {status:?}, covered by {by:?}")),
        }
    })
}

/// A gap in a complete graph: every path from an expanded node must reach a node that covers it.
fn gap(explorer: &Exploring<'_, '_>, policy: NodePolicy, precision: &BTreeSet<Var>) -> Option<String> {
    let (graph, cpa) = (&explorer.reached.graph, explorer.cpa);
    let program = cpa.control.program();
    let mut by_control: HashMap<Control, Vec<NodeId>> = HashMap::new();
    for node in graph.nodes() {
        by_control.entry(graph.state(node).0).or_default().push(node);
    }
    let has = |state: &(Control, IntervalState), wanted: &dyn Fn(Status) -> bool| {
        let here = by_control.get(&state.0).into_iter().flatten();
        here.into_iter().any(|&n| wanted(graph.status(n)) && cpa.covers(graph.state(n), state))
    };
    let stands = |state: &(Control, IntervalState)| has(state, &is_standing);
    let leaf = |state: &(Control, IntervalState)| has(state, &|status| status == Status::Leaf);
    if !stands(&cpa.initial()) {
        return Some("the initial state is gone".into());
    }
    for node in graph.nodes() {
        if graph.status(node) == Status::Waiting {
            return Some(format!("{node:?} still waits"));
        }
    }
    let standing = graph.nodes().filter(|&node| is_standing(graph.status(node)));
    let mut work: Vec<(Control, IntervalState)> = standing.map(|node| graph.state(node).clone()).collect();
    while let Some(state) = work.pop() {
        for step in cpa.control.steps(state.0) {
            if cpa.control.event_of_step(state.0, step).is_some() {
                if !leaf(&state) {
                    return Some(format!("no target at {state:?}, where {step:?} ends the path"));
                }
                continue;
            }
            for next in cpa.transfer(state.clone(), precision, step) {
                let next = cpa.adjust(next, precision, step.target(program));
                let location = program.location(next.0.0);
                if location.leaving.is_empty() || cpa.control.is_error(next.0.0) {
                    if !leaf(&next) {
                        return Some(format!("no leaf for {next:?}"));
                    }
                } else if stands(&next) {
                } else if policy == NodePolicy::Everywhere || location.loop_head {
                    return Some(format!("nothing stands for {next:?}, a successor of {state:?}"));
                } else {
                    work.push(next);
                }
            }
        }
    }
    None
}

/// Why the graph excludes a state of a concrete run, if it does.
fn excludes(explorer: &Exploring<'_, '_>, seed: u64) -> Option<String> {
    let (graph, cpa) = (&explorer.reached.graph, explorer.cpa);
    let program = cpa.control.program();
    let (moments, _) = trace(program, &mut SeededInputs::new(seed), Limits { steps: 200, depth: 5 });
    let mut control = cpa.control.initial();
    for moment in moments {
        let Some(next) = cpa.control.after(control, moment.step) else { break };
        control = next;
        let location = program.location(control.0);
        if !location.loop_head && !location.leaving.is_empty() {
            continue;
        }
        let holds = |&(var, value): &(Var, Value), state: &IntervalState| {
            state.get(var).is_none_or(|interval| interval.contains(value.raw()))
        };
        let found = graph.nodes().any(|node| {
            let (at, bounds) = graph.state(node);
            *at == control && moment.after.values.iter().all(|value| holds(value, bounds))
        });
        if !found {
            return Some(format!("no state stands for {:?}", moment.after));
        }
    }
    None
}

/// Counters of the events under test.
#[derive(Default, Debug)]
struct Counts {
    targets: usize,
    merged: usize,
    /// Nodes that lost their cover, and those among them that found another immediately.
    orphans: usize,
    adopted: usize,
}

/// The covering node of each covered node.
fn coverers(explorer: &Exploring<'_, '_>) -> BTreeMap<NodeId, NodeId> {
    let graph = &explorer.reached.graph;
    graph.nodes().filter_map(|node| Some((node, graph.coverer(node)?))).collect()
}

/// Explores, prunes at random, and explores to completion.
fn exercise(program: &Program, seed: u64, counts: &mut Counts) -> Result<(), String> {
    let orders =
        [Order::ReversePostorder, Order::DepthFirst, Order::BreadthFirst, Order::LoopDepth, Order::Random(seed)];
    let policy = if seed.is_multiple_of(2) { NodePolicy::Everywhere } else { NodePolicy::WhereNeeded };
    let merge = [Merge::Join, Merge::Alike, Merge::Never][seed as usize / 10 % 3];
    let domain = Varied { intervals: Intervals::new(&Facts::new(program, &Default::default())), merge };
    let cpa: Analysis<'_> = Controlled::new(program, 2, domain);
    let monitor = Monitor::new(Some(Instant::now() + Duration::from_secs(60)));
    let errors = program.error_locations().map(|(location, _)| location).collect();
    let settings = Settings { order: orders[seed as usize % 5], policy, errors };
    let mut explorer = Explorer::new(&cpa, settings, &Facts::new(program, &Default::default()), &monitor);
    let mut random = Random::new(seed);
    let wide = (0..program.vars.len() as u32).map(Var);
    let mut precision = wide.filter(|_| random.one_in(3)).collect::<BTreeSet<Var>>();
    let mut prunes_left = random.below(12);
    loop {
        let end = explorer.explore(&precision);
        if let Some(why) = broken(&explorer) {
            return Err(why);
        }
        let prunable: Vec<NodeId> = {
            let graph = &explorer.reached.graph;
            graph.nodes().filter(|&node| graph.status(node) == Status::Expanded).collect()
        };
        match end {
            Exploration::Stopped(stop) => return Err(format!("stopped: {stop:?}")),
            Exploration::Complete if prunes_left == 0 => break,
            Exploration::Target(target) => {
                counts.targets += 1;
                let path = explorer.path_to(target.node);
                let last = path.steps.last().map(|step| step.target(program));
                if target.event == Event::Error && last.is_none_or(|at| !cpa.control.is_error(at)) {
                    return Err(format!("the path to {target:?} does not end in an error"));
                }
            }
            Exploration::Complete | Exploration::Paused => {}
        }
        if prunes_left > 0 && !prunable.is_empty() && !(matches!(end, Exploration::Target(_)) && random.coin()) {
            prunes_left -= 1;
            // The precision only grows, as in refinement.
            if let Some(&var) = precision.first() {
                precision.remove(&var);
            }
            let before = coverers(&explorer);
            // Half of the time, remove a node that covers others.
            let mut above: Vec<NodeId> =
                before.values().filter_map(|&by| Some(explorer.reached.graph.parent(by)?.0)).collect();
            above.dedup();
            let from = if above.is_empty() || random.coin() { &prunable } else { &above };
            explorer.prune_below(random.pick(from));
            let (after, graph) = (coverers(&explorer), &explorer.reached.graph);
            let alive = before.iter().filter(|(node, _)| graph.status(**node) != Status::Gone);
            let orphans: Vec<&NodeId> =
                alive.filter(|(node, by)| after.get(node) != Some(by)).map(|(n, _)| n).collect();
            counts.orphans += orphans.len();
            counts.adopted += orphans.iter().filter(|node| after.contains_key(node)).count();
            if let Some(why) = broken(&explorer) {
                return Err(format!("after pruning: {why}"));
            }
        }
    }
    let graph = &explorer.reached.graph;
    counts.merged += graph.nodes().filter(|&node| graph.parents(node).len() > 1).count();
    if let Some(why) = gap(&explorer, policy, &precision) {
        return Err(why);
    }
    match (0..5).find_map(|run| excludes(&explorer, seed ^ run << 32)) {
        Some(why) => Err(why),
        None => Ok(()),
    }
}

#[test]
fn graphs_are_closed_after_prunes_and_merges() {
    let mut counts = Counts::default();
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, 2 + size % 7);
        if let Err(why) = exercise(&program, seed, &mut counts) {
            panic!("seed {seed}: {why}\n{}", small::show(&program));
        }
    }
    eprintln!("{counts:?}");
    let Counts { targets, merged, orphans, adopted } = counts;
    assert!(targets > 500 && merged > 100 && orphans > 100 && adopted > 10, "too little happens");
}

/// The contract of `Cpa::merge`: states that a domain would merge are in one group, so that they are offered to it.
fn merges_within_groups<D: Index>(program: &Program, domain: D, precision: &D::Precision) -> usize {
    let cpa = Controlled::new(program, 2, domain);
    let monitor = Monitor::new(Some(Instant::now() + Duration::from_secs(60))).with_work_limit(5_000);
    let errors = program.error_locations().map(|(location, _)| location).collect();
    let settings = Settings { policy: NodePolicy::Everywhere, errors, ..Settings::default() };
    let mut explorer = Explorer::new(&cpa, settings, &Facts::new(program, &Default::default()), &monitor);
    let _ = explorer.explore(precision);
    let graph = &explorer.reached.graph;
    let mut by_control: HashMap<Control, Vec<NodeId>> = HashMap::new();
    graph.nodes().for_each(|node| by_control.entry(graph.state(node).0).or_default().push(node));
    let mut merged = 0;
    for nodes in by_control.values() {
        for (&new, &old) in nodes.iter().flat_map(|new| nodes.iter().map(move |old| (new, old))) {
            let (new, old) = (graph.state(new), graph.state(old));
            if cpa.merge(new, old, precision).is_some_and(|state| state != *old) {
                merged += 1;
                assert!(D::MERGES, "a domain that never merges does");
                assert_eq!(cpa.group(new), cpa.group(old), "two states that merge are in different groups");
            }
        }
    }
    merged
}

#[test]
fn states_that_merge_are_in_one_group() {
    let (mut intervals, mut predicates) = (0, 0);
    for (seed, size) in small::programs(40) {
        let program = small::generate(seed, 2 + size % 7);
        let facts = Facts::new(&program, &Default::default());
        intervals += merges_within_groups(&program, Intervals::new(&facts), &());
        merges_within_groups(&program, Values::new(&facts), &ValuePrecision::full());
        let monitor = Monitor::new(None);
        let domain = Predicates::new(&facts, predicate::Settings::default(), &[], &monitor);
        let precision = PredicatePrecision::empty(&program, Sharing::Function);
        predicates += merges_within_groups(&program, domain, &precision);
    }
    assert!(intervals > 100 && predicates > 0, "too little happens: {intervals} and {predicates}");
}
