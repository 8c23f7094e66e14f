//! The configuration `predicate`: predicate abstraction of blocks, refined by interpolation (paper 000, CPA-PRED).

use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

use super::inspect::View;
use super::inspect::predicate::Built;
use super::options::CheckOptions;
use super::report::{Reason, Verdict};
use crate::algorithm::{Explorer, Refine, Refined, Settings, Stops, cegar};
use crate::arg::Order;
use crate::cfa::expr::Expr;
use crate::cfa::{DomainTypes, Flow, LocId, Program, Step};
use crate::cpa::composite::{Apart, Pair};
use crate::cpa::control::{Control, ControlCpa, Event, control};
use crate::cpa::predicate::precision::PredicatePrecision;
use crate::cpa::predicate::state::{Block, PredicateState, Way};
use crate::cpa::predicate::{self, Predicates, Tools};
use crate::cpa::sharing::Sharing;
use crate::cpa::value::cells::Place;
use crate::evidence::{Counterexample, PathCheck, check_path};
use crate::formula::{Execution, Pinned};
use crate::monitor::{Monitor, Phase};
use crate::refine::predicate::{Interpolators, Outcome, Trace, candidate, predicates};
use crate::refine::select::{Candidate, Selection};
use crate::smt;

/// Runs the analysis and lets `look` see what it has built.
pub(super) fn run(
    program: &Program,
    options: &CheckOptions,
    stops: Stops,
    monitor: &Monitor,
    look: impl FnOnce(&dyn View),
) -> Verdict {
    let errors = super::selected_errors(program, &options.properties);
    let settings = predicate::Settings { blocks: options.blocks, method: options.abstraction };
    let predicates = Predicates::new(program, settings, &errors, monitor);
    let cpa = Pair { first: control(program, options.recursion), second: predicates, exchange: Apart };
    // Ways meet before they go on.
    let settings = Settings { order: options.order.unwrap_or(Order::ReversePostorder), stops, errors };
    let mut explorer = Explorer::new(&cpa, settings, monitor);
    let mut refiner = PredicateRefiner::new(&cpa.second, options, monitor);
    let mut precision = (((), ()), PredicatePrecision::empty(program, sharing(options)));
    let answer = cegar(&mut explorer, &mut precision, &mut refiner, None, options.refinement, monitor);
    look(&Built { explorer: &explorer, precision: &precision.1, sharing: sharing(options) });
    answer.into()
}

/// How far the precision is shared: abstractions take longer with each predicate.
pub(super) fn sharing(options: &CheckOptions) -> Sharing {
    options.scope.unwrap_or(Sharing::Function)
}

/// The blocks on the way to a state, each with the ways through it.
type Blocks = [(Rc<Block>, Rc<Way>)];

/// Refines predicates.
pub(super) struct PredicateRefiner<'a, 'm, 'p> {
    predicates: &'a Predicates<'m, 'p>,
    options: &'a CheckOptions,
    monitor: &'a Monitor,
    interpolators: Interpolators,
    selection: Selection,
    /// The first block on the last path whose abstraction lacks a predicate.
    first_weak: u32,
    /// What the predicates that were added last compare with constants, and where.
    pub(super) pinned: Vec<(LocId, Place)>,
}

impl<'m, 'p> Refine<Pair<ControlCpa<'p>, Predicates<'m, 'p>>> for PredicateRefiner<'_, 'm, 'p> {
    type Evidence = Box<Counterexample>;
    type Reason = Reason;

    fn refine(
        &mut self,
        path: &[Step],
        event: Event,
        (_, state): &(Control, PredicateState),
        (_, precision): &mut (((), ()), PredicatePrecision),
    ) -> Refined<Box<Counterexample>, Reason> {
        self.refine_state(path, event, state, precision)
    }

    fn holds(&self, _: usize, (_, state): &(Control, PredicateState)) -> bool {
        self.is_strong(state)
    }
}

impl<'a, 'm, 'p> PredicateRefiner<'a, 'm, 'p> {
    /// Nothing has been refined yet.
    pub(super) fn new(predicates: &'a Predicates<'m, 'p>, options: &'a CheckOptions, monitor: &'a Monitor) -> Self {
        let program = predicates.program();
        let flow = Flow::new(program);
        let types = DomainTypes::new(program, |location| flow.loop_depth(location) > 0);
        let interpolators = Interpolators::of(options.interpolators.as_deref(), types).slicing(options.slices);
        let selection = Selection::new(options.select.as_deref().unwrap_or_default());
        PredicateRefiner { predicates, options, monitor, interpolators, selection, first_weak: 0, pinned: Vec::new() }
    }

    /// Looks at the ways to a state, where a path with this event ends, and refines the precision if there is no run.
    fn refine_state(
        &mut self,
        path: &[Step],
        event: Event,
        state: &PredicateState,
        precision: &mut PredicatePrecision,
    ) -> Refined<Box<Counterexample>, Reason> {
        match self.propose(path, event, state, precision) {
            Ok(proposal) => self.commit(proposal, precision),
            Err(found) => found,
        }
    }

    /// Looks at the ways to a state, where a path with this event ends: what predicates have to say to exclude one of them,
    /// or what else is found.
    pub(super) fn propose(
        &mut self,
        path: &[Step],
        event: Event,
        state: &PredicateState,
        precision: &PredicatePrecision,
    ) -> Result<Proposal, Refined<Box<Counterexample>, Reason>> {
        let predicates = self.predicates;
        let tools = &mut *predicates.tools();
        let mut blocks = state.blocks();
        if event == Event::Error {
            // The error location is a block of its own, with nothing in it.
            blocks.pop();
        }
        let concrete = self.look(tools, &blocks, path, event, precision)?;
        self.exclude(tools, blocks, &concrete)
    }

    /// Is a state on the path that was excluded last as it was before?
    pub(super) fn is_strong(&self, state: &PredicateState) -> bool {
        state.block.depth < self.first_weak
    }

    /// Is there a run through `blocks`? If not, a path through them, block by block, is to be excluded.
    fn look(
        &mut self,
        tools: &mut Tools<'m, 'p>,
        blocks: &Blocks,
        path: &[Step],
        event: Event,
        precision: &PredicatePrecision,
    ) -> Result<Vec<Vec<Step>>, Refined<Box<Counterexample>, Reason>> {
        let program = self.predicates.program();
        let unsolved = |why: String| Refined::GivenUp(Reason::Solver { why, path: path.to_vec() });
        let concrete = match self.abstract_path(tools, blocks, precision) {
            Ok(Some(concrete)) => concrete,
            Ok(None) => return Err(Refined::Unreachable),
            Err(_) if let Err(stop) = self.monitor.check() => return Err(Refined::Stopped(stop)),
            Err(why) => return Err(unsolved(why)),
        };
        let before = self.monitor.enter(Phase::Checking);
        let run = self.run_through(tools, blocks);
        self.monitor.enter(before);
        match run {
            Ok(Run::At(_)) if event != Event::Error => {
                return Err(Refined::GivenUp(super::blocked(program, path, self.options)));
            }
            Ok(Run::At(steps)) => {
                return Err(match check_path(program, &steps, self.monitor) {
                    PathCheck::Feasible(counterexample) => Refined::Feasible(counterexample),
                    _ if let Err(stop) = self.monitor.check() => Refined::Stopped(stop),
                    PathCheck::Infeasible { .. } => unsolved("it contradicts itself".into()),
                    PathCheck::Unknown(why) => unsolved(why),
                    PathCheck::ReplayFailed(why) => Refined::GivenUp(Reason::Replay { why, path: steps }),
                });
            }
            Ok(Run::Nowhere) => {}
            _ if let Err(stop) = self.monitor.check() => return Err(Refined::Stopped(stop)),
            // One path may still be easier to tell than all of them.
            Ok(Run::Unknown(why)) | Err(why) => {
                if !matches!(check_path(program, &concrete.concat(), self.monitor), PathCheck::Infeasible { .. }) {
                    return Err(unsolved(why));
                }
            }
        }
        Ok(concrete)
    }

    /// What predicates have to say to exclude a path, given block by block.
    fn exclude(
        &mut self,
        tools: &mut Tools<'m, 'p>,
        blocks: Vec<(Rc<Block>, Rc<Way>)>,
        path: &[Vec<Step>],
    ) -> Result<Proposal, Refined<Box<Counterexample>, Reason>> {
        let steps = path.concat();
        let mut cuts: Vec<usize> =
            path.iter().scan(0, |sum, part| Some(std::mem::replace(sum, *sum + part.len()))).collect();
        cuts.remove(0);
        let given_up = || Refined::GivenUp(Reason::NoProgress(steps.clone()));
        let trace = Trace::of_path(&mut tools.execution, &steps, &cuts).map_err(|_| given_up())?;
        let outcome =
            self.interpolators.interpolate(&mut tools.execution, &mut tools.solver, trace, &mut self.selection);
        self.count_interpolants();
        if let Err(stop) = self.monitor.check() {
            return Err(Refined::Stopped(stop));
        }
        let (Ok(Outcome::Interpolants(statements)) | Ok(Outcome::Hints(statements))) = outcome else {
            return Err(given_up());
        };
        let measured = candidate(&mut tools.execution, self.interpolators.types(), cuts.len() + 1, &statements);
        Ok(Proposal { candidate: measured.in_steps(&cuts, steps.len()), statements, blocks, path: steps })
    }

    /// Adds the predicates of a proposal.
    pub(super) fn commit(
        &mut self,
        proposal: Proposal,
        precision: &mut PredicatePrecision,
    ) -> Refined<Box<Counterexample>, Reason> {
        let tools = &mut *self.predicates.tools();
        self.pinned.clear();
        let mut first_weak = None;
        for ((block, _), statement) in proposal.blocks[1..].iter().zip(proposal.statements) {
            let atoms = predicates(&mut tools.execution, statement);
            let positions: Vec<usize> = atoms.iter().map(|&atom| precision.add(block.location, atom)).collect();
            let pinned = atoms.iter().filter_map(|&atom| tools.execution.pinned_by(atom));
            self.pinned.extend(pinned.map(|Pinned { var, address, .. }| (block.location, Place { var, address })));
            if first_weak.is_none() && positions.iter().any(|&position| position >= block.tracked) {
                first_weak = Some(block.depth);
            }
        }
        let Some(first_weak) = first_weak else { return Refined::GivenUp(Reason::NoProgress(proposal.path)) };
        self.first_weak = first_weak;
        self.monitor.precision.store(precision.len() as u64, Relaxed);
        self.monitor.abstraction.predicates.store(precision.predicates() as u64, Relaxed);
        Refined::Excluded
    }

    /// Tells the monitor how the interpolators have fared.
    fn count_interpolants(&self) {
        for counts in self.interpolators.counts() {
            if let Some(counters) = self.monitor.interpolator(counts.name) {
                counters.given.store(counts.successes, Relaxed);
                counters.refused.store(counts.failures, Relaxed);
                counters.refuted.store(counts.refuted, Relaxed);
            }
        }
    }

    /// A path through the blocks that their abstractions allow, block by block. `None` if there is surely none; an error
    /// says why it is not known.
    fn abstract_path(
        &self,
        tools: &mut Tools<'m, 'p>,
        blocks: &Blocks,
        precision: &PredicatePrecision,
    ) -> Result<Option<Vec<Vec<Step>>>, String> {
        let mut path = Vec::new();
        // What the predicates must be at the end of the block, so that the path can go on as was chosen.
        let mut wanted: Vec<(Expr, bool)> = Vec::new();
        for (block, way) in blocks.iter().rev() {
            tools.execution.state = way.state.clone();
            let values = wanted.iter().filter_map(|&(predicate, holds)| {
                let value = tools.execution.express(predicate)?;
                Some(if holds { value } else { tools.execution.pool.not(value) })
            });
            let wanted_here: Vec<Expr> = values.collect();
            let mut formula = tools.execution.conditions(&tools.execution.state);
            formula.extend(tools.statements(block, precision));
            let plain = formula.len();
            formula.extend(wanted_here);
            let pool = &tools.execution.pool;
            let model = match tools.solver.check_once(pool, &formula) {
                smt::Answer::Sat(model) => model,
                // Abstractions may be weaker than they could be.
                _ => match tools.solver.check_once(pool, &formula[..plain]) {
                    smt::Answer::Sat(model) => model,
                    smt::Answer::Unsat(_) => return Ok(None),
                    smt::Answer::Unknown(why) => return Err(why),
                },
            };
            path.push(tools.execution.path(&way.state, |choice| model.satisfies(pool, choice)));
            let predicates = precision.at(block.location)[..block.tracked].iter().map(|&id| precision.predicate(id));
            wanted = predicates.map(|predicate| (predicate, model.satisfies(pool, predicate))).collect();
        }
        path.reverse();
        Ok(Some(path))
    }

    /// A run through all blocks.
    fn run_through(&self, tools: &mut Tools<'m, 'p>, blocks: &Blocks) -> Result<Run, String> {
        tools.execution.state = Execution::new(self.predicates.program()).state;
        for (_, way) in blocks {
            if !tools.execution.repeat(&way.state)? {
                return Ok(Run::Nowhere);
            }
            if self.monitor.check().is_err() {
                return Ok(Run::Unknown("the run was stopped".into()));
            }
        }
        let execution = &tools.execution;
        let conditions = execution.conditions(&execution.state);
        Ok(match tools.solver.check_once(&execution.pool, &conditions) {
            smt::Answer::Unsat(_) => Run::Nowhere,
            smt::Answer::Unknown(why) => Run::Unknown(why),
            smt::Answer::Sat(model) => {
                Run::At(execution.path(&execution.state, |choice| model.satisfies(&execution.pool, choice)))
            }
        })
    }
}

/// What predicates would have to say to exclude a path.
pub(super) struct Proposal {
    /// What there is to say of it.
    pub candidate: Candidate,
    /// One statement for each block but the first.
    statements: Vec<Expr>,
    blocks: Vec<(Rc<Block>, Rc<Way>)>,
    path: Vec<Step>,
}

/// Where the search for a run ended.
enum Run {
    /// It takes these steps.
    At(Vec<Step>),
    /// There is none.
    Nowhere,
    /// Nobody knows.
    Unknown(String),
}
