//! Successors of a node: states pass along the edges of the program until one is kept, and leave a trail behind.
//!
//! Comparing every state with the reached set would cost more than computing it, so states are kept only where
//! [`NodePolicy`] says. Between two nodes, the trail records the branches that were taken.

use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

use smallvec::SmallVec;

use super::Settings;
use crate::arg::Draft;
use crate::cfa::{LocId, Step};
use crate::cpa::control::{Control, Controlled, Event};
use crate::cpa::{Cpa, Index};
use crate::facts::{Facts, Flow, Ways};
use crate::monitor::Monitor;

/// Where exploration keeps abstract states.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum NodePolicy {
    /// At loop heads, at joins of branches that parted since the last node, at recursive calls, and where paths end.
    #[default]
    WhereNeeded,
    /// At every location, as in the paper.
    Everywhere,
}

/// What all explorations of a run need to follow paths between nodes.
pub(super) struct Paths<'a, 'p, D> {
    cpa: &'a Controlled<'p, D>,
    pub flow: Rc<Flow>,
    ways: Rc<[Ways]>,
    is_error: Vec<bool>,
    policy: NodePolicy,
    monitor: &'a Monitor,
    /// Longest trail between two nodes, in steps.
    max_trail: u32,
    /// Number of transfers between two looks at the monitor.
    poll_interval: u64,
}

/// The end of a path from a node.
pub(super) struct Successor<S> {
    pub state: S,
    pub trail: Draft,
    pub end: End,
}

/// Why a path from a node ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The state is kept here.
    Kept,
    /// The path is a target for the analysis.
    Target(Event),
    /// The program exits.
    Exit,
}

/// A path that is being followed from a node.
struct Passage<S> {
    state: S,
    trail: Draft,
    /// Whether the path has branched since the node.
    branched: bool,
}

/// A state of the domain `D` with its control.
type StateOf<D> = (Control, <D as Cpa>::State);

/// Iterates over the successors of one node.
pub(super) struct Successors<'e, 'a, 'p, D: Index> {
    paths: &'e Paths<'a, 'p, D>,
    precision: &'e D::Precision,
    pending: SmallVec<[Passage<StateOf<D>>; 4]>,
    /// Targets before steps that cannot be followed.
    blocked: SmallVec<[Successor<StateOf<D>>; 1]>,
    transfers: u64,
    next_poll: u64,
    /// Whether the monitor ended the iteration early.
    pub interrupted: bool,
}

impl<'a, 'p, D: Index> Paths<'a, 'p, D> {
    pub fn new(cpa: &'a Controlled<'p, D>, settings: &Settings, facts: &Facts<'_>, monitor: &'a Monitor) -> Self {
        let mut is_error = vec![false; cpa.program().locations.len()];
        for location in &settings.errors {
            is_error[location.index()] = true;
        }
        Paths {
            cpa,
            flow: facts.flow(),
            ways: facts.ways(),
            is_error,
            policy: settings.policy,
            monitor,
            max_trail: monitor.tuning.explore.max_trail,
            poll_interval: monitor.tuning.explore.poll_interval,
        }
    }

    /// Whether `location` violates a selected property.
    pub fn is_error(&self, location: LocId) -> bool {
        self.is_error[location.index()]
    }

    /// The successors of a node with this state.
    pub fn successors<'e>(
        &'e self,
        state: (Control, D::State),
        precision: &'e D::Precision,
    ) -> Successors<'e, 'a, 'p, D> {
        let mut pending = SmallVec::new();
        pending.push(Passage { state, trail: Draft::default(), branched: false });
        let blocked = SmallVec::new();
        Successors {
            paths: self,
            precision,
            pending,
            blocked,
            transfers: 0,
            next_poll: self.poll_interval,
            interrupted: false,
        }
    }

    /// Why a path ends here, if it does.
    #[inline]
    fn end(&self, passage: &Passage<(Control, D::State)>) -> Option<End> {
        let steps = passage.trail.steps();
        if steps == 0 {
            return None;
        }
        let location = passage.state.0.0;
        if self.is_error(location) {
            return Some(End::Target(Event::Error));
        }
        let here = self.cpa.program().location(location);
        let is_kept = here.loop_head
            || self.flow.starts_recursion(location)
            || passage.branched && self.flow.is_join(location)
            || self.policy == NodePolicy::Everywhere && !here.leaving.is_empty()
            || steps >= self.max_trail;
        is_kept.then_some(End::Kept)
    }

    /// The one edge that leaves the location of `state`, where evaluating a condition decides it.
    #[inline]
    fn decided(&self, state: &(Control, D::State)) -> Option<crate::cfa::EdgeId> {
        if !D::SKIPS_DECIDED {
            return None;
        }
        match &self.ways[state.0.0.index()] {
            Ways::Branch { condition, yes, no } => {
                self.cpa.evaluate(state, *condition).map(|holds| if holds == 1 { *yes } else { *no })
            }
            Ways::Switch { subject, cases, .. } => {
                self.cpa.evaluate(state, *subject).and_then(|value| cases.get(&value).copied())
            }
            _ => None,
        }
    }
}

impl<D: Index> Successors<'_, '_, '_, D> {
    /// Transfers that were computed so far.
    pub fn transfers(&self) -> u64 {
        self.transfers
    }

    /// Follows the decided edge of a passage. Gives the passage back unchanged if no edge is decided.
    #[inline]
    fn follow(&mut self, mut passage: Passage<(Control, D::State)>) -> Result<(), Passage<(Control, D::State)>> {
        let Some(edge) = self.paths.decided(&passage.state) else { return Err(passage) };
        self.transfers += 1;
        let program = self.paths.cpa.program();
        let leaving = &program.location(passage.state.0.0).leaving;
        passage.trail.push((edge.0 - leaving.start) as usize, leaving.len());
        let location = program.edge(edge).to;
        // A decided assumption changes nothing but the location.
        let ((_, stack), state) = passage.state;
        passage.state = self.paths.cpa.adjust(((location, stack), state), self.precision, location);
        self.pending.push(passage);
        Ok(())
    }

    /// The transfer relation and precision adjustment along one step.
    #[inline]
    fn advance(
        &self,
        state: (Control, D::State),
        step: Step,
        choice: usize,
        successors: &mut SmallVec<[(usize, StateOf<D>); 4]>,
    ) {
        for successor in self.paths.cpa.transfer(state, self.precision, step) {
            let location = successor.0.0;
            successors.push((choice, self.paths.cpa.adjust(successor, self.precision, location)));
        }
    }

    /// Whether exploration ends before `step`; the path is then a target.
    #[inline]
    fn blocks(&mut self, state: &(Control, D::State), trail: &Draft, step: Step, choice: (usize, usize)) -> bool {
        let Some(event) = self.paths.cpa.control.event_of_step(state.0, step) else { return false };
        let mut trail = trail.clone();
        trail.push(choice.0, choice.1);
        self.blocked.push(Successor { state: state.clone(), trail, end: End::Target(event) });
        true
    }

    /// Takes all steps that leave the state of a passage. Returns the passage if there are none.
    #[inline]
    fn branch(&mut self, passage: Passage<(Control, D::State)>) -> Option<Passage<(Control, D::State)>> {
        let steps = self.paths.cpa.control.steps(passage.state.0);
        self.transfers += steps.len() as u64;
        let Some((&last, others)) = steps.split_last() else { return Some(passage) };
        let Passage { state, mut trail, branched } = passage;
        let mut successors = SmallVec::<[(usize, (Control, D::State)); 4]>::new();
        for (choice, &step) in others.iter().enumerate() {
            if !self.blocks(&state, &trail, step, (choice, steps.len())) {
                self.advance(state.clone(), step, choice, &mut successors);
            }
        }
        if !self.blocks(&state, &trail, last, (others.len(), steps.len())) {
            self.advance(state, last, others.len(), &mut successors);
        }
        if successors.len() == 1 {
            let (choice, state) = successors.remove(0);
            trail.push(choice, steps.len());
            self.pending.push(Passage { state, trail, branched });
            return None;
        }
        // The first branch is followed first.
        for (choice, state) in successors.into_iter().rev() {
            let mut trail = trail.clone();
            trail.push(choice, steps.len());
            self.pending.push(Passage { state, trail, branched: true });
        }
        None
    }
}

impl<D: Index> Iterator for Successors<'_, '_, '_, D> {
    type Item = Successor<(Control, D::State)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if !self.blocked.is_empty() {
                return Some(self.blocked.remove(0));
            }
            if self.transfers >= self.next_poll {
                self.next_poll = self.transfers + self.paths.poll_interval;
                self.interrupted = self.paths.monitor.check().is_err();
            }
            if self.interrupted {
                return None;
            }
            let passage = self.pending.pop()?;
            if let Some(end) = self.paths.end(&passage) {
                return Some(Successor { state: passage.state, trail: passage.trail, end });
            }
            if let Err(passage) = self.follow(passage)
                && let Some(Passage { state, trail, .. }) = self.branch(passage)
            {
                return Some(Successor { state, trail, end: End::Exit });
            }
        }
    }
}

/// Counts the transfers of an expansion once, at its end: a counter shared between threads is slow.
impl<D: Index> Drop for Successors<'_, '_, '_, D> {
    fn drop(&mut self) {
        self.paths.monitor.transfers.fetch_add(self.transfers, Relaxed);
    }
}
