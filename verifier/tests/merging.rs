//! Exploration with a domain that merges: whatever is pruned and explored again, the graph is closed in the end.
//!
//! The domain knows the smallest and the largest value of each narrow variable, where joins lose much and merging changes
//! states that others have built upon.

mod small;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use clew_verifier::algorithm::{Exploration, Explorer, Settings, Stops};
use clew_verifier::arg::{NodeId, Order, Status};
use clew_verifier::cfa::interpreter::{Limits, SeededInputs};
use clew_verifier::cfa::{BinaryOp, Expr, LocId, Node, Op, Program, Sort, Step, UnaryOp, Value, Var};
use clew_verifier::cpa::composite::{Apart, Pair};
use clew_verifier::cpa::control::{Control, ControlCpa, Event, control};
use clew_verifier::cpa::{Cpa, Successors};
use clew_verifier::monitor::Monitor;
use small::Random;
use small::trace::trace;

const PROGRAMS: u64 = 250;

/// Unsigned bounds of the variables, in order; all values if a variable has none.
type Bounds = Vec<Option<(u128, u128)>>;

/// How states are merged.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Merge {
    /// Always.
    Join,
    /// Where the first variable of both has the same bounds.
    Alike,
    Never,
}

/// The bounds of the variables of a program. The precision is a set of variables whose bounds are not kept.
struct Intervals<'p> {
    program: &'p Program,
    merge: Merge,
}

impl Intervals<'_> {
    fn bounds(&self, state: &Bounds, expr: Expr) -> Option<(u128, u128)> {
        match self.program.pool.node(expr) {
            Node::Const(value) => Some((value.raw(), value.raw())),
            Node::Var(var) => state[var.index()],
            Node::Unary(UnaryOp::ZeroExtend(_), a) => self.bounds(state, a),
            Node::Binary(BinaryOp::Add, a, b) => {
                let ((a, c), (b, d)) = (self.bounds(state, a)?, self.bounds(state, b)?);
                let Sort::Bits(width) = self.program.pool.sort(expr) else { return None };
                let most = c.checked_add(d).filter(|&m| m <= clew_verifier::cfa::value::mask(width))?;
                Some((a + b, most))
            }
            _ => None,
        }
    }

    /// The bounds under which `expr` may be `holds`. False if there are none.
    fn assume(&self, state: &mut Bounds, expr: Expr, holds: bool) -> bool {
        let pool = &self.program.pool;
        match pool.node(expr) {
            Node::Const(value) => value.is_true() == holds,
            Node::Unary(UnaryOp::Not, a) => self.assume(state, a, !holds),
            Node::Binary(BinaryOp::And, a, b) if holds => self.assume(state, a, true) && self.assume(state, b, true),
            Node::Binary(BinaryOp::Eq, a, b) => {
                let (Some(x), Some(y)) = (self.bounds(state, a), self.bounds(state, b)) else { return true };
                let is_one = x.0 == x.1 && x == y;
                if !holds {
                    return !is_one;
                }
                let both = (x.0.max(y.0), x.1.min(y.1));
                for side in [a, b] {
                    if let Node::Var(var) = pool.node(side) {
                        state[var.index()] = Some(both);
                    }
                }
                both.0 <= both.1
            }
            Node::Var(var) => {
                let (low, high) = state[var.index()].unwrap_or((0, 1));
                let wanted = u128::from(holds);
                state[var.index()] = Some((wanted, wanted));
                low <= wanted && wanted <= high
            }
            _ => true,
        }
    }
}

impl Cpa for Intervals<'_> {
    type State = Bounds;
    type Precision = BTreeSet<Var>;

    fn initial(&self) -> Bounds {
        vec![None; self.program.vars.len()]
    }

    fn transfer(&self, mut state: Bounds, _: &BTreeSet<Var>, step: Step) -> Successors<Bounds> {
        let possible = match &self.program.edge(step.edge).op {
            Op::Assume(condition) => self.assume(&mut state, *condition, true),
            Op::Assign(var, expr) => {
                state[var.index()] = self.bounds(&state, *expr);
                true
            }
            Op::Havoc(var, _) => {
                state[var.index()] = None;
                true
            }
            Op::Call { callee, args, .. } => {
                let function = self.program.function(*callee);
                let bounds: Vec<_> = args.iter().map(|&arg| self.bounds(&state, arg)).collect();
                function.locals.iter().for_each(|var| state[var.index()] = None);
                function.params.iter().zip(bounds).for_each(|(var, b)| state[var.index()] = b);
                true
            }
            Op::Return(value) => {
                let bounds = value.and_then(|value| self.bounds(&state, value));
                // Of a function that is under way several times, it is not known which activation is meant.
                let function = self.program.location(self.program.edge(step.edge).from).function;
                self.program.function(function).locals.iter().for_each(|var| state[var.index()] = None);
                if let Some(Op::Call { result: Some(var), .. }) = step.call.map(|call| &self.program.edge(call).op) {
                    state[var.index()] = bounds;
                }
                true
            }
            _ => true,
        };
        if possible { [state].into_iter().collect() } else { Successors::new() }
    }

    const MERGES: bool = true;

    fn merge(&self, new: &Bounds, old: &Bounds, _: &BTreeSet<Var>) -> Option<Bounds> {
        let wanted = match self.merge {
            Merge::Join => true,
            Merge::Alike => new.first() == old.first(),
            Merge::Never => false,
        };
        let join = |(a, b): (u128, u128), (c, d): (u128, u128)| (a.min(c), b.max(d));
        wanted.then(|| new.iter().zip(old).map(|(&a, &b)| Some(join(a?, b?))).collect())
    }

    fn covers(&self, old: &Bounds, new: &Bounds) -> bool {
        new.iter().zip(old).all(|pair| match pair {
            (_, None) => true,
            (Some(new), Some(old)) => old.0 <= new.0 && new.1 <= old.1,
            (None, Some(_)) => false,
        })
    }

    fn adjust(&self, mut state: Bounds, untracked: &BTreeSet<Var>, _: LocId) -> Bounds {
        untracked.iter().for_each(|var| state[var.index()] = None);
        // Nothing is widened, so ranges must be short.
        let is_narrow = |sort| matches!(sort, Sort::Bool | Sort::Bits(..=8));
        for (bounds, info) in state.iter_mut().zip(&self.program.vars) {
            *bounds = bounds.filter(|_| is_narrow(info.sort));
        }
        state
    }
}

type Analysis<'p> = Pair<ControlCpa<'p>, Intervals<'p>>;
type Exploring<'a, 'p> = Explorer<'a, 'p, Intervals<'p>>;

/// Do nodes of this status stand for others? Those do that are expanded or will be.
fn is_standing(status: Status) -> bool {
    matches!(status, Status::Expanded | Status::Waiting)
}

/// What is wrong with links of the graph, which have to be right at any time.
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

/// What is missing in a graph that is complete: every path from an expanded node comes to a node that stands for it.
fn gap(explorer: &Exploring<'_, '_>, stops: Stops, precision: &(((), ()), BTreeSet<Var>)) -> Option<String> {
    let (graph, cpa) = (&explorer.reached.graph, explorer.cpa);
    let program = cpa.first.program();
    let mut by_control: HashMap<Control, Vec<NodeId>> = HashMap::new();
    for node in graph.nodes() {
        by_control.entry(graph.state(node).0).or_default().push(node);
    }
    let has = |state: &(Control, Bounds), wanted: &dyn Fn(Status) -> bool| {
        let here = by_control.get(&state.0).into_iter().flatten();
        here.into_iter().any(|&n| wanted(graph.status(n)) && cpa.covers(graph.state(n), state))
    };
    let stands = |state: &(Control, Bounds)| has(state, &is_standing);
    let leaf = |state: &(Control, Bounds)| has(state, &|status| status == Status::Leaf);
    if !stands(&cpa.initial()) {
        return Some("the initial state is gone".into());
    }
    for node in graph.nodes() {
        if graph.status(node) == Status::Waiting {
            return Some(format!("{node:?} still waits"));
        }
    }
    let standing = graph.nodes().filter(|&node| is_standing(graph.status(node)));
    let mut work: Vec<(Control, Bounds)> = standing.map(|node| graph.state(node).clone()).collect();
    while let Some(state) = work.pop() {
        for step in cpa.first.steps(state.0) {
            if cpa.first.event_of_step(state.0, step).is_some() {
                if !leaf(&state) {
                    return Some(format!("no target at {state:?}, where {step:?} ends the path"));
                }
                continue;
            }
            for next in cpa.transfer(state.clone(), precision, step) {
                let next = cpa.adjust(next, precision, step.target(program));
                let location = program.location(next.0.0);
                if location.leaving.is_empty() || cpa.first.is_error(next.0.0) {
                    if !leaf(&next) {
                        return Some(format!("no leaf for {next:?}"));
                    }
                } else if stands(&next) {
                } else if stops == Stops::Everywhere || location.loop_head {
                    return Some(format!("nothing stands for {next:?}, a successor of {state:?}"));
                } else {
                    work.push(next);
                }
            }
        }
    }
    None
}

/// How the graph excludes a state that a run passes, if it does.
fn excludes(explorer: &Exploring<'_, '_>, seed: u64) -> Option<String> {
    let (graph, cpa) = (&explorer.reached.graph, explorer.cpa);
    let program = cpa.first.program();
    let (moments, _) = trace(program, &mut SeededInputs::new(seed), Limits { steps: 200, depth: 5 });
    let mut control = cpa.first.initial();
    for moment in moments {
        let Some(next) = cpa.first.after(control, moment.step) else { break };
        control = next;
        let location = program.location(control.0);
        if !location.loop_head && !location.leaving.is_empty() {
            continue;
        }
        let holds = |&(var, value): &(Var, Value), bounds: &Bounds| {
            bounds[var.index()].is_none_or(|(low, high)| (low..=high).contains(&value.raw()))
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

/// How often what is tested came up.
#[derive(Default, Debug)]
struct Counts {
    targets: usize,
    merged: usize,
    /// Nodes that lost their cover, and those of them that found another at once.
    orphans: usize,
    adopted: usize,
}

/// Which node covers which.
fn coverers(explorer: &Exploring<'_, '_>) -> BTreeMap<NodeId, NodeId> {
    let graph = &explorer.reached.graph;
    graph.nodes().filter_map(|node| Some((node, graph.coverer(node)?))).collect()
}

/// Explores, prunes at random, and explores to the end.
fn exercise(program: &Program, seed: u64, counts: &mut Counts) -> Result<(), String> {
    let orders =
        [Order::ReversePostorder, Order::DepthFirst, Order::BreadthFirst, Order::LoopDepth, Order::Random(seed)];
    let stops = if seed.is_multiple_of(2) { Stops::Everywhere } else { Stops::WhereNeeded };
    let merge = [Merge::Join, Merge::Alike, Merge::Never][seed as usize / 10 % 3];
    let domain = Intervals { program, merge };
    let cpa: Analysis<'_> = Pair { first: control(program, 2), second: domain, exchange: Apart };
    let monitor = Monitor::new(Some(Instant::now() + Duration::from_secs(60)));
    let errors = program.error_locations().map(|(location, _)| location).collect();
    let settings = Settings { order: orders[seed as usize % 5], stops, errors };
    let mut explorer = Explorer::new(&cpa, settings, &monitor);
    let mut random = Random::new(seed);
    let wide = (0..program.vars.len() as u32).map(Var);
    let mut precision = (((), ()), wide.filter(|_| random.one_in(3)).collect::<BTreeSet<Var>>());
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
                if target.event == Event::Error && last.is_none_or(|at| !cpa.first.is_error(at)) {
                    return Err(format!("the path to {target:?} does not end in an error"));
                }
            }
            Exploration::Complete | Exploration::Paused => {}
        }
        if prunes_left > 0 && !prunable.is_empty() && !(matches!(end, Exploration::Target(_)) && random.coin()) {
            prunes_left -= 1;
            // What is tracked only grows, as in refinement.
            if let Some(&var) = precision.1.first() {
                precision.1.remove(&var);
            }
            let before = coverers(&explorer);
            // Half of the time a node goes that covers others.
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
    if let Some(why) = gap(&explorer, stops, &precision) {
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
