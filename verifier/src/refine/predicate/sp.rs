//! Interpolants by strongest postconditions, forwards from the start of the trace.

use rustc_hash::FxHashMap;

use super::core::{Core, core_of};
use super::eliminate::eliminate;
use super::rewrite::{all, mentions, replace, walk};
use super::trace::{Trace, express_all, is_program_variable};
use super::{Interpolator, Subject};
use crate::expr::{Expr, Node, Var};
use crate::facts::DomainType;
use crate::formula::{Execution, Symbol};
use crate::smt::{Answer, Solver};
use crate::tuning::Interpolation;

/// At each cut, the facts about the variables and cells that the rest of the trace reads, reduced to those that it
/// needs.
#[derive(Clone, Copy, Debug, Default)]
pub struct StrongestPostconditions;

impl Interpolator for StrongestPostconditions {
    fn name(&self) -> &'static str {
        "newton-sp"
    }

    /// The known value of a counter differs in each iteration, so it does not generalise.
    fn suits(&self, subject: Subject, _: &Interpolation) -> bool {
        subject.hardest < DomainType::Counter
    }

    fn interpolate(
        &mut self,
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        trace: &Trace,
        core: &Core,
    ) -> Result<Vec<Expr>, String> {
        let mut interpolants = Vec::new();
        let mut known: Vec<Expr> = Vec::new();
        for cut in 0..trace.cuts() {
            let after = post(execution, trace, core, cut, &known, &solver.monitor().tuning.interpolation)?;
            let facts = after.len();
            let questions: Vec<Expr> = after.iter().chain(&core.rest[cut]).copied().collect();
            known = match core_of(&execution.pool, solver, &questions) {
                Answer::Unsat(needed) => needed.into_iter().filter(|&i| i < facts).map(|i| after[i]).collect(),
                Answer::Sat(_) => return Err("inputs cannot be taken out of a postcondition".into()),
                Answer::Unknown(why) => return Err(why),
            };
            interpolants.push(all(&mut execution.pool, known.iter().copied()));
        }
        Ok(interpolants)
    }
}

/// The facts at a cut about what the rest of the trace reads, given `known` at the previous cut.
fn post(
    execution: &mut Execution<'_>,
    trace: &Trace,
    core: &Core,
    cut: usize,
    known: &[Expr],
    limits: &Interpolation,
) -> Result<Vec<Expr>, String> {
    let terms = read_terms(execution, &core.rest[cut]);
    let mut state = trace.segments[cut].clone();
    let before = execution.conditions(&state).len();
    let values = express_all(execution, &mut state, &terms)?;
    let mut conditions: Vec<Expr> = known.iter().chain(&core.conditions[cut]).copied().collect();
    // Definitions of the memories that were read.
    conditions.extend(execution.conditions(&state).into_iter().skip(before));
    let mut names: FxHashMap<Expr, Expr> = FxHashMap::default();
    let mut variables: Vec<Var> = Vec::new();
    for (&term, value) in terms.iter().zip(values) {
        let (symbol, sort) = (Symbol::Name { step: u32::MAX, value: term }, execution.pool.sort(term));
        let name = execution.symbols.expr(&mut execution.pool, symbol, sort);
        if let Node::Var(variable) = execution.pool.node(name) {
            variables.push(variable);
        }
        names.insert(name, term);
        conditions.push(execution.pool.eq(name, value));
    }
    let eliminated = eliminate(&mut execution.pool, conditions, &|var| !variables.contains(&var), limits);
    let named = eliminated.conjuncts.into_iter();
    Ok(named.map(|condition| replace(&mut execution.pool, condition, &names)).collect())
}

/// The program variables and cells that conditions read, older ones first.
pub(super) fn read_terms(execution: &Execution<'_>, conditions: &[Expr]) -> Vec<Expr> {
    let (pool, symbols) = (&execution.pool, &execution.symbols);
    let is_input = |var| !is_program_variable(symbols, var);
    let mut terms = std::collections::BTreeSet::new();
    for &condition in conditions {
        walk(pool, condition, |expr| match pool.node(expr) {
            Node::Var(var) => {
                let is_scalar = !matches!(pool.sort(expr), crate::expr::Sort::Memory(_));
                if is_scalar && !is_input(var) {
                    terms.insert(expr);
                }
                false
            }
            Node::Read { memory, .. } => {
                if matches!(pool.node(memory), Node::Var(_)) && !mentions(pool, expr, is_input) {
                    terms.insert(expr);
                }
                true
            }
            _ => true,
        });
    }
    terms.into_iter().collect()
}
