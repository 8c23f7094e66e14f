//! Enumeration of the assignments to predicates that a formula allows.
//!
//! Only assignments that the solver has refuted are excluded. The result is an over-approximation if the solver gives
//! up or a limit is reached.

use std::collections::BTreeMap;

use super::compute::Statistics;
use super::regions::{Cube, Region, Regions};
use crate::expr::{Expr, Pool, Value};
use crate::monitor::StopReason;
use crate::smt::{Answer, Model, Solver};
use crate::tuning;

/// Truth values of the predicates in a model, by position; `None` where the model gives none.
type Assignment = Vec<Option<bool>>;
/// Literals of predicates, by position.
type Literals = Vec<(usize, bool)>;

/// A search over the assignments to predicates. The formula is asserted on the solver's stack.
pub(super) struct Search<'s, 'm> {
    solver: &'s mut Solver<'m>,
    pool: &'s mut Pool,
    regions: &'s Regions,
    predicates: &'s [(u32, Expr)],
    statistics: &'s mut Statistics,
    /// The assignments found so far.
    found: Vec<Assignment>,
    /// The number of unknown answers.
    unknown: usize,
    tuning: tuning::Abstraction,
    /// Whether an assignment was kept without knowing that it is possible.
    pub is_weak: bool,
}

impl<'s, 'm> Search<'s, 'm> {
    pub fn new(
        solver: &'s mut Solver<'m>,
        pool: &'s mut Pool,
        regions: &'s Regions,
        predicates: &'s [(u32, Expr)],
        statistics: &'s mut Statistics,
    ) -> Search<'s, 'm> {
        for &(_, value) in predicates {
            solver.name(pool, value);
        }
        let tuning = solver.monitor().tuning.abstraction;
        let found = Vec::new();
        Search { solver, pool, regions, predicates, statistics, found, unknown: 0, tuning, is_weak: false }
    }

    /// The predicates with the same value in all models; `None` if the formula is unsatisfiable.
    pub fn constant(&mut self) -> Result<Option<Literals>, StopReason> {
        match self.ask(&[])? {
            Answer::Unsat(_) => return Ok(None),
            Answer::Sat(_) => {}
            // Without a model, every literal is a candidate.
            Answer::Unknown(_) => return Ok(Some(self.constant_one_by_one()?)),
        }
        let first = self.found[0].clone();
        let mut candidates: Literals =
            first.iter().enumerate().filter_map(|(position, value)| Some((position, (*value)?))).collect();
        // Look for a model that violates any candidate; the violated ones are dropped.
        while !candidates.is_empty() {
            let opposite = candidates.iter().fold(self.pool.bool(false), |any, &literal| {
                let opposite = self.literal((literal.0, !literal.1));
                self.pool.or(any, opposite)
            });
            match self.ask(&[opposite])? {
                Answer::Unsat(_) => break,
                Answer::Sat(_) => {
                    let before = candidates.len();
                    let model = self.found.last().expect("a model was found");
                    candidates.retain(|&(position, value)| model[position] == Some(value));
                    debug_assert!(candidates.len() < before);
                }
                Answer::Unknown(_) => return self.refuted_opposites(candidates).map(Some),
            }
        }
        Ok(Some(candidates))
    }

    fn constant_one_by_one(&mut self) -> Result<Literals, StopReason> {
        let both = (0..self.predicates.len()).flat_map(|position| [(position, true), (position, false)]).collect();
        self.refuted_opposites(both)
    }

    /// The candidates that the formula implies. Candidates that some model violates are skipped.
    fn refuted_opposites(&mut self, candidates: Literals) -> Result<Literals, StopReason> {
        let mut constant = Literals::new();
        for (position, value) in candidates {
            if self.unknown > self.tuning.max_unknown {
                break;
            }
            let known = constant.iter().any(|&(other, _)| other == position);
            if known || self.found.iter().any(|assignment| assignment[position] != Some(value)) {
                continue;
            }
            let opposite = self.literal((position, !value));
            if let Answer::Unsat(_) = self.ask(&[opposite])? {
                constant.push((position, value));
            }
        }
        Ok(constant)
    }

    /// All possible assignments, given the literals `constant` that always hold.
    ///
    /// While some assignment is neither found nor refuted, the solver is queried with a cube that contains no
    /// assignment found. The cube is maximal in that respect, so a refutation excludes as much as possible.
    pub fn possible(&mut self, constant: &Literals) -> Result<Region, StopReason> {
        let open: Vec<usize> =
            (0..self.predicates.len()).filter(|position| constant.iter().all(|(other, _)| other != position)).collect();
        let mut possible = self.regions.and(&self.region(constant), &self.at_most_one(&open));
        // A single predicate has both values, or it would be constant.
        if open.len() < 2 {
            return Ok(possible);
        }
        let mut undecided = possible.clone();
        for assignment in self.found.clone() {
            undecided = self.without(&undecided, &chosen(&assignment, &open));
        }
        let (mut models, mut refuted) = (self.found.len(), 0);
        let tuning::Abstraction { max_answers, max_unknown, .. } = self.tuning;
        while models < max_answers && refuted < max_answers && self.unknown <= max_unknown {
            let Some(cube) = self.regions.some_cube(&undecided) else { break };
            let cube = self.enlarged(self.positions(&cube, &open));
            let assumptions: Vec<Expr> = cube.iter().map(|&literal| self.literal(literal)).collect();
            match self.ask(&assumptions)? {
                Answer::Sat(_) => {
                    models += 1;
                    let assignment = self.found.last().expect("a model was found");
                    let assignment = chosen(assignment, &open);
                    undecided = self.without(&undecided, &assignment);
                }
                Answer::Unsat(core) => {
                    refuted += 1;
                    let core: Literals = core.into_iter().map(|position| cube[position]).collect();
                    possible = self.without(&possible, &core);
                    undecided = self.without(&undecided, &core);
                }
                Answer::Unknown(_) => undecided = self.without(&undecided, &cube),
            }
        }
        self.is_weak |= undecided != self.regions.none();
        Ok(possible)
    }

    /// Excludes that a term equals two constants, which the solver would otherwise refute pair by pair. Of equivalent
    /// predicates, one represents all.
    fn at_most_one(&self, open: &[usize]) -> Region {
        let mut of_term: BTreeMap<Expr, BTreeMap<Expr, u32>> = BTreeMap::new();
        for &position in open {
            let (index, value) = self.predicates[position];
            if let Some((term, constant)) = self.pool.as_comparison_with_constant(value) {
                of_term.entry(term).or_default().entry(constant).or_insert(index);
            }
        }
        of_term.values().fold(self.regions.all(), |all, indices| {
            // Folds from the last index: no predicate holds, or exactly one does.
            let start = (self.regions.all(), self.regions.none());
            let (none, one) = indices.values().rev().fold(start, |(none, one), &index| {
                let [no, yes] = [false, true].map(|value| self.regions.literal(index, value));
                let one = self.regions.or(&self.regions.and(&no, &one), &self.regions.and(&yes, &none));
                (self.regions.and(&no, &none), one)
            });
            self.regions.and(&all, &self.regions.or(&none, &one))
        })
    }

    /// The literals of a cube of open predicates, by position.
    fn positions(&self, cube: &Cube, open: &[usize]) -> Literals {
        let position = |index| open.iter().copied().find(|&position| self.predicates[position].0 == index);
        cube.iter().filter_map(|&(index, value)| Some((position(index)?, value))).collect()
    }

    /// Drops literals that are not needed to exclude the assignments found.
    fn enlarged(&self, mut cube: Literals) -> Literals {
        let differs = |assignment: &Assignment, (position, value): (usize, bool)| assignment[position] == Some(!value);
        let mut reasons: Vec<usize> = self
            .found
            .iter()
            .map(|assignment| cube.iter().filter(|&&literal| differs(assignment, literal)).count())
            .collect();
        for n in (0..cube.len()).rev() {
            let literal = cube[n];
            let needed = self.found.iter().zip(&reasons).any(|(found, &count)| count <= 1 && differs(found, literal));
            if !needed {
                cube.remove(n);
                for (found, count) in self.found.iter().zip(&mut reasons) {
                    *count -= usize::from(differs(found, literal));
                }
            }
        }
        cube
    }

    fn literal(&mut self, (position, value): (usize, bool)) -> Expr {
        let expr = self.predicates[position].1;
        if value { expr } else { self.pool.not(expr) }
    }

    pub fn region(&self, literals: &Literals) -> Region {
        let cube: Cube = literals.iter().map(|&(position, value)| (self.predicates[position].0, value)).collect();
        self.regions.cube(&cube)
    }

    fn without(&self, region: &Region, literals: &Literals) -> Region {
        self.regions.and(region, &self.regions.not(&self.region(literals)))
    }

    /// Queries the solver under assumptions, and records the truth values of the predicates in a model.
    fn ask(&mut self, assumptions: &[Expr]) -> Result<Answer, StopReason> {
        self.statistics.queries += 1;
        let answer = self.solver.check_assuming(self.pool, assumptions);
        self.solver.monitor().check()?;
        match &answer {
            Answer::Sat(model) => {
                self.statistics.models += 1;
                let assignment = self.assignment(model);
                self.found.push(assignment);
            }
            Answer::Unsat(_) => {}
            Answer::Unknown(_) => {
                self.unknown += 1;
                self.is_weak = true;
            }
        }
        Ok(answer)
    }

    fn assignment(&self, model: &Model) -> Assignment {
        let value = |expr| match model.value(self.pool, expr) {
            Ok(Value::Bool(value)) => Some(value),
            // An undefined operator may have either value.
            _ => None,
        };
        self.predicates.iter().map(|&(_, expr)| value(expr)).collect()
    }
}

/// The values of the open predicates.
fn chosen(assignment: &Assignment, open: &[usize]) -> Literals {
    open.iter().filter_map(|&position| Some((position, assignment[position]?))).collect()
}
