//! The abstraction of a formula: the strongest region that it implies.

use rustc_hash::FxHashMap;

use super::groups::{Group, conjuncts, groups};
use super::regions::{Region, Regions};
use super::search::Search;
use crate::cfa::expr::{Expr, Pool};
use crate::monitor::Stop;
use crate::smt::{Answer, Solver};

/// How many results are kept.
const CACHE: usize = 1 << 16;

/// How precise an abstraction is.
#[derive(Default, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Method {
    /// A conjunction: each predicate is true, false or open, whatever the others are.
    Cartesian,
    /// Any boolean combination.
    #[default]
    Boolean,
}

/// What was done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Abstractions that were asked for.
    pub abstractions: u64,
    /// Of these, known before.
    pub cached: u64,
    /// Independent parts of abstractions.
    pub groups: u64,
    /// Of these, known before.
    pub cached_groups: u64,
    /// Parts that are weaker than they could be: the solver did not know, or there was too much to ask.
    pub weakened: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// Of these, answered by a model.
    pub models: u64,
}

/// A formula's conjuncts, and predicates.
type Question = (Box<[Expr]>, Box<[(u32, Expr)]>, Method);

/// Computes abstractions, and keeps them. It is for the expressions of one pool and the regions of one [`Regions`].
#[derive(Default)]
pub struct Abstraction {
    known: FxHashMap<Question, Region>,
    statistics: Statistics,
}

impl Abstraction {
    /// Nothing computed yet.
    pub fn new() -> Abstraction {
        Abstraction::default()
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The strongest region, of those that `method` allows, that the conjunction of `formula` implies, where the predicates
    /// have the given values. It is empty if and only if the formula was found to have no model.
    ///
    /// Where the solver does not know, and where there are too many assignments to ask for, the region is weaker; it is
    /// always implied.
    ///
    /// # Errors
    /// If the run was asked to stop.
    ///
    /// # Panics
    /// If a predicate occurs twice, with different values, or the solver has assertions of its own.
    pub fn compute(
        &mut self,
        solver: &mut Solver<'_>,
        pool: &mut Pool,
        regions: &Regions,
        formula: &[Expr],
        predicates: &[(u32, Expr)],
        method: Method,
    ) -> Result<Region, Stop> {
        assert!(!solver.has_assertions(), "the formula is all that is asserted");
        self.statistics.abstractions += 1;
        let mut predicates = predicates.to_vec();
        predicates.sort_unstable();
        predicates.dedup();
        assert!(predicates.windows(2).all(|pair| pair[0].0 != pair[1].0), "a predicate has one value");
        let conjuncts = conjuncts(pool, formula);
        let question = (conjuncts.into_boxed_slice(), predicates.into_boxed_slice(), method);
        if let Some(known) = self.known.get(&question) {
            self.statistics.cached += 1;
            return Ok(known.clone());
        }
        let region = self.conjunction_of_groups(solver, pool, regions, &question)?;
        self.keep(question, &region);
        Ok(region)
    }

    fn keep(&mut self, question: Question, region: &Region) {
        if self.known.len() >= CACHE {
            self.known.clear();
        }
        self.known.insert(question, region.clone());
    }

    fn conjunction_of_groups(
        &mut self,
        solver: &mut Solver<'_>,
        pool: &mut Pool,
        regions: &Regions,
        (conjuncts, predicates, method): &Question,
    ) -> Result<Region, Stop> {
        let is_false = |pool: &Pool, expr| pool.as_const(expr).is_some_and(|value| !value.is_true());
        if conjuncts.iter().any(|&conjunct| is_false(pool, conjunct)) {
            return Ok(regions.none());
        }
        let constant = |&&(_, value): &&(u32, Expr)| pool.as_const(value).is_some();
        let literal = |&(index, value): &(u32, Expr)| (index, !is_false(pool, value));
        let constants: Vec<(u32, bool)> = predicates.iter().filter(constant).map(literal).collect();
        let open: Vec<(u32, Expr)> = predicates.iter().filter(|predicate| !constant(predicate)).copied().collect();
        let (about, rest): (Vec<Group>, Vec<Group>) =
            groups(pool, conjuncts, &open).into_iter().partition(|group| !group.predicates.is_empty());
        // What no predicate is about matters only if it is false.
        for group in rest {
            self.statistics.queries += 1;
            let answer = solver.check_once(pool, &group.conjuncts);
            solver.monitor().check()?;
            match answer {
                Answer::Unsat(_) => return Ok(regions.none()),
                Answer::Sat(_) => self.statistics.models += 1,
                Answer::Unknown(_) => {}
            }
        }
        let mut region = regions.cube(&constants);
        for group in about {
            region = regions.and(&region, &self.group(solver, pool, regions, group, *method)?);
            if region == regions.none() {
                break;
            }
        }
        Ok(region)
    }

    fn group(
        &mut self,
        solver: &mut Solver<'_>,
        pool: &mut Pool,
        regions: &Regions,
        group: Group,
        method: Method,
    ) -> Result<Region, Stop> {
        self.statistics.groups += 1;
        let question = (group.conjuncts.into_boxed_slice(), group.predicates.into_boxed_slice(), method);
        if let Some(known) = self.known.get(&question) {
            self.statistics.cached_groups += 1;
            return Ok(known.clone());
        }
        // Asserted as one expression, so that models are checked in one evaluation.
        let formula = question.0.iter().rev().copied().reduce(|all, conjunct| pool.and(conjunct, all));
        let formula = formula.unwrap_or_else(|| pool.bool(true));
        solver.push();
        solver.assert(pool, formula);
        let region = self.search(solver, pool, regions, &question);
        solver.pop(1);
        let region = region?;
        self.keep(question, &region);
        Ok(region)
    }

    fn search(
        &mut self,
        solver: &mut Solver<'_>,
        pool: &mut Pool,
        regions: &Regions,
        (_, predicates, method): &Question,
    ) -> Result<Region, Stop> {
        let mut search = Search::new(solver, pool, regions, predicates, &mut self.statistics);
        let Some(constant) = search.constant()? else { return Ok(regions.none()) };
        let region = match method {
            Method::Cartesian => search.region(&constant),
            Method::Boolean => search.possible(&constant)?,
        };
        let is_weak = search.is_weak;
        self.statistics.weakened += u64::from(is_weak);
        Ok(region)
    }
}
