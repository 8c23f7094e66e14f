//! Houdini: which of the guessed invariants at loop heads are inductive together.
//!
//! One pass in mode `AnyIteration` covers all states at all heads. There, each candidate is assumed at its head if its
//! switch is on, and every arrival at a head is kept: from outside, before the state is generalised, and at the end of an
//! iteration. A candidate that an arrival may violate is switched off. When no arrival violates any candidate that is
//! left, all of them hold in every run up to its first target:
//!
//! - Consider the first arrival of a run, in any call, at which a candidate is violated. All arrivals before it satisfied
//!   the candidates.
//! - So the pass covers the run up to there. It generalises a state at a head to all values of what the loop changes,
//!   and the candidates only exclude states that they do not hold in.
//! - The arrival is one of those that were checked.
//!
//! What the solver does not decide is switched off as well. It is irrelevant where candidates come from.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::induction::changes;
use super::unroll::{Mode, Outlook, Unrolling};
use crate::algorithm::guess::terms::rebuild;
use crate::algorithm::guess::{Candidates, Clause};
use crate::cfa::{LocId, Program};
use crate::expr::{Expr, Node, Pool, Sort, Var};
use crate::formula::Symbol;
use crate::monitor::{Monitor, StopReason};
use crate::smt::{Answer, Options, Solver};
use crate::tuning::Guess;

/// Candidates that are proved.
pub(super) struct Proved {
    pub(super) candidates: Candidates,
    /// Whether time ran out, so that more of them may be inductive.
    pub(super) was_cut: bool,
}

/// Proved clauses, by head, in another pool with the program's variables.
pub(super) fn clauses(proved: &Proved, program: &Program, pool: &mut Pool) -> BTreeMap<LocId, Vec<Expr>> {
    translate(&proved.candidates, program, pool)
}

fn translate(candidates: &Candidates, program: &Program, pool: &mut Pool) -> BTreeMap<LocId, Vec<Expr>> {
    let mut vars = FxHashMap::default();
    for expr in candidates.pool.exprs() {
        if let Node::Var(var) = candidates.pool.node(expr) {
            vars.insert(var, pool.var(var, program.var(var).sort));
        }
    }
    let mut known = FxHashMap::default();
    let mut of = |clause: &Clause| rebuild(&candidates.pool, clause.expr, &vars, &mut known, pool);
    candidates.at.iter().map(|(&head, clauses)| (head, clauses.iter().map(&mut of).collect())).collect()
}

/// An arrival at a head.
struct Arrival {
    head: LocId,
    conditions: Vec<Expr>,
    /// The candidates of the head in this state; `None` if one has no meaning here.
    claims: Vec<Option<Expr>>,
}

/// The candidates that are inductive together; none if that takes longer than `time`. The program must have an induction.
pub(super) fn prove(
    program: &Program,
    outlook: &Outlook,
    recursion: u32,
    mut candidates: Candidates,
    time: Duration,
    monitor: &Monitor,
) -> Result<Proved, StopReason> {
    let mut unrolling = Unrolling::new(program, outlook, recursion, monitor);
    let clauses = translate(&candidates, program, &mut unrolling.execution.pool);
    let mut switches: BTreeMap<LocId, Vec<Expr>> = BTreeMap::new();
    let mut assumed: BTreeMap<LocId, Vec<Expr>> = BTreeMap::new();
    let mut number = 0;
    for (&head, clauses) in &clauses {
        for &clause in clauses {
            let execution = &mut unrolling.execution;
            let switch = execution.symbols.expr(&mut execution.pool, Symbol::Claim { number }, Sort::Bool);
            number += 1;
            let off = execution.pool.not(switch);
            switches.entry(head).or_default().push(switch);
            assumed.entry(head).or_default().push(execution.pool.or(off, clause));
        }
    }
    let invariants = |head: LocId, _: &mut Pool| assumed.get(&head).cloned().unwrap_or_default();
    unrolling.keep_arrivals();
    let changes: BTreeMap<LocId, Vec<Var>> = changes(program, outlook);
    loop {
        unrolling.run(Mode::AnyIteration { changes: &changes, invariants: &invariants })?;
        unrolling.reached.clear();
        if unrolling.pending.is_empty() {
            break;
        }
    }
    let arrivals = unrolling.arrivals.take().unwrap_or_default();
    let mut houdini = Houdini {
        off: BTreeSet::new(),
        pool: &mut Pool::default(),
        switches: &switches,
        solver: Solver::new(monitor, Options::default()),
        queries: 0,
        deadline: monitor.elapsed().saturating_add(time),
        was_cut: false,
        tuning: monitor.tuning.guess,
        monitor,
    };
    let mut checks = Vec::new();
    for state in arrivals {
        let head = state.location;
        unrolling.execution.state = state;
        let mut claims = Vec::new();
        for &clause in clauses.get(&head).map_or(&[][..], Vec::as_slice) {
            claims.push(unrolling.express(clause));
        }
        let conditions = unrolling.execution.conditions(&unrolling.execution.state.clone());
        checks.push(Arrival { head, conditions, claims });
    }
    houdini.pool = &mut unrolling.execution.pool;
    houdini.run(&checks)?;
    let (off, was_cut) = (houdini.off, houdini.was_cut);
    for (&head, clauses) in &mut candidates.at {
        let mut position = 0;
        let mut families = BTreeSet::new();
        clauses.retain(|clause| {
            position += 1;
            // The first one of a family implies the others.
            !off.contains(&(head, position - 1)) && families.insert(clause.family)
        });
    }
    Ok(Proved { candidates, was_cut })
}

struct Houdini<'a> {
    pool: &'a mut Pool,
    switches: &'a BTreeMap<LocId, Vec<Expr>>,
    /// The candidates that are switched off.
    off: BTreeSet<(LocId, usize)>,
    solver: Solver<'a>,
    queries: u32,
    deadline: Duration,
    was_cut: bool,
    tuning: Guess,
    monitor: &'a Monitor,
}

impl Houdini<'_> {
    /// Switches candidates off until no arrival may violate one that is left.
    fn run(&mut self, arrivals: &[Arrival]) -> Result<(), StopReason> {
        loop {
            let before = self.off.len();
            for arrival in arrivals {
                self.check(arrival)?;
            }
            if self.off.len() == before {
                return Ok(());
            }
        }
    }

    /// Switches off what the arrival may violate.
    fn check(&mut self, arrival: &Arrival) -> Result<(), StopReason> {
        let mut open = Vec::new();
        for (at, &claim) in arrival.claims.iter().enumerate() {
            if self.off.contains(&(arrival.head, at)) {
                continue;
            }
            match claim {
                Some(claim) => open.push((at, claim)),
                None => {
                    self.off.insert((arrival.head, at));
                }
            }
        }
        while !open.is_empty() {
            match self.ask(arrival, &open, self.tuning.clauses_time)? {
                Answer::Unsat(_) => return Ok(()),
                Answer::Sat(model) => {
                    let before = open.len();
                    let (pool, off) = (&*self.pool, &mut self.off);
                    open.retain(|&(at, claim)| {
                        let holds = model.satisfies(pool, claim);
                        if !holds {
                            off.insert((arrival.head, at));
                        }
                        holds
                    });
                    // A model violates a claim, so this is a precaution against an endless loop.
                    if open.len() == before {
                        off.extend(open.drain(..).map(|(at, _)| (arrival.head, at)));
                    }
                }
                Answer::Unknown(_) => {
                    for claim in open {
                        if !matches!(self.ask(arrival, &[claim], self.tuning.clause_time)?, Answer::Unsat(_)) {
                            self.off.insert((arrival.head, claim.0));
                        }
                    }
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Asks for a way to the arrival that violates a claim, with the current switches.
    fn ask(&mut self, arrival: &Arrival, claims: &[(usize, Expr)], time: Duration) -> Result<Answer, StopReason> {
        self.queries += 1;
        if self.queries > self.tuning.max_queries || self.monitor.elapsed() > self.deadline {
            self.was_cut = true;
            return Ok(Answer::Unknown("given up".into()));
        }
        let all = self.pool.bool(true);
        let all = claims.iter().fold(all, |all, &(_, claim)| self.pool.and(all, claim));
        let mut query = arrival.conditions.clone();
        for (&head, switches) in self.switches {
            for (at, &switch) in switches.iter().enumerate() {
                let is_off = self.off.contains(&(head, at));
                query.push(if is_off { self.pool.not(switch) } else { switch });
            }
        }
        query.push(self.pool.not(all));
        self.solver.set_time(Some(time));
        let answer = self.solver.check_once(self.pool, &query);
        self.monitor.check()?;
        Ok(answer)
    }
}
