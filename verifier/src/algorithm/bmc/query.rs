//! Solver queries of an unrolling.

use std::time::Duration;

use crate::cfa::{Program, Step};
use crate::evidence::{Counterexample, PathCheck, Reason, check_path};
use crate::expr::Expr;
use crate::formula::{Execution, State};
use crate::monitor::{Monitor, StopReason};
use crate::smt::{Answer, Options, Solver};

/// The solver, with a back-off for queries that it often fails to answer.
pub(super) struct Questions<'a> {
    solver: Solver<'a>,
    monitor: &'a Monitor,
    /// The number of consecutive failures of [`is_open`](Questions::is_open).
    failures: u32,
    /// The number of such queries still to be skipped.
    skipped: u32,
}

/// The result of a query about error states.
pub(super) enum Judgement {
    /// No state is reachable.
    Unreachable,
    /// A replayed run reaches one.
    Reached(Box<Counterexample>),
    /// Unknown for the states at these positions.
    Undecided(Vec<usize>, Reason),
}

impl<'a> Questions<'a> {
    pub(super) fn new(monitor: &'a Monitor) -> Questions<'a> {
        Questions { solver: Solver::new(monitor, Options::default()), monitor, failures: 0, skipped: 0 }
    }

    /// Whether a state may be reachable, within a short time limit. Queries back off exponentially on failure.
    pub(super) fn is_open(&mut self, execution: &Execution<'_>, state: &State) -> bool {
        if self.skipped > 0 {
            self.skipped -= 1;
            return true;
        }
        self.solver.set_time(Some(self.monitor.tuning.bmc.open_time));
        match self.solver.check_once(&execution.pool, &execution.conditions(state)) {
            Answer::Unknown(_) => {
                self.failures += 1;
                self.skipped = 1 << self.failures.min(self.monitor.tuning.bmc.max_backoff);
                true
            }
            answer => {
                self.failures = 0;
                matches!(answer, Answer::Sat(_))
            }
        }
    }

    /// Whether a state may be reachable: the solver does not refute it.
    pub(super) fn can_reach(&mut self, execution: &Execution<'_>, state: &State, time: Option<Duration>) -> bool {
        self.solver.set_time(time);
        !matches!(self.solver.check_once(&execution.pool, &execution.conditions(state)), Answer::Unsat(_))
    }

    /// Whether none of the states is reachable; `None` if the solver gives no answer.
    pub(super) fn exclude(&mut self, execution: &mut Execution<'_>, states: &[&State], time: Duration) -> Option<bool> {
        self.solver.set_time(Some(time));
        let query = one_of(execution, states);
        match self.solver.check_once(&execution.pool, &query) {
            Answer::Unsat(_) => Some(true),
            Answer::Sat(_) => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    /// Searches for a run to one of the error states.
    pub(super) fn judge(
        &mut self,
        execution: &mut Execution<'_>,
        states: &[&State],
        time: Option<Duration>,
    ) -> Result<Judgement, StopReason> {
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
    ) -> Result<Judgement, StopReason> {
        let program = execution.program();
        let mut query = one_of(execution, states);
        let all = || (0..states.len()).collect();
        let mut doubt = None;
        for _ in 0..self.monitor.tuning.bmc.max_paths {
            self.solver.set_time(time);
            let answer = self.solver.check_once(&execution.pool, &query);
            self.monitor.check()?;
            let model = match answer {
                Answer::Sat(model) => model,
                Answer::Unsat(_) => {
                    return Ok(doubt.map_or(Judgement::Unreachable, |doubt| Judgement::Undecided(all(), doubt)));
                }
                Answer::Unknown(why) => {
                    let doubt = doubt.unwrap_or(Reason::Solver { why, path: Vec::new() });
                    return Ok(Judgement::Undecided(all(), doubt));
                }
            };
            let holds = |state: &&&State| {
                execution.conditions(state).into_iter().all(|condition| model.satisfies(&execution.pool, condition))
            };
            let Some(state) = states.iter().find(holds) else {
                let why = "no error state has the solver's model".into();
                return Ok(Judgement::Undecided(all(), Reason::Solver { why, path: Vec::new() }));
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
            // Exclude this path. Without choices it is the only one to its state; other states may have more.
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
        Ok(Judgement::Undecided(all(), doubt.unwrap_or(Reason::Solver { why, path: Vec::new() })))
    }

    /// Checks and replays a path. `Err(None)` if it is infeasible.
    fn confirm(
        &mut self,
        program: &Program,
        path: Vec<Step>,
    ) -> Result<Result<Box<Counterexample>, Option<Reason>>, StopReason> {
        let result = check_path(program, &path, self.monitor);
        self.monitor.check()?;
        Ok(match result {
            PathCheck::Feasible(found) => Ok(found),
            PathCheck::Infeasible { .. } => Err(None),
            PathCheck::Undecided(reason) => Err(Some(reason)),
        })
    }
}

/// The conditions under which one of the states is reached. The common prefix of their conditions is factored out.
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
