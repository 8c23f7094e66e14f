//! Measures of interpolants for refinement selection.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::select::Candidate;
use super::atoms::predicates;
use super::rewrite::walk;
use super::trace::program_variable;
use crate::expr::{Expr, Node, Var};
use crate::facts::{DomainType, DomainTypes};
use crate::formula::Execution;
use crate::tuning::Tuning;

/// Measures the interpolants at the cuts of a trace, from a prefix with `length` conditions.
pub fn candidate(
    execution: &mut Execution<'_>,
    types: &DomainTypes,
    length: usize,
    interpolants: &[Expr],
    tuning: &Tuning,
) -> Candidate {
    let mut atoms: FxHashSet<Expr> = FxHashSet::default();
    for &interpolant in interpolants {
        atoms.extend(predicates(execution, interpolant, tuning.interpolation.max_choices));
    }
    let mut weights: FxHashMap<Var, u64> = FxHashMap::default();
    for &atom in &atoms {
        let is_value = execution.pool.as_comparison_with_constant(atom).is_some();
        walk(&execution.pool, atom, |expr| {
            if let Node::Var(var) = execution.pool.node(expr)
                && let Some(var) = program_variable(&execution.symbols, var)
            {
                let weight = match types.of(var) {
                    DomainType::Counter if !is_value => tuning.weight.compared_counter,
                    other => other.weight(&tuning.weight),
                };
                let known = weights.entry(var).or_insert(weight);
                *known = weight.max(*known);
            }
            true
        });
    }
    let score = weights.values().sum::<u64>() + tuning.weight.predicate * atoms.len() as u64;
    let says_something = interpolants.iter().map(|&interpolant| execution.pool.as_const(interpolant).is_none());
    Candidate::new(length, score, says_something)
}
