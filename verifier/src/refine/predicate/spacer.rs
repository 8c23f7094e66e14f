//! Interpolants by Spacer: bit-vectors are approximated by integers, over which it generalises well.
//!
//! First, cuts at the same location share one relation. The clauses then describe the part of the program that the
//! trace passes, including its loops, and a solution is an invariant of these loops. If there is none, each cut gets
//! its own relation.

use rustc_hash::FxHashMap;
use z3::ast::{Bool, Dynamic};

use super::Interpolator;
use super::check::check;
use super::core::Core;
use super::linear::{Solution, SumWidth};
use super::rewrite::walk;
use super::sp::read_terms;
use super::trace::{Trace, express_all};
use crate::cfa::program::{EdgeId, LocId};
use crate::expr::{BinaryOp, Expr, Node, Pool, Sort};
use crate::formula::Execution;
use crate::smt::Solver;
use crate::smt::horn::{Horn, Relation};
use crate::smt::integers::{Integers, View, is_expressible};
use crate::tuning::Interpolation;

/// Invariants of the loops that a trace passes, or interpolants of the trace.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spacer;

impl Interpolator for Spacer {
    fn name(&self) -> &'static str {
        "spacer"
    }

    fn interpolate(
        &mut self,
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        trace: &Trace,
        core: &Core,
    ) -> Result<Vec<Expr>, String> {
        let tuning = &solver.monitor().tuning.interpolation;
        if trace.cuts() > tuning.spacer_max_cuts {
            return Err("the trace is too long".into());
        }
        let view = view(&execution.pool, core);
        let places = (0..trace.cuts()).map(|cut| trace.place(cut));
        let mut numbers: FxHashMap<(LocId, Vec<EdgeId>), usize> = FxHashMap::default();
        let folded: Vec<usize> = places
            .map(|place| {
                let next = numbers.len();
                *numbers.entry(place).or_insert(next)
            })
            .collect();
        let apart: Vec<usize> = (0..trace.cuts()).collect();
        let attempts = if folded == apart { vec![apart] } else { vec![folded, apart] };
        let mut why = String::new();
        for relation_of in &attempts {
            let system = match System::solve(execution, trace, core, view, relation_of, tuning) {
                Ok(system) => system,
                Err(failure) => {
                    why = failure;
                    continue;
                }
            };
            for width in [SumWidth::Narrow, SumWidth::Wide] {
                match system.read(execution, (view, width), relation_of) {
                    Some(interpolants) => match check(execution, solver, trace, &interpolants) {
                        Ok(()) => return Ok(interpolants),
                        Err(failure) => why = failure,
                    },
                    None => why = "a solution is not about sums".into(),
                }
            }
        }
        Err(why)
    }
}

/// The signedness of the majority of comparisons.
fn view(pool: &Pool, core: &Core) -> View {
    let mut balance = 0;
    for &condition in core.conditions.iter().flatten() {
        walk(pool, condition, |expr| {
            match pool.node(expr) {
                Node::Binary(BinaryOp::SignedLess | BinaryOp::SignedLessEq, ..) => balance += 1,
                Node::Binary(BinaryOp::UnsignedLess | BinaryOp::UnsignedLessEq, ..) => balance -= 1,
                _ => {}
            }
            true
        });
    }
    if balance < 0 { View::Unsigned } else { View::Signed }
}

/// A solution for a trace with a relation for each cut.
struct System {
    /// The arguments of each relation.
    terms: Vec<Vec<Expr>>,
    relations: Vec<Relation>,
    solution: Solution,
}

impl System {
    fn read(&self, execution: &mut Execution<'_>, form: (View, SumWidth), relation_of: &[usize]) -> Option<Vec<Expr>> {
        let pool = &mut execution.pool;
        let all = self.relations.iter().zip(&self.terms);
        let read: Option<Vec<Expr>> =
            all.map(|(relation, terms)| self.solution.of(&relation.name(), pool, form, terms)).collect();
        read.map(|read| relation_of.iter().map(|&relation| read[relation]).collect())
    }

    fn solve(
        execution: &mut Execution<'_>,
        trace: &Trace,
        core: &Core,
        view: View,
        relation_of: &[usize],
        tuning: &Interpolation,
    ) -> Result<System, String> {
        let count = relation_of.iter().max().map_or(0, |&last| last + 1);
        let mut terms: Vec<Vec<Expr>> = vec![Vec::new(); count];
        for (cut, &relation) in relation_of.iter().enumerate() {
            terms[relation].extend(read_terms(execution, &core.rest[cut]));
        }
        for terms in &mut terms {
            terms.retain(|&term| is_expressible(execution.pool.sort(term)));
            terms.sort_unstable();
            terms.dedup();
            if terms.len() > tuning.spacer_max_terms {
                return Err("the trace is about too many terms".into());
            }
        }
        let mut horn = Horn::new(tuning.spacer_time);
        let is_truth_value = |term: &Expr| execution.pool.sort(*term) == Sort::Bool;
        let relations: Vec<Relation> =
            terms.iter().map(|terms| horn.relation(terms.iter().map(is_truth_value))).collect();
        for segment in 0..=trace.cuts() {
            let mut state = trace.segments[segment].clone();
            let known = execution.conditions(&state).len();
            let after = relation_of.get(segment).map(|&relation| (relations[relation], &terms[relation]));
            let values = match after {
                Some((_, terms)) => express_all(execution, &mut state, terms)?,
                None => Vec::new(),
            };
            let mut conditions = core.conditions[segment].clone();
            conditions.extend(execution.conditions(&state).into_iter().skip(known));
            let mut integers = Integers::new(&execution.pool, view);
            let mut holds: Vec<Bool> = conditions.iter().filter_map(|&one| integers.term(one).as_bool()).collect();
            let before = segment.checked_sub(1).map(|cut| relation_of[cut]);
            let before = before.map(|relation| {
                let arguments: Vec<Dynamic> = terms[relation].iter().map(|&term| integers.term(term)).collect();
                (relations[relation], arguments)
            });
            let arguments: Vec<Dynamic> = values.iter().map(|&value| integers.term(value)).collect();
            let (constants, facts) = integers.finish();
            holds.extend(facts);
            horn.clause(
                &constants,
                before.as_ref().map(|(relation, arguments)| (*relation, arguments.as_slice())),
                &holds,
                after.map(|(relation, _)| (relation, arguments.as_slice())),
            );
        }
        let solution = Solution::parse(&horn.solve()?).ok_or("a solution cannot be read")?;
        Ok(System { terms, relations, solution })
    }
}
