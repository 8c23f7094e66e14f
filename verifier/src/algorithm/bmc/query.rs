//! What an unrolling asks the solver, and what becomes of its answers.

use std::time::Duration;

use crate::cfa::{Expr, Program, Step};
use crate::evidence::{Counterexample, PathCheck, check_path};
use crate::formula::{Execution, State};
use crate::monitor::{Monitor, Stop};
use crate::smt::{Answer, Options, Solver};

/// For the question whether a way is open at all: it only saves work.
const SHORT: Duration = Duration::from_secs(1);
/// For errors, as long as there is something else to do.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// After so many failures the solver is not asked even less often.
const MOST_FAILURES: u32 = 10;
/// So many paths to the same errors are tried one after the other.
const PATHS: usize = 16;

/// The solver and what it is asked.
pub(super) struct Questions<'a> {
    solver: Solver<'a>,
    monitor: &'a Monitor,
    /// How often the solver did not know soon whether a way is open, since it last knew.
    failures: u32,
    /// How many such questions are not asked because of that.
    skipped: u32,
}

/// Why it is not known whether an error can be reached.
#[derive(Clone, Debug)]
pub enum Doubt {
    /// The solver did not say.
    Solver {
        /// What it said instead.
        why: String,
        /// A path to the error, if there is a particular one.
        path: Vec<Step>,
    },
    /// A feasible path does not lead to the error when it is replayed.
    Replay {
        /// How the replay ended.
        why: String,
        /// The path.
        path: Vec<Step>,
    },
}

/// What became of errors.
pub(super) enum Judgement {
    /// None can be reached.
    Unreachable,
    /// This run reaches one.
    Reached(Box<Counterexample>),
    /// Not known for some of them, given by their positions.
    Undecided(Vec<usize>, Doubt),
}

impl<'a> Questions<'a> {
    pub(super) fn new(monitor: &'a Monitor) -> Questions<'a> {
        Questions { solver: Solver::new(monitor, Options::default()), monitor, failures: 0, skipped: 0 }
    }

    /// Can a state be reached, as far as is known soon? After each failure to answer the question is asked less often.
    pub(super) fn is_open(&mut self, execution: &Execution<'_>, state: &State) -> bool {
        if self.skipped > 0 {
            self.skipped -= 1;
            return true;
        }
        self.solver.set_time(Some(SHORT));
        match self.solver.check_once(&execution.pool, &execution.conditions(state)) {
            Answer::Unknown(_) => {
                self.failures += 1;
                self.skipped = 1 << self.failures.min(MOST_FAILURES);
                true
            }
            answer => {
                self.failures = 0;
                matches!(answer, Answer::Sat(_))
            }
        }
    }

    /// Can a state be reached, as far as is known?
    pub(super) fn can_reach(&mut self, execution: &Execution<'_>, state: &State, time: Option<Duration>) -> bool {
        self.solver.set_time(time);
        !matches!(self.solver.check_once(&execution.pool, &execution.conditions(state)), Answer::Unsat(_))
    }

    /// Can none of some states be reached? `None` if the solver does not say.
    pub(super) fn exclude(&mut self, execution: &mut Execution<'_>, states: &[&State], time: Duration) -> Option<bool> {
        self.solver.set_time(Some(time));
        let query = one_of(execution, states);
        match self.solver.check_once(&execution.pool, &query) {
            Answer::Unsat(_) => Some(true),
            Answer::Sat(_) => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    /// Looks for a run to one of some error states.
    pub(super) fn judge(
        &mut self,
        execution: &mut Execution<'_>,
        states: &[&State],
        time: Option<Duration>,
    ) -> Result<Judgement, Stop> {
        match self.judge_together(execution, states, time)? {
            Judgement::Undecided(..) if states.len() > 1 => {}
            known => return Ok(known),
        }
        let (mut undecided, mut doubt) = (Vec::new(), None);
        for (i, state) in states.iter().enumerate() {
            match self.judge_together(execution, &[state], time)? {
                Judgement::Unreachable => {}
                Judgement::Undecided(_, why) => {
                    undecided.push(i);
                    doubt.get_or_insert(why);
                }
                found => return Ok(found),
            }
        }
        Ok(doubt.map_or(Judgement::Unreachable, |doubt| Judgement::Undecided(undecided, doubt)))
    }

    fn judge_together(
        &mut self,
        execution: &mut Execution<'_>,
        states: &[&State],
        time: Option<Duration>,
    ) -> Result<Judgement, Stop> {
        let program = execution.program();
        let mut query = one_of(execution, states);
        let all = || (0..states.len()).collect();
        let mut doubt = None;
        for _ in 0..PATHS {
            self.solver.set_time(time);
            let answer = self.solver.check_once(&execution.pool, &query);
            self.monitor.check()?;
            let model = match answer {
                Answer::Sat(model) => model,
                Answer::Unsat(_) => {
                    return Ok(doubt.map_or(Judgement::Unreachable, |doubt| Judgement::Undecided(all(), doubt)));
                }
                Answer::Unknown(why) => {
                    let doubt = doubt.unwrap_or(Doubt::Solver { why, path: Vec::new() });
                    return Ok(Judgement::Undecided(all(), doubt));
                }
            };
            let holds = |state: &&&State| {
                execution.conditions(state).into_iter().all(|condition| model.satisfies(&execution.pool, condition))
            };
            let Some(state) = states.iter().find(holds) else {
                let why = "no error state has the solver's model".into();
                return Ok(Judgement::Undecided(all(), Doubt::Solver { why, path: Vec::new() }));
            };
            let mut choices = Vec::new();
            let path = execution.path(state, |choice| {
                let holds = model.satisfies(&execution.pool, choice);
                choices.push((choice, holds));
                holds
            });
            match self.confirm(program, path)? {
                Ok(found) => return Ok(Judgement::Reached(found)),
                Err(None) => {}
                Err(Some(why)) => {
                    doubt.get_or_insert(why);
                }
            }
            // Another path, then. Without choices there is none to this state, but there may be one to another.
            let mut same = execution.pool.bool(true);
            for (choice, holds) in choices {
                let literal = if holds { choice } else { execution.pool.not(choice) };
                same = execution.pool.and(same, literal);
            }
            if states.len() > 1 {
                let here: Vec<Expr> = execution.conditions(state);
                same = here.into_iter().fold(same, |all, condition| execution.pool.and(all, condition));
            }
            query.push(execution.pool.not(same));
        }
        let why = "all paths that were tried are infeasible".into();
        Ok(Judgement::Undecided(all(), doubt.unwrap_or(Doubt::Solver { why, path: Vec::new() })))
    }

    /// Checks and replays a path. `Err(None)` if it is infeasible after all.
    fn confirm(
        &mut self,
        program: &Program,
        path: Vec<Step>,
    ) -> Result<Result<Box<Counterexample>, Option<Doubt>>, Stop> {
        let result = check_path(program, &path, self.monitor);
        self.monitor.check()?;
        Ok(match result {
            PathCheck::Feasible(found) => Ok(found),
            PathCheck::Infeasible { .. } => Err(None),
            PathCheck::Unknown(why) => Err(Some(Doubt::Solver { why, path })),
            PathCheck::ReplayFailed(why) => Err(Some(Doubt::Replay { why, path })),
        })
    }
}

/// The conditions under which one of some states is reached. What must hold for all of them stands alone.
fn one_of(execution: &mut Execution<'_>, states: &[&State]) -> Vec<Expr> {
    let ways: Vec<Vec<Expr>> = states.iter().map(|state| execution.conditions(state)).collect();
    let Some((first, others)) = ways.split_first() else { return vec![execution.pool.bool(false)] };
    let is_common = |i: usize| others.iter().all(|way| way.get(i) == Some(&first[i]));
    let common = (0..first.len()).take_while(|&i| is_common(i)).count();
    let mut query = first[..common].to_vec();
    let pool = &mut execution.pool;
    let mut any = pool.bool(false);
    for way in &ways {
        let mut all = pool.bool(true);
        for &condition in &way[common..] {
            all = pool.and(all, condition);
        }
        any = pool.or(any, all);
    }
    query.push(any);
    query
}
