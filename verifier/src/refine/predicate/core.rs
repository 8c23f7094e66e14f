//! Why a path is infeasible: which conditions of its segments exclude each other.

use rustc_hash::FxHashSet;

use super::rewrite::conjuncts;
use super::trace::{Trace, express_all};
use crate::cfa::expr::{Expr, Pool};
use crate::formula::Execution;
use crate::smt::{Answer, Solver};

/// How many questions are asked to make a core smaller.
const QUESTIONS: usize = 40;

/// The conditions of a trace that matter.
#[derive(Clone, Debug)]
pub struct Core {
    /// What each segment must fulfil, in terms of the variables where it starts.
    pub(super) conditions: Vec<Vec<Expr>>,
    /// What must hold at each cut for the rest of the trace to be taken.
    pub(super) rest: Vec<Vec<Expr>>,
}

/// What can be said of a trace.
#[derive(Clone, Debug)]
pub enum Feasibility {
    /// There is no run along it, for these reasons.
    Infeasible(Core),
    /// There may be a run along it.
    Feasible,
    /// The solver does not know, for this reason.
    Unknown(String),
}

/// What infeasible sliced prefixes consist of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Slices {
    /// Single steps of a path through the blocks.
    #[default]
    Steps,
    /// Whole blocks.
    Blocks,
}

/// A condition of a segment, and what it says in terms of the variables where the part of the trace begins that has been
/// looked at so far.
#[derive(Clone, Copy)]
struct Tagged {
    segment: usize,
    condition: Expr,
    expressed: Expr,
}

impl Core {
    /// Asks whether a trace is infeasible, and why. An error says what cannot be expressed.
    pub fn find(
        execution: &mut Execution<'_>,
        solver: &mut Solver<'_>,
        trace: &mut Trace,
    ) -> Result<Feasibility, String> {
        let conditions = Conditions::of(execution, trace)?;
        Ok(conditions.core(&execution.pool, solver, &conditions.all()))
    }
}

/// The conditions of a trace, in the order of its steps.
pub(super) struct Conditions {
    found: Vec<Tagged>,
    /// What the conditions of the segments from a cut on say there, for each cut from the last one to the start.
    cuts: Vec<Vec<Expr>>,
    segments: usize,
}

impl Conditions {
    /// Expresses all conditions. An error says what cannot be expressed.
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
            // Read only now: what was expressed may have stated what memories hold.
            let own = execution.conditions(state);
            let own = conjuncts(&mut execution.pool, own);
            let own = own.into_iter().map(|condition| Tagged { segment, condition, expressed: condition });
            found.splice(0..0, own);
            cuts.push(found.iter().map(|tagged| tagged.expressed).collect::<Vec<Expr>>());
        }
        Ok(Conditions { found, cuts, segments: trace.segments.len() })
    }

    /// The numbers of all conditions.
    pub fn all(&self) -> Vec<usize> {
        (0..self.found.len()).collect()
    }

    /// Which of some conditions exclude each other.
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
        // The list at a cut is the end of that at the start.
        let at_cut = |list: &Vec<Expr>| {
            let first = self.found.len() - list.len();
            core.iter().filter_map(|&i| i.checked_sub(first).map(|i| list[i])).collect()
        };
        let rest = self.cuts.iter().rev().skip(1).map(at_cut).collect();
        Feasibility::Infeasible(Core { conditions, rest })
    }

    /// The infeasible sliced prefixes of the trace (paper 003, Algorithm 1), at most so many: each is a list of conditions of
    /// which the last one, or those of the last segment, exclude the others. They are left out of the prefixes that follow.
    /// Prefixes grow by halves, so that few questions find where they end.
    pub fn prefixes(&self, pool: &Pool, solver: &mut Solver<'_>, slices: Slices, most: usize) -> Vec<Vec<usize>> {
        let mut is_infeasible = |list: &[usize]| {
            let conditions: Vec<Expr> = list.iter().map(|&i| self.found[i].expressed).collect();
            matches!(core_of(pool, solver, &conditions), Answer::Unsat(_))
        };
        let mut prefixes: Vec<Vec<usize>> = Vec::new();
        let mut kept = self.all();
        // How many of them are known to be feasible together.
        let mut feasible = 0;
        while prefixes.len() < most && is_infeasible(&kept) {
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

/// Do conditions exclude each other? An error says why the solver does not know. Where it can be seen at once, it is not asked.
pub(super) fn exclude_each_other(
    pool: &mut Pool,
    solver: &mut Solver<'_>,
    conditions: &[Expr],
) -> Result<bool, String> {
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

/// A core. Z3 gives none where one condition is enough.
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

/// Leaves out one condition after the other while the rest still excludes each other. Later ones go first: what is refuted
/// early is refuted for more paths.
fn minimize(pool: &Pool, solver: &mut Solver<'_>, all: &[Expr], mut core: Vec<usize>) -> Vec<usize> {
    let mut kept = core.len();
    for _ in 0..QUESTIONS {
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
