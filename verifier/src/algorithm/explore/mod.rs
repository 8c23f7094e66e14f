//! The reachability algorithm of configurable program analysis (paper 000, Algorithm 1).

mod successors;

use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

use rustc_hash::FxHashSet;

pub use successors::NodePolicy;

use crate::arg::{Draft, NodeId, Order, Reached, Status, Trail, Waitlist};
use crate::cfa::{LocId, Step};
use crate::cpa::control::{Control, Controlled, Event};
use crate::cpa::{Cpa, Index};
use crate::facts::Facts;
use crate::monitor::{Monitor, StopReason};
use successors::{End, Paths, Successor, Successors};

/// How to explore.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The order of the waitlist.
    pub order: Order,
    /// Where states are kept.
    pub policy: NodePolicy,
    /// The error locations that count.
    pub errors: Vec<LocId>,
}

/// How an exploration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exploration {
    /// The waitlist is empty, and no target is left.
    Complete,
    /// A target was reached; exploration can be resumed.
    Target(Target),
    /// The budget of work is spent; exploration can be resumed.
    Paused,
    /// The run was cancelled or has reached a limit.
    Stopped(StopReason),
}

/// A node that ends a path which the analysis must decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The node.
    pub node: NodeId,
    /// Why its path ends.
    pub event: Event,
}

/// An exploration: the sets `reached` and `waitlist`, and the analysis that fills them.
pub struct Explorer<'a, 'p, D: Index> {
    /// The analysis.
    pub cpa: &'a Controlled<'p, D>,
    /// The reached states.
    pub reached: Reached<Control, D::State>,
    waitlist: Waitlist,
    /// Targets that were not reported yet, with the stamps of their nodes.
    targets: Vec<(NodeId, u32, Event)>,
    paths: Rc<Paths<'a, 'p, D>>,
    monitor: &'a Monitor,
    /// Exploration pauses when [`work`](Explorer::work) reaches this.
    pause: u64,
    /// Work that was done before, by this exploration.
    transfers: u64,
    /// Number of transfers that a query to the solver counts for.
    query_cost: u64,
}

impl<'a, 'p, D: Index> Explorer<'a, 'p, D> {
    /// Starts with the initial state.
    pub fn new(cpa: &'a Controlled<'p, D>, settings: Settings, facts: &Facts<'_>, monitor: &'a Monitor) -> Self {
        let paths = Rc::new(Paths::new(cpa, &settings, facts, monitor));
        Explorer::with(cpa, settings.order, paths, monitor)
    }

    /// Another exploration of the same program, from the initial state.
    pub fn another(&self, order: Order) -> Self {
        Explorer::with(self.cpa, order, Rc::clone(&self.paths), self.monitor)
    }

    fn with(cpa: &'a Controlled<'p, D>, order: Order, paths: Rc<Paths<'a, 'p, D>>, monitor: &'a Monitor) -> Self {
        let mut explorer = Explorer {
            cpa,
            reached: Reached::new(monitor.tuning.explore.max_shapes),
            waitlist: Waitlist::new(order),
            targets: Vec::new(),
            paths,
            monitor,
            pause: u64::MAX,
            transfers: 0,
            query_cost: monitor.tuning.explore.query_cost,
        };
        explorer.restart();
        explorer
    }

    /// Algorithm 1 (CPA). What is left on the waitlist stays there, so that the caller can refine and resume.
    pub fn explore(&mut self, precision: &D::Precision) -> Exploration {
        self.explore_choosing(precision, Explorer::next_waiting)
    }

    /// Algorithm 1, where `choose` removes the next node from the waitlist; exploration ends when it gives none.
    pub(super) fn explore_choosing(
        &mut self,
        precision: &D::Precision,
        mut choose: impl FnMut(&mut Self) -> Option<NodeId>,
    ) -> Exploration {
        let (cpa, paths) = (self.cpa, Rc::clone(&self.paths));
        loop {
            if let Some(interruption) = self.interruption() {
                return interruption;
            }
            // choose (e, π) from waitlist; remove (e, π) from waitlist
            let Some(node) = choose(self) else { return self.end() };
            self.reached.graph.set_status(node, Status::Expanded);
            // for each e' with e ⇝ (e', π): ê := prec(e', π)
            let mut successors = paths.successors(self.reached.graph.state(node).clone(), precision);
            for Successor { state, trail, end } in &mut successors {
                if end != End::Kept {
                    self.add_end(node, &trail, state, end);
                    continue;
                }
                // for each e'' ∈ reached: e_new := merge(ê, e'', π); if e_new ≠ e'', it replaces e'' and waits
                for merged in self.reached.merge(cpa, precision, &state, (node, &trail)) {
                    self.wait(merged);
                }
                // if ¬ stop(ê, reached): add ê to reached and waitlist
                match self.reached.stop(cpa, &state) {
                    Some(by) => self.add_covered(node, &trail, state, by),
                    None => self.add_waiting(node, &trail, state),
                }
            }
            self.finish(node, &successors);
        }
    }

    /// Accounts for an expansion. A node whose expansion was interrupted waits again.
    fn finish(&mut self, node: NodeId, successors: &Successors<'_, 'a, 'p, D>) {
        if successors.interrupted {
            self.wait(node);
        }
        self.transfers += successors.transfers();
        self.monitor.states.store(self.reached.graph.len() as u64, Relaxed);
    }

    /// Why exploration must not go on: an error was reached, the run was stopped, or the budget is spent.
    fn interruption(&mut self) -> Option<Exploration> {
        if let Some(target) = self.next_target(|event| event == Event::Error) {
            return Some(Exploration::Target(target));
        }
        if let Err(stop) = self.monitor.check() {
            return Some(Exploration::Stopped(stop));
        }
        (self.work() >= self.pause).then_some(Exploration::Paused)
    }

    /// The result when no node is left: targets that are no errors still rule out a proof.
    fn end(&mut self) -> Exploration {
        self.next_target(|_| true).map_or(Exploration::Complete, Exploration::Target)
    }

    /// Forgets everything and starts from the initial state.
    pub fn restart(&mut self) {
        self.reached.clear();
        self.waitlist.clear();
        self.targets.clear();
        let root = self.reached.add(self.cpa, None, self.cpa.initial());
        self.wait(root);
    }

    /// Removes everything below `node`, which is expanded again. Nodes that lose their cover wait again.
    pub fn prune_below(&mut self, node: NodeId) {
        for orphan in self.reached.prune_below(self.cpa, node).orphans {
            self.revive(orphan);
        }
        self.wait(node);
    }

    /// Sets the budget: exploration pauses after this much work from now on.
    pub(super) fn pause_after(&mut self, work: u64) {
        self.pause = self.work().saturating_add(work);
    }

    /// The work done so far, in transfers.
    fn work(&self) -> u64 {
        self.transfers + self.query_cost * self.monitor.solver_calls.load(Relaxed)
    }

    /// Cuts off a waiting node that no run reaches: it is not expanded.
    ///
    /// It and its ancestors cover nothing from now on, since runs from the covered nodes may go where those from this
    /// node cannot. What they covered waits again. `released` collects the nodes that cover nothing.
    pub(super) fn cut(&mut self, node: NodeId, released: &mut FxHashSet<NodeId>) {
        self.reached.graph.set_status(node, Status::Leaf);
        let mut at = Some(node);
        while let Some(node) = at
            && released.insert(node)
        {
            for orphan in self.reached.release(self.cpa, node) {
                self.revive(orphan);
            }
            at = self.reached.graph.parent(node).map(|(parent, _)| parent);
        }
    }

    /// Finds another cover for a node that has lost its cover, or puts it on the waitlist.
    fn revive(&mut self, node: NodeId) {
        let state = self.reached.graph.state(node).clone();
        match self.reached.stop(self.cpa, &state) {
            Some(by) => self.reached.graph.cover(node, by),
            None => {
                self.reached.link(self.cpa, node);
                self.wait(node);
            }
        }
    }

    fn wait(&mut self, node: NodeId) {
        self.reached.graph.set_status(node, Status::Waiting);
        let control = self.reached.graph.state(node).0;
        self.waitlist.push(node, self.reached.graph.stamp(node), self.rank(control));
    }

    /// Shallow recursion first: otherwise a recursive function is unfolded to the bound before anything else.
    fn rank(&self, (location, stack): Control) -> u64 {
        let stacks = &self.cpa.control.second;
        let recursion = u64::from(stacks.recursion(stack).min(0xff)) << 56;
        let depth = u64::from(0xff_ffff - stacks.depth(stack).min(0xff_ffff));
        match self.waitlist.order() {
            Order::ReversePostorder => recursion | depth << 32 | u64::from(location.0),
            Order::LoopDepth => recursion | u64::from(u16::MAX - self.paths.flow.loop_depth(location)) << 24 | depth,
            _ => 0,
        }
    }

    /// Removes a node from the waitlist.
    pub(super) fn next_waiting(&mut self) -> Option<NodeId> {
        let graph = &self.reached.graph;
        loop {
            let (node, stamp) = self.waitlist.pop()?;
            if graph.stamp(node) == stamp && graph.status(node) == Status::Waiting {
                return Some(node);
            }
        }
    }

    /// Whether the parent of `node` has other children.
    pub(super) fn has_siblings(&self, node: NodeId) -> bool {
        let graph = &self.reached.graph;
        graph.parent(node).is_some_and(|(parent, _)| graph.children(parent).len() > 1)
    }

    /// Removes the first target with a wanted event whose node still exists.
    fn next_target(&mut self, is_wanted: impl Fn(Event) -> bool) -> Option<Target> {
        while let Some(at) = self.targets.iter().position(|&(.., event)| is_wanted(event)) {
            let (node, stamp, event) = self.targets.remove(at);
            let graph = &self.reached.graph;
            if graph.stamp(node) == stamp && graph.status(node) != Status::Gone {
                return Some(Target { node, event });
            }
        }
        None
    }

    /// Adds a leaf where the program exits, or a target: if isTargetState(ê).
    fn add_end(&mut self, parent: NodeId, trail: &Draft, state: (Control, D::State), end: End) {
        let node = self.reached.add_leaf(parent, trail, state);
        if let End::Target(event) = end {
            self.targets.push((node, self.reached.graph.stamp(node), event));
        }
    }

    fn add_waiting(&mut self, parent: NodeId, trail: &Draft, state: (Control, D::State)) {
        let node = self.reached.add(self.cpa, Some((parent, trail)), state);
        self.wait(node);
    }

    fn add_covered(&mut self, parent: NodeId, trail: &Draft, state: (Control, D::State), by: NodeId) {
        self.monitor.covered.fetch_add(1, Relaxed);
        self.reached.add_covered(parent, trail, state, by);
    }

    /// The steps from the root to `node`, with the nodes on the way.
    pub fn path_to(&self, node: NodeId) -> Path {
        let nodes = self.reached.graph.path_to(node);
        let mut path = Path { steps: Vec::new(), nodes: Vec::with_capacity(nodes.len()) };
        let mut control = self.cpa.control.initial();
        for node in nodes {
            if let Some((_, trail)) = self.reached.graph.parent(node) {
                control = self.follow_trail(control, trail, |_, step| path.steps.push(step));
            }
            path.nodes.push((node, path.steps.len()));
        }
        path
    }

    /// Visits the steps of a trail that starts at `control`, each with the control before it. Returns the control after it.
    pub fn follow_trail(&self, mut control: Control, trail: Trail, mut visit: impl FnMut(Control, Step)) -> Control {
        let mut reader = self.reached.trails.read(trail);
        for _ in 0..trail.steps() {
            let steps = self.cpa.control.steps(control);
            let step = steps[reader.next(steps.len())];
            visit(control, step);
            // The last step of a blocked path has no successor.
            control = self.cpa.control.after(control, step).unwrap_or(control);
        }
        control
    }

    /// Whether `location` violates a selected property.
    pub fn is_error(&self, location: LocId) -> bool {
        self.paths.is_error(location)
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
