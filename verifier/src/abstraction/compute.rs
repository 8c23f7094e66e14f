//! The abstraction of a formula: the strongest region that it implies.

use rustc_hash::FxHashMap;

use super::groups::{Group, conjuncts, groups};
use super::regions::{Region, Regions};
use super::search::Search;
use crate::expr::{Expr, Pool};
use crate::monitor::StopReason;
use crate::smt::{Answer, Solver};

/// The precision of an abstraction.
#[derive(Default, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Method {
    /// A conjunction of literals: each predicate is true, false or unknown, independently of the others.
    Cartesian,
    /// Any boolean combination of predicates.
    #[default]
    Boolean,
}

/// Counters of abstractions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Abstractions requested.
    pub abstractions: u64,
    /// Abstractions answered from the cache.
    pub cached: u64,
    /// Independent groups computed or looked up.
    pub groups: u64,
    /// Groups answered from the cache.
    pub cached_groups: u64,
    /// Groups weaker than possible: the solver gave up, or a limit was reached.
    pub weakened: u64,
    /// Solver queries.
    pub queries: u64,
    /// Satisfiable solver queries.
    pub models: u64,
}

/// The key of the cache: conjuncts of the formula, predicates, and method.
type Query = (Box<[Expr]>, Box<[(u32, Expr)]>, Method);

/// Computes and caches abstractions, for the expressions of one pool and the regions of one [`Regions`].
#[derive(Default)]
pub struct Abstraction {
    known: FxHashMap<Query, Region>,
    statistics: Statistics,
}

impl Abstraction {
    /// An abstraction with an empty cache.
    pub fn new() -> Abstraction {
        Abstraction::default()
    }

    /// The counters so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The strongest region allowed by `method` that the conjunction of `formula` implies, for predicates with the
    /// given values. It is empty iff the formula was proved unsatisfiable.
    ///
    /// The region is weaker, but still implied, where the solver gives up or there are too many assignments.
    ///
    /// # Errors
    /// If the run is cancelled.
    ///
    /// # Panics
    /// If a predicate occurs twice with different values, or the solver has assertions.
    pub fn compute(
        &mut self,
        solver: &mut Solver<'_>,
        pool: &mut Pool,
        regions: &Regions,
        formula: &[Expr],
        predicates: &[(u32, Expr)],
        method: Method,
    ) -> Result<Region, StopReason> {
        assert!(!solver.has_assertions(), "the formula is all that is asserted");
        self.statistics.abstractions += 1;
        let mut predicates = predicates.to_vec();
        predicates.sort_unstable();
        predicates.dedup();
        assert!(predicates.windows(2).all(|pair| pair[0].0 != pair[1].0), "a predicate has one value");
        let conjuncts = conjuncts(pool, formula);
        let query = (conjuncts.into_boxed_slice(), predicates.into_boxed_slice(), method);
        if let Some(known) = self.known.get(&query) {
            self.statistics.cached += 1;
            return Ok(known.clone());
        }
        let region = self.conjunction_of_groups(solver, pool, regions, &query)?;
        self.keep(solver, query, &region);
        Ok(region)
    }

    fn keep(&mut self, solver: &Solver<'_>, query: Query, region: &Region) {
        if self.known.len() >= solver.monitor().tuning.abstraction.max_cached {
            self.known.clear();
        }
        self.known.insert(query, region.clone());
    }

    fn conjunction_of_groups(
        &mut self,
        solver: &mut Solver<'_>,
        pool: &mut Pool,
        regions: &Regions,
        (conjuncts, predicates, method): &Query,
    ) -> Result<Region, StopReason> {
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
    ) -> Result<Region, StopReason> {
        self.statistics.groups += 1;
        let query = (group.conjuncts.into_boxed_slice(), group.predicates.into_boxed_slice(), method);
        if let Some(known) = self.known.get(&query) {
            self.statistics.cached_groups += 1;
            return Ok(known.clone());
        }
        // Asserted as one expression, so that models are checked in one evaluation.
        let formula = query.0.iter().rev().copied().reduce(|all, conjunct| pool.and(conjunct, all));
        let formula = formula.unwrap_or_else(|| pool.bool(true));
        solver.push();
        solver.assert(pool, formula);
        let region = self.search(solver, pool, regions, &query);
        solver.pop(1);
        let region = region?;
        self.keep(solver, query, &region);
        Ok(region)
    }

    fn search(
        &mut self,
        solver: &mut Solver<'_>,
        pool: &mut Pool,
        regions: &Regions,
        (_, predicates, method): &Query,
    ) -> Result<Region, StopReason> {
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
