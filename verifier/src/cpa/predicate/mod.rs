//! Predicate analysis with adjustable-block encoding (paper 000, CPA-PRED; paper 002, §3.2).
//!
//! Within a block, formulas are extended step by step and joined at joins of paths. At its end they are abstracted to
//! the strongest combination of the tracked predicates.

pub mod blocks;
pub mod precision;
mod show;
pub mod state;

use std::cell::{RefCell, RefMut};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

use rustc_hash::FxHashMap;

use crate::abstraction::{Abstraction, Method, Region, Regions};
use crate::cfa::{LocId, Program, Step};
use crate::cpa::{Cpa, Index, Successors};
use crate::expr::{Expr, Value, Var};
use crate::facts::{Facts, Liveness};
use crate::formula::{Execution, Pinned, State};
use crate::monitor::Monitor;
use crate::smt::{Options, Solver};
use blocks::{BlockEnds, Blocks};
use precision::{PredicateId, PredicatePrecision};
use state::{Block, PredicateState, Way};

/// Settings of the predicate analysis.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Where blocks end.
    pub blocks: Blocks,
    /// The precision of abstractions.
    pub method: Method,
}

/// A fact exchanged between analyses: the value of a variable, or of a cell of a memory.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The variable, or the memory.
    pub var: Var,
    /// The address of the cell.
    pub address: Option<u64>,
    /// The value.
    pub value: Value,
}

/// The predicate analysis.
pub struct Predicates<'a, 'p> {
    program: &'p Program,
    liveness: Rc<Liveness>,
    ends: BlockEnds,
    is_error: Vec<bool>,
    method: Method,
    tools: RefCell<Tools<'a, 'p>>,
}

/// Tools for formulas and abstractions. All formulas and predicates are in the pool of the execution.
pub struct Tools<'a, 'p> {
    /// Builds formulas.
    pub execution: Execution<'p>,
    /// Decides formulas.
    pub solver: Solver<'a>,
    /// Computes abstractions.
    pub abstraction: Abstraction,
    /// Holds regions.
    pub regions: Regions,
    /// The number of the last block or way.
    next: u32,
    /// The number of predicates at the last abstraction of each location.
    tracked: FxHashMap<LocId, u64>,
    /// The minimum number of comparisons of a term with constants for which a region is split by its values.
    min_split: usize,
}

impl<'a, 'p> Predicates<'a, 'p> {
    /// The analysis of the program of `facts`; `errors` are additional block ends.
    pub fn new(facts: &Facts<'p>, settings: Settings, errors: &[LocId], monitor: &'a Monitor) -> Self {
        let program = facts.program;
        let mut is_error = vec![false; program.locations.len()];
        for location in errors {
            is_error[location.index()] = true;
        }
        let tools = Tools {
            execution: Execution::new(program, monitor.tuning.formula),
            solver: Solver::new(monitor, Options::default()),
            abstraction: Abstraction::new(),
            regions: Regions::new(monitor.tuning.abstraction.max_cached_regions),
            next: 0,
            tracked: FxHashMap::default(),
            min_split: monitor.tuning.predicate.min_split,
        };
        Predicates {
            program,
            liveness: facts.liveness(),
            ends: BlockEnds::new(program, settings.blocks, monitor.tuning.blocks),
            is_error,
            method: settings.method,
            tools: RefCell::new(tools),
        }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The tools for formulas and abstractions.
    pub fn tools(&self) -> RefMut<'_, Tools<'a, 'p>> {
        self.tools.borrow_mut()
    }

    /// Adds facts of another analysis at the start of a block.
    pub fn pin(&self, state: &mut PredicateState, known: impl Iterator<Item = Known>) {
        let tools = &mut *self.tools();
        let execution = &mut tools.execution;
        execution.state = state.way.state.clone();
        let mut facts = Vec::new();
        for Known { var, address, value } in known {
            if !execution.is_under_way_once(var) {
                continue;
            }
            let mut holder = execution.pool.var(var, self.program.var(var).sort);
            if let Some(address) = address {
                let address = execution.pool.constant(self.program.pointer(address));
                holder = execution.pool.read(holder, address, 1);
            }
            let value = execution.pool.constant(value);
            let fact = execution.pool.eq(holder, value);
            execution.take_for_granted(fact);
            facts.push(fact);
        }
        facts.sort_unstable();
        let start = execution.state.clone();
        let mut block = Block::clone(&state.block);
        block.known = facts;
        state.block = Rc::new(block);
        state.way = tools.way(start, 0);
    }

    /// Ends a block in the execution's state. The next one begins with its abstraction; no successors if that is empty.
    fn end_block(
        &self,
        tools: &mut Tools<'a, 'p>,
        state: PredicateState,
        precision: &PredicatePrecision,
        steps: u32,
    ) -> Successors<PredicateState> {
        let location = tools.execution.state.location;
        let values = tools.values(precision, precision.at(location));
        let mut formula = tools.statements(&state.block, precision);
        formula.extend(tools.execution.conditions(&tools.execution.state));
        let Tools { execution, solver, abstraction, regions, .. } = tools;
        let region = abstraction.compute(solver, &mut execution.pool, regions, &formula, &values, self.method);
        tools.count(location, precision.at(location).len() as u64);
        let regions = &tools.regions;
        // Sound if the run is cancelled during the abstraction.
        let region = region.unwrap_or_else(|_| regions.all());
        if region == regions.none() {
            return Successors::new();
        }
        let end = tools.execution.state.clone();
        let last = tools.way(end, steps);
        let parts = tools.parts(region, precision);
        let begin = |region| {
            let block = Block {
                id: tools.number(),
                depth: state.block.depth + 1,
                location,
                tracked: precision.at(location).len(),
                region,
                pinned: Vec::new(),
                known: Vec::new(),
                before: Some((Rc::clone(&state.block), Rc::clone(&last))),
            };
            tools.begin(block, &last.state, precision)
        };
        parts.into_iter().map(begin).collect()
    }
}

impl<'p> Tools<'_, 'p> {
    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// Updates the counters after an abstraction at `location`.
    fn count(&mut self, location: LocId, tracked: u64) {
        let (statistics, counters) = (self.abstraction.statistics(), &self.solver.monitor().abstraction);
        counters.computed.store(statistics.abstractions - statistics.cached, Relaxed);
        counters.cached.store(statistics.cached, Relaxed);
        counters.queries.store(statistics.queries, Relaxed);
        counters.models.store(statistics.models, Relaxed);
        let before = self.tracked.insert(location, tracked).unwrap_or(0);
        // Wrapping arithmetic keeps the sum correct if the number has decreased.
        counters.tracked.fetch_add(tracked.wrapping_sub(before), Relaxed);
        counters.most_tracked.fetch_max(tracked, Relaxed);
        counters.locations.store(self.tracked.len() as u64, Relaxed);
    }

    fn way(&mut self, state: State, steps: u32) -> Rc<Way> {
        Rc::new(Way { id: self.number(), state, steps })
    }

    /// Starts a block after paths that end in `end`. Values that the region pins become constants.
    fn begin(&mut self, mut block: Block, end: &State, precision: &PredicatePrecision) -> PredicateState {
        let calls: Vec<_> = end.calls().collect();
        self.execution.state = self.execution.state_at(block.location, calls);
        for (id, holds) in self.regions.forced(&block.region) {
            let predicate = precision.predicate(id);
            let fact = if holds { predicate } else { self.execution.pool.not(predicate) };
            self.execution.take_for_granted(fact);
            block.pinned.extend(self.pinned_by(fact));
        }
        let start = self.execution.state.clone();
        PredicateState { block: Rc::new(block), way: self.way(start, 0), joined: None }
    }

    /// The variable or cell whose value a condition determines, if it has a single instance.
    pub fn pinned_by(&mut self, condition: Expr) -> Option<Known> {
        let Pinned { var, address, value, .. } = self.execution.pinned_by(condition)?;
        let value = self.execution.pool.as_const(value)?;
        self.execution.is_under_way_once(var).then_some(Known { var, address, value })
    }

    /// Splits a region by the values of the term that most predicates compare with constants. Few paths are feasible
    /// from each part, so formulas stay small.
    fn parts(&self, region: Region, precision: &PredicatePrecision) -> Vec<Region> {
        let (pool, regions) = (&self.execution.pool, &self.regions);
        let mut of_term: BTreeMap<Expr, Vec<PredicateId>> = BTreeMap::new();
        for id in regions.support(&region) {
            if let Some((term, _)) = pool.as_comparison_with_constant(precision.predicate(id)) {
                of_term.entry(term).or_default().push(id);
            }
        }
        // Ties are broken in favour of the first term.
        let Some(ids) = of_term.values().rev().max_by_key(|ids| ids.len()).filter(|ids| ids.len() >= self.min_split)
        else {
            return vec![region];
        };
        let mut parts: Vec<Region> = ids.iter().map(|&id| regions.and(&region, &regions.literal(id, true))).collect();
        let others = ids.iter().fold(region, |rest, &id| regions.and(&rest, &regions.literal(id, false)));
        parts.push(others);
        parts.retain(|part| *part != regions.none());
        parts
    }

    /// The values of predicates in the execution's state, without those about inactive calls.
    pub fn values(&mut self, precision: &PredicatePrecision, ids: &[PredicateId]) -> Vec<(PredicateId, Expr)> {
        let value = |&id: &PredicateId| Some((id, self.execution.express(precision.predicate(id))?));
        ids.iter().filter_map(value).collect()
    }

    /// The facts at the start of a block, over its variables.
    pub fn statements(&mut self, block: &Block, precision: &PredicatePrecision) -> Vec<Expr> {
        let region = self.statement(&block.region, precision);
        block.known.iter().copied().chain([region]).collect()
    }

    /// A region as an expression over variables.
    pub fn statement(&mut self, region: &Region, precision: &PredicatePrecision) -> Expr {
        self.regions.to_expr(region, &mut self.execution.pool, |_, id| precision.predicate(id))
    }

    /// A region evaluated in the execution's state.
    pub fn statement_here(&mut self, region: &Region, precision: &PredicatePrecision) -> Option<Expr> {
        let statement = self.statement(region, precision);
        self.execution.express(statement)
    }
}

impl Cpa for Predicates<'_, '_> {
    type State = PredicateState;
    type Precision = PredicatePrecision;

    fn initial(&self) -> PredicateState {
        let mut tools = self.tools();
        let start = State::initial(self.program);
        let (id, region) = (tools.number(), tools.regions.all());
        let (pinned, known) = (Vec::new(), Vec::new());
        let block = Block { id, depth: 0, location: start.location, tracked: 0, region, pinned, known, before: None };
        PredicateState { block: Rc::new(block), way: tools.way(start, 0), joined: None }
    }

    fn transfer(
        &self,
        state: PredicateState,
        precision: &PredicatePrecision,
        step: Step,
    ) -> Successors<PredicateState> {
        let tools = &mut *self.tools();
        tools.execution.state = state.way.state.clone();
        let condition = tools.execution.step(step).expect("exploration does not take unsupported steps");
        if condition.is_some_and(|condition| tools.execution.pool.as_const(condition).is_some()) {
            return Successors::new();
        }
        tools.execution.forget_dead(&self.liveness);
        let (location, steps) = (tools.execution.state.location, state.way.steps + 1);
        if self.is_error[location.index()] || self.ends.ends_at(location, steps) {
            return self.end_block(tools, state, precision, steps);
        }
        let after = tools.execution.state.clone();
        Successors::from_buf([PredicateState { way: tools.way(after, steps), joined: None, ..state }])
    }

    /// Joins paths through the same block.
    fn merge(&self, new: &PredicateState, old: &PredicateState, _: &PredicatePrecision) -> Option<PredicateState> {
        if new.block.id != old.block.id || new.is_abstract() || old.is_abstract() || new.way.id == old.way.id {
            return None;
        }
        let tools = &mut *self.tools();
        tools.execution.join(&old.way.state, &new.way.state);
        let joined = tools.execution.state.clone();
        let steps = old.way.steps.max(new.way.steps);
        Some(PredicateState { block: Rc::clone(&old.block), way: tools.way(joined, steps), joined: Some(new.way.id) })
    }

    /// Abstractions are compared at block starts; within a block, a state only covers those that were joined into it.
    fn covers(&self, old: &PredicateState, new: &PredicateState) -> bool {
        match (old.is_abstract(), new.is_abstract()) {
            (true, true) => {
                // Facts from other analyses are part of the state.
                old.block.known.iter().all(|fact| new.block.known.binary_search(fact).is_ok())
                    && self.tools.borrow().regions.implies(&new.block.region, &old.block.region)
            }
            (false, false) => {
                old.block.id == new.block.id && (old.way.id == new.way.id || old.joined == Some(new.way.id))
            }
            _ => false,
        }
    }
}

/// Within a block, states have the number of the block as digest, so all paths through a block are in one group.
impl Index for Predicates<'_, '_> {
    fn shape(&self, state: &PredicateState) -> u64 {
        state.is_abstract().into()
    }

    fn digest(&self, state: &PredicateState) -> u64 {
        if state.is_abstract() { 0 } else { state.block.id.into() }
    }

    fn digest_as(&self, state: &PredicateState, like: &PredicateState) -> Option<u64> {
        (state.is_abstract() == like.is_abstract()).then(|| self.digest(state))
    }
}
