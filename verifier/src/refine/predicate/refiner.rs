//! The refiner of predicate abstraction: feasibility of a path through blocks, and interpolants at their ends.

use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

use super::{InterpolationResult, Interpolators, Trace, candidate, predicates};
use crate::cfa::{LocId, Step};
use crate::cpa::control::Event;
use crate::cpa::predicate::precision::PredicatePrecision;
use crate::cpa::predicate::state::{Block, PredicateState, Way};
use crate::cpa::predicate::{Predicates, Tools};
use crate::cpa::value::cells::CellKey;
use crate::evidence::{PathCheck, Reason, check_path};
use crate::expr::Expr;
use crate::facts::Facts;
use crate::formula::{Pinned, State};
use crate::monitor::{Monitor, Phase};
use crate::refine::select::{Candidate, Selection};
use crate::refine::{ErrorPath, Feasibility, Preferences, Refine};
use crate::smt;

/// The blocks on a path, each with the formula of the paths through it.
type Blocks = Vec<(Rc<Block>, Rc<Way>)>;

/// Refines predicates.
pub struct PredicateRefiner<'a, 'm, 'p> {
    predicates: &'a Predicates<'m, 'p>,
    recursion: u32,
    monitor: &'a Monitor,
    interpolators: Interpolators,
    selection: Selection,
    /// The blocks of the path that was checked last and found infeasible, and the concrete path to exclude.
    infeasible: Option<(Blocks, Vec<Vec<Step>>)>,
    /// The depth of the first block on the last path whose abstraction lacks a predicate.
    first_weak: u32,
    /// What the predicates that were added last compare with constants, and where.
    pinned: Vec<(LocId, CellKey)>,
}

impl<'m, 'p> Refine<Predicates<'m, 'p>> for PredicateRefiner<'_, 'm, 'p> {
    fn check(&mut self, path: ErrorPath<'_>, state: &PredicateState, precision: &PredicatePrecision) -> Feasibility {
        let tools = &mut *self.predicates.tools();
        let mut blocks = state.blocks();
        if path.event == Event::Error {
            // The error location is a block of its own, with nothing in it.
            blocks.pop();
        }
        self.infeasible = None;
        match self.concrete_path(tools, &blocks, path, precision) {
            Ok(concrete) => {
                self.infeasible = Some((blocks, concrete));
                Feasibility::Infeasible
            }
            Err(feasibility) => feasibility,
        }
    }

    fn refine(&mut self, _: ErrorPath<'_>, precision: &mut PredicatePrecision) -> Result<(), Reason> {
        let proposal = self.propose()?;
        self.commit(proposal, precision)
    }

    /// Blocks before the first weak one are as they were when the path was excluded.
    fn implies_interpolant(&self, _: usize, state: &PredicateState) -> bool {
        state.block.depth < self.first_weak
    }
}

impl<'a, 'm, 'p> PredicateRefiner<'a, 'm, 'p> {
    /// Refines the precision of `predicates`.
    pub fn new(
        predicates: &'a Predicates<'m, 'p>,
        facts: &Facts<'_>,
        preferences: &Preferences,
        monitor: &'a Monitor,
    ) -> Self {
        let interpolators =
            Interpolators::of(preferences.interpolators.as_deref(), facts.types()).slicing(preferences.slices);
        PredicateRefiner {
            predicates,
            recursion: preferences.recursion,
            monitor,
            interpolators,
            selection: Selection::new(preferences.select.as_deref().unwrap_or_default()),
            infeasible: None,
            first_weak: 0,
            pinned: Vec::new(),
        }
    }

    /// What the predicates that were added last compare with constants, and where.
    pub fn pinned(&self) -> &[(LocId, CellKey)] {
        &self.pinned
    }

    /// Interpolants that exclude the path which was found infeasible last.
    pub fn propose(&mut self) -> Result<Proposal, Reason> {
        let Some((blocks, path)) = self.infeasible.take() else { return Err(Reason::NoProgress(Vec::new())) };
        let tools = &mut *self.predicates.tools();
        self.exclude(tools, blocks, &path)
    }

    /// A concrete path, block by block, that the abstraction allows and no run takes; or what else was found.
    fn concrete_path(
        &self,
        tools: &mut Tools<'m, 'p>,
        blocks: &Blocks,
        path: ErrorPath<'_>,
        precision: &PredicatePrecision,
    ) -> Result<Vec<Vec<Step>>, Feasibility> {
        let program = self.predicates.program();
        let undecided = |why: String| {
            let reason = match self.monitor.check() {
                Ok(()) => Reason::Solver { why, path: path.steps.to_vec() },
                Err(stop) => Reason::Stopped(stop),
            };
            Feasibility::Undecided(reason)
        };
        let concrete = match self.abstract_path(tools, blocks, precision) {
            Ok(Some(concrete)) => concrete,
            Ok(None) => return Err(Feasibility::Excluded),
            Err(why) => return Err(undecided(why)),
        };
        let before = self.monitor.enter(Phase::Checking);
        let run = self.run_through(tools, blocks);
        self.monitor.enter(before);
        match run {
            Ok(BlockRun::Feasible(_)) if path.event != Event::Error => {
                let reason = Reason::blocked(program, path.steps, self.recursion);
                return Err(Feasibility::Undecided(reason));
            }
            Ok(BlockRun::Feasible(steps)) => {
                return Err(match check_path(program, &steps, self.monitor) {
                    PathCheck::Infeasible { .. } => undecided("it contradicts itself".into()),
                    PathCheck::Undecided(Reason::Solver { why, .. }) => undecided(why),
                    check => check.into(),
                });
            }
            _ if let Err(stop) = self.monitor.check() => return Err(Feasibility::Undecided(Reason::Stopped(stop))),
            Ok(BlockRun::Infeasible) => {}
            // A single path may be easier to decide than all of them.
            Ok(BlockRun::Unknown(why)) | Err(why) => {
                if !matches!(check_path(program, &concrete.concat(), self.monitor), PathCheck::Infeasible { .. }) {
                    return Err(undecided(why));
                }
            }
        }
        Ok(concrete)
    }

    /// Interpolants for a concrete path, given block by block.
    fn exclude(&mut self, tools: &mut Tools<'m, 'p>, blocks: Blocks, path: &[Vec<Step>]) -> Result<Proposal, Reason> {
        let steps = path.concat();
        let mut cuts: Vec<usize> =
            path.iter().scan(0, |sum, part| Some(std::mem::replace(sum, *sum + part.len()))).collect();
        cuts.remove(0);
        let no_progress = || Reason::NoProgress(steps.clone());
        let trace = Trace::of_path(&mut tools.execution, &steps, &cuts).map_err(|_| no_progress())?;
        let result =
            self.interpolators.interpolate(&mut tools.execution, &mut tools.solver, trace, &mut self.selection);
        self.count_interpolants();
        if let Err(stop) = self.monitor.check() {
            return Err(Reason::Stopped(stop));
        }
        let (Ok(InterpolationResult::Interpolants(statements)) | Ok(InterpolationResult::Hints(statements))) = result
        else {
            return Err(no_progress());
        };
        let measured = candidate(
            &mut tools.execution,
            self.interpolators.types(),
            cuts.len() + 1,
            &statements,
            &self.monitor.tuning,
        );
        Ok(Proposal { candidate: measured.in_steps(&cuts, steps.len()), statements, blocks, path: steps })
    }

    /// Adds the predicates of a proposal to the precision.
    pub fn commit(&mut self, proposal: Proposal, precision: &mut PredicatePrecision) -> Result<(), Reason> {
        let tools = &mut *self.predicates.tools();
        self.pinned.clear();
        let max_choices = self.monitor.tuning.interpolation.max_choices;
        let mut first_weak = None;
        for ((block, _), statement) in proposal.blocks[1..].iter().zip(proposal.statements) {
            let atoms = predicates(&mut tools.execution, statement, max_choices);
            let positions: Vec<usize> = atoms.iter().map(|&atom| precision.add(block.location, atom)).collect();
            let pinned = atoms.iter().filter_map(|&atom| tools.execution.pinned_by(atom));
            self.pinned.extend(pinned.map(|Pinned { var, address, .. }| (block.location, CellKey { var, address })));
            if first_weak.is_none() && positions.iter().any(|&position| position >= block.tracked) {
                first_weak = Some(block.depth);
            }
        }
        self.first_weak = first_weak.ok_or(Reason::NoProgress(proposal.path))?;
        self.monitor.precision.store(precision.len() as u64, Relaxed);
        self.monitor.abstraction.predicates.store(precision.predicates() as u64, Relaxed);
        Ok(())
    }

    /// Publishes the success counts of the interpolators.
    fn count_interpolants(&self) {
        for counts in self.interpolators.counts() {
            if let Some(counters) = self.monitor.interpolator(counts.name) {
                counters.given.store(counts.successes, Relaxed);
                counters.refused.store(counts.failures, Relaxed);
                counters.refuted.store(counts.refuted, Relaxed);
            }
        }
    }

    /// A path through the blocks that their abstractions allow, block by block; `None` if there is none. An error is the
    /// solver's reason for giving up.
    fn abstract_path(
        &self,
        tools: &mut Tools<'m, 'p>,
        blocks: &Blocks,
        precision: &PredicatePrecision,
    ) -> Result<Option<Vec<Vec<Step>>>, String> {
        let mut path = Vec::new();
        // The values of the predicates at the end of the block that the rest of the path starts with.
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
                // The abstraction may be weaker than the predicates allow.
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

    /// Whether some run passes all blocks.
    fn run_through(&self, tools: &mut Tools<'m, 'p>, blocks: &Blocks) -> Result<BlockRun, String> {
        tools.execution.state = State::initial(self.predicates.program());
        for (_, way) in blocks {
            if !tools.execution.repeat(&way.state)? {
                return Ok(BlockRun::Infeasible);
            }
            if self.monitor.check().is_err() {
                return Ok(BlockRun::Unknown("the run was stopped".into()));
            }
        }
        let execution = &tools.execution;
        let conditions = execution.conditions(&execution.state);
        Ok(match tools.solver.check_once(&execution.pool, &conditions) {
            smt::Answer::Unsat(_) => BlockRun::Infeasible,
            smt::Answer::Unknown(why) => BlockRun::Unknown(why),
            smt::Answer::Sat(model) => {
                BlockRun::Feasible(execution.path(&execution.state, |choice| model.satisfies(&execution.pool, choice)))
            }
        })
    }
}

/// Interpolants that exclude a path.
pub struct Proposal {
    /// Its score and extent, for comparison with other domains.
    pub candidate: Candidate,
    /// One interpolant for each block but the first.
    statements: Vec<Expr>,
    blocks: Blocks,
    path: Vec<Step>,
}

/// Whether a run passes a sequence of blocks.
enum BlockRun {
    /// It takes these steps.
    Feasible(Vec<Step>),
    Infeasible,
    Unknown(String),
}
