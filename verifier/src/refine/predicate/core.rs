//! Unsatisfiable cores: the conditions of a trace that contradict each other.

use rustc_hash::FxHashSet;

use super::rewrite::conjuncts;
use super::trace::{Trace, express_all};
use crate::expr::{Expr, Pool};
use crate::formula::Execution;
use crate::smt::{Answer, Solver};

/// The relevant conditions of an infeasible trace.
#[derive(Clone, Debug)]
pub struct Core {
    /// The conditions of each segment, over the variables at its start.
    pub(super) conditions: Vec<Vec<Expr>>,
    /// The conditions at each cut under which the rest of the trace can be taken.
    pub(super) rest: Vec<Vec<Expr>>,
}

/// The feasibility of a trace.
#[derive(Clone, Debug)]
pub enum Feasibility {
    /// No run exists, for these reasons.
    Infeasible(Core),
    /// A run may exist.
    Feasible,
    /// The solver could not decide, for this reason.
    Unknown(String),
}

/// The granularity of infeasible sliced prefixes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Slices {
    /// Single steps of a path through the blocks.
    #[default]
    Steps,
    /// Whole blocks.
    Blocks,
}

/// A condition of a segment, and the same condition over the variables at the start of the suffix processed so far.
#[derive(Clone, Copy)]
struct Tagged {
    segment: usize,
    condition: Expr,
    expressed: Expr,
}

impl Core {
    /// Checks whether a trace is infeasible, and why. An error says what cannot be expressed.
    pub fn find(
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        trace: &mut Trace,
    ) -> Result<Feasibility, String> {
        let conditions = Conditions::of(execution, trace)?;
        Ok(conditions.core(&execution.pool, solver, &conditions.all()))
    }
}

/// The conditions of a trace, in order.
pub(super) struct Conditions {
    found: Vec<Tagged>,
    /// For each cut, from the last to the start: the conditions of all later segments expressed there.
    cuts: Vec<Vec<Expr>>,
    segments: usize,
}

impl Conditions {
    /// Collects and expresses all conditions. An error says what cannot be expressed.
    pub fn of(execution: &mut Execution<'_>, trace: &mut Trace) -> Result<Conditions, String> {
        let mut cuts = Vec::new();
        let mut found: Vec<Tagged> = Vec::new();
        for segment in (0..trace.segments.len()).rev() {
            let state = &mut trace.segments[segment];
            let later: Vec<Expr> = found.iter().map(|tagged| tagged.expressed).collect();
            let expressed = express_all(execution, state, &later)?;
            for (tagged, expressed) in found.iter_mut().zip(expressed) {
                tagged.expressed = expressed;
            }
            // Expressing may have added memory definitions to the conditions.
            let own = execution.conditions(state);
            let own = conjuncts(&mut execution.pool, own);
            let own = own.into_iter().map(|condition| Tagged { segment, condition, expressed: condition });
            found.splice(0..0, own);
            cuts.push(found.iter().map(|tagged| tagged.expressed).collect::<Vec<Expr>>());
        }
        Ok(Conditions { found, cuts, segments: trace.segments.len() })
    }

    /// The indices of all conditions.
    pub fn all(&self) -> Vec<usize> {
        (0..self.found.len()).collect()
    }

    /// A core of the given conditions.
    pub fn core(&self, pool: &Pool, solver: &mut Solver<'_>, of: &[usize]) -> Feasibility {
        let some: Vec<Expr> = of.iter().map(|&i| self.found[i].expressed).collect();
        let core: Vec<usize> = match core_of(pool, solver, &some) {
            Answer::Unsat(core) => minimize(pool, solver, &some, core).into_iter().map(|i| of[i]).collect(),
            Answer::Sat(_) => return Feasibility::Feasible,
            Answer::Unknown(why) => return Feasibility::Unknown(why),
        };
        let conditions = (0..self.segments).map(|segment| {
            let of_segment = core.iter().filter(|&&i| self.found[i].segment == segment);
            of_segment.map(|&i| self.found[i].condition).collect()
        });
        let conditions = conditions.collect();
        // The list at a cut is a suffix of that at the start.
        let at_cut = |list: &Vec<Expr>| {
            let first = self.found.len() - list.len();
            core.iter().filter_map(|&i| i.checked_sub(first).map(|i| list[i])).collect()
        };
        let rest = self.cuts.iter().rev().skip(1).map(at_cut).collect();
        Feasibility::Infeasible(Core { conditions, rest })
    }

    /// At most `most` infeasible sliced prefixes of the trace (paper 003, Algorithm 1). Each is a list of conditions,
    /// infeasible because of the last one or those of the last segment, which are dropped from later prefixes. The ends
    /// of prefixes are found by binary search.
    pub fn prefixes(&self, pool: &Pool, solver: &mut Solver<'_>, slices: Slices, max: usize) -> Vec<Vec<usize>> {
        let mut is_infeasible = |list: &[usize]| {
            let conditions: Vec<Expr> = list.iter().map(|&i| self.found[i].expressed).collect();
            matches!(core_of(pool, solver, &conditions), Answer::Unsat(_))
        };
        let mut prefixes: Vec<Vec<usize>> = Vec::new();
        let mut kept = self.all();
        // The number of leading conditions known to be satisfiable.
        let mut feasible = 0;
        while prefixes.len() < max && is_infeasible(&kept) {
            let mut infeasible = kept.len();
            while infeasible - feasible > 1 {
                let middle = feasible.midpoint(infeasible);
                if is_infeasible(&kept[..middle]) {
                    infeasible = middle;
                } else {
                    feasible = middle;
                }
            }
            let left_out = match slices {
                Slices::Steps => infeasible - 1..infeasible,
                Slices::Blocks => {
                    let segment_of = |&i: &usize| self.found[i].segment;
                    let last = segment_of(&kept[infeasible - 1]);
                    kept.partition_point(|i| segment_of(i) < last)..kept.partition_point(|i| segment_of(i) <= last)
                }
            };
            prefixes.push(kept[..left_out.end].to_vec());
            feasible = left_out.start;
            kept.drain(left_out);
        }
        prefixes
    }
}

/// Whether the conditions are unsatisfiable. An error says why the solver could not decide. Syntactic contradictions
/// need no query.
pub(super) fn are_contradictory(pool: &mut Pool, solver: &mut Solver<'_>, conditions: &[Expr]) -> Result<bool, String> {
    let list = conjuncts(pool, conditions.iter().copied());
    let (never, all) = (pool.bool(false), FxHashSet::from_iter(list.iter().copied()));
    if all.contains(&never) || list.iter().any(|&condition| all.contains(&pool.not(condition))) {
        return Ok(true);
    }
    match solver.check_once(pool, &list) {
        Answer::Unsat(_) => Ok(true),
        Answer::Sat(_) => Ok(false),
        Answer::Unknown(why) => Err(why),
    }
}

/// A core. Z3 returns an empty one if a single condition is unsatisfiable.
pub(super) fn core_of(pool: &Pool, solver: &mut Solver<'_>, conditions: &[Expr]) -> Answer {
    let is_false = |condition: &Expr| pool.as_const(*condition).is_some_and(|value| !value.is_true());
    if let Some(position) = conditions.iter().position(is_false) {
        return Answer::Unsat(vec![position]);
    }
    match solver.core(pool, conditions) {
        Answer::Unsat(core) if core.is_empty() => {
            let alone = |&i: &usize| matches!(solver.check_once(pool, &conditions[i..=i]), Answer::Unsat(_));
            match (0..conditions.len()).find(alone) {
                Some(position) => Answer::Unsat(vec![position]),
                None => Answer::Unsat((0..conditions.len()).collect()),
            }
        }
        answer => answer,
    }
}

/// Removes conditions one by one while the rest stays unsatisfiable. Later ones are removed first: an earlier
/// contradiction excludes more paths.
fn minimize(pool: &Pool, solver: &mut Solver<'_>, all: &[Expr], mut core: Vec<usize>) -> Vec<usize> {
    let mut kept = core.len();
    for _ in 0..solver.monitor().tuning.interpolation.max_minimize_queries {
        let Some(candidate) = kept.checked_sub(1) else { break };
        kept = candidate;
        let mut smaller = core.clone();
        smaller.remove(candidate);
        let conditions: Vec<Expr> = smaller.iter().map(|&i| all[i]).collect();
        if let Answer::Unsat(still) = core_of(pool, solver, &conditions) {
            kept = still.iter().filter(|&&i| i < candidate).count();
            core = still.into_iter().map(|i| smaller[i]).collect();
        }
    }
    core
}
