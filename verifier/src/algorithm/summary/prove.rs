//! Proofs of contracts: the clauses that hold if all of them are assumed at calls and entries.
//!
//! Consider the first moment of a run at which a clause is violated, at an entry or a return. Up to then, all entries and
//! returns satisfied all clauses. So the body under way was entered as its contract requires, and each recursive call in
//! it that returned did what its contract ensures. If no execution of a body under these assumptions violates a clause,
//! there is no such moment. Clauses that may be violated are dropped, which weakens the assumptions, until none is left
//! that may be violated (Houdini).

use std::time::Duration;

use super::body::{Bodies, Body, Event};
use super::contract::{Contract, Contracts, Part};
use crate::cfa::FuncId;
use crate::expr::Expr;
use crate::monitor::{Monitor, StopReason};
use crate::smt::{Answer, Options, Solver};

/// A clause by its function, part and position.
type ClauseId = (FuncId, Part, usize);

/// Proves contracts.
pub struct Prover<'a, 'p> {
    bodies: &'a Bodies<'a, 'p>,
    monitor: &'a Monitor,
}

impl<'a, 'p> Prover<'a, 'p> {
    /// A prover for the bodies of a program.
    pub fn new(bodies: &'a Bodies<'a, 'p>, monitor: &'a Monitor) -> Prover<'a, 'p> {
        Prover { bodies, monitor }
    }

    /// Drops clauses until all that are left are proved.
    pub fn prune(&self, contracts: &mut Contracts) -> Result<(), StopReason> {
        while !self.drop_refuted(contracts)? {}
        Ok(())
    }

    /// Whether all clauses hold, given that all of them hold at calls and entries.
    pub fn is_proved(&self, contracts: &Contracts) -> Result<bool, StopReason> {
        let mut copy = contracts.clone();
        self.drop_refuted(&mut copy)
    }

    /// Whether no target is reached, given that the contracts hold.
    pub fn excludes_targets(&self, contracts: &Contracts) -> Result<bool, StopReason> {
        for function in roots(contracts) {
            let body = self.bodies.run(function, contracts)?;
            let mut solver = Solver::new(self.monitor, Options::default());
            solver.set_time(Some(self.monitor.tuning.summary.target_time));
            for conditions in &body.targets {
                let answer = solver.check_once(&body.execution.pool, conditions);
                self.monitor.check()?;
                if !matches!(answer, Answer::Unsat(_)) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Drops clauses that may be violated if all of them are assumed. True if there is none.
    fn drop_refuted(&self, contracts: &mut Contracts) -> Result<bool, StopReason> {
        let mut dropped = Vec::new();
        for function in roots(contracts) {
            let mut body = self.bodies.run(function, contracts)?;
            let mut solver = Solver::new(self.monitor, Options::default());
            for event in std::mem::take(&mut body.events) {
                self.check(contracts, &mut body, &event, &mut solver, &mut dropped)?;
            }
        }
        for (&function, contract) in &mut contracts.of {
            for part in [Part::Requires, Part::Ensures] {
                let mut position = 0;
                contract.clauses_mut(part).retain(|_| {
                    position += 1;
                    !dropped.contains(&(function, part, position - 1))
                });
            }
        }
        Ok(dropped.is_empty())
    }

    /// Adds the clauses that may be violated at `event`.
    fn check(
        &self,
        contracts: &Contracts,
        body: &mut Body<'p>,
        event: &Event,
        solver: &mut Solver<'_>,
        dropped: &mut Vec<ClauseId>,
    ) -> Result<(), StopReason> {
        let pool = &mut body.execution.pool;
        let claims = contracts.instantiate(event.function, event.part, &event.slots, pool);
        let claims = claims.into_iter().enumerate();
        let id = |position| (event.function, event.part, position);
        let mut open: Vec<(usize, Expr)> = claims.filter(|(at, _)| !dropped.contains(&id(*at))).collect();
        let tuning = self.monitor.tuning.summary;
        while !open.is_empty() {
            let answer = self.ask(body, event, &open, solver, tuning.clauses_time)?;
            match answer {
                Answer::Unsat(_) => return Ok(()),
                Answer::Sat(model) => {
                    let before = open.len();
                    let pool = &body.execution.pool;
                    open.retain(|&(at, claim)| {
                        let holds = model.satisfies(pool, claim);
                        if !holds {
                            dropped.push(id(at));
                        }
                        holds
                    });
                    // A model violates a clause, so this is a precaution against an endless loop.
                    if open.len() == before {
                        dropped.extend(open.drain(..).map(|(at, _)| id(at)));
                    }
                }
                Answer::Unknown(_) => {
                    for claim in open {
                        let answer = self.ask(body, event, &[claim], solver, tuning.clause_time)?;
                        if !matches!(answer, Answer::Unsat(_)) {
                            dropped.push(id(claim.0));
                        }
                    }
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Asks for a way to `event` that violates a claim.
    fn ask(
        &self,
        body: &mut Body<'p>,
        event: &Event,
        claims: &[(usize, Expr)],
        solver: &mut Solver<'_>,
        time: Duration,
    ) -> Result<Answer, StopReason> {
        let pool = &mut body.execution.pool;
        let all = pool.bool(true);
        let all = claims.iter().fold(all, |all, &(_, claim)| pool.and(all, claim));
        let mut query = event.conditions.clone();
        query.push(pool.not(all));
        solver.set_time(Some(time));
        let answer = solver.check_once(pool, &query);
        self.monitor.check()?;
        Ok(answer)
    }
}

/// The bodies to execute: the start, and each recursive function.
fn roots(contracts: &Contracts) -> Vec<Option<FuncId>> {
    let functions = contracts.of.values().map(|Contract { interface, .. }| Some(interface.function));
    [None].into_iter().chain(functions).collect()
}
