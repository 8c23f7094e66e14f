//! What there is to say of interpolants before one of several sequences is selected.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::select::Candidate;
use super::atoms::predicates;
use super::rewrite::walk;
use super::trace::program_variable;
use crate::cfa::expr::{Expr, Node};
use crate::cfa::program::Var;
use crate::cfa::{DomainType, DomainTypes};
use crate::formula::Execution;

/// What a predicate costs, whatever it is about: values of easy variables are cheaper.
const PREDICATE: u64 = 2;
/// What a counter costs that is compared, but not with a constant for equality: that does not unroll its loop.
const COMPARED_COUNTER: u64 = 8;

/// What there is to say of interpolants at the cuts of a trace, from a prefix of so many segments.
pub fn candidate(
    execution: &mut Execution<'_>,
    types: &DomainTypes,
    length: usize,
    interpolants: &[Expr],
) -> Candidate {
    let mut atoms: FxHashSet<Expr> = FxHashSet::default();
    for &interpolant in interpolants {
        atoms.extend(predicates(execution, interpolant));
    }
    let mut weights: FxHashMap<Var, u64> = FxHashMap::default();
    for &atom in &atoms {
        let is_value = execution.pool.as_comparison_with_constant(atom).is_some();
        walk(&execution.pool, atom, |expr| {
            if let Node::Var(var) = execution.pool.node(expr)
                && let Some(var) = program_variable(&execution.symbols, var)
            {
                let weight = match types.of(var) {
                    DomainType::Counter if !is_value => COMPARED_COUNTER,
                    other => other.weight(),
                };
                let known = weights.entry(var).or_insert(weight);
                *known = weight.max(*known);
            }
            true
        });
    }
    let score = weights.values().sum::<u64>() + PREDICATE * atoms.len() as u64;
    let says_something = interpolants.iter().map(|&interpolant| execution.pool.as_const(interpolant).is_none());
    Candidate::new(length, score, says_something)
}
