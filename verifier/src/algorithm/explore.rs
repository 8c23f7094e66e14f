//! The reachability algorithm of configurable program analysis (paper 000, Algorithm 1).

use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::arg::{Draft, NodeId, Order, Reached, Status, Trail, Waitlist};
use crate::cfa::ways::Ways;
use crate::cfa::{Flow, LocId, Step};
use crate::cpa::Cpa;
use crate::cpa::composite::{Apart, Exchange, Pair};
use crate::cpa::control::{Control, ControlCpa, Event};
use crate::monitor::{Monitor, Stop};

/// Where exploration keeps abstract states.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Stops {
    /// Where it pays: at loop heads, where ways meet again that have parted, and where paths end. In between, states
    /// pass without being compared with others.
    #[default]
    WhereNeeded,
    /// At every location, as in the paper.
    Everywhere,
}

/// How to explore.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// In which order.
    pub order: Order,
    /// Where states are kept.
    pub stops: Stops,
    /// The error locations that count.
    pub errors: Vec<LocId>,
}

/// How an exploration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exploration {
    /// All abstract states are there, and none of them is a target.
    Complete,
    /// A target was reached; exploration can go on.
    Target(Target),
    /// As many transfers were made as were asked for; exploration can go on.
    Paused,
    /// Somebody wanted it to stop.
    Stopped(Stop),
}

/// A node where a path ends that the analysis must look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The node.
    pub node: NodeId,
    /// Why its path ends.
    pub event: Event,
}

/// An exploration: the sets `reached` and `waitlist`, and the analysis that fills them.
pub struct Explorer<'a, 'p, D: Cpa, X = Apart> {
    /// The analysis: control in lock step with a domain.
    pub cpa: &'a Pair<ControlCpa<'p>, D, X>,
    /// What has been reached.
    pub reached: Reached<Control, (Control, D::State)>,
    waitlist: Waitlist,
    /// Targets that nobody has looked at: errors first, then what stands in the way of a proof.
    targets: Vec<(NodeId, u32, Event)>,
    settings: Settings,
    flow: Rc<Flow>,
    ways: Rc<[Ways]>,
    is_error: Rc<[bool]>,
    monitor: &'a Monitor,
    transfers: u64,
    /// After how much work to pause.
    pause: u64,
}

/// How many transfers a question to the solver stands for.
const QUESTION: u64 = 16;

/// The states of control and a domain together.
type StateOf<D> = (Control, <D as Cpa>::State);
/// The precision of control and a domain together.
type PrecisionOf<'p, D, X> = <Pair<ControlCpa<'p>, D, X> as Cpa>::Precision;

/// A path that is being followed from a node on.
struct Run<S> {
    state: S,
    trail: Draft,
    /// Did the path branch since the node?
    branched: bool,
}

/// Did a run go on?
enum Followed<R> {
    On(R),
    Not(R),
}

/// A path without a node grows no longer than this.
const LONGEST_TRAIL: u32 = 1 << 16;

impl<'a, 'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>> Explorer<'a, 'p, D, X> {
    /// Starts with the initial state.
    pub fn new(cpa: &'a Pair<ControlCpa<'p>, D, X>, settings: Settings, monitor: &'a Monitor) -> Self {
        let program = cpa.first.program();
        let mut is_error = vec![false; program.locations.len()];
        for location in &settings.errors {
            is_error[location.index()] = true;
        }
        let ways = (0..program.locations.len() as u32).map(|l| Ways::new(program, LocId(l))).collect();
        Explorer::with(cpa, settings, Rc::new(Flow::new(program)), ways, is_error.into(), monitor)
    }

    fn with(
        cpa: &'a Pair<ControlCpa<'p>, D, X>,
        settings: Settings,
        flow: Rc<Flow>,
        ways: Rc<[Ways]>,
        is_error: Rc<[bool]>,
        monitor: &'a Monitor,
    ) -> Self {
        let mut explorer = Explorer {
            cpa,
            reached: Reached::default(),
            waitlist: Waitlist::new(settings.order),
            targets: Vec::new(),
            settings,
            flow,
            ways,
            is_error,
            monitor,
            transfers: 0,
            pause: u64::MAX,
        };
        explorer.restart();
        explorer
    }

    /// Forgets everything and starts anew.
    pub fn restart(&mut self) {
        self.reached.clear();
        self.waitlist.clear();
        self.targets.clear();
        let initial = self.cpa.initial();
        let root = self.reached.add(self.cpa, initial.0, None, initial);
        self.wait(root);
    }

    /// Removes what is below `node`, which is to be expanded again, and what has lost its cover waits again.
    pub fn prune_below(&mut self, node: NodeId) {
        let removed = self.reached.prune_below(self.cpa, node, |state| state.0);
        for orphan in removed.orphans {
            self.revive(orphan);
        }
        self.wait(node);
    }

    /// Another exploration of the same program, which begins at the start.
    pub fn another(&self, order: Order) -> Self {
        let settings = Settings { order, ..self.settings.clone() };
        let (flow, ways, is_error) = (Rc::clone(&self.flow), Rc::clone(&self.ways), Rc::clone(&self.is_error));
        Explorer::with(self.cpa, settings, flow, ways, is_error, self.monitor)
    }

    /// Exploration pauses after so much work from now on.
    pub(super) fn pause_after(&mut self, work: u64) {
        self.pause = self.work().saturating_add(work);
    }

    /// How much has been done, in transfers; a question to the solver stands for many.
    fn work(&self) -> u64 {
        self.transfers + QUESTION * self.monitor.solver_calls.load(Relaxed)
    }

    /// No run reaches a node that waits: it is not expanded. What it and those above it have covered waits again, as a
    /// run may go on from there in ways that this node has in vain. They cover nothing from now on; `released` has those
    /// that do not already.
    pub(super) fn cut(&mut self, node: NodeId, released: &mut FxHashSet<NodeId>) {
        self.reached.graph.set_status(node, Status::Leaf);
        let mut at = Some(node);
        while let Some(node) = at
            && released.insert(node)
        {
            for orphan in self.reached.release(self.cpa, node, |state| state.0) {
                self.revive(orphan);
            }
            at = self.reached.graph.parent(node).map(|(parent, _)| parent);
        }
    }

    /// A node that was covered finds another cover, or waits.
    fn revive(&mut self, node: NodeId) {
        let state = self.reached.graph.state(node).clone();
        let control = state.0;
        match self.reached.coverer(self.cpa, control, &state) {
            Some(by) => self.reached.graph.cover(node, by),
            None => {
                self.reached.link(self.cpa, control, node);
                self.wait(node);
            }
        }
    }

    fn wait(&mut self, node: NodeId) {
        self.reached.graph.set_status(node, Status::Waiting);
        let control = self.reached.graph.state(node).0;
        self.waitlist.push(node, self.reached.graph.stamp(node), self.rank(control));
    }

    /// Shallow recursion comes first, or a function that calls itself is unfolded to the bound before anything else.
    fn rank(&self, (location, stack): Control) -> u64 {
        let stacks = &self.cpa.first.second;
        let recursion = u64::from(stacks.recursion(stack).min(0xff)) << 56;
        let depth = u64::from(0xff_ffff - stacks.depth(stack).min(0xff_ffff));
        match self.waitlist.order() {
            Order::ReversePostorder => recursion | depth << 32 | u64::from(location.0),
            Order::LoopDepth => recursion | u64::from(u16::MAX - self.flow.loop_depth(location)) << 24 | depth,
            _ => 0,
        }
    }

    /// Algorithm 1. Runs until the waitlist is empty, an error is reached or the monitor ends it; what is left on the
    /// waitlist stays there, so that the caller can refine and go on.
    pub fn explore(&mut self, precision: &PrecisionOf<'p, D, X>) -> Exploration {
        loop {
            if let Some(target) = self.next_target(|event| event == Event::Error) {
                return Exploration::Target(target);
            }
            if let Err(stop) = self.monitor.check() {
                return Exploration::Stopped(stop);
            }
            if self.work() >= self.pause {
                return Exploration::Paused;
            }
            if let Some(node) = self.next_waiting() {
                self.expand(node, precision);
                self.monitor.states.store(self.reached.graph.len() as u64, Relaxed);
                continue;
            }
            return match self.next_target(|_| true) {
                Some(target) => Exploration::Target(target),
                None => Exploration::Complete,
            };
        }
    }

    /// Takes a node off the waitlist.
    pub(super) fn next_waiting(&mut self) -> Option<NodeId> {
        let graph = &self.reached.graph;
        loop {
            let (node, stamp) = self.waitlist.pop()?;
            if graph.stamp(node) == stamp && graph.status(node) == Status::Waiting {
                return Some(node);
            }
        }
    }

    /// Did paths part at the parent of `node`?
    pub(super) fn has_siblings(&self, node: NodeId) -> bool {
        let graph = &self.reached.graph;
        graph.parent(node).is_some_and(|(parent, _)| graph.children(parent).len() > 1)
    }

    /// Takes out a target that is still there.
    pub(super) fn next_target(&mut self, wanted: impl Fn(Event) -> bool) -> Option<Target> {
        while let Some(at) = self.targets.iter().position(|&(.., event)| wanted(event)) {
            let (node, stamp, event) = self.targets.remove(at);
            let graph = &self.reached.graph;
            if graph.stamp(node) == stamp && graph.status(node) != Status::Gone {
                return Some(Target { node, event });
            }
        }
        None
    }

    /// Follows all paths from `node` to where states are kept.
    pub(super) fn expand(&mut self, node: NodeId, precision: &PrecisionOf<'p, D, X>) {
        self.reached.graph.set_status(node, Status::Expanded);
        let mut transfers = 0;
        let mut successors = SmallVec::<[(usize, StateOf<D>); 4]>::new();
        let mut work = SmallVec::<[Run<StateOf<D>>; 4]>::new();
        work.push(Run { state: self.reached.graph.state(node).clone(), trail: Draft::default(), branched: false });
        while let Some(run) = work.pop() {
            if transfers & 0xfff == 0xfff && self.monitor.check().is_err() {
                self.wait(node);
                break;
            }
            let Some(run) = self.pass(node, run, precision) else { continue };
            let Run { state, mut trail, branched } = match self.follow(run, precision, &mut transfers) {
                Followed::On(run) => {
                    work.push(run);
                    continue;
                }
                Followed::Not(run) => run,
            };
            let steps = self.cpa.first.steps(state.0);
            transfers += steps.len() as u64;
            let Some((&last, others)) = steps.split_last() else {
                self.reached.add_leaf(node, &trail, state);
                continue;
            };
            for (choice, &step) in others.iter().enumerate() {
                if !self.blocks(node, &state, &trail, (choice, steps.len()), step) {
                    self.advance(state.clone(), precision, choice, step, &mut successors);
                }
            }
            if !self.blocks(node, &state, &trail, (others.len(), steps.len()), last) {
                self.advance(state, precision, others.len(), last, &mut successors);
            }
            if successors.len() == 1 {
                let (choice, state) = successors.remove(0);
                trail.push(choice, steps.len());
                work.push(Run { state, trail, branched });
                continue;
            }
            // The first branch is followed first.
            for (choice, state) in successors.drain(..).rev() {
                let mut trail = trail.clone();
                trail.push(choice, steps.len());
                work.push(Run { state, trail, branched: true });
            }
        }
        self.transfers += transfers;
        self.monitor.transfers.fetch_add(transfers, Relaxed);
    }

    /// Takes the one edge that a state surely leaves its location on, where one evaluation tells that.
    #[inline]
    fn follow(
        &self,
        run: Run<StateOf<D>>,
        precision: &PrecisionOf<'p, D, X>,
        transfers: &mut u64,
    ) -> Followed<Run<StateOf<D>>> {
        let Run { state, mut trail, branched } = run;
        let decided = match &self.ways[state.0.0.index()] {
            _ if !D::KEEPS_KNOWN => None,
            Ways::Branch { condition, yes, no } => {
                self.cpa.evaluate(&state, *condition).map(|holds| if holds == 1 { *yes } else { *no })
            }
            Ways::Switch { subject, cases, .. } => {
                self.cpa.evaluate(&state, *subject).and_then(|value| cases.get(&value).copied())
            }
            _ => None,
        };
        let Some(edge) = decided else { return Followed::Not(Run { state, trail, branched }) };
        *transfers += 1;
        let program = self.cpa.first.program();
        let leaving = &program.location(state.0.0).leaving;
        trail.push((edge.0 - leaving.start) as usize, leaving.len());
        let location = program.edge(edge).to;
        // An assumption that holds changes nothing but the location.
        let state = self.cpa.adjust(((location, state.0.1), state.1), precision, location);
        Followed::On(Run { state, trail, branched })
    }

    /// The transfer relation and the precision adjustment.
    #[inline]
    fn advance(
        &self,
        state: StateOf<D>,
        precision: &PrecisionOf<'p, D, X>,
        choice: usize,
        step: Step,
        successors: &mut SmallVec<[(usize, StateOf<D>); 4]>,
    ) {
        for successor in self.cpa.transfer(state, precision, step) {
            let location = successor.0.0;
            successors.push((choice, self.cpa.adjust(successor, precision, location)));
        }
    }

    /// Does the path end at `step`, which nobody can take? Then it is a target.
    #[inline]
    fn blocks(
        &mut self,
        node: NodeId,
        state: &StateOf<D>,
        trail: &Draft,
        (choice, options): (usize, usize),
        step: Step,
    ) -> bool {
        let Some(event) = self.cpa.first.event_of_step(state.0, step) else { return false };
        let mut trail = trail.clone();
        trail.push(choice, options);
        self.add_target(node, &trail, state.clone(), event);
        true
    }

    fn add_target(&mut self, parent: NodeId, trail: &Draft, state: StateOf<D>, event: Event) {
        let node = self.reached.add_leaf(parent, trail, state);
        self.targets.push((node, self.reached.graph.stamp(node), event));
    }

    /// Gives the run back if it goes on; if a state is kept here, it ends at the node for it.
    #[inline]
    fn pass(
        &mut self,
        parent: NodeId,
        run: Run<StateOf<D>>,
        precision: &PrecisionOf<'p, D, X>,
    ) -> Option<Run<StateOf<D>>> {
        let location = run.state.0.0;
        if run.trail.steps() == 0 {
            return Some(run);
        }
        if self.is_error[location.index()] {
            self.add_target(parent, &run.trail, run.state, Event::Error);
            return None;
        }
        let program = self.cpa.first.program();
        let must_stop = program.location(location).loop_head
            || self.flow.starts_recursion(location)
            || run.branched && self.flow.is_join(location)
            || self.settings.stops == Stops::Everywhere && !program.location(location).leaving.is_empty()
            || run.trail.steps() >= LONGEST_TRAIL;
        if !must_stop {
            return Some(run);
        }
        let Run { state, trail, .. } = run;
        if D::MERGES {
            for node in self.reached.merge(self.cpa, precision, state.0, &state, (parent, &trail)) {
                self.wait(node);
            }
        }
        match self.reached.coverer(self.cpa, state.0, &state) {
            Some(by) => {
                self.monitor.covered.fetch_add(1, Relaxed);
                self.reached.add_covered(parent, &trail, state, by);
            }
            None => {
                let node = self.reached.add(self.cpa, state.0, Some((parent, &trail)), state);
                self.wait(node);
            }
        }
        None
    }

    /// The steps from the root to `node`, and the nodes on the way with the number of steps before each.
    pub fn path_to(&self, node: NodeId) -> Path {
        let nodes = self.reached.graph.path_to(node);
        let mut path = Path { steps: Vec::new(), nodes: Vec::with_capacity(nodes.len()) };
        let mut control = self.cpa.first.initial();
        for node in nodes {
            if let Some((_, trail)) = self.reached.graph.parent(node) {
                control = self.follow_trail(control, trail, |_, step| path.steps.push(step));
            }
            path.nodes.push((node, path.steps.len()));
        }
        path
    }

    /// Tells `look` the steps of a trail that starts at `control`, each with the control before it. Gives the control at
    /// its end.
    pub fn follow_trail(&self, mut control: Control, trail: Trail, mut look: impl FnMut(Control, Step)) -> Control {
        let mut reader = self.reached.trails.read(trail);
        for _ in 0..trail.steps() {
            let steps = self.cpa.first.steps(control);
            let step = steps[reader.next(steps.len())];
            look(control, step);
            // The last step of a blocked path leads nowhere.
            control = self.cpa.first.after(control, step).unwrap_or(control);
        }
        control
    }

    /// Does the program violate a selected property at `location`?
    pub fn is_error(&self, location: LocId) -> bool {
        self.is_error[location.index()]
    }
}

/// A path through the graph.
#[derive(Clone, Debug)]
pub struct Path {
    /// Its steps.
    pub steps: Vec<Step>,
    /// The nodes on it, each with the number of steps before it.
    pub nodes: Vec<(NodeId, usize)>,
}
